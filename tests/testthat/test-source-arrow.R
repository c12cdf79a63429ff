skip_if_not_installed("nanoarrow")

# A stream of a data frame, with `size` rows a batch.
arrow_stream <- function(data, size = nrow(data)) {
  batches <- split(seq_len(nrow(data)), ceiling(seq_len(nrow(data)) / size))
  batch <- function(rows) nanoarrow::as_nanoarrow_array(data[rows, , drop = FALSE])
  nanoarrow::basic_array_stream(lapply(unname(batches), batch))
}

# The columns of `...`, arrays of Arrow, as one batch.
arrow_batch <- function(...) {
  columns <- list(...)
  struct <- nanoarrow::na_struct(lapply(columns, nanoarrow::infer_nanoarrow_schema))
  nanoarrow::nanoarrow_array_modify(
    nanoarrow::nanoarrow_array_init(struct),
    list(children = columns, length = columns[[1L]]$length, null_count = 0L)
  )
}

typed <- function(x, type) nanoarrow::as_nanoarrow_array(x, schema = type)

# Numbers as the bytes that Arrow's specification gives them: a bitmap of the known ones, and values
# of `size` bytes.
number_array <- function(x, type, size, whole = TRUE) {
  filled <- ifelse(is.na(x), 0, x)
  bytes <- if (size > 4L && whole) {
    upper <- floor(filled / 2^32)
    low <- filled - upper * 2^32
    sign <- if (size == 16L) rbind(-(x < 0), -(x < 0))
    words <- rbind(ifelse(low >= 2^31, low - 2^32, low), upper, sign)
    words[is.na(words)] <- 0
    writeBin(as.integer(words), raw(), size = 4L, endian = "little")
  } else {
    if (whole) filled <- as.integer(filled)
    writeBin(filled, raw(), size = size, endian = "little")
  }
  known <- packBits(c(!is.na(x), rep(FALSE, -length(x) %% 8)))
  nanoarrow::nanoarrow_array_modify(nanoarrow::nanoarrow_array_init(type), list(
    length = length(x), null_count = sum(is.na(x)), buffers = list(known, bytes)
  ))
}

without_factors <- function(data) {
  data[] <- lapply(data, function(x) if (is.factor(x)) as.character(x) else x)
  data
}

arrow_file <- function(data, size, env = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".arrows", .local_envir = env)
  nanoarrow::write_nanoarrow(arrow_stream(without_factors(data), size), file)
  file
}

test_that("streams give the statistics of the data in memory, for every kind of bank", {
  skip_on_cran()
  data <- late_data()
  specs <- source_specs()
  statistics <- function(name, data) {
    bayes_statistics(specs[[name]][[1L]], specs[[name]][[2L]], data)
  }
  for (name in setdiff(names(specs), "bins")) {
    wanted <- statistics(name, data)
    for (size in c(97L, 1000L)) {
      expect_same_statistics(statistics(name, arrow_stream(data, size)), wanted, paste(name, size))
    }
  }
  # An array can be read as often as needed.
  array <- nanoarrow::as_nanoarrow_array(data)
  expect_same_statistics(statistics("bins", array), statistics("bins", data), "bins")
})

test_that("rows of one batch each are one fit, from a file that another program may have written", {
  skip_on_cran()
  withr::local_options(bayesrisk.columns = FALSE)
  flowers <- fit(bayes_full(), Species ~ ., iris)
  for (size in c(1L, 7L)) {
    stream <- nanoarrow::read_nanoarrow(arrow_file(iris, size))
    expect_equal(coef(fit(bayes_full(), Species ~ ., stream)), coef(flowers), tolerance = 1e-12)
  }
  # Two batches of apache-arrow for JavaScript, with dictionaries that differ
  file <- test_path("saved", "dictionaries.arrows")
  data <- data.frame(
    y = c("b", "a", "b", "c", "a", "c"), x = c(1, 2, NA, 4, 5, 7), n = c(1, NA, 3, 4, 5, 6),
    f = factor(c("u", "v", NA, "w", "v", "w"))
  )
  spec <- bayes_naive(laplace = 1, numeric = likelihood_gaussian(variance = "ml"))
  found <- suppressWarnings(fit(spec, y ~ ., nanoarrow::read_nanoarrow(file)))
  wanted <- suppressWarnings(fit(spec, y ~ ., transform(data, y = factor(y, c("b", "a", "c")))))
  expect_equal(coef(found), coef(wanted), tolerance = 1e-12)
})

