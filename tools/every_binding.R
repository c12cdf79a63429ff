# R --vanilla -d valgrind -f tools/every_binding.R, or Rscript tools/every_binding.R [torture]:
# calls every binding of the engine on a few rows, with every likelihood. With `torture` R collects
# garbage at each allocation inside a binding, in the first call of the binding in each step.
# Bindings of the sums of a database need RSQLite and dbplyr, that of a stream nanoarrow.

library(bayesrisk)
namespace <- asNamespace("bayesrisk")
torture <- "torture" %in% commandArgs(TRUE)

bindings <- ls(namespace, pattern = "^[a-z].*_cpp$")
calls <- in_step <- stats::setNames(integer(length(bindings)), bindings)
watch <- function(name) {
  binding <- get(name, namespace)
  watched <- function(...) {
    calls[[name]] <<- calls[[name]] + 1L
    in_step[[name]] <<- in_step[[name]] + 1L
    arguments <- list(...)
    gctorture(torture && in_step[[name]] == 1L)
    on.exit(gctorture(FALSE))
    do.call(binding, arguments, quote = TRUE)
  }
  unlockBinding(name, namespace)
  assign(name, watched, namespace)
}
for (name in bindings) watch(name)

step <- function(name) {
  cat(format(Sys.time(), "%H:%M:%S"), name, "\n")
  in_step[] <<- 0L
}
few <- function(...) invisible(suppressMessages(suppressWarnings(...)))

set.seed(1)
rows <- 210
data <- data.frame(
  y = rep_len(c("a", "b", "c"), rows), x = stats::rnorm(rows), z = stats::rnorm(rows),
  n = stats::rpois(rows, 4), g = rep_len(c("u", "v"), rows),
  h = sample(c("p", "q", "r"), rows, TRUE)
)
data[cbind(c(2, 5, 9, 11), c(2, 3, 4, 5))] <- NA
complete <- stats::na.omit(data)
weights <- rep_len(c(1, 2, 0.5), rows)
specs <- list(
  naive = bayes_naive(laplace = 1), full = bayes_full(laplace = 1),
  pooled = bayes_full(laplace = 1, covariance = "pooled"),
  shrunk = bayes_full(laplace = 1, shrinkage = 0.1, identity = 0.1),
  blocks = bayes_blocks(list(c("x", "n"), c("g", "h")), laplace = 1),
  mixtures = bayes_full(laplace = 1, joint = likelihood_mixture(1:2, starts = 3)),
  kernel = bayes_naive(numeric = likelihood_kernel(points = 64), laplace = 1),
  histogram = bayes_naive(numeric = likelihood_histogram(laplace = 1), laplace = 1),
  values = bayes_naive(laplace = 1, features = list(
    n = likelihood_poisson(), z = likelihood_empirical(), x = likelihood_histogram(0.5, laplace = 1)
  ))
)
known <- bayes_known(
  c(a = 0.5, b = 0.3, c = 0.2), g = rbind(a = c(u = 0.1, v = 0.9), b = c(0.5, 0.5), c = c(1, 0)),
  x = likelihood_mixture(
    weights = list(a = c(0.5, 0.5), b = 1, c = 1), mean = list(a = c(0, 3), b = 1, c = -1),
    sd = list(a = c(1, 2), b = 1, c = 1)
  )
)
cost <- cost_matrix(
  a = c(a = 0, b = 2, c = 1), b = c(a = 1, b = 0, c = 5), c = c(a = 8, b = 1, c = 0), ask = 0.9
)
case_cost <- cost_matrix(a = list(a = 0, b = ~ abs(z), c = 1), b = c(a = 1, b = 0, c = 1))

