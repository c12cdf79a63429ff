odd_columns <- function(n = 120L) {
  withr::local_seed(1)
  data.frame(
    y = rep(c("yes", "no"), n / 2), customer = sprintf("c%04d", seq_len(n)),
    price = format(seq(1000, 9000, length.out = n), big.mark = ","),
    german = format(round(runif(n) * 1e4, 2), decimal.mark = ",", big.mark = "."),
    euro = sprintf("EUR %.2f", runif(n) * 100), share = sprintf("%d %%", sample(1:100, n, TRUE)),
    plain = c("?", format(rnorm(n - 1L))), flag = rep(c(0, 0, 1), n / 3),
    zip_code = sample(c(10115, 20095, 80331), n, TRUE), rating = sample(1:5, n, TRUE),
    comment = paste("it was", seq_len(n), "times as good as", rev(seq_len(n))), size = rnorm(n),
    colour = sample(c("red", "blue"), n, TRUE)
  )
}

test_that("each kind of column is found, with a remedy that works", {
  data <- odd_columns()
  found <- as.data.frame(check_features(y ~ ., data))
  rownames(found) <- found$feature
  quiet <- c("rating", "size", "colour")
  expect_identical(rownames(found)[is.na(found$remark)], quiet)
  expect_match(found["customer", "remark"], "120 different texts in 120 rows")
  expect_identical(found["comment", "remark"], "sentences")
  expect_match(found["comment", "remedy"], "counts <- quanteda.*bayes_text")
  expect_identical(found[c("price", "german", "euro", "share", "plain"), "remark"],
                   rep("numbers as text", 5))
  mended <- data
  for (name in c("price", "german", "euro", "share", "plain", "flag", "zip_code", "customer")) {
    place <- list2env(list(data = mended))
    suppressWarnings(eval(parse(text = found[name, "remedy"]), place))
    mended <- place$data
  }
  expect_equal(mended$price, seq(1000, 9000, length.out = 120), tolerance = 1e-3)
  expect_equal(mended$share, as.numeric(sub(" %", "", data$share)) / 100)
  expect_equal(mended$euro, as.numeric(sub("EUR ", "", data$euro)))
  expect_equal(range(mended$german) > c(0, 5000), c(TRUE, TRUE))
  expect_s3_class(mended$flag, "factor")
  expect_null(mended$customer)
  expect_null(questioned(fit(bayes_naive(laplace = 1), y ~ . - comment, mended)))
})

test_that("a fit says it once, at most five columns, and an option ends it", {
  data <- odd_columns()
  found <- questioned(fit(bayes_naive(laplace = 1), y ~ ., data))
  expect_identical(nrow(found), 9L)
  expect_snapshot(invisible(fit(bayes_naive(laplace = 1), y ~ ., data)))
  withr::with_options(
    list(bayesrisk.columns = FALSE),
    expect_null(questioned(fit(bayes_naive(laplace = 1), y ~ ., data)))
  )
  flag <- data.frame(flag = data$flag)
  expect_identical(questioned(fit(bayes_naive(), flag, data$y))$feature, "flag")
  expect_identical(questioned(fit_xy(bayes_naive(), as.matrix(flag), data$y))$feature, "flag")
  expect_identical(nrow(questioned(fit(bayes_naive(), y ~ flag, chunked(data, 50L)))), 1L)
  expect_null(questioned(fit(bayes_naive(), y ~ flag, data_parts(list(data)))))
  groups <- questioned(fit(bayes_naive(), y ~ flag, data, by = colour))
  expect_identical(groups$feature, "flag")
})

test_that("numbers are questioned only where they are modelled by normals", {
  data <- odd_columns()
  numeric <- list(likelihood_kernel(), likelihood_poisson(), likelihood_empirical())
  for (likelihood in numeric) {
    expect_null(questioned(fit(bayes_naive(numeric = likelihood), y ~ flag, data)))
  }
  expect_null(questioned(fit(bayes_naive(), y ~ factor(flag), data)))
  expect_identical(questioned(fit(bayes_full(), y ~ flag + size, data))$feature, "flag")
})

