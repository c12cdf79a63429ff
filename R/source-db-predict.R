# Predictions for a lazy table: a lazy table with the columns of the new data and new ones.

# The order of the rows is not part of a query, so a table is no longer ordered. Its groups stay.
lazy_answer <- function(newdata, request, call) {
  limit <- limit_of(request)
  if (!is.null(limit)) {
    abort_argument(c(
      "{.arg {limit}} is not for lazy tables: it compares all rows.",
      i = "Order the rows by {.field .margin}, and read the first ones."
    ), call)
  }
  if (!is.null(request$rule)) {
    abort_argument(c(
      "{.arg rule} is not for lazy tables.",
      i = "Read the rows in blocks, by {.fn query_chunks}; or compare the column of the posterior
           probability with the threshold of {.fn tune_threshold}."
    ), call)
  }
  answer <- report_query(with_table(newdata, function(newdata) {
    answer <- answer_query(db_source(newdata), request, call)
    inform_size(dbplyr::remote_con(newdata), answer$query)
    answer
  }, call), call)
  # dbplyr writes the sides of a union without brackets, and WITH may not begin a side.
  query <- db_select("*", db_sub(answer$query))
  table <- lazy_result(dbplyr::remote_con(newdata), query, answer$names, newdata)
  groups <- dplyr::group_vars(newdata)
  # sparklyr asks for the names of the columns again.
  if (length(groups)) dplyr::group_by(table, !!!rlang::syms(groups)) else table
}

