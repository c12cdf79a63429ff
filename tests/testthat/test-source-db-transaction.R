# A table `t` of 20 rows, and a log with a row that the user writes inside a transaction.
local_journal <- function(engine, env = parent.frame()) {
  con <- local_database(engine, env)
  rows <- data.frame(
    y = rep(c("a", "b"), 10), x = 1:20 %% 7, z = 1:20 / 3, s = c(rep("1", 19), "oops")
  )
  table <- put_table(con, rows)
  name <- as.character(dbplyr::remote_name(table))
  journal <- paste0(name, "_journal")
  run_statement(con, sprintf("CREATE TABLE %s (a INTEGER)", journal))
  list(
    con = con, table = table, name = name,
    write = function() run_statement(con, sprintf("INSERT INTO %s VALUES (1)", journal)),
    count = function() {
      as.double(ask_rows(con, sprintf("SELECT COUNT(*) AS n FROM %s", journal))$n)
    },
    # A text of which one is no number. SQLite and MariaDB read it as 0.
    cast = lazy_result(
      con, paste("SELECT y, CAST(s AS INTEGER) AS x FROM", name), c("y", "x")
    ),
    gone = lazy_result(con, "SELECT y, x FROM nowhere", c("y", "x"))
  )
}

# How users begin and end a transaction. RMariaDB commits each query outside of dbBegin().
user_transactions <- function(engine) {
  run <- function(text) function(con) DBI::dbExecute(con, text, immediate = TRUE)
  ways <- list(
    DBI = list(
      begin = function(con) DBI::dbBegin(con), commit = function(con) DBI::dbCommit(con),
      rollback = function(con) DBI::dbRollback(con)
    ),
    SQL = list(begin = run("BEGIN"), commit = run("COMMIT"), rollback = run("ROLLBACK"))
  )
  if (engine == "mariadb") ways["DBI"] else ways
}

lazy_calls <- function(data, con) {
  model <- normal_model()
  fitted <- fit(bayes_naive(), y ~ x, data.frame(y = c("a", "a", "b", "b"), x = c(0, 1, 3, 5)))
  list(
    fit = function() fit(bayes_naive(), y ~ x, data),
    stream = function() fit(bayes_naive(), y ~ x, lazy_table(data, "stream")),
    groups = function() suppressMessages(fit(bayes_naive(), y ~ x, data, by = y)),
    statistics = function() bayes_statistics(bayes_naive(), y ~ x, data),
    update = function() update(fitted, data), predict = function() predict(model, data),
    decide = function() decide(model, data), as_sql = function() as_sql(model, con, data),
    prior = function() estimate_prior(model, data)
  )
}

error_of <- function(expr) tryCatch(suppressWarnings(expr), error = identity)

for (engine in setdiff(database_engines, without_transactions)) {
  for (way in names(user_transactions(engine))) {
    test_that(sprintf("a transaction of the user is the user's: %s, %s", engine, way), {
      user <- user_transactions(engine)[[way]]
      db <- local_journal(engine)
      calls <- c(lazy_calls(db$table, db$con), lazy_calls(db$gone, db$con), list(
        function() fit(bayes_naive(), y ~ x, db$table, subset = no_such_function(x) > 1),
        function() fit(bayes_naive(), y ~ no_such_function(x), db$table),
        function() as.data.frame(query_chunks(db$con, "SELECT * FROM nowhere")),
        function() as_sql(normal_model(), db$con, "nowhere")
      ))
      if (engine == "postgresql") calls <- c(calls, lazy_calls(db$cast, db$con))
      user$begin(db$con)
      for (call in calls) {
        db$write()
        error_of(call())
      }
      expect_identical(db$count(), as.double(length(calls)))
      user$rollback(db$con)
      expect_identical(db$count(), 0)
      user$begin(db$con)
      db$write()
      expect_s3_class(error_of(fit(bayes_naive(), y ~ x, db$gone)), "bayesrisk_error_data")
      user$commit(db$con)
      expect_identical(db$count(), 1)
    })
  }

  test_that(paste("our transaction ends by success, errors and interrupts:", engine), {
    db <- local_journal(engine)
    ended <- function() {
      expect_true(DBI::dbBegin(db$con))
      expect_true(DBI::dbRollback(db$con))
    }
    fit(bayes_naive(), y ~ x, db$table)
    ended()
    error_of(fit(bayes_naive(), y ~ x, db$gone))
    ended()
    here <- rlang::current_env()
    stopped <- tryCatch(
      in_transaction(db$con, function(con) {
        db$count()
        rlang::interrupt()
      }, here, snapshot = TRUE),
      interrupt = function(i) "an interrupt"
    )
    expect_identical(stopped, "an interrupt")
    ended()
    expect_error(in_transaction(db$con, function(con) {
      error_of(DBI::dbRollback(db$con))
      suppressMessages(error_of(DBI::dbExecute(db$con, "ROLLBACK", immediate = TRUE)))
      stop("the first reason")
    }, here, snapshot = TRUE), "the first reason")
  })

}

