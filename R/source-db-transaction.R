# The transaction in which the queries of one call run. A transaction of the user is neither begun
# nor ended, and no error of ours aborts it.

# The value of `use(con)`, where `con` is the connection itself or one that a pool lends.
# `snapshot`: whether all queries read one state of the tables. Outside of a transaction of the user
# this needs one of ours, which ends with the call, also after an error or an interrupt.
in_transaction <- function(con, use, call, snapshot = FALSE) {
  check_open(con, call)
  if (is_simulated(con)) {
    check_engine(con, call)
    return(in_new_session(use(con)))
  }
  lent <- held <- NULL
  # A result that an interrupt, or an error of ADBC, lost keeps a database locked until it is
  # collected.
  lost <- FALSE
  on.exit(suspendInterrupts({
    if (lost) gc()
    leave_transaction(held)
    return_connection(lent)
  }))
  suspendInterrupts({
    lent <- take_connection(con, call)
    held <- enter_transaction(lent$con, snapshot, call)
  })
  check_engine(lent$con, call)
  value <- tryCatch(
    withCallingHandlers(in_new_session(use(lent$con)), interrupt = function(i) lost <<- TRUE),
    bayesrisk_query = function(e) {
      lost <<- inherits(lent$con, "AdbiConnection")
      undo_query(held, e, call)
    }
  )
  check_session(held, call)
  value
}

# The same for a lazy table, which `use` gets with that connection.
with_table <- function(data, use, call, snapshot = FALSE) {
  dots <- grep("^[.][.]([.]|[0-9]+)$", colnames(data), value = TRUE)
  if (length(dots)) {
    abort_data(c(
      "{cli::qty(dots)}dbplyr reads no table with the column{?s} {.field {dots}}.",
      i = "Rename {cli::qty(dots)}{?it/them} in the database."
    ), call)
  }
  in_transaction(dbplyr::remote_con(data), function(con) use(lent_table(data, con)), call, snapshot)
}

# A table of a pool as one of the connection that the pool lends.
lent_table <- function(data, con) {
  if (!inherits(dbplyr::remote_con(data), "Pool") || is_simulated(con)) return(data)
  query <- ask_database(dbplyr::sql_render(data, con))
  structure(
    lazy_result(con, query, colnames(data)),
    bayesrisk_reading = attr(data, "bayesrisk_reading")
  )
}

# list(con, pooled): a pool lends a connection with its own dialect.
take_connection <- function(con, call) {
  if (!inherits(con, "Pool")) return(list(con = con, pooled = FALSE))
  lent <- tryCatch(pool::poolCheckout(con), error = function(e) {
    abort_connection(c(
      "The pool lends no connection.",
      i = "Give back those that are checked out, or use one of them in the place of the pool, or
           allow more by {.arg maxSize}."
    ), call, parent = e)
  })
  dialect <- dbplyr::sql_dialect(con)
  if (inherits(dialect, "sql_dialect")) lent <- dbplyr::with_dialect(lent, dialect)
  list(con = lent, pooled = TRUE)
}

return_connection <- function(lent) if (isTRUE(lent$pooled)) pool::poolReturn(lent$con)

check_connection <- function(con, call) {
  if (!inherits(con, c("DBIConnection", "Pool"))) {
    abort_argument(
      "{.arg con} must be a connection of DBI, or a pool of them, not {describe_value(con)}.", call
    )
  }
}

# as_sql() also takes a dialect.
check_writer <- function(con, call) {
  if (!inherits(con, c("DBIConnection", "Pool", "sql_dialect"))) {
    abort_argument(
      "{.arg con} must be a connection of DBI, a pool of them, or a dialect of dbplyr, not
       {describe_value(con)}.", call
    )
  }
}

# Only where the connection is used at once: some drivers touch R's generator when they are asked.
check_open <- function(con, call) {
  if (inherits(con, "pyspark_connection")) {
    abort_argument(c(
      "{.arg con} is a connection of the package pysparklyr, which takes missing numbers for NaN.",
      i = "Connect with Java, by {.fn sparklyr::spark_connect}, or by ODBC, for example with
           {.code odbc::databricks()}.",
      i = "{.fn as_sql} writes for {.code dbplyr::simulate_spark_sql()}, too."
    ), call)
  }
  if (!is_simulated(con) && isFALSE(tryCatch(is_open(con), error = identity))) {
    abort_connection(c(
      "The connection to the database is closed.",
      i = "Connect again, and use the new connection, for example in {.code dplyr::tbl(con, name)}."
    ), call)
  }
}

