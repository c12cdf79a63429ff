cases <- function() {
  data.frame(
    y = factor(rep_len(c("a", "b"), 12)), size = 1:12, weight = c(1.5, 2, 3, 2.5, 4, 3.5),
    shape = factor(rep_len(c("round", "square", "long"), 12), c("round", "square", "long")),
    grade = factor(rep_len(c("low", "high"), 12), c("low", "high"), ordered = TRUE),
    ripe = rep_len(c(TRUE, FALSE, FALSE), 12), origin = rep_len(c("north", "south", "east"), 12)
  )
}

fruit <- function() fit(bayes_naive(laplace = 1), y ~ ., cases())

free_port <- function() {
  repeat {
    port <- withr::with_preserve_seed(sample(20000:32000, 1))
    socket <- tryCatch(serverSocket(port), error = function(e) NULL)
    if (is.null(socket)) next
    close(socket)
    return(port)
  }
}

# The address of a service of the pinned model, in a process that has never heard of bayesrisk.
start_service <- function(board, name, env = parent.frame()) {
  port <- free_port()
  service <- callr::r_bg(function(path, name, port) {
    model <- vetiver::vetiver_pin_read(pins::board_folder(path, versioned = TRUE), name)
    plumber::pr_run(
      vetiver::vetiver_api(plumber::pr(), model), host = "127.0.0.1", port = port, quiet = TRUE
    )
  }, list(board$path, name, port))
  # A killed process would leave its temporary folder behind.
  withr::defer({
    service$interrupt()
    service$wait(60000)
    service$kill()
  }, envir = env)
  address <- sprintf("http://127.0.0.1:%d/", port)
  up <- function() httr::status_code(httr::GET(paste0(address, "ping"))) == 200L
  wait_until(!service$is_alive() || up())
  if (!service$is_alive()) service$get_result()
  address
}

# A request of one case, in which some values differ.
request <- function(...) {
  values <- list(
    size = 4, weight = 2, shape = "\"round\"", grade = "\"low\"", ripe = "true",
    origin = "\"north\""
  )
  values <- utils::modifyList(values, list(...))
  sprintf("[{%s}]", toString(sprintf("\"%s\":%s", names(values), values)))
}

expect_refused <- function(address) {
  ask <- function(body) {
    reply <- httr::POST(address, body = body, httr::content_type_json())
    list(httr::status_code(reply), httr::content(reply, encoding = "UTF-8"))
  }
  expect_identical(ask(request())[[1L]], 200L)
  asked <- list(
    c(request(weight = "1e999"), "infinite"), c(request(weight = "\"-Inf\""), "infinite"),
    c(request(weight = "\"heavy\""), "double.*heavy"), c(request(shape = "\"oval\""), "oval"),
    c(request(shape = 3), "shape is numeric"), c(request(ripe = "\"maybe\""), "maybe"),
    c(request(weight = "[1,2]"), "weight"), c(request(weight = "{\"a\":1}"), "weight"),
    c("[{\"size\":4}]", "weight.*missing"), c("[{}]", "missing"), c("[]", "array of objects"),
    c("{}", "array of objects"), c("7", "array of objects"), c("null", "array of objects"),
    c("", "array of objects"), c("[[1,2],[3,4]]", "array of objects"),
    c("{\"size\":[4,5,6],\"weight\":[2,3]}", "array of objects")
  )
  for (case in asked) {
    reply <- ask(case[[1L]])
    expect_identical(reply[[1L]], 422L, info = case[[1L]])
    expect_match(reply[[2L]]$error, case[[2L]], info = case[[1L]])
  }
  for (body in c("[{\"size\":4,", "hello", "[{\"size\":NaN}]", "[{\"size\":\"\\x\"}]")) {
    reply <- ask(body)
    expect_identical(reply[[1L]], 400L, info = body)
    expect_match(reply[[2L]]$error, "no JSON", info = body)
  }
  # The service still answers.
  expect_identical(ask(request(weight = "null"))[[1L]], 200L)
}

test_that("a pinned model serves requests with missing values", {
  for (package in c("vetiver", "pins", "plumber", "httr", "callr")) skip_if_not_installed(package)
  model <- fruit()
  deployed <- vetiver::vetiver_model(model, "fruit")
  expect_identical(deployed$description, "A Bayes classifier of 2 classes")
  expect_identical(deployed$metadata$required_pkgs, "bayesrisk")
  board <- pins::board_temp(versioned = TRUE)
  suppressMessages(vetiver::vetiver_pin_write(board, deployed))
  back <- suppressMessages(vetiver::vetiver_pin_read(board, "fruit"))
  expect_identical(predict(back$model, cases()), predict(model, cases()))
  expect_identical(back$prototype, deployed$prototype)

  address <- start_service(board, "fruit")
  endpoint <- vetiver::vetiver_endpoint(paste0(address, "predict"))
  asked <- cases()[1:3, -1]
  asked$weight <- NA
  asked[2, ] <- NA
  asked$shape[3] <- NA
  answered <- predict(endpoint, asked)
  expected <- predict(model, asked, type = "both")
  expect_named(answered, c(".pred_class", ".pred_a", ".pred_b"))
  expect_identical(answered$.pred_class, as.character(expected$class))
  # Plumber writes four digits.
  expect_within(as.matrix(answered[2:3]), expected$posterior, 1e-4, scale = 1)

  one <- "[{\"size\":4,\"weight\":null,\"shape\":null,\"grade\":\"low\",\"ripe\":true,
            \"origin\":\"north\"}]"
  reply <- httr::content(httr::POST(paste0(address, "predict"), body = one), encoding = "UTF-8")
  row <- data.frame(size = 4, weight = NA, shape = NA, grade = "low", ripe = TRUE, origin = "north")
  expect_within(reply[[1]]$.pred_a, predict(model, row, type = "prob")[, "a"], 1e-4, scale = 1)
  expect_refused(paste0(address, "predict"))
})

