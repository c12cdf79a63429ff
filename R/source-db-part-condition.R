# R's conditions, choices and texts as SQL: see source-db-terms.R.

of_comparison <- function(operator) {
  function(e, to) {
    parts <- lapply(as.list(e)[-1L], to$of)
    types <- vapply(parts, `[[`, "", "type")
    if (all(c("time", "text") %in% types)) check_zone("a text as a time", to)
    x <- if (any(types %in% unwritten_types)) {
      vapply(parts, part_value, "", to)
    } else if ("text" %in% types) {
      if (!operator %in% c("=", "<>")) to$stop("the order of texts depends on the engine")
      to$source$dialect$exact(vapply(parts, part_text, "", to))
    } else {
      vapply(parts, part_number, "", to)
    }
    sql_part("truth", "(%s %s %s)", x[[1L]], operator, x[[2L]])
  }
}

# `format`: with the places of the conditions.
of_logical <- function(format) {
  function(e, to) {
    x <- lapply(as.list(e)[-1L], function(x) part_condition(to$of(x), to))
    list(sql = do.call(sprintf, c(list(format), unname(x))), type = "truth")
  }
}

# In R a missing value is not among others, unless one of these is missing.
of_among <- function(e, to) {
  values <- if (is.factor(e[[3L]])) as.character(e[[3L]]) else e[[3L]]
  if (is.atomic(values) && !length(values)) return(sql_part("truth", "(1 = 0)"))
  part <- to$of(e[[2L]])
  if (!is_constant(values) || is.object(values) || part$type %in% unwritten_types) return(NULL)
  text <- is.character(values)
  if (part$type == "text" && !text) to$stop("texts are compared with numbers")
  x <- if (text) part_text(part, to) else part_number(part, to)
  known <- unique(values[!is.na(values)])
  exact <- if (text) to$source$dialect$exact else identity
  listed <- if (text) db_text(known, to$source) else db_number(known, to$source$dialect)
  among <- if (length(known)) sprintf("%s IN (%s)", exact(x), toString(exact(listed)))
  sql <- paste(c(paste(x, "IS NOT NULL"), among), collapse = " AND ")
  if (!anyNA(values)) return(sql_part("truth", "(%s)", sql))
  # In R NaN is not NA, but in these parts both are NULL.
  if (!text && (!is_column_of(e[[2L]], to$source$names) || any(is.nan(values)))) {
    to$stop("NA and NaN are one")
  }
  raw <- if (text) x else db_column(as.character(e[[2L]]), to$source)
  sql <- c(paste(raw, "IS NULL"), if (length(known)) sprintf("(%s)", sql))
  sql_part("truth", "(%s)", paste(sql, collapse = " OR "))
}

of_is_na <- function(e, to) sql_part("truth", "(%s IS NULL)", part_value(to$of(e[[2L]]), to))

# ifelse() or if_else(). `like`: a function with its arguments, the condition first. `missing`,
# which if_else() alone has, is the value for a missing condition.
of_choice <- function(like) {
  function(e, to) {
    given <- matched_args(e, like)[names(formals(like))]
    if (any(vapply(given, rlang::is_missing, NA))) return(NULL)
    parts <- lapply(unname(Filter(Negate(is.null), given)), to$of)
    if (identical(like, base::ifelse)) check_no_factor(parts[-1L], to)
    choice_part(part_condition(parts[[1L]], to), parts[-1L], to)
  }
}

choice_part <- function(test, parts, to) {
  types <- setdiff(vapply(parts, `[[`, "", "type"), "none")
  if ("text" %in% types && length(types) > 1L) to$stop("only some of its values are texts")
  unwritten <- intersect(unwritten_types, types)
  if (length(unwritten) && "truth" %in% types) to$stop("only some of its values are truth values")
  type <- if (length(types) == 1L) types else c(unwritten, "number")[[1L]]
  if (type == "unknown") type <- "number"
  write <- if (type == "number") part_number else part_value
  x <- vapply(parts, write, "", to)
  other <- if (length(x) > 2L) x[[3L]]
  sql <- sprintf("(%s)", db_first(c(test, paste("NOT", test)), x[1:2], other))
  list(sql = if (type == "truth") to$source$dialect$holds(sql) else sql, type = type)
}