test_that("the counts of a table are questioned where they are a feature", {
  titanic <- as.data.frame(Titanic)
  spec <- bayes_naive()
  said <- expect_message(
    fit(spec, Survived ~ ., titanic), class = "bayesrisk_message_columns"
  )
  expect_identical(said$columns$feature, "Freq")
  model <- expect_no_message(eval(str2lang(said$columns$remedy)))
  expect_equal(model$parameters$prior, c(1490, 711) / 2201)
  # A number beside other numbers, or another name, is no count.
  expect_no_message(fit(spec, Survived ~ ., transform(titanic, x = seq_along(Freq) / 7)))
  expect_no_message(fit(spec, Survived ~ ., stats::setNames(titanic, c(names(titanic)[-5], "n"))))
})

test_that("cross-validation, statistics and frameworks ask nothing", {
  data <- odd_columns()
  expect_null(questioned({
    set.seed(1)
    cv_risk(bayes_naive(), y ~ flag, data, folds = 3)
    bayes_statistics(bayes_naive(), y ~ flag, data)
    bayes_classifier(data["flag"], data$y)
  }))
})

test_that("codes are found by the evidence, a second implementation", {
  set.seed(2)
  y <- rep(1:3, each = 100)
  # The middle class has both ends.
  x <- c(sample(3:4, 100, TRUE), sample(c(1, 6), 100, TRUE), sample(2:5, 100, TRUE))
  marginal <- function(v, levels) {
    n <- table(factor(v, levels))
    lgamma(length(levels)) - lgamma(length(levels) + length(v)) + sum(lgamma(1 + n))
  }
  # The predictive densities of a normal with unknown mean and variance, one after the other.
  normal <- function(v, mean, variance) {
    total <- 0
    m <- mean
    kappa <- nu <- 1
    scatter <- variance
    for (one in v) {
      scale <- sqrt(scatter / nu * (1 + 1 / kappa))
      total <- total + stats::dt((one - m) / scale, nu, log = TRUE) - log(scale)
      scatter <- scatter + kappa / (kappa + 1) * (one - m)^2
      m <- (kappa * m + one) / (kappa + 1)
      kappa <- kappa + 1
      nu <- nu + 1
    }
    total
  }
  spread <- mean((x - mean(x))^2)
  gain <- function(evidence) sum(vapply(split(x, y), evidence, 1)) - evidence(x)
  expected <- gain(function(v) marginal(v, sort(unique(x)))) -
    gain(function(v) normal(v, mean(x), spread))
  data <- data.frame(y = factor(y), x = x)
  cases <- read_cases(
    data, fit_request(y ~ ., rlang::quo(NULL), rlang::quo(NULL), "na.pass", 1L), NULL
  )
  found <- column_values_cpp(cases$frame, 1L, cases$group, cases$weights, 3L, 12L, 10L)
  expect_equal(found$gain, expected, tolerance = 1e-10)
  expect_gt(expected, log(100))
  expect_match(check_features(y ~ x, data)$remark, "6 different numbers")
  # Ratings that rise with the class are well modelled by normals.
  rising <- data.frame(y = factor(y), x = pmin(5, pmax(1, round(rnorm(300, y + 1)))))
  expect_true(is.na(check_features(y ~ x, rising)$remark))
})

test_that("a name is code only as a word", {
  data <- data.frame(y = rep(1:2, 60), width = 1, groupId = rep(1:4, 30), typeface = rep(1:3, 40))
  names(data)[[2]] <- "idle"
  data$idle <- rep(1:5, 24)
  found <- as.data.frame(check_features(y ~ ., data))
  expect_identical(found$feature[!is.na(found$remark)], "groupId")
})

test_that("whole numbers of a factor, or of an identifier, are no numbers", {
  data <- data.frame(
    y = rep(1:2, 60), ID = as.character(1e4 + 1:120), speaker = factor(rep(1:15, 8)),
    amount = as.character(1e4 + 1:120)
  )
  found <- as.data.frame(check_features(y ~ ., data))
  expect_match(found$remark[[1]], "identifier")
  expect_true(is.na(found$remark[[2]]))
  expect_identical(found$remark[[3]], "numbers as text")
})

