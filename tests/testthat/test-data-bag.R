# Sparse matrices of every class are the same bag. Terms are matched by name.

fitted <- function(x, spec = bayes_text()) fit(spec, x, mails()$y)

expect_same_model <- function(x, reference) {
  model <- fitted(x)
  expect_identical(coef(model)[[1L]], coef(reference)[[1L]])
  expect_identical(
    unname(scores(model, x, "log_joint")), unname(scores(reference, mails()$words, "log_joint"))
  )
}

test_that("every class of sparse matrix is read, and dense ones with names", {
  x <- mails()$words
  reference <- fitted(x)
  expect_same_model(methods::as(x, "RsparseMatrix"), reference)
  expect_same_model(methods::as(x, "TsparseMatrix"), reference)
  expect_same_model(methods::as(x, "unpackedMatrix"), reference)
  expect_same_model(dense(x), reference)
  expect_same_model(`storage.mode<-`(dense(x), "integer"), reference)
  expect_same_model(list(terms = x), reference)
  expect_same_model(list(terms = dense(x)), reference)
  expect_same_model(list(terms = methods::as(x, "RsparseMatrix")), reference)
  expect_same_model(term_document(dense(x)), reference)
  frame <- data.frame(row.names = 1:60)
  for (column in list(x, dense(x), methods::as(x, "TsparseMatrix"))) {
    frame$terms <- column
    expect_same_model(frame, reference)
  }
})

test_that("cells that a triplet form stores twice are added", {
  x <- mails()$words
  twice <- methods::as(x, "TsparseMatrix")
  twice@i <- rep(twice@i, 2L)
  twice@j <- rep(twice@j, 2L)
  twice@x <- rep(twice@x, 2L) / 2
  expect_same_model(twice, fitted(x))
  twice <- term_document(dense(x))
  for (part in c("i", "j", "v")) twice[[part]] <- rep(twice[[part]], 2L)
  twice$v <- twice$v / 2
  expect_same_model(twice, fitted(x))
})

expect_same_model_as_counts <- function(given, reference) {
  model <- fitted(list(words = given))
  expect_identical(unname(coef(model)$words), unname(coef(reference)$terms))
  expect_identical(
    unname(scores(model, list(words = given))),
    unname(scores(reference, dense(mails()$words != 0) + 0))
  )
}

test_that("TRUE is one count or one presence, in each class of matrix", {
  x <- dense(mails()$words) != 0
  reference <- fitted(x + 0)
  cells <- sparse(x)
  classes <- list(x, cells, methods::as(cells, "lMatrix"), methods::as(cells, "nMatrix"))
  for (given in classes) expect_same_model_as_counts(given, reference)
})

test_that("symmetric, triangular, diagonal and permutation matrices have all their cells", {
  square <- matrix(c(2, 1, 0, 1, 0, 3, 0, 3, 1), 3, dimnames = list(NULL, c("u", "v", "w")))
  symmetric <- methods::as(Matrix::forceSymmetric(sparse(square)), "CsparseMatrix")
  expect_s4_class(symmetric, "dsCMatrix")
  symmetric@Dimnames <- list(NULL, colnames(square))
  upper <- Matrix::triu(sparse(square))
  expect_s4_class(upper, "dtCMatrix")
  permutation <- methods::as(c(2L, 3L, 1L), "pMatrix")
  y <- c("a", "b", "b")
  for (given in list(symmetric, upper, Matrix::Diagonal(3, 1:3), permutation)) {
    full <- dense(given) + 0
    colnames(full) <- colnames(given)
    if (is.null(colnames(full))) colnames(full) <- c("V1", "V2", "V3")
    expect_identical(coef(fit(bayes_text(), given, y)), coef(fit(bayes_text(), full, y)))
  }
})

