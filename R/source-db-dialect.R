# The dialects of SQL. Each engine has a list of its differences from standard SQL. An engine
# without a list is standard. source-db-engine.R finds the dialect of a connection.

# Texts as literals by the connection's own rules.
quoted_text <- function(x, con) {
  if (isS4(con)) return(as.character(DBI::dbQuoteString(con, x)))
  vapply(lapply(x, dbplyr::escape, con = con), as.character, "")
}

# A connection that dbplyr simulates writes SQL, but cannot quote.
quoted_name <- function(x, con) {
  if (isS4(con)) return(as.character(DBI::dbQuoteIdentifier(con, x)))
  vapply(x, function(name) as.character(dbplyr::escape(dbplyr::ident(name), con = con)), "",
         USE.NAMES = FALSE)
}

# Some functions depend on the engine, its build, its mode or its version. A dialect writes each of
# them in a form that depends on none of these. Functions with one form for all engines stand in
# source-db-terms.R.
standard_dialect <- list(
  double = "DOUBLE PRECISION",
  # A literal that is this double, bit for bit: 17 digits.
  number = function(x) sprintf("CAST(%.16e AS DOUBLE PRECISION)", x),
  infinity = "CAST('Infinity' AS DOUBLE PRECISION)",
  # The number that R gets for infinity. Without infinite numbers it is the largest one.
  endless = Inf,
  # A number, with NULL for NaN.
  known = identity,
  # A column or an expression as the text that the driver reads, compared character by character,
  # whatever the collation of the column and of the connection; and the sides of a comparison that
  # no blanks are added to.
  text = identity, exact = identity,
  # The bytes of a text in UTF-8, where the driver gives another text for one that R cannot hold;
  # otherwise NULL.
  bytes = NULL,
  # The date of a time in UTC, as R has it, and the query for the session's time zone; NULL if the
  # driver sets the zone of the session.
  date = NULL, zone = NULL,
  # A column of truth values as a condition, and whether a condition is a value.
  holds = identity, conditions = TRUE,
  greatest = "GREATEST", least = "LEAST",
  # The natural logarithm, and the one with base 10.
  ln = function(x) sprintf("LN(%s)", x), log10 = function(x) sprintf("LOG10(%s)", x),
  # The characters of a text, a part of it, the place of a text in it, texts one after the other.
  length = function(x) sprintf("CHAR_LENGTH(%s)", x), substring = "SUBSTRING",
  position = function(x, part) sprintf("POSITION(%s IN (%s))", part, x),
  concat = function(x) sprintf("(%s)", paste(x, collapse = " || ")),
  # A condition on texts with letters whose case is not known; NULL for none.
  other_letters = NULL,
  # Whether a text that is no number is an error where a number is wanted.
  strict_numbers = TRUE,
  # A query that the optimiser does not merge into the query around it. Otherwise the optimiser may
  # repeat an expression at each use of its column. `copies`: whether it does so, for all that is
  # known. Then a text with few uses is written.
  fence = identity, copies = TRUE,
  # Whether the optimiser writes a filter on a column of a result into the stages, with the whole
  # expression of the column (predicate pushdown). It does not if a generator makes the column.
  pushes_filters = FALSE,
  # Whether an expression that stands in a query twice is computed once, so that it needs no column
  # of an own; and whether a result that underflows may be an error, as in EXP() of RSQLite.
  in_place = FALSE, underflow = TRUE,
  # The most characters of an expression that the engine can plan.
  longest = Inf,
  # Whether all values of a column have the declared type.
  typed = TRUE,
  # Texts as literals, and names.
  quote = quoted_text, quote_name = quoted_name,
  # Truth values of a column.
  true = "TRUE", false = "FALSE",
  # Whether a query may begin with WITH only outside of other queries.
  nested = FALSE,
  # Whether names that differ in upper and lower case are different, whether names without quotes
  # come back in upper case, the length of a name, the largest code of its characters, and signs
  # that no name may have.
  cased_names = FALSE, upper_names = FALSE, name_bytes = Inf, name_character = 0x10ffff,
  name_signs = NULL,
  # Formats of types that the driver reads otherwise than CAST does, named by type; "" for a type
  # that it reads wrong. Whether the driver, the engine or R names the types of the columns.
  forms = NULL, types = NULL,
  # The largest number of columns of a result.
  columns = 1600L,
  # Whether the user has begun a transaction, if dbBegin() would not say so by an error. `ask` gives
  # the value of a query.
  transacting = function(ask) FALSE,
  # Whether an error aborts a transaction, unless it goes back to a savepoint, or in any case.
  savepoints = FALSE, aborts = FALSE,
  # The statement that begins a transaction whose queries read one state of the tables, if
  # dbBegin() does not.
  begin = NULL,
  # The query for what the session is known by, if the driver may connect again without a word.
  session = NULL,
  # Whether rows are read faster than they are counted by SQL.
  streams = FALSE,
  # Whether the driver passes errors on as they are. See try_percent().
  plain_errors = TRUE
)

