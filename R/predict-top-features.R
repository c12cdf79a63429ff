#' The terms that speak most for a class, or for the class of a case
#'
#' For a model with a bag of terms (see [bayes_text()]): the terms that distinguish each class from
#' the other classes. With `newdata`: the terms of each case that speak for and against its class.
#'
#' @details
#' The terms of a class are ranked by \eqn{z}, the log odds of a term divided by their standard
#' error. By log odds alone rare terms would lead by chance. Let \eqn{y} be the count of a term in
#' the class, \eqn{n} the count of all \eqn{V} terms, and \eqn{a} the pseudo-count `laplace` of the
#' model; \eqn{y'} and \eqn{n'} are those of all other classes together. With
#' \eqn{h = y + a}, \eqn{m = n + a V - h}, and \eqn{h'} and \eqn{m'} likewise,
#' \deqn{\delta = \log \frac{h}{m} - \log \frac{h'}{m'}, \quad
#'   \sigma^2 = \frac 1 h + \frac 1 m + \frac 1 {h'} + \frac 1 {m'}, \quad z = \delta / \sigma}{%
#'   delta = log(h/m) - log(h'/m'), sigma^2 = 1/h + 1/m + 1/h' + 1/m', z = delta/sigma}
#' (Monroe, Colaresi and Quinn 2008, with the prior of Laplace). Presences of
#' [likelihood_bernoulli()] are counted in cases: \eqn{m} is the number of cases without the term,
#' plus \eqn{a}. Rates of [likelihood_poisson()] have no odds: \eqn{\delta} is the log of their
#' ratio, and \eqn{\sigma^2 = 1/h + 1/h'}. Complement weights are ranked by their counts.
#'
#' Without smoothing, a term that the class or all other classes lack has infinite log odds and an
#' infinite variance. It has no \eqn{z} and comes last.
#'
#' For a case, the contribution of a term is its count times the difference of the coefficients of
#' two classes: what this term adds to the log odds of `class` against `against`. All contributions
#' of a case add up to that of the bag in [contributions()]. A term that every case of a class has
#' (Bernoulli, `laplace = 0`) adds log 1 = 0 to this class; if a case lacks it, `"(empty)"` has the
#' infinite log odds. What is impossible in both classes has the contribution `NA`.
#'
#' @param object A fitted model with a bag.
#' @param n The number of terms of each class or case: a whole number.
#' @param class Without `newdata` the classes to show, in their order; default: all. With `newdata`
#'   the class that terms speak for; default: for each case its most probable class.
#' @param newdata Cases, as in [predict()][predict.bayesrisk_model]. `NULL`: terms of the classes.
#' @param features The name of the bag; needed only if the model has several.
#' @inheritParams bayesrisk_arguments
#' @return A data frame that prints by class or case. Without `newdata`, of class
#'   `bayesrisk_top_features`, with `n` rows for each class:
#'   * `class`: a factor; `term`: the term;
#'   * `count`, `count_others`: the counts \eqn{y} and \eqn{y'};
#'   * `log_odds`, `variance`, `z`: \eqn{\delta}, \eqn{\sigma^2} and \eqn{z}.
#'
#'   With `newdata`, of class `bayesrisk_case_features`, with up to `n` terms for each case, those
#'   with the largest contributions first. Cases without a posterior have no rows.
#'   * `case`: its name or number, a factor; names that occur twice get a number;
#'   * `class`, `against`: factors; `against` is the most probable other class;
#'   * `term`: the term. `"(5 others)"` stands for the sum of five terms that are not shown, and
#'     `"(empty)"` for the log odds of a case without any term, if these are not 0;
#'   * `count`: in the case, `NA` for a sum;
#'   * `contribution`: to the log odds of `class` against `against`.
#' @section Errors: `bayesrisk_error_argument` for a model without a bag, for a bag of Gaussians
#'   (its terms have no counts) unless `newdata` is given, or for an argument that is not as
#'   described;
#'   with `newdata` errors and warnings as in [predict()][predict.bayesrisk_model].
#' @references
#' Monroe, B. L., Colaresi, M. P. and Quinn, K. M. (2008). Fightin' Words: lexical feature selection
#' and evaluation for identifying the content of political conflict. *Political Analysis* 16,
#' 372-403.
#' @seealso [plot()][plot.bayesrisk_top_features]; [contributions()] for all blocks of a model;
#'   [tidy()][tidy.bayesrisk_model] for all probabilities
#' @examples
#' words <- rbind(c(2, 1, 0, 1), c(1, 0, 0, 1), c(0, 1, 2, 1), c(0, 1, 1, 0))
#' colnames(words) <- c("offer", "you", "meeting", "the")
#' model <- fit(bayes_text(), list(words = words), c("spam", "spam", "ham", "ham"))
#' top_features(model, n = 2)
#'
#' mail <- list(words = rbind(c(offer = 2, meeting = 1, the = 1)))
#' top_features(model, newdata = mail)
#' @export
top_features <- function(object, n = 10, class = NULL, newdata = NULL, prior = NULL,
                         features = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  n <- check_whole_number(n, "n", min = 1, call = call)
  feature <- check_bag_feature(object, features, call)
  classes <- object$schema$classes$levels
  if (length(classes) < 2L) {
    abort_argument("{.arg object} has one class: its terms have nothing to distinguish.", call)
  }
  if (is.null(newdata)) {
    if (!is.null(prior)) {
      abort_argument("{.arg prior} is for {.arg newdata}; terms of classes need none.", call)
    }
    if (!is.null(class)) class <- check_some(class, classes, "class", call)
    return(terms_of_classes(object, feature, n, class, call))
  }
  if (!is.null(class)) class <- check_choice(class, classes, "class", call)
  prior <- predict_prior(object, prior, call)
  threads <- check_threads(threads, call)
  terms_of_cases(object, feature, n, class, newdata, prior, threads, call)
}