test_that("an answer that does not exist is null, and an error of the service is its own", {
  skip_if_not_installed("vetiver")
  skip_if_not_installed("plumber")
  known <- bayes_known(c(a = 0.5, b = 0.5), g = rbind(a = c(u = 1, v = 0), b = c(1, 0)))
  result <- new.env()
  rows <- data.frame(g = factor("v", c("u", "v")))
  answer <- vetiver::handler_predict(vetiver::vetiver_model(known, "known"))
  given <- suppressWarnings(answer(list(body = rows), result))
  result$setHeader <- function(...) NULL
  result$toResponse <- function() as.character(result$body)
  written <- result$serializer(given, list(), result, stop)
  expect_identical(written, "[{\".pred_class\":null,\".pred_a\":null,\".pred_b\":null}]")
  wrong <- vetiver::handler_predict(vetiver::vetiver_model(known, "known"), type = "nothing")
  expect_bayesrisk_error(wrong(list(body = rows), result), "argument", "type")
})

test_that("the prototype is that of the data", {
  skip_if_not_installed("vetiver")
  skip_if_not_installed("tibble")
  prototype <- vetiver::vetiver_ptype(fruit())
  expect_identical(as.data.frame(prototype), cases()[0, -1])
  expect_s3_class(prototype, "tbl_df")
})

test_that("a model with functions of columns needs rows for its prototype", {
  skip_if_not_installed("vetiver")
  model <- fit(bayes_naive(), Species ~ log(Petal.Width) + Sepal.Length, iris)
  expect_bayesrisk_error(
    vetiver::vetiver_model(model, "logs"), "argument", "log\\(Petal.Width\\).*prototype_data"
  )
  deployed <- vetiver::vetiver_model(model, "logs", prototype_data = iris)
  expect_named(deployed$prototype, c("Petal.Width", "Sepal.Length"))
  expect_identical(nrow(deployed$prototype), 0L)
})

test_that("a service answers what it is told to", {
  skip_if_not_installed("vetiver")
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.4)
  deployed <- vetiver::vetiver_model(fruit(), "fruit")
  request <- list(body = cases()[-1])
  answered <- new.env()
  decide <- vetiver::handler_predict(deployed, type = "decision", cost = cost)
  expect_identical(decide(request, answered)$.decision, predict(fruit(), cases(), cost = cost))
  posterior <- vetiver::handler_predict(deployed, type = "prob", prior = "uniform")
  expect_named(posterior(request, answered), c(".pred_a", ".pred_b"))
  expect_identical(
    posterior(request, answered)$.pred_b,
    unname(predict(fruit(), cases(), type = "prob", prior = "uniform")[, "b"])
  )
})

test_that("DALEX explains the posteriors without further arguments", {
  skip_if_not_installed("DALEX")
  model <- fit(bayes_naive(), Species ~ ., iris)
  explainer <- DALEX::explain(model, iris[1:4], iris$Species, verbose = FALSE)
  expect_identical(explainer$model_info$type, "multiclass")
  expect_identical(explainer$model_info$package, "bayesrisk")
  posterior <- predict(model, iris, type = "prob")
  expect_identical(explainer$y_hat, posterior)
  accuracy <- mean(predict(model, iris) == iris$Species)
  expect_within(DALEX::model_performance(explainer)$measures$accuracy, accuracy, 1e-15)
  expect_s3_class(withr::with_seed(1, DALEX::model_parts(explainer, B = 1)), "model_parts")
})

test_that("with two classes DALEX explains the second, or the one that it is asked for", {
  skip_if_not_installed("DALEX")
  data <- droplevels(iris[51:150, ])
  model <- fit(bayes_naive(), Species ~ ., data)
  posterior <- predict(model, data, type = "prob")
  y <- as.numeric(data$Species == "virginica")
  explainer <- DALEX::explain(model, data[1:4], y, verbose = FALSE)
  expect_identical(explainer$model_info$type, "classification")
  expect_identical(explainer$y_hat, unname(posterior[, 2]))
  expect_identical(explainer$residuals, y - unname(posterior[, 2]))
  asked <- DALEX::explain(
    model, data[1:4], 1 - y, predict_function_target_column = "versicolor", verbose = FALSE
  )
  expect_identical(asked$y_hat, unname(posterior[, 1]))
})

test_that("iml reads a model as it is", {
  skip_if_not_installed("iml")
  model <- fit(bayes_naive(), Species ~ ., iris)
  classes <- iml::Predictor$new(model, data = iris[1:4], y = iris$Species)
  expected <- outer(as.character(predict(model, iris)), levels(iris$Species), "==") + 0
  expect_identical(unname(as.matrix(classes$predict(iris[1:4]))), expected)
  posteriors <- iml::Predictor$new(model, data = iris, y = "Species", type = "prob")
  expect_within(
    as.matrix(posteriors$predict(iris)), predict(model, iris, type = "prob"), 0
  )
  importance <- withr::with_seed(1, {
    iml::FeatureImp$new(classes, loss = "ce", n.repetitions = 1)
  })
  expect_setequal(importance$results$feature, names(iris)[-5])
})
