# Ten jobs from a messy file to decisions: the first fit says what is wrong with the columns, its
# remedies are pasted, the next fit is quiet, and the decisions are cheaper than any single action.

# A file as an export is: written by hand, read by read.csv() without further thought.
exported <- function(data, ..., env = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".csv", .local_envir = env)
  utils::write.table(data, file, row.names = FALSE, na = "", ...)
  file
}

# Runs the lines that fit() proposed, with the table under the name that the user gave it.
paste_remedies <- function(remedies, table) {
  place <- list2env(table)
  for (line in remedies) eval(parse(text = line), place)
  place[[names(table)]]
}

# A half of the rows decides what the model of the others is worth.
expect_cheaper <- function(spec, formula, data, cost) {
  held <- sample(rep_len(c(TRUE, FALSE), nrow(data)))
  model <- fit(spec, formula, data[!held, ])
  assessed <- suppressWarnings(assess_decisions(model, data[held, ], cost, interval = "none"))
  expect_lt(assessed$cost, assessed$constant$cost[[1]])
  expect_equal(assessed$n, sum(held))
  expect_identical(levels(decide(model, data[held, ], cost)$decision), rownames(cost))
  invisible(assessed)
}

test_that("customers who leave: customer numbers, and thousands with commas", {
  skip_on_cran()
  withr::local_seed(1)
  n <- 300
  left <- rep(c("yes", "no", "no"), n / 3)
  spent <- round(exp(stats::rnorm(n, ifelse(left == "yes", 6.5, 8))), 2)
  file <- exported(data.frame(
    customer_no = sample(100000:999999, n), plan = sample(c("S", "M", "L"), n, TRUE),
    spent = formatC(spent, 2, format = "f", big.mark = ","), left
  ), sep = ",")
  churn <- utils::read.csv(file)
  expect_type(churn$spent, "character")
  found <- questioned(fit(bayes_naive(), left ~ ., churn))
  expect_identical(found$feature, c("customer_no", "spent"))
  churn <- paste_remedies(found$remedy, list(churn = churn))
  expect_identical(churn$spent, spent)
  expect_identical(names(churn), c("plan", "spent", "left"))
  expect_null(questioned(fit(bayes_naive(), left ~ ., churn)))
  expect_cheaper(bayes_naive(), left ~ ., churn, cost_matrix(
    call = c(yes = 5, no = 5), wait = c(yes = 20, no = 0)
  ))
})

test_that("a German file: decimal commas and semicolons", {
  skip_on_cran()
  withr::local_seed(2)
  n <- 240
  kauf <- rep(c("ja", "nein"), n / 2)
  betrag <- round(stats::rgamma(n, 4, ifelse(kauf == "ja", 0.001, 0.004)), 2)
  gewicht <- round(stats::rnorm(n, 75, 10), 1)
  file <- exported(data.frame(
    betrag = formatC(betrag, 2, format = "f", big.mark = ".", decimal.mark = ","),
    gewicht = formatC(gewicht, 1, format = "f", decimal.mark = ","), kauf
  ), sep = ";")
  kunden <- utils::read.csv(file, sep = ";")
  found <- questioned(fit(bayes_naive(), kauf ~ ., kunden))
  expect_identical(found$feature, c("betrag", "gewicht"))
  kunden <- paste_remedies(found$remedy, list(kunden = kunden))
  expect_equal(kunden, data.frame(betrag, gewicht, kauf))
  expect_null(questioned(model <- fit(bayes_naive(), kauf ~ ., kunden)))
  means <- tapply(betrag, kauf, mean)
  expect_equal(unname(coef(model)$betrag[, "mean"]), unname(c(means)), tolerance = 1e-12)
  expect_cheaper(bayes_naive(), kauf ~ ., kunden, cost_matrix(
    brief = c(ja = 0, nein = 2), nichts = c(ja = 3, nein = 0)
  ))
  skip_if_not_installed("data.table")
  # Read in chunks: a decimal mark for the file, and a term of the formula for the thousands.
  chunks <- csv_chunks(file, rows = 50, sep = ";", dec = ",")
  found <- questioned(fit(bayes_naive(), kauf ~ betrag + gewicht, chunks))
  expect_identical(found$feature, "betrag")
  term <- sub("In the formula: ", "", found$remedy, fixed = TRUE)
  formula <- stats::as.formula(paste("kauf ~ gewicht +", term))
  expect_null(questioned(model <- fit(bayes_naive(), formula, chunks)))
  expect_equal(unname(coef(model)[[3]][, "mean"]), unname(c(means)), tolerance = 1e-12)
})

