# Rscript tools/test.R      installs the package and what its tests need, and runs them: those of R
#                           (tests/testthat) and of the C++ engine (tests/engine). Of frameworks
#                           it installs only what comes compiled. The tests of the others and of
#                           database servers are skipped and named.
# Rscript tools/test.R all  installs every framework first, from source if necessary, and the
#                           databases, as far as apt-get and npm have them, and runs the tests of
#                           the engine under sanitizers.
#
# The last line counts passed, failed and skipped tests; the exit status is 0 only if none failed.
# A test with an uncaught warning has failed: expect_warning() lets all but the first through.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))

count <- function(passed = 0L, failed = 0L, skipped = 0L) {
  c(passed = passed, failed = failed, skipped = skipped)
}

# A suite that cannot run at all is one failure; the other suite runs all the same.
run_suite <- function(name, suite) {
  cat("\n==", name, "==\n")
  counts <- tryCatch(suite(), error = function(e) {
    cat(name, "could not run:", conditionMessage(e), "\n")
    count(failed = 1L)
  })
  if (!sum(counts)) cat("No test ran.\n")
  if (sum(counts)) counts else count(failed = 1L)
}

# The R tests in parts, each for a process of its own: those that start databases, because a server
# is started once for a process, and some twenty files at a time.
test_parts <- function(tests) {
  files <- list.files(tests, "^test-.*[.]R$", full.names = TRUE)
  starts_database <- function(file) {
    any(grepl("database_(engines|connections)|test-source-db-", c(file, readLines(file))))
  }
  databases <- vapply(files, starts_database, NA)
  others <- files[!databases]
  c(list(files[databases]), unname(split(others, seq_along(others) %% (length(others) %/% 20))))
}

# Runs the tests of some files, names those that take 10 seconds or more, and counts the tests. It
# runs in a process of its own.
run_part <- function(files) {
  names <- sub("^test-(.*)[.]R$", "\\1", basename(files))
  results <- testthat::test_dir(
    dirname(files[[1L]]), filter = sprintf("^(%s)$", paste(names, collapse = "|")),
    package = "bayesrisk", load_package = "installed", reporter = "summary",
    stop_on_failure = FALSE
  )
  # A line for each failure, which a log that is cut still has near its end.
  for (test in results) for (result in test$results) {
    failed <- paste0("expectation_", c("failure", "error", "warning"))
    if (!inherits(result, failed)) next
    message <- substr(gsub("\\s+", " ", conditionMessage(result)), 1, 500)
    cat("FAILED: ", test$file, ", ", test$test, ": ", message, "\n", sep = "")
  }
  results <- as.data.frame(results)
  seconds <- sort(tapply(results$real, results$file, sum), decreasing = TRUE)
  cat(sprintf("%4.0f s  %s\n", seconds, names(seconds))[seconds >= 10], sep = "")
  failed <- results$failed > 0 | results$error | results$warning > 0
  skipped <- results$skipped & !failed
  c(passed = sum(!failed & !skipped), failed = sum(failed), skipped = sum(skipped))
}

# Seconds until the time TESTS_UNTIL, which is in seconds since 1970. After it no part begins.
time_left <- function() as.numeric(Sys.getenv("TESTS_UNTIL", "Inf")) - as.numeric(Sys.time())

# At most four parts run at the same time.
run_r_tests <- function() {
  Sys.setenv(NOT_CRAN = "true")
  # Where systemd does not run, asking it for the time zone is a warning.
  if (!nzchar(Sys.getenv("TZ"))) Sys.setenv(TZ = "UTC")
  waiting <- test_parts(file.path(root, "tests", "testthat"))
  at_once <- min(4, cores())
  running <- list()
  counts <- count()
  while (length(waiting) || length(running)) {
    if (time_left() < 0 && length(waiting)) {
      left <- basename(unlist(waiting))
      cat("No time is left, so these files are skipped:", toString(left), "\n")
      counts <- counts + count(skipped = length(left))
      waiting <- list()
    }
    if (length(waiting) && length(running) < at_once) {
      part <- callr::r_bg(run_part, waiting[1L], stdout = tempfile(), stderr = "2>&1")
      running <- c(running, part)
      waiting <- waiting[-1L]
    }
    ended <- !vapply(running, function(part) part$is_alive(), NA)
    for (part in running[ended]) counts <- counts + end_part(part)
    running <- running[!ended]
    Sys.sleep(0.1)
  }
  counts
}

