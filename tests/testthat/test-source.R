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

test_that("dates are the same error with the same remedy on each way in", {
  withr::local_seed(1)
  data <- data.frame(
    y = rep(c("a", "b"), 60), day = as.Date("2024-01-01") + sample(300, 120), x = stats::rnorm(120)
  )
  spec <- bayes_naive()
  # Errors of pieces name them, and break lines elsewhere.
  error_of <- function(expr) {
    error <- rlang::catch_cnd(expr, "bayesrisk_error")
    gsub("[[:space:]]+", " ", cli::ansi_strip(conditionMessage(error)))
  }
  said <- error_of(fit(spec, y ~ ., data))
  for (part in c(
    "day holds dates (<Date>), which no likelihood reads", "`as.numeric(day)` counts days since",
    "`format(day, \"%m\")` is a category", "`data$day <- as.numeric(data$day)`"
  )) expect_match(said, part, fixed = TRUE)
  numbers <- fit(spec, y ~ day, transform(data, day = as.numeric(day)))
  expect_identical(error_of(fit(spec, data[2:3], data$y)), said)
  expect_identical(error_of(fit_xy(spec, data[2:3], data$y)), said)
  expect_identical(error_of(update(numbers, data)), said)
  expect_identical(error_of(predict(numbers, data)), said)
  expect_identical(error_of(cv_risk(spec, y ~ ., data)), said)
  expect_identical(error_of(check_features(y ~ ., data)), said)
  sources <- all_sources(data)
  if (rlang::is_installed(c("RSQLite", "dbplyr"))) {
    # Without `extended_types` SQLite has no dates: the days are numbers.
    con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:", extended_types = TRUE)
    withr::defer(DBI::dbDisconnect(con))
    DBI::dbWriteTable(con, "dated", data)
    sources$table <- dplyr::tbl(con, "dated")
    sources$query <- query_chunks(con, "SELECT * FROM dated", rows = 50)
  }
  in_database <- paste(
    "day holds dates (<Date>), which no likelihood reads. i Make a number or a text of it in the",
    "database, for example by `dplyr::mutate()`."
  )
  for (name in names(sources)) {
    wanted <- if (name == "table") in_database else said
    plain <- function(expr) gsub("\u2139", "i", error_of(expr))
    expect_match(plain(fit(spec, y ~ ., sources[[name]])), gsub("\u2139", "i", wanted),
                 fixed = TRUE, info = name)
    answer <- function() as.data.frame(predict(numbers, sources[[name]]))
    expect_match(plain(answer()), gsub("\u2139", "i", wanted), fixed = TRUE, info = name)
  }
  remedied <- coef(fit(spec, y ~ as.numeric(day), data))[[2]]
  expect_identical(remedied, coef(numbers)$day)
  for (source in sources[c("chunks", "csv", "parts")]) {
    expect_equal(coef(fit(spec, y ~ as.numeric(day), source))[[2]], remedied, tolerance = 1e-12)
  }
})
