# Fits, predictions and prints leave the R process as it was, and its options do not change them.

test_that("R1: long compact columns and shared matrices are left as they are", {
  n <- 1e6
  data <- structure(list(x = 1:1e6, g = rep_len(1:3, n)), class = "data.frame",
                    row.names = c(NA, -n))
  y <- rep_len(c("a", "b"), n)
  model <- fit_xy(bayes_naive(), data, y)
  predict(model, data)
  expect_identical(data$x, 1:1e6)
  expect_identical(data$g[c(1, n)], c(1L, 1L))
  expect_within(bank_of(model)$mean[, 1], c(500000, 500001), 1e-15)

  first <- second <- as.matrix(mixed()[c("x", "z")])
  copy <- first + 0
  decided <- predict(fit_xy(bayes_full(), first, mixed()$y), second, type = "both")
  expect_named(decided, c("class", "posterior"))
  expect_identical(first, copy)
  expect_identical(second, copy)
})

# One model for each likelihood and structure, with names and labels beyond ASCII.
models_of_every_kind <- function() {
  withr::local_seed(5)
  y <- factor(rep_len(c("\u00e4", "b b", "%s"), 60))
  k <- as.integer(y)
  data <- data.frame(
    y, u = rnorm(60) + k, v = rnorm(60), n = rpois(60, k),
    g = sample(c("u", "\u00df"), 60, TRUE), l = rep_len(c(TRUE, FALSE), 60)
  )
  names(data)[[3L]] <- "v \u00e9"
  specs <- list(
    bayes_naive(laplace = 1), bayes_full(laplace = 1, covariance = "pooled"),
    bayes_blocks(list(c("u", "n")), laplace = 1),
    bayes_naive(laplace = 1, features = list(
      u = likelihood_histogram(0.5, laplace = 1), n = likelihood_poisson()
    )),
    bayes_naive(numeric = likelihood_kernel(), laplace = 1),
    bayes_full(laplace = 1, joint = likelihood_mixture(1:2, starts = 2)),
    bayes_naive(laplace = 1, features = list(n = likelihood_empirical()))
  )
  list(data = data, specs = specs, models = lapply(specs, fit, y ~ ., data))
}

# R's own print.data.frame() warns of column names that the locale does not have.
show_all <- function(models, data) {
  withCallingHandlers(for (model in models) show_one(model, data), warning = function(w) {
    if (grepl("unable to translate", conditionMessage(w))) invokeRestart("muffleWarning")
  })
}

show_one <- function(model, data) {
  expect_gt(length(capture.output(print(model), print(summary(model)), print(coef(model)))), 5L)
  # Built, not printed: grid draws no bars where the option scipen is negative.
  draw(model)
  decided <- decide(model, newdata = data)
  capture.output(print(decided), print(summary(decided)), print(contributions(model, data[1, ])))
}

test_that("R2, R14: fits, predictions, prints and plots leave the process as it was", {
  skip_on_cran()
  kinds <- models_of_every_kind()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  graphics::par(mar = c(6, 5, 3, 2), las = 1, cex = 0.9)
  graphics::plot.new()
  bytes <- serialize(kinds$data, NULL)
  loadNamespace("ggplot2")
  gc() # finalizers of earlier tests delete files
  before <- everything_there_is()
  withr::with_preserve_seed({
    suppressWarnings(rm(".Random.seed", envir = globalenv()))
    for (i in seq_along(kinds$specs)) {
      model <- fit(kinds$specs[[i]], y ~ ., kinds$data)
      expect_identical(model, kinds$models[[i]])
      predict(model, kinds$data)
    }
    show_all(kinds$models, kinds$data)
    expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
  })
  expect_identical(everything_there_is(), before)
  expect_identical(serialize(kinds$data, NULL), bytes)
})

