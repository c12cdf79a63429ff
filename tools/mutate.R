# Rscript tools/mutate.R [SITES PER FILE] [SEED]: do the tests notice wrong arithmetic? Operators
# and constants of the engine are changed one at a time, two in each file by default. All of the
# changes are compiled into one program, in which BAYESRISK_MUTANT chooses among them. Mutants that
# pass the engine tests go on to the R tests. The exit status is 0 if 95 % are noticed.
# BAYESRISK_MUTANTS is a folder to compile in, if the program is to be kept.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
source(file.path(root, "tools", "mutate-sites.R"))

asked <- as.numeric(commandArgs(TRUE))
sites_per_file <- if (length(asked)) asked[[1L]] else 2
seed <- if (length(asked) > 1L) asked[[2L]] else 1
scratch <- Sys.getenv("BAYESRISK_MUTANTS", file.path(tempdir(), "mutants"))
dir.create(scratch, showWarnings = FALSE, recursive = TRUE)
scratch <- normalizePath(scratch)
headers <- file.path("src", "engine")

## Compilation ---------------------------------------------------------------------------------

# The right side of an assignment: `x += E` is changed within E.
undo <- c("+=" = "-(", "-=" = "-(", "*=" = "1 / (", "/=" = "1 / (")

# The headers with a choice at each site; line numbers stay as they are.
write_headers <- function(sites) {
  for (file in engine_files()) {
    code <- read_code(file.path(root, headers, file))
    of_file <- sites[sites$file == file, ]
    for (i in order(-of_file$first)) {
      site <- of_file[i, ]
      new <- site$new
      if (site$kind == "assignment") new <- paste0(undo[[site$text]], squeeze(site$old), ")")
      choice <- sprintf("(bayesrisk_mutant == %d ? (%s) : (", site$id, new)
      code <- paste0(substr(code, 1L, site$first - 1L), choice,
                     substr(code, site$first, site$last), "))", substring(code, site$last + 1L))
    }
    # A constant with a choice is no constant for the compiler.
    code <- gsub("(^|\n)constexpr double", "\\1inline const double", code)
    code <- gsub("static constexpr double", "static inline const double", code)
    code <- gsub(" constexpr double", " const double", code)
    writeLines(code, file.path(scratch, headers, file), sep = "")
  }
}

engine_files <- function() list.files(file.path(root, headers), "[.][ch]pp$", recursive = TRUE)

copy_package <- function() {
  for (folder in c("R", "data", "inst", "src", "tests/engine")) {
    dir.create(file.path(scratch, folder), recursive = TRUE, showWarnings = FALSE)
    file.copy(file.path(root, folder), dirname(file.path(scratch, folder)), recursive = TRUE)
  }
  file.copy(file.path(root, c("DESCRIPTION", "NAMESPACE", "LICENSE")), scratch)
  writeLines(c(
    "#pragma once", "#include <cstdlib>",
    "inline const int bayesrisk_mutant =",
    "    std::getenv(\"BAYESRISK_MUTANT\") ? std::atoi(std::getenv(\"BAYESRISK_MUTANT\")) : 0;"
  ), file.path(scratch, "mutant.h"))
}

# Assertions of the standard library replace the sanitizers of tests/engine/Makefile.
compiler_flags <- function() {
  paste("-std=c++17 -O1 -w -Wno-narrowing -D_GLIBCXX_ASSERTIONS -include",
        file.path(scratch, "mutant.h"))
}

make_engine <- function() {
  settings <- c(engine_settings(), paste0("CXXFLAGS=", compiler_flags()))
  folder <- file.path(scratch, "tests", "engine")
  arguments <- c("--silent", "--keep-going", "-C", shQuote(folder), shQuote(settings))
  suppressWarnings(system2("make", arguments, stdout = TRUE, stderr = TRUE))
}

# Sites whose choice does not compile, because the two sides differ in type, are left out.
compile_engine <- function(sites) {
  repeat {
    write_headers(sites)
    output <- make_engine()
    if (is.null(attr(output, "status"))) return(sites)
    wrong <- wrong_sites(sites, grep(": error: ", output, value = TRUE))
    if (!any(wrong)) wrong <- wrong_sites(sites, output)
    if (!any(wrong)) stop(paste(output, collapse = "\n"), call. = FALSE)
    cat("left out, because it does not compile:", sites$change[wrong], sep = "\n  ")
    sites <- sites[!wrong, ]
  }
}

wrong_sites <- function(sites, output) {
  pattern <- ".*engine/([a-z_/]+[.][ch]pp):([0-9]+):.*"
  named <- grep(pattern, output, value = TRUE)
  file <- sub(pattern, "\\1", named)
  line <- as.integer(sub(pattern, "\\2", named))
  vapply(seq_len(nrow(sites)), function(i) {
    any(file == sites$file[[i]] & line >= sites$first_line[[i]] & line <= sites$last_line[[i]])
  }, NA)
}

## Tests ---------------------------------------------------------------------------------------

