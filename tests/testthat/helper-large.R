# A result of each class with many classes, features and cases, for tests of printing. Results are
# named by their class, as in valid_objects(). A class may have several results.
large_objects <- function() {
  withr::local_seed(1)
  classes <- sprintf("class number %02d", 1:19)
  by_class <- function(x) stats::setNames(x, classes)
  n <- 475L
  y <- factor(rep(classes, length.out = n), classes)
  numbers <- as.data.frame(matrix(stats::rnorm(n * 24), n))
  names(numbers) <- sprintf("a_feature_with_a_long_name_%02d", seq_along(numbers))
  numbers[[1]] <- numbers[[1]] + as.integer(y)
  groups <- replicate(3, factor(sample(sprintf("level %02d", 1:25), n, TRUE)), simplify = FALSE)
  data <- data.frame(y = y, numbers, g = data.frame(groups)[[1]], h = groups[[2]], i = groups[[3]])
  x <- data[-1]
  first <- names(numbers)[1:2]
  spec <- bayes_naive(laplace = 1)
  model <- fit(spec, y ~ ., data)
  one <- fit(spec, stats::reformulate(first[[1]], "y"), data)
  full <- fit(bayes_full(shrinkage = 0.5), y ~ ., data[c("y", names(numbers))])
  known <- bayes_known(by_class(rep(1 / 19, 19)),
                       x = likelihood_gaussian(mean = by_class(1:19), sd = 1))
  cost <- zero_one_cost(classes, reject = 0.3)
  by_case <- do.call(cost_matrix, c(
    lapply(by_class(classes), function(k) replace(by_class(as.list(rep(1, 19))), k, 0)),
    list(ask = ~ a_feature_with_a_long_name_01^2 / sum(a_feature_with_a_long_name_02^2))
  ))
  decided <- decide(model, x, cost)
  assessed <- assess_decisions(model, data, cost)
  joint <- joint_table(table(data[c("g", "h", "i")]))
  theorem <- bayes_theorem(by_class(rep(1 / 19, 19)), by_class(stats::runif(19)))
  measured <- suppressMessages(feature_dependence(y ~ ., data))
  kernel <- fit(bayes_naive(numeric = likelihood_kernel()), y ~ ., data[1:2])
  blocks <- stats::setNames(split(names(numbers), rep(1:8, each = 3)), sprintf("block %d", 1:8))
  missing <- replace(x, c(first, "g"), NA)
  two <- fit(bayes_naive(), g2 ~ ., cbind(g2 = y %in% classes[1:9], numbers))
  grouped <- data.frame(
    y2 = c("a", "b"), n = stats::rpois(480, 3), region = sprintf("region number %02d", 1:60),
    year = rep(2001:2002, each = 240)
  )
  words <- matrix(stats::rpois(n * 40, 1), n)
  colnames(words) <- sprintf("a term with a long name %02d", seq_len(40))
  text <- fit(bayes_text(), words, y)
  objects <- list(
    model, full, text, top_features(text), top_features(text, newdata = words[1:60, ]),
    bayes_statistics(spec, y ~ ., data), bayes_blocks(blocks), known$spec, cost,
    search_blocks(bayes_full(), y2 ~ ., cbind(y2 = y %in% classes[1:9], numbers)),
    likelihood_gaussian(mean = by_class(1:19), sd = by_class(1:19)), by_case,
    decided, decided[1:60, ], summary(decided), bayes_risk(one, cost),
    summary(bayes_risk(one, cost)), joint, summary(joint), summary(model), summary(full),
    summary(bayes_blocks(blocks)), assessed, summary(assessed),
    compare_decisions(list(one = one, a_model_with_quite_a_long_name = model), data = data,
                      cost = cost),
    decision_regions(one, cost), decision_regions(full, cost, features = first),
    minimax_prior(known), decision_threshold(cost = zero_one_cost(classes[1:2])),
    contributions(model, x), contributions(model, x, cost), flip(model, x[1:60, ], cost),
    flip(model, x[1:2, ], cost), confusion_table(y, predict(one, x)),
    proportions(confusion_table(y, predict(one, x))), measured,
    value_of_information(model, cost, all = FALSE), next_feature(model, missing[1:40, ], cost),
    cost_ranges(model, x[1:5, ], cost, vary = list(prior = stats::setNames(
      rep(list(c(0.01, 0.3)), 19), classes
    ))),
    cost_sweep(model, x, cost, class = classes[[1]]),
    cost_sweep(model, x[1:5, ], cost, class = classes[[1]]),
    break_even(model, x[1:60, ], cost), break_even(model, x[1:5, ], cost),
    cv_risk(list(naive = spec, full = bayes_full(shrinkage = 0.5)), y ~ ., data[1:4], cost,
            folds = 3),
    coef(kernel)[[2]], risk_bounds(two), theorem, counts(model),
    fit(bayes_naive(numeric = likelihood_poisson()), y2 ~ n, grouped, by = c(region, year)),
    suppressWarnings(estimate_prior(model, x, cost)),
    confint(model), simulate_parameters(model, 3),
    update(monitor(model, cost), x[1:60, ]),
    decision_stability(model, x[1:60, ], cost, n = 10),
    value_of_data(one, cost, n = c(10, 1000), by = "class", draws = 2, price = 1, cases = 1e6),
    temper(cv_predict(spec, y ~ ., data[1:3], folds = 2), y, method = "vector"),
    discriminants(fit(bayes_full(covariance = "pooled"), y ~ ., data)),
    tune_threshold(model, x, truth = y), check_features(y ~ ., data),
    search_likelihoods(spec, y ~ ., data[1:4], list(gaussian = likelihood_gaussian()), folds = 3),
    wide_plan(names = names(numbers)[1:4], actions = classes[1:3]), deep_plan(40),
    assess_plan(valid_plan(), valid_data()), guarantee(model, x, truth = y, bound = 0.3),
    suppressWarnings(assess_decisions(model, data, cost, by = c(g, h)))
  )
  stats::setNames(objects, vapply(objects, function(x) ours(class(x))[[1L]], ""))
}