test_that("a class that extends dgCMatrix is read, as a dfm of quanteda is", {
  here <- new.env(parent = asNamespace("Matrix"))
  methods::setClass("test_dfm", contains = "dgCMatrix", where = here)
  data <- mails()
  extended <- methods::new(methods::getClass("test_dfm", where = here), data$words)
  expect_identical(
    coef(fit(bayes_text(), extended, data$y)), coef(fit(bayes_text(), data$words, data$y))
  )
})

test_that("terms are known by name: another order, missing and new ones", {
  data <- mails()
  x <- data$words
  model <- fitted(x)
  permuted <- x[, 12:1]
  expect_within(scores(model, permuted), scores(model, x), 1e-13)
  fewer <- x[, c(7, 2, 9)]
  zeros <- x
  zeros[, setdiff(1:12, c(7, 2, 9))] <- 0
  expect_within(scores(model, fewer), scores(model, zeros), 1e-13)
  new <- cbind(x, fresh = c(3, rep(0, 59)), never = 0, other = 1)
  expect_warning(
    with_new <- scores(model, new), "2 terms of terms are unknown.*61 cells",
    class = "bayesrisk_warning_unknown_term"
  )
  expect_identical(with_new, scores(model, x))
  caught <- rlang::catch_cnd(predict(model, new), "bayesrisk_warning_unknown_term")
  expect_identical(caught$terms, c("fresh", "other"))
  # A new term without any cell is nothing to warn of.
  expect_no_warning(predict(model, new[, c(1:12, 14)]))
})

test_that("columns without names are V1, V2, ..., and match such terms only", {
  x <- mails()$words
  bare <- x
  colnames(bare) <- NULL
  model <- fitted(bare)
  expect_identical(colnames(coef(model)$terms), paste0("V", 1:12))
  expect_identical(scores(model, bare), scores(fitted(x), x))
  expect_bayesrisk_error(predict(fitted(x), bare), "schema", "no column names.*12 terms")
  expect_bayesrisk_error(predict(model, bare[, 1:3]), "schema", "no column names")
})

test_that("a lone matrix is the bag, whatever its name", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words, data)
  expect_identical(predict(model, data$words), predict(model, data))
  expect_identical(predict(model, dense(data$words)), predict(model, data))
  both <- fit(bayes_text(), y ~ words + size, data)
  expect_bayesrisk_error(predict(both, data$words), "schema", "words|size")
})

test_that("lists of tables: names, rows, one frame or several", {
  data <- mails()
  model <- fit(bayes_text(), list(words = data$words, data[c("size", "from")]), data$y)
  frame <- fit(bayes_text(), y ~ words + size + from, data)
  expect_identical(coef(model), coef(frame))
  parts <- list(data["size"], words = dense(data$words), data["from"])
  expect_identical(predict(model, parts, type = "prob"), predict(frame, data, type = "prob"))
  expect_bayesrisk_error(fit(bayes_text(), list(data$words, data["size"]), data$y), "data", "name")
  expect_bayesrisk_error(
    fit(bayes_text(), list(w = data$words, data[1:3, "size", drop = FALSE]), data$y), "data",
    "w has 60 and 2 has 3"
  )
  expect_bayesrisk_error(predict(model, list(data["size"], data["from"])), "schema", "words")
})

test_that("names that no term can have", {
  x <- mails()$words
  named <- function(names) {
    x@Dimnames[[2L]] <- replace(colnames(x), 1:2, names)
    x
  }
  expect_bayesrisk_error(fitted(named(c("", "b"))), "data", "without a name")
  expect_bayesrisk_error(fitted(named(c(NA, "b"))), "data", "without a name")
  expect_bayesrisk_error(fitted(named(c("b", "b"))), "data", "more than one.*b")
  model <- fitted(named(c("%s {x}", "\u00e4 \u00df")))
  expect_identical(colnames(coef(model)$terms)[1:2], c("%s {x}", "\u00e4 \u00df"))
  latin <- named(c("%s {x}", iconv("\u00e4 \u00df", "UTF-8", "latin1")))
  expect_no_warning(p <- scores(model, latin))
  expect_identical(p, scores(model, named(c("%s {x}", "\u00e4 \u00df"))))
})