check_bag_feature <- function(object, features, call) {
  bags <- bags_of(object$schema$features)
  if (length(bags) == 0L) {
    abort_argument(c(
      "{.arg object} has no bag of terms.",
      i = "{.fn contributions} and {.fn tidy} work for every model, {.fn bayes_text} makes one with
           a bag."
    ), call)
  }
  if (!is.null(features)) return(check_choice(features, bags, "features", call))
  if (length(bags) == 1L) return(bags)
  abort_argument("{.arg features} must name one of the bags {.or {.val {bags}}}.", call)
}

# The bank of a bag, and its place among the banks.
bag_bank <- function(object, feature) {
  j <- match(feature, names(object$schema$features))
  which(vapply(object$plan$banks, function(bank) j %in% bank$features, NA))
}

terms_of_classes <- function(object, feature, n, class, call) {
  b <- bag_bank(object, feature)
  odds_of <- record_of(object$plan$banks[[b]])$odds
  if (is.null(odds_of)) {
    abort_argument(c(
      "The terms of {.field {feature}} have no counts, so they have no log odds.",
      i = "{.fn tidy} shows their means."
    ), call)
  }
  if (is.null(object$statistics)) {
    abort_argument(c(
      "{.arg object} has no counts: its parameters were drawn, without data.",
      i = "With {.arg newdata} it has the terms of cases."
    ), call)
  }
  options <- estimate_options(object$spec, object$schema, object$plan, call)[[b]]
  counts <- odds_of(object$statistics$banks[[b]], options)
  classes <- object$schema$classes
  terms <- object$schema$features[[feature]]$levels
  rows <- lapply(if (is.null(class)) classes$levels else class, function(name) {
    k <- match(name, classes$levels)
    odds <- log_odds_of_class(counts, k)
    first <- utils::head(order(-odds$z, -odds$count, method = "radix"), n)
    data.frame(class = as_class_factor(rep(k, length(first)), classes), term = terms[first],
               odds[first, ])
  })
  rows <- do.call(rbind, rows)
  rownames(rows) <- NULL
  structure(
    rows, feature = feature, rates = counts$rates,
    class = c("bayesrisk_top_features", "bayesrisk_result", "data.frame")
  )
}

# Log odds of all terms in class k against the other classes together. `counts`: term_counts().
log_odds_of_class <- function(counts, k) {
  count <- counts$count[k, ]
  others <- colSums(counts$count[-k, , drop = FALSE])
  here <- log_odds(count, counts$total[[k]], counts)
  there <- log_odds(others, sum(counts$total[-k]), counts)
  variance <- here$variance + there$variance
  log_odds <- here$value - there$value
  z <- ifelse(is.finite(variance), log_odds / sqrt(variance), NA_real_)
  data.frame(
    count = count, count_others = others, log_odds = open_as_na(log_odds), variance = variance,
    z = z
  )
}

