#' Specify a Bayes classifier
#'
#' A specification describes a model without data. Given the class, features are modelled one by one
#' (`bayes_naive()`), all together (`bayes_full()`), or together within blocks and
#' independently between blocks (`bayes_blocks()`). `fit()` estimates the model from data.
#'
#' @details
#' | model | categorical features | numeric features |
#' |---|---|---|
#' | `bayes_naive()` | a table each | a Gaussian each |
#' | `bayes_full()` | one joint table | one multivariate Gaussian, or `joint` |
#' | `bayes_blocks()` | a joint table per block | a multivariate Gaussian per block, or `joint` |
#'
#' The features of a block are of one kind, all categorical or all numeric; features
#' outside the blocks are modelled as by `bayes_naive()`.
#'
#' `laplace` is short for `categorical = likelihood_categorical(laplace = )`, and
#' `variance` is short for `numeric = likelihood_gaussian(variance = )`. The help pages of
#' [likelihood_categorical()] and [likelihood_gaussian()] have the formulas.
#'
#' @section Covariance and shrinkage:
#' For a block of numeric features let \eqn{S_k} be the covariance of class \eqn{k}: its
#' scatter matrix divided by \eqn{W_k - 1} (`variance = "unbiased"`) or by \eqn{W_k}
#' (`"ml"`), where \eqn{W_k} is the sum of the weights of the rows of the class. The
#' pooled covariance is the sum of the scatter matrices of all classes, divided by
#' \eqn{\sum_k W_k - K'}{sum(W_k) - K'} (`"unbiased"`, with \eqn{K'} the number of
#' classes that have rows) or by \eqn{\sum_k W_k}{sum(W_k)} (`"ml"`). A shrinkage of
#' \eqn{g} uses
#' \deqn{(1 - g)\, S_k + g\, S_{\mathrm{pooled}}, \qquad 0 \le g \le 1,}{
#'   (1 - g) S_k + g S_pooled,  0 <= g <= 1,}
#' so that `shrinkage = 0` keeps one covariance per class (quadratic discriminant
#' analysis) and `shrinkage = 1` is `covariance = "pooled"` (linear discriminant
#' analysis). Shrinkage is the remedy for a covariance that is singular in some class.
#'
#' An `identity` of \eqn{g} then shrinks each covariance \eqn{\Sigma}{Sigma} of \eqn{p} features
#' towards a multiple of the identity matrix, which makes any covariance regular, a pooled one too:
#' \deqn{(1 - g)\, \Sigma + g\, \frac{\mathrm{tr}\, \Sigma}{p}\, I.}{
#'   (1 - g) Sigma + g tr(Sigma) / p I.}
#' The identity has the same variance for each feature, so the units matter: bring all features to
#' one scale first. `shrinkage` and `identity` are `lambda` and `gamma` of Friedman (1989), but his
#' `lambda` also weights by class size, while this package averages the covariances themselves.
#'
#' `identity = "auto"` estimates \eqn{g} by the oracle approximating shrinkage (OAS) of Chen,
#' Wiesel, Eldar and Hero (2010), in the form of scikit-learn, also with more features than rows:
#' \deqn{g = \min\left(1, \frac{a + \mu^2}{(n + 1)(a - \mu^2 / p)}\right),}{
#'   g = min(1, (a + mu^2) / ((n + 1) (a - mu^2 / p))),}
#' where \eqn{a} is the mean of the \eqn{p^2} squared elements of \eqn{\Sigma}{Sigma}, \eqn{\mu}{mu}
#' its trace divided by \eqn{p}, and \eqn{n} the weight of the cases behind it: of the class, with
#' those that it borrows, or of all classes if the covariance is pooled. With a `shrinkage` of
#' \eqn{s} the cases are \eqn{1 - s} times those of the class plus \eqn{s} times all.
#' `coef()$numeric$identity` has \eqn{g}, and `print()` and `summary()` show it.
#'
#' @section Degenerate data:
#' A class may be too small for an estimate of its own, or a feature may have no spread in a class.
#' With `degenerate = "pool"` the class then borrows from the others for this feature. All estimates
#' that exist without borrowing do not change. For class \eqn{k} let \eqn{S_k} be the scatter about
#' its mean and \eqn{d_k} its divisor, \eqn{W_k - 1} or \eqn{W_k}. The pooled variance (in a block
#' of numeric features: covariance) \eqn{v} is the sum of \eqn{S_k} divided by the sum of
#' \eqn{d_k}, over the classes with \eqn{d_k > 0}. Borrowing \eqn{m} cases gives
#' \deqn{\frac{S_k + m v}{\max(d_k, 0) + m}.}{(S_k + m v) / (max(d_k, 0) + m).}
#' A single feature borrows one case, a block of numeric features as many as it has features. A
#' positive `borrow` replaces these numbers, and then every class borrows. A class keeps its own
#' mean. A class without a value of the feature (without a complete row of the block) takes the mean
#' of all rows. A kernel density with a rule computes its bandwidth from the borrowed variance, with
#' \eqn{n + 1} cases in place of the \eqn{n} of the class. A gamma likelihood borrows one case in
#' the same way, with another measure of spread in place of the variance: the log of the mean minus
#' the mean of the logs (the right side of the equation for the shape in [likelihood_gamma()]). The
#' pooled measure is its mean over the classes, weighted by class weight. If a class has no value of
#' the feature, its rates, counts, exact values and tables are those of all classes together. A
#' mixture all of whose fits have a component around a single value borrows from the variance of its
#' own class ([likelihood_mixture()]).
#'
#' A numeric feature that has the same value in all rows is left out: its log likelihood is 0 in
#' every class. A single feature without any value is left out as well, if it is categorical or has
#' a Gaussian, kernel or Poisson likelihood. A feature that is constant within every class but
#' differs between classes is an error, because it separates the classes without spread. It is also
#' an error if the pooled covariance of a block is singular. This error names the linear dependence.
#'
#' One warning of class `bayesrisk_warning_degenerate` lists the borrowed estimates and the features
#' that were left out. [summary()][summary.bayesrisk_model] and [tidy()][tidy.bayesrisk_model] of
#' the model mark them. [update()][update.bayesrisk_model] with more data borrows only where it is
#' still needed.
#'
#' @param laplace Pseudo-count added to each level (in a joint table: each cell) of
#'   each class; one number, 0 or more. `NULL` adds nothing.
#' @param variance `"unbiased"` or `"ml"`; `NULL` means `"unbiased"`.
#' @param categorical Likelihood of the categorical features: [likelihood_categorical()]. Not
#'   together with `laplace`. In `bayes_blocks()` it also says how joint tables are smoothed.
#' @param numeric Likelihood of the numeric features: [likelihood_gaussian()] or any other
#'   likelihood of numbers, such as [likelihood_kernel()], [likelihood_gamma()] or
#'   [likelihood_poisson()]. Not together with `variance`. In `bayes_blocks()` a Gaussian also says
#'   whether covariances are unbiased.
#' @param joint Likelihood of the blocks of numeric features: `NULL` or [likelihood_gaussian()] for
#'   multivariate Gaussians, [likelihood_mixture()] for mixtures of them, [likelihood_histogram()]
#'   for joint histograms. In `bayes_blocks()` also a list of likelihoods named by block; other
#'   blocks are Gaussian. `variance`, `covariance`, `shrinkage`, `identity`, `borrow` and `missing`
#'   are for Gaussian blocks only.
#' @param features Likelihoods of single features, in place of `categorical` or `numeric`: a list
#'   named by feature.
#' @param borrow Number of cases, 0 or more, that the covariance of every class borrows from the
#'   pooled covariance; see "Degenerate data". With `covariance = "pooled"` it must be 0. For single
#'   features see [likelihood_gaussian()].
#' @param degenerate `"pool"` (the default): if a feature or block cannot be estimated from the rows
#'   of a class, this class borrows from the other classes, with a warning. `"stop"`: this is an
#'   error.
#' @param prior Class prior: `NULL` for the shares of the classes in the data (rows with
#'   missing features count); `"uniform"` for the same probability of each class that has rows;
#'   or probabilities that sum to 1 within 1e-8, named by class or, without names, in level order.
#' @param covariance `"class"` (the default) for one covariance matrix per class,
#'   `"pooled"` for one of all classes.
#' @param shrinkage Number from 0 to 1: the weight of the pooled covariance in the covariance of
#'   each class. With `covariance = "pooled"` it must be 0.
#' @param identity Number from 0 to 1: the weight of the identity matrix in each covariance.
#'   `"auto"`: it is estimated, for more features than rows. It depends on the units of the
#'   features; see "Covariance and shrinkage".
#' @param blocks A list of character vectors, the names of the features that are
#'   modelled jointly. A block without a name is called by its features, joined by `+`.
#'   A feature stands in one block at most, and not in `features` as well.
#' @param temper Whether [fit()] also estimates exponents that make the posteriors believable, as
#'   [temper()] does: `TRUE` or `"model"`, `"kind"`, `"block"`. Folds are drawn with R's generator.
#' @inheritParams bayesrisk_arguments
#'
#' @concept linear discriminant analysis
#' @concept quadratic discriminant analysis
#' @return An object of class `bayesrisk_spec`. It prints as a sentence; `summary()`
#'   gives its parts as a data frame with the columns `part` and `setting`.
#'
#' @section Errors:
#' `bayesrisk_error_argument` if an argument is not as described above, or if the parameters of a
#' likelihood are known: [bayes_known()] makes models with known parameters.
#'
#' @references
#' Chen, Y., Wiesel, A., Eldar, Y. C. and Hero, A. O. (2010). Shrinkage algorithms for MMSE
#' covariance estimation. *IEEE Transactions on Signal Processing* 58, 5016-5029.
#'
#' Friedman, J. H. (1989). Regularized discriminant analysis. *Journal of the American
#' Statistical Association* 84, 165-175.
#'
#' Lectures "Naive Bayes Learning (after Mooney)", "Applied Machine Learning
#' Fundamentals, Unit III: Bayesian Decision Theory (Wehner)" and "Bayesian Learning
#' (Galili, Shamir, Yakhini)".
#'
#' @seealso [bayes_known()] for a model from numbers instead of data, [naive()] for the naive view
#'   of a full model, [search_blocks()] for blocks that the data suggest, [discriminants()] for the
#'   coordinates of a pooled covariance.
#' @examples
#' bayes_naive(laplace = 1)
#' bayes_naive(
#'   categorical = likelihood_categorical(m = 1),
#'   numeric = likelihood_gaussian("ml", min_variance = 1e-6),
#'   prior = c(yes = 0.25, no = 0.75)
#' )
#' bayes_full(covariance = "pooled")
#' bayes_full(shrinkage = 0.1, prior = "uniform")
#'
#' # 4 rows of each class, 4 features
#' few <- fit(bayes_full(identity = "auto"), Species ~ ., iris[c(1:4, 51:54, 101:104), ])
#' coef(few)$numeric$identity
#'
#' # Each of 120 rows misses a value
#' fit(bayes_full(missing = "em"), Species ~ ., replace(iris, cbind(1:120, 1:4), NA))
#'
#' petals <- bayes_blocks(blocks = list(petal = c("Petal.Length", "Petal.Width")))
#' petals
#' summary(petals)
#' @name bayes_naive
#' @export
bayes_naive <- function(laplace = NULL, variance = NULL, categorical = NULL,
                        numeric = NULL, features = list(), prior = NULL,
                        degenerate = c("pool", "stop"), temper = FALSE, ...) {
  make_spec("naive", rlang::current_env(), ...)
}