read_data <- function(model) {
  for (type in c("class", "prob", "log_prob", "log_joint", "both", "decision")) {
    predict(model, data, type = type)
  }
  for (by in list(cost, case_cost)) decide(model, data, by, threads = 2L)
  contributions(model, data)
  contributions(model, data, case_cost)
  contributions(model, data, cost, order = "shapley", threads = 2L)
  flip(model, data[1:9, ], case_cost)
  flip(model, data[1:2, ], case_cost, together = 2)
  next_feature(model, data.frame(x = NA, z = 1, n = 2, g = NA, h = "p"), cost)
  break_even(model, data[1, ], cost, class = "a")
  cost_sweep(model, data[1, ], cost, class = "a")
  assess_decisions(model, data, cost)
  estimate_prior(model, data, cost, weights = weights, cluster = rep_len(1:7, rows))
}

read_text <- function() {
  words <- Matrix::rsparsematrix(60, 9, 0.3, rand.x = function(n) stats::rpois(n, 1) + 1)
  colnames(words) <- letters[1:9]
  log_coefficient(words)
  for (counts in c("multinomial", "bernoulli", "complement", "poisson")) {
    model <- fit(bayes_text(counts), words, rep(c("a", "b", "c"), 20))
    top_features(model)
    top_features(model, newdata = words, n = 2)
  }
}

read_model <- function(model) {
  coef(model)
  value_of_information(model, cost)
  stats::simulate(model, 3, seed = 1)
}

for (name in names(specs)) {
  step(name)
  few({
    model <- fit(specs[[name]], y ~ ., data, weights = weights, threads = 2L)
    read_data(model)
    update(model, data)
    merge(update(model, . ~ . - z), update(model, . ~ . - z))
    cv_risk(specs[[name]], y ~ ., data, cost, folds = 2)
    held_out <- cv_predict(specs[[name]], y ~ ., data, folds = 2)
    predict(temper(held_out, data$y, "vector"), held_out)
    predict(temper(model, data, "block", folds = 2), data)
    predict(model, data, type = "prob", estimate = "predictive")
    confint(model)
    vcov(model)
    as.data.frame(simulate_parameters(model, 2))
    plot(decision_stability(model, data, cost, n = 5))
    plot(update(monitor(model, cost), data))
    plot(value_of_data(model, cost, n = c(5, 20), draws = 2))
    pair <- fit(specs[[name]], y ~ ., data, subset = y != "c")
    for (kept in c("x", "z", "n")) {
      one <- update(model, stats::reformulate(kept, "."))
      if (name != "values" || kept != "z") decision_regions(one, cost)
      bayes_risk(one, cost)
      read_model(one)
      risk_bounds(update(pair, stats::reformulate(kept, ".")))
    }
  })
}