# The bins of cut() have the labels that R gives to their closed ends.
of_cut <- function(e, to) {
  cut <- matched_args(e, base::cut.default)
  fixed <- cut[setdiff(names(cut), "x")]
  plain <- all(vapply(fixed, function(x) is.null(x) || is_constant(x), NA))
  breaks <- if (plain) sort(as.double(cut$breaks))
  if (length(breaks) < 2L) return(NULL)
  bins <- length(breaks) - 1L
  labels <- do.call(base::cut, c(list(breaks[if (cut$right) -1L else -bins - 1L]), fixed))
  if (anyNA(labels) || anyNA(levels(labels))) to$stop("one of its bins has no label")
  numbered <- is.numeric(labels)
  values <- if (numbered) sprintf("%de0", labels) else db_text(as.character(labels), to$source)
  low <- rep(if (cut$right) ">" else ">=", bins)
  high <- rep(if (cut$right) "<=" else "<", bins)
  if (cut$include.lowest) if (cut$right) low[[1L]] <- ">=" else high[[bins]] <- "<="
  x <- part_number(to$of(cut$x), to)
  bounds <- db_number(breaks, to$source$dialect)
  inside <- sprintf("%1$s %2$s %3$s AND %1$s %4$s %5$s", x, low, bounds[-bins - 1L], high,
                    bounds[-1L])
  part <- sql_part(if (numbered) "number" else "text", "(%s)", db_first(inside, values))
  c(part, factor = !numbered)
}

# One text: `write(x, dialect)` or a format with its place.
of_text <- function(write, type = "text") {
  function(e, to) {
    if (length(e) == 2L) sql_part(type, "%s", write(text_arg(e[[2L]], to), to$source$dialect))
  }
}

of_nchar <- function(e, to) {
  if (length(e) > 2L) to$stop("only characters are counted, without further arguments")
  of_text(function(x, dialect) dialect$length(x), "number")(e, to)
}

# R writes a missing value as the text NA.
of_paste <- function(sep) {
  function(e, to) {
    arguments <- as.list(e)[-1L]
    if (length(setdiff(rlang::names2(arguments), c("", "sep")))) return(NULL)
    if (is.character(arguments[["sep"]])) sep <- arguments[["sep"]]
    texts <- lapply(arguments[rlang::names2(arguments) != "sep"], function(x) {
      if (is_constant(x) && length(x) == 1L) return(db_text(as.character(x), to$source))
      sprintf("COALESCE(%s, 'NA')", text_arg(x, to))
    })
    x <- if (nzchar(sep)) rbind(unlist(texts), db_text(sep, to$source)) else unlist(texts)
    x <- if (nzchar(sep)) x[-length(x)] else unname(x)
    sql_part("text", "%s", if (length(x) == 1L) x else to$source$dialect$concat(x))
  }
}

of_substr <- function(e, to) {
  part <- matched_args(e, base::substr)
  ends <- list(part$start, part$stop)
  if (!all(vapply(ends, is_constant, NA) & lengths(ends) == 1L) || anyNA(ends)) return(NULL)
  start <- max(1, trunc(part$start))
  sql_part("text", "%s(%s, %.0f, %.0f)", to$source$dialect$substring, text_arg(part$x, to), start,
           max(0, trunc(part$stop) - start + 1))
}

# Regular expressions differ; a plain text is found by its place.
of_grepl <- function(e, to) {
  part <- matched_args(e, base::grepl)
  if (!is_string(part$pattern)) to$stop("its pattern is not one text")
  plain <- !isTRUE(part$ignore.case) &&
    (isTRUE(part$fixed) || !grepl("[^[:alnum:] _-]", part$pattern))
  if (!plain) to$stop("regular expressions depend on the engine")
  x <- text_arg(part$x, to)
  place <- to$source$dialect$position(x, db_text(part$pattern, to$source))
  sql_part("truth", "(%s IS NOT NULL AND %s > 0)", x, place)
}
