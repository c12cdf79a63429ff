# R's functions of numbers as SQL: see source-db-terms.R. Domains and the ends of the range of
# doubles are written out, because there engines give NULL, an error or another number. What is NaN
# in R is NULL, because engines compare NaN as a number.

nan_free <- function(sql, to) sql_part("number", "%s", to$source$dialect$known(sql))

# One number: `write(x, dialect)` or a format with its place.
of_number <- function(write) {
  if (is.character(write)) {
    format <- write
    write <- function(x, dialect) sprintf(format, x)
  }
  function(e, to) {
    if (length(e) == 2L) sql_part("number", "%s", write(number_args(e[2L], to), to$source$dialect))
  }
}

of_operator <- function(operator) {
  function(e, to) {
    x <- number_args(e[-1L], to)
    if (length(x) == 1L) return(sql_part("number", "(%s%s)", operator, x))
    nan_free(sprintf("(%s %s %s)", x[[1L]], operator, x[[2L]]), to)
  }
}

of_quotient <- function(e, to) {
  x <- number_args(e[-1L], to)
  safe <- is_constant(e[[3L]]) && isTRUE(is.finite(e[[3L]]) & e[[3L]] != 0)
  if (safe) return(sql_part("number", "(%s / %s)", x[[1L]], x[[2L]]))
  nan_free(sprintf(
    "(CASE WHEN %2$s <> 0 THEN %1$s / %2$s WHEN %2$s = 0 AND %1$s > 0 THEN %3$s
 WHEN %2$s = 0 AND %1$s < 0 THEN -%3$s END)", x[[1L]], x[[2L]], to$source$dialect$infinity
  ), to)
}

of_power <- function(e, to) {
  x <- number_args(e[-1L], to)
  power <- sprintf("POWER(%s, %s)", x[[1L]], x[[2L]])
  exponent <- e[[3L]]
  if (!is_constant(exponent)) return(of_any_power(x[[1L]], x[[2L]], power, to))
  if (length(exponent) != 1L || is.na(exponent)) return(NULL)
  if (is.infinite(exponent)) to$stop("engines differ in powers with an infinite exponent")
  if (exponent == 0) return(sql_part("number", "1e0"))
  if (exponent == 2) return(sql_part("number", "(%1$s * %1$s)", x[[1L]]))
  sql_part(
    "number", "(CASE WHEN %1$s > 0 THEN %2$s WHEN %1$s = 0 THEN %3$s WHEN %1$s < 0 THEN %4$s END)",
    x[[1L]], power, if (exponent < 0) to$source$dialect$infinity else power,
    if (exponent == trunc(exponent)) power else db_double("NULL", to$source$dialect)
  )
}

# In R the power of 0 and powers of 1 are 1, also of missing values. An infinite power of a negative
# number is NaN.
of_any_power <- function(x, exponent, power, to) {
  sql_part(
    "number", "(CASE WHEN %2$s = 0 OR %1$s = 1 THEN 1e0 WHEN %1$s > 0 THEN %3$s
 WHEN %1$s = 0 AND %2$s > 0 THEN 0e0 WHEN %1$s = 0 AND %2$s < 0 THEN %4$s
 WHEN %1$s < 0 AND %2$s = %5$s AND ABS(%2$s) < %4$s THEN %3$s END)", x, exponent, power,
    to$source$dialect$infinity, db_floor(exponent)
  )
}

of_logarithm <- function(base = NULL) {
  function(e, to) {
    arguments <- matched_args(e, function(x, base) NULL)
    if (is.null(base)) base <- if (length(e) == 2L) exp(1) else arguments$base
    if (!is_constant(base) || !isTRUE(base > 1)) to$stop("its base is no number above 1")
    dialect <- to$source$dialect
    x <- number_args(list(arguments$x), to)
    log <- if (base == 10) dialect$log10(x) else dialect$ln(x)
    # The logarithm of the base is the engine's, too, so that a base has the logarithm 1.
    if (!base %in% c(exp(1), 10)) {
      log <- sprintf("%s / %s", log, dialect$ln(dialect$number(base)))
    }
    if (base == 2) log <- exact_log2(x, log, dialect)
    sql_part("number", "(CASE WHEN %1$s > 0 THEN %2$s WHEN %1$s = 0 THEN -%3$s END)", x, log,
             dialect$infinity)
  }
}