test_that("missing and infinite numbers are errors that name the term", {
  skip_on_cran()
  data <- mails()
  specs <- list(
    bayes_text(), bayes_text("bernoulli"), bayes_text("complement"), bayes_text("poisson"),
    bayes_naive(), bayes_text(weights_ok = TRUE)
  )
  for (value in c(NA, NaN, Inf, -Inf)) {
    bad <- data
    bad$words@x[[30L]] <- value
    term <- colnames(data$words)[findInterval(29, data$words@p)]
    for (spec in specs) {
      expect_bayesrisk_error(fit(spec, y ~ words, bad), "data", term)
    }
    model <- fit(bayes_text(), y ~ words, data)
    expect_bayesrisk_error(predict(model, bad), "schema", term)
    expect_bayesrisk_error(update(model, bad), "data", term)
    expect_bayesrisk_error(cv_risk(spec, y ~ words, bad, folds = 3), "data", "words")
  }
})

test_that("empty documents, no rows, no columns, one class, one document", {
  data <- mails()
  for (spec in list(bayes_text(), bayes_text("bernoulli"), bayes_text("poisson"))) {
    model <- fit(spec, data$words, data$y)
    expect_identical(dim(predict(model, data$words[0, ], type = "prob")), c(0L, 3L))
    expect_length(predict(model, data$words[0, ]), 0L)
    none <- fit(spec, data$words[, 0], data$y)
    expect_within(
      predict(none, data$words[1:2, 0], type = "prob"), rep(1 / 3, 6), 1e-15
    )
    alone <- one_class(fit(spec, data$words, rep("a", 60)))
    expect_identical(unname(predict(alone, data$words[1:2, ], type = "prob")), cbind(c(1, 1)))
    one <- one_class(fit(spec, data$words[1, , drop = FALSE], "a"))
    expect_identical(as.character(predict(one, data$words[1:2, ])), c("a", "a"))
  }
  expect_bayesrisk_error(predict(model, data$words[1, ]), "schema", "vector")
})

test_that("a matrix of another length, and what is no matrix", {
  skip_on_cran()
  data <- mails()
  expect_bayesrisk_error(fit(bayes_text(), data$words[1:3, ], data$y), "data", "60.*3 rows")
  short <- structure(list(words = data$words[1:3, ]), class = "data.frame", row.names = 1:60)
  expect_bayesrisk_error(fit(bayes_text(), short, data$y), "data", "3 rows.*60")
  model <- fit(bayes_text(), y ~ words, data)
  for (column in list(1:3, NA, NA_character_, "a")) {
    expect_bayesrisk_error(
      predict(model, data.frame(words = column)), "schema", "words must be a matrix"
    )
  }
  for (formula in list(y ~ log(words), y ~ sqrt(words), y ~ words[, 1:3])) {
    expect_bayesrisk_error(fit(bayes_text(), formula, data), "data", "is a matrix")
  }
  expect_bayesrisk_error(
    predict(fit(bayes_naive(), y ~ size, data), list(size = data$words)), "schema", "size"
  )
  expect_bayesrisk_error(
    fit(bayes_text(), Matrix::sparseVector(1, 2, 10), "a"), "data", "data frame or a matrix"
  )
})

# The slots of a dgCMatrix with wrong values.
damaged_matrices <- function(x) {
  values <- list(
    NULL, NA, -1L, 1e9, "a", list(), integer(), numeric(), 1:3, NA_integer_, quote(a), list(NULL)
  )
  changes <- list(
    function(o) o[-1], function(o) c(o, o[1]), as.character, as.list, rev,
    function(o) replace(o, 2L, .Machine$integer.max), function(o) replace(o, 1L, NA),
    function(o) replace(o, 3L, -5L), function(o) replace(o, length(o), 10000L)
  )
  slots <- c("Dim", "Dimnames", "p", "i", "x")
  made <- lapply(slots, function(slot) {
    old <- attr(x, slot)
    changed <- lapply(changes, function(change) tryCatch(change(old), error = identity))
    lapply(c(values, changed), function(value) {
      tryCatch(`attr<-`(x, slot, value), error = function(e) NULL)
    })
  })
  Filter(Negate(is.null), unlist(made, recursive = FALSE))
}

