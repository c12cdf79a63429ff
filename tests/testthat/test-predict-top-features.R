mails <- function() {
  withr::local_seed(4)
  x <- matrix(
    stats::rpois(240, rep(c(0.3, 2, 1, 0, 0.7, 1), each = 40)), 40,
    dimnames = list(sprintf("m%d", 1:40), c("offer", "you", "the", "never", "meeting", "x"))
  )
  class <- rep_len(c("ham", "spam", "list", "ham"), 40)
  x[class == "spam", "offer"] <- x[class == "spam", "offer"] + 2
  data <- data.frame(class = class, size = stats::rnorm(40, 3), row.names = rownames(x))
  data$words <- x
  data
}

# The formula of Monroe, Colaresi and Quinn, of one term.
fightin <- function(y, n, y2, n2, a, total) {
  h <- c(y, y2) + a
  m <- c(n, n2) + total - h
  delta <- log(h[[1]] / m[[1]]) - log(h[[2]] / m[[2]])
  variance <- sum(1 / h) + sum(1 / m)
  c(delta, variance, delta / sqrt(variance))
}

test_that("terms of classes are ranked by the z of their log odds", {
  data <- mails()
  model <- fit(bayes_text(laplace = 0.5), class ~ words + size, data)
  found <- top_features(model, n = 6)
  expect_identical(levels(found$class), c("ham", "list", "spam"))
  expect_identical(nrow(found), 18L)
  for (i in seq_len(nrow(found))) {
    own <- data$class == found$class[[i]]
    y <- sum(data$words[own, found$term[[i]]])
    y2 <- sum(data$words[!own, found$term[[i]]])
    expect_identical(c(found$count[[i]], found$count_others[[i]]), c(y, y2))
    expected <- fightin(y, sum(data$words[own, ]), y2, sum(data$words[!own, ]), 0.5, 0.5 * 6)
    expect_equal(unlist(found[i, c("log_odds", "variance", "z")], use.names = FALSE), expected,
                 tolerance = 1e-12)
  }
  for (z in split(found$z, found$class)) expect_false(is.unsorted(rev(z)))
  expect_identical(found$term[found$class == "spam"][[1]], "offer")
  # The first terms, and chosen classes in their order
  few <- top_features(model, n = 2, class = c("spam", "ham"))
  expect_identical(as.character(few$class), rep(c("spam", "ham"), each = 2))
  expect_identical(few$term[1:2], found$term[found$class == "spam"][1:2])
})

test_that("presences and rates have log odds of their own", {
  data <- mails()
  bernoulli <- top_features(fit(bayes_text("bernoulli", laplace = 2), class ~ words, data), n = 1)
  here <- data$words[data$class == "spam", "offer"] > 0
  there <- data$words[data$class != "spam", "offer"] > 0
  expect_identical(bernoulli$term[[3]], "offer")
  expect_equal(
    unlist(bernoulli[3, 5:7], use.names = FALSE),
    fightin(sum(here), length(here), sum(there), length(there), 2, 4), tolerance = 1e-12
  )
  poisson <- top_features(fit(bayes_text("poisson"), class ~ words, data), class = "spam", n = 1)
  y <- sum(data$words[data$class == "spam", "offer"]) + 1
  y2 <- sum(data$words[data$class != "spam", "offer"]) + 1
  ratio <- log(y / (length(here) + 1)) - log(y2 / (length(there) + 1))
  expect_equal(
    unlist(poisson[5:7], use.names = FALSE), c(ratio, 1 / y + 1 / y2, ratio / sqrt(1 / y + 1 / y2)),
    tolerance = 1e-12
  )
  # Complement weights are ranked by their counts
  same <- top_features(fit(bayes_text("complement"), class ~ words, data))
  expect_identical(same, top_features(fit(bayes_text(), class ~ words, data)))
})

test_that("without smoothing, terms that one side lacks come last", {
  x <- rbind(c(a = 3, b = 1, c = 0), c(0, 2, 2))
  found <- top_features(fit(bayes_text(laplace = 0), x, c("u", "v")), class = "u")
  expect_identical(found$term, c("b", "a", "c"))
  expect_identical(is.na(found$z), c(FALSE, TRUE, TRUE))
  expect_identical(found$log_odds[2:3], c(Inf, -Inf))
})

test_that("the terms of a case add up to the bag's part of contributions()", {
  data <- mails()
  data$words[7, ] <- 0
  for (way in c("multinomial", "bernoulli", "complement", "poisson")) {
    model <- fit(bayes_text(way), class ~ size + words, data)
    for (object in list(model, temper(model, data, by = "block", folds = 3))) {
      of_bag <- contributions(object, data)[, "words", ]
      for (n in c(1, 100)) {
        found <- top_features(object, n = n, newdata = data)
        sums <- tapply(found$contribution, found$case, sum)
        one <- found[match(names(sums), found$case), ]
        expected <- of_bag[cbind(names(sums), as.character(one$class))] -
          of_bag[cbind(names(sums), as.character(one$against))]
        expect_equal(as.vector(sums), expected, tolerance = 1e-10)
      }
    }
  }
})