for (engine in database_engines) {
  test_that(paste("an error of the database has the class and the reason:", engine), {
    db <- local_journal(engine)
    for (call in lazy_calls(db$gone, db$con)) {
      error <- error_of(call())
      expect_s3_class(error, "bayesrisk_error_data")
      expect_match(conditionMessage(error), "Does the table exist")
      expect_match(conditionMessage(error$parent), "nowhere")
    }
  })

  test_that(paste("a connection that is closed is an error:", engine), {
    skip_if(engine == "spark", "The tests share one session; test-source-db-ask.R closes another.")
    db <- local_journal(engine)
    suppressMessages(DBI::dbDisconnect(db$con))
    for (call in lazy_calls(db$table, db$con)) {
      expect_error(call(), "closed", class = "bayesrisk_error_connection")
    }
    expect_error(
      as.data.frame(query_chunks(db$con, "SELECT 1")), class = "bayesrisk_error_connection"
    )
  })
}

for (engine in c("sqlite", "postgresql")) {
  test_that(paste("a pool lends one connection and gets it back:", engine), {
    db <- local_journal(engine)
    small <- if (engine == "sqlite") {
      connect_sqlite(function(...) connect_pool(..., minSize = 1, maxSize = 1))
    } else {
      connect_postgresql(connect = connect_pool, minSize = 1, maxSize = 1)
    }
    withr::defer(pool::poolClose(small))
    taken <- function() DBI::dbGetInfo(small)$numberTakenObjects
    rows <- dplyr::tbl(small, db$name)
    gone <- dplyr::tbl(small, dplyr::sql("SELECT y, x FROM nowhere"), vars = c("y", "x"))
    expected <- lazy_calls(db$table, db$con)
    calls <- lazy_calls(rows, small)
    plain <- function(x) if (inherits(x, "tbl_lazy")) as.data.frame(dplyr::collect(x)) else x
    for (name in names(calls)) {
      expect_equal(
        suppressWarnings(plain(calls[[name]]())), suppressWarnings(plain(expected[[name]]())),
        label = name
      )
      expect_equal(taken(), 0)
    }
    for (call in lazy_calls(gone, small)) {
      expect_error(call(), "Does the table exist", class = "bayesrisk_error_data")
      expect_equal(taken(), 0)
    }
    query <- paste("SELECT y, x FROM", db$name)
    expect_identical(nrow(as.data.frame(query_chunks(small, query, rows = 7))), 20L)
    expect_error(as.data.frame(query_chunks(small, "SELECT * FROM nowhere")),
                 class = "bayesrisk_error_data")
    stopped <- tryCatch(
      in_transaction(small, function(con) rlang::interrupt(), rlang::current_env(), TRUE),
      interrupt = function(i) "an interrupt"
    )
    expect_identical(stopped, "an interrupt")
    expect_equal(taken(), 0)
    held <- pool::poolCheckout(small)
    for (call in calls) {
      expect_error(call(), "lends no connection", class = "bayesrisk_error_connection")
    }
    expect_s3_class(fit(bayes_naive(), y ~ x, dplyr::tbl(held, db$name)), "bayesrisk_model")
    pool::poolReturn(held)
    # Its transaction has ended, too.
    db$write()
    expect_s3_class(predict(normal_model(), rows), "tbl_lazy")
  })

  test_that(paste("a pool that is closed is an error:", engine), {
    db <- local_journal(engine)
    closed <- suppressWarnings(local_database(paste(engine, "pool")))
    rows <- dplyr::tbl(closed, db$name)
    pool::poolClose(closed)
    for (call in lazy_calls(rows, closed)) {
      expect_error(call(), "closed", class = "bayesrisk_error_connection")
    }
  })
}

