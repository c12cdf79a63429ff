test_that("models print side by side", {
  models <- list(
    naive = fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis),
    full = fit(bayes_full(laplace = 1), play ~ outlook + wind, play_tennis)
  )
  open <- play_tennis
  open$play[[1]] <- NA
  expect_snapshot({
    compare_decisions(models, data = play_tennis)
    print(compare_decisions(models, world = "full"), digits = 3)
    suppressWarnings(compare_decisions(models, data = open, world = "naive"))
    compare_decisions(models, data = play_tennis)[c("model", "errors")]
  })
})

test_that("a comparison that has lost its cases prints as a data frame", {
  model <- fit(bayes_naive(), y ~ x, mixed())
  compared <- compare_decisions(list(first = model, second = model), data = mixed())
  expect_output(print(structure(compared, cases = NULL)), "\n +model +agree")
})