test_that("patients: 0 and 1 for no and yes", {
  skip_on_cran()
  withr::local_seed(3)
  n <- 400
  ill <- rep(c("ill", "well", "well", "well"), n / 4)
  patients <- utils::read.csv(exported(data.frame(
    fever = stats::rbinom(n, 1, ifelse(ill == "ill", 0.7, 0.05)),
    smoker = stats::rbinom(n, 1, 0.3), age = round(stats::rnorm(n, 50, 15)), ill
  ), sep = ","))
  found <- questioned(fit(bayes_naive(), ill ~ ., patients))
  expect_identical(found$feature, c("fever", "smoker"))
  patients <- paste_remedies(found$remedy, list(patients = patients))
  expect_null(questioned(fit(bayes_naive(), ill ~ ., patients)))
  model <- fit(bayes_naive(), ill ~ fever + smoker, patients)
  # Bayes' rule on the table of the patients.
  counts <- lapply(patients[c("fever", "smoker")], table, patients$ill)
  given <- lapply(counts, prop.table, 2)
  joint <- prop.table(table(patients$ill)) * given$fever["1", ] * given$smoker["0", ]
  one <- predict(model, data.frame(fever = "1", smoker = "0"), type = "prob")
  expect_equal(unname(one[1, ]), as.vector(joint / sum(joint)), tolerance = 1e-12)
  expect_cheaper(bayes_naive(laplace = 1), ill ~ ., patients, cost_matrix(
    treat = c(ill = 1, well = 3), send_home = c(ill = 30, well = 0), test = c(ill = 4, well = 2)
  ))
})

test_that("messages: texts are no categories but bags of words", {
  skip_on_cran()
  withr::local_seed(4)
  n <- 200
  kind <- rep(c("ham", "spam"), n / 2)
  words <- list(ham = c("see", "you", "home", "at", "now"), spam = c("win", "cash", "now", "call"))
  text <- vapply(kind, function(k) {
    paste(sample(unlist(words), 6, TRUE, rep(c(1, 1 + 3 * (k == "spam")), c(5, 4))), collapse = " ")
  }, "")
  sms <- utils::read.csv(exported(data.frame(kind, text), sep = ","))
  found <- questioned(fit(bayes_text(), kind ~ text, sms))
  expect_identical(found$feature, "text")
  expect_identical(found$remedy, paste(
    "counts <- quanteda::dfm(quanteda::tokens(as.character(sms$text)));",
    "fit(bayes_text(), counts, sms$kind)"
  ))
  expect_identical(questioned(fit(bayes_naive(laplace = 1), kind ~ text, sms))$feature, "text")
  split <- strsplit(sms$text, " ")
  terms <- sort(unique(unlist(split)))
  counts <- t(vapply(split, function(x) table(factor(x, terms)), integer(length(terms))))
  held <- sample(rep_len(c(TRUE, FALSE), n))
  expect_null(questioned(model <- fit(bayes_text(), counts[!held, ], kind[!held])))
  # One more of each word in each class.
  spam <- colSums(counts[!held & kind == "spam", ])
  expect_equal(
    coef(model)[[2]]["spam", "win"],
    (spam[["win"]] + 1) / (sum(spam) + length(terms)), tolerance = 1e-12
  )
  cost <- cost_matrix(deliver = c(ham = 0, spam = 1), hide = c(ham = 8, spam = 0))
  assessed <- assess_decisions(model, counts[held, ], cost, truth = kind[held], interval = "none")
  expect_lt(assessed$cost, assessed$constant$cost[[1]])
})

