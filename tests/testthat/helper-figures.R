# Every figure: list(object, further arguments of plot()), by name.
figures <- function() {
  if (is.null(made$figures)) made$figures <- make_figures()
  made$figures
}

made <- new.env()

make_figures <- function() {
  flowers <- fit(bayes_naive(), Species ~ ., iris)
  two <- droplevels(iris[51:150, ])
  three <- cost_matrix(
    keep = c(setosa = 0, versicolor = 1, virginica = 10),
    discard = c(setosa = 2, versicolor = 2, virginica = 0), ask = 1
  )
  tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  day <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
  golf <- cost_matrix(book = c(yes = 1, no = 6), stay = c(yes = 4, no = 0), ask = 1.5)
  ocr <- two_classes(c(A = 0.75, B = 0.25))
  letters <- cost_matrix(A = c(A = 0, B = 5), B = c(A = 1, B = 0), ask = 0.2)
  mixed <- valid_data()
  mixed$k <- 1
  both <- suppressWarnings(fit(bayes_naive(laplace = 1), y ~ x + n + g + h + k, mixed))
  few <- fit(bayes_naive(), am ~ hp + wt, mtcars)
  cars <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 1, "1" = 0))
  posterior <- withr::with_seed(
    1, cv_predict(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, two)
  )
  error <- cost_matrix(
    versicolor = c(versicolor = 0, virginica = 4), virginica = c(versicolor = 1, virginica = 0)
  )
  assessed <- assess_decisions(posterior, cost = error, truth = two$Species)
  of_three <- assess_decisions(fit(bayes_naive(), Species ~ Sepal.Width, iris), iris)
  segments <- assess_decisions(
    posterior, two, error, truth = Species, by = c(width = cut(Sepal.Width, c(0, 2.6, 3, 5)))
  )
  candidates <- list(
    naive = bayes_naive(), full = bayes_full(), pooled = bayes_full(covariance = "pooled")
  )
  validated <- withr::with_seed(1, cv_risk(candidates, Species ~ ., iris))
  patients <- data.frame(x = c(19, 21))
  vary <- list(A = list(B = c(0, 10)), ask = c(0, 1))
  words <- rbind(c(2, 1, 0, 1), c(1, 0, 0, 1), c(0, 1, 2, 1), c(0, 1, 1, 0))
  colnames(words) <- c("offer", "you", "meeting", "the")
  text <- fit(bayes_text(), list(words = words), c("spam", "spam", "ham", "ham"))
  list(
    density = list(flowers), posterior = list(flowers, "posterior", features = "Petal.Length"),
    mixed = list(both, data = mixed), mixed_posterior = list(both, "posterior"),
    tennis = list(tennis), one = list(flowers, features = "Petal.Length", data = iris),
    interval = list(
      flowers, "regions", features = "Petal.Length", data = iris, cost = three
    ),
    rule = list(ocr, "regions", rule = "likelihood"),
    plane = list(
      flowers, "regions", features = c("Petal.Length", "Petal.Width"), data = iris
    ),
    discriminants = list(
      fit(bayes_full(covariance = "pooled"), Species ~ ., iris), "discriminants", data = iris
    ),
    cost = list(flowers, "cost", features = "Petal.Length", cost = three),
    cost_probability = list(tennis, "cost", cost = golf),
    confusion = list(confusion_table(iris$Species, predict(flowers, iris))),
    confusion_cost = list(assessed), calibration = list(assessed, "calibration"),
    calibration_three = list(of_three, "calibration"),
    cost_curve = list(assessed, "cost"), coverage = list(assessed, "coverage"),
    benefit = list(assessed, "benefit"), roc = list(of_three, "roc"), lift = list(of_three, "lift"),
    precision = list(of_three, "precision"), precision_two = list(assessed, "precision"),
    segments = list(segments), segments_difference = list(segments, "difference"),
    contributions = list(contributions(flowers, iris[c(107, 51), ]), case = 1:2),
    cost_contributions = list(contributions(tennis, day, golf)),
    cv = list(validated), difference = list(validated, "difference"),
    data_value = list(value_of_data(few, cars, n = c(10, 30, 100), draws = 20, price = 0.001,
                                    cases = 100)),
    decision = list(decide(fit(bayes_naive(), Species ~ Sepal.Width, iris), iris, three)),
    dependence = list(feature_dependence(Species ~ ., iris)),
    information = list(value_of_information(tennis, golf)),
    monitor = list(valid_monitor()), monitor_prior = list(valid_monitor(), "prior"),
    monitor_cost = list(valid_monitor(), "cost"),
    guarantee = list(guarantee(few, mtcars, bound = 0.6)),
    prior = list(estimate_prior(flowers, iris[c(1:5, 51:90, 101:145), -5])),
    tornado = list(cost_ranges(ocr, patients, letters, vary = c(
      vary, list(prior = list(A = c(0.5, 0.9)))
    ))),
    map = list(cost_ranges(ocr, patients, letters, vary = vary), "map"),
    stability = list(decision_stability(few, mtcars, cars, n = 100, class = "1")),
    sweep = list(cost_sweep(ocr, cost = letters)),
    sweep_cases = list(cost_sweep(ocr, patients, letters, class = "B")),
    plan = list(panel_plan()), plan_cost = list(wide_plan(), "cost"),
    top_features = list(top_features(text)),
    case_features = list(top_features(text, newdata = list(words = words[1:2, ])), case = 1:2)
  )
}

