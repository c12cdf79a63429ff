# A query of new data and the computations from it, as stages: queries of which each reads the one
# before. A fence between two stages keeps the optimiser from writing an expression of one stage
# again wherever the next stage uses its column. Stages stand side by side in a WITH, because dozens
# of queries inside each other overflow some parsers.

# The prefix of the source begins the names of the columns of all stages.
column_in <- function(stages, ...) paste0(stages$source$prefix, ..., recycle0 = TRUE)

# Adds columns, named by their names. `kept`: the columns of the stage before that stay.
add_stage <- function(stages, columns, fence = TRUE, kept = "*") {
  if (!length(columns)) return(stages)
  query <- stage_query(stages, c(kept, columns))
  if (fence) query <- stages$dialect$fence(query)
  name <- column_in(stages, "s", length(stages$with) + 1L)
  stages$with[[name]] <- query
  stages
}

# A query of the last stage. `columns`: expressions, named by the name in the result; "*" for all
# columns of the last stage.
stage_query <- function(stages, columns) {
  last <- length(stages$with)
  if (last == 0L) {
    name <- column_in(stages, "q")
    from <- db_sub(stages$source$query, name)
  } else {
    name <- names(stages$with)[[last]]
    from <- if (stages$dialect$nested) db_sub(stages$with[[last]], name) else name
  }
  # Not all engines have * beside other columns.
  columns[columns == "*"] <- paste0(name, ".*")
  paste0("SELECT ", paste(db_named(columns), collapse = ",\n  "), "\nFROM ", from)
}

# The whole query.
finish_stages <- function(stages, columns) {
  query <- stage_query(stages, columns)
  if (!length(stages$with) || stages$dialect$nested) return(query)
  with <- paste0(names(stages$with), " AS (", stages$with, ")", collapse = ",\n")
  paste0("WITH ", with, "\n", query)
}
