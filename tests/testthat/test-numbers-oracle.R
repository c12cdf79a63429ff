# A second implementation: tools/oracle/ computes the values in oracle/ from the formulas of the
# help pages, in fractions and with 60 digits. Log joints and log likelihoods are compared
# within 1e-13 of max(1, |value|), which is what sums of a few terms should be right to. Where
# rows of a block are nearly singular it is epsilon times their condition (`tolerance` in
# cases.csv), because their own last digit says so much.

read_oracle <- function(name) {
  utils::read.csv(test_path("oracle", paste0(name, ".csv")), stringsAsFactors = FALSE)
}

read_oracle_data <- function(name) {
  data <- read_oracle(name)
  # The level r is declared, and never seen in training.
  if (!is.null(data$g)) data$g <- factor(data$g, c("p", "q", "r"))
  words <- grep("^w[0-9]", names(data))
  if (length(words)) {
    bag <- as.matrix(data[words])
    data[words] <- NULL
    data$words <- bag
  }
  data
}

# Tables, each read once.
oracle_cases <- read_oracle("cases")
oracle_cases$label <- with(oracle_cases, paste(name, data, weights, sep = "/"))
data_names <- c(setdiff(oracle_cases$data, "known"), paste0(unique(oracle_cases$data), "-new"))
oracle_data <- stats::setNames(lapply(data_names, read_oracle_data), data_names)

evaluated <- function(text) {
  withCallingHandlers(
    eval(parse(text = text)),
    bayesrisk_warning_never_best = function(w) tryInvokeRestart("muffleWarning")
  )
}

# The new rows have unknown levels and impossible values on purpose.
quietly <- function(code) {
  suppressWarnings(
    code, classes = paste0("bayesrisk_warning_", c("impossible", "unknown_level"))
  )
}

oracle_model <- function(case) {
  spec <- evaluated(case$spec)
  if (case$data == "known") return(spec)
  data <- oracle_data[[case$data]]
  formula <- stats::as.formula(paste("class ~", case$features))
  if (!nzchar(case$weights)) return(fit(spec, formula, data))
  fit(spec, formula, data, weights = data[[case$weights]])
}

new_rows <- function(case) oracle_data[[paste0(case$data, "-new")]]

# The largest distance, in units of max(1, |expected|); Inf where one is infinite or missing
# and the other is not the same.
distance_from <- function(found, expected) {
  found <- unname(as.matrix(found))
  expected <- unname(as.matrix(expected))
  if (!identical(dim(found), dim(expected))) return(Inf)
  distance <- abs(found - expected) / pmax(1, abs(expected))
  distance[found == expected | (is.na(found) & is.na(expected))] <- 0
  max(replace(distance, is.na(distance), Inf))
}

expect_each_within <- function(distance, tolerance, names) {
  wrong <- sprintf("%s is off by %.3g, more than %.3g", names, distance, tolerance)
  wrong <- wrong[!(distance <= tolerance)]
  expect(length(wrong) == 0L, paste(wrong, collapse = "\n"))
}

# The errors of the log joints of a case, and of the log likelihood of its data, which known models
# do not have.
case_distance <- function(case, expected) {
  model <- oracle_model(case)
  found <- quietly(predict(model, new_rows(case), type = "log_joint"))
  log_lik <- if (case$data == "known") NA_real_ else as.numeric(stats::logLik(model))
  c(
    log_joint = distance_from(found, expected[colnames(found)]),
    log_lik = distance_from(log_lik, case$log_lik)
  )
}

for (kernel in c("baseline", "best")) {
  test_that(paste("log joints of new rows, log likelihoods of the data; kernels:", kernel), {
    if (kernel == "baseline") skip_on_cran()
    expected <- read_oracle("log_joint")
    expected <- split(expected, expected$case)
    distance <- with_kernel(kernel, vapply(oracle_cases$case, function(i) {
      case_distance(oracle_cases[i, ], expected[[i]])
    }, c(log_joint = 0, log_lik = 0)))
    for (of in rownames(distance)) {
      expect_each_within(distance[of, ], oracle_cases$tolerance, paste(of, oracle_cases$label))
    }
  })
}

test_that("expected costs and decisions", {
  costs <- read_oracle("costs")
  costs <- stats::setNames(lapply(costs$text, evaluated), costs$cost)
  expected <- read_oracle("decisions")
  for (part in split(expected, list(expected$case, expected$cost), drop = TRUE)) {
    case <- oracle_cases[oracle_cases$case == part$case[[1L]], ]
    cost <- costs[[part$cost[[1L]]]]
    decided <- quietly(decide(oracle_model(case), new_rows(case), cost))
    expect_identical(as.character(decided$decision), part$decision)
    columns <- paste0("cost_", rownames(cost))
    expect_each_within(distance_from(decided[columns], part[columns]), 1e-13, case$label)
  }
})

test_that("Bayes risks", {
  risks <- read_oracle("risks")
  found <- Map(function(model, cost) {
    bayes_risk(evaluated(model), evaluated(cost))$total
  }, risks$model, risks$cost)
  distance <- abs(unlist(found) - risks$total) / abs(risks$total)
  expect_each_within(distance, 1e-13, paste(risks$model, risks$cost))
})