test_that("the types of Arrow are those of R", {
  y <- typed(rep(c("a", "b"), 4), nanoarrow::na_large_string())
  x <- c(1, 2, NA, 4, 5, 6, 7, 9)
  model_of <- function(array) coef(fit(bayes_naive(), y ~ v, arrow_batch(y = y, v = array)))
  of_number <- function(type, size, whole = TRUE, values = x) {
    type <- getExportedValue("nanoarrow", paste0("na_", type))()
    model_of(number_array(values, type, size, whole))
  }
  in_memory <- function(v) coef(fit(bayes_naive(), y ~ v, data.frame(y = rep(c("a", "b"), 4), v)))
  sizes <- c(int8 = 1L, int16 = 2L, int32 = 4L, int64 = 8L)
  for (type in names(sizes)) {
    negative <- replace(x, 4, -3)
    found <- of_number(type, sizes[[type]], values = negative)
    expect_equal(found, in_memory(negative), label = type)
    type <- paste0("u", type)
    expect_equal(of_number(type, sizes[[sub("u", "", type)]]), in_memory(x), label = type)
  }
  expect_equal(of_number("float", 4L, FALSE), in_memory(x))
  expect_equal(of_number("double", 8L, FALSE), in_memory(x))
  decimal <- number_array(100 * x, nanoarrow::na_decimal128(10, 2), 16L)
  expect_equal(model_of(decimal), in_memory(x), tolerance = 1e-12)
  expect_equal(model_of(typed(x > 3, nanoarrow::na_bool())), in_memory(x > 3))
  words <- c("p", "q", NA, "p", "q", "q", "p", "q")
  for (type in c("string", "large_string", "string_view")) {
    found <- model_of(typed(words, getExportedValue("nanoarrow", paste0("na_", type))()))
    expect_equal(found, in_memory(words), label = type)
  }
  # NaN is missing, as NULL is; R has no whole number -2^31.
  expect_equal(of_number("double", 8L, FALSE, replace(x, 2, NaN)), in_memory(replace(x, 2, NaN)))
  low <- number_array(replace(x, 2, 0), nanoarrow::na_int32(), 4L)
  bytes <- writeBin(c(1L, NA, 0L, 4L, 5L, 6L, 7L, 9L), raw(), endian = "little")
  known <- packBits(!is.na(x))
  low <- nanoarrow::nanoarrow_array_modify(low, list(null_count = 1L, buffers = list(known, bytes)))
  expect_equal(model_of(low), in_memory(replace(x, 2, -2^31)))
})

test_that("columns that are no numbers or texts are errors where they are used", {
  y <- nanoarrow::as_nanoarrow_array(c("a", "b", "a", "b"))
  x <- nanoarrow::as_nanoarrow_array(c(1, 2, 3, 5))
  batch <- function(v) arrow_batch(y = y, x = x, v = v)
  other <- list(
    date = nanoarrow::as_nanoarrow_array(as.Date("2026-01-01") + 0:3),
    time = nanoarrow::as_nanoarrow_array(as.POSIXct("2026-01-01", tz = "UTC") + 0:3),
    nested = arrow_batch(a = x),
    binary = typed(c("a", "b", "c", "d"), nanoarrow::na_binary())
  )
  memory <- coef(fit(bayes_naive(), y ~ x, data.frame(y = c("a", "b"), x = c(1, 2, 3, 5))))
  for (name in names(other)) {
    data <- batch(other[[name]])
    expect_error(fit(bayes_naive(), y ~ v + x, data), "v", class = "bayesrisk_error_data",
                 label = name)
    expect_equal(coef(fit(bayes_naive(), y ~ x, data)), memory, label = name)
  }
  large <- batch(number_array(c(1, 2, 3, 2^53), nanoarrow::na_int64(), 8L))
  expect_error(fit(bayes_naive(), y ~ v, large), "v.*2\\^53", class = "bayesrisk_error_data")
  expect_error(
    fit(bayes_naive(), y ~ v, nanoarrow::as_nanoarrow_array(1:4)), "no columns",
    class = "bayesrisk_error_data"
  )
})