test_that("a contribution is the count times the difference of the coefficients", {
  data <- mails()
  model <- fit(bayes_text(), class ~ words, data)
  found <- top_features(model, class = "spam", newdata = data)
  theta <- log(coef(model)$words)
  expected <- data$words[cbind(as.character(found$case), found$term)] * (
    theta[cbind("spam", found$term)] - theta[cbind(as.character(found$against), found$term)]
  )
  expect_equal(found$contribution, unname(expected), tolerance = 1e-12)
  joint <- predict(model, data, type = "log_joint")[, c("ham", "list")]
  expect_identical(as.character(found$against[found$case == "m1"][[1]]),
                   colnames(joint)[[which.max(joint["m1", ])]])
  # The most probable class, and the largest contributions first
  own <- top_features(model, newdata = data, n = 2)
  expect_identical(
    as.character(own$class[!duplicated(own$case)]),
    as.character(predict(model, data))[match(unique(own$case), rownames(data))]
  )
  others <- own[grepl("other", own$term), ]
  expect_true(all(is.na(others$count)))
  many <- sum(data$words["m1", ] > 0) - 2
  expect_identical(
    others$term[others$case == "m1"], sprintf("(%d %s)", many, if (many == 1) "other" else "others")
  )
})

test_that("unknown terms, impossible cases and sparse matrices", {
  data <- mails()
  model <- fit(bayes_text(), class ~ words, data)
  new <- cbind(data$words[1:2, ], zebra = 1)
  expect_warning(
    found <- top_features(model, newdata = list(words = new)),
    class = "bayesrisk_warning_unknown_term"
  )
  expect_identical(found, top_features(model, newdata = data[1:2, ]))
  raw <- fit(bayes_text(laplace = 0), rbind(c(a = 1, b = 0), c(0, 1)), c("u", "v"))
  cases <- rbind(c(a = 1, b = 1), c(1, 0))
  expect_warning(
    found <- top_features(raw, newdata = cases), class = "bayesrisk_warning_impossible"
  )
  expect_identical(as.character(found$case), "2")
  expect_identical(found$contribution, Inf)
  expect_identical(nrow(top_features(model, newdata = data[0, ])), 0L)
  sparse <- data
  sparse$words <- Matrix::Matrix(data$words[, 6:1], sparse = TRUE)
  dense <- top_features(model, newdata = data)
  expect_setequal(
    do.call(paste, as.data.frame(top_features(model, newdata = sparse))),
    do.call(paste, as.data.frame(dense))
  )
})

test_that("models without a bag and wrong arguments are errors", {
  skip_on_cran()
  data <- mails()
  model <- fit(bayes_text(), class ~ words + size, data)
  expect_bayesrisk_error(top_features(iris_naive()), "argument", "no bag of terms")
  expect_bayesrisk_error(top_features(), "argument", "object")
  gaussian <- suppressWarnings(fit(bayes_naive(), class ~ words, data))
  expect_bayesrisk_error(top_features(gaussian), "argument", "no counts")
  expect_s3_class(top_features(gaussian, newdata = data), "bayesrisk_case_features")
  expect_bayesrisk_error(top_features(model, class = "eggs"), "argument", "class")
  expect_bayesrisk_error(
    top_features(model, class = c("ham", "spam"), newdata = data), "argument", "class"
  )
  expect_bayesrisk_error(top_features(model, n = 0), "argument", "n")
  expect_bayesrisk_error(top_features(model, features = "size"), "argument", "features")
  expect_bayesrisk_error(top_features(model, prior = c(1, 1, 1) / 3), "argument", "prior")
  data$more <- data$words
  two <- fit(bayes_text(), class ~ words + more, data)
  expect_bayesrisk_error(top_features(two), "argument", "features.*words.*more")
  expect_identical(nrow(top_features(two, n = 1, features = "more")), 3L)
  drawn <- simulate_parameters(model, 1)[[1]]
  expect_bayesrisk_error(top_features(drawn), "argument", "no counts")
  expect_s3_class(top_features(drawn, newdata = data), "bayesrisk_case_features")
  one <- one_class(fit(bayes_text(), class ~ words, data[data$class == "ham", ]))
  expect_bayesrisk_error(top_features(one), "argument", "one class")
  fixed <- list(object = model, newdata = data)
  for (arg in c("n", "class", "features", "prior")) {
    expect_fuzz_proof(top_features, arg, fixed, is.data.frame)
  }
})

test_that("results print by class and by case, and subsets are tables", {
  model <- fit(bayes_text(), class ~ words, mails())
  found <- top_features(model, n = 2)
  shown <- format(found)
  expect_match(shown, "class ham:", fixed = TRUE, all = FALSE)
  expect_match(shown, "Ranked by z: log odds", all = FALSE)
  rates <- top_features(fit(bayes_text("poisson"), class ~ words, mails()), n = 2)
  expect_match(format(rates), "log ratios of the rates", all = FALSE)
  cases <- top_features(model, newdata = mails(), n = 2)
  expect_match(format(cases), "case m1: ", all = FALSE)
  expect_match(format(cases), "and 37 more cases", all = FALSE)
  expect_match(format(cases, n = 40), "case m40: ", all = FALSE)
  expect_s3_class(found[1:2, ], "bayesrisk_top_features")
  expect_identical(class(found[1:3]), "data.frame")
  expect_identical(class(as.data.frame(cases)), "data.frame")
  expect_identical(tidy(found), as.data.frame(found))
})

test_that("cases of the same name stay apart", {
  data <- mails()
  model <- fit(bayes_text(), class ~ words, data)
  named <- data$words
  rownames(named) <- rep(c("a", "b"), 20)
  found <- top_features(model, n = 100, newdata = list(words = named))
  expect_identical(nlevels(found$case), 40L)
  expect_identical(levels(found$case)[1:4], c("a", "b", "a.1", "b.1"))
  expect_identical(found[-1], top_features(model, n = 100, newdata = data)[-1])
})
