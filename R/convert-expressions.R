#' A model as expressions of its columns
#'
#' Method for the generic of the package tidypredict: the log joints and the class as expressions
#' that dplyr computes and dbplyr translates into SQL, for pipelines that tidypredict serves.
#' [predict()][predict.bayesrisk_model] of a lazy table and [as_sql()] write shorter SQL, with
#' probabilities and decisions.
#'
#' @param model A fitted or known model without bags of terms.
#' @details
#' A missing value and an unknown level add nothing, as in `predict()`. A class that is impossible
#' has a log joint below -1e299 in place of `-Inf`. In a Gaussian block of more than 4 features a
#' missing value makes the log joints missing. Numbers far out make a row impossible, as in
#' [as_sql()]. All numbers have the digits of a double, also in SQL.
#'
#' In each class a gamma distribution or a count takes some 5,000 characters, a negative binomial
#' distribution 15,000, a mixture or a kernel estimate 300 for each pair of its normals.
#' @return A list of expressions, to be spliced into `mutate()`: `.log_joint_<class>` for each
#'   class, and `.pred_class`, which uses these columns.
#' @section Errors: `bayesrisk_error_argument` for a likelihood whose expression would be too large,
#'   such as many kernels.
#' @seealso [as_sql()], [write_model_json()]
#' @examplesIf requireNamespace("tidypredict", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
#' expressions <- tidypredict::tidypredict_fit(model)
#' expressions$.log_joint_setosa
#' head(dplyr::mutate(iris, !!!expressions), 2)
#' @exportS3Method tidypredict::tidypredict_fit
tidypredict_fit.bayesrisk_model <- function(model) {
  call <- rlang::current_env()
  model <- check_model(model, call, "model")
  classes <- model$schema$classes$levels
  columns <- unlist(lapply(unname(model$schema$features), column_text, call))
  joints <- joint_texts(model, columns, call)
  names(joints) <- paste0(".log_joint_", classes)
  texts <- c(joints, .pred_class = class_text(names(joints), classes))
  lapply(texts, rlang::parse_expr)
}

name_text <- function(x) deparse1(as.name(x), backtick = TRUE)

# A feature as an expression of columns.
column_text <- function(feature, call) {
  if (is.null(feature$expression)) return(name_text(feature$name))
  if (is.null(feature$values)) return(sprintf("(%s)", deparse1(feature$expression)))
  abort_argument(c(
    "{.field {feature$name}} keeps values of its formula, which an expression of columns has not.",
    i = "Compute it as a column before the fit."
  ), call)
}

# The log joint of each class.
joint_texts <- function(model, columns, call) {
  prior <- model$parameters$prior
  temper <- engine_temper(model$parameters$temper)
  offset <- if (length(temper$offset)) temper$offset else prior * 0
  banks <- model$plan$banks
  blocks <- vapply(banks, function(bank) {
    if (record_of(bank)$shares_bank) length(bank$features) else 1L
  }, 1L)
  powers <- if (!is.null(temper)) split(temper$power, rep(seq_along(banks), blocks))
  banks <- lapply(seq_along(banks), function(b) {
    at <- banks[[b]]$features
    to <- r_language(unname(model$schema$features[at]), powers[[b]], call)
    bank_terms(banks[[b]], model$parameters$banks[[b]], columns[at], powers[[b]], to)
  })
  inside <- unlist(lapply(banks, `[[`, "range"))
  vapply(seq_along(prior), function(k) {
    if (prior[[k]] == 0) return(impossible_text)
    terms <- vapply(banks, function(bank) bank$terms[[k]], "")
    sum <- flat_sum(c(number_text(log(prior[[k]]) + offset[[k]]), terms))
    if (is.null(inside)) return(sum)
    when_text(in_groups(sprintf("!(%s)", inside), " | ", 4L), impossible_text, sum)
  }, "")
}

# The terms of a bank for each class, and its range. `power`: of each block; NULL without powers.
bank_terms <- function(bank, parameters, columns, power, to) {
  density <- log_density_text(bank, parameters, to)
  if (length(density$least)) columns <- without_least(columns, density$least, number_text)
  known <- stats::setNames(columns, to$x)
  fill <- function(texts) {
    texts <- fill_text(texts, known)
    if (all(nchar(texts) <= most_characters * length(columns))) return(texts)
    abort_no_text(to, "has too long a formula")
  }
  for (stage in density$stages) known[names(stage)] <- sprintf("(%s)", fill(stage))
  terms <- fill(density$terms)
  list(
    terms = if (length(power) == 1L) powered(terms, power) else terms,
    range = if (!is.null(density$range)) fill(density$range)
  )
}

# The largest expression of a feature in a class.
most_characters <- 1e5

