# The adversarial cases of the page on trust: the question to bayesrisk and to the installed peers,
# the right answer, and the answer of each package.

## Packages -------------------------------------------------------------------------------------

# Each function takes features, classes and new features, and returns a posterior, cases x classes.
askers <- list(
  bayesrisk = function(x, y, newdata, spec = bayes_naive()) {
    predict(fit_xy(spec, x, y), newdata, type = "prob")
  },
  naivebayes = function(x, y, newdata, spec) {
    predict(naivebayes::naive_bayes(x, y), newdata, type = "prob")
  },
  e1071 = function(x, y, newdata, spec) {
    predict(e1071::naiveBayes(x, y), newdata, type = "raw")
  },
  klaR = function(x, y, newdata, spec) {
    predict(klaR::NaiveBayes(x, factor(y)), newdata)$posterior
  },
  MASS = function(x, y, newdata, spec) predict(MASS::qda(x, y), newdata)$posterior
)

peers <- setdiff(names(askers), "bayesrisk")

## Cases ----------------------------------------------------------------------------------------

# `class`: the class whose posterior is compared; `due`: the right answer, which is that posterior,
# NA (no answer, with a warning) or "error"; `of`: the packages that get the case.
adversary <- function(id, text, x, y, newdata, class, due, of = names(askers), ...) {
  list(id = id, text = text, data = list(x, y, newdata, ...), class = class, due = due, of = of)
}

naive <- setdiff(names(askers), "MASS")
full <- c("bayesrisk", "MASS")

two_normals <- data.frame(x = c(-1:1, 9:11))
two_classes <- rep(c("A", "B"), each = 3)

# The posterior of Gaussians without a package: normalised exponentials of log joint densities.
normal_posterior <- function(x, y, newdata, class, full = FALSE) {
  at <- unlist(newdata[1L, names(x)])
  joint <- vapply(unique(as.character(y)), function(k) {
    rows <- x[y == k, , drop = FALSE]
    spread <- stats::cov(rows)
    if (!full) spread <- diag(diag(spread), ncol(rows))
    distance <- stats::mahalanobis(at, colMeans(rows), spread)
    log(mean(y == k)) - (distance + c(determinant(spread)$modulus)) / 2
  }, 1)
  joint <- exp(joint - max(joint))
  joint[[class]] / sum(joint)
}

far_out_and_unknown <- function() {
  slipped <- data.frame(Petal.Length = 20, Petal.Width = 2)
  petals <- iris[c("Petal.Length", "Petal.Width")]
  at <- function(x) data.frame(x = x)
  unknown <- transform(iris[71, 1:4], Petal.Width = NA_real_)
  marginal <- function(full) {
    normal_posterior(iris[1:3], iris$Species, unknown, "virginica", full)
  }
  list(
    adversary(
      "N4", "normals about 0 and 10, sd 1, at -29: P(B)", two_normals, two_classes, at(-29), "B",
      exp(-340)
    ),
    adversary(
      "N5", "the same at 1000: P(B)", two_normals, two_classes, at(1000), "B", 1
    ),
    adversary(
      "N4e", "iris, petals of 20 x 2 cm: P(virginica)", petals, iris$Species, slipped, "virginica",
      normal_posterior(petals, iris$Species, slipped, "virginica")
    ),
    adversary("S9", "a number that is infinite", two_normals, two_classes, at(Inf), "B", NA),
    adversary(
      "S9", "iris, naive, no petal width: P(virginica)", iris[1:4], iris$Species, unknown,
      "virginica", marginal(full = FALSE), of = naive
    ),
    adversary(
      "S9", "iris, covariances, no petal width: P(virginica)", iris[1:4], iris$Species, unknown,
      "virginica", marginal(full = TRUE), of = full, spec = bayes_full()
    )
  )
}

names_and_levels <- function() {
  colour <- data.frame(colour = factor(c("red", "red", "green", "green", "blue", "blue", "blue")))
  size <- data.frame(size = c(1, 2, 1, 2, 1, 2, 1))
  y <- c("A", "A", "A", "B", "B", "B", "A")
  both <- cbind(colour, size)
  other_order <- data.frame(colour = factor("green", c("green", "red", "blue")))
  list(
    adversary(
      "S1", "iris, columns in another order: P(virginica)", iris[4:1], iris$Species,
      iris[71, 1:4], "virginica", 1 - 0.3359441831241472,
      of = full, spec = bayes_full()
    ),
    adversary(
      "S3", "a factor, levels in another order: P(A)", colour, y, other_order, "A", 1 / 2,
      of = naive
    ),
    adversary(
      "S4", "a factor with the one level that occurs: P(A)", colour, y,
      data.frame(colour = factor("blue")), "A", 1 / 3, of = naive
    ),
    adversary(
      "S6", "a level never seen: P(A) of the other feature", both, y,
      data.frame(colour = "mauve", size = 1.5), "A",
      normal_posterior(size, y, data.frame(size = 1.5), "A"), of = naive
    ),
    adversary(
      "S2", "a column that is missing", both, y, both[1, "size", drop = FALSE], "A", "error",
      of = naive
    ),
    adversary(
      "S7", "numbers where a factor was", colour, y, data.frame(colour = 1.5), "A", "error",
      of = naive
    )
  )
}