test_that("a transaction of ours ends if the session does not answer", {
  db <- local_journal("sqlite")
  here <- rlang::current_env()
  asked <- utils::modifyList(sqlite_dialect, list(session = "SELECT nothing"))
  withr::defer(replace_functions("bayesrisk", list(db_dialect = db_dialect)))
  replace_functions("bayesrisk", list(db_dialect = function(con) asked))
  expect_error(in_transaction(db$con, function(con) 1, here, snapshot = TRUE), "does not answer")
  expect_true(DBI::dbBegin(db$con))
  DBI::dbRollback(db$con)
})

test_that("the error of a transaction is the first one", {
  db <- local_journal("postgresql")
  DBI::dbBegin(db$con)
  error <- error_of(fit(bayes_naive(), y ~ x, db$cast))
  expect_match(conditionMessage(error$parent), "oops")
  DBI::dbExecute(db$con, "SAVEPOINT mine")
  error_of(DBI::dbGetQuery(db$con, "SELECT * FROM nowhere"))
  error <- error_of(fit(bayes_naive(), y ~ x, db$table))
  expect_s3_class(error, "bayesrisk_error_connection")
  expect_match(conditionMessage(error), "roll the transaction back")
  DBI::dbExecute(db$con, "ROLLBACK TO SAVEPOINT mine")
  expect_s3_class(fit(bayes_naive(), y ~ x, db$table), "bayesrisk_model")
  DBI::dbRollback(db$con)
})

test_that("what the user writes in a handler of ours is kept", {
  db <- local_journal("postgresql")
  spec <- bayes_naive(features = list(z = likelihood_kernel(), x = likelihood_poisson()))
  for (begin in list(DBI::dbBegin, identity)) {
    begin(db$con)
    error <- error_of(withCallingHandlers(
      fit(spec, y ~ x + z, dplyr::mutate(db$table, x = x - 0.5)),
      bayesrisk_message_reads_rows = function(m) {
        db$write()
        rlang::cnd_muffle(m)
      }
    ))
    expect_s3_class(error, "bayesrisk_error")
  }
  expect_identical(db$count(), 2)
  DBI::dbCommit(db$con)
})

test_that("an aborted transaction is said where there are no savepoints", {
  db <- local_journal("duckdb")
  DBI::dbBegin(db$con)
  error <- error_of(fit(bayes_naive(), y ~ x, db$cast))
  expect_s3_class(error, "bayesrisk_error_data")
  expect_match(conditionMessage(error), "no savepoints")
  expect_match(conditionMessage(error$parent), "oops")
  DBI::dbRollback(db$con)
  expect_s3_class(fit(bayes_naive(), y ~ x, db$table), "bayesrisk_model")
})

# Ends the session of a connection from another one.
end_session <- function(con, engine) {
  other <- local_database(engine)
  ask <- switch(engine,
    postgresql = c(
      "SELECT pg_backend_pid() AS id", "SELECT pg_terminate_backend(%.0f)",
      "SELECT pid FROM pg_stat_activity WHERE pid = %.0f"
    ),
    mariadb = c(
      "SELECT CONNECTION_ID() AS id", "KILL %.0f",
      "SELECT id FROM information_schema.processlist WHERE id = %.0f"
    )
  )
  id <- as.double(DBI::dbGetQuery(con, ask[[1L]])$id)
  suppressWarnings(DBI::dbGetQuery(other, sprintf(ask[[2L]], id)))
  wait_until(nrow(DBI::dbGetQuery(other, sprintf(ask[[3L]], id))) == 0L)
}

for (engine in c("postgresql", "mariadb")) {
  test_that(paste("a connection that is lost in the middle of a fit is an error:", engine), {
    spec <- bayes_naive(features = list(z = likelihood_kernel()))
    for (begun in c(FALSE, TRUE)) {
      db <- local_journal(engine)
      if (begun) DBI::dbBegin(db$con)
      error <- error_of(withCallingHandlers(
        fit(spec, y ~ x + z, db$table),
        bayesrisk_message_reads_rows = function(m) {
          end_session(db$con, engine)
          rlang::cnd_muffle(m)
        }
      ))
      expect_s3_class(error, "bayesrisk_error_connection")
      expect_match(conditionMessage(error), "lost or replaced")
      expect_false(is.null(error$parent))
    }
    db <- local_journal(engine)
    end_session(db$con, engine)
    expect_error(predict(normal_model(), db$table), class = "bayesrisk_error_connection")
  })
}

