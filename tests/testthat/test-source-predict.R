test_that("predictions by chunk are those of all rows", {
  data <- late_data()
  model <- fit(bayes_naive(laplace = 1), y ~ z + f + k, data)
  new <- rbind(data[1:500, ], transform(data[1:2, ], f = "new"))
  chunks <- chunked(new, 120L)
  special <- c("class", "both", "log_evidence", "decision", "cost")
  for (type in setdiff(types_of_any_model(), special)) {
    wanted <- suppressWarnings(predict(model, new, type = type))
    expect_warning(
      found <- as.data.frame(predict(model, chunks, type = type)), "2 rows.*new",
      class = "bayesrisk_warning_unknown_level"
    )
    expect_identical(found[c("y", "z", "f")], `rownames<-`(new[c("y", "z", "f")], NULL))
    prefix <- if (type == "prob") ".pred_" else paste0(".", type, "_")
    expect_identical(
      unname(as.matrix(found[paste0(prefix, colnames(wanted))])), unname(wanted), label = type
    )
  }
  chunks <- chunked(data, 300L)
  expect_identical(as.data.frame(predict(model, chunks))$.pred_class, predict(model, data))
  both <- as.data.frame(predict(model, chunks, type = "both"))
  expect_identical(both$.pred_class, predict(model, data))
  expect_identical(both$.pred_a, unname(predict(model, data, type = "prob")[, "a"]))
  expect_identical(
    as.data.frame(predict(model, chunks, type = "log_evidence"))$.log_evidence,
    unname(predict(model, data, type = "log_evidence"))
  )
})

test_that("decisions by chunk are those of all rows, with costs by case", {
  data <- late_data()
  model <- fit(bayes_naive(laplace = 1), y ~ z + f, data)
  cost <- cost_matrix(
    a = list(a = 0, b = ~ k, c = 9), b = c(a = 2, b = 0, c = 9), c = c(a = 9, b = 9, c = 0),
    ask = 1
  )
  found <- as.data.frame(decide(model, chunked(data, 300L), cost))
  wanted <- as.data.frame(decide(model, data, cost))
  expect_identical(found$.decision, wanted$decision)
  expect_identical(found[paste0(".", names(wanted))], stats::setNames(
    wanted, paste0(".", names(wanted))
  ))
  by_predict <- as.data.frame(predict(model, chunked(data, 300L), cost = cost))
  expect_identical(by_predict$.decision, wanted$decision)
  expect_error(
    decide(model, chunked(data, 300L), cost, capacity = c(ask = 3)), "capacity",
    class = "bayesrisk_error_argument"
  )
})

test_that("a column that the predictions need is not overwritten", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  taken <- chunked(transform(iris, .pred_class = 1), 50L)
  expect_error(
    as.data.frame(predict(model, taken)), ".pred_class", class = "bayesrisk_error_schema"
  )
})

test_that("write_chunks() writes files and calls functions", {
  skip_if_not_installed("data.table")
  model <- fit(bayes_naive(), Species ~ ., iris)
  predictions <- predict(model, chunked(iris, 40L), type = "both")
  folder <- withr::local_tempdir()
  to <- file.path(folder, "p.csv")
  expect_identical(write_chunks(predictions, to), 150)
  expect_equal(utils::read.csv(to, stringsAsFactors = TRUE), as.data.frame(predictions))
  rows <- integer()
  write_chunks(predictions, function(chunk) rows <<- c(rows, nrow(chunk)))
  expect_identical(rows, c(40L, 40L, 40L, 30L))
  expect_error(write_chunks(predictions, to), "exists", class = "bayesrisk_error_argument")
  expect_error(write_chunks(iris, to), "chunks", class = "bayesrisk_error_argument")
  expect_error(
    write_chunks(predictions, file.path(folder, "no", "p.csv")), "folder",
    class = "bayesrisk_error_argument"
  )
  # An error in between leaves nothing behind.
  broken <- map_chunks(chunked(iris, 40L), function(chunk, call) {
    if (any(chunk$Species == "virginica")) stop("broken") else chunk
  })
  expect_error(write_chunks(broken, file.path(folder, "q.csv")), "broken")
  expect_identical(list.files(folder), "p.csv")
})
