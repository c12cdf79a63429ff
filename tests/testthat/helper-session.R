# Results and files of a session, to be compared between sessions of other options and locales.

# `servers_run`: the folders of the servers of the engines, named by engine.
session_results <- function(engines, servers_run) {
  for (name in names(servers_run)) servers[[name]] <- servers_run[[name]]
  servers$started <- lapply(servers_run, function(folder) TRUE)
  servers$sqlite <- tempfile()
  data <- session_data()
  model <- session_model(data)
  numbers <- fit(bayes_naive(), number ~ x + cut(skewed, c(-Inf, 0.5, 1.25, Inf)), data)
  c(
    list(
      models = list(model, numbers), probabilities = predict(model, data, type = "prob"),
      decisions = decide(model, session_cost(), newdata = data),
      expressions = tidypredict::tidypredict_fit(session_small(data)),
      page = explorer(session_small(data), session_small_cost())$x
    ),
    session_texts(model), session_files(model, data),
    lapply(stats::setNames(nm = engines), session_database, data)
  )
}

# Letters whose case Turkish has otherwise, and levels that Latin-1 and ASCII do not have.
session_data <- function(n = 300) {
  withr::local_seed(19)
  m <- sample(3, n, TRUE)
  count <- stats::rpois(n, 3 * m)
  data.frame(
    id = seq_len(n), y = c("a", "b", "\u00e9t\u00e9's")[m], number = 1e5 * (1 + (count > 3)),
    x = stats::rnorm(n, m), offset = stats::rnorm(n, 1e8 + m), skewed = stats::rgamma(n, m + 1, 2),
    f = c("IIi", "\u00e9", "\u0131")[1 + stats::rbinom(n, 2, m / 4)],
    g = c("it's", "b\\s", "A", "a", "a ")[1 + (m + stats::rbinom(n, 3, 0.5)) %% 5],
    count = count, part = round(stats::rnorm(n) * 8) / 64
  )
}

session_cost <- function() {
  truths <- c("a", "b", "\u00e9t\u00e9's")
  costs <- list(c(0, 0.1, 1e5), c(1e-5, 0, 2.5), c(1.5, 1e15, 0))
  do.call(cost_matrix, c(
    stats::setNames(lapply(costs, stats::setNames, truths), truths), list(ask = 0.4)
  ))
}

# R has names in the letters of its locale only, so the classes of expressions are ASCII.
session_small <- function(data) fit(bayes_naive(laplace = 0.5), number ~ x + f, data)

session_small_cost <- function() {
  cost_matrix(
    "100000" = c("100000" = 0, "200000" = 1.5), "200000" = c("100000" = 1e5, "200000" = 0)
  )
}

session_model <- function(data) {
  fit(
    bayes_naive(laplace = 0.5, features = list(
      skewed = likelihood_gamma(), count = likelihood_poisson(), part = likelihood_histogram(0.25)
    )),
    y ~ x + offset + skewed + f + g + count + part + I(x / 100000) + I(x > 0.5), data
  )
}

# SQL for engines that are not there, and JSON.
session_texts <- function(model) {
  engines <- list(
    dbplyr::simulate_postgres(), dbplyr::simulate_mssql(), dbplyr::simulate_spark_sql(),
    dbplyr::simulate_snowflake(), dbplyr::simulate_mysql(), dbplyr::simulate_sqlite()
  )
  texts <- lapply(engines, function(con) {
    as_sql(model, con, "rows", type = "decide", cost = session_cost())
  })
  file <- tempfile()
  write_model_json(model, file)
  list(sql = texts, json = lines_of_file(file), read = read_model_json(file))
}

lines_of_file <- function(file) {
  text <- rawToChar(readBin(file, "raw", file.size(file)))
  Encoding(text) <- "UTF-8"
  strsplit(text, "\n", fixed = TRUE)[[1L]]
}

# A file in UTF-8 with infinite numbers in all letters, a fit of it, and the predictions for it.
session_files <- function(model, data) {
  file <- tempfile(fileext = ".csv")
  columns <- lapply(data, function(x) if (is.numeric(x)) sprintf("%.17g", x) else x)
  columns$far <- rep_len(c("1", "INF", "inf", "INFINITY"), nrow(data))
  text <- c(paste(names(columns), collapse = ";"), do.call(paste, c(unname(columns), sep = ";")))
  writeBin(charToRaw(paste0(enc2utf8(paste(text, collapse = "\n")), "\n")), file)
  chunks <- csv_chunks(file, rows = 100)
  written <- tempfile(fileext = ".csv")
  write_chunks(predict(model, chunks, type = "both"), written)
  fitted <- fit(bayes_naive(), y ~ f + offset + skewed, chunks)
  list(written = lines_of_file(written), fitted = fitted)
}

session_database <- function(engine, data) {
  con <- suppressWarnings(connect_database(engine))
  on.exit(suppressWarnings(DBI::dbDisconnect(con)))
  # Drivers write the sizes of columns as the options say.
  withr::with_options(
    list(scipen = 0, OutDec = "."), DBI::dbWriteTable(con, "session_rows", data)
  )
  on.exit(DBI::dbExecute(con, "DROP TABLE session_rows"), add = TRUE, after = FALSE)
  rows <- dplyr::filter(dplyr::tbl(con, "session_rows"), offset > 0.5)
  fitted <- fit(
    bayes_naive(laplace = 0.5), y ~ x + f + I(x / 100000) + pmax(skewed, 0.5),
    lazy_table(rows, "sql"), weights = skewed + 1.5, subset = x > -3.5
  )
  decided <- decide(fitted, session_cost(), newdata = rows)
  list(
    model = fitted, query = as.character(dbplyr::remote_query(decided)),
    rows = dplyr::arrange(as.data.frame(dplyr::collect(decided)), id)
  )
}
