# New data of a lazy table: the features of a model as expressions of its columns, found by name.

# Numbers as doubles without NaN, levels as texts.
new_data_columns <- function(schema, source, call) {
  match_columns(schema, list(names = source$names, unnamed = FALSE), "newdata", call)
  terms <- feature_terms(schema)
  if (!length(terms)) return(character())
  types <- columns_in_functions(schema, source)
  raw <- vapply(seq_along(terms), function(j) {
    feature <- schema$features[[j]]
    if (is_column(terms[[j]])) return(db_name(as.character(terms[[j]]), source$con))
    env <- values_env(feature, globalenv())
    db_function(feature$expression, source, types, env, feature$name, call)
  }, "")
  types <- feature_types(schema, source, raw, call)
  vapply(seq_along(raw), function(j) {
    if (schema$features[[j]]$kind == "numeric") {
      return(source$dialect$known(db_double(raw[[j]], source$dialect)))
    }
    if (types[[j]] == "character") return(source$dialect$text(raw[[j]]))
    truth <- c(source$dialect$true, source$dialect$false)
    db_case(raw[[j]], truth, c("'TRUE'", "'FALSE'"))
  }, "")
}

# A connection that dbplyr simulates has no database that could be asked.
is_simulated <- function(con) inherits(con, "TestConnection")

columns_in_functions <- function(schema, source) {
  used <- unlist(lapply(schema$features, `[[`, "columns"))
  column_types(source, intersect(used, source$names))
}

# The types of columns that functions use; without a database all of them are numbers.
column_types <- function(source, names) {
  if (!length(names)) return(character())
  if (is_simulated(source$con)) return(stats::setNames(rep("double", length(names)), names))
  query <- db_select(db_name(names, source$con), db_sub(source$query))
  stats::setNames(db_types(source, query), names)
}

# The types of the columns that are read: "character", "logical" or a type of numbers. Without a
# database they are those of the model.
feature_types <- function(schema, source, raw, call) {
  known <- vapply(schema$features, `[[`, "", "type", USE.NAMES = FALSE)
  if (is_simulated(source$con)) {
    return(ifelse(known %in% c("factor", "ordered"), "character", known))
  }
  names <- sprintf("x%d", seq_along(raw))
  found <- db_types(source, db_select(stats::setNames(raw, names), db_sub(source$query)))
  for (j in seq_along(raw)) check_lazy_type(found[[j]], schema$features[[j]], source, call)
  ifelse(known == "logical" & found != "character", "logical", found)
}

# A column of nothing but missing values may have any type. Some engines keep truth values as
# numbers.
check_lazy_type <- function(type, feature, source, call) {
  if (is.na(type)) {
    abort_schema(c(
      "Column {.field {feature$name}} holds values that are no numbers, texts or truth values, or
       different kinds of values.",
      i = "Cast it in the database, for example by {.fn dplyr::mutate}."
    ), call)
  }
  truth <- feature$type == "logical" && source$dialect$true == "1"
  if (!(truth && type_kind(type) == "numeric")) check_kind(1, type, feature, call)
}

# The patterns of missing members of a joint block of numbers: those of the rows, or, without rows,
# all patterns of a small block and the complete one of a larger block. `raw`: the columns of the
# members in the last of the stages.
block_patterns <- function(bank, raw, stages) {
  if (!bank$type %in% c("multivariate_gaussian", "multivariate_mixture")) return(NULL)
  if (is_simulated(stages$source$con)) {
    return(if (length(raw) <= 4L) seq_len(2^length(raw)) - 1 else 0)
  }
  code <- pattern_code(raw)
  found <- db_get(stages$source, paste(finish_stages(stages, c(p = code)), "GROUP BY", code))$p
  if (length(found) <= most_patterns) return(union(0, found))
  name <- bank$name
  abort_argument(c(
    "The rows miss the features of block {.field {name}} in {length(found)} different ways; SQL is
     written for {most_patterns}.",
    i = "Read the rows by {.fn dplyr::collect}, all at once or in parts, and predict each part."
  ), stages$call)
}

most_patterns <- 64L

# The SQL of a cost by case. `where`: the name of its cell.
cost_expression <- function(cell, where, source, call) {
  check_cell_names(cell, where, list(names = source$names), call, "newdata")
  expression <- plain_expression(cell, source$names, baseenv())
  types <- column_types(source, intersect(all.vars(expression), source$names))
  sql <- db_function(expression, source, types, baseenv(), cell_text(cell), call)
  source$dialect$known(db_double(sql, source$dialect))
}

# An expression of columns alone. The formulas in a sum of costs may have different environments, so
# each of them takes the values of its variables from its own.
plain_expression <- function(x, columns, env) {
  if (rlang::is_quosure(x)) {
    env <- rlang::quo_get_env(x)
    return(fold_constants(plain_expression(rlang::quo_get_expr(x), columns, env), columns, env))
  }
  if (!is.call(x)) return(x)
  if (rlang::is_call(x, c("$", "[["), 2L) && is_pronoun(x[[2L]])) {
    name <- as.character(x[[3L]])
    return(if (identical(x[[2L]], quote(.data))) as.name(name) else get(name, env))
  }
  as.call(c(x[[1L]], lapply(as.list(x)[-1L], plain_expression, columns, env)))
}

is_pronoun <- function(x) identical(x, quote(.data)) || identical(x, quote(.env))
