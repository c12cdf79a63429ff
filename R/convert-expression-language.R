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
    x = x, raw = x, features = features, whole = TRUE, patterns = usual_patterns(length(x)),
    name = "an expression", call = call, stages = FALSE, number = number_text,
    remedy = "{.fn predict} needs no expressions, for data frames and lazy tables.",
    impossible = impossible_text, never = impossible_text, missing = "NA_real_",
    is = "==", and = " & ",
    is_na = function(x) sprintf("is.na(%s)", x),
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
    zero_if_missing = function(x) sprintf("dplyr::coalesce(%s, 0)", x),
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