test_that("a column of NULL alone has its type, or none", {
  data <- data.frame(y = rep(c("a", "b"), 10), x = c(rep(NA, 15), 1, 2, 3, 5, 6), b = NA)
  data$b[20] <- TRUE
  stream <- arrow_stream(data, 5)
  expect_equal(
    coef(fit(bayes_naive(laplace = 1), y ~ ., stream)),
    coef(fit(bayes_naive(laplace = 1), y ~ ., data))
  )
  none <- arrow_batch(
    y = nanoarrow::as_nanoarrow_array(data$y), v = nanoarrow::nanoarrow_array_modify(
      nanoarrow::nanoarrow_array_init(nanoarrow::na_na()), list(length = 20L, null_count = 20L)
    )
  )
  expect_warning(found <- fit(bayes_naive(), y ~ v, none), "Left out")
  expect_warning(memory <- fit(bayes_naive(), y ~ v, transform(data, v = NA)), "Left out")
  expect_equal(coef(found), coef(memory))
})

test_that("batches may be empty, none, or a part of a larger array", {
  schema <- nanoarrow::infer_nanoarrow_schema(iris)
  batch <- function(rows) nanoarrow::as_nanoarrow_array(iris[rows, ])
  stream <- nanoarrow::basic_array_stream(list(batch(0), batch(1:70), batch(0), batch(71:150)))
  flowers <- fit(bayes_naive(), Species ~ ., iris)
  expect_equal(coef(fit(bayes_naive(), Species ~ ., stream)), coef(flowers), tolerance = 1e-12)
  none <- nanoarrow::basic_array_stream(list(), schema)
  expect_error(fit(bayes_naive(), Species ~ ., none), "no rows", class = "bayesrisk_error_data")
  part <- nanoarrow::nanoarrow_array_modify(
    nanoarrow::as_nanoarrow_array(iris), list(offset = 20L, length = 100L)
  )
  expect_equal(
    coef(fit(bayes_naive(), Species ~ ., part)),
    coef(fit(bayes_naive(), Species ~ ., iris[21:120, ])), tolerance = 1e-12
  )
})

test_that("a stream is read once, and a second pass is refused before a batch is read", {
  stream <- arrow_stream(iris, 40)
  bins <- bayes_naive(numeric = likelihood_histogram())
  expect_error(
    fit(bins, Species ~ ., stream), "as.data.frame", class = "bayesrisk_error_data"
  )
  expect_error(search_blocks(bayes_naive(), Species ~ ., stream), "as.data.frame",
               class = "bayesrisk_error_data")
  expect_s3_class(fit(bayes_naive(), Species ~ ., stream), "bayesrisk_model")
  expect_error(
    fit(bayes_naive(), Species ~ ., stream), "read once", class = "bayesrisk_error_data"
  )
})

test_that("a stream is released after an error, and the error has the number of the batch", {
  wrong <- transform(iris, Sepal.Width = replace(Sepal.Width, 100, Inf))
  stream <- arrow_stream(wrong, 40)
  released <- 0
  stream <- nanoarrow::array_stream_set_finalizer(stream, function() released <<- released + 1)
  expect_error(
    fit(bayes_naive(), Species ~ ., stream), "chunk 3.*Sepal.Width", class = "bayesrisk_error_data"
  )
  expect_identical(released, 1)
})

