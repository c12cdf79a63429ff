# Rscript tools/hostile-names.R [NAMES] [SEED]: hostile names of columns, levels, classes, actions,
# groups and tables, on each engine of the tests that is here, for the bayesrisk that R finds. A use
# of a name is sound if fits, predictions and decisions of the table, and the text of as_sql() run
# by the engine's own client, equal those of the rows in memory; or if an error of the package says
# before any row is read that they cannot. Many names share a table. Where such a table is refused,
# its names are tried alone. The last line is "N passed, N failed".

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
source(file.path(root, "tools", "setup-databases.R"))
use_library()
find_libraries()
for (package in c("bayesrisk", "testthat")) library(package, character.only = TRUE)
Sys.setenv(NOT_CRAN = "true") # starts servers
for (helper in c("servers", "clickhouse", "clients", "lazy")) {
  source(file.path(root, "tests", "testthat", sprintf("helper-%s.R", helper)))
}

## Names -------------------------------------------------------------------------------------

# Names that mean something to an engine, to R, or to the SQL of the package.
plain_names <- function() {
  c(
    "select", "FROM", "where", "Group", "order", "user", "table", "index", "null", "true", "end",
    "case", "values", "limit", "desc", "with", "recursive", "cast", "default", "current_date",
    "rowid", "oid", "NA", "NULL", "NaN", "Inf", "TRUE", "0", "-1", "1e5", "0x1F", "x1", "x2", "x3",
    "y", "w", "n", "g", "c", "p", "m1", "lo1", "hi1", "s1", "d1", "q01", "t1", "l1", "value",
    "bayes_q", "bayes_t", "bayes_r", "bayes_s1", "bayes_x1", "bayes_x_q", ".pred_class", ".pred_a",
    ".decision", ".cost", ".cost_a", ".tie", ".margin", ".impossible", ".unknown_levels", ".", "..",
    "...", "..1", "if", "function", "aa", "AA", "Aa", "a", "A", "a ", " a", "a\t", "a\u00a0", "",
    " ", "  ", "\u00e4", "\u00c4", "\u00e9", "e\u0301", "\u00df", "ss", "SS", "\u0130", "\u0131",
    "I", "i", "\ufb01", "fi", "\u200f\u05d0", "\u05d0", "\u202eabc", "a\ufeff", "\u200ba",
    "\U1F600", "\U1F468\u200d\U1F469", "\u4e2d\u6587", "'", "''", "\"", "\"\"", "`", "``", "[a]",
    "]", ";", "--", "--\na", "/*", "*/", "/* a */", "%", "%s", "%n%d", "%%", "_", "?", "??", "?1",
    ":", ":a", "::", "@a", "@@version", "$1", "$$", "$a$", "\\", "\\\\", "\\n", "\\'", "a\\", "{",
    "}", "{x}", "{.field a}", "{{", "<", ">", "<a>", "&", "&lt;", "&#39;", "\n", "a\nb", "\r",
    "a\r\nb", "\t", "\001", "\033[1m", "\037", "\177", "a.b", "a,b", "(", ")", "a/b", "#", "!",
    "'; DROP TABLE t; --", "\"; DROP TABLE t; --", "' OR '1'='1", "${a}", "$(a)", "~a", "a = b",
    strrep("l", 62), strrep("l", 63), paste0(strrep("l", 63), c("a", "b")), strrep("l", 64),
    strrep("l", 65), strrep("\u00e4", 32), paste0(strrep("\u00e4", 31), c("b", "bc")),
    strrep("\U1F600", 16), strrep("'", 40), strrep("\\", 41), strrep("z", 200),
    paste0(strrep("p", 57), c("a", "b")), paste0(strrep("p", 58), c("a", "b"))
  )
}

# The plain names, and random ones up to `count`.
hostile_names <- function(count) {
  latin <- c("caf\xe9", "\xdcber")
  Encoding(latin) <- "latin1"
  signs <- strsplit("'\"`[];-/*%_?:$\\{}<>&\n\r\t\001 .,aA1", "")[[1L]]
  pieces <- c(signs, "--", "/*", "*/", "\u00e4", "\u0301", "\U1F600", "\u200f", "NULL", "SELECT")
  random <- replicate(4 * count, paste(sample(pieces, sample(6, 1), TRUE), collapse = ""))
  # unique() takes a text in two encodings for one.
  utils::head(unique(c(latin, plain_names(), random)), max(count, 2L))
}

