test_that("the example of two tests has the costs of its closed form", {
  plan <- two_tests()
  # A positive answer has .1 * .9 + .9 * .2 = .27. Twice positive: .1 * .81 ill, .9 * .04 well.
  expect_within(plan$value, 0.1 + 0.08 + 0.027 + 4 * 0.9 * 0.04 + 8 * 0.009, 1e-12)
  expect_within(plan$value, 0.423, 1e-12)
  expect_within(count_steps(plan$tree)$mean, 1.27, 1e-12)
  expect_identical(count_steps(plan$tree)$most, 2L)
  expect_within(reach_of(plan$tree), c(1, 0.27, 0.117, 0.153, 0.73), 1e-12)
  expect_identical(depth_of(plan$tree), c(0L, 1L, 2L, 2L, 1L))
  expect_identical(sum_below(plan$tree, rep(1L, 5L)), c(5L, 3L, 1L, 1L, 1L))
})

test_that("the cost of each test is its price and the mean cost of its answers", {
  skip_on_cran()
  for (plan in list(two_tests(), wide_plan(), wide_plan(visit = 0.05))) {
    tree <- plan$tree
    for (i in which(!is.na(tree$test))) {
      below <- which(tree$parent == i)
      expect_within(sum(tree$probability[below]), 1, 1e-12)
      mean <- sum(tree$probability[below] * tree$cost[below])
      expect_within(tree$cost[[i]], tree$price[[i]] + mean, 1e-12)
    }
    expect_within(tree$cost[[1L]], plan$value, 1e-12)
    # The costs of the ends and all prices on the way, by their reach.
    reach <- reach_of(tree)
    ends <- !is.na(tree$action)
    expect_within(
      sum((reach * tree$cost)[ends]) + sum((reach * tree$price)[!ends]), plan$value, 1e-12
    )
  }
  expect_identical(nrow(wide_plan()$tree), 40L)
})

test_that("a panel is one step, and its features are read in turn", {
  tree <- panel_plan()$tree
  expect_identical(which(is_continued(tree)), 3L)
  expect_identical(which(is_step(tree)), c(1L, 4L))
  expect_within(count_steps(tree)$mean, 1 + 0.3 * 0.4, 1e-12)
  expect_identical(count_steps(tree)$most, 2L)
  expect_identical(path_texts(tree)[[6L]], "glu >= 108.3; insulin < 70; first = pos")
})

test_that("shown are the tests that most cases reach", {
  skip_on_cran()
  tree <- unite_rare(wide_plan()$tree, all = TRUE)
  expect_identical(tree[names(wide_plan()$tree)], wide_plan()$tree)
  reach <- reach_of(tree)
  for (most in c(1L, 7L, 8L, 20L, 39L)) {
    open <- open_nodes(tree, most, count_answers(tree))
    shown <- shown_nodes(tree, open)
    # The answers of the root are shown anyway.
    expect_lte(length(shown), max(most, 6L))
    # Above each shown node all are open.
    expect_true(all(open[tree$parent[setdiff(shown, 1L)]]))
    expect_identical(length(shown), 1L + sum(count_answers(tree)[open]))
    shut <- setdiff(shown[!is.na(tree$test[shown])], which(open))
    fits <- length(shown) + count_answers(tree)[shut] <= most
    expect_false(any(fits))
  }
  expect_identical(open_nodes(tree, 40L, count_answers(tree)), !is.na(tree$test))
  expect_identical(shown_nodes(tree, !is.na(tree$test)), 1:40)
  # The fourth answer of the root, 108.3 to 141.2, has the most cases.
  first <- open_nodes(tree, 10L, count_answers(tree))
  expect_identical(sum(first), 2L)
  expect_identical(which(first)[[2L]], which.max(replace(reach * !is.na(tree$test), 1L, 0)))
  expect_identical(max(depth_of(tree)[open_nodes(tree, 99L, count_answers(tree), 2L)]), 1L)
  open <- open_nodes(tree, 20L, count_answers(tree))
  hidden <- count_hidden(tree, open)
  expect_identical(sum(hidden[shown_nodes(tree, open)]) + length(shown_nodes(tree, open)), 40L)
})

# A number with intervals 2 to 6, of which 2 and 3 are rare (below 3 is a test), and 5 alone; below
# 4 levels, of which 8, 10 and 11 are rare.
rare_tree <- function() {
  end <- function(n) rep("stop", n)
  data.frame(
    node = 1:13, parent = c(NA, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 3, 3),
    answer = c(NA, sprintf("interval %d", 2:6), letters[1:7]),
    test = c("x", NA, "u", "v", rep(NA, 9)), action = c(NA, "stop", NA, NA, end(9)),
    probability = c(1, 4e-4, 3e-4, 0.6, 2e-4, 0.3991, 0.5, 1e-3, 0.498, 4e-4, 6e-4, 0.1, 0.9),
    cost = 1, price = c(1, NA, 1, 1, rep(NA, 9)), feature = c("x", NA, "u", "v", rep(NA, 9)),
    from = c(NA, -Inf, 1, 2, 3, 4, rep(NA, 7)), to = c(NA, 1, 2, 3, 4, Inf, rep(NA, 7)),
    class = NA_character_, whole = FALSE
  )
}