test_that("a file that is cut is an error and never a model", {
  skip_on_cran()
  file <- arrow_file(iris, 50)
  bytes <- readBin(file, "raw", file.size(file))
  cuts <- round(seq(1, length(bytes) - 9, length.out = 200))
  models <- 0
  for (cut in cuts) {
    found <- tryCatch(
      fit(bayes_naive(), Species ~ Petal.Width, nanoarrow::read_nanoarrow(bytes[seq_len(cut)])),
      error = identity
    )
    models <- models + inherits(found, "bayesrisk_model")
  }
  expect_identical(models, 0)
})

test_that("predictions and decisions of a stream are a stream", {
  skip_on_cran()
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(cut = c(setosa = 0, versicolor = 1, virginica = 3), keep = 0.5)
  for (size in c(1, 7, 1000)) {
    found <- as.data.frame(nanoarrow::as_nanoarrow_array_stream(
      predict(model, arrow_stream(iris, size), type = "prob")
    ))
    wanted <- predict(model, iris, type = "prob")
    expect_equal(as.matrix(found[6:8]), unclass(wanted), tolerance = 1e-12, ignore_attr = TRUE)
    decided <- as.data.frame(decide(model, arrow_stream(iris, size), cost))
    wanted <- decide(model, iris, cost)$decision
    expect_identical(as.character(decided$.decision), as.character(wanted))
  }
  expect_snapshot(predict(model, arrow_stream(iris, 50)))
  # It stops early without reading the rest, and closes what it reads.
  released <- 0
  source <- nanoarrow::array_stream_set_finalizer(
    arrow_stream(iris, 50), function() released <<- released + 1
  )
  stream <- nanoarrow::as_nanoarrow_array_stream(predict(model, source))
  expect_identical(stream$get_next()$length, 50L)
  stream$release()
  expect_identical(released, 1)
  # An error of a later batch keeps its reason.
  stream <- nanoarrow::as_nanoarrow_array_stream(data_chunks(local({
    i <- 0
    function() if (i < 2) list(iris, 7)[[i <<- i + 1]] else NULL
  })))
  stream$get_next()
  expect_error(stream$get_next(), "not a table")
})

test_that("write_chunks() writes a stream of Arrow", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  file <- file.path(withr::local_tempdir(), "out.arrows")
  expect_identical(write_chunks(predict(model, arrow_stream(iris, 40), type = "both"), file), 150)
  found <- as.data.frame(nanoarrow::read_nanoarrow(file))
  wanted <- as.data.frame(predict(model, arrow_stream(iris, 40), type = "both"))
  expect_equal(found, without_factors(wanted), tolerance = 1e-15)
  expect_error(write_chunks(predict(model, arrow_stream(iris)), file), "exists",
               class = "bayesrisk_error_argument")
})

test_that("functions that read chunks read streams", {
  skip_on_cran()
  model <- fit(bayes_naive(), Species ~ ., iris)
  half <- c(TRUE, FALSE)
  rows <- transform(iris, fold = rep(1:5, 30))
  once <- fit(bayes_naive(), Species ~ ., iris[half, ])
  both <- update(once, arrow_stream(iris[!half, ], 7))
  expect_equal(coef(both), coef(model), tolerance = 1e-12)
  expect_equal(
    assess_decisions(model, arrow_stream(iris, 40))$cost, assess_decisions(model, iris)$cost,
    tolerance = 1e-12
  )
  expect_equal(
    cv_risk(bayes_naive(), Species ~ Petal.Width, arrow_stream(rows, 40), folds = fold)$error,
    cv_risk(bayes_naive(), Species ~ Petal.Width, rows, folds = fold)$error
  )
  expect_equal(
    estimate_prior(model, arrow_stream(iris, 40))$prior, estimate_prior(model, iris)$prior,
    tolerance = 1e-9
  )
  groups <- fit(bayes_naive(), Species ~ Petal.Width, arrow_stream(rows, 40), by = fold)
  expect_named(groups, as.character(1:5))
  watched <- update(monitor(model, reference = iris), arrow_stream(iris, 40))
  expect_s3_class(watched, "bayesrisk_monitor")
  array <- nanoarrow::as_nanoarrow_array(iris)
  expect_equal(
    as.data.frame(feature_dependence(Species ~ ., array)),
    as.data.frame(feature_dependence(Species ~ ., iris)), tolerance = 1e-9
  )
})