test_that("R2: whatever is called leaves its arguments and the process as they were", {
  skip_on_cran()
  skip_if_not_installed("callr")
  # Folds and simulated rows are drawn by R's generator, as they should be.
  drawn <- c(
    "cv_predict", "cv_risk", "search_likelihoods", "simulate.bayesrisk_model", "temper",
    "temper.bayesrisk_model", "temper.bayesrisk_models"
  )
  # These write, a source of chunks is read to its end, and a page that prints is a file.
  written <- c("explorer", "write_chunks", "write_model_json", "write_statistics")
  changes <- changes_by_calls()
  expect_setequal(setdiff(names(changes), written), drawn)
  expect_identical(unique(unlist(changes[drawn])), "seed")
})

test_that("R14: every model prints, plots and fits in other locales and settings", {
  skip_on_cran()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  kinds <- models_of_every_kind()
  everywhere <- function() {
    expect_silent(show_all(kinds$models, kinds$data))
    for (i in seq_along(kinds$specs)) {
      expect_silent(again <- fit(kinds$specs[[i]], y ~ ., kinds$data))
      expect_identical(predict(again, kinds$data), predict(kinds$models[[i]], kinds$data))
    }
  }
  withr::with_options(list(digits = 3, OutDec = ",", scipen = -5), everywhere())
  withr::with_options(list(digits = 22, scipen = 99, width = 20, warnPartialMatchDollar = TRUE),
                      everywhere())
  withr::local_locale(LC_CTYPE = Sys.getlocale("LC_CTYPE"))
  tried <- character()
  for (locale in c("C", "C.UTF-8", "en_US.UTF-8", "de_DE.UTF-8")) {
    known <- suppressWarnings(Sys.setlocale("LC_CTYPE", locale)) == locale
    if (known) withr::with_locale(c(LC_COLLATE = locale), everywhere())
    tried <- c(tried, locale[known])
  }
  skip_if(identical(tried, "C"), "No locale but C is here: the others were not tried")
})

test_that("R8: a class that the storage belies is damage", {
  # No function of R makes such a vector, but a file can hold one.
  lying <- function(x) {
    bytes <- serialize(structure(x, levels = c("u", "v"), class = "factoR"), NULL)
    bytes[grepRaw("factoR", bytes, fixed = TRUE) + 5L] <- charToRaw("r")
    unserialize(bytes)
  }
  as_column <- function(g) structure(list(g = g), class = "data.frame", row.names = 1:4)
  y <- c("a", "a", "b", "b")
  model <- fit_xy(bayes_naive(laplace = 1), as_column(c("u", "v", "v", "u")), y)
  storages <- list(c(1, 2, 1, 2), c("u", "v", "u", "v"), c(TRUE, FALSE, NA, TRUE), list(1, 2, 1, 2),
                   1:4 + 0i, as.raw(1:4))
  for (storage in storages) {
    column <- as_column(lying(storage))
    expect_bayesrisk_error(fit_xy(bayes_naive(), column, y), "data", "g is a damaged factor")
    expect_bayesrisk_error(predict(model, column), "schema", "g is a damaged factor")
    expect_bayesrisk_error(fit_xy(bayes_naive(), data.frame(x = 1:4), column$g), "data",
                           "y is a damaged factor")
  }
  not_a_table <- structure(c(1, 2, 1, 2), class = "data.frame")
  expect_bayesrisk_error(fit_xy(bayes_naive(), not_a_table, y), "data", "without a name")
  expect_bayesrisk_error(predict(model, not_a_table), "schema", "no column g")
})

