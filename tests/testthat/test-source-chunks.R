test_that("chunks give the statistics of the data in memory, for every kind of bank", {
  data <- late_data()
  specs <- source_specs()
  for (name in names(specs)) {
    for (size in c(97L, 700L)) {
      found <- bayes_statistics(specs[[name]][[1L]], specs[[name]][[2L]], chunked(data, size))
      wanted <- bayes_statistics(specs[[name]][[1L]], specs[[name]][[2L]], data)
      expect_same_statistics(found, wanted, paste(name, size))
    }
  }
})

test_that("weights, subset and na.action choose the same rows in chunks", {
  data <- late_data()
  data$w[1:900] <- 0
  spec <- bayes_naive(laplace = 1)
  limit <- 4
  for (policy in list(stats::na.pass, stats::na.omit)) {
    found <- bayes_statistics(spec, y ~ ., chunked(data, 300L), w, z < limit, policy)
    wanted <- bayes_statistics(spec, y ~ ., data, w, z < limit, policy)
    expect_same_statistics(found, wanted, "weighted")
  }
  expect_error(
    fit(spec, y ~ ., chunked(data, 300L), subset = z < -1), "leave none",
    class = "bayesrisk_error_data"
  )
})

test_that("an update by chunks is the update by all rows", {
  data <- late_data()
  spec <- bayes_naive(laplace = 1, features = list(z = likelihood_histogram(width = 0.5)))
  model <- fit(spec, y ~ z + f + k, data[1:1000, ])
  found <- update(model, chunked(data[1001:2011, ], 200L), weights = w)
  wanted <- update(model, data[1001:2011, ], weights = w)
  expect_equal(coef(found), coef(wanted), tolerance = 1e-12)
  expect_identical(found$rows, wanted$rows)
  expect_identical(update(model, data_chunks(function() NULL))$rows, model$rows)
})

test_that("a kind that the first chunks cannot know needs a second pass", {
  data <- data.frame(y = rep(c("a", "b"), 50), x = c(rep(NA, 60), 1:40), v = 1:100)
  found <- fit(bayes_naive(), y ~ ., chunked(data, 20L))
  expect_equal(coef(found), coef(fit(bayes_naive(), y ~ ., data)))
  expect_error(
    fit(bayes_naive(), y ~ ., chunked(data, 20L, again = FALSE)), "x",
    class = "bayesrisk_error_data"
  )
  # A column that is not used needs no kind.
  expect_s3_class(fit(bayes_naive(), y ~ v, chunked(data, 20L, FALSE)), "bayesrisk_model")
})

test_that("bins that depend on all rows need a second pass", {
  data <- late_data()
  spec <- bayes_naive(numeric = likelihood_histogram())
  expect_error(
    fit(spec, y ~ z, chunked(data, 500L, again = FALSE)), "origin", class = "bayesrisk_error_data"
  )
})

test_that("errors name the chunk", {
  data <- late_data()
  wrong <- function(change) {
    chunks <- list(data[1:100, ], change(data[101:200, ]))
    i <- 0
    data_chunks(function() if (i < 2) chunks[[i <<- i + 1]])
  }
  spec <- bayes_naive()
  expect_error(
    fit(spec, y ~ z, wrong(function(d) transform(d, z = as.character(z)))), "chunk 2",
    class = "bayesrisk_error"
  )
  expect_error(
    fit(spec, y ~ z, wrong(function(d) transform(d, z = Inf))), "chunk 2.*z",
    class = "bayesrisk_error_data"
  )
  expect_error(
    fit(spec, y ~ z, wrong(function(d) d["y"])), "z", class = "bayesrisk_error_data"
  )
  expect_error(fit(spec, y ~ z, wrong(function(d) 7)), "Chunk 2", class = "bayesrisk_error_data")
  expect_error(
    fit(spec, y ~ z, data_chunks(function() stop("lost"))), "lost", class = "bayesrisk_error_data"
  )
  expect_error(
    fit(spec, y ~ z, data_chunks(function() NULL)), "no rows", class = "bayesrisk_error_data"
  )
})

test_that("chunks are checked, printed and read into memory", {
  expect_error(data_chunks(7), "next_chunk", class = "bayesrisk_error_argument")
  expect_error(data_chunks(function(x) x), "next_chunk", class = "bayesrisk_error_argument")
  expect_error(data_chunks(function() NULL, 7), "reset", class = "bayesrisk_error_argument")
  chunks <- chunked(iris, 60L)
  expect_output(print(chunks), "chunks")
  expect_identical(as.data.frame(chunks), iris)
  damaged <- chunks
  damaged$open <- 1
  expect_error(fit(bayes_naive(), Species ~ ., damaged), class = "bayesrisk_error_object")
})

test_that("a reader is closed after an error and after an interrupt", {
  closed <- 0
  source <- new_chunks(function(call) {
    new_reader(function(call) iris, close = function() closed <<- closed + 1)
  }, "Always the same.")
  expect_error(fit(bayes_naive(), Species ~ . + nothing, source), class = "bayesrisk_error")
  expect_identical(closed, 1)
  stopped <- 0
  tryCatch(
    each_chunk(source, function(chunk, number) rlang::interrupt(), environment()),
    interrupt = function(i) stopped <<- closed
  )
  expect_identical(stopped, 2)
})

test_that("chunks that were used up say so", {
  i <- 0
  chunks <- data_chunks(function() {
    i <<- i + 1
    if (i < 3) iris[75 * (i - 1) + 1:75, ]
  })
  model <- fit(bayes_naive(), Species ~ ., chunks)
  used_up <- function(expr) {
    error <- expect_error(expr, "were read before", class = "bayesrisk_error_data")
    expect_match(conditionMessage(error), "reset", fixed = TRUE)
  }
  used_up(fit(bayes_naive(), Species ~ ., chunks))
  used_up(as.data.frame(predict(model, chunks)))
  # A function that starts again without being asked is no error.
  i <- 0
  expect_identical(coef(fit(bayes_naive(), Species ~ ., chunks)), coef(model))
  empty <- data_chunks(function() NULL)
  for (pass in 1:2) {
    expect_error(fit(bayes_naive(), y ~ x, empty), class = "bayesrisk_error_no_rows")
  }
})

test_that("update() counts chunks whose first ones hold NA alone in a column", {
  rows <- late_data(600)
  rows$z[1:101] <- NA
  rows$g[1:101] <- NA
  model <- fit(bayes_naive(laplace = 1), y ~ z + late + g, rows)
  wanted <- update(model, rows)
  for (again in c(TRUE, FALSE)) {
    expect_equal(update(model, chunked(rows, 101, again)), wanted, tolerance = 1e-12)
  }
  parts <- data_parts(list(chunked(rows[1:300, ], 101), function() chunked(rows[301:600, ], 99)))
  expect_equal(update(model, parts), wanted, tolerance = 1e-12)
})
