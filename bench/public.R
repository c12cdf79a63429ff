# Rscript bench/public.R [--only=REGEX] [--who=REGEX] [--to=FILE] [--installed] [--store]
# bench/README.md says what it measures.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
for (file in c("tools/setup.R", "vignettes/stored-runs.R", "bench/report.R")) {
  source(file.path(root, file))
}

## Data ----------------------------------------------------------------------------------------

read_sets <- function(only) {
  sets <- utils::read.csv(file.path(root, "bench", "public.csv"))
  sets[grepl(only, paste(sets$package, sets$set)), ]
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
draw_folds <- function(class, folds = 10L) {
  set.seed(1)
  order <- order(class, stats::runif(length(class)))
  replace(integer(length(class)), order, rep_len(seq_len(folds), length(class)))
}

## Classifiers ---------------------------------------------------------------------------------

# Each is called with its defaults, and returns a posterior, rows x classes.
classifiers <- list(
  bayesrisk = function(x, y, newdata) by_bayesrisk(bayesrisk::bayes_naive(), x, y, newdata),
  `bayesrisk, laplace = 1` = function(x, y, newdata) {
    by_bayesrisk(bayesrisk::bayes_naive(laplace = 1), x, y, newdata)
  },
  naivebayes = function(x, y, newdata) {
    stats::predict(naivebayes::naive_bayes(x, y), newdata, type = "prob")
  },
  e1071 = function(x, y, newdata) {
    stats::predict(e1071::naiveBayes(x, y), newdata, type = "raw")
  },
  klaR = function(x, y, newdata) stats::predict(klaR::NaiveBayes(x, y), newdata)$posterior,
  `MASS::lda` = function(x, y, newdata) by_formula(MASS::lda, x, y, newdata),
  `MASS::qda` = function(x, y, newdata) by_formula(MASS::qda, x, y, newdata)
)

by_bayesrisk <- function(spec, x, y, newdata) {
  stats::predict(bayesrisk::fit_xy(spec, x, y), newdata, type = "prob")
}

# The functions of MASS convert factors to numbers only if they read a formula.
by_formula <- function(fit, x, y, newdata) {
  model <- fit(.class ~ ., data.frame(x, .class = y, check.names = FALSE), na.action = "na.omit")
  stats::predict(model, newdata)$posterior
}

## One data set --------------------------------------------------------------------------------

# The first call of a user, who gives the data as they are.
first_call <- function(data, target) {
  said <- character()
  note <- tryCatch(
    withCallingHandlers(
      {
        model <- bayesrisk::fit(bayesrisk::bayes_naive(), stats::reformulate(".", target), data)
        answers <- stats::predict(model, data, type = "prob")
        stopifnot(nrow(answers) == nrow(data))
        NULL
      },
      warning = function(w) {
        said <<- c(said, setdiff(class(w), c("bayesrisk_warning", "rlang_warning"))[1])
        tryInvokeRestart("muffleWarning")
      },
      message = function(m) tryInvokeRestart("muffleMessage")
    ),
    error = first_line
  )
  result_row("first call", is.null(note), note = c(note, toString(unique(said)))[1])
}

first_line <- function(e) {
  # Bullets of messages are not ASCII.
  text <- iconv(cli::ansi_strip(conditionMessage(e)), "UTF-8", "ASCII", sub = "")
  text <- gsub("[[:space:]]+", " ", text)
  substr(text, 1L, 150L)
}

result_row <- function(who, works, ..., accuracy = NA, log_loss = NA, unanswered = NA, note = "") {
  data.frame(who, works, accuracy, log_loss, unanswered, note)
}

# A row without an answer counts as wrong. Probabilities below 1e-15 count as 1e-15.
cross_validate <- function(who, x, y, fold) {
  posterior <- matrix(NA_real_, length(y), nlevels(y), dimnames = list(NULL, levels(y)))
  note <- tryCatch(
    {
      for (f in unique(fold)) {
        train <- fold != f
        answer <- as.matrix(suppressMessages(suppressWarnings(
          classifiers[[who]](x[train, , drop = FALSE], y[train], x[!train, , drop = FALSE])
        )))
        stopifnot(nrow(answer) == sum(!train), colnames(answer) %in% levels(y))
        posterior[!train, ] <- 0
        posterior[!train, colnames(answer)] <- answer
      }
      NULL
    },
    error = first_line
  )
  if (!is.null(note)) return(result_row(who, FALSE, note = note))
  score_row(who, posterior, y)
}

score_row <- function(who, posterior, y) {
  unknown <- rowSums(is.na(posterior)) > 0
  posterior[unknown, ] <- 0
  right <- max.col(posterior, "first") == as.integer(y) & !unknown
  of_truth <- posterior[cbind(seq_along(y), as.integer(y))]
  result_row(
    who, TRUE, accuracy = mean(right), log_loss = -mean(log(pmax(of_truth, 1e-15))),
    unanswered = mean(unknown)
  )
}

measure_set <- function(package, set, target, who) {
  data <- load_set(package, set)
  known <- !is.na(data[[target]])
  y <- droplevels(as.factor(data[[target]][known]))
  x <- data[known, setdiff(names(data), target), drop = FALSE]
  fold <- draw_folds(y)
  rows <- lapply(who, function(one) {
    if (one == "first call") first_call(data, target) else cross_validate(one, x, y, fold)
  })
  about <- data.frame(
    package, set, target, rows = nrow(data), features = ncol(x), classes = nlevels(y),
    smallest = min(table(y))
  )
  data.frame(about, do.call(rbind, rows), row.names = NULL)
}

## All -----------------------------------------------------------------------------------------

peers <- c("naivebayes", "e1071", "klaR", "MASS")

install_packages <- function(packages) {
  bounds <- stats::setNames(rep("0", length(packages)), packages)
  install_with_apt(debian_names(missing_packages(bounds)), bounds)
  install_from_cran(missing_packages(bounds))
}

about_sets <- function(results) {
  packages <- unique(c("bayesrisk", peers, results$package))
  versions <- vapply(packages, function(p) as.character(utils::packageVersion(p)), "")
  c(
    paste("Date:", format(Sys.time(), "%Y-%m-%d %H:%M", tz = "UTC"), "UTC"), R.version.string,
    paste("Packages:", toString(paste(packages, versions)))
  )
}

# Written after every set, beside earlier results of other sets and classifiers.
run_sets <- function(sets, who, file) {
  for (i in seq_len(nrow(sets))) {
    message(format(Sys.time(), "%H:%M:%S "), sets$package[i], "::", sets$set[i])
    rows <- measure_set(sets$package[i], sets$set[i], sets$target[i], who)
    earlier <- if (file.exists(file)) read_results(file)
    write_public(add_results(earlier, rows), file)
  }
  results <- read_results(file)
  print(public_refusals(results))
  print(public_scores(public_complete(results)))
}

add_results <- function(earlier, rows) {
  numbers <- c("accuracy", "log_loss", "unanswered")
  rows[numbers] <- lapply(rows[numbers], signif, 5)
  key <- function(rows) paste(rows$package, rows$set, rows$who)
  all <- rbind(earlier[!key(earlier) %in% key(rows), ], rows)
  listed <- read_sets("")
  place <- match(paste(all$package, all$set), paste(listed$package, listed$set))
  all[order(place, match(all$who, c("first call", names(classifiers)))), ]
}

write_public <- function(results, file) {
  writeLines(paste("#", about_sets(results)), file)
  suppressWarnings(utils::write.table(
    results, file, append = TRUE, sep = ",", row.names = FALSE, qmethod = "double", na = ""
  ))
}

arguments <- commandArgs(TRUE)
value <- function(name, default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(given)) sub("^[^=]*=", "", given[1]) else default
}
sets <- read_sets(value("only", ""))
use_library()
if (!"--installed" %in% arguments) prepare(root, "bench")
install_packages(unique(c(peers, sets$package)))
file <- value("to", tempfile("public-", fileext = ".csv"))
who <- grep(value("who", ""), c("first call", names(classifiers)), value = TRUE)
run_sets(sets, who, file)
if ("--store" %in% arguments) file.copy(file, file.path(root, "vignettes", "public.csv"), TRUE)
message("Results: ", file)
