# What the tree costs each case, followed by hand: levels and numbers by the printed answers, panels
# by the densities of the block, which are known.
cost_by_panels <- function(plan, cases, truth, log_ratio) {
  tree <- plan$tree
  vapply(seq_len(nrow(cases)), function(i) {
    node <- 1L
    paid <- 0
    while (!is.na(tree$test[[node]])) {
      paid <- paid + tree$price[[node]]
      own <- which(tree$parent == node)
      value <- if (is.na(tree$class[[own[[1L]]]])) {
        cases[[tree$feature[[node]]]][[i]]
      } else {
        log_ratio[[tree$test[[node]]]][[i]]
      }
      ends <- if (is.na(tree$class[[own[[1L]]]])) tree$from[own] else plan$log_ratio[own]
      node <- if (is.na(tree$from[[own[[1L]]]])) {
        own[[match(as.character(value), tree$answer[own])]]
      } else {
        own[[max(which(value >= ends))]]
      }
    }
    paid + as.matrix(plan_cost)[tree$action[[node]], truth[[i]]]
  }, 1)
}
plan_cost <- cost_matrix(treat = c(No = 3, Yes = 1), leave = c(No = 0, Yes = 15), refer = 2)

test_that("the tree of levels, counts and panels is followed as it is printed", {
  skip_on_cran()
  skip_if_not_installed("MASS")
  data <- MASS::Pima.tr
  data$old <- factor(data$age > 30, labels = c("no", "yes"))
  spec <- bayes_blocks(
    list(blood = c("glu", "bp"), body = c("bmi", "skin")),
    features = list(npreg = likelihood_poisson()), laplace = 1
  )
  model <- fit(spec, type ~ glu + bp + bmi + skin + npreg + old, data)
  price <- c(blood = 0.1, body = 0.05, npreg = 0.01, old = 0.01)
  plan <- test_plan(model, plan_cost, price, min_probability = 0.05)
  expect_true(anyNA(plan$tree$class) && !all(is.na(plan$tree$class)))
  drawn <- simulate(model, 4000, seed = 5)
  found <- assess_plan(plan, drawn, interval = "none")
  expect_identical(found$rule[[2]], "tree")
  blocks <- list(blood = c("glu", "bp"), body = c("bmi", "skin"))
  ratio <- lapply(blocks, function(block) {
    by_class <- lapply(c("No", "Yes"), function(class) {
      own <- data[data$type == class, block]
      log_normal(drawn[block], colMeans(own), stats::cov(own))
    })
    by_class[[2]] - by_class[[1]]
  })
  paid <- cost_by_panels(plan, drawn, as.character(drawn$type), ratio)
  expect_within(found$cost[[2]], mean(paid), 1e-9)
  expect_lte(abs(mean(paid) - plan$tree$cost[[1]]), 3 * stats::sd(paid) / sqrt(4000))
})

test_that("a level that no class can have, and counts at a cut", {
  p <- rbind(ill = c(pos = 0.9, neg = 0.1, lost = 0), well = c(0.2, 0.8, 0))
  model <- bayes_known(
    prior = c(ill = 0.3, well = 0.7), test = p, n = likelihood_poisson(rate = c(ill = 6, well = 1))
  )
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
  plan <- test_plan(model, cost, price = 0.1, max_depth = 1)
  expect_identical(plan$tree$test[[1]], "n")
  cut <- plan$tree$from[[3]]
  cases <- data.frame(test = c("pos", "neg", "lost"), n = cut + c(-1, 0, 0))
  values <- list(test = 1:3, n = as.double(cases$n))
  followed <- follow_tree(plan, values, 1L, NULL)
  expect_identical(plan$cost$actions[followed$action], c("wait", "treat", "treat"))
  expect_identical(followed$price, rep(0.1, 3))
})