#' @rdname bayes_naive
#' @export
bayes_full <- function(laplace = NULL, variance = NULL, joint = NULL,
                       covariance = c("class", "pooled"), shrinkage = 0, identity = 0, borrow = 0,
                       missing = c("complete", "em"), prior = NULL,
                       degenerate = c("pool", "stop"), temper = FALSE, ...) {
  make_spec("full", rlang::current_env(), ...)
}

#' @rdname bayes_naive
#' @export
bayes_blocks <- function(blocks, laplace = NULL, variance = NULL, categorical = NULL,
                         numeric = NULL, features = list(), joint = NULL,
                         covariance = c("class", "pooled"), shrinkage = 0, identity = 0, borrow = 0,
                         missing = c("complete", "em"), prior = NULL,
                         degenerate = c("pool", "stop"), temper = FALSE, ...) {
  if (base::missing(blocks) || !length(blocks)) blocks <- NULL
  make_spec("blocks", rlang::current_env(), ...)
}

new_spec <- function(structure, blocks = list(), categorical = likelihood_categorical(),
                     numeric = likelihood_gaussian(), features = list(), joint = NULL,
                     covariance = "class", shrinkage = 0, identity = 0, borrow = 0,
                     missing = "complete", prior = NULL, degenerate = "pool", temper = NULL,
                     bag = NULL) {
  spec <- list(
    structure = structure, blocks = blocks, categorical = categorical, numeric = numeric,
    features = features, joint = joint, covariance = covariance, shrinkage = shrinkage,
    identity = identity, borrow = borrow, missing = missing, prior = prior,
    degenerate = degenerate, temper = temper, bag = bag, version = package_version_string
  )
  class(spec) <- c("bayesrisk_spec", "bayesrisk_result")
  spec
}