test_that("rare answers side by side, or of levels, are one", {
  tree <- unite_rare(rare_tree(), all = FALSE)
  expect_identical(tree$leader, c(1L, 2L, 2L, 4:7, 8L, 9L, 8L, 8L, 12L, 12L))
  expect_identical(tree$size, c(1L, 2L, 2L, 1L, 1L, 1L, 1L, 3L, 1L, 3L, 3L, 2L, 2L))
  expect_identical(c(tree$from[[2L]], tree$to[[2L]]), c(-Inf, 2))
  expect_within(tree$probability[c(2L, 8L)], c(7e-4, 2e-3), 1e-15)
  expect_identical(tree$answer[[8L]], "3 answers")
  open <- open_nodes(tree, 20L, count_answers(tree))
  expect_identical(which(open), c(1L, 4L))
  expect_identical(shown_nodes(tree, open), c(1L, 2L, 4L, 7L, 8L, 9L, 5L, 6L))
  expect_identical(count_hidden(tree, open)[c(2L, 8L, 5L)], c(3L, 2L, 0L))
  plan <- two_tests()
  plan$tree <- rare_tree()
  plan$cost$actions <- "stop"
  lines <- format(plan, n = 12)
  expect_match(lines, "^    < 2 [(]under 0.1 %[)]: [.]{3} [(]3 more lines[)]$", all = FALSE)
  expect_match(lines, "^      3 answers [(]0.2 %[)]: [.]{3} [(]2 more lines[)]$", all = FALSE)
  expect_match(lines, "... and 5 more lines", fixed = TRUE, all = FALSE)
  # Where all fits, all is shown.
  expect_no_match(format(plan), "more line")
  drawn <- suppressMessages(draw(plan, limit = 7))
  expect_identical(drawn$label[c(2L, 5L)], c("1 more step", "3 decisions"))
  expect_identical(drawn$answer[c(2L, 5L)], c("< 2", "3 answers"))
})

test_that("the order of the rows does not matter, if parents stand before their children", {
  skip_on_cran()
  plan <- wide_plan()
  tree <- plan$tree
  # Level by level instead of branch by branch.
  order <- order(depth_of(tree), tree$node)
  wide <- tree[order, ]
  wide$parent <- match(wide$parent, wide$node)
  wide$node <- seq_len(nrow(wide))
  rownames(wide) <- NULL
  other <- plan
  other$tree <- wide
  expect_identical(format(other, n = 40), format(plan, n = 40))
  expect_identical(format(other), format(plan))
  expect_identical(sort(path_texts(wide)), sort(path_texts(tree)))
})

test_that("cuts have few digits, and as many as tell them apart", {
  tree <- data.frame(
    parent = c(NA, 1L, 1L, 1L, 1L), answer = c(NA, "u", "v", "w", "x"),
    from = c(NA, -Inf, 108.3121, 108.3124, 141.25), to = c(NA, 108.3121, 108.3124, 141.25, Inf),
    class = NA_character_, whole = FALSE
  )
  expect_identical(
    answer_texts(tree, 4L),
    c(NA, "< 108.3121", "108.3121 to 108.3124", "108.3124 to 141.25", ">= 141.25")
  )
  tree$from[4:5] <- tree$to[3:4] <- c(120, 141.25)
  expect_identical(answer_texts(tree, 4L)[-1L], c("< 108.3", "108.3 to 120", "120 to 141.2",
                                                  ">= 141.2"))
  expect_identical(number_answers(-Inf, Inf, 4L), "any number")
  expect_identical(
    distinct_texts(c(0, 100000, 1e-7, 2e20, 0, -Inf), 3L),
    c("0", "100000", "1e-07", "2e+20", "0", "-Inf")
  )
})

test_that("a tree that is none is an error of the object", {
  skip_on_cran()
  plan <- two_tests()
  damages <- list(
    list("parent", c(NA, 3L, 2L, 2L, 1L)), list("node", 5:1), list("parent", 1:5),
    list("test", rep("a", 5)), list("parent", c(NA, 1, 2, 2, NA))
  )
  for (damage in damages) {
    plan$tree <- two_tests()$tree
    plan$tree[[damage[[1L]]]] <- damage[[2L]]
    for (use in list(format, tidy, glance, plot)) {
      expect_error(use(plan), class = "bayesrisk_error_object")
    }
  }
  plan$tree <- two_tests()$tree
  plan$cost$actions <- "treat"
  expect_error(plot(plan), class = "bayesrisk_error_object")
  plan$tree <- two_tests()$tree[0, ]
  expect_error(print(plan), class = "bayesrisk_error_object")
})