## Tables ------------------------------------------------------------------------------------

class_of <- rep(c("u", "v"), 12L)
number_of <- function(j) round(sin(1:24 * (j + 2)) + (class_of == "u") * cos(j), 4)
row_name <- "row number of bayes"

# A new table of the columns of `data` and the numbers of the rows, which the engine may refuse; its
# lazy table and its rows.
table_of <- function(con, data, name = "bayes_hostile") {
  data[[row_name]] <- seq_along(data[[1L]])
  quoted <- DBI::dbQuoteIdentifier(con, enc2utf8(name))
  types <- ifelse(vapply(data, is.numeric, NA), "DOUBLE PRECISION", "VARCHAR(250)")
  columns <- paste(DBI::dbQuoteIdentifier(con, enc2utf8(names(data))), types)
  cells <- lapply(unname(data), function(x) {
    if (is.numeric(x)) sprintf("%.4f", x) else DBI::dbQuoteString(con, enc2utf8(x))
  })
  tryCatch({
    DBI::dbExecute(con, paste("DROP TABLE IF EXISTS", quoted))
    DBI::dbExecute(con, sprintf("CREATE TABLE %s (%s)", quoted, toString(columns)))
  }, error = function(e) rlang::abort("The engine has no such table.", "no_table", parent = e))
  DBI::dbExecute(con, sprintf("INSERT INTO %s VALUES %s", quoted, toString(
    sprintf("(%s)", do.call(paste, c(cells, sep = ", ")))
  )))
  table <- dplyr::tbl(con, DBI::Id(enc2utf8(name)))
  memory <- read_all(con, table)
  list(con = con, table = table, memory = memory[order(memory[[row_name]]), ])
}

# collect() refuses columns such as "" and "...".
read_all <- function(con, table) {
  query <- dbplyr::sql_render(table)
  DBI::dbGetQuery(con, query)
}

## Comparisons -------------------------------------------------------------------------------

# A difference is an error of class "wrong".
wrong <- function(...) rlang::abort(paste0(...), "wrong")

expect_equal_to <- function(found, expected, what) {
  differs <- all.equal(expected, found, tolerance = 1e-10, check.attributes = FALSE)
  if (!isTRUE(differs)) wrong(what, ": ", differs[[1L]])
}

# Both give the same, or both refuse by an error of the package.
refused <- function(expr) tryCatch(quietly(suppressMessages(expr)), bayesrisk_error = identity)

expect_as_memory <- function(memory, found, what, compare) {
  memory <- refused(memory)
  found <- refused(found)
  errors <- c(inherits(memory, "error"), inherits(found, "error"))
  # More may be refused in a database.
  if (errors[[2L]] && !errors[[1L]]) rlang::cnd_signal(found)
  if (errors[[1L]] && !errors[[2L]]) wrong(what, ": memory refuses: ", conditionMessage(memory))
  if (!any(errors)) compare(memory, found)
  memory
}

expect_fits <- function(made, formula) {
  for (strategy in c("sql", "stream")) {
    model <- expect_as_memory(
      fit(bayes_naive(laplace = 1), formula, made$memory),
      fit(bayes_naive(laplace = 1), formula, lazy_table(made$table, strategy)),
      paste("fit", strategy), function(memory, found) {
        expect_equal_to(found$schema$classes, memory$schema$classes, "classes")
        expect_equal_to(coef(found), coef(memory), "parameters")
      }
    )
  }
  if (!inherits(model, "error")) model
}

