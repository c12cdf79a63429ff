# A batch of which no row counts changes nothing, wherever its rows are and whatever learns from
# them. Only a fit of nothing is an error, the same one everywhere.

seen_rows <- function() {
  withr::local_seed(4)
  n <- 30L
  data.frame(
    y = rep_len(c("a", "b"), n), x = stats::rnorm(n), k = stats::rpois(n, 3) + 1, w = 1, s = 1,
    g = rep_len(c("u", "v", "v"), n), h = sample(c("p", "q"), n, TRUE), r = rep_len(1:3, n)
  )
}

# A class, levels, a group and numbers that the model does not know.
new_rows_of <- function(...) {
  rows <- utils::head(transform(seen_rows(), y = "new", x = 1e6, k = 99, g = "zz", r = 9L), 4L)
  transform(rows, ...)
}

# Data and na.action; `w` are their weights, `s` their subset.
nothings <- function() {
  list(
    no_rows = list(new_rows_of()[0L, ], "na.pass"),
    no_weight = list(new_rows_of(w = 0), "na.pass"),
    no_subset = list(new_rows_of(s = 0), "na.pass"),
    no_class = list(new_rows_of(y = NA_character_), "na.omit")
  )
}

csv_rows <- function(data, rows = 2) {
  file <- tempfile(fileext = ".csv")
  utils::write.csv(data, file, row.names = FALSE)
  csv_chunks(file, rows)
}

memory_routes <- list(
  frame = identity,
  chunks = function(data) chunked(data, 3L),
  empty_chunks = function(data) chunk_list(list(data[0L, ], data, data[0L, ])),
  no_chunk = function(data) chunk_list(list()),
  csv = csv_rows,
  parts = function(data) data_parts(list(data, data[0L, ])),
  csv_parts = function(data) data_parts(list(csv_rows(data), data))
)

chunk_list <- function(pieces) {
  i <- 0L
  data_chunks(function() {
    i <<- i + 1L
    if (i <= length(pieces)) pieces[[i]]
  }, reset = function() i <<- 0L)
}

# Each likelihood of single features and of blocks: list(spec, formula).
learners <- function() {
  numeric <- names(Filter(function(record) record$kind == "numeric", single_records()))
  calls <- likelihood_calls()[paste0("likelihood_", numeric)]
  single <- Map(function(name, arguments) {
    list(bayes_naive(numeric = do.call(name, arguments), laplace = 1), y ~ k + g)
  }, names(calls), calls)
  c(single, list(
    bins = list(bayes_naive(numeric = likelihood_histogram(laplace = 1)), y ~ x),
    full = list(bayes_full(laplace = 1), y ~ x + k + g + h),
    em = list(bayes_full(missing = "em"), y ~ x + k),
    cells = list(bayes_full(joint = likelihood_histogram(1, laplace = 1)), y ~ x + k),
    mixtures = list(bayes_full(joint = likelihood_mixture(1, starts = 1)), y ~ x + k),
    blocks = list(bayes_blocks(list(b = c("x", "k")), prior = c(0.5, 0.5)), y ~ x + k + log(k)),
    positional = list(
      bayes_naive(features = list(h = likelihood_categorical(laplace = c(1, 2)))), y ~ h + x
    )
  ))
}

# The calls that must not change anything. `source`: makes the data anew.
expect_unchanged <- function(learner, source, na_action, label) {
  spec <- learner[[1L]]
  data <- seen_rows()
  collect <- function(data, ...) {
    bayes_statistics(spec, learner[[2L]], data, weights = w, subset = s == 1, ...)
  }
  model <- fit(spec, learner[[2L]], data, weights = w, subset = s == 1)
  models <- fit(spec, learner[[2L]], data, weights = w, subset = s == 1, by = r)
  more <- update(model, source(), weights = w, subset = s == 1, na.action = na_action)
  testthat::expect_identical(more, model, label = paste(label, "update()"))
  more <- update(models, source(), weights = w, subset = s == 1, na.action = na_action)
  testthat::expect_identical(more, models, label = paste(label, "update() of groups"))
  statistics <- collect(data)
  nothing <- collect(source(), na.action = na_action)
  testthat::expect_identical(merge(statistics, nothing), statistics, label = paste(label, "merge"))
  testthat::expect_identical(merge(nothing, statistics), statistics, label = paste(label, "merge"))
  testthat::expect_identical(merge(nothing, nothing), nothing, label = paste(label, "merge"))
  testthat::expect_error(
    fit(spec, learner[[2L]], source(), weights = w, subset = s == 1, na.action = na_action),
    "^There are no rows to fit", class = "bayesrisk_error_no_rows", label = paste(label, "fit()")
  )
}

test_that("a batch of which no row counts changes no model of any likelihood", {
  skip_on_cran()
  skip_if_not_installed("data.table")
  all <- learners()
  ways <- nothings()
  for (name in names(all)) {
    # Only one learner takes all routes.
    routes <- if (name == "full") names(memory_routes) else c("frame", "chunks")
    for (route in routes) {
      for (way in names(ways)) {
        source <- function() memory_routes[[route]](ways[[way]][[1L]])
        expect_unchanged(all[[name]], source, ways[[way]][[2L]], paste(name, route, way))
      }
    }
  }
})

