odd_columns <- function(n = 120L) {
  withr::local_seed(1)
  data.frame(
    y = rep(c("yes", "no"), n / 2), customer = sprintf("c%04d", seq_len(n)),
    price = format(seq(1000, 9e6, length.out = n), big.mark = ","),
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
  expect_equal(mended$price, seq(1000, 9e6, length.out = 120), tolerance = 1e-3)
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
  data <- data.frame(y = rep(1:2, 60), width = 1, groupId = rep(1:4, 30), typeface = rep(1:3, 40),
                     code_lines = rep(1:5, 24))
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
    at = seq_len(n), year = seq_len(n) + 1900, heat = c(-999, stats::rnorm(n - 1)),
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

# The remark and the codes of texts, run on them.
read_texts <- function(x) {
  found <- find_writing(x, codes = FALSE, many = TRUE)
  run <- function(code) {
    suppressWarnings(eval(str2lang(gsub("%1$s", "x", code, fixed = TRUE)), list(x = x)))
  }
  list(remark = found$remark, advice = found$advice, values = lapply(unname(found$code), run))
}

test_that("texts that are no numbers of the column become missing, not other numbers", {
  skip_in_c_locale()
  x <- seq(1000.25, 9e6, length.out = 200)
  odd <- c("1.5E+05", "<500", "($1,250.00)", "10-20", "1,5", "1.234,56")
  dollars <- read_texts(c(odd, paste0("$", format(x, big.mark = ",", nsmall = 2, trim = TRUE))))
  expect_identical(dollars$remark, "numbers as text")
  expect_equal(dollars$values[[1]], c(150000, rep(NA, 5), x), tolerance = 1e-4)
  euros <- format(-round(x, 2), big.mark = ".", decimal.mark = ",", nsmall = 2)
  expect_equal(read_texts(paste0(euros, "\u20ac"))$values[[1]], -x, tolerance = 1e-4)
  expect_equal(read_texts(sprintf("%.1f %%", x))$values[[1]], x / 100, tolerance = 1e-4)
  expect_equal(read_texts(format(x, big.mark = "'", nsmall = 2))$values[[1]], x, tolerance = 1e-4)
  expect_equal(read_texts(sprintf("-EUR %.2f", x))$values[[1]], -x, tolerance = 1e-4)
})

test_that("numbers in several units, and signs with two readings, are not read in one way", {
  mixed <- list(c("5", "7", sprintf("%d%%", 1:99)), c("$5", sprintf("EUR %d", 1:99)))
  for (x in mixed) {
    found <- read_texts(x)
    expect_match(found$remark, "several units")
    expect_length(found$values, 0)
  }
  thousands <- read_texts(c("226", "71.101", "8.053"))
  expect_match(thousands$remark, "a point of thousands, or a decimal point?", fixed = TRUE)
  expect_identical(thousands$values, list(c(226, 71101, 8053), c(226, 71.101, 8.053)))
  comma <- read_texts(c("28,671", "1,202"))
  expect_match(comma$remark, "comma of thousands")
  expect_identical(comma$values, list(c(28671, 1202), c(28.671, 1.202)))
  expect_identical(read_texts(c("28.671 EUR", "1.202 EUR"))$values[[1]], c(28671, 1202))
  expect_identical(read_texts(c("1.125", "2.250"))$values, list(c(1.125, 2.25)))
  expect_identical(read_texts(c("$28,671", "$900"))$values, list(c(28671, 900)))
  data <- data.frame(y = 1:2, x = sprintf("%d,%d", 1:40, 500:539))
  expect_identical(
    check_features(y ~ x, data)$remedy,
    paste0("If the comma is of thousands: ",
           "data$x <- as.numeric(gsub(\",([0-9]{3})\\\\b\", \"\\\\1\", data$x)); ",
           "if it is decimal: data$x <- as.numeric(sub(\",\", \".\", data$x))")
  )
})

test_that("dates have a month, and the day is first only where no text tells", {
  days <- as.Date("2024-01-01") + 0:99
  last <- read_texts(format(days, "%m/%d/%Y"))
  expect_identical(last$remark, "dates as text")
  expect_identical(last$values, list(as.numeric(days)))
  expect_identical(read_texts(format(days, "%d.%m.%Y 12:30"))$values, last$values)
  open <- read_texts(sprintf("%02d/%02d/2024", rep(1:12, 12), rep(1:12, each = 12)))
  expect_match(open$remark, "is the day or the month first?", fixed = TRUE)
  expect_identical(
    vapply(open$values, `[[`, 1, 2), as.numeric(as.Date(c("2024-01-02", "2024-02-01")))
  )
  expect_match(read_texts(sprintf("2024-39-%02d", 1:28))$remark, "numbers or dates")
})

test_that("codes have leading zeros, and other ways of writing numbers are not dropped", {
  expect_null(read_texts(sprintf("%04d", 1:2000))$remark)
  expect_null(read_texts(sprintf("c%04d", 1:200))$remark)
  x <- seq(12.5, 9e6, length.out = 200)
  minutes <- seq(0, 1439, length.out = 200)
  days <- as.Date("2024-01-01") + 0:199
  written <- list(
    paste(round(x, 1), "kg"), sprintf("%d:%02d", minutes %/% 60, floor(minutes %% 60)),
    sprintf("(%.2f)", x), paste0(format(x, big.mark = ".", decimal.mark = ",", trim = TRUE), "-"),
    sprintf("%s Feb %d", substr(days, 9, 10), 1900:2099),
    sprintf("%d/%d/24", as.POSIXlt(days)$mon + 1L, as.POSIXlt(days)$mday),
    format(x, big.mark = "\u00a0", trim = TRUE), sprintf("\u2212%.1f", x)
  )
  for (x in written) {
    found <- read_texts(x)
    expect_identical(found$remark, "numbers or dates written as text")
    expect_match(found$advice, "Convert")
  }
})

test_that("the remedy of a matrix makes a table of it", {
  m <- cbind(flag = rep(c(0, 0, 1, 1), 20), size = seq(0, 1, length.out = 80))
  y <- rep(1:2, 40)
  remedy <- questioned(fit_xy(bayes_naive(), m, y))$remedy
  expect_identical(remedy, "m <- as.data.frame(m); m$flag <- factor(m$flag)")
  for (line in as.list(parse(text = remedy))) eval(line)
  expect_s3_class(m$flag, "factor")
  expect_null(questioned(fit_xy(bayes_naive(), m, y)))
})

test_that("the remedies of sources are terms of the formula for chunks only", {
  data <- data.frame(y = c("a", "b"), share = sprintf("%d%%", 1:60), flag = rep(0:1, each = 30))
  remedies <- check_features(y ~ ., chunked(data, 60))$remedy
  expect_identical(
    remedies[[1]], "In the formula: I(as.numeric(sub(\" ?%$\", \"\", share)) / 100)"
  )
  terms <- sub("In the formula: ", "", remedies, fixed = TRUE)
  model <- fit(bayes_naive(), stats::reformulate(terms, "y"), chunked(data, 60))
  expect_identical(length(model$schema$features), 2L)
})

test_that("the remedies of a lazy table are translated, or say that the database prepares", {
  skip_on_cran()
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  data <- data.frame(
    y = c("a", "b"), share = sprintf("%d%%", 1:60), flag = rep(0:1, each = 30),
    heat = c(-999, seq(.5, 1, length.out = 59))
  )
  DBI::dbWriteTable(con, "rows", data)
  rows <- dplyr::tbl(con, "rows")
  remedies <- check_features(y ~ ., rows)$remedy
  expect_match(remedies[[1]], "^Prepare it in the database; in R it is as.numeric")
  for (line in remedies[2:3]) eval(str2lang(line))
  expect_identical(colnames(rows), names(data))
  found <- check_features(y ~ flag + heat, rows)
  expect_identical(found$kind, c("categorical", "numeric"))
  expect_identical(found$missing, 0:1)
})

test_that("the class of sentences is code that runs", {
  d <- data.frame(y = rep(1:2, 30), text = paste("we went", 1:60, "times for a walk"))
  remedy <- questioned(fit(bayes_naive(laplace = 1), factor(y) ~ ., d))$remedy
  expect_match(remedy, "with(d, factor(y))", fixed = TRUE)
})

test_that("counts beside a class that is no column become weights of the same call", {
  titanic <- as.data.frame(Titanic)
  y <- titanic$Survived
  x <- titanic[-4]
  spec <- bayes_naive()
  model <- eval(str2lang(questioned(fit_xy(spec, x, y))$remedy))
  expect_equal(model$parameters$prior, c(1490, 711) / 2201)
})