# The specification of a function whose arguments are its settings. `call`: the frame of the
# function, which has no other variables; `...`: arguments that the function does not have.
make_spec <- function(structure, call, ...) {
  settings <- as.list.environment(call)
  if (...length()) {
    check_no_data(call, ...)
    check_no_foreign_settings(structure, call, ...)
    check_no_dots(..., call = call)
  }
  # data.table changes vectors in place, which must not change the key.
  known_value("made", rlang::duplicate(list(structure, settings)), function() {
    check_no_data(call)
    do.call(checked_spec, c(list(structure), settings, list(call = call)), quote = TRUE)
  })
}

# Settings of other packages, with their values.
foreign_settings <- c(
  usekernel = "numeric = likelihood_kernel()", usepoisson = "numeric = likelihood_poisson()",
  Laplace = "laplace = %s", fL = "laplace = %s",
  adjust = "numeric = likelihood_kernel(adjust = %s)",
  smoothness = "numeric = likelihood_kernel(adjust = %s)"
)

# `...`: arguments that the function does not have.
check_no_foreign_settings <- function(structure, call, ...) {
  given <- rlang::dots_list(..., .ignore_empty = "all")
  given <- given[names(given) %in% names(foreign_settings)]
  if (!length(given)) return(invisible())
  named <- names(given)
  values <- vapply(given, function(x) short_code(deparse1(x), "1"), "")
  on <- !vapply(given, isFALSE, NA)
  # A kernel with a bandwidth is a kernel.
  on <- on & !(named == "usekernel" & any(named %in% c("adjust", "smoothness")))
  ours <- Map(sub, "%s", values[on], foreign_settings[named[on]], fixed = TRUE)
  # A full model has no likelihood of single numbers.
  joint <- structure == "full" && any(startsWith(unlist(ours), "numeric"))
  name <- if (joint) "naive" else structure
  code <- sprintf("bayes_%s(%s)", name, toString(c(if (name == "blocks") "blocks", unlist(ours))))
  abort_argument(c(
    "Unused argument{?s}: {.arg {named}}.", i = "Write {.code {code}}."
  ), call)
}

