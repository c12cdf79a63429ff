# One object of each class of the package, and one call of each function. Tests make the calls with
# every wrong argument, and damage every part of the objects.

valid_data <- function() {
  withr::local_seed(2)
  data.frame(
    y = factor(rep_len(c("a", "b"), 24)), x = stats::rnorm(24), n = stats::rpois(24, 3),
    z = stats::rnorm(24), g = rep_len(c("u", "v", "v"), 24), h = sample(c("p", "q"), 24, TRUE)
  )
}

valid_models <- function() {
  data <- valid_data()
  naive <- bayes_naive(laplace = 1)
  singles <- list(n = likelihood_empirical(), z = likelihood_histogram(1, laplace = 1))
  wide <- list(mean = rbind(a = c(x = 1, n = 2), b = c(2, 3)), covariance = diag(2))
  known <- known_examples()
  others <- setdiff(
    names(known), c("categorical", "mixture", "poisson", "multinomial", "bernoulli")
  )
  list(
    naive = fit(naive, y ~ x + log(z^2) + g + h, data),
    matrix = fit_xy(naive, unname(as.matrix(data[c("x", "z")])), data$y == "a"),
    full = fit(bayes_full(laplace = 1, shrinkage = 0.1), y ~ ., data),
    pooled = fit(bayes_full(covariance = "pooled"), y ~ x + z, data, weights = n + 1),
    em = fit(
      bayes_full(missing = "em"), y ~ x + z, transform(data, x = replace(x, 3:6, NA))
    ),
    blocks = fit(
      bayes_blocks(list(c("x", "z"), c("g", "h")), features = list(n = likelihood_poisson())),
      y ~ ., data
    ),
    mixtures = fit(
      bayes_blocks(list(p = c("x", "z")), joint = likelihood_mixture(1:2, starts = 2)), y ~ ., data
    ),
    cells = fit(
      bayes_full(joint = likelihood_histogram(1, laplace = 1)), y ~ x + z, data, weights = n
    ),
    points = fit(
      bayes_naive(numeric = likelihood_kernel(), features = singles), y ~ x + n + z, data
    ),
    known = bayes_known(
      c(a = 0.5, b = 0.5), n = likelihood_poisson(c(a = 1, b = 2)),
      g = known$categorical, x = known$mixture
    ),
    joint = do.call(bayes_known, c(list(c(a = 0.5, b = 0.5)), known[others], list(
      two = do.call(likelihood_gaussian, wide),
      t = array(c(1, 2, 3, 4, 4, 3, 2, 1) / 10, c(2, 2, 2), list(
        class = c("a", "b"), g = c("u", "v"), h = c("p", "q")
      ))
    )))
  )
}

# A model of a bag of words and a number, and its data.
valid_text <- function() {
  data <- valid_data()["y"]
  data$size <- seq_len(nrow(data))
  data$words <- withr::with_seed(3, matrix(
    stats::rpois(5 * nrow(data), c(2, 1)), nrow(data), dimnames = list(NULL, letters[1:5])
  ))
  list(model = fit(bayes_text(), y ~ words + size, data), data = data)
}

# Discriminant coordinates need a shared covariance.
types_of_any_model <- function() setdiff(predict_types, "discriminant")

valid_pooled <- function() fit(bayes_full(covariance = "pooled"), y ~ x + z, valid_data())

valid_cost <- function() cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.4)

