# Models from databases are compared with models from memory.

# Flowers with missing values, texts, whole numbers, truth values and weights. Engines without truth
# values store numbers: `memory` is what such an engine gives back.
database_example <- function(engine) {
  data <- stats::setNames(iris, c("sl", "sw", "pl", "pw", "species"))
  data$species <- as.character(data$species)
  data$shape <- ifelse(data$sl > 5.8, "long", "\u00e9t\u00e9")
  data$shape[[5L]] <- NA
  data$sw[c(2L, 77L)] <- NA
  data$n <- as.integer(round(data$pl))
  data$w <- rep(c(1, 2.5, 0), 50L)
  data$grp <- rep(1:3, 50L)
  data$yes <- data$sl > 6
  memory <- data
  if (engine %in% c("sqlite", "mariadb")) memory$yes <- as.integer(memory$yes)
  list(data = data, memory = memory)
}

database_specs <- function() {
  continuous <- list(
    pl = likelihood_histogram(breaks = "FD"), pw = likelihood_empirical(), sl = likelihood_gamma()
  )
  mixed <- list(
    n = likelihood_poisson(), pl = likelihood_histogram(width = 0.5), pw = likelihood_kernel()
  )
  list(
    naive = list(bayes_naive(), species ~ sl + sw + pl + pw),
    categorical = list(bayes_naive(laplace = 1), species ~ shape + yes),
    mixed = list(bayes_naive(laplace = 1, features = mixed), species ~ . - w - grp - yes),
    continuous = list(bayes_naive(features = continuous), species ~ pl + pw + sl),
    mixture = list(bayes_naive(numeric = likelihood_mixture(2)), species ~ pl),
    counts = list(bayes_naive(numeric = likelihood_negative_binomial()), species ~ n),
    full = list(bayes_full(laplace = 1), species ~ sl + sw + pl + pw + shape),
    em = list(bayes_full(missing = "em"), species ~ sl + sw + pl + pw),
    table = list(bayes_full(laplace = 1), species ~ shape + I(sl > 5)),
    blocks = list(
      bayes_blocks(list(petal = c("pl", "pw")), laplace = 1), species ~ sl + sw + pl + pw + shape
    ),
    functions = list(bayes_naive(), species ~ log(sl) + I(sw / 2)),
    prior = list(bayes_naive(), species ~ 1),
    whole_class = list(bayes_naive(), grp ~ sl + sw),
    condition_class = list(bayes_naive(), I(sl > 5) ~ sw)
  )
}

# The same schema, plan, rows and counts; moments within 1e-12 of their scale.
expect_as_in_memory <- function(found, expected, tolerance = 1e-12) {
  expect_equal(found$schema, expected$schema)
  expect_identical(found$plan, expected$plan)
  expect_equal(found$rows, expected$rows)
  expect_equal(found$statistics$classes, expected$statistics$classes, tolerance = 1e-15)
  for (i in seq_along(expected$statistics$banks)) {
    own <- found$statistics$banks[[i]]
    other <- expected$statistics$banks[[i]]
    if (!is.null(other$mean_low)) {
      expect_lt(largest_gap(own, other), tolerance)
      own[c("mean", "mean_low")] <- other[c("mean", "mean_low")]
    }
    # A triangle with a 0 on its diagonal is not unique; its square is.
    if (any(vapply(other$triangle, function(r) any(diag(r) == 0), NA))) {
      own$triangle <- lapply(own$triangle, crossprod)
      other$triangle <- lapply(other$triangle, crossprod)
    }
    expect_equal(own, other, tolerance = tolerance)
  }
}

# The largest difference of two means, in standard deviations. The last digit of a mean in two parts
# is never more than 1e-30 of it.
largest_gap <- function(own, other) {
  spread <- abs(other$mean)
  if (!is.null(other$scatter)) spread <- sqrt(other$scatter)
  if (!is.null(other$triangle)) {
    spread <- do.call(rbind, lapply(other$triangle, function(r) sqrt(colSums(r^2))))
  }
  gap <- abs((own$mean - other$mean) + (own$mean_low - other$mean_low))
  scale <- pmax(spread / sqrt(pmax(c(other$weight), 1)), 1e-16 * abs(other$mean))
  max(0, (gap / scale)[gap > 0 & c(other$weight) > 0])
}

# The text of the error, message by message; "" for none.
said_error <- function(expr) {
  tryCatch({
    suppressWarnings(expr)
    ""
  }, error = function(e) cli::ansi_strip(conditionMessage(e)))
}