# A connection of ADBC to a driver of its own package, which bayesrisk does not suggest.
connect_adbc <- function(driver, ..., env = parent.frame()) {
  skip_if_not_installed("adbcdrivermanager")
  skip_if_not_installed(driver)
  of <- function(name) getExportedValue("adbcdrivermanager", name)
  database <- of("adbc_database_init")(getExportedValue(driver, driver)(), ...)
  connection <- of("adbc_connection_init")(database)
  withr::defer({
    of("adbc_connection_release")(connection)
    of("adbc_database_release")(database)
  }, envir = env)
  connection
}

expect_same_from_adbc <- function(connection) {
  of <- function(name) getExportedValue("adbcdrivermanager", name)
  of("write_adbc")(without_factors(iris), connection, "flowers", mode = "replace")
  rows <- of("read_adbc")(connection, "SELECT * FROM flowers")
  expect_equal(
    coef(fit(bayes_naive(), Species ~ ., rows)), coef(fit(bayes_naive(), Species ~ ., iris)),
    tolerance = 1e-12
  )
  of("execute_adbc")(connection, "DROP TABLE flowers")
}

test_that("results of ADBC from SQLite are streams", {
  expect_same_from_adbc(connect_adbc("adbcsqlite", uri = ":memory:"))
})

test_that("results of ADBC from PostgreSQL are streams", {
  folder <- server("postgresql", start_postgresql)
  uri <- paste0("postgresql:///postgres?user=bayes&port=5499&host=", folder)
  expect_same_from_adbc(connect_adbc("adbcpostgresql", uri = uri))
})

test_that("results of ADBC from DuckDB are streams", {
  con <- connect_duckdb()
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "flowers", iris)
  rows <- DBI::dbGetQueryArrow(con, "SELECT * FROM flowers")
  expect_equal(
    coef(fit(bayes_naive(), Species ~ ., rows)), coef(fit(bayes_naive(), Species ~ ., iris)),
    tolerance = 1e-12
  )
})

test_that("what nanoarrow cannot read is an error of the data", {
  broken <- structure(list(), class = c("FileSystemDataset", "Dataset", "ArrowObject", "R6"))
  expect_error(
    fit(bayes_naive(), y ~ x, broken), "Arrow data cannot be read", class = "bayesrisk_error_data"
  )
  expect_error(
    plot(fit(bayes_naive(), Species ~ ., iris), data = arrow_stream(iris)), "Arrow stream",
    class = "bayesrisk_error"
  )
})

test_that("datasets of arrow and frames of polars are sources", {
  skip_if_not_installed("arrow")
  folder <- withr::local_tempdir()
  getExportedValue("arrow", "write_dataset")(iris, folder)
  data <- getExportedValue("arrow", "open_dataset")(folder)
  bins <- bayes_naive(numeric = likelihood_histogram())
  expect_equal(
    coef(fit(bins, Species ~ ., data)), coef(fit(bins, Species ~ ., iris)), tolerance = 1e-12
  )
})

