# Features that share what they say about the class, so that naive posteriors are too sure.
overlapping <- function(n = 400L) {
  withr::local_seed(7)
  y <- sample(c("a", "b", "c"), n, TRUE)
  z <- stats::rnorm(n) + match(y, c("a", "b", "c"))
  data.frame(
    y = y, x1 = z, x2 = z + stats::rnorm(n, sd = 0.2), x3 = stats::rnorm(n),
    g = sample(c("u", "v"), n, TRUE), h = ifelse(z > 2, "high", "low")
  )
}