# The columns that are added, by the lazy table and by the client.
expect_answers <- function(made, lazy, sql, expected) {
  sound <- function(found, who) {
    if (nrow(found) != nrow(made$memory)) wrong(who, ": ", nrow(found), " rows")
    found <- found[order(as.numeric(found[[row_name]])), , drop = FALSE]
    own <- seq_along(made$memory)
    if (!identical(names(found)[own], names(made$memory))) wrong(who, ": names of columns")
    expect_equal_to(found[own], made$memory, paste(who, "columns"))
    for (name in names(expected)) {
      # Some engines keep truth values as numbers, and missing texts as anything.
      value <- as.vector(found[[name]], typeof(expected[[name]]))
      expect_equal_to(value, expected[[name]], paste(who, name))
    }
  }
  found <- read_all(made$con, lazy)
  sound(found, "lazy")
  # The program sqlite3 makes one line end of two.
  if (inherits(made$con, "SQLiteConnection") && grepl("\r\n", sql)) return(invisible())
  sound(client_rows(made$con, sql, found), "client")
}

expect_predictions <- function(model, made, type = "both") {
  expected <- quietly(predict(model, made$memory, type = type))
  expected <- if (type == "class") list(.pred_class = as.character(expected)) else c(
    list(.pred_class = as.character(expected$class)),
    stats::setNames(as.list(as.data.frame(expected$posterior)),
                    paste0(".pred_", colnames(expected$posterior)))
  )
  expect_answers(made, predict(model, made$table, type = type),
                 as_sql(model, made$con, made$table, type = type), expected)
}

## Uses --------------------------------------------------------------------------------------

# Each use is a function of a connection and names, which stops if the names are not sound.
uses <- list(
  column = function(con, names) {
    columns <- lapply(seq_along(names), function(j) {
      if (j %% 3 == 0) c("k", "l", "m")[1 + abs(round(3 * number_of(j))) %% 3] else number_of(j)
    })
    made <- table_of(con, c(list(`class of bayes` = class_of), stats::setNames(columns, names)))
    expect_sound_model(made, `class of bayes` ~ . - `row number of bayes`)
  },
  expression = function(con, names) {
    for (name in names) {
      made <- table_of(con, stats::setNames(
        list(class_of, number_of(1)), c("class of bayes", name)
      ))
      column <- as.name(setdiff(names(made$memory), c("class of bayes", row_name)))
      expect_sound_model(made, eval(bquote(`class of bayes` ~ I(.(column) * 2 + 1))))
      made <- table_of(con, stats::setNames(list(class_of, number_of(1)), c(name, "number")))
      column <- as.name(setdiff(names(made$memory), c("number", row_name)))
      expect_sound_model(made, eval(bquote(.(column) ~ number)))
    }
  },
  level = function(con, names) {
    made <- table_of(con, list(
      class = rep_len(class_of, 2L * length(names)), level = rep(names, each = 2L)
    ))
    expect_sound_model(made, class ~ level)
  },
  class = function(con, names) try_classes(con, names, "class"),
  probability = function(con, names) try_classes(con, names, "both"),
  action = function(con, names) {
    made <- table_of(con, list(class = class_of, number = number_of(1)))
    model <- expect_fits(made, class ~ number)
    costs <- lapply(seq_along(names), function(j) c(u = j, v = length(names) - j + 1))
    cost <- quietly(rlang::inject(cost_matrix(!!!stats::setNames(costs, names))))
    decided <- as.data.frame(quietly(decide(model, made$memory, cost)))
    decided <- lapply(decided, function(x) if (is.factor(x)) as.character(x) else x)
    names(decided) <- paste0(".", names(decided))
    expect_answers(made, decide(model, made$table, cost),
                   as_sql(model, made$con, made$table, "decide", cost), decided)
  },
  group = function(con, names) {
    made <- table_of(con, list(
      group = rep(names, each = 8L), class = rep_len(class_of, 8L * length(names)),
      number = rep_len(number_of(1), 8L * length(names))
    ))
    expect_as_memory(
      fit(bayes_naive(), class ~ number, made$memory, by = group),
      fit(bayes_naive(), class ~ number, made$table, by = group), "groups",
      function(memory, found) expect_equal_to(tidy(found), tidy(memory), "groups")
    )
  },
  table = function(con, names) {
    for (name in names) {
      made <- table_of(con, list(class = class_of, number = number_of(1)), name)
      expect_sound_model(made, class ~ number)
      DBI::dbRemoveTable(con, DBI::Id(enc2utf8(name)))
    }
  }
)

