# A query of new data and the computations from it, as stages: queries of which each reads the one
# before. A fence between two stages keeps the optimiser from writing an expression of one stage
# again wherever the next stage uses its column. Stages stand side by side in a WITH, because dozens
# of queries inside each other overflow some parsers.

# The prefix of the source begins the names of the columns of all stages.
column_in <- function(stages, ...) paste0(stages$source$prefix, ..., recycle0 = TRUE)

# Adds columns, named by their names. `kept`: the columns of the stage before that stay.
add_stage <- function(stages, columns, fence = TRUE, kept = "*") {
  if (!length(columns)) return(stages)
  stage <- list(columns = unlist(c(kept, columns)), fence = fence)
  stages$stages <- c(stages$stages, list(stage))
  stages
}

# The whole query. `columns`: expressions of the columns of the last stage, named by the name in the
# result. `answer`: whether the user gets the result and may filter it.
finish_stages <- function(stages, columns, answer = FALSE) {
  dialect <- stages$dialect
  name <- column_in(stages, "q")
  from <- db_sub(stages$source$query, name)
  with <- character()
  for (stage in without_unused(stages, columns)) {
    query <- stage_query(stage$columns, name, from)
    name <- column_in(stages, "s", length(with) + 1L)
    with[[name]] <- if (stage$fence) dialect$fence(query) else query
    from <- if (dialect$nested) db_sub(with[[name]], name) else name
  }
  if (answer && dialect$pushes_filters) columns <- generated_columns(columns)
  query <- stage_query(columns, name, from)
  if (!length(with) || dialect$nested) return(query)
  paste0("WITH ", paste0(names(with), " AS (", with, ")", collapse = ",\n"), "\n", query)
}

# Not all engines have * beside other columns.
stage_query <- function(columns, name, from) {
  columns[columns == "*"] <- paste0(name, ".*")
  paste0("SELECT ", paste(db_named(columns), collapse = ",\n  "), "\nFROM ", from)
}

# The new columns, which have names, come from a generator, above which a filter stays.
generated_columns <- function(columns) {
  new <- rlang::names2(columns) != ""
  made <- sprintf("inline(array(struct(\n  %s\n)))", paste(columns[new], collapse = ",\n  "))
  c(columns[!new], stats::setNames(made, sprintf("(%s)", toString(names(columns)[new]))))
}

# The stages without columns that no later one uses, where an engine keeps the rows of a stage: it
# writes all of their columns. The list of the other columns is text, too, so `*` stays for a few.
without_unused <- function(stages, columns) {
  found <- stages$stages
  if (identical(stages$dialect$fence, identity)) return(found)
  uses <- lapply(c(lapply(found, `[[`, "columns"), list(columns)), own_columns, stages)
  here <- db_name(stages$source$names, stages$source)
  for (i in seq_along(found)) {
    needed <- unlist(uses[-seq_len(i)])
    used <- here[!startsWith(here, stages$source$prefix) | here %in% needed]
    given <- found[[i]]$columns
    all <- given == "*"
    if (any(all) && length(here) - length(used) >= 3L + length(stages$source$names) %/% 4L) {
      given <- c(used, given[!all])
      found[[i]]$columns <- given
    }
    here <- c(if (any(given == "*")) here, ifelse(rlang::names2(given) == "", given, names(given)))
    here <- setdiff(here, "*")
  }
  found
}

# The columns of stages that some expressions use. A literal that contains such a name keeps the
# column, which does no harm.
own_columns <- function(expressions, stages) {
  pattern <- paste0("\\b", stages$source$prefix, "\\w+")
  unique(unlist(regmatches(expressions, gregexpr(pattern, expressions))))
}

# New data of a lazy table: the features of a model as expressions of its columns, found by name.

# Numbers as doubles without NaN, levels as texts.
new_data_columns <- function(schema, source, call) {
  match_columns(schema, list(names = source$names, unnamed = FALSE), "newdata", call)
  features <- schema$features
  if (!length(features)) return(character())
  types <- column_types(source, unlist(lapply(features, `[[`, "columns")))
  read <- Map(
    db_term, schema_terms(schema), list(source), list(types), list(globalenv()), names(features),
    list(call), list(abort_schema)
  )
  types <- feature_types(features, read, source, call)
  vapply(seq_along(read), function(j) {
    column <- read[[j]]$sql
    if (features[[j]]$kind == "numeric") {
      # Without values, see check_lazy_type().
      if (types[[j]] == "logical") column <- "NULL"
      return(source$dialect$known(db_double(column, source$dialect)))
    }
    if (types[[j]] == "character") return(source$dialect$text(column))
    truth <- c(source$dialect$true, source$dialect$false)
    db_case(column, truth, c("'TRUE'", "'FALSE'"))
  }, "")
}