# A specification from settings that are checked here. `blocks` are empty after the features of all
# blocks were dropped.
checked_spec <- function(structure, blocks = list(), laplace = NULL, variance = NULL,
                         categorical = NULL, numeric = NULL, features = list(), joint = NULL,
                         covariance = "class", shrinkage = 0, identity = 0, borrow = 0,
                         missing = "complete", prior = NULL, degenerate = "pool", temper = FALSE,
                         bag = NULL, call) {
  if (!is.null(laplace) && !is_shared(laplace)) {
    laplace <- check_number(laplace, "laplace", min = 0, call = call)
  }
  if (!is.null(variance)) variance <- check_variance(variance, call)
  categorical <- choose_likelihood(categorical, "categorical", laplace, "laplace", call)
  numeric <- choose_likelihood(numeric, "numeric", variance, "variance", call)
  if (!is.null(bag)) check_likelihood(bag, NULL, "bag", call)
  gone <- is.list(blocks) && !length(blocks)
  if (structure == "blocks" && !gone) blocks <- check_blocks(blocks, call)
  features <- check_own_likelihoods(features, blocks, call)
  # Without joint blocks their settings are the usual ones.
  joins <- structure != "naive"
  if (joins) {
    joint <- check_joint(joint, blocks, call)
    covariance <- check_choice(covariance, c("class", "pooled"), "covariance", call)
    shrinkage <- check_number(shrinkage, "shrinkage", min = 0, max = 1, call = call)
    if (covariance == "pooled" && shrinkage != 0) {
      abort_argument(c(
        "{.arg shrinkage} must be 0 with {.arg covariance} = {.val pooled}, not {shrinkage}.",
        i = "A pooled covariance already is a {.arg shrinkage} of 1."
      ), call)
    }
    identity <- check_identity(identity, call)
    borrow <- check_number(borrow, "borrow", min = 0, call = call)
    if (covariance == "pooled" && borrow != 0) {
      abort_argument(
        "{.arg borrow} must be 0 with {.arg covariance} = {.val pooled}: it is shared already.",
        call
      )
    }
    missing <- check_choice(missing, c("complete", "em"), "missing", call)
  }
  prior <- check_prior_argument(prior, "prior", call)
  degenerate <- check_choice(degenerate, c("pool", "stop"), "degenerate", call)
  # data.table changes vectors in place, which must not change the specification.
  spec <- rlang::duplicate(new_spec(
    structure, blocks, categorical, numeric, features, joint, covariance, shrinkage, identity,
    borrow, missing, prior, degenerate, check_temper(temper, call), bag
  ))
  if (joins) check_joint_settings(spec, call)
  mark_sound(spec, "specification")
}