log_odds <- function(count, total, counts) {
  hits <- count + counts$smoothing[[1L]]
  total <- total + counts$smoothing[[2L]]
  if (counts$rates) return(list(value = log(hits / total), variance = 1 / hits))
  misses <- pmax(total - hits, 0)
  list(value = log(hits / misses), variance = 1 / hits + 1 / misses)
}

terms_of_cases <- function(object, feature, n, class, newdata, prior, threads, call) {
  read <- read_newdata(object$schema, newdata, call)
  classes <- object$schema$classes
  beliefs <- score(object, read, "log_prob", prior, NULL, threads, call)
  sides <- leading_classes(beliefs, if (!is.null(class)) match(class, classes$levels))
  found <- call_engine(
    term_contributions_cpp(
      engine_model(object, prior), read$frame, match(feature, block_names(object)),
      sides$favoured, sides$rival, n
    ), call
  )
  row <- found$row + 1L
  special <- found$term < 0L
  terms <- object$schema$features[[feature]]$levels
  term <- terms[ifelse(special, NA, found$term) + 1L]
  term[found$term == -1L] <- sprintf(
    "(%s)", vapply(found$count[found$term == -1L], count_of, "", "other", "others")
  )
  term[found$term == -2L] <- "(empty)"
  labels <- read$row_names
  labels <- if (is.null(labels)) as.character(seq_along(sides$rival)) else make.unique(labels)
  structure(
    data.frame(
      case = factor(labels[row], unique(labels[row])),
      class = as_class_factor(sides$favoured[row], classes),
      against = as_class_factor(sides$rival[row], classes), term = term,
      count = ifelse(special, NA, found$count), contribution = open_as_na(found$contribution)
    ),
    feature = feature,
    class = c("bayesrisk_case_features", "bayesrisk_result", "data.frame")
  )
}

# For each row the most probable class, or `given`, and the most probable other class; NA without a
# posterior. `beliefs`: log posteriors.
leading_classes <- function(beliefs, given) {
  rows <- seq_len(nrow(beliefs))
  known <- !is.na(beliefs[, 1L])
  beliefs[is.na(beliefs)] <- -Inf
  favoured <- if (is.null(given)) max.col(beliefs, "first") else rep(given, length(rows))
  # Below all other classes, also below impossible ones.
  beliefs[beliefs == -Inf] <- -.Machine$double.xmax
  beliefs[cbind(rows, favoured)] <- -Inf
  list(
    favoured = replace(favoured, !known, NA),
    rival = replace(max.col(beliefs, "first"), !known, NA)
  )
}

#' @export
describe.bayesrisk_top_features <- function(x, show) {
  classes <- unique(x$class)
  shown <- utils::head(classes, if (is.null(show$n)) 3L else show$n)
  tables <- lapply(shown, function(class) {
    list(
      heading_item(paste("class", encodeString(as.character(class)))),
      table_item(plain_frame(x)[x$class == class, -1L], c("term", "terms"))
    )
  })
  rates <- isTRUE(attr(x, "rates"))
  left <- length(classes) - length(shown)
  c(
    list(title_item("terms that speak most for a class")),
    unlist(tables, recursive = FALSE),
    list(sentences_item(c(
      if (left > 0L) paste0(more_of(left, c("class", "classes")), "."),
      paste(
        "Ranked by z:", if (rates) "log ratios of the rates" else "log odds",
        "against all other classes together, divided by their standard error."
      )
    )))
  )
}

#' @export
describe.bayesrisk_case_features <- function(x, show) {
  cases <- unique(x$case)
  shown <- utils::head(cases, if (is.null(show$n)) 3L else show$n)
  tables <- lapply(shown, function(case) {
    rows <- plain_frame(x)[x$case == case, ]
    list(
      heading_item(sprintf(
        "case %s: %s against %s", encodeString(as.character(case)), rows$class[[1L]],
        rows$against[[1L]]
      )),
      table_item(rows[c("term", "count", "contribution")], c("term", "terms"))
    )
  })
  left <- length(cases) - length(shown)
  c(
    list(title_item("what the terms add to the log odds")),
    unlist(tables, recursive = FALSE),
    if (left > 0L) list(sentences_item(paste0(more_of(left, c("case", "cases")), ".")))
  )
}