test_that("of a dataset only the columns of the formula are scanned", {
  skip_if_not_installed("nanoarrow")
  skip_if_not_installed("dplyr")
  # What arrow has for a dataset, without arrow.
  own <- function(data) structure(list(data = data), class = c("own_dataset", "Dataset"))
  scanned <- list()
  methods <- list(
    dplyr = list(select = function(.data, ...) own(dplyr::select(.data$data, ...))),
    nanoarrow = list(
      infer_nanoarrow_schema = function(x, ...) nanoarrow::infer_nanoarrow_schema(x$data),
      as_nanoarrow_array_stream = function(x, ..., schema = NULL) {
        scanned <<- c(scanned, list(names(x$data)))
        nanoarrow::as_nanoarrow_array_stream(x$data)
      }
    )
  )
  for (package in names(methods)) for (name in names(methods[[package]])) {
    registerS3method(name, "own_dataset", methods[[package]][[name]], asNamespace(package))
  }
  bins <- bayes_naive(features = list(Petal.Width = likelihood_histogram()))
  model <- fit(bins, Species ~ Petal.Width + Petal.Length, own(iris))
  expect_equal(
    coef(model), coef(fit(bins, Species ~ Petal.Width + Petal.Length, iris)), tolerance = 1e-12
  )
  expect_gt(length(scanned), 1L)
  for (columns in scanned) expect_setequal(columns, c("Petal.Length", "Petal.Width", "Species"))
  expect_equal(nrow(as.data.frame(predict(model, own(iris)))), 150)
})

# An array of codes with the dictionary `values`.
dictionary_array <- function(codes, values) {
  codes <- nanoarrow::as_nanoarrow_array(codes)
  schema <- nanoarrow::nanoarrow_schema_modify(
    nanoarrow::infer_nanoarrow_schema(codes),
    list(dictionary = nanoarrow::infer_nanoarrow_schema(values))
  )
  nanoarrow::nanoarrow_array_modify(nanoarrow::nanoarrow_array_init(schema), list(
    length = codes$length, null_count = codes$null_count, buffers = codes$buffers,
    dictionary = values
  ))
}

test_that("a dictionary may hold NULL, a text twice and numbers, and its codes are checked", {
  y <- nanoarrow::as_nanoarrow_array(rep(c("a", "b"), 3))
  codes <- c(0L, 1L, NA, 2L, 3L, 0L)
  model_of <- function(values, codes) {
    data <- arrow_batch(y = y, v = dictionary_array(codes, values))
    coef(fit(bayes_naive(laplace = 1), y ~ v, data))
  }
  in_memory <- function(v) {
    coef(fit(bayes_naive(laplace = 1), y ~ v, data.frame(y = c("a", "b"), v = v)))
  }
  texts <- c("u", "w", "u", NA)
  found <- model_of(nanoarrow::as_nanoarrow_array(texts), codes)
  expect_equal(found, in_memory(texts[codes + 1]))
  numbers <- c(1.5, 4, NA, 7)
  found <- model_of(nanoarrow::as_nanoarrow_array(numbers), codes)
  expect_equal(found, in_memory(numbers[codes + 1]))
  outside <- replace(codes, 2, 9L)
  for (values in list(texts, numbers)) {
    expect_error(model_of(nanoarrow::as_nanoarrow_array(values), outside), "v.*outside",
                 class = "bayesrisk_error_data")
  }
  large <- number_array(c(1, 2, 3, 2^53), nanoarrow::na_int64(), 8L)
  expect_no_warning(
    expect_error(model_of(large, codes), "v.*2\\^53", class = "bayesrisk_error_data")
  )
})

test_that("rows that are NULL are seen where their number is not known", {
  batch <- arrow_batch(y = typed(c("a", "b", "a", "b"), nanoarrow::na_string()),
                       x = nanoarrow::as_nanoarrow_array(c(1, 2, 3, 5)))
  with_bits <- function(known, ...) {
    buffers <- list(packBits(c(known, rep(TRUE, 4))))
    nanoarrow::nanoarrow_array_modify(batch, list(null_count = -1L, buffers = buffers, ...))
  }
  expect_error(fit(bayes_naive(), y ~ x, with_bits(c(TRUE, TRUE, FALSE, TRUE))), "NULL as a whole",
               class = "bayesrisk_error_data")
  wanted <- coef(fit(bayes_naive(), y ~ x, batch))
  expect_equal(coef(fit(bayes_naive(), y ~ x, with_bits(rep(TRUE, 4)))), wanted)
})

