# Registration with frameworks, in processes that load them in one order or the other.

test_that("a framework knows our models, whichever is loaded first", {
  skip_if_not_installed("callr")
  skip_if_not_installed("parsnip")
  orders <- list(c("bayesrisk", "parsnip"), c("parsnip", "bayesrisk"))
  for (order in orders) {
    found <- callr::r(function(order) {
      before <- lapply(order, function(package) {
        loadNamespace(package)
        loadedNamespaces()
      })
      list(
        parsnip_loaded = "parsnip" %in% before[[1L]],
        engines = parsnip::get_from_env("naive_Bayes")$engine,
        arguments = nrow(parsnip::get_from_env("naive_Bayes_args"))
      )
    }, list(order))
    # We load no framework.
    expect_identical(found$parsnip_loaded, order[[1L]] == "parsnip")
    expect_identical(sum(found$engines == "bayesrisk"), 1L)
    expect_identical(found$arguments, 2L)
  }
})

test_that("unloading takes the models back, and loading brings them again", {
  skip_if_not_installed("callr")
  skip_if_not_installed("parsnip")
  found <- callr::r(function() {
    loadNamespace("parsnip")
    state <- function() {
      env <- parsnip::get_model_env()
      tables <- grep("^(naive_Bayes|discrim_)", sort(names(env)), value = TRUE)
      rows <- vapply(tables, function(table) NROW(env[[table]]), 1L)
      # R keeps a hook of its own for our methods of parsnip's generics.
      of <- vapply(getHook(packageEvent("parsnip", "onLoad")), function(hook) {
        environmentName(topenv(environment(hook)))
      }, "")
      list(rows = rows[rows > 0L], hooks = sum(of == "bayesrisk"))
    }
    before <- state()
    loadNamespace("bayesrisk")
    loaded <- state()
    unloadNamespace("bayesrisk")
    unloaded <- state()
    loadNamespace("bayesrisk")
    list(before = before, loaded = loaded, unloaded = unloaded, again = state())
  })
  expect_identical(found$unloaded, found$before)
  expect_identical(found$again, found$loaded)
  expect_identical(found$loaded$hooks, found$before$hooks + 1L)
  expect_gt(sum(found$loaded$rows), sum(found$before$rows))
})

test_that("unloading without a framework leaves no hook", {
  skip_if_not_installed("callr")
  hooks <- callr::r(function() {
    loadNamespace("bayesrisk")
    setHook(packageEvent("parsnip", "onLoad"), function(...) "of another package")
    unloadNamespace("bayesrisk")
    vapply(getHook(packageEvent("parsnip", "onLoad")), function(hook) {
      environmentName(topenv(environment(hook)))
    }, "")
  })
  expect_false("bayesrisk" %in% hooks)
  # Hooks of others stay.
  expect_true("R_GlobalEnv" %in% hooks)
})

test_that("a registration that fails is a warning", {
  # stats and utils are loaded in every test.
  connected <- 0L
  broken <- function() {
    list(
      stats = list(connect = function() stop("its list has changed")),
      utils = list(connect = function() connected <<- connected + 1L)
    )
  }
  # Other packages have hooks of their own.
  others <- getHook(packageEvent("stats", "onLoad"))
  before <- replace_functions("bayesrisk", list(bridges = broken))
  withr::defer({
    replace_functions("bayesrisk", before)
    for (package in c("stats", "utils")) drop_hook(package)
  })
  expect_warning(
    connect_when_loaded("stats"), "not registered.*stats.*its list has changed",
    class = "bayesrisk_warning_bridge"
  )
  connect_when_loaded("utils")
  expect_identical(connected, 1L)
  # So is a hook that runs later.
  expect_warning(
    getHook(packageEvent("stats", "onLoad"))[[length(others) + 1L]](), "its list",
    class = "bayesrisk_warning_bridge"
  )
  drop_hook("stats")
  expect_identical(getHook(packageEvent("stats", "onLoad")), others)
})

test_that("a butchered model predicts the same, without the statistics", {
  skip_if_not_installed("butcher")
  specs <- list(
    bayes_naive(), bayes_full(), bayes_naive(numeric = likelihood_kernel()),
    bayes_naive(numeric = likelihood_mixture(1:2))
  )
  cost <- zero_one_cost(levels(iris$Species))
  for (spec in specs) {
    model <- fit(spec, Species ~ ., iris)
    small <- butcher::butcher(model)
    for (type in c("class", "prob", "log_joint")) {
      expect_identical(predict(small, iris, type = type), predict(model, iris, type = type))
    }
    expect_identical(decide(small, iris, cost), decide(model, iris, cost))
    expect_identical(tidy(small), tidy(model))
    expect_lt(object.size(small), object.size(model))
    expect_output(print(small), "150 rows")
    gone <- list(
      function(m) update(m, iris), function(m) update(m, laplace = 1), confint,
      function(m) predict(m, iris, estimate = "predictive")
    )
    for (use in gone) {
      expect_error(use(small), "taken away.*butcher", class = "bayesrisk_error_argument")
    }
    expect_true(is.na(glance(small)$logLik))
  }
})

test_that("models of parsnip and workflows can be butchered", {
  skip_without_parsnip("butcher", "workflows")
  spec <- with_engine(parsnip::naive_Bayes(Laplace = 1))
  flow <- generics::fit(workflows::workflow(play ~ ., spec), play_tennis)
  small <- butcher::butcher(flow)
  expect_identical(
    predict(small, play_tennis, type = "prob"), predict(flow, play_tennis, type = "prob")
  )
  fitted <- parsnip::fit(spec, play ~ ., play_tennis)
  small <- butcher::butcher(fitted)
  expect_identical(predict(small, play_tennis), predict(fitted, play_tennis))
  expect_null(parsnip::extract_fit_engine(small)$statistics)
})

test_that("a feature may have any name", {
  data <- data.frame(nothing = c(1, 2, 4, 5), perfect = c(1, 1.1, 1.2, 1.1))
  model <- fit_xy(bayes_naive(), data, c("a", "a", "b", "b"))
  expect_named(feature_importance(model), names(data))
  worth <- value_of_information(model, features = "nothing", all = FALSE)
  expect_identical(feature_importance(model)[["nothing"]], worth$value[[2]])
})
