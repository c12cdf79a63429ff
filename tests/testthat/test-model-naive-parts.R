test_that("the marginals of a table count cells that were not seen", {
  bank <- list(type = "joint_table", name = "t", features = 1:2, levels = c(2L, 3L))
  state <- list(
    parameters = list(
      cells = rbind(c(1L, 1L), c(2L, 3L)), log_probability = log(rbind(c(0.3, 0.3), c(0.6, 0))),
      log_unseen = log(c(0.1, 0.1))
    ),
    statistics = list(cells = rbind(c(1L, 1L), c(2L, 3L)), count = rbind(c(2, 2), c(5, 0)))
  )
  parts <- bank_parts(bank, state)
  expect_within(exp(parts[[1L]]$parameters$log_probability), rbind(c(0.5, 0.5), c(0.8, 0.2)), 1e-15)
  expect_within(
    exp(parts[[2L]]$parameters$log_probability), rbind(c(0.4, 0.2, 0.4), c(0.7, 0.2, 0.1)), 1e-15
  )
  expect_identical(parts[[2L]]$statistics$count, rbind(c(2, 0, 2), c(5, 0, 0)))
})

test_that("a bank of single features splits into what it was bound from", {
  model <- fit(bayes_naive(laplace = 1), Species ~ ., transform(iris, g = Sepal.Width > 3))
  for (b in seq_along(model$plan$banks)) {
    state <- list(
      parameters = model$parameters$banks[[b]], statistics = model$statistics$banks[[b]]
    )
    parts <- bank_parts(model$plan$banks[[b]], state)
    bound <- bind_parameters(lapply(parts, `[[`, "parameters"))
    expect_identical(
      bound[setdiff(names(bound), "left_out")],
      state$parameters[setdiff(names(state$parameters), "left_out")]
    )
    expect_identical(bind_parameters(lapply(parts, `[[`, "statistics")), state$statistics)
  }
})
