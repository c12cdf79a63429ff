#' Discriminant coordinates: the projections that separate the classes
#'
#' Linear discriminant analysis as a projection: the linear functions of the numeric features along
#' which the class means lie furthest apart, compared with the spread within the classes. They
#' belong to a model whose classes share one covariance, as `bayes_full(covariance = "pooled")`
#' estimates it. `predict(type = "discriminant")` computes them for cases, and
#' `plot(type = "discriminants")` draws the cases.
#'
#' @param object A fitted or known model in which each Gaussian feature or block has the same
#'   covariance in all classes.
#' @param tolerance Number from 0 to 1. With the features scaled to a standard deviation of 1 within
#'   the classes, directions whose standard deviation is at most `tolerance` are left out, and so
#'   are coordinates whose spread of the class means is at most this share of that of `LD1`. The
#'   default, 0, keeps all directions that the model uses. `MASS::lda()` has 1e-4, which matters for
#'   features that are nearly collinear.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' Let \eqn{\Sigma}{Sigma} be the covariance within the classes, \eqn{\mu_k}{mu_k} the mean and
#' \eqn{\pi_k}{pi_k} the prior of class \eqn{k},
#' \eqn{c = \sum_k \pi_k \mu_k}{c = sum(pi_k mu_k)} and
#' \deqn{B = \sum_k \pi_k (\mu_k - c)(\mu_k - c)^T.}{B = sum(pi_k (mu_k - c) (mu_k - c)').}
#' The columns \eqn{a} of the scaling solve \eqn{B a = \lambda \Sigma a}{B a = lambda Sigma a} with
#' \eqn{a^T \Sigma a = 1}{a' Sigma a = 1}, from the largest \eqn{\lambda}{lambda} on. They come from
#' the singular value decomposition of the whitened class means, so that the covariances are not
#' squared. The coordinates of a case are \eqn{a^T (x - c)}{a' (x - c)}. Within a class they are
#' independent, with a variance of 1. With the prior and the class means, the coordinates have all
#' that the features say about the class: the posterior is the same.
#'
#' There are at most as many coordinates as features, and one fewer than classes with a prior above
#' 0. The sign of each is such that the mean of the last class is above that of the first one; if
#' both are equal, the class before the last one takes its place, and so on.
#'
#' **The same as `MASS::lda()`**, up to the signs: `scaling`, the proportion of the trace and the
#' scores. The squares of its `svd`, the F statistics of the coordinates, are those of `between`
#' times \eqn{n / (K - 1)} for \eqn{n} rows and \eqn{K} classes. With another `prior`, all of the
#' result belongs to this prior, as if the model were fitted with it; `MASS::predict.lda()` moves
#' the centre alone. For models of `MASS::lda()` and of others see [as_bayes_model()].
#'
#' **Other features.** Features in separate blocks are independent within a class, so
#' \eqn{\Sigma}{Sigma} has zeros between the blocks; all of its blocks must be the same in all
#' classes. A feature that is constant in all rows has no coefficient. Features that are not
#' Gaussian, such as factors, have no part in the coordinates; then the posterior depends on them,
#' too, and the print names them.
#'
#' **Scores.** `predict(model, newdata, type = "discriminant")` returns a matrix, cases x
#' coordinates. It takes data frames, matrices and chunks. A case in which a feature with a
#' coefficient is missing or infinite has no coordinates: `NA`, for infinite numbers with a warning.
#' In a database the coordinates are sums of columns: an error for lazy tables names the way.
#'
#' The coordinates of a tempered model are those of its densities as they are. A message
#' (`bayesrisk_message_untempered`) says so.
#'
#' @return An object of class `bayesrisk_discriminants`, a list of
#'   * `scaling`: the coefficients, a feature x coordinate matrix, in 1 / unit of the feature.
#'     Coordinates are called `LD1`, `LD2`, ..., as in MASS;
#'   * `centre`: the mean of the features, which has the coordinates 0;
#'   * `means`: the coordinates of the class means, a class x coordinate matrix;
#'   * `proportion`: the proportion of the trace: the share of each coordinate in the variance of
#'     the class means;
#'   * `between`: the standard deviation of the class means along each coordinate, where the
#'     standard deviation within a class is 1;
#'   * `prior`: the prior of the class means;
#'   * `directions`: the number of directions that were searched, and of features;
#'   * `others`: the names of the features without a part in the coordinates.
#'
#'   `as.data.frame()` has a row for each coefficient: `feature`, `coordinate`, `coefficient`.
#' @section Errors: `bayesrisk_error_argument` if the covariance differs between classes, which
#'   names the features and the remedy, if there are no Gaussian features, if there is one class, or
#'   if the means of all classes are equal.
#' @references
#' Fisher, R. A. (1936). The use of multiple measurements in taxonomic problems. *Annals of
#' Eugenics* 7, 179-188.
#'
#' Venables, W. N. and Ripley, B. D. (2002). *Modern Applied Statistics with S*, 4th edition.
#' Springer. Section 12.1.
#' @seealso [bayes_full()], [plot()][plot.bayesrisk_model], [contributions()]
#' @concept linear discriminant analysis
#' @concept LDA
#' @concept canonical variates
#' @concept canonical discriminant analysis
#' @concept Fisher's discriminant
#' @concept dimension reduction
#' @export
#' @examples
#' model <- fit(bayes_full(covariance = "pooled"), Species ~ ., iris)
#' discriminants(model)
#' head(predict(model, iris, type = "discriminant"), 3)
#'
#' # Two classes have one coordinate
#' two <- fit(bayes_full(covariance = "pooled"), Species ~ ., droplevels(iris[-(1:50), ]))
#' discriminants(two)$scaling
discriminants <- function(object, prior = NULL, tolerance = 0, ...) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  prior <- predict_prior(object, prior, call)
  tolerance <- check_number(tolerance, "tolerance", min = 0, max = 1, call = call)
  found <- find_discriminants(object, prior, tolerance, "object", call)
  tell_untempered(object)
  features <- rownames(found$scaling)
  by_coordinate <- function(x) stats::setNames(x, colnames(found$scaling))
  structure(
    list(
      scaling = found$scaling,
      centre = stats::setNames(found$centre + found$centre_low, features),
      means = open_as_na(found$mean),
      proportion = by_coordinate(trace_shares(found)),
      between = by_coordinate(found$between),
      prior = stats::setNames(prior, object$schema$classes$levels),
      directions = c(searched = found$directions, features = length(features)),
      others = setdiff(names(object$schema$features), features)
    ),
    class = c("bayesrisk_discriminants", "bayesrisk_result")
  )
}