test_that("R9: interrupted work leaves no memory behind, and the next call works", {
  skip_on_cran()
  skip_if_not_installed("callr")
  skip_if_not(file.exists("/proc/self/status"))
  skip_if(nzchar(Sys.getenv("ASAN_OPTIONS")), "AddressSanitizer keeps what is given back")
  megabytes <- callr::r(function() {
    library(bayesrisk)
    x <- matrix(stats::rnorm(4e6), ncol = 20)
    y <- rep_len(c("a", "b", "c"), nrow(x))
    model <- fit_xy(bayes_full(), x, y)
    resident <- function() {
      stopifnot(identical(fit_xy(bayes_full(), x, y), model))
      gc()
      line <- grep("^VmRSS", readLines("/proc/self/status"), value = TRUE)
      as.numeric(gsub("[^0-9]", "", line)) / 1024
    }
    # R does not hear the signal inside of system(), so it is sent after that.
    begun <- tempfile()
    command <- sprintf(
      "(until [ -e %s ]; do sleep 0.01; done; sleep 0.1; kill -INT %d) &", shQuote(begun),
      Sys.getpid()
    )
    interrupt <- function(threads) {
      unlink(begun)
      tryCatch(
        {
          system(command)
          file.create(begun)
          repeat {
            fit_xy(bayes_full(), x, y, threads = threads)
            predict(model, x, type = "prob", threads = threads)
          }
        },
        interrupt = function(e) NULL
      )
    }
    # malloc() keeps more memory after the first large release.
    for (turn in 1:2) {
      for (i in 1:8) interrupt(1 + i %% 2)
      before <- resident()
    }
    for (i in 1:24) interrupt(1 + i %% 2)
    c(before = before, after = resident())
  }, libpath = .libPaths())
  # 24 posteriors would be 115.
  expect_lt(megabytes[["after"]] - megabytes[["before"]], 60)
})

test_that("R10: what does not fit into memory is an error of R, and the next call works", {
  classes <- paste0("c", 1:1e5)
  model <- bayes_known(stats::setNames(rep(1e-5, 1e5), classes))
  rows <- structure(list(), names = character(), class = "data.frame", row.names = c(NA, -2e9L))
  expect_error(predict(model, rows, type = "prob"), "allocate")
  expect_identical(dim(predict(model, rows[1:2, ], type = "prob")), c(2L, 100000L))
})

test_that("R10: so is memory that the engine does not get", {
  skip_on_cran()
  skip_on_os(c("windows", "mac", "solaris"))
  script <- withr::local_tempfile(lines = c(
    "library(bayesrisk)",
    "x <- matrix(rep_len(c(1, 2, 4, 3, 7), 3e4), 3, 1e4)",
    "for (threads in 1:2) {",
    "  tryCatch(",
    "    fit_xy(bayes_full(), x, c('a', 'a', 'b'), threads = threads),",
    "    bayesrisk_error_memory = function(e) cat('error:', conditionMessage(e))",
    "  )",
    "}",
    "cat('\\nafter:', format(predict(fit(bayes_naive(), Species ~ ., iris), iris[1, ])))"
  ))
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  limited <- function(...) {
    command <- paste("ulimit -v 900000;", shQuote(file.path(R.home("bin"), "Rscript")), ...)
    suppressWarnings(system2("sh", c("-c", shQuote(command)), stdout = TRUE, stderr = TRUE))
  }
  skip_if(!is.null(attr(limited("-e 1"), "status")), "R needs more memory to start")
  said <- paste(limited(shQuote(script)), collapse = " ")
  expect_match(said, "error:.*enough memory.*error:.*enough memory.*after: setosa")
})

test_that("R13: cells beyond 2^31 are read where they are", {
  skip_if_not(long_tests(), "9 GB, BAYESRISK_LONG_TESTS")
  n <- 2^20 + 1
  p <- 2049
  expect_gt(n * p, 2^31)
  x <- matrix(FALSE, n, p)
  x[n, p] <- TRUE
  x[1, p] <- NA
  model <- fit_xy(bayes_naive(laplace = 1), x, rep_len(c("a", "b"), n))
  # Class a has one row more, the first and the last.
  a <- 2^19 + 1
  table <- exp(bank_of(model)$log_probability)
  expect_within(table[, 2 * p - 3:2], rbind(c(a + 1, 1) / (a + 2), c(a, 1) / (a + 1)), 1e-14)
  expect_within(table[, 2 * p - 1:0], rbind(c(a - 1, 2) / (a + 1), c(a, 1) / (a + 1)), 1e-14)
  common <- (a / n) / ((a - 1) / n) * ((a + 1) / (a + 2) * (a + 1) / a)^(p - 1)
  odds <- common * c(1, (a - 1) / a, 2)
  answer <- posterior(model, x)
  expect_within(answer[c(1, 2, n), 1], odds / (1 + odds), 1e-10)
})