# The types of the features: "character", "logical" or a type of numbers. Without a database they
# are those of the model.
feature_types <- function(features, read, source, call) {
  known <- vapply(features, `[[`, "", "type", USE.NAMES = FALSE)
  if (is_simulated(source$con)) {
    return(ifelse(known %in% c("factor", "ordered"), "character", known))
  }
  names(read) <- paste0(source$prefix, place_names(seq_along(read)))
  rows <- db_select(vapply(read, `[[`, "", "sql"), db_sub(source$query))
  found <- types_of_terms(read, db_types(source, rows))
  for (j in seq_along(read)) {
    check_lazy_type(found[j], rows, features[[j]], source, call)
  }
  ifelse(known == "logical" & found != "character", "logical", found)
}

# A column of nothing but missing values may have any type. Some engines keep truth values as
# numbers. `type`: named by its column in the query `rows`.
check_lazy_type <- function(type, rows, feature, source, call) {
  if (is.na(type)) {
    one <- untyped_column(names(type), rows, source, feature$name, abort_schema, call)
    abort_column(one, feature$name, 0L, abort_schema, call, in_database_remedy)
  }
  truth <- feature$type == "logical" && source$dialect$true == "1"
  if (type_kind(type) == feature$kind || truth && type_kind(type) == "numeric") return(invisible())
  values <- if (type == "logical") {
    db_get(source, db_select(c(n = sprintf("COUNT(%s)", names(type))), db_sub(rows)))$n
  }
  check_kind(if (identical(values, 0)) NA else 1, type, feature, call)
}

# The patterns of missing members of a joint block of numbers: those of the rows, or, without rows,
# all patterns of a small block and the complete one of a larger block. `raw`: the columns of the
# members in the last of the stages.
block_patterns <- function(bank, raw, stages) {
  record <- record_of(bank)
  if (!record$joint || record$kind != "numeric" || record$steps) return(NULL)
  if (is_simulated(stages$source$con)) return(usual_patterns(length(raw)))
  code <- pattern_code(paste(raw, "IS NULL"), sql_language(stages$dialect))
  found <- db_get(stages$source, paste(finish_stages(stages, code), "GROUP BY", code))[[1L]]
  if (length(found) <= most_patterns) return(union(0, found))
  name <- bank$name
  abort_argument(c(
    "The rows miss the features of block {.field {name}} in {length(found)} different ways; SQL is
     written for {most_patterns}.",
    i = without_sql
  ), stages$call)
}

most_patterns <- 64L

# The SQL of a cost by case. `where`: the name of its cell.
cost_expression <- function(cell, where, source, call) {
  check_kept_cell(cell, where, source$names, call)
  check_cell_names(cell, where, list(names = source$names), call, "newdata")
  expression <- plain_expression(cell, source$names, baseenv())
  label <- cell_text(cell)
  if (is.atomic(expression) && length(expression) != 1L) {
    abort_schema(
      "The cost {.code {label}} of {where} has {length(expression)} values, and the rows of a lazy
       table have no order.", call
    )
  }
  columns <- intersect(all.vars(expression), source$names)
  # The database may know a function without a column, as rand(), and R would not be asked.
  if (!length(columns) && (is.object(expression) || !is.atomic(expression))) {
    abort_schema("The cost {.code {label}} of {where} uses no column of the table.", call)
  }
  term <- list(expression = expression, columns = columns)
  read <- db_term(term, source, column_types(source, columns), rlang::quo_get_env(cell), label,
                  call, abort_schema, remedy_of_cost)
  if (!is.null(read$type) && type_kind(read$type) != "numeric") {
    abort_schema("The cost {.code {label}} of {where} must be numbers, not {read$type}.", call)
  }
  source$dialect$known(db_double(read$sql, source$dialect))
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
