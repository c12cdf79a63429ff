# Posteriors of ours against those of the model's own package. Log joints beyond 100 lose digits in
# both.
expect_same_posterior <- function(model, newdata, theirs, tolerance = 1e-14) {
  ours <- predict(model, newdata, type = "prob")
  size <- abs(predict(model, newdata, type = "log_joint"))
  size <- apply(ifelse(is.finite(size), size, 0), 1L, max)
  if (!is.null(colnames(theirs))) theirs <- theirs[, colnames(ours)]
  expect_within(ours, theirs, tolerance, scale = as.vector(pmax(1, size / 100) + 0 * ours))
}

# Identical in every bit: -0 and 0 differ.
expect_same_bits <- function(x, y, label = NULL) {
  same <- identical(x, y, num.eq = FALSE, single.NA = FALSE)
  expect(same, paste("Not the same bits:", label))
}