test_that("R5: a dgCMatrix with wrong slots is an error of ours or a value, never a crash", {
  skip_on_cran()
  data <- mails()
  model <- fit(bayes_text(), y ~ words, data)
  as_column <- function(x) {
    structure(list(y = data$y, words = x), class = "data.frame", row.names = 1:60)
  }
  uses <- list(
    function(x) fit(bayes_text(), x, data$y), function(x) fit(bayes_naive(), list(w = x), data$y),
    function(x) predict(model, x), function(x) fit(bayes_text("bernoulli"), y ~ ., as_column(x)),
    function(x) predict(model, as_column(x)), function(x) update(model, as_column(x)),
    function(x) cv_risk(bayes_text("poisson"), y ~ ., as_column(x), folds = 3),
    function(x) contributions(model, as_column(x)), function(x) temper(model, as_column(x))
  )
  everything <- long_tests()
  damaged <- damaged_matrices(data$words)
  for (i in seq_along(damaged)) {
    for (use in if (everything) uses else uses[i %% length(uses) + 1L]) {
      problem <- worded_now_and_then(i, damage_problem(use, damaged[[i]]))
      expect(is.null(problem), paste(deparse1(body(use)), problem))
    }
  }
  bad <- data$words
  bad@i[[3L]] <- 10000L
  expect_bayesrisk_error(fit(bayes_text(), bad, data$y), "data", "damaged.*rows that do not ascend")
  bad <- data$words
  bad@p[[3L]] <- 7000L
  expect_bayesrisk_error(predict(model, bad), "data", "damaged.*do not ascend")
  bad <- data$words
  bad@Dim <- c(60L, .Machine$integer.max)
  bad@Dimnames <- list(NULL, NULL)
  expect_bayesrisk_error(fit(bayes_text(), bad, data$y), "data", "terms is a damaged.*slot p")
  bad@Dim <- c(60L, -5L)
  expect_bayesrisk_error(fit(bayes_text(), bad, data$y), "data", "x is a damaged matrix")
})

test_that("R5: triplets with wrong parts", {
  skip_on_cran()
  x <- term_document(dense(mails()$words))
  values <- list(NULL, NA, -1L, 1e9, "a", list(), 1:3, NA_integer_, list("a"), list(NULL, 1:12))
  for (part in names(x)) {
    for (value in values) {
      bad <- x
      bad[part] <- list(value)
      if (part == "dimnames" && is.null(value)) next
      given <- if (length(value) == 1L) bad else list(words = bad)
      expect_error(unworded(fitted(given)), class = "bayesrisk_error")
    }
  }
})

test_that("a saved model predicts as before; a large one is written and read", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words + size, data)
  file <- withr::local_tempfile()
  saveRDS(model, file)
  expect_identical(readRDS(file), model)
  expect_identical(scores(readRDS(file), data), scores(model, data))
  skip_if_not(long_tests())
  terms <- 1e6
  x <- Matrix::sparseMatrix(
    rep(1:1000, 50), (seq_len(50000) * 7919) %% terms + 1, x = 1, dims = c(1000, terms),
    dimnames = list(NULL, sprintf("term %d", seq_len(terms)))
  )
  model <- fit(bayes_text(), x, rep(sprintf("class %02d", 1:20), 50))
  saveRDS(model, file, compress = FALSE)
  expect_identical(predict(readRDS(file), x[1:50, ]), predict(model, x[1:50, ]))
})