# Named by their class: the first class that has methods.
valid_objects <- function() {
  data <- valid_data()
  model <- valid_models()$naive
  known <- valid_models()$known
  number <- fit(bayes_naive(), y ~ x, data)
  cost <- valid_cost()
  row <- data[1, -1]
  decided <- decide(model, data, cost)
  risk <- bayes_risk(number, cost)
  joint <- joint_table(as.data.frame(table(data[c("g", "h")]) / 24, responseName = "probability"))
  text <- valid_text()
  measured <- suppressMessages(feature_dependence(y ~ x + g, data))
  objects <- list(
    model, bayes_statistics(bayes_naive(laplace = 1), y ~ x + g, data), bayes_naive(),
    search_blocks(bayes_full(), y ~ x + z, data), likelihood_gaussian(), cost,
    cost_matrix(a = list(a = 0, b = ~ abs(z)), b = c(a = 1, b = 0)),
    decided, summary(decided), risk, summary(risk), joint, summary(joint),
    summary(model), assess_decisions(model, data, cost),
    compare_decisions(list(a = number, b = model), data = data, cost = cost),
    decision_regions(number, cost),
    decision_regions(fit(bayes_full(), y ~ x + z, data), cost), minimax_prior(number, cost),
    decision_threshold(cost = zero_one_cost(c("a", "b"))), contributions(model, data[1:2, ]),
    contributions(model, data[1:2, ], cost), flip(model, data[1:2, ], cost),
    confusion_table(data$y, rev(data$y)), proportions(confusion_table(data$y, rev(data$y))),
    measured, value_of_information(number, cost),
    cost_ranges(model, row, cost, vary = list(a = list(b = c(2, 9)), ask = c(0.1, 0.8))),
    next_feature(known, data.frame(x = NA, n = 2, g = NA), cost),
    cost_sweep(model, row, cost, class = "a"),
    withr::with_seed(1, cv_risk(bayes_naive(laplace = 1), y ~ x + g, data, cost, folds = 2)),
    coef(fit(bayes_naive(numeric = likelihood_kernel()), y ~ x, data))$x, summary(bayes_naive()),
    summary(assess_decisions(model, data, cost)), risk_bounds(number),
    break_even(model, row, cost, class = "a"), counts(model),
    bayes_theorem(c(a = 0.5, b = 0.5), rbind(a = c(x = 0.1, y = 0.2), b = c(0.3, 0.4))),
    chunked(data, 10L), data_parts(list(data[1:10, ], data[11:24, ])),
    temper(valid_posterior(), data$y), estimate_prior(model, data, cost),
    confint(model), simulate_parameters(model, 2), decision_stability(model, data, cost, n = 5),
    value_of_data(number, cost, n = c(5, 10), draws = 3, price = 0.1, cases = 100),
    withr::with_seed(
      1, search_likelihoods(bayes_naive(), y ~ x, data, list(likelihood_kernel()), folds = 2)
    ),
    tune_threshold(model, data), check_features(y ~ x + g, data),
    discriminants(valid_pooled()), fit(bayes_naive(), y ~ x, data, by = g),
    top_features(text$model), top_features(text$model, newdata = text$data), valid_plan(),
    assess_plan(valid_plan(), data), valid_monitor(), guarantee(model, data, bound = 0.9),
    assess_decisions(model, data, cost, by = g)
  )
  stats::setNames(objects, vapply(objects, function(x) ours(class(x))[[1L]], ""))
}

# A file that exists, and a connection; NULL without the package.
valid_file <- function() system.file("DESCRIPTION", package = "bayesrisk")

can_report <- function() {
  requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2.0")
}

valid_connection <- function() {
  if (is.null(opened$con) && requireNamespace("RSQLite", quietly = TRUE)) {
    opened$con <- withr::with_preserve_seed(DBI::dbConnect(RSQLite::SQLite(), ":memory:"))
  }
  opened$con
}

valid_simulation <- function() {
  if (requireNamespace("dbplyr", quietly = TRUE)) dbplyr::simulate_spark_sql()
}

valid_lazy_table <- function() {
  if (requireNamespace("dbplyr", quietly = TRUE)) dbplyr::lazy_frame(x = 1)
}

opened <- new.env()
opened$report <- tempfile(fileext = ".html")
file.create(opened$report)
opened$statistics <- tempfile()
write_statistics(bayes_statistics(bayes_naive(), Species ~ ., iris), opened$statistics, "rds")

opened$model <- tempfile()
if (requireNamespace("jsonlite", quietly = TRUE)) {
  write_model_json(fit(bayes_naive(), Species ~ ., iris), opened$model)
}

ours <- function(classes) grep("^bayesrisk_", classes, value = TRUE)