#' @export
describe.bayesrisk_discriminants <- function(x, show) {
  list(
    title_item(discriminants_title(x)),
    table_item(x$scaling, c("feature", "features"), caption = "Coefficients"),
    table_item(x$means, c("class", "classes"), caption = "Class means"),
    table_item(
      rbind(`standard deviation` = x$between, `proportion of trace` = x$proportion),
      caption = "Spread of the class means"
    ),
    sentences_item(discriminants_notes(x))
  )
}

discriminants_title <- function(x) {
  coordinates <- count_of(ncol(x$scaling), "discriminant coordinate", "discriminant coordinates")
  features <- count_of(nrow(x$scaling), "feature", "features")
  sprintf("%s of %s: %s", coordinates, features, count_of(nrow(x$means), "class", "classes"))
}

discriminants_notes <- function(x) {
  left_out <- x$directions[["features"]] - x$directions[["searched"]]
  c(
    "The standard deviation within a class is 1 along each coordinate.",
    if (left_out > 0) {
      sprintf(
        "%s of the features, which are nearly collinear, %s left out.",
        count_of(left_out, "direction", "directions"), if (left_out == 1) "is" else "are"
      )
    },
    if (length(x$others)) {
      sprintf("Without a part in the coordinates: %s.", some_of(encodeString(x$others)))
    }
  )
}

#' @export
result_rows.bayesrisk_discriminants <- function(x, call) array_rows(x$scaling, "coefficient")