test_that("a text in place of counts of terms is always questioned", {
  data <- data.frame(y = c("spam", "ham"), text = c("win cash now", "see you"))
  found <- questioned(fit(bayes_text(), y ~ text, data))
  expect_identical(found$feature, "text")
  expect_match(found$remedy, "quanteda::dfm(quanteda::tokens", fixed = TRUE)
  counted <- list(
    words = matrix(1:4, 2, dimnames = list(NULL, c("u", "v"))),
    data.frame(y = data$y, from = c("ann", "bob"))
  )
  expect_null(questioned(fit(bayes_text(), y ~ ., counted)))
})

test_that("decimal commas with three digits are no thousands if a number begins with 0", {
  withr::local_seed(3)
  x <- round(stats::runif(120), 3)
  data <- data.frame(y = rep(1:2, 60), x = formatC(x, 3, format = "f", decimal.mark = ","))
  shares <- data
  eval(parse(text = check_features(y ~ x, shares)$remedy))
  expect_identical(shares$x, x)
})

test_that("the remedy has the name that the user gave the table", {
  flags <- data.frame(y = rep(1:2, 40), `a flag` = rep(c(0, 0, 1, 1), 20), check.names = FALSE)
  remedy <- "flags$`a flag` <- factor(flags$`a flag`)"
  expect_identical(questioned(fit(bayes_naive(), y ~ ., flags))$remedy, remedy)
  expect_identical(
    questioned(fit(bayes_naive(), flags[2], flags$y))$remedy, gsub("flags", "data", remedy)
  )
  expect_identical(check_features(y ~ ., flags)$remedy, remedy)
  . <- flags
  expect_identical(check_features(y ~ ., .)$remedy, gsub("flags", "data", remedy))
  table <- flags[2]
  expect_identical(
    questioned(fit_xy(bayes_naive(), table, flags$y))$remedy, gsub("flags", "table", remedy)
  )
  expect_identical(
    questioned(fit(bayes_naive(), y ~ `a flag`, chunked(flags, 50L)))$remedy,
    "In the formula: factor(`a flag`)"
  )
})

test_that("numbers of customers, rows and missing values are found, and few numbers are not", {
  withr::local_seed(4)
  n <- 100
  data <- data.frame(
    y = rep(1:2, n / 2), kundennr = sample(1e4:9e4, n), number_of_steps = sample(1e4:9e4, n),
    at = seq_len(n) + 2000, heat = c(-999, stats::rnorm(n - 1)),
    age = c(99, sample(20:60, n - 1, TRUE)), pay = c(99, 99, sample(20:40, n - 2, TRUE))
  )
  found <- as.data.frame(check_features(y ~ ., data))
  expect_identical(found$feature[!is.na(found$remark)], c("kundennr", "at", "heat", "pay"))
  remedy <- found$remedy[found$feature == "pay"]
  expect_identical(remedy, "data$pay <- replace(data$pay, data$pay == 99, NA)")
  few <- as.data.frame(check_features(y ~ ., data[1:50, c("y", "kundennr", "at")]))
  expect_identical(few$remark, c(NA_character_, NA))
})

test_that("the remedy of a factor of numbers and of a column of dates gives their numbers", {
  sizes <- seq(4.37, 9.77, length.out = 60)
  days <- as.Date("2024-03-01") + 0:59
  data <- data.frame(y = c("a", "b"), size = factor(format(sizes, digits = 3)))
  data$day <- replace(format(days, "%Y/%m/%d"), 1L, "unknown")
  remedies <- questioned(fit(bayes_naive(laplace = 1), y ~ ., data))
  rownames(remedies) <- remedies$feature
  for (code in remedies$remedy) eval(str2lang(code))
  expect_equal(data$size, sizes, tolerance = 1e-3)
  expect_identical(data$day, as.numeric(replace(days, 1L, NA)))
})

test_that("the words of a source are counted with its rows in memory", {
  text <- paste(c("so", "no", "oh"), "we went out for a walk", 1:60)
  chunks <- chunked(data.frame(y = c("a", "b"), text), 20)
  found <- questioned(fit(bayes_naive(laplace = 1), y ~ ., chunks))
  expect_match(found$remedy, "^With the rows in memory as data: counts <- .*data[$]text")
})