try_classes <- function(con, names, type) {
  made <- table_of(con, list(
    class = rep(names, each = 3L), number = rep(seq_along(names), each = 3L) + c(-0.3, 0, 0.3)
  ))
  model <- expect_fits(made, class ~ number)
  if (!is.null(model)) expect_predictions(model, made, type)
}

expect_sound_model <- function(made, formula) {
  model <- expect_fits(made, formula)
  if (!is.null(model)) expect_predictions(model, made)
}

# The names that share a table, and the share of the names that is tried.
batch_sizes <- c(column = 25, level = 400, class = 400, probability = 25, action = 25, group = 400,
                 table = 1, expression = 1)
shares <- c(table = 0.1, expression = 0.1)

## Runs --------------------------------------------------------------------------------------

# The outcome of each name is one of these, or what is wrong.
outcomes <- c("sound", "sound without a client", "refused", "no names of the engine")

try_names <- function(con, use, names) {
  said <- tryCatch({
    uses[[use]](con, names)
    outcomes[[1L]]
  }, skip = function(e) outcomes[[2L]], error = identity)
  if (is.character(said)) return(rep(said, length(names)))
  if (length(names) == 1L) return(outcome_of(said, use, names))
  half <- seq_len(length(names) %/% 2L)
  found <- c(try_names(con, use, names[half]), try_names(con, use, names[-half]))
  # Names that are sound alone may be refused together, but not be wrong.
  together <- outcome_of(said, use, names)
  if (all(c(found, together) %in% outcomes)) found else replace(found, 1L, setdiff(
    c(together, found), outcomes
  )[[1L]])
}

outcome_of <- function(said, use, names) {
  if (inherits(said, "no_table")) return(outcomes[[4L]])
  if (inherits(said, "bayesrisk_error")) return(outcomes[[3L]])
  paste0(
    use, " ", toString(encodeString(utils::head(names, 3L), quote = "\"")), ": ",
    if (!inherits(said, "wrong")) "no error of the package: ", conditionMessage(said)
  )
}

# The outcomes of all uses on an engine; NULL if the engine is not here.
try_engine <- function(engine, names) {
  end <- environment()
  run_end <<- function() end
  con <- tryCatch(suppressWarnings(connect_database(engine)), skip = function(e) NULL)
  if (is.null(con)) return(NULL)
  on.exit(suppressWarnings(DBI::dbDisconnect(con)), add = TRUE, after = FALSE)
  unlist(lapply(names(batch_sizes), function(use) {
    share <- if (use %in% names(shares)) shares[[use]] else 1
    tried <- names[sample(length(names), ceiling(share * length(names)))]
    started <- proc.time()[[3L]]
    found <- unlist(lapply(
      split(tried, (seq_along(tried) - 1L) %/% batch_sizes[[use]]), try_names, con = con, use = use
    ), use.names = FALSE)
    counts <- table(ifelse(found %in% outcomes, found, "wrong"))
    cat(sprintf("%s, %s: %s (%.0f s)\n", engine, use, toString(paste(counts, names(counts))),
                proc.time()[[3L]] - started))
    for (fault in utils::head(setdiff(found, outcomes), 20L)) cat("  ", engine, ": ", fault, "\n")
    found
  }))
}

asked <- as.numeric(commandArgs(TRUE))
set.seed(if (length(asked) > 1L) asked[[2L]] else 1)
tried <- hostile_names(if (length(asked)) asked[[1L]] else 320)
cores <- if (.Platform$OS.type == "windows") 1L else 2L
# Processes cannot share a session of Spark: its names are in test-source-db-ask.R.
engines <- setdiff(database_engines, "spark")
found <- parallel::mclapply(engines, try_engine, tried, mc.cores = cores,
                            mc.preschedule = FALSE, mc.set.seed = FALSE)
lost <- sum(vapply(found, inherits, NA, "try-error"))
found <- unlist(found)
if (!length(found) && !lost) quit(status = 77L) # no engine is here
failed <- sum(!found %in% outcomes) + lost
cat(sprintf("%d passed, %d failed\n", sum(found %in% outcomes), failed))
quit(status = as.integer(failed > 0))
