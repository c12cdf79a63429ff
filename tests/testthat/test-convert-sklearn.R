# Posteriors of scikit-learn 1.2.1, stored by scikit/make.py, and live where Python has it.

skip_if_not_installed("jsonlite")

stored <- function(name = "GaussianNB") test_path("scikit", paste0(name, ".json"))

expect_sklearn <- function(file) {
  model <- as_bayes_model(file)
  theirs <- jsonlite::fromJSON(file)
  new <- theirs$new
  colnames(new) <- paste0("x", seq_len(ncol(new)) - 1L)
  if (theirs$type == "CategoricalNB") {
    new <- as.data.frame(new)
    new[] <- lapply(new, as.character)
  }
  # A sum of coefficients times features, as scikit-learn computes it, loses digits.
  linear <- grepl("LinearDiscriminantAnalysis", readLines(file, warn = FALSE))
  expect_same_posterior(model, new, theirs$prob, if (linear) 1e-13 else 1e-14)
  expect_identical(colnames(predict(model, new, type = "prob")), theirs$classes_)
}

test_that("posteriors are those of scikit-learn: stored", {
  files <- dir(test_path("scikit"), "[.]json$", full.names = TRUE)
  expect_length(files, 20L)
  for (file in files) expect_sklearn(file)
})

# A Python with scikit-learn; NULL if there is none.
sklearn_python <- function() {
  candidates <- unique(c(Sys.which("python3"), "/usr/bin/python3"))
  for (python in candidates[file.exists(candidates)]) {
    status <- suppressWarnings(system2(
      python, c("-c", shQuote("import sklearn.naive_bayes")), stdout = FALSE, stderr = FALSE
    ))
    if (identical(status, 0L)) return(python)
  }
}

test_that("posteriors are those of scikit-learn: live", {
  python <- sklearn_python()
  skip_if(is.null(python), "There is no Python with scikit-learn.")
  folder <- withr::local_tempdir()
  withr::local_envvar(PYTHONDONTWRITEBYTECODE = "1")
  script <- system.file("python", package = "bayesrisk")
  arguments <- c(test_path("scikit", "make.py"), folder, script)
  expect_identical(system2(python, shQuote(arguments)), 0L)
  files <- dir(folder, full.names = TRUE)
  expect_length(files, 20L)
  for (file in files) expect_sklearn(file)
})

test_that("features have the names of the model, of the user, or scikit-learn's own", {
  named <- function(...) names(as_bayes_model(stored(), ...)$schema$features)
  expect_identical(named(), paste0("x", 0:3))
  expect_identical(named(features = letters[1:4]), letters[1:4])
  read <- jsonlite::read_json(stored())
  file <- withr::local_tempfile(fileext = ".json")
  read$feature_names_in_ <- as.list(LETTERS[1:4])
  jsonlite::write_json(read, file, auto_unbox = TRUE, digits = NA)
  expect_identical(names(as_bayes_model(file)$schema$features), LETTERS[1:4])
  expect_error(named(features = c("a", "b")), "4 features", class = "bayesrisk_error_argument")
  expect_error(named(features = 1:4), "features", class = "bayesrisk_error_argument")
})

test_that("with counts a model of scikit-learn has statistics: variances are those of ml", {
  n <- c(a = 17, b = 17, c = 16)
  model <- as_bayes_model(stored(), n = n)
  expect_identical(nobs(model), 50)
  expect_identical(model$spec$numeric$variance, "ml")
  read <- jsonlite::fromJSON(stored())
  scatter <- model$statistics$banks[[1L]]$scatter
  expect_within(scatter, read$var_ * unname(n), 1e-14)
})

test_that("what has no counterpart is refused with the reason", {
  rewritten <- function(...) {
    read <- utils::modifyList(jsonlite::read_json(stored("BernoulliNB")), list(...))
    file <- withr::local_tempfile(fileext = ".json", .local_envir = parent.frame())
    jsonlite::write_json(read, file, auto_unbox = TRUE, digits = NA)
    file
  }
  expect_error(
    as_bayes_model(rewritten(binarize = 0.5)), "above 0.5", class = "bayesrisk_error_argument"
  )
  expect_error(
    as_bayes_model(rewritten(type = "MLPClassifier")), "MLPClassifier",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    as_bayes_model(rewritten(format_version = 2)), "version", class = "bayesrisk_error_object"
  )
  expect_error(
    as_bayes_model(rewritten(format = "bayesrisk model")), "read_model_json",
    class = "bayesrisk_error_object"
  )
  expect_error(as_bayes_model("no such file"), class = "bayesrisk_error_argument")
})

test_that("discriminants are those of scikit-learn: scalings_ of the solver svd, up to sign", {
  for (name in c("LinearDiscriminantAnalysis_svd", "LinearDiscriminantAnalysis_two")) {
    theirs <- jsonlite::fromJSON(stored(name))$scalings_
    ours <- discriminants(as_bayes_model(stored(name)))$scaling
    signs <- sign(colSums(ours * theirs))
    expect_within(ours %*% diag(signs, ncol(ours)), theirs[, seq_len(ncol(ours))], 1e-10)
  }
  expect_error(
    discriminants(as_bayes_model(stored("Pipeline_qda"))), "covariance",
    class = "bayesrisk_error_argument"
  )
})