new_dialect <- function(...) utils::modifyList(standard_dialect, list(...))

plain_number <- function(x) sprintf("%.16e", x)

# SQLite reads some decimals wrong in the last digit. Whole numbers up to 2^53 and powers of 2 are
# read exactly, and so are their quotients.
quotient_number <- function(x) {
  exponent <- ifelse(x == 0 | !is.finite(x), 0, pmax(floor(log2(abs(x))) - 52, -186))
  whole <- x * 2^-exponent
  while (any(even <- exponent < 0 & whole %% 2 == 0)) {
    whole[even] <- whole[even] / 2
    exponent[even] <- exponent[even] + 1
  }
  exact <- is.finite(whole) & whole == trunc(whole) & abs(x) < 2^53
  down <- vapply(pmax(0, -exponent), function(n) {
    powers <- c(rep(62, n %/% 62), n %% 62)
    paste(sprintf("/%.1f", 2^powers[powers > 0]), collapse = "")
  }, "")
  ifelse(exact, sprintf("(%.0f%s)", whole, ifelse(exponent < 0, down, ".0")), plain_number(x))
}

# Literals in which a backslash escapes the next character.
escaped_text <- function(x, con) {
  sprintf("'%s'", gsub("'", "\\'", gsub("\\", "\\\\", x, fixed = TRUE), fixed = TRUE))
}

sqlite_dialect <- new_dialect(
  number = quotient_number, infinity = "9e999", true = "1", false = "0", typed = FALSE,
  streams = TRUE,
  text = function(x) paste(x, "COLLATE BINARY"),
  # LENGTH() stops at U+0000, and the bytes depend on the encoding of the file.
  bytes = function(x) sprintf("CASE WHEN INSTR(%s, CHAR(0)) > 0 THEN -1 END", x),
  greatest = "MAX", least = "MIN", strict_numbers = FALSE,
  # LOG is the natural logarithm in RSQLite, which lacks LN, and has base 10 in the program sqlite3.
  ln = function(x) sprintf("(LOG(%s) / LOG(2.718281828459045e0))", x),
  length = function(x) sprintf("LENGTH(%s)", x), substring = "SUBSTR",
  position = function(x, part) sprintf("INSTR(%s, %s)", x, part),
  other_letters = function(x) sprintf("%s GLOB '*[^' || CHAR(1) || '-' || CHAR(127) || ']*'", x),
  fence = function(query) paste(query, "LIMIT 9223372036854775807"), copies = FALSE
)

# In some modes a backslash escapes the next character in a literal, in E'' it always does.
backslash_text <- function(x, con) {
  x <- gsub("'", "''", x, fixed = TRUE)
  escaped <- sprintf("E'%s'", gsub("\\", "\\\\", x, fixed = TRUE))
  ifelse(grepl("\\", x, fixed = TRUE), escaped, sprintf("'%s'", x))
}