test_that("numbers of 16 bits are exact, also the smallest", {
  bytes <- as.raw(c(0, 0x3c, 1, 0, 0xff, 0x83, 0, 4, 0, 0, 0, 0xc0))
  halves <- nanoarrow::nanoarrow_array_modify(
    nanoarrow::nanoarrow_array_init(nanoarrow::na_half_float()),
    list(length = 6L, null_count = 0L, buffers = list(NULL, bytes))
  )
  rows <- as.data.frame(as_chunks(arrow_batch(h = halves), NULL))
  expect_identical(rows$h, c(1, 2^-24, -1023 * 2^-24, 2^-14, 0, -2))
})

test_that("columns of one name, or of none, keep their places", {
  x <- nanoarrow::as_nanoarrow_array(c(1, 2, 3, 5))
  y <- nanoarrow::as_nanoarrow_array(c("a", "b", "a", "b"))
  model <- fit(bayes_naive(), y ~ x, arrow_batch(y = y, x = x))
  data <- arrow_batch(x = x, v = x, v = nanoarrow::as_nanoarrow_array(c(8, 7, 6, 5)))
  expect_identical(as.data.frame(predict(model, data))[[3L]], c(8, 7, 6, 5))
  schema <- nanoarrow::infer_nanoarrow_schema(data)
  children <- stats::setNames(schema$children, c("x", "v", ""))
  schema <- nanoarrow::nanoarrow_schema_modify(schema, list(children = children))
  data <- nanoarrow::nanoarrow_array_set_schema(data, schema)
  expect_identical(as.data.frame(predict(model, data))[[3L]], c(8, 7, 6, 5))
})

test_that("texts that cannot be read are errors of their column", {
  texts <- nanoarrow::nanoarrow_array_modify(
    nanoarrow::as_nanoarrow_array(c("ab", "cd")),
    list(buffers = list(NULL, writeBin(c(0L, 2L, 4L), raw()), as.raw(c(65, 0, 65, 66))))
  )
  data <- arrow_batch(y = nanoarrow::as_nanoarrow_array(c("a", "b")), v = texts)
  expect_error(fit(bayes_naive(), y ~ v, data), "Column v", class = "bayesrisk_error_data")
})

test_that("a stream belongs to its first reader, and what cannot be read any more is told", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  result <- predict(model, arrow_stream(iris, 50))
  stream <- nanoarrow::as_nanoarrow_array_stream(result)
  expect_error(nanoarrow::as_nanoarrow_array_stream(result), "read once",
               class = "bayesrisk_error_data")
  expect_identical(nrow(as.data.frame(stream)), 150L)
  expect_error(as.data.frame(result), "read once", class = "bayesrisk_error_data")
  saved <- unserialize(serialize(nanoarrow::as_nanoarrow_array(iris), NULL))
  expect_error(fit(bayes_naive(), Species ~ ., saved), "another session",
               class = "bayesrisk_error_data")
})

test_that("a stream of results that nobody holds is released", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  released <- 0
  source <- function() {
    nanoarrow::array_stream_set_finalizer(
      arrow_stream(iris, 50), function() released <<- released + 1
    )
  }
  read_one <- function() {
    stream <- nanoarrow::as_nanoarrow_array_stream(predict(model, source()))
    stream$get_next()
    NULL
  }
  for (i in 1:5) read_one()
  for (i in 1:3) gc()
  # One may still be seen on the stack.
  expect_gte(released, 4)
  gone <- released
  expect_error(
    nanoarrow::as_nanoarrow_array_stream(predict(model, source()), schema = nanoarrow::na_int32()),
    "schema", class = "bayesrisk_error_argument"
  )
  expect_gt(released, gone)
})

test_that("a batch is given back when its columns are read", {
  batch <- nanoarrow::as_nanoarrow_array(iris)
  held <- NULL
  stream <- list(get_next = function() {
    held <<- nanoarrow::nanoarrow_array_modify(batch, list())
    held
  })
  rows <- read_batch(stream, seq_along(iris), 1, NULL)
  expect_false(nanoarrow::nanoarrow_pointer_is_valid(held))
  gc()
  expect_identical(as.character(rows$Species), as.character(iris$Species))
  expect_identical(rows$Petal.Width, iris$Petal.Width)
})

