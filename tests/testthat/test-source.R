# The promise of the help page ?bayesrisk_sources: the model and the predictions are those of the
# rows in memory, wherever the rows are.

all_sources <- function(data) {
  testthat::skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv", .local_envir = parent.frame())
  utils::write.csv(data, file, row.names = FALSE)
  half <- seq_len(nrow(data)) <= nrow(data) / 2
  list(
    chunks = chunked(data, 40L), csv = csv_chunks(file, rows = 40),
    parts = data_parts(list(data[half, ], data[!half, ]))
  )
}

test_that("chunks, files and parts make the model of the rows in memory", {
  data <- transform(
    iris, Species = as.character(Species), wide = ifelse(Sepal.Width > 3, "wide", "slim")
  )
  formula <- Species ~ log(Petal.Length) + Petal.Width + wide
  memory <- fit(bayes_naive(laplace = 1), formula, data)
  for (source in all_sources(data)) {
    model <- fit(bayes_naive(laplace = 1), formula, source)
    expect_identical(as.data.frame(counts(model)), as.data.frame(counts(memory)))
    expect_equal(tidy(model), tidy(memory), tolerance = 1e-12)
  }
})

test_that("their predictions and decisions are those of the rows in memory", {
  data <- transform(iris, Species = as.character(Species))
  model <- fit(bayes_naive(), Species ~ Petal.Length + Sepal.Width, data)
  cost <- zero_one_cost(model, reject = 0.1)
  classes <- as.character(predict(model, data))
  decisions <- decide(model, data, cost)
  # Parts in memory give an answer for each part.
  sources <- all_sources(data)
  expect_identical(as.character(unlist(predict(model, sources$parts))), classes)
  decided <- do.call(rbind, lapply(decide(model, sources$parts, cost), as.data.frame))
  expect_identical(decided$decision, decisions$decision)
  for (source in sources[c("chunks", "csv")]) {
    predicted <- as.data.frame(predict(model, source))
    expect_identical(as.character(predicted$.pred_class), classes)
    decided <- as.data.frame(decide(model, source, cost))
    expect_identical(as.character(decided$.decision), as.character(decisions$decision))
    expect_equal(decided$.cost, decisions$cost, tolerance = 1e-12)
  }
})