test_that("a connection that the driver replaced without a word is an error", {
  local_database("mariadb")
  con <- connect_mariadb(reconnect = TRUE, dbname = "bayes")
  withr::defer(DBI::dbDisconnect(con))
  id <- function() as.double(DBI::dbGetQuery(con, "SELECT CONNECTION_ID() AS id")$id)
  first <- id()
  here <- rlang::current_env()
  expect_error(
    in_transaction(con, function(con) end_session(con, "mariadb"), here, snapshot = TRUE),
    "lost or replaced", class = "bayesrisk_error_connection"
  )
  expect_false(id() == first)
})

test_that("missing permissions and limits of time have the class and the reason", {
  db <- local_journal("postgresql")
  expect_reason <- function(data, reason) {
    for (call in lazy_calls(data, db$con)[c("fit", "stream", "groups", "prior")]) {
      error <- error_of(call())
      expect_s3_class(error, "bayesrisk_error_data")
      expect_match(conditionMessage(error$parent), reason)
    }
  }
  role <- paste0("reader_", db$name)
  DBI::dbExecute(db$con, paste("CREATE ROLE", role))
  DBI::dbBegin(db$con)
  DBI::dbExecute(db$con, paste("SET LOCAL ROLE", role))
  expect_reason(db$table, "permission denied")
  expect_error(predict(normal_model(), db$table), class = "bayesrisk_error_data")
  DBI::dbExecute(db$con, "RESET ROLE")
  DBI::dbExecute(db$con, sprintf("GRANT SELECT (y) ON %s TO %s", db$name, role))
  DBI::dbExecute(db$con, paste("SET LOCAL ROLE", role))
  expect_reason(dplyr::select(db$table, "y", "x"), "permission denied")
  DBI::dbRollback(db$con)
  DBI::dbExecute(db$con, paste("DROP ROLE", role))
  slow <- paste("SELECT y, x FROM", db$name, "WHERE pg_sleep(0.1) IS NOT NULL")
  DBI::dbBegin(db$con)
  DBI::dbExecute(db$con, "SET LOCAL statement_timeout = 50")
  expect_reason(dplyr::tbl(db$con, dplyr::sql(slow), vars = c("y", "x")), "statement timeout")
  DBI::dbRollback(db$con)
})

test_that("MariaDB names a missing permission and a limit of time", {
  db <- local_journal("mariadb")
  DBI::dbExecute(db$con, "CREATE OR REPLACE USER reader@localhost")
  DBI::dbExecute(db$con, sprintf("GRANT SELECT (y) ON bayes.%s TO reader@localhost", db$name))
  con <- DBI::dbConnect(
    RMariaDB::MariaDB(), unix.socket = file.path(servers$mariadb, "s"), username = "reader",
    dbname = "bayes"
  )
  withr::defer(DBI::dbDisconnect(con))
  query <- paste("SELECT y, x FROM", db$name)
  table <- dplyr::tbl(con, dplyr::sql(query), vars = c("y", "x"))
  error <- error_of(fit(bayes_naive(), y ~ x, table))
  expect_s3_class(error, "bayesrisk_error_data")
  expect_match(conditionMessage(error$parent), "denied")
  DBI::dbExecute(db$con, "SET max_statement_time = 0.05")
  slow <- dplyr::tbl(
    db$con, dplyr::sql(paste(query, "WHERE SLEEP(0.1) = 0")), vars = c("y", "x")
  )
  error <- error_of(fit(bayes_naive(), y ~ x, slow))
  expect_s3_class(error, "bayesrisk_error_data")
  # The driver may have no words for it.
  expect_s3_class(error$parent, "error")
})

test_that("a locked database of SQLite is an error, one that cannot be written is none", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  file <- withr::local_tempfile()
  owner <- DBI::dbConnect(RSQLite::SQLite(), file)
  table <- put_table(owner, data.frame(y = c("a", "a", "b", "b"), x = c(1, 2, 4, 6)), "t")
  reader <- DBI::dbConnect(RSQLite::SQLite(), file, flags = RSQLite::SQLITE_RO)
  withr::defer({
    DBI::dbDisconnect(owner)
    DBI::dbDisconnect(reader)
  })
  DBI::dbExecute(reader, "PRAGMA busy_timeout = 0")
  read <- dplyr::tbl(reader, "t")
  expect_equal(coef(fit(bayes_naive(), y ~ x, read)), coef(fit(bayes_naive(), y ~ x, table)))
  DBI::dbExecute(owner, "BEGIN EXCLUSIVE")
  for (call in lazy_calls(read, reader)) {
    error <- error_of(call())
    expect_s3_class(error, "bayesrisk_error_data")
    expect_match(conditionMessage(error$parent), "locked")
  }
  DBI::dbExecute(owner, "ROLLBACK")
})