# One call of each exported function: list(function, arguments).
valid_calls <- function() {
  data <- valid_data()
  model <- valid_models()$naive
  cost <- valid_cost()
  spec <- bayes_naive(laplace = 1)
  shares <- rbind(a = c(u = 0.1, v = 0.9), b = c(0.5, 0.5))
  prior <- c(a = 0.4, b = 0.6)
  given <- list(object = spec, formula = y ~ x + g, data = data)
  world <- list(object = model, cost = cost)
  case <- list(object = model, newdata = data[1, -1], cost = cost, class = "a")
  folds <- c(given, folds = 2)
  joint <- joint_table(prop.table(table(data[c("g", "h")])))
  text <- valid_text()
  c(likelihood_calls(), list(
    as_bayes_model = list(x = model),
    as_cost_matrix = list(m = unclass(cost)), as_mlr3 = list(cost = zero_one_cost(c("a", "b"))),
    as_yardstick = list(cost = zero_one_cost(c("a", "b"))),
    as_sql = list(object = model, con = valid_simulation(), newdata = "t", cost = cost),
    assess_decisions = c(world, list(data = data)),
    assess_plan = list(plan = valid_plan(), data = data),
    augment = list(x = model, newdata = data), bayes_blocks = list(blocks = list(c("x", "z"))),
    bayes_classifier = list(x = data[c("x", "g")], y = data$y),
    bayes_full = list(), bayes_known = list(prior = prior, g = shares), bayes_naive = list(),
    bayes_risk = list(fit(spec, y ~ x, data)), bayes_statistics = given,
    bayes_text = list(),
    bayes_theorem = list(prior = prior, likelihood = prior), bayesrisk_caret = list(),
    break_even = case,
    compare_decisions = list(object = list(a = model, b = model), data = data),
    confusion_table = list(truth = data$y, decision = data$y),
    contributions = list(object = model, newdata = data, cost = cost),
    check_features = given[-1L], counts = list(object = model),
    cost_matrix = list(a = prior, b = 1),
    cost_ranges = c(case[-4L], list(vary = list(prior = list(a = c(0.1, 0.6))))),
    cost_sweep = case, csv_chunks = list(file = valid_file()), cv_predict = folds,
    cv_risk = folds, decision_report = c(world, list(data = data, file = opened$report)),
    data_chunks = list(next_chunk = function() NULL),
    data_parts = list(parts = list(data)),
    decide = list(object = model, newdata = data, cost = cost),
    decision_cost_metric = list(cost = cost),
    decision_regions = list(object = model, features = "x"),
    decision_stability = list(object = model, newdata = data, cost = cost, n = 5),
    discriminants = list(object = valid_pooled()),
    decision_threshold = list(cost = zero_one_cost(c("a", "b"))),
    estimate_prior = list(object = model, newdata = data, cost = cost),
    event_probability = list(joint = joint, event = TRUE),
    explorer = list(object = model, cost = cost, data = data),
    expected_cost = list(confusion = confusion_table(data$y, data$y), cost = cost),
    feature_dependence = given[-1L], fit = given, flip = case[-4L],
    fit_xy = list(object = spec, x = data[c("x", "g")], y = data$y), glance = list(x = model),
    guarantee = list(object = model, data = data, bound = 0.9), identity_weight = list(),
    joint_table = list(x = joint), log_coefficient = list(x = text$data$words),
    lazy_table = list(x = valid_lazy_table()),
    minimax_prior = world, naive = list(object = valid_models()$full),
    monitor = world, next_feature = case[-4L], parquet_chunks = list(file = valid_file()),
    query_chunks = list(con = valid_connection(), query = "SELECT 1 AS x"),
    read_model_json = list(file = opened$model),
    read_statistics = list(file = opened$statistics), risk_bounds = list(object = model),
    search_blocks = given, search_likelihoods = c(given, list(folds = 2)),
    shrinkage_weight = list(),
    simulate_parameters = list(object = model, n = 2),
    test_plan = c(world, list(price = 0.1, features = "g")),
    temper = list(object = do.call(fit, given), data = data, folds = 2), tidy = list(x = model),
    top_features = list(object = text$model, newdata = text$data),
    tune_threshold = list(object = model, data = data),
    utility_matrix = list(a = prior, b = 1),
    value_of_data = list(object = model, cost = cost, n = 5, draws = 3),
    value_of_information = world, write_chunks = list(chunked(data, 10L), function(rows) NULL),
    write_model_json = list(object = model, file = opened$model),
    write_statistics = list(x = do.call(bayes_statistics, given), file = opened$statistics),
    zero_one_cost = list(classes = c("a", "b"))
  ))
}

