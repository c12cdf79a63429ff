# Long work in another R process: `work`, a function of `threads` that goes on until it is
# interrupted. The seconds from the signal until R has the word again.
seconds_to_stop <- function(work, threads) {
  started <- withr::local_tempfile()
  child <- callr::r_bg(function(work, threads, started) {
    library(bayesrisk)
    x <- matrix(stats::rnorm(4e5 * 20), ncol = 20, dimnames = list(NULL, paste0("x", 1:20)))
    y <- factor(rep(c("a", "b"), length.out = nrow(x)))
    few <- fit_xy(bayes_naive(), x[1:100, ], y[1:100])
    stopped <- tryCatch(
      {
        file.create(started)
        repeat work(x, y, threads)
      },
      interrupt = function(e) Sys.time()
    )
    after <- predict(few, x[1:100, ], threads = threads)
    list(stopped = stopped, after = length(after))
  }, list(work, threads, started), libpath = .libPaths())
  on.exit(child$kill())
  for (i in 1:600) if (file.exists(started)) break else Sys.sleep(0.1)
  Sys.sleep(0.5)
  sent <- Sys.time()
  child$interrupt()
  child$wait(20000)
  result <- child$get_result()
  expect_identical(result$after, 100L)
  as.numeric(result$stopped - sent, units = "secs")
}

test_that("an interrupt is answered soon, on one thread and on two (R9)", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  work <- list(
    fit = function(x, y, threads) fit_xy(bayes_full(), x, y, threads = threads),
    predict = function(x, y, threads) {
      model <- fit_xy(bayes_full(), x[1:1000, ], y[1:1000])
      predict(model, x, type = "prob", threads = threads)
    },
    validate = function(x, y, threads) {
      cv_risk(bayes_full(), y ~ ., data.frame(x, y), threads = threads)
    },
    assess = function(x, y, threads) {
      model <- fit_xy(bayes_naive(), x[1:1000, ], y[1:1000])
      assess_decisions(model, x, truth = y, threads = threads)
    },
    risk = function(x, y, threads) {
      model <- fit(bayes_full(), Species ~ ., iris)
      bayes_risk(model, tolerance = 1e-9, threads = threads)
    }
  )
  # The aim is 0.2 s; a busy machine may take longer, but never as long as the work.
  for (name in names(work)) {
    for (threads in 1:2) expect_lt(seconds_to_stop(work[[name]], threads), 5)
  }
})

test_that("a bar begins, moves and is cleared, and is not wanted in tests and reports", {
  expect_null(move_progress(NULL, 0.1))
  withr::local_options(bayesrisk.progress = TRUE, cli.dynamic = TRUE, cli.ansi = TRUE)
  said <- cli::cli_fmt({
    id <- move_progress(NULL, 0.1)
    expect_identical(move_progress(id, 0.5), id)
    end_progress(id)
  })
  expect_match(said, "50%", all = FALSE)
  withr::local_envvar(TESTTHAT = "")
  withr::local_options(bayesrisk.progress = NULL)
  expect_true(shows_progress())
  # An expectation under the option would need knitr itself.
  in_report <- function(wish) {
    options <- list(knitr.in.progress = TRUE, bayesrisk.progress = wish)
    withr::with_options(options, shows_progress())
  }
  expect_false(in_report(NULL))
  expect_false(in_report(TRUE))
  withr::local_options(cli.dynamic = FALSE)
  expect_false(shows_progress())
  withr::local_options(bayesrisk.progress = FALSE, cli.dynamic = TRUE)
  expect_false(shows_progress())
})

# What R says in another process while `work` is done several times, for at most five seconds.
messages_of_work <- function(work, threads, times = 50) {
  said <- withr::local_tempfile()
  callr::r(function(work, threads, times) {
    options(bayesrisk.progress = TRUE, cli.dynamic = TRUE, cli.ansi = TRUE)
    library(bayesrisk)
    x <- matrix(stats::rnorm(2e6), ncol = 20, dimnames = list(NULL, paste0("x", 1:20)))
    y <- rep_len(c("a", "b"), nrow(x))
    few <- fit_xy(bayes_naive(numeric = likelihood_kernel()), x[1:2000, ], y[1:2000])
    message("long work:")
    setTimeLimit(elapsed = 5, transient = TRUE)
    tryCatch(
      for (i in seq_len(times)) work(x, y, few, threads),
      interrupt = function(e) message("interrupted"),
      error = function(e) message("error: ", conditionMessage(e))
    )
  }, list(work, threads, times), libpath = .libPaths(), stderr = said, timeout = 120)
  paste(readLines(said, warn = FALSE), collapse = "\n")
}

test_that("long work shows its progress, until the time limit ends it as an error", {
  skip_on_cran()
  skip_if_not_installed("callr")
  for (threads in 1:2) {
    said <- messages_of_work(threads, work = function(x, y, few, threads) {
      predict(few, x[rep(seq_len(nrow(x)), 5), ], threads = threads)
    })
    said <- strsplit(said, "long work:")[[1L]]
    expect_no_match(said[[1L]], "Computing")
    expect_match(said[[2L]], "Computing")
    expect_match(said[[2L]], "\033\\[K[^C]*error: reached elapsed time limit")
  }
})

test_that("the bar of a cross-validation does not fall", {
  skip_on_cran()
  skip_if_not_installed("callr")
  # Once, because the bar of a second call begins at 0.
  said <- messages_of_work(1L, times = 1, work = function(x, y, few, threads) {
    spec <- bayes_naive(numeric = likelihood_kernel(points = Inf))
    cv_risk(spec, y ~ ., data.frame(x, y)[1:40000, ], folds = 300)
  })
  share <- regmatches(said, gregexpr("[0-9]+(?=%)", said, perl = TRUE))[[1L]]
  # How many there are depends on the machine: under a sanitizer few folds end within five seconds.
  expect_gt(length(unique(share)), 1)
  expect_false(is.unsorted(as.numeric(share)))
})

test_that("the option sets the number of threads, and a forked child gets the same result", {
  skip_on_os("windows")
  model <- fit(bayes_naive(), Species ~ ., iris)
  withr::local_options(bayesrisk.threads = 2L)
  expect_identical(fit(bayes_naive(), Species ~ ., iris), model)
  withr::local_options(bayesrisk.threads = 0L)
  expect_error(fit(bayes_naive(), Species ~ ., iris), class = "bayesrisk_error_argument")
  withr::local_options(bayesrisk.threads = 1L)
  skip_on_cran()
  skip_if_not_installed("callr")
  rows <- iris[rep(1:150, 1000), ]
  threads_used <- function(i) {
    before <- length(list.files("/proc/self/task"))
    decided <- predict(model, rows, threads = 2L)
    list(decided = decided, more = length(list.files("/proc/self/task")) - before)
  }
  alone <- predict(model, rows)
  for (child in forked_lapply(1:2, threads_used)) {
    expect_identical(child$decided, alone)
    expect_identical(child$more, 0L)
  }
})