test_that("orders: dates as text count days, dates of a class are an error with the same remedy", {
  skip_on_cran()
  withr::local_seed(5)
  n <- 200
  late <- rep(c("late", "punctual"), n / 2)
  day <- as.Date("2024-01-01") + round(stats::rnorm(n, ifelse(late == "late", 250, 100), 50))
  file <- exported(data.frame(
    ordered = format(day), paid = format(day, "%d.%m.%Y"), us = format(day, "%m/%d/%Y"), late
  ), sep = ",")
  orders <- utils::read.csv(file)
  found <- questioned(fit(bayes_naive(laplace = 1), late ~ ., orders))
  expect_identical(found$feature, c("ordered", "paid", "us"))
  expect_identical(unique(found$remark), "dates as text")
  orders <- paste_remedies(found$remedy, list(orders = orders))
  for (name in found$feature) expect_identical(orders[[name]], as.numeric(day))
  expect_null(questioned(model <- fit(bayes_naive(), late ~ ordered, orders)))
  expect_cheaper(bayes_naive(), late ~ ordered, orders, cost_matrix(
    remind = c(late = 1, punctual = 1), trust = c(late = 6, punctual = 0)
  ))
  orders$ordered <- day
  expect_error(fit(bayes_naive(), late ~ ordered, orders), "as.numeric(ordered)", fixed = TRUE,
               class = "bayesrisk_error_data")
  days <- fit(bayes_naive(), late ~ as.numeric(ordered), orders)
  expect_equal(coef(days)[[2]], coef(model)$ordered)
})

test_that("a survey: ratings stay numbers, and the number of the respondent goes", {
  skip_on_cran()
  withr::local_seed(6)
  n <- 300
  returns <- rep(c("yes", "no", "no"), n / 3)
  rating <- function(shift) {
    pmin(5, pmax(1, round(stats::rnorm(n, 3 + shift * (returns == "yes"), 1))))
  }
  survey <- utils::read.csv(exported(data.frame(
    respondent = sprintf("R%05d", sample(1e5, n)), service = rating(1), price = rating(-0.5),
    clean = rating(0), returns
  ), sep = ","))
  found <- questioned(fit(bayes_naive(laplace = 1), returns ~ ., survey))
  expect_identical(found$feature, "respondent")
  survey <- paste_remedies(found$remedy, list(survey = survey))
  expect_null(questioned(model <- fit(bayes_naive(), returns ~ ., survey)))
  expect_equal(
    unname(coef(model)$service[, "mean"]), as.vector(tapply(survey$service, returns, mean)),
    tolerance = 1e-12
  )
  expect_cheaper(bayes_naive(), returns ~ ., survey, cost_matrix(
    voucher = c(yes = 3, no = 1), none = c(yes = 0, no = 4)
  ))
})

test_that("loans: amounts in dollars, rates in per cent, and a loss that depends on the amount", {
  skip_on_cran()
  withr::local_seed(7)
  n <- 300
  paid <- rep(c("good", "good", "bad"), n / 3)
  amount <- round(exp(stats::rnorm(n, 8, 0.7)))
  rate <- round(stats::rnorm(n, ifelse(paid == "bad", 12, 6), 2), 1)
  loans <- utils::read.csv(exported(data.frame(
    amount = paste0("$", formatC(amount, format = "d", big.mark = ",")),
    rate = sprintf("%.1f%%", rate), purpose = sample(c("car", "house"), n, TRUE), paid
  ), sep = ","))
  found <- questioned(fit(bayes_naive(laplace = 1), paid ~ ., loans))
  expect_identical(found$feature, c("amount", "rate"))
  loans <- paste_remedies(found$remedy, list(loans = loans))
  expect_equal(loans$amount, amount)
  expect_equal(loans$rate, rate / 100)
  expect_null(questioned(fit(bayes_naive(laplace = 1), paid ~ ., loans)))
  expect_cheaper(bayes_naive(laplace = 1), paid ~ ., loans, cost_matrix(
    lend = list(good = ~ -0.1 * amount, bad = ~ 0.6 * amount), refuse = 0
  ))
})

