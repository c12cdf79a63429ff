test_that("parts of every kind give the statistics of the data in memory", {
  data <- late_data()
  pieces <- in_pieces(data, 500L)
  pieces[[2L]] <- chunked(pieces[[2L]], 130L)
  pieces[[4L]] <- local({
    rows <- pieces[[4L]]
    function() rows
  })
  specs <- source_specs()
  for (name in names(specs)) {
    found <- bayes_statistics(specs[[name]][[1L]], specs[[name]][[2L]], data_parts(pieces))
    wanted <- bayes_statistics(specs[[name]][[1L]], specs[[name]][[2L]], data)
    expect_same_statistics(found, wanted, name)
  }
  limit <- 3
  found <- bayes_statistics(bayes_naive(1), y ~ ., data_parts(pieces), w, z < limit, na.omit)
  wanted <- bayes_statistics(bayes_naive(1), y ~ ., data, w, z < limit, na.omit)
  expect_same_statistics(found, wanted, "weights")
})

test_that("the order of merges does not depend on who counts", {
  data <- late_data()
  pieces <- in_pieces(data, 300L)
  spec <- bayes_full(laplace = 1)
  formula <- y ~ x + z + k + f
  one <- bayes_statistics(spec, formula, data_parts(pieces))
  backwards <- function(x, f) rev(lapply(rev(x), f))
  expect_identical(bayes_statistics(spec, formula, data_parts(pieces, map = backwards)), one)
  # Ranks that merge in pairs.
  each <- lapply(pieces[3:7], function(p) bayes_statistics(spec, y ~ z + k, p))
  pair <- function(a, b) merge(a, b)
  tree <- pair(pair(pair(each[[1L]], each[[2L]]), pair(each[[3L]], each[[4L]])), each[[5L]])
  of_parts <- bayes_statistics(spec, y ~ z + k, data_parts(pieces[3:7]))
  expect_identical(of_parts$statistics, tree$statistics)
})

test_that("workers give the same bits as one process", {
  data <- late_data()
  folder <- withr::local_tempdir()
  files <- file.path(folder, sprintf("%d.rds", 1:5))
  Map(saveRDS, in_pieces(data, 450L), files)
  spec <- bayes_full(laplace = 1)
  limit <- 4
  collect <- function(map) {
    parts <- data_parts(files, readRDS, map = map)
    bayes_statistics(spec, y ~ x + z + k + f, parts, w, z < limit)
  }
  one <- collect(lapply)
  expect_same_statistics(
    one, bayes_statistics(spec, y ~ x + z + k + f, data, w, z < limit), "one process"
  )
  cluster <- parallel::makePSOCKcluster(2L)
  withr::defer(parallel::stopCluster(cluster))
  parallel::clusterCall(cluster, .libPaths, .libPaths())
  expect_identical(collect(function(x, f) parallel::parLapply(cluster, x, f)), one)
  expect_identical(collect(function(x, f) parallel::parLapplyLB(cluster, x, f)), one)
  skip_on_os("windows")
  skip_if_not_installed("callr")
  expect_identical(collect(forked_lapply), one)
})

test_that("mirai and future give the same bits as one process", {
  skip_on_cran()
  pieces <- in_pieces(late_data(), 450L)
  collect <- function(map) {
    bayes_statistics(bayes_naive(1), y ~ x + z + f, data_parts(pieces, map = map))
  }
  one <- collect(lapply)
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  ran <- FALSE
  if (requireNamespace("mirai", quietly = TRUE)) {
    mirai::daemons(2L)
    withr::defer(mirai::daemons(0L))
    expect_identical(collect(function(x, f) mirai::mirai_map(x, f)[]), one)
    ran <- TRUE
  }
  if (requireNamespace("future.apply", quietly = TRUE)) {
    # future warns about two workers on one core.
    withr::local_options(parallelly.maxWorkers.localhost = Inf)
    old <- future::plan(future::multisession, workers = 2L)
    withr::defer(future::plan(old))
    expect_identical(collect(future.apply::future_lapply), one)
    ran <- TRUE
  }
  skip_if_not(ran, "Neither mirai nor future.apply is installed.")
})

test_that("workers receive no more than they need", {
  rows <- late_data()
  sizes <- NULL
  map <- function(x, f) {
    sizes <<- c(sizes, length(serialize(f, NULL)))
    lapply(x, f)
  }
  large <- runif(1e5)
  parts <- data_parts(list(function() rows), map = map)
  model <- fit(bayes_naive(1), y ~ z + f, parts, subset = z > 0.1)
  predict(model, parts)
  expect_length(sizes, 2L)
  expect_lt(max(sizes), 60000)
})

test_that("a part that fails names itself and loses nothing of the others", {
  data <- late_data()
  pieces <- in_pieces(data, 700L)
  names(pieces) <- c("north", "east", "south")
  broken <- pieces
  broken$east <- function() stop("no {route} to host")
  spec <- bayes_naive(laplace = 1)
  others <- bayes_statistics(spec, y ~ z + f, data_parts(pieces[c("north", "south")]))
  error <- expect_error(
    bayes_statistics(spec, y ~ z + f, data_parts(broken)), "east: no \\{route\\} to host",
    class = "bayesrisk_error_data"
  )
  expect_identical(error$statistics, others)
  expect_identical(error$parts, "east")
  skip <- data_parts(broken, on_error = "skip")
  warning <- expect_warning(
    found <- fit(spec, y ~ z + f, skip), "east", class = "bayesrisk_warning_failed_parts"
  )
  expect_identical(warning$parts, "east")
  expect_identical(found, fit(spec, others))
  whole <- update(found, data_parts(pieces[warning$parts]))
  expect_equal(coef(whole), coef(fit(spec, y ~ z + f, data)), tolerance = 1e-12)
  # A worker that died.
  lost <- data_parts(pieces, map = function(x, f) replace(lapply(x, f), 2L, list(NULL)))
  expect_error(fit(spec, y ~ z, lost), "east.*NULL", class = "bayesrisk_error_data")
  expect_error(
    fit(spec, y ~ z, data_parts(pieces, map = function(x, f) f(x[[1L]]))), "map",
    class = "bayesrisk_error_argument"
  )
  expect_error(fit(spec, y ~ nothing, data_parts(pieces)), "3 parts failed.*nothing",
               class = "bayesrisk_error_data")
  expect_error(fit(spec, y ~ z, data_parts(pieces), weights = w / sum(w)), "weights",
               class = "bayesrisk_error_argument")
})