test_that("parts with and without names of terms are not united", {
  data <- mails()
  bare <- data$words
  colnames(bare) <- NULL
  named <- fitted(data$words)
  unnamed <- fitted(bare)
  expect_bayesrisk_error(
    update(named, bare, y = data$y), "schema", "terms has no column names in one part.*12 and 12"
  )
  expect_bayesrisk_error(update(unnamed, data$words, y = data$y), "schema", "in one part")
  expect_bayesrisk_error(update(unnamed, bare[, 1:3], y = data$y), "schema", "any part.*12 and 3")
  expect_bayesrisk_error(merge(named, unnamed), "argument", "in one part")
  expect_bayesrisk_error(merge(unnamed, named), "argument", "in one part")
  expect_identical(counts(merge(unnamed, unnamed))$terms, 2 * counts(unnamed)$terms)
  expect_identical(counts(update(unnamed, bare, y = data$y))$terms, 2 * counts(unnamed)$terms)
  called <- bare
  colnames(called) <- paste0("V", 1:12)
  expect_identical(counts(merge(fitted(called), unnamed))$terms, 2 * counts(unnamed)$terms)
  few <- fitted(called[, c(2, 7)])
  expect_identical(colnames(coef(merge(fitted(called), few))$terms), paste0("V", 1:12))
})

test_that("R5: every class of Matrix with wrong slots is an error of ours, never a crash", {
  skip_on_cran()
  skip_if_not_installed("callr")
  found <- callr::r(function(every) {
    library(bayesrisk)
    loadNamespace("Matrix")
    x <- methods::as(rbind(c(2, 1, 0, 0), c(1, 0, 0, 3), c(0, 1, 2, 0), c(0, 1, 1, 0)), "dgCMatrix")
    dimnames(x) <- list(NULL, letters[1:4])
    square <- Matrix::crossprod(x)
    as_class <- function(x, ...) {
      for (class in c(...)) x <- methods::as(x, class)
      x
    }
    sound <- list(
      as_class(x, "RsparseMatrix"), as_class(x, "TsparseMatrix"), square,
      as_class(square, "TsparseMatrix"), as_class(square, "RsparseMatrix"), Matrix::triu(x),
      as_class(x, "lMatrix"), as_class(x, "nMatrix"), as_class(x, "nMatrix", "TsparseMatrix"),
      Matrix::Diagonal(4, 1:4), methods::as(c(2L, 3L, 1L, 4L), "pMatrix"),
      as_class(x, "unpackedMatrix"), as_class(square, "denseMatrix", "packedMatrix")
    )
    values <- list(
      NULL, NA, -1L, 1e9, "a", list(), integer(), numeric(), 1:3, NA_integer_, quote(a), TRUE
    )
    changes <- list(
      function(o) o[-1], function(o) c(o, o[1]), as.character, as.list, rev,
      function(o) replace(o, 2L, .Machine$integer.max), function(o) replace(o, 1L, NA),
      function(o) replace(o, 1L, -1L), function(o) replace(o, 3L, -5L),
      function(o) replace(o, length(o), 10000L), function(o) o + 1L, function(o) 2L * o
    )
    y <- c("u", "v", "u", "v")
    use <- function(given) {
      suppressWarnings(fit(bayes_text("bernoulli"), given, y))
      "value"
    }
    answers <- character()
    tried <- 0L
    for (one in sound) {
      for (slot in setdiff(names(attributes(one)), "class")) {
        old <- attr(one, slot)
        changed <- lapply(changes, function(f) suppressWarnings(tryCatch(f(old), error = identity)))
        for (value in c(values, changed)) {
          bad <- tryCatch(`attr<-`(one, slot, value), error = identity)
          tried <- tried + 1L
          if (tried %% every > 0L || inherits(bad, "error") || identical(bad, one)) next
          answers <- c(answers, tryCatch(use(bad), error = function(e) {
            if (inherits(e, "bayesrisk_error")) "ours" else paste(slot, conditionMessage(e))
          }))
        }
      }
    }
    table(answers)
  }, list(if (long_tests()) 1L else 7L), libpath = .libPaths())
  expect_setequal(names(found), c("ours", "value"))
  expect_gt(found[["ours"]], 150)
  damaged <- methods::as(mails()$words, "TsparseMatrix")
  damaged@i[[1L]] <- -1L
  expect_bayesrisk_error(
    fitted(list(mail = damaged)), "data", "mail is a damaged matrix: 'i' slot"
  )
})