# log(1 + x) without the error of rounding 1 + x, which the quotient takes back (Kahan).
of_log1p <- function(e, to) {
  dialect <- to$source$dialect
  x <- number_args(e[-1L], to)
  if (length(x) != 1L) return(NULL)
  sum <- sprintf("(1e0 + %s)", x)
  sql_part(
    "number", "(CASE WHEN %1$s > 1e16 THEN %2$s WHEN %3$s = 1e0 THEN %1$s
 WHEN %1$s > -1e0 THEN %4$s * (%1$s / (%3$s - 1e0)) WHEN %1$s = -1e0 THEN -%5$s END)",
    x, dialect$ln(x), sum, dialect$ln(sum), dialect$infinity
  )
}

# A quotient of logarithms is not whole for each power of 2.
exact_log2 <- function(x, log, dialect) {
  whole <- sprintf("%s(%s, 1023e0)", dialect$least, db_floor(sprintf("(%s + 0.5e0)", log)))
  sprintf("CASE WHEN POWER(2e0, %1$s) = %2$s THEN %1$s ELSE %3$s END", whole, x, log)
}

db_minus_floor <- function(x) sprintf("(-%s)", db_floor(sprintf("(-%s)", x)))

db_trunc <- function(x) {
  sprintf("(CASE WHEN %s < 0 THEN %s ELSE %s END)", x, db_minus_floor(x), db_floor(x))
}

# A half becomes the even number.
of_round <- function(e, to) {
  arguments <- matched_args(e, function(x, digits = 0) NULL)
  whole <- identical(as.double(arguments$digits), 0)
  if (!whole) to$stop("each engine rounds digits in its own way")
  x <- number_args(list(arguments$x), to)
  below <- db_floor(x)
  even <- db_floor(sprintf("((%s + 1e0) / 2e0)", below))
  sql_part(
    "number", "(CASE WHEN %1$s - %2$s < 0.5e0 THEN %2$s WHEN %1$s - %2$s > 0.5e0 THEN %2$s + 1e0
 WHEN %1$s = %2$s THEN %1$s ELSE 2e0 * %3$s END)", x, below, even
  )
}

# Engines differ in what the greatest of NULL and a number is.
of_extreme <- function(find) {
  function(e, to) {
    arguments <- as.list(e)[-1L]
    x <- number_args(arguments[rlang::names2(arguments) != "na.rm"], to)
    find <- to$source$dialect[[find]]
    if (isTRUE(arguments$na.rm)) {
      x <- vapply(seq_along(x), function(i) sprintf("COALESCE(%s)", toString(c(x[i], x[-i]))), "")
      return(sql_part("number", "%s", db_extreme(x, find)))
    }
    known <- paste(x, "IS NOT NULL", collapse = " AND ")
    sql_part("number", "(CASE WHEN %s THEN %s END)", known, db_extreme(x, find))
  }
}

# Some engines make a number of any text.
of_as_number <- function(e, to) {
  if (length(e) != 2L) return(NULL)
  part <- to$of(e[[2L]])
  check_no_factor(list(part), to)
  if (part$type %in% c("date", "time")) to$stop("the engine makes no number of this type")
  if (part$type != "text") return(sql_part("number", "%s", part_number(part, to)))
  dialect <- to$source$dialect
  if (!dialect$strict_numbers) to$stop("the engine makes a number of any text")
  nan_free(db_double(without_percent(part$sql, dialect), dialect), to)
}

of_as_integer <- function(e, to) {
  x <- of_as_number(e, to)$sql
  sql_part("number", "(CASE WHEN ABS(%s) < 2147483648e0 THEN %s END)", x, db_trunc(x))
}

# The error of a text that is no number cites the text. With a % the driver does not survive it. No
# text with a % can be converted, so another text in its place does not change a result.
without_percent <- function(sql, dialect) {
  if (dialect$plain_errors) sql else sprintf("REPLACE(%s, '%%', '(percent)')", sql)
}