check_identity <- function(identity, call) {
  if (is_auto(identity)) return(identity)
  if (is.character(identity)) {
    abort_wanted(identity, "identity", "one number from 0 to 1, or {.val auto}", call)
  }
  check_number(identity, "identity", min = 0, max = 1, call = call)
}

# How the blocks share exponents: see temper().
temper_parts <- c("model", "kind", "block")

check_temper <- function(temper, call) {
  if (isFALSE(temper) || is.null(temper)) return(NULL)
  if (isTRUE(temper)) return("model")
  check_choice(temper, temper_parts, "temper", call)
}

# Made once, because most specifications have them.
usual_likelihoods <- list(categorical = likelihood_categorical(), numeric = likelihood_gaussian())

# The likelihood for features of a kind: `given`, or the usual likelihood if `given` is NULL.
# `setting`: the name of the argument of a specification that sets the first argument of the usual
# likelihood, for example "laplace". `short`: the value of this argument, NULL if it is not given.
choose_likelihood <- function(given, kind, short, setting, call) {
  if (is.null(given)) {
    if (is.null(short)) return(usual_likelihoods[[kind]])
    return(if (kind == "categorical") likelihood_categorical(short) else likelihood_gaussian(short))
  }
  if (!is.null(short)) {
    abort_argument(c(
      "{.arg {setting}} and {.arg {kind}} cannot be given together.",
      i = "{.arg {setting}} is an argument of the likelihood, too: set it there."
    ), call)
  }
  check_likelihood(given, kind, kind, call)
}

check_own_likelihoods <- function(features, blocks, call) {
  if (is.null(features)) return(list())
  if (!is.list(features) || is.object(features)) {
    abort_wanted(features, "features", "a list of likelihoods named by feature", call)
  }
  if (length(features) == 0L) return(features)
  if (is.null(names(features))) abort_argument("{.arg features} must be named by feature.", call)
  check_distinct_names(names(features), "features", call)
  for (name in names(features)) {
    check_likelihood(features[[name]], NULL, paste0("features$", name), call)
  }
  both <- intersect(names(features), unlist(blocks))
  if (length(both)) {
    abort_argument(c(
      "{.field {both}} cannot stand in {.arg features} and in {.arg blocks}.",
      i = "The features of a block are modelled jointly, by its own likelihood."
    ), call)
  }
  features
}