postgresql_dialect <- new_dialect(
  quote = backslash_text,
  cased_names = TRUE, name_bytes = 63,
  known = function(x) sprintf("NULLIF(%s, 'NaN')", x),
  # CONCAT() keeps the blanks of CHAR(n), which CAST drops. The default collation tells all texts
  # apart, as others need not do.
  text = function(x) {
    sprintf("CASE WHEN %1$s IS NOT NULL THEN CONCAT(%1$s, '') END COLLATE \"default\"", x)
  },
  fence = function(query) paste(query, "OFFSET 0"), copies = FALSE,
  log10 = function(x) sprintf("LOG(%s)", x), # LOG10 is younger
  # Outside of a transaction both are the time of the query, if it is sent at once.
  transacting = function(ask) {
    ask("SELECT CASE WHEN now() <> statement_timestamp() THEN 1 ELSE 0 END") == 1
  },
  savepoints = TRUE, begin = "BEGIN ISOLATION LEVEL REPEATABLE READ",
  session = "SELECT pg_backend_pid()"
)

# Redshift has neither savepoints nor collations, and a backslash always escapes. Each transaction
# reads one state of the tables.
redshift_dialect <- utils::modifyList(postgresql_dialect, list(
  quote = escaped_text, text = function(x) sprintf("CONCAT(%s, '')", x),
  transacting = function(ask) FALSE, savepoints = FALSE, aborts = TRUE, begin = NULL,
  copies = TRUE
))

# Whether a backslash is an escape depends on the mode, so a text with one is written in bytes.
hexadecimal_text <- function(x, con, pattern = "\\\\", literal = "_utf8mb4 X'%s'") {
  bytes <- vapply(x, function(x) toupper(paste(charToRaw(x), collapse = "")), "", USE.NAMES = FALSE)
  plain <- sprintf("'%s'", gsub("'", "''", x, fixed = TRUE))
  ifelse(grepl(pattern, x), sprintf(literal, bytes), plain)
}

# MariaDB and MySQL have no infinite numbers. Their usual collations take "A", "a" and "a " for one
# text. A collation belongs to one set of characters.
unicode_text <- function(collation) {
  function(x) sprintf("CONVERT(%s USING utf8mb4) COLLATE %s", x, collation)
}

mariadb_dialect <- new_dialect(
  true = "1", false = "0", name_bytes = 64, name_character = 0xffff, underflow = FALSE,
  quote = hexadecimal_text,
  double = "DOUBLE", number = plain_number, infinity = "1.7976931348623157e308",
  endless = .Machine$double.xmax,
  text = unicode_text("utf8mb4_nopad_bin"), strict_numbers = FALSE,
  concat = function(x) sprintf("CONCAT(%s)", toString(x)), # in most modes || is OR
  # MySQL does not tell, so it may be in one.
  transacting = function(ask) {
    tryCatch(ask("SELECT @@in_transaction") == 1, error = function(e) TRUE)
  },
  session = "SELECT CAST(CONNECTION_ID() AS CHAR)",
  fence = function(query) paste(query, "LIMIT 9223372036854775807"), copies = FALSE
)

mysql_dialect <- utils::modifyList(mariadb_dialect, list(text = unicode_text("utf8mb4_0900_bin")))

duckdb_dialect <- new_dialect(
  double = "DOUBLE", number = plain_number, infinity = "CAST('Infinity' AS DOUBLE)",
  known = function(x) sprintf("NULLIF(%s, CAST('NaN' AS DOUBLE))", x),
  text = function(x) sprintf("CAST(%s AS VARCHAR) COLLATE C", x), underflow = FALSE,
  copies = FALSE,
  # Outside of a transaction each query is one.
  transacting = function(ask) ask("SELECT txid_current()") == ask("SELECT txid_current()"),
  aborts = TRUE
)