test_that("a damaged dgCMatrix is told by its name", {
  data <- mails()
  data$mail <- data$words
  data$mail@i[[3L]] <- 10000L
  expect_bayesrisk_error(
    fit(bayes_text(), y ~ words + mail, data), "data", "mail is a damaged matrix: rows"
  )
})

test_that("a stored zero of an unknown term is no word", {
  x <- mails()$words
  model <- fitted(x)
  new <- cbind(x, fresh = c(1, rep(0, 59)), other = c(1, 2, rep(0, 58)))
  new@x[length(new@x) - 2L] <- 0
  expect_warning(
    predict(model, new), "1 term of terms is unknown.*2 cells",
    class = "bayesrisk_warning_unknown_term"
  )
  new@x[length(new@x) - 0:1] <- 0
  expect_no_warning(p <- scores(model, new))
  expect_identical(p, scores(model, x))
  # Rows in any order, as in folds
  expect_no_warning(contributions(model, new[60:1, ]))
})

test_that("R5: a matrix that claims all possible columns is refused in little memory", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("callr")
  found <- callr::r(function() {
    loadNamespace("Matrix")
    as_class <- function(x, ...) {
      for (class in c(...)) x <- methods::as(x, class)
      x
    }
    x <- methods::as(rbind(c(2, 1, 0), c(0, 1, 3), c(1, 0, 1)), "dgCMatrix")
    upper <- as_class(Matrix::triu(x), "TsparseMatrix")
    matrices <- list(
      x, as_class(x, "RsparseMatrix"), as_class(x, "TsparseMatrix"),
      as_class(x, "lMatrix", "RsparseMatrix"), as_class(x, "nMatrix", "TsparseMatrix"), upper,
      as_class(Matrix::crossprod(x), "TsparseMatrix"), Matrix::Diagonal(3), Matrix::Diagonal(3, 1:3)
    )
    gc(reset = TRUE)
    classes <- vapply(matrices, function(bad) {
      size <- if (inherits(bad, c("generalMatrix", "nMatrix"))) 3L else .Machine$integer.max
      attr(bad, "Dim") <- c(size, .Machine$integer.max) # nolint: object_name_linter.
      attr(bad, "Dimnames") <- list(NULL, NULL) # nolint: object_name_linter.
      tryCatch({
        bayesrisk::fit(bayesrisk::bayes_text(), bad, c("u", "v", "u"))
        "value"
      }, error = function(e) class(e)[[1L]])
    }, "")
    list(classes = classes, megabytes = sum(gc()[, 6L]))
  }, libpath = .libPaths())
  expect_identical(unique(found$classes), "bayesrisk_error_data")
  expect_lt(found$megabytes, 300)
})

test_that("rows that a matrix only claims are an error before memory is taken", {
  claimed <- methods::new(
    "dgCMatrix", p = integer(3L), Dim = c(.Machine$integer.max, 2L),
    Dimnames = list(NULL, c("a", "b"))
  )
  expect_bayesrisk_error(log_coefficient(claimed), "data", "claims 2,?147,?483,?647 rows")
  mail <- mails()
  words <- mail$words[, 1:2]
  colnames(words) <- c("a", "b")
  model <- fit(bayes_text(), list(words = words), mail$y)
  expect_bayesrisk_error(predict(model, list(words = claimed)), "schema", "nearly all without")
})