test_that("a table of counts, as Titanic's: the counts are weights", {
  skip_on_cran()
  ship <- utils::read.csv(exported(as.data.frame(Titanic), sep = ","))
  expect_null(questioned(model <- fit(bayes_naive(), Survived ~ ., ship, weights = Freq)))
  margin <- function(of) prop.table(apply(Titanic, c(of, "Survived"), sum), 2)
  joint <- prop.table(apply(Titanic, "Survived", sum)) * margin("Class")["1st", ] *
    margin("Sex")["Female", ] * margin("Age")["Adult", ]
  one <- data.frame(Class = "1st", Sex = "Female", Age = "Adult")
  expect_equal(predict(model, one, type = "prob")[1, ], joint / sum(joint), tolerance = 1e-12)
  cost <- cost_matrix(boat = c(No = 1, Yes = 0), stay = c(No = 0, Yes = 1))
  assessed <- assess_decisions(model, ship, cost, weights = Freq, interval = "none")
  expect_equal(assessed$n, sum(Titanic))
  # To stay is wrong for the 711 who survived.
  expect_equal(assessed$constant$cost, c(711, 1490) / 2201, tolerance = 1e-12)
  expect_lt(assessed$cost, 711 / 2201)
})

test_that("sensors: missing readings, -999 for a missing reading, and numbers of rows", {
  skip_on_cran()
  withr::local_seed(8)
  n <- 300
  state <- rep(c("ok", "ok", "fault"), n / 3)
  pressure <- round(stats::rnorm(n, ifelse(state == "fault", 4, 6)), 2)
  lost <- sample(n, 20)
  sensors <- utils::read.csv(exported(data.frame(
    reading = 1:n, pressure = replace(pressure, lost, -999),
    heat = replace(round(stats::rnorm(n, 20, 3), 1), sample(n, 30), NA), state
  ), sep = ","))
  found <- questioned(fit(bayes_naive(), state ~ ., sensors))
  expect_identical(found$feature, c("reading", "pressure"))
  sensors <- paste_remedies(found$remedy, list(sensors = sensors))
  expect_identical(sensors$pressure, replace(pressure, lost, NA))
  expect_null(questioned(model <- fit(bayes_naive(), state ~ ., sensors)))
  expect_equal(
    unname(coef(model)$pressure[, "mean"]),
    as.vector(tapply(sensors$pressure, state, mean, na.rm = TRUE)), tolerance = 1e-12
  )
  expect_cheaper(bayes_naive(), state ~ ., sensors, cost_matrix(
    stop = c(ok = 2, fault = 1), run = c(ok = 0, fault = 10)
  ))
})

test_that("sales: prices with a currency, discounts in per cent, and numbers of stores", {
  skip_on_cran()
  withr::local_seed(9)
  n <- 240
  sold <- rep(c("yes", "no"), n / 2)
  price <- round(stats::rgamma(n, 8, ifelse(sold == "yes", 0.01, 0.005)), 2)
  discount <- sample(0:40, n, TRUE)
  sales <- utils::read.csv(exported(data.frame(
    store_id = sample(11:16, n, TRUE), price = paste("EUR", formatC(price, 2, format = "f")),
    discount = paste(discount, "%"), sold
  ), sep = ";"), sep = ";")
  found <- questioned(fit(bayes_naive(laplace = 1), sold ~ ., sales))
  expect_identical(found$feature, c("store_id", "price", "discount"))
  sales <- paste_remedies(found$remedy, list(sales = sales))
  expect_equal(sales$price, price)
  expect_equal(sales$discount, discount / 100)
  expect_s3_class(sales$store_id, "factor")
  expect_null(questioned(fit(bayes_naive(laplace = 1), sold ~ ., sales)))
  expect_cheaper(bayes_naive(laplace = 1), sold ~ ., sales, cost_matrix(
    keep = c(yes = 0, no = 4), clear = c(yes = 3, no = 0)
  ))
})