# The first class whose log joint ties with the largest one, as in predict().
class_text <- function(joints, classes) {
  joints <- vapply(joints, name_text, "")
  top <- sprintf("pmax(%s, na.rm = TRUE)", paste(joints, collapse = ", "))
  band <- sprintf("1e-12 * ifelse(abs(%s) > 1, abs(%s), 1)", top, top)
  when_text(
    c(paste("is.na(", joints[[1L]], ")"), paste(top, "<", impossible_limit),
      sprintf("%s >= %s - %s", joints, top, band)),
    c("NA_character_", "NA_character_", string_text(classes)), "NA_character_"
  )
}

# R with dplyr as a language of log densities: see likelihood-density.R. dbplyr translates all that
# is written here into SQL.

# Stands for minus infinity, which SQL cannot write. Sums of many of them are finite.
impossible_text <- "-1e300"
impossible_limit <- "-1e299"

# The language for the members of a bank. Members are {1}, {2}, ..., and stages add letters to these
# names, until fill_text() puts expressions in their places. `power`: see bank_terms().
r_language <- function(features, power, call) {
  x <- sprintf("{%d}", seq_along(features))
  list(
    x = x, raw = x, gone = sprintf("is.na(%s)", x), features = features, whole = TRUE,
    patterns = usual_patterns(length(x)),
    name = "an expression", call = call, stages = FALSE, in_place = FALSE, number = number_text,
    remedy = "{.fn predict} needs no expressions, for data frames and lazy tables.",
    impossible = impossible_text, never = impossible_text,
    is = "==", and = " & ",
    any = function(conditions) in_groups(conditions, " | "),
    among = function(x, values) sprintf("%s %%in%% c(%s)", x, toString(values)),
    between = function(x, low, high) sprintf("%s >= %s & %s <= %s", x, low, x, high),
    case = when_text,
    when = function(condition, value, other = "NA_real_") {
      sprintf("dplyr::case_when(%s ~ %s, TRUE ~ %s)", condition, value, other)
    },
    sum = flat_sum,
    add = function(terms, members) {
      if (length(power) > 1L) terms <- powered(terms, power[members])
      flat_sum(terms)
    },
    abs = function(x) sprintf("abs(%s)", x), exp = function(x) sprintf("exp(%s)", x),
    floor = function(x) sprintf("floor(%s)", x), square = function(x) sprintf("(%s)^2", x),
    polynomial = function(x, coefficients) {
      powers <- vapply(x, function(x) {
        power <- seq_along(coefficients) - 1L
        flat_sum(sprintf("%s * (%s)^%d", number_text(coefficients), x, power))
      }, "", USE.NAMES = FALSE)
      sprintf("(%s)", powers)
    },
    greatest = function(x) sprintf("pmax(%s, na.rm = TRUE)", toString(x)),
    # R computes it of numbers outside the range, too, and would warn of negative ones.
    ln = function(x) sprintf("log(abs(%s))", x),
    zero_if_missing = function(terms, members) sprintf("dplyr::coalesce(%s, 0)", terms),
    level = function(j) level_conditions(x[[j]], features[[j]])
  )
}

# dbplyr writes 15 digits. A number with more is a sum, which is rounded to it.
number_text <- function(x) {
  short <- as.numeric(sprintf("%.15g", x))
  whole <- ifelse(short == x, sprintf("%.15g", x), sprintf("(%.15g + %.15g)", short, x - short))
  ifelse(is.finite(x), whole, impossible_text)
}

# Texts in ASCII, because the locale may not have their letters, and without braces.
string_text <- function(x) {
  vapply(enc2utf8(x), function(x) {
    code <- utf8ToInt(x)
    plain <- code >= 32L & code < 127L & !code %in% utf8ToInt("\"\\{")
    letters <- ifelse(plain, intToUtf8(code, multiple = TRUE), sprintf("\\U%08x", code))
    sprintf("\"%s\"", paste(letters, collapse = ""))
  }, "", USE.NAMES = FALSE)
}

# case_when(<condition> ~ <value>, ..., TRUE ~ <other>)
when_text <- function(conditions, values, other = "NA_real_") {
  cases <- c(paste(conditions, "~", values, recycle0 = TRUE), paste("TRUE ~", other))
  sprintf("dplyr::case_when(%s)", paste(cases, collapse = ", "))
}

# Conditions that a column has each of the levels. A level NA is a missing value, as in a database.
level_conditions <- function(x, feature) {
  values <- if (feature$type == "logical") feature$levels else string_text(feature$levels)
  ifelse(is.na(feature$levels), NA, paste(x, "==", values))
}

# dbplyr puts each sum of two terms in parentheses, and SQLite reads few in each other.
flat_sum <- function(terms) if (length(terms)) in_groups(terms, " + ", 4L) else "0"

powered <- function(terms, power) sprintf("%s * (%s)", number_text(power), terms)

# Texts with expressions in the places of names such as {1} and {1}_v2.
fill_text <- function(texts, expressions) {
  at <- gregexpr("\\{[0-9]+\\}\\w*", texts, perl = TRUE)
  regmatches(texts, at) <- lapply(regmatches(texts, at), function(name) expressions[name])
  texts
}