end_part <- function(part) {
  cat(readLines(part$get_output_file()), sep = "\n")
  unlink(part$get_output_file())
  tryCatch(part$get_result(), error = function(e) {
    cat("FAILED: a part of the tests ended:", conditionMessage(e), "\n")
    count(failed = 1L)
  })
}

# With sanitizers the engine is compiled once more. Without them its tests take the objects of the
# package that has just been installed.
engine_make <- function(jobs) {
  folder <- file.path(root, "tests", "engine")
  installed <- if (purpose == "test") {
    c("OBJECTS=../../src", "BUILD=../../build/engine/installed", paste0("R=", r_command()))
  }
  c("--silent", "-C", shQuote(folder), "-j", jobs, shQuote(c(engine_settings(), installed)))
}

# The engine is compiled and tested behind the R tests, on what they leave of the cores.
start_engine_tests <- function() {
  command <- if (nzchar(Sys.which("nice"))) c("nice", "make") else "make"
  callr::r_bg(
    function(command, arguments) {
      suppressWarnings(
        system2(command[[1L]], c(command[-1L], arguments), stdout = TRUE, stderr = TRUE)
      )
    },
    list(command = command, arguments = c(engine_make(cores()), "run"))
  )
}

end_engine_tests <- function(tests) {
  if (inherits(tests, "error")) stop(tests)
  # The engine gets a quarter of an hour more.
  while (tests$is_alive() && time_left() > -900) Sys.sleep(0.5)
  if (tests$is_alive()) {
    tests$kill_tree()
    cat("No time is left: the engine is not tested.\n")
    return(count(skipped = 1L))
  }
  output <- tests$get_result()
  cat(output, sep = "\n")
  count_engine(output)
}

# The line "[doctest] test cases: 3 | 2 passed | 1 failed | 0 skipped". It is missing when the
# compiler or a sanitizer ended make, and a leak is reported after it: in both cases the status of
# make decides.
count_engine <- function(output) {
  line <- grep("test cases:", output, value = TRUE, fixed = TRUE)
  number <- function(word) as.integer(sub(paste0(".*?([0-9]+) ", word, ".*"), "\\1", line))
  if (length(line) != 1) return(count(failed = 1L))
  counts <- count(number("passed"), number("failed"), number("skipped"))
  if (!is.null(attr(output, "status")) && counts[["failed"]] == 0L) counts[["failed"]] <- 1L
  counts
}

# Tells in a line which packages and databases `all` would install.
tell_waiting <- function() {
  waiting <- c(missing_packages(optional_packages(root, "test")), absent_databases())
  if (length(waiting)) {
    cat("Waiting for `Rscript tools/test.R all`: the tests of ", toString(waiting), "\n", sep = "")
  }
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(setdiff(arguments, "all"))) stop("Usage: Rscript tools/test.R [all]", call. = FALSE)
purpose <- if (length(arguments)) "all" else "test"
use_utf8()
prepare(root, purpose)
engine <- tryCatch(start_engine_tests(), error = identity)
counts <- run_suite("R tests", run_r_tests) +
  run_suite("Engine tests", function() end_engine_tests(engine))
cat("\n")
if (purpose == "test") tell_waiting()
cat(sprintf(
  "%d passed, %d failed, %d skipped\n",
  counts[["passed"]], counts[["failed"]], counts[["skipped"]]
))
quit(status = as.integer(counts[["failed"]] > 0))