# The verdict of a command on a mutant: "" if it passed, otherwise how it failed.
outcome <- function(command, arguments, id, limit, failure) {
  status <- suppressWarnings(system2(
    command, arguments, stdout = FALSE, stderr = FALSE, timeout = limit,
    env = c(paste0("BAYESRISK_MUTANT=", id), "NOT_CRAN=true")
  ))
  if (status == 0) "" else if (status == 124) "timeout" else if (status == 1) failure else "crash"
}

engine_tests <- function() file.path(scratch, "build", "engine", "engine-tests")

# The cases that take 9/10 of the time wait until all others have found nothing. A comma in a case
# name would separate two names.
time_engine <- function() {
  output <- system2(engine_tests(), c("--duration=true", "--no-colors=true"), stdout = TRUE)
  if (!is.null(attr(output, "status"))) stop("the engine tests fail without any change")
  lines <- grep("^[0-9.]+ s: ", output, value = TRUE)
  seconds <- as.numeric(sub(" s: .*", "", lines))
  names <- gsub(",", "?", sub("^[0-9.]+ s: ", "", lines), fixed = TRUE)
  slow <- cumsum(sort(seconds)) > 0.1 * sum(seconds)
  list(seconds = sum(seconds), slow = paste(unique(names[order(seconds)][slow]), collapse = ","))
}

engine_outcome <- function(id, timing) {
  for (filter in c("--test-case-exclude=", "--test-case=")) {
    slow <- shQuote(paste0(filter, timing$slow))
    arguments <- c("--abort-after=1", "--no-colors=true", slow)
    found <- outcome(engine_tests(), arguments, id, 5 * timing$seconds + 10, "engine")
    if (nzchar(found)) break
  }
  found
}

install_mutants <- function() {
  makevars <- file.path(scratch, "Makevars")
  writeLines(paste0("CXX17FLAGS=", compiler_flags()), makevars)
  Sys.setenv(R_MAKEVARS_USER = makevars)
  library <- file.path(scratch, "library")
  dir.create(library, showWarnings = FALSE)
  .libPaths(c(library, .libPaths()))
  Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  install_package(scratch)
}

# Files that are likely to notice come first.
r_test_files <- function() {
  files <- list.files(file.path(root, "tests", "testthat"), "^test-.*[.]R$", full.names = TRUE)
  first <- c("numbers", "cases", "likelihood", "lecture", "model", "decide", "evaluate", "risk")
  kind <- match(sub("^test-([a-z]+).*", "\\1", basename(files)), first, nomatch = 99L)
  files[order(kind)]
}

r_file_outcome <- function(file, id) {
  run <- paste0("testthat::test_file('", file, "', package = 'bayesrisk', ",
                "load_package = 'installed', reporter = 'silent', stop_on_failure = TRUE)")
  outcome(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(run)), id, 1200, "R")
}

# A file that also fails without a mutant is not used.
r_outcome <- function(id) {
  for (file in r_test_files()) {
    found <- r_file_outcome(file, id)
    if (nzchar(found) && r_file_outcome(file, 0) == "") return(paste(found, basename(file)))
  }
  ""
}

tell <- function(sites, noticed) {
  cat(sprintf("%-9s %s:%d: %s\n", noticed, sites$file, sites$line, sites$change), sep = "")
}

run_mutants <- function(sites) {
  # The tests read files from there.
  setwd(file.path(scratch, "tests", "engine"))
  timing <- time_engine()
  noticed <- character(nrow(sites))
  for (i in seq_along(noticed)) {
    noticed[[i]] <- engine_outcome(sites$id[[i]], timing)
    tell(sites[i, ], if (nzchar(noticed[[i]])) noticed[[i]] else "-")
  }
  passed <- which(noticed == "")
  if (!length(passed)) return(noticed)
  cat("\nNot noticed by the engine tests, what R's tests say:\n")
  install_mutants()
  for (i in passed) {
    noticed[[i]] <- r_outcome(sites$id[[i]])
    tell(sites[i, ], if (nzchar(noticed[[i]])) noticed[[i]] else "nothing")
  }
  noticed
}

main <- function() {
  install_needs(root, "all")
  use_ccache()
  copy_package()
  all <- do.call(rbind, lapply(engine_files(), sites_of))
  stopifnot(names(same) %in% paste0(all$file, ": ", all$change))
  sites <- do.call(rbind, lapply(engine_files(), choose_sites))
  sites <- sites[!paste0(sites$file, ": ", sites$change) %in% names(same), ]
  sites$id <- seq_len(nrow(sites))
  sites <- compile_engine(sites)
  noticed <- run_mutants(sites)
  by <- sub("^$", "nothing", sub(" .*", "", noticed))
  print(table(folder = dirname(sites$file), noticed = by))
  share <- mean(nzchar(noticed))
  cat(sprintf("%d of %d noticed (%.1f %%)\n", sum(nzchar(noticed)), nrow(sites), 100 * share))
  quit(status = as.integer(share < 0.95))
}

main()