# The numeric columns of the data of a figure that it shows as they are.
shown_columns <- function(name) {
  switch(name,
    density = , one = c("x", "density"), tennis = , mixed = "density",
    posterior = c("x", "posterior"), mixed_posterior = "posterior", interval = c("x", "density"),
    rule = c("x", "density", "risk", "least"), plane = , discriminants = c("x", "y"),
    cost = , cost_probability = , sweep = , sweep_cases = c("x", "cost"),
    calibration = , calibration_three = c("predicted", "observed", "lower", "upper"),
    cost_curve = c("weight", "cost", "best"), coverage = c("coverage", "error"),
    benefit = c("threshold", "benefit", "all"), roc = c("false_alarms", "sensitivity"),
    precision = , precision_two = c("sensitivity", "precision"),
    lift = c("depth", "lift"), contributions = , cost_contributions = c("from", "to"),
    cv = , difference = , segments = , segments_difference = c("estimate", "lower", "upper"),
    data_value = c("saving", "lower", "upper"), decision = "share", dependence = "information",
    monitor = , monitor_prior = , monitor_cost = c("row", "value"),
    guarantee = c("decided", "cost"),
    information = "risk", prior = c("prior", "lower", "upper", "model"),
    tornado = c("cost_from", "cost_to"), map = c("x", "y"),
    stability = c("probability", "lower", "upper"), plan = c("x", "y"), plan_cost = "cost",
    top_features = "z",
    case_features = "contribution", confusion = , confusion_cost = NULL,
    stop("Figure without a list of columns: ", name)
  )
}

# The largest distance between a number and the nearest number that a built figure shows.
distance_to_shown <- function(numbers, built) {
  places <- c("x", "y", "xmin", "xmax", "ymin", "ymax", "xend", "yend")
  shown <- unlist(lapply(built$data, function(layer) {
    c(unlist(layer[intersect(places, names(layer))]), layer$ymax - layer$ymin)
  }))
  shown <- sort(unique(shown[is.finite(shown)]))
  numbers <- unique(numbers[is.finite(numbers)])
  if (!length(numbers)) stop("No numbers: is the name of the column right?")
  below <- findInterval(numbers, shown)
  distances <- abs(cbind(c(NA, shown)[below + 1L], c(shown, NA)[below + 1L]) - numbers)
  max(pmin(distances[, 1L], distances[, 2L], na.rm = TRUE))
}