test_that("a pipeline has the means and spreads of the features before its scaler", {
  naive <- coef(as_bayes_model(stored("Pipeline_naive"), features = c("p", "q", "r", "s")))
  species <- rep(c("a", "b", "c"), c(17L, 17L, 16L))
  numbers <- sweep(as.matrix(iris[seq(1, 150, 3), 1:4]), 2L, c(1, 1000, 1, 0.01), `*`)
  rows <- numbers[species == "b", ]
  expect_within(vapply(naive[-1L], function(x) x["b", "mean"], 1), colMeans(rows), 1e-13)
  # scikit-learn adds 1e-9 of the largest variance, which is about 1 after the scaler.
  sd <- sqrt(colMeans(sweep(rows, 2L, colMeans(rows))^2))
  expect_within(vapply(naive[-1L], function(x) x["b", "sd"], 1), sd, 1e-7)
  covariance <- coef(as_bayes_model(stored("Pipeline_svd")))$numeric$covariance
  residual <- numbers - apply(numbers, 2L, stats::ave, species)
  expect_within(covariance, crossprod(residual) / 47, 1e-10)
})

test_that("with counts a discriminant model has statistics: covariances of its solver", {
  n <- c(a = 17, b = 17, c = 16)
  for (name in c("LinearDiscriminantAnalysis_svd", "LinearDiscriminantAnalysis_lsqr")) {
    model <- as_bayes_model(stored(name), n = n)
    expect_identical(model$spec$numeric$variance, if (grepl("svd", name)) "unbiased" else "ml")
    expect_equal(
      coef(model)$numeric, coef(as_bayes_model(stored(name)))$numeric, tolerance = 1e-10
    )
  }
})

# A stored model with other fields.
altered <- function(name, change, envir = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".json", .local_envir = envir)
  jsonlite::write_json(
    change(jsonlite::read_json(stored(name))), file, auto_unbox = TRUE, digits = NA, null = "null"
  )
  file
}

test_that("a covariance that the solver svd has not stored, or does not use, is refused", {
  refused <- function(pattern, name, change) {
    expect_error(
      as_bayes_model(altered(name, change)), pattern, class = "bayesrisk_error_argument"
    )
  }
  svd <- "LinearDiscriminantAnalysis_svd"
  without <- function(read) replace(read, "covariance_", NULL)
  refused("store_covariance=True.*solver=\"lsqr\"", svd, without)
  refused("another covariance.*solver=\"lsqr\"", svd, function(read) {
    read$covariance_[[1]][[1]] <- 2 * read$covariance_[[1]][[1]]
    read
  })
  refused("nearly collinear", svd, function(read) replace(read, "tol", 0.5))
  refused("MinMaxScaler.*StandardScaler", "Pipeline_naive", function(read) {
    read$steps[[1]]$type <- "MinMaxScaler"
    read
  })
  refused("MLPClassifier.*pipelines", "Pipeline_naive", function(read) {
    read$steps[[2]]$type <- "MLPClassifier"
    read
  })
  refused("before \"BernoulliNB\"", "Pipeline_naive", function(read) {
    read$steps[[2]] <- jsonlite::read_json(stored("BernoulliNB"))
    read
  })
  lsqr <- "LinearDiscriminantAnalysis_lsqr"
  refused("not positive definite.*shrinkage=\"auto\"", lsqr, function(read) {
    read$covariance_ <- rep(list(list(1, 1, 1, 1)), 4)
    read
  })
})

test_that("a pipeline keeps the names of its features", {
  file <- altered("Pipeline_auto", function(read) {
    read$feature_names_in_ <- as.list(LETTERS[1:4])
    read
  })
  expect_identical(names(as_bayes_model(file)$schema$features), LETTERS[1:4])
})

test_that("a damaged file is a classed error", {
  for (name in c("QuadraticDiscriminantAnalysis", "LinearDiscriminantAnalysis_svd",
                 "LinearDiscriminantAnalysis_lsqr", "Pipeline_auto", "CategoricalNB",
                 "MultinomialNB")) {
    read <- jsonlite::read_json(stored(name))
    read <- read[setdiff(names(read), c("new", "prob"))]
    file <- withr::local_tempfile(fileext = ".json")
    for (field in names(read)) {
      for (wrong in list(NULL, "a", list(list("a")), read[[field]][-1L])) {
        damaged <- read
        damaged[field] <- list(wrong)
        jsonlite::write_json(damaged, file, auto_unbox = TRUE, digits = NA, null = "null")
        outcome <- tryCatch(as_bayes_model(file), error = identity)
        expect_true(
          inherits(outcome, c("bayesrisk_error", "bayesrisk_model")),
          info = paste(name, field, class(outcome)[[1L]], deparse1(wrong))
        )
      }
    }
  }
  writeLines("{\"format\": ", file)
  expect_error(as_bayes_model(file), class = "bayesrisk_error_object")
})
