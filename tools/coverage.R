# Rscript tools/coverage.R: the lines of R and C++ that the R tests and the engine tests together
# run. Prints the share of each file and every line that no test runs; takes half an hour. The exit
# status is 0 if 98 % of R and 98 % of C++ are run. Some printed lines cannot run: heads and closing
# brackets of inlined functions, and R functions that a list captured before covr instrumented them
# (style_checks).

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
install_needs(root, "coverage")

enough <- 0.98
flags <- "-O1 --coverage"

# covr compiles in place and reads all files of a folder, so it gets a copy.
copy_package <- function() {
  copy <- file.path(tempfile("coverage"), "bayesrisk")
  dir.create(copy, recursive = TRUE)
  parts <- c("DESCRIPTION", "NAMESPACE", "LICENSE", "R", "src", "inst", "data", "man", "tests")
  stopifnot(file.copy(file.path(root, parts), copy, recursive = TRUE))
  copy
}

run_engine_tests <- function(copy) {
  # covr looks for sources from another folder: paths must be absolute.
  settings <- c(
    engine_settings(), paste0("BUILD=", file.path(copy, "build")),
    paste0("INCLUDE=", file.path(copy, "src")), paste0("CXXFLAGS=-std=c++17 ", flags)
  )
  arguments <- c("--silent", "-C", file.path(copy, "tests", "engine"), "-j", cores(), settings)
  stopifnot(system2("make", shQuote(c(arguments, "run"))) == 0)
}

# One row for each line that can run. A line of a template occurs once for each of its types, and a
# line of a header once for each file that includes it. It counts as run if one of these ran.
run_lines <- function(copy) {
  Sys.setenv(NOT_CRAN = "true", CCACHE_DISABLE = "1")
  options(covr.flags = c(CXX17FLAGS = flags, CXXFLAGS = flags, LDFLAGS = "--coverage"))
  found <- as.data.frame(covr::package_coverage(copy, type = "tests"))
  stats::aggregate(value ~ line + file, data.frame(
    value = found$value, line = found$first_line, file = found$filename
  ), max)
}

show_coverage <- function(lines, copy) {
  ran <- lines$value > 0
  by_file <- sort(tapply(ran, lines$file, mean))
  for (file in names(by_file)[by_file < 1]) {
    cat(sprintf("%5.1f %%  %s\n", 100 * by_file[[file]], file))
    missed <- lines$line[lines$file == file & !ran]
    text <- trimws(readLines(file.path(copy, file))[missed])
    cat(sprintf("         %4d  %s\n", missed, text), sep = "")
  }
  share <- tapply(ran, ifelse(startsWith(lines$file, "R/"), "R", "C++"), mean)
  count <- tapply(ran, ifelse(startsWith(lines$file, "R/"), "R", "C++"), length)
  cat(sprintf("%s: %.2f %% of %d lines\n", names(share), 100 * share, count), sep = "")
  share
}

copy <- copy_package()
run_engine_tests(copy)
share <- show_coverage(run_lines(copy), copy)
quit(status = as.integer(any(share < enough)))