# An environment: keep and undo, which leave the transaction; session; ask(), which asks for it
# again; dialect.
enter_transaction <- function(con, snapshot, call) {
  query <- function(text) ask_rows(con, text, immediate = TRUE)[[1L]]
  ways <- NULL
  tryCatch({
    dialect <- db_dialect(con)
    asked <- session_query(dialect)
    ask <- function() if (is.null(asked)) is_open(con) else query(asked)
    open <- (snapshot || dialect$savepoints) && dialect$transacting(query)
    ways <- if (open) set_savepoint(con, dialect)
    if (is.null(ways) && snapshot) ways <- begin_transaction(con, dialect)
    session <- if (!is.null(ways) && !is.null(dialect$session)) ask()
    list2env(c(ways, list(ask = ask, session = session, dialect = dialect)))
  }, error = function(e) {
    if (!is.null(ways$undo)) succeeds(ways$undo())
    abort_connection(c(
      "The database does not answer.",
      i = "If a query of your transaction failed, roll the transaction back. Otherwise connect
           again; a pool does so by itself when you repeat the call."
    ), call, parent = e)
  })
}

# A query that only the living session answers; NULL for none.
session_query <- function(dialect) {
  if (is.null(dialect$session) && dialect$aborts) "SELECT 1" else dialect$session
}

# NULL if there is no transaction after all: not all drivers of PostgreSQL send a query at once.
set_savepoint <- function(con, dialect) {
  if (!dialect$savepoints) return(list())
  run <- function(what) DBI::dbExecute(con, paste0(what, "SAVEPOINT bayesrisk"), immediate = TRUE)
  release <- function() run("RELEASE ")
  undo <- function() {
    run("ROLLBACK TO ")
    release()
  }
  if (succeeds(run(""))) list(keep = release, undo = undo)
}

# An empty list if the driver says that there is a transaction, or that it knows none.
begin_transaction <- function(con, dialect) {
  if (is.null(dialect$begin)) {
    if (!succeeds(DBI::dbBegin(con))) return(list())
    return(list(keep = function() DBI::dbCommit(con), undo = function() DBI::dbRollback(con)))
  }
  run <- function(text) DBI::dbExecute(con, text, immediate = TRUE)
  run(dialect$begin)
  list(keep = function() run("COMMIT"), undo = function() run("ROLLBACK"))
}

# Undoes the transaction if a query `failed`, and otherwise if it cannot be kept, as after a failed
# query. It is left once only: the user may have a savepoint of the same name. RPostgres sends a
# message if the transaction was lost.
leave_transaction <- function(held, failed = FALSE) {
  if (is.null(held$undo)) return(invisible())
  suspendInterrupts({
    undo <- held$undo
    held$undo <- NULL
    suppressMessages((!failed && succeeds(held$keep())) || succeeds(undo()))
  })
}

# `error`: a bayesrisk_query.
undo_query <- function(held, error, call) {
  leave_transaction(held, failed = TRUE)
  check_session(held, call, error$parent)
  stop(error)
}

# Some drivers connect again without a word. A new session has neither the snapshot nor the
# transaction of the old one. `reason`: the error of a query.
check_session <- function(held, call, reason = NULL) {
  if (is.null(held$session) && is.null(reason)) return(invisible())
  session <- tryCatch(held$ask(), error = function(e) FALSE)
  same <- is.null(held$session) || identical(session, held$session)
  if (same && !isFALSE(session)) return(invisible())
  if (held$dialect$aborts) {
    abort_data(c(
      "The database cannot answer a query, and this has aborted your transaction.",
      i = "The database has no savepoints: roll the transaction back."
    ), call, parent = reason)
  }
  abort_connection(c(
    "The connection to the database was lost or replaced.",
    i = "Connect again, and repeat the call."
  ), call, parent = reason)
}