# The query that adds what was asked for to the columns of a source, and its names. `request`: see
# answer_request().
answer_query <- function(source, request, call) {
  model <- request$model
  if (is_tempered(model)) {
    abort_argument(c(
      "SQL has no exponents of {.fn temper}.",
      i = "Predict the rows in blocks, by {.fn query_chunks}, or take the exponents off, by
           {.code update(model, temper = NULL)}."
    ), call)
  }
  if (is_predictive(model)) {
    abort_argument(c(
      "SQL has no predictive distributions.",
      i = "Predict the rows in blocks, by {.fn query_chunks}, or take
           {.code estimate = \"plugin\"}."
    ), call)
  }
  if (request$type == "discriminant") {
    abort_argument(c(
      "SQL has no discriminant coordinates.",
      i = "Predict the rows in blocks, by {.fn query_chunks}, or after {.fn dplyr::collect}."
    ), call)
  }
  request$whole <- request$type %in% c(
    "joint", "log_joint", "likelihood", "log_likelihood", "log_evidence"
  )
  of_densities <- request$type %in% c("likelihood", "log_likelihood")
  if (of_densities) request$prior <- rep(1, length(request$prior))
  stages <- joint_stages(model, source, request, call)
  answer <- switch(request$type,
    class = , prob = , both = add_classes(stages, model, request$type),
    cost = , decision = , all = add_decisions(stages, model, request, call),
    add_logarithms(stages, model, request$type)
  )
  columns <- c(answer$columns, flag_columns(answer$stages))
  check_new_names(names(columns), source, call)
  own <- db_name(source$names, source)
  named <- c(
    stats::setNames(own, rep("", length(own))),
    stats::setNames(columns, db_name(names(columns), source))
  )
  list(
    query = finish_stages(answer$stages, named, answer = TRUE),
    names = c(source$names, names(columns))
  )
}

# Columns instead of the warnings of predict(). A number outside the range of its likelihood, an
# infinite one too, makes a row impossible.
flag_columns <- function(stages) {
  impossible <- db_truth(paste(column_in(stages, "top"), "IS NULL"), stages$dialect)
  c(.unknown_levels = column_in(stages, "unknown"), .impossible = if_covered(impossible, stages))
}

# NULL for the rows of which the text has no log joints.
if_covered <- function(value, stages, condition = NULL) {
  conditions <- c(condition, sprintf("(%s)", stages$covered))
  if (!length(conditions)) return(value)
  sprintf("CASE WHEN %s THEN %s END", paste(conditions, collapse = " AND "), value)
}

# New columns must differ from each other and from those of the table, as the engine compares names.
check_new_names <- function(new, source, call) {
  # Java compares the small letters of capital ones: two letters may have the same capital one.
  compared <- if (source$dialect$cased_names) identity else function(x) lower_case(upper_case(x))
  taken <- source$names[compared(source$names) %in% compared(new)]
  if (length(taken)) {
    abort_schema(c(
      "{.arg newdata} has the column{?s} {.field {taken}} already.",
      i = "Rename {cli::qty(taken)}{?it/them}, for example by {.fn dplyr::rename}."
    ), call)
  }
  twice <- unique(new[duplicated(compared(new)) | duplicated(compared(new), fromLast = TRUE)])
  if (length(twice)) {
    abort_argument(c(
      "The database takes the columns {.field {twice}} for one name.",
      i = rename_classes
    ), call)
  }
  long <- new[nchar(new, "bytes") > source$dialect$name_bytes]
  if (length(long)) {
    abort_argument(
      "The database keeps {source$dialect$name_bytes} bytes of a name, which
       {cli::qty(long)}{?is/are} too few for {.field {long}}.", call
    )
  }
  signs <- source$dialect$name_signs
  signed <- unlist(lapply(signs, grep, c(source$names, new), fixed = TRUE, value = TRUE))
  if (length(signed)) {
    abort_argument(c(
      "The database or its driver reads no name with {.or {.val {signs}}}: {.field {signed}}.",
      i = "Rename the columns, classes or actions."
    ), call)
  }
  beyond <- new[vapply(new, function(name) max(utf8ToInt(enc2utf8(name))), 1L) >
                  source$dialect$name_character]
  if (length(beyond)) {
    abort_argument(c(
      "The database has no names with characters such as emoji: {.field {beyond}}.",
      i = rename_classes
    ), call)
  }
}

rename_classes <- "Rename the classes or actions, or ask for the class or the decision alone."

# The classes and their probabilities.
add_classes <- function(stages, model, type) {
  levels <- model$schema$classes$levels
  columns <- character()
  if (type != "prob") columns <- c(.pred_class = first_class(stages, levels))
  if (type == "class") return(list(stages = stages, columns = columns))
  stages <- add_posterior(stages)
  shares <- stats::setNames(stages$posterior, paste0(".pred_", levels))
  list(stages = stages, columns = c(columns, shares))
}

# Scores, on the log scale and as numbers.
add_logarithms <- function(stages, model, type) {
  infinite <- column_in(stages, "infinite")
  top <- column_in(stages, "top")
  if (type %in% c("log_prob", "log_evidence")) stages <- add_others(add_weights(stages))
  d <- stages$dialect
  none <- sprintf("-%s", d$infinity)
  if (type == "log_evidence") {
    evidence <- sprintf("COALESCE(%s + %s, %s)", top, column_in(stages, "log_sum"), none)
    return(list(stages = stages, columns = c(
      .log_evidence = if_covered(evidence, stages, paste(infinite, "= 0"))
    )))
  }
  l <- column_in(stages, "l", stages$possible)
  if (type == "log_prob") {
    l <- sprintf("(%s - %s) - %s", l, top, column_in(stages, "log_sum"))
    shown <- paste(top, "IS NOT NULL")
  } else {
    l <- sprintf("CASE WHEN %s IS NOT NULL THEN %s END", top, l)
    shown <- paste(infinite, "= 0")
  }
  value <- rep(none, stages$classes)
  value[stages$possible] <- sprintf("COALESCE(%s, %s)", l, none)
  if (type == "log_likelihood") value[-stages$possible] <- db_double("NULL", d)
  if (type %in% c("joint", "likelihood")) {
    value <- rep(if (type == "joint") "0e0" else db_double("NULL", d), stages$classes)
    value[stages$possible] <- sprintf(
      "CASE WHEN %s IS NULL THEN 0e0 ELSE COALESCE(%s, 0e0) END", top,
      db_exp(column_in(stages, "l", stages$possible), d)
    )
  }
  value <- if_covered(value, stages, shown)
  names <- paste0(".", type, "_", model$schema$classes$levels)
  list(stages = stages, columns = stats::setNames(value, names))
}

# Adds log_sum, the logarithm of the sum of the weights. One class at the maximum has weight 1. The
# logarithm of 1 and the other weights is exact, even if this sum rounds to 1.
add_others <- function(stages) {
  d <- stages$dialect
  l <- column_in(stages, "l", stages$possible)
  w <- column_in(stages, "w", stages$possible)
  top <- column_in(stages, "top")
  lower <- sprintf("CASE WHEN %s < %s THEN %s ELSE 0e0 END", l, top, w)
  equal <- sprintf("CASE WHEN %s = %s THEN 1e0 ELSE 0e0 END", l, top)
  others <- column_in(stages, "others")
  stages <- add_stage(stages, stats::setNames(
    sprintf("%s + (%s - 1e0)", sum_text(lower), sum_text(equal)), others
  ))
  series <- d$number(1 / 7)
  for (n in 6:1) series <- sprintf("(%s - %s * %s)", d$number(1 / n), others, series)
  log_sum <- sprintf(
    "CASE WHEN %s < 1e-3 THEN %s * %s ELSE %s END", others, others, series,
    d$ln(sprintf("(1e0 + %s)", others))
  )
  log_sum <- sprintf("CASE WHEN %s IS NOT NULL THEN %s END", top, log_sum)
  add_stage(stages, stats::setNames(log_sum, column_in(stages, "log_sum")))
}