no_spread <- function() {
  constant <- data.frame(x = c(5, 5, 5, 4, 5, 6))
  rounded <- data.frame(x = c(rep(150494407424305.47, 12), 150494407424305.47 + 1e8 * (-6:5)))
  line <- data.frame(u = c(0, 1, 2, 4, 1, 3, 0, 5), v = 2 * c(0, 1, 2, 4, 1, 3, 0, 5))
  halves <- function(n) rep(c("A", "B"), each = n)
  strict <- bayes_naive(degenerate = "stop")
  list(
    adversary(
      "N9", "a class of 5, 5, 5", constant, halves(3), data.frame(x = 5.5), "A", "error",
      spec = strict
    ),
    adversary(
      "N8", "a class of twelve times 150494407424305.47", rounded, halves(12),
      data.frame(x = 150494407424305.47), "A", "error", spec = strict
    ),
    adversary(
      "G2", "a column twice another", line, halves(4), line[1, ], "A", "error",
      of = full, spec = bayes_full()
    )
  )
}

near_a_line <- function(e, due) {
  x <- data.frame(u = c(0, 1, 2, 3, 0, 1, 2, 3), v = c(0, 1, 2, 3 + e, 1, 0, 3, 2))
  adversary(
    "G5", sprintf("a class within 2^%d of a line: P(B)", log2(e)), x, rep(c("A", "B"), each = 4),
    data.frame(u = 1, v = 1 + e), "B", due,
    of = full, spec = bayes_full()
  )
}

adversaries <- function() {
  c(
    far_out_and_unknown(), names_and_levels(), no_spread(),
    list(near_a_line(2^-10, 0.016567583156950522), near_a_line(2^-20, 1.6448575369815221e-05))
  )
}

## Answers --------------------------------------------------------------------------------------

# The answer as text, and whether it is right. A right answer is a number to eight digits, which the
# class within 2^-20 of a line allows, an error if no model exists, or NA with a warning if no
# posterior exists.
ask <- function(who, case) {
  if (!who %in% case$of) return(list(text = "", right = NA))
  if (!requireNamespace(who, quietly = TRUE)) return(list(text = "not installed", right = NA))
  warned <- FALSE
  answer <- tryCatch(
    withCallingHandlers(
      suppressMessages(do.call(askers[[who]], case$data)[1L, case$class]),
      warning = function(w) {
        warned <<- TRUE
        invokeRestart("muffleWarning")
      }
    ),
    error = function(e) "error"
  )
  list(
    text = paste0(if (is.numeric(answer)) format(answer, digits = 3) else answer,
                  if (warned && !identical(answer, "error")) ", warning"),
    right = is_due(answer, case$due, warned)
  )
}

is_due <- function(answer, due, warned) {
  if (identical(due, "error") || identical(answer, "error")) return(identical(answer, due))
  if (is.na(due)) return(is.na(answer) && warned)
  !is.na(answer) && abs(answer - due) <= 1e-8 * abs(due)
}

# A row for each case; wrong answers are bold.
adversary_table <- function(cases = adversaries()) {
  answers <- lapply(names(askers), function(who) {
    vapply(cases, function(case) {
      answer <- ask(who, case)
      if (isFALSE(answer$right)) paste0("**", answer$text, "**") else answer$text
    }, "")
  })
  due <- vapply(cases, function(case) {
    if (is.na(case$due)) "NA, warning" else format(case$due, digits = 3)
  }, "")
  cbind(
    data.frame(
      case = vapply(cases, `[[`, "", "id"), asked = vapply(cases, `[[`, "", "text"), due = due
    ),
    stats::setNames(as.data.frame(answers), names(askers))
  )
}

## NIST's data sets ------------------------------------------------------------------------------

# The moments of one feature, a matrix: classes x (mean, sd).
moments_of <- list(
  naivebayes = function(x, y) t(naivebayes::naive_bayes(x, y)$tables$x),
  e1071 = function(x, y) e1071::naiveBayes(x, y)$tables$x,
  klaR = function(x, y) klaR::NaiveBayes(x, y)$tables$x,
  MASS = function(x, y) {
    model <- MASS::qda(x, y)
    cbind(model$means, 1 / abs(model$scaling[1L, 1L, ]))
  }
)

# The fewest correct digits of the means and of the standard deviations, as text.
fewest_digits <- function(mean, sd) sprintf("%.1f / %.1f", min(mean), min(sd))

digits_by_set <- function(digits) {
  vapply(split(digits, factor(digits$set, unique(digits$set))), function(set) {
    fewest_digits(set$mean, set$sd)
  }, "")
}

peer_digits <- function(peer, sets) {
  vapply(sets, function(set) {
    # Some packages warn about a single class.
    found <- suppressWarnings(moments_of[[peer]](data.frame(x = set$x), factor(set$class)))
    fewest_digits(
      log_relative_error(found[, 1L], set$mean), log_relative_error(found[, 2L], set$sd)
    )
  }, "")
}