# Unless Spark is in its ANSI mode, a text that is no number is NULL.
spark_dialect <- new_dialect(
  strict_numbers = FALSE, underflow = FALSE, in_place = TRUE, copies = FALSE,
  pushes_filters = TRUE, longest = 1e5,
  # Without the collation.
  text = function(x) sprintf("CAST(%s AS STRING)", x),
  bytes = function(x) sprintf("OCTET_LENGTH(%s)", x),
  date = function(x) {
    day <- "date_from_unix_date(CAST(FLOOR(unix_seconds(CAST(%1$s AS TIMESTAMP)) / 86400) AS INT))"
    sprintf(paste("CASE WHEN typeof(%1$s) = 'timestamp' THEN", day, "ELSE CAST(%1$s AS DATE) END"),
            x)
  },
  zone = "SELECT current_timezone()",
  # Spark replaces ${name} by the value of a setting or of an environment variable, even in a text.
  # sparklyr may read a text before Spark does, and does not know \' as an apostrophe.
  quote = function(x, con) hexadecimal_text(x, con, "['\\\\]|[$][{]", "CAST(X'%s' AS STRING)"),
  name_signs = "${",
  # sparklyr takes what is before a dot in a name for a table.
  quote_name = function(x, con) sprintf("`%s`", gsub("`", "``", x, fixed = TRUE)),
  # NULL without a type is no condition.
  holds = function(x) sprintf("CAST(%s AS BOOLEAN)", x),
  double = "DOUBLE", number = function(x) sprintf("%.16eD", x),
  infinity = "CAST('Infinity' AS DOUBLE)",
  known = function(x) sprintf("NANVL(%s, CAST(NULL AS DOUBLE))", x),
  # Java writes some letters as several, and a sigma at the end of a word otherwise. The tables of
  # R and of Spark lack different letters of the last years.
  other_letters = function(x) {
    letters <- paste0(
      "[\\u00DF\\u0130\\u0149\\u019B\\u01F0\\u0264\\u0390\\u03A3\\u03B0\\u0587",
      "\\u1C89\\u1C8A\\u1E96-\\u1E9A\\u1F50-\\u1FFC\\u2C2F\\u2C5F\\uA7C0-\\uA7DC",
      "\\uFB00-\\uFB17\\x{10570}-\\x{105BC}\\x{10D50}-\\x{10D85}\\x{16EA0}-\\x{16ED3}]"
    )
    sprintf("%s RLIKE %s", x, spark_dialect$quote(letters))
  },
  columns = 10000L
)

snowflake_dialect <- new_dialect(
  quote = escaped_text, upper_names = TRUE,
  log10 = function(x) sprintf("LOG(10, %s)", x), length = function(x) sprintf("LENGTH(%s)", x),
  infinity = "CAST('inf' AS DOUBLE PRECISION)",
  known = function(x) sprintf("NULLIF(%s, CAST('NaN' AS DOUBLE PRECISION))", x)
)

# SQL Server has neither NaN nor infinite numbers nor truth values. Without N a literal has the
# letters of the database's code page only, and = adds blanks to the shorter text.
mssql_dialect <- new_dialect(
  quote = function(x, con) paste0("N", quoted_text(x, con)),
  exact = function(x) paste(x, "+ N'.'"),
  holds = function(x) paste(x, "= 1"), conditions = FALSE,
  length = function(x) sprintf("(LEN(%s + N'.') - 1)", x),
  position = function(x, part) sprintf("CHARINDEX(%s, %s)", part, x),
  concat = function(x) sprintf("(%s)", paste(x, collapse = " + ")),
  true = "CAST(1 AS BIT)", false = "CAST(0 AS BIT)", nested = TRUE,
  double = "FLOAT", number = plain_number, infinity = "1.7976931348623157e308",
  endless = .Machine$double.xmax,
  ln = function(x) sprintf("LOG(%s)", x),
  text = function(x) paste(x, "COLLATE Latin1_General_100_BIN2_UTF8"), columns = 1000L
)

# A backslash escapes in names, too. Functions count bytes unless they are told not to.
clickhouse_dialect <- new_dialect(
  quote = escaped_text, substring = "substringUTF8",
  length = function(x) sprintf("lengthUTF8(%s)", x),
  # Other types than String end with U+0000 or have none.
  bytes = function(x) {
    string <- "'String', 'Nullable(String)'"
    sprintf("if(toTypeName(%1$s) IN (%2$s), length(CAST(%1$s AS Nullable(String))), NULL)", x,
            string)
  },
  position = function(x, part) sprintf("positionUTF8(%s, %s)", x, part),
  quote_name = function(x, con) {
    quoted_name(if (isS4(con)) x else gsub("\\", "\\\\", x, fixed = TRUE), con)
  },
  cased_names = TRUE, underflow = FALSE, copies = FALSE,
  double = "Nullable(Float64)", number = plain_number, infinity = "inf",
  known = function(x) sprintf("if(isNaN(%s), NULL, %s)", x, x)
)