test_that("a time limit stops the work, and is not a part that failed", {
  endless <- function() repeat NULL
  limited <- function(parts) {
    setTimeLimit(elapsed = 0.3, transient = TRUE)
    on.exit(setTimeLimit())
    fit(bayes_naive(), Species ~ ., data_parts(parts, on_error = "skip"))
  }
  expect_error(limited(list(iris, endless, iris)), "time limit")
  expect_error(limited(list(iris, data_chunks(endless), iris)), "time limit")
})

test_that("a part that does not fit the others names itself", {
  for (on_error in c("skip", "stop")) {
    refused <- function(parts, message) {
      parts <- data_parts(parts, on_error = on_error)
      expect_error(fit(bayes_naive(), Species ~ ., parts), message, class = "bayesrisk_error_data")
    }
    refused(list(n = iris, s = iris[, -1]), "part s:.*Sepal.Length")
    refused(list(iris, iris, iris, iris[, -1], iris), "part 4:.*Sepal.Length")
    refused(list(n = iris, n = transform(iris, Sepal.Width = "a")), "part n:.*Sepal.Width")
  }
})

test_that("parts are checked and printed", {
  wrong <- function(...) expect_error(data_parts(...), class = "bayesrisk_error_argument")
  wrong()
  wrong(list())
  wrong(iris)
  wrong(7)
  wrong(list(iris), read = "csv")
  wrong(list(iris), map = 2)
  wrong(list(iris), on_error = "go on")
  parts <- data_parts(list(iris, b = iris))
  expect_output(print(parts), "data in 2 parts")
  expect_identical(as.data.frame(parts)$part, c("part 1", "b"))
})

test_that("four ranks of MPI give the same bits as four parts", {
  # Loading Rmpi would make this process a rank.
  skip_if_not(nzchar(system.file(package = "Rmpi")), "Rmpi is not installed.")
  skip_if_not(nzchar(Sys.which("mpiexec")), "There is no mpiexec.")
  folder <- withr::local_tempdir()
  pieces <- in_pieces(late_data(), 503L)
  expect_length(pieces, 4L)
  Map(saveRDS, pieces, file.path(folder, sprintf("%d.rds", 1:4)))
  withr::local_envvar(
    R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep), R_TESTS = "",
    OMPI_ALLOW_RUN_AS_ROOT = "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = "1"
  )
  said <- system2("mpiexec", c(
    "-n 4", "--oversubscribe", shQuote(file.path(R.home("bin"), "Rscript")),
    shQuote(test_path("mpi-recipe.R")), shQuote(folder)
  ), stdout = TRUE, stderr = TRUE, timeout = 120)
  expect_true(file.exists(file.path(folder, "merged.rds")), info = paste(said, collapse = "\n"))
  merged <- readRDS(file.path(folder, "merged.rds"))
  one <- bayes_statistics(bayes_full(laplace = 1), y ~ z + k + f, data_parts(pieces))
  expect_identical(merged$statistics, one$statistics)
  expect_identical(merged$schema, one$schema)
})

test_that("tables of two PostgreSQL servers are parts", {
  example <- database_example("postgresql")
  shard <- rep(1:2, c(70, 80))
  other <- suppressWarnings(connect_postgresql(name = "postgresql_2"))
  withr::defer(DBI::dbDisconnect(other))
  servers <- list(local_database("postgresql"), other)
  tables <- Map(put_table, servers, split(example$data, shard))
  parts <- data_parts(lapply(tables, lazy_table, strategy = "sql"))
  for (case in database_specs()[c("naive", "full", "blocks", "categorical")]) {
    expect_as_in_memory(
      bayes_statistics(case[[1L]], case[[2L]], parts),
      bayes_statistics(case[[1L]], case[[2L]], example$memory)
    )
  }
  binned <- bayes_naive(numeric = likelihood_histogram())
  expect_as_in_memory(
    bayes_statistics(binned, species ~ pl, parts, weights = w),
    bayes_statistics(binned, species ~ pl, example$memory, weights = w)
  )
})

test_that("files of R that are cut fail as parts", {
  files <- file.path(withr::local_tempdir(), c("a.rds", "b.rds"))
  for (file in files) saveRDS(iris, file)
  writeBin(utils::head(readBin(files[[2L]], "raw", 1e5), -100L), files[[2L]])
  error <- expect_error(
    suppressWarnings(fit(bayes_naive(), Species ~ ., data_parts(files, readRDS))),
    class = "bayesrisk_error_data"
  )
  expect_identical(error$parts, files[[2L]])
})

test_that("predictions and decisions of parts are a list by part", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  parts <- data_parts(list(a = iris[1:60, ], b = iris[61:150, ]))
  expect_identical(unlist(predict(model, parts), use.names = FALSE), predict(model, iris))
  expect_identical(decide(model, parts)$b, decide(model, iris[61:150, ]))
  expect_error(
    predict(model, data_parts(list(a = iris["Species"]))), "a:", class = "bayesrisk_error_schema"
  )
})