for (engine in database_engines) {
  test_that(paste("a table of which no row counts changes nothing:", engine), {
    con <- local_database(engine)
    some <- c("blocks", if (engine != "spark") c("full", "likelihood_kernel", "bins")) # it is slow
    for (way in names(ways <- nothings())) {
      table <- put_table(con, ways[[way]][[1L]])
      for (learner in learners()[some]) {
        suppressMessages(
          expect_unchanged(learner, function() table, ways[[way]][[2L]], paste(engine, way)),
          classes = "bayesrisk_message_reads_rows"
        )
      }
    }
    # An engine without NaN stores NULL.
    model <- fit(bayes_naive(), y ~ x, seen_rows())
    table <- put_table(con, new_rows_of(x = NaN)[c("y", "x")])
    expect_identical(update(model, table, na.action = na.omit), model)
  })
}

test_that("tables of features without a row that counts change nothing", {
  data <- seen_rows()
  y <- data$y
  x <- as.matrix(data[c("x", "k")])
  bag <- sparse(cbind(one = data$k, two = rev(data$k)))
  for (features in list(x, data[c("x", "g")], bag)) {
    model <- fit_xy(bayes_naive(laplace = 1), features, y)
    expect_identical(update(model, features[0L, ], y = y[0L]), model)
    none <- rep(0, 4L)
    expect_identical(update(model, features[1:4, ], y = rep("new", 4L), weights = none), model)
    expect_identical(
      update(model, features[1:4, ], y = rep(NA, 4L), na.action = na.omit), model
    )
    expect_error(
      fit_xy(bayes_naive(), features, y, weights = 0 * data$w), class = "bayesrisk_error_no_rows"
    )
  }
})

test_that("nothing to add leaves exponents as they are, and says nothing", {
  data <- seen_rows()
  model <- suppressMessages(temper(fit(bayes_naive(), y ~ x + k, data), data, folds = 2))
  normal <- likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
  known <- bayes_known(c(a = 0.5, b = 0.5), x = normal, n = c(a = 9, b = 9))
  for (model in list(model, fit(bayes_naive(laplace = 1, temper = TRUE), y ~ x + k, data), known)) {
    y <- if (is.null(formula(model))) character()
    expect_silent(more <- update(model, data[0L, ], y = y))
    expect_identical(more, model)
  }
})

test_that("chunks without a row that counts are left out, wherever they are", {
  skip_on_cran()
  data <- seen_rows()
  for (way in nothings()[1:3]) {
    more <- way[[1L]]
    for (pieces in list(list(more, data), list(data[1:9, ], more, data[10:30, ]),
                        list(data, more))) {
      for (learner in learners()) {
        made <- function(data) {
          coef(fit(learner[[1L]], learner[[2L]], data, weights = w, subset = s == 1))
        }
        expect_equal(
          all_numbers(suppressMessages(made(chunk_list(pieces)))), all_numbers(made(data)),
          tolerance = 1e-12
        )
      }
    }
  }
})

test_that("rows without a label whose chunk has no weight leave an estimated prior as it is", {
  model <- fit(bayes_naive(), y ~ x, seen_rows())
  rows <- seen_rows()[c("x", "w")]
  both <- chunk_list(list(transform(rows, w = 0), rows))
  expect_identical(estimate_prior(model, both, weights = w)$prior,
                   estimate_prior(model, chunk_list(list(rows)), weights = w)$prior)
  expect_error(
    estimate_prior(model, chunk_list(list(transform(rows, w = 0))), weights = w),
    class = "bayesrisk_error_degenerate"
  )
})

test_that("statistics of nothing are printed, counted and written as others are", {
  found <- bayes_statistics(bayes_naive(), y ~ x, seen_rows(), weights = 0 * w, min_count = 5)
  expect_output(print(found), "from 0 of 30 rows: 0 classes, 0 features", fixed = TRUE)
  expect_identical(nobs(found), 0)
  expect_identical(nrow(as.data.frame(found)), 0L)
  expect_identical(nrow(as.data.frame(counts(found))), 0L)
  expect_error(fit(bayes_naive(), found), class = "bayesrisk_error_no_rows")
  for (format in c("json", "rds")) {
    file <- withr::local_tempfile()
    if (format == "json") skip_if_not_installed("jsonlite")
    write_statistics(found, file, format)
    expect_identical(read_statistics(file), found)
  }
  expect_bayesrisk_error(
    merge(bayes_statistics(bayes_full(), y ~ x, seen_rows()), found), "argument", "differ"
  )
  expect_bayesrisk_error(
    merge(bayes_statistics(bayes_naive(), g ~ x, seen_rows()), found), "argument", "classes"
  )
  expect_bayesrisk_error(
    bayes_statistics(bayes_naive(), ~ x, chunk_list(list())), "data", "no rows"
  )
})