valid_plan <- function() {
  test_plan(valid_models()$naive, valid_cost(), price = 0.1, features = "g")
}

valid_monitor <- function() {
  data <- valid_data()
  watch <- monitor(valid_models()$naive, valid_cost())
  for (rows in list(1:10, 11:24)) watch <- update(watch, data[rows, ])
  watch
}

valid_posterior <- function() {
  rows <- nrow(valid_data())
  p <- seq(0.1, 0.9, length.out = rows)
  cbind(a = p, b = 1 - p)
}

# One call of each method that takes more arguments than the object.
valid_methods <- function() {
  data <- valid_data()
  model <- valid_models()$naive
  list(
    augment.bayesrisk_decision = list(data = data), augment.bayesrisk_model = list(newdata = data),
    decide.bayesrisk_model = list(newdata = data), decide.bayesrisk_models = list(newdata = data),
    decide.bayesrisk_temper = list(newdata = valid_posterior()),
    fit.bayesrisk_spec = valid_calls()$fit[-1L],
    fit_xy.bayesrisk_spec = valid_calls()$fit_xy[-1L], merge.bayesrisk_model = list(y = model),
    merge.bayesrisk_statistics = list(y = do.call(bayes_statistics, valid_calls()$fit)),
    predict.bayesrisk_temper = list(newdata = valid_posterior()),
    predict.bayesrisk_test_plan = list(newdata = data),
    predict.bayesrisk_model = list(newdata = data), predict.bayesrisk_models = list(newdata = data),
    temper.bayesrisk_model = valid_calls()$temper[-1L],
    temper.bayesrisk_models = valid_calls()$temper[-1L], update.bayesrisk_model = list(data),
    update.bayesrisk_models = list(data), update.bayesrisk_statistics = list(data),
    update.bayesrisk_monitor = list(data)
  )
}

# Methods of generics that users call. All other generics are internal. R itself checks the
# arguments of `[` and its relatives. Methods of a specification only report that it was not fitted,
# and some methods only name the call that was meant.
user_methods <- function(objects) {
  methods <- getNamespaceInfo("bayesrisk", "S3methods")
  generics <- c(getNamespaceExports("bayesrisk"), ls("package:base"), ls("package:stats"),
                ls("package:graphics"))
  generics <- setdiff(generics, c("[", "[<-", "[[", "$"))
  never <- c(
    "predict.bayesrisk_spec", "decide.bayesrisk_spec", "plot.bayesrisk_boundaries",
    "plot.bayesrisk_regions", sprintf("%s.bayesrisk_models", c(
      "coef", "confint", "vcov", "logLik", "nobs", "formula", "simulate", "augment",
      "plot"
    ))
  )
  known <- methods[, 1L] %in% generics & methods[, 2L] %in% names(objects)
  methods[known & !methods[, 3L] %in% never, ]
}

# list(function, arguments) for each function and method, by name. test-cases-process.R makes each
# of these calls.
all_valid_calls <- function() {
  objects <- valid_objects()
  methods <- user_methods(objects)
  given <- valid_methods()
  calls <- Map(function(name, class) {
    fun <- utils::getFromNamespace(name, "bayesrisk")
    list(fun, c(stats::setNames(objects[class], names(formals(fun))[[1L]]), given[[name]]))
  }, methods[, 3L], methods[, 2L])
  exported <- valid_calls()
  needs <- c(
    as_sql = "dbplyr", decision_cost_metric = "yardstick", explorer = "htmlwidgets",
    identity_weight = "dials", lazy_table = "dbplyr", parquet_chunks = "nanoparquet",
    query_chunks = "dbplyr", shrinkage_weight = "dials"
  )
  if (!can_report()) exported$decision_report <- NULL
  exported[names(needs)[!vapply(needs, requireNamespace, NA, quietly = TRUE)]] <- NULL
  c(Map(function(name, arguments) list(get(name, asNamespace("bayesrisk")), arguments),
        names(exported), exported), calls)
}
