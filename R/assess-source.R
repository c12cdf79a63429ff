# Cases of chunks, parts and lazy tables: each piece is decided, and what assessments need of its
# rows is kept, in place of the rows.

#' @name assess_decisions
#' @section Sources:
#' For a model, or models of groups, `data` may be chunks, parts or a lazy table
#' ([bayesrisk_sources]), which are read once. `truth` is then the class in `data`, by the formula of
#' the model, and `weights` and `cluster` are computed from columns. Memory holds a piece of the
#' rows, and of each row its posterior, its truth and its costs. The numbers are those of the same
#' rows in memory; only draws depend on the order of the rows, which a database may change.
NULL

# The result of believe() for all rows of a source, with their `weights` and `cluster`. `rows`:
# list(weights, cluster), quosures, and class_of, the model whose formula names the class.
believe_source <- function(model, data, cost, prior, truth, rows, threads, call) {
  class_of <- if (is.null(rows$class_of)) model else rows$class_of
  if (!is.null(truth) || is.null(schema_of(class_of)$formula)) {
    abort_argument(c(
      "{.arg truth} must be a column of {.arg data} that the formula of a fitted model names: a
       vector cannot be divided among the pieces of a source.",
      i = "Or read the posteriors of {.code predict(type = \"prob\")} into memory, and assess them."
    ), call)
  }
  pieces <- beliefs_from(data, list(
    kind = "evidence", of_rows = beliefs_from, merge = function(a, b, call) c(a, b), arg = "data",
    model = model, cost = cost, prior = prior, weights = rows$weights, cluster = rows$cluster,
    class_of = class_of, threads = threads
  ), call)
  if (!length(pieces)) abort_argument("There is no case to assess.", call)
  unite_beliefs(pieces, call)
}

# A list of pieces. `request`: see ask_source().
beliefs_from <- function(data, request, call) {
  if (is_source(data)) return(ask_source(data, request, call))
  truth <- truth_in_data(request$class_of, data, call)
  believed <- believe(
    request$model, data, request$cost, request$prior, truth, NULL, request$threads, call
  )
  believed$posterior <- believed$posterior$columns[[1L]]$data
  rows <- length(believed$truth)
  believed["weights"] <- list(read_row_weights(request$weights, data, rows, call, "data"))
  believed["cluster"] <- list(cluster_labels(request$cluster, data, rows, call, "data"))
  list(believed)
}

unite_beliefs <- function(pieces, call) {
  whole <- pieces[[1L]]
  each <- function(name) unlist(lapply(pieces, `[[`, name))
  of_rows <- c("decision", "truth", "expected", "weights", "cluster")
  whole[of_rows] <- lapply(of_rows, each)
  whole$posterior <- matrix_frame(do.call(rbind, lapply(pieces, `[[`, "posterior")))
  whole$cost <- unite_costs(pieces)
  if (!is.null(whole$cluster)) {
    whole$cluster <- check_cluster(whole$cluster, length(whole$truth), call)
  }
  whole
}

# A formula may give one number for a piece, for example for its only row.
unite_costs <- function(pieces) {
  whole <- pieces[[1L]]$cost
  if (!is_case_cost(whole$origin)) return(whole)
  rows <- vapply(pieces, function(piece) length(piece$truth), 1L)
  cells <- lapply(pieces, function(piece) all_cells(piece$cost))
  united <- lapply(seq_along(cells[[1L]]), function(i) {
    values <- lapply(cells, `[[`, i)
    if (all(lengths(values) == 1L) && length(unique(values)) == 1L) return(values[[1L]])
    unlist(Map(rep_len, values, rows))
  })
  varying <- which(lengths(united) != 1L)
  whole$by_case <- list(cell = varying, value = united[varying])
  united[varying] <- 0
  whole$fixed[] <- unlist(united)
  whole
}
