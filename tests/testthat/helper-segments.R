# Cases of four segments, some without one, for tests of assessments by segment.
segment_cases <- function(n = 240) {
  withr::local_seed(7)
  data <- data.frame(
    sex = sample(c("f", "m"), n, TRUE),
    region = factor(sample(c("south", "north"), n, TRUE, c(0.3, 0.7)), c("south", "north", "east")),
    patient = seq_len(n) %/% 2, weight = stats::runif(n), amount = stats::rexp(n) + 1
  )
  data$y <- factor(ifelse(stats::runif(n) < 0.3, "ill", "well"))
  data$x <- stats::rnorm(n, 1.5 * (data$y == "ill") * ifelse(data$sex == "f", 1, 0.6))
  data$sex[c(3, 8)] <- NA
  data
}

segment_model <- function() {
  bayes_known(c(ill = 0.3, well = 0.7), x = likelihood_gaussian(
    mean = c(ill = 1.5, well = 0), sd = 1
  ))
}

segment_cost <- function() {
  cost_matrix(ill = c(ill = 0, well = 1), well = c(ill = 5, well = 0), refer = 0.6)
}

# The numbers of an assessment, in one vector.
assessed_values <- function(x) {
  unlist(lapply(unclass(x)[setdiff(names(x), "version")], function(part) {
    if (is.data.frame(part)) part <- part[vapply(part, is.numeric, NA)]
    if (is.list(part) || is.numeric(part)) part
  }))
}
