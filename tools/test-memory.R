# Rscript tools/test-memory.R [FILTER]: runs each test file (those whose name matches FILTER) with
# the installed package in a process of its own. Prints the seconds of each file and the peak of
# memory of its largest process, which may be a child. The exit status is 1 if a process needs more
# than 500 MB or a test fails. Needs the program `time`.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
most <- 500

run <- 'library(testthat)
  test_file(commandArgs(TRUE), package = "bayesrisk", load_package = "installed",
            reporter = "summary", stop_on_failure = TRUE)'

measure <- function(file) {
  said <- tempfile()
  status <- suppressWarnings(system2(
    "/usr/bin/time", c(
      "-f", shQuote("%e %M"), "-o", said, file.path(R.home("bin"), "Rscript"),
      "-e", shQuote(run), shQuote(file)
    ),
    stdout = FALSE, stderr = FALSE
  ))
  numbers <- scan(text = utils::tail(readLines(said), 1), quiet = TRUE)
  found <- data.frame(
    file = basename(file), seconds = numbers[1], mb = round(numbers[2] / 1024), passed = status == 0
  )
  cat(sprintf(
    "%-44s %6.1f s %6d MB%s\n", found$file, found$seconds, found$mb, if (status) "  FAILED" else ""
  ))
  found
}

if (!file.exists("/usr/bin/time")) stop("install the program 'time'")
Sys.setenv(NOT_CRAN = Sys.getenv("NOT_CRAN", "true"))
files <- dir(file.path(root, "tests", "testthat"), "^test-.*[.]R$", full.names = TRUE)
files <- grep(if (length(commandArgs(TRUE))) commandArgs(TRUE)[1] else "", files, value = TRUE)
found <- do.call(rbind, lapply(files, measure))
cat("\nThe largest:\n")
print(utils::head(found[order(-found$mb), ], 10), row.names = FALSE)
cat(sprintf("\n%d files: %.0f s, at most %d MB\n", nrow(found), sum(found$seconds), max(found$mb)))
quit(status = as.integer(any(found$mb > most, !found$passed)))
