# Whether R has the word again in another process where `work`, a function of `threads`, is done
# again and again until an interrupt is answered within the engine.
stops_within <- function(work, threads) {
  ready <- withr::local_tempfile()
  child <- callr::r_bg(function(work, threads, ready) {
    library(bayesrisk)
    x <- matrix(stats::rnorm(4e5 * 20), ncol = 20, dimnames = list(NULL, paste0("x", 1:20)))
    y <- factor(rep(c("a", "b"), length.out = nrow(x)))
    few <- fit_xy(bayes_naive(), x[1:100, ], y[1:100])
    in_engine <- function() {
      any(vapply(sys.calls(), function(call) endsWith(format(call[[1L]])[[1L]], "_cpp"), NA))
    }
    within <- FALSE
    while (!within) {
      tryCatch(
        withCallingHandlers(
          {
            file.create(ready)
            repeat work(x, y, threads)
          },
          interrupt = function(e) within <<- in_engine()
        ),
        interrupt = function(e) NULL
      )
    }
    length(predict(few, x[1:100, ], threads = threads)) == 100L
  }, list(work, threads, ready), libpath = .libPaths())
  on.exit(child$kill())
  # An interrupt that comes before or after the work of the engine is not the last.
  for (pause in 0.2 * 1.3^(0:15)) {
    if (!wait_until(file.exists(ready) || !child$is_alive()) || !child$is_alive()) break
    unlink(ready)
    Sys.sleep(pause)
    child$interrupt()
  }
  child$wait(60000)
  !child$is_alive() && child$get_result()
}

test_that("an interrupt is answered within the engine, on one thread and on two (R9)", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  # Nearly all of the time is that of the engine.
  work <- list(
    fit = function(x, y, threads) {
      fit_xy(bayes_naive(numeric = likelihood_mixture(3)), x, y, threads = threads)
    },
    predict = function(x, y, threads) {
      model <- fit_xy(bayes_naive(numeric = likelihood_kernel()), x[1:1000, ], y[1:1000])
      predict(model, x, type = "prob", threads = threads)
    },
    validate = function(x, y, threads) {
      spec <- bayes_naive(numeric = likelihood_mixture(3))
      cv_risk(spec, y ~ ., data.frame(x, y), threads = threads)
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
  for (name in names(work)) {
    for (threads in 1:2) expect_true(stops_within(work[[name]], threads), info = name)
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

# The messages of another process about work of minutes, which a time limit ends. The limit is set
# when the bar moves for the second time, so it does not depend on the machine.
messages_of_work <- function(threads) {
  said <- withr::local_tempfile()
  callr::r(function(threads) {
    # On a slow machine the fit may take long, too.
    options(bayesrisk.progress = FALSE, cli.dynamic = TRUE, cli.ansi = TRUE)
    library(bayesrisk)
    x <- matrix(stats::rnorm(2e6), ncol = 20, dimnames = list(NULL, paste0("x", 1:20)))
    y <- rep_len(c("a", "b"), nrow(x))
    few <- fit_xy(bayes_naive(numeric = likelihood_kernel(points = Inf)), x[1:20000, ], y[1:20000])
    options(bayesrisk.progress = TRUE)
    moved <- 0
    end_soon <- function() {
      moved <<- moved + 1
      if (moved == 2) setTimeLimit(elapsed = 1e-3, transient = TRUE)
    }
    suppressMessages(trace(
      "move_progress", exit = as.call(list(end_soon)), print = FALSE,
      where = asNamespace("bayesrisk")
    ))
    tryCatch(
      predict(few, x, threads = threads),
      error = function(e) message("error: ", conditionMessage(e))
    )
  }, list(threads), libpath = .libPaths(), stderr = said)
  paste(readLines(said, warn = FALSE), collapse = "\n")
}

test_that("long work shows its progress, until the time limit ends it as an error", {
  skip_on_cran()
  skip_if_not_installed("callr")
  for (threads in 1:2) {
    said <- messages_of_work(threads)
    expect_match(said, "Computing")
    expect_match(said, "\033\\[K[^C]*error: reached elapsed time limit")
  }
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
