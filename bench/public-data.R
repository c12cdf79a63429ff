# The scripts about public data sets share the data, the folds, and the posteriors of cases
# that a classifier has not seen.

## Data ----------------------------------------------------------------------------------------

read_sets <- function(only) {
  sets <- utils::read.csv(file.path(root, "bench", "public.csv"))
  sets[grepl(only, paste(sets$package, sets$set)), ]
}

# Versions of packages differ in their data sets.
has_set <- function(package, set) {
  set %in% sub(" \\(.*", "", utils::data(package = package)$results[, "Item"])
}

# The data set as the package has it. A tibble becomes a data frame, because some peers do not know
# tibbles.
load_set <- function(package, set) {
  items <- utils::data(package = package)$results[, "Item"]
  item <- items[sub(" \\(.*", "", items) == set][1]
  # "lung (cancer)" stands in the file cancer.
  file <- sub(".*\\((.*)\\)$", "\\1", item)
  found <- new.env()
  utils::data(list = file, package = package, envir = found)
  as.data.frame(found[[set]])
}

# Each class is spread over all folds.
draw_folds <- function(class, folds = 10L, seed = 1) {
  set.seed(seed)
  order <- order(class, stats::runif(length(class)))
  replace(integer(length(class)), order, rep_len(seq_len(folds), length(class)))
}

# The posterior of each row, from the classifier that was fitted to the rows of the other folds.
held_out_posterior <- function(classifier, x, y, fold) {
  posterior <- matrix(NA_real_, length(y), nlevels(y), dimnames = list(NULL, levels(y)))
  for (f in unique(fold)) {
    train <- fold != f
    answer <- as.matrix(suppressMessages(suppressWarnings(
      classifier(x[train, , drop = FALSE], y[train], x[!train, , drop = FALSE])
    )))
    stopifnot(nrow(answer) == sum(!train), colnames(answer) %in% levels(y))
    posterior[!train, ] <- 0
    posterior[!train, colnames(answer)] <- answer
  }
  posterior
}

# Probabilities below 1e-15 count as 1e-15.
log_loss <- function(posterior, y) {
  of_truth <- posterior[cbind(seq_along(y), as.integer(y))]
  -mean(log(pmax(of_truth, 1e-15)))
}

first_line <- function(e) {
  # Bullets of messages are not ASCII.
  text <- iconv(cli::ansi_strip(conditionMessage(e)), "UTF-8", "ASCII", sub = "")
  text <- gsub("[[:space:]]+", " ", text)
  substr(text, 1L, 150L)
}

# The columns of all scripts about a data set.
about_set <- function(package, set, target, x, y) {
  data.frame(
    package, set, target, rows = nrow(x), features = ncol(x), classes = nlevels(y),
    smallest = min(table(y))
  )
}

## The script ----------------------------------------------------------------------------------

arguments <- commandArgs(TRUE)
value <- function(name, default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[1]) else default
}

# Calls `measure(package, set, target, who)` for each set that was asked for, and reports the file
# of the results. `peers`: packages to compare with; `who`: the classifiers, in order; `stored`: the
# file in vignettes/ that --store writes.
run_public <- function(measure, who, peers, stored) {
  sets <- read_sets(value("only", ""))
  use_library()
  if (!"--installed" %in% arguments) prepare(root, "bench")
  install_packages(unique(c(peers, sets$package)))
  file <- value("to", tempfile("public-", fileext = ".csv"))
  asked <- grep(value("who", ""), who, value = TRUE)
  there <- mapply(has_set, sets$package, sets$set)
  if (!all(there)) message("Not there: ", toString(sets$set[!there]))
  sets <- sets[there, ]
  for (i in seq_len(nrow(sets))) {
    message(format(Sys.time(), "%H:%M:%S "), sets$package[i], "::", sets$set[i])
    rows <- measure(sets$package[i], sets$set[i], sets$target[i], asked)
    if (!is.null(rows)) write_public(add_results(file, rows, who), file, peers)
  }
  if ("--store" %in% arguments) file.copy(file, file.path(root, "vignettes", stored), TRUE)
  message("Results: ", file)
  read_results(file)
}

install_packages <- function(packages) {
  bounds <- stats::setNames(rep("0", length(packages)), packages)
  install_with_apt(debian_names(missing_packages(bounds)), bounds)
  install_from_cran(bounds)
}

# Beside earlier results of other sets and classifiers.
add_results <- function(file, rows, who) {
  measured <- vapply(rows, is.double, NA)
  rows[measured] <- lapply(rows[measured], signif, 5)
  earlier <- if (file.exists(file)) read_results(file)
  key <- function(rows) paste(rows$package, rows$set, rows$who)
  all <- rbind(earlier[!key(earlier) %in% key(rows), ], rows)
  listed <- read_sets("")
  place <- match(paste(all$package, all$set), paste(listed$package, listed$set))
  all[order(place, match(all$who, who)), ]
}

write_public <- function(results, file, peers) {
  writeLines(paste("#", about_sets(results, peers)), file)
  suppressWarnings(utils::write.table(
    results, file, append = TRUE, sep = ",", row.names = FALSE, qmethod = "double", na = ""
  ))
}

about_sets <- function(results, peers) {
  packages <- unique(c("bayesrisk", peers, results$package))
  versions <- vapply(packages, function(p) as.character(utils::packageVersion(p)), "")
  c(
    paste("Date:", format(Sys.time(), "%Y-%m-%d %H:%M", tz = "UTC"), "UTC"), R.version.string,
    paste("Packages:", toString(paste(packages, versions)))
  )
}