tables <- function(...) {
  given <- list(...)
  i <- 0
  data_chunks(function() if (i < length(given)) given[[i <<- i + 1]])
}

test_that("chunks of other types or columns are never written as those of the first", {
  folder <- withr::local_tempdir()
  written <- function(...) {
    file <- tempfile(tmpdir = folder, fileext = ".arrows")
    write_chunks(tables(...), file)
    found <- as.data.frame(nanoarrow::read_nanoarrow(file))
    expect_equal(as.data.frame(nanoarrow::as_nanoarrow_array_stream(tables(...))), found)
    found
  }
  expect_identical(written(data.frame(x = 1:2), data.frame(x = c(3, NA)))$x, c(1:3, NA))
  expect_identical(written(data.frame(x = 1.5), data.frame(x = 3L))$x, c(1.5, 3))
  expect_identical(written(data.frame(x = "a"), data.frame(x = NA))$x, c("a", NA))
  expect_identical(
    written(data.frame(x = 1, z = 2), data.frame(z = 3, x = 4)),
    data.frame(x = c(1, 4), z = c(2, 3))
  )
  first <- data.frame(x = 1L, z = 2)
  others <- list(
    data.frame(x = 1.5, z = 2), data.frame(x = 3e9, z = 2), data.frame(x = "3", z = 2),
    data.frame(x = 1L, w = 2), data.frame(x = 1L)
  )
  for (other in others) {
    expect_error(written(first, other), "Column", class = "bayesrisk_error_data")
    stream <- nanoarrow::as_nanoarrow_array_stream(tables(first, other))
    stream$get_next()
    expect_error(stream$get_next(), "Column")
    # No batch follows in the place of the one that is lost.
    expect_error(stream$get_next(), "Column")
  }
  expect_error(written(data.frame(x = 1i)), "cannot be written", class = "bayesrisk_error_data")
  expect_error(written(first[0L, ]), "no rows", class = "bayesrisk_error_data")
  expect_length(list.files(folder, "partial"), 0L)
})

test_that("a wanted schema names columns of the result", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  result <- predict(model, nanoarrow::as_nanoarrow_array(iris))
  wanted <- nanoarrow::na_struct(list(
    .pred_class = nanoarrow::na_large_string(), Sepal.Width = nanoarrow::na_float()
  ))
  stream <- nanoarrow::as_nanoarrow_array_stream(result, schema = wanted)
  expect_identical(stream$get_schema()$children$.pred_class$format, "U")
  found <- as.data.frame(stream)
  expect_named(found, c(".pred_class", "Sepal.Width"))
  expect_equal(found$Sepal.Width, iris$Sepal.Width, tolerance = 1e-7)
  other <- nanoarrow::na_struct(list(other = nanoarrow::na_int32()))
  for (schema in list(nanoarrow::na_int32(), other, "x")) {
    expect_error(nanoarrow::as_nanoarrow_array_stream(result, schema = schema), "schema",
                 class = "bayesrisk_error_argument")
  }
})

test_that("results without rows have columns", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  none <- nanoarrow::basic_array_stream(list(), nanoarrow::infer_nanoarrow_schema(iris))
  for (data in list(nanoarrow::as_nanoarrow_array(iris[0L, ]), none)) {
    file <- withr::local_tempfile(fileext = ".arrows.gz")
    expect_identical(write_chunks(predict(model, data, type = "prob"), file), 0)
    con <- withr::local_connection(gzfile(file, "rb"))
    found <- as.data.frame(nanoarrow::read_nanoarrow(con))
    expect_identical(dim(found), c(0L, 8L))
  }
  array <- nanoarrow::as_nanoarrow_array(iris[0L, ])
  stream <- nanoarrow::as_nanoarrow_array_stream(predict(model, array))
  expect_named(as.data.frame(stream), c(names(iris), ".pred_class"))
})