grDevices::pdf(NULL)
few({
  step("known")
  merge(bayes_statistics(specs$naive, y ~ ., data), bayes_statistics(specs$naive, y ~ ., data))
  predict(known, data)
  read_model(known)
  bayes_risk(known, cost, rule = function(x) rep("ask", nrow(x)))
  minimax_prior(known, cost)
  compare_decisions(list(first = known, second = known), data = data, cost = cost, truth = data$y)
  plot(known)
  plot(cost_sweep(known, cost = cost, class = "a"))
  two <- cbind(a = stats::runif(50), b = 0)
  two[, 2] <- 1 - two[, 1]
  predict(temper(two, rep(c("a", "b"), 25), "isotonic"), two)
  step("planes")
  plane <- fit(bayes_full(), y ~ x + z, data)
  decision_regions(plane, cost)
  plot(plane, type = "regions", cost = cost)
  bayes_risk(plane, cost, tolerance = 0.1)
  bayes_risk(fit(bayes_naive(numeric = likelihood_histogram()), y ~ x + z, data), cost)
  step("discriminants")
  pooled <- fit(bayes_full(covariance = "pooled"), y ~ x + z, data)
  discriminants(pooled, tolerance = 0.5)
  predict(pooled, data, type = "discriminant")
  step("samples")
  space <- fit(bayes_naive(), y ~ x + z + n, data)
  bayes_risk(space, cost, tolerance = 0.1)
  bayes_risk(space, cost, prior = c(0.5, 0.5, 0))
  minimax_prior(space)
  step("text")
  read_text()
  step("dependence")
  feature_dependence(y ~ ., data)
  step("blocks")
  search_blocks(bayes_naive(), y ~ ., data)
  decide(predict(space, data, type = "prob"), cost)
  step("groups")
  groups <- fit(bayes_naive(laplace = 1), y ~ x + h, complete, by = g)
  predict(groups, complete)
  update(groups, complete)
  pooled_groups <- fit(bayes_naive(laplace = 1), y ~ x + h, complete, by = g, pool = TRUE)
  update(pooled_groups, complete)
  predict(pooled_groups[["u"]], complete)
  temper(pooled_groups, complete, folds = 2)
  step("capacity")
  decide(space, data, cost, capacity = c(ask = 3))
  step("dependence of columns")
  sums <- transform(data, sum = x + z)
  try(fit(bayes_full(degenerate = "stop"), y ~ x + z + sum, sums), silent = TRUE)
  step("likelihoods")
  search_likelihoods(bayes_naive(laplace = 1), y ~ x + g, complete, folds = 2)
  update(space, complete, forget = 0.99)
  step("rules")
  promised <- guarantee(space, complete, bound = 0.9)
  decide(space, complete, rule = promised)
  ab <- complete[complete$y != "c", ]
  of_ab <- fit(bayes_naive(), y ~ x + z, ab)
  decide(of_ab, ab, rule = tune_threshold(of_ab, ab))
  assess_decisions(of_ab, ab, cost_matrix(a = c(a = 0, b = 2), b = c(a = 1, b = 0)), by = g,
                   sensitivity = 0.8)
  cost_ranges(space, data[1, ], cost, vary = list(prior = list(a = c(0.1, 0.6))))
  estimate_prior(predict(space, complete, type = "prob"), trained_prior = c(0.3, 0.3, 0.4),
                 trained_n = rows)
  step("plans")
  plan <- test_plan(space, cost, price = 0.1, features = c("x", "n"))
  predict(plan, complete)
  assess_plan(plan, complete)
  step("files")
  file <- tempfile(fileext = ".csv")
  utils::write.csv(complete, file, row.names = FALSE)
  fit(bayes_naive(), y ~ x + z, csv_chunks(file))
})

# A database sends sums. In `close` the products lose digits and are summed again.
if (requireNamespace("RSQLite", quietly = TRUE) && requireNamespace("dbplyr", quietly = TRUE)) {
  few({
    step("database")
    con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
    DBI::dbWriteTable(con, "rows", transform(complete, close = x + 1e-7 * z))
    rows_there <- lazy_table(dplyr::tbl(con, "rows"), strategy = "sql")
    fit(bayes_naive(), y ~ x + z, rows_there)
    fit(bayes_full(), y ~ x + close, rows_there)
    DBI::dbDisconnect(con)
  })
} else {
  skipped <- c("moments_of_sums_cpp", "scatter_of_products_cpp", "whitened_triangle_cpp")
  cat("No RSQLite or dbplyr: without", toString(skipped), "\n")
  calls <- calls[setdiff(names(calls), skipped)]
}

if (requireNamespace("nanoarrow", quietly = TRUE)) {
  few({
    step("stream")
    chunks <- data_chunks(local({
      left <- list(complete, complete)
      function() {
        chunk <- if (length(left)) left[[1L]]
        left <<- left[-1L]
        chunk
      }
    }))
    as.data.frame(nanoarrow::as_nanoarrow_array_stream(predict(space, chunks)))
  })
} else {
  cat("No nanoarrow: without stream_from_r_cpp\n")
  calls <- calls[setdiff(names(calls), "stream_from_r_cpp")]
}

print(calls)
closed <- names(calls)[calls == 0L]
if (length(closed)) stop("Bindings that nothing went through: ", toString(closed))
