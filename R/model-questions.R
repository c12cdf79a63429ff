# Columns that may not be what they seem: identifiers, numbers in texts, numbers that are names.
# fit() says so once, and check_features() lists them.

# A list of questions: list(feature, remark, remedy). `cases`: in memory. `normal`: the names of the
# features that are modelled by normals; only numbers among them are questioned. `words`: whether
# the specification is for counts of terms, so that no text is a category. `table`: see
# column_code().
question_features <- function(cases, normal, table, words = FALSE) {
  features <- cases$schema$features
  most <- if (words) 0L else most_categories
  counts <- question_counts(cases, table)
  if (length(counts)) normal <- setdiff(normal, "Freq")
  c(
    counts,
    lapply(features[lengths(lapply(features, .subset2, "levels")) > most], function(f) {
      question_text(f, sum(!is.na(cases$group)), cases$schema$response, table, words)
    }),
    question_numbers(cases, features[normal], table)
  )
}

# A frame with a row for each question, in the order of the features.
tabulate_questions <- function(found, features) {
  found <- Filter(Negate(is.null), found)
  found <- found[order(match(vapply(found, `[[`, "", "feature"), features))]
  part <- function(name) vapply(found, `[[`, "", name, USE.NAMES = FALSE)
  data.frame(feature = part("feature"), remark = part("remark"), remedy = part("remedy"))
}

# `code`: a format with the code of the column; NULL: the column is to be left out.
question <- function(feature, remark, code, table) {
  column <- column_code(feature, table)
  code <- if (!is.null(code)) gsub("%1$s", column, code, fixed = TRUE)
  remedy <- if (is.null(table)) {
    if (is.null(code)) paste("In the formula:", "-", column) else paste("In the formula:", code)
  } else {
    sprintf("%s <- %s", column, if (is.null(code)) "NULL" else code)
  }
  list(feature = feature, remark = remark, remedy = remedy)
}

# A column as code. `table`: the name of the table in memory, NULL for a source, whose columns only
# a formula can change.
column_code <- function(name, table) {
  names <- vapply(c(table, name), function(x) deparse(as.name(x), backtick = TRUE), "")
  paste(names, collapse = "$")
}

# How a user calls a table: the name that was given, or "data"; NULL for a source.
table_name <- function(given, data) {
  # A value that was computed has no name any more.
  force(given)
  if (is_source(data)) return(NULL)
  named <- !rlang::quo_is_missing(given) && rlang::quo_is_symbol(given)
  # The dot is that of a pipe.
  if (named && rlang::as_name(given) != ".") rlang::as_name(given) else "data"
}

most_categories <- 12L

# Of fewer texts or numbers it is no wonder that all are different.
most_alike <- 50L

question_text <- function(feature, rows, response, table, words) {
  if (!feature$type %in% c("character", "factor") || !is.null(feature$expression)) return(NULL)
  name <- feature$name
  levels <- feature$levels
  count <- length(levels)
  many <- count > most_alike && count > rows / 2
  # Whole numbers may be codes: of a factor, or of a column that is called like one.
  codes <- all(grepl("^[0-9]+$", levels)) &&
    (feature$type == "factor" || is_code_name(name) || is_key_name(name))
  as_number <- if (!words && !codes) number_code(levels)
  if (!is.null(as_number)) {
    # as.numeric() of a factor gives the places of the levels.
    text <- if (feature$type == "factor") "as.character(%1$s)" else "%1$s"
    as_number <- sub("%1$s", text, as_number, fixed = TRUE)
    return(question(name, "numbers as text", as_number, table))
  }
  as_date <- if (!words) date_code(levels)
  if (!is.null(as_date)) return(question(name, "dates as text", as_date, table))
  if (words || stats::median(lengths(strsplit(levels, "[[:space:]]+"))) > 3) {
    return(question_words(name, response, table, words))
  }
  if (!many) return(NULL)
  question(name, sprintf("%s different texts in %s rows, as an identifier has",
                         format_count(count), format_count(rows)), NULL, table)
}

# The rows of a source must be read, because its formula cannot count words.
question_words <- function(name, response, table, words) {
  held <- if (is.null(table)) "data" else table
  class <- if (is.null(response)) "y" else column_code(response, held)
  lines <- counting_lines(
    sprintf("as.character(%s)", column_code(name, held)),
    sprintf("fit(bayes_text(), counts, %s)", class)
  )
  list(
    feature = name, remark = if (words) "text, which is one category" else "sentences",
    remedy = paste0(
      if (is.null(table)) "With the rows in memory as data: ", paste(lines, collapse = "; ")
    )
  )
}

# Whether at least 95 % of texts have a pattern.
mostly <- function(texts, pattern) mean(grepl(pattern, texts)) >= 0.95

# The code that makes numbers of texts, if they are mostly numbers in one way of writing them.
number_code <- function(texts) {
  texts <- trimws(texts)
  sign <- "^[-+]?(EUR|USD|GBP|CHF|[$\u20ac\u00a3\u00a5])? ?[-+]?"
  end <- " ?(EUR|USD|GBP|CHF|[$\u20ac\u00a3\u00a5%])?$"
  written <- function(body) mostly(texts, paste0(sign, body, end))
  code <- if (mostly(texts, "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$")) {
    "as.numeric(%1$s)"
  } else if (written("([1-9][0-9]{0,2}(,[0-9]{3})+|[0-9]+)([.][0-9]+)?")) {
    "as.numeric(gsub(\"[^0-9.-]\", \"\", %1$s))"
  } else if (written("([1-9][0-9]{0,2}([. '][0-9]{3})+|[0-9]+)(,[0-9]+)?")) {
    "as.numeric(sub(\",\", \".\", gsub(\"[^0-9,-]\", \"\", %1$s)))"
  }
  if (!is.null(code) && mostly(texts, "%$")) paste(code, "/ 100") else code
}

# The code that makes numbers of texts that are mostly dates in one way of writing them.
date_code <- function(texts) {
  texts <- trimws(texts)
  year_first <- "^[0-9]{4}([-/])[0-9]{1,2}\\1[0-9]{1,2}([ T][0-9:.]+Z?)?$"
  if (mostly(texts, year_first)) {
    sign <- sub(year_first, "\\1", grep(year_first, texts, value = TRUE)[[1L]])
    return(sprintf("as.numeric(as.Date(%%1$s, \"%%Y%s%%m%s%%d\"))", sign, sign))
  }
  parts <- "^([0-9]{1,2})([./-])([0-9]{1,2})\\2([0-9]{4})$"
  if (!mostly(texts, parts)) return(NULL)
  fitting <- texts[grepl(parts, texts)]
  sign <- sub(parts, "\\2", fitting[[1L]])
  # The number that exceeds 12 is the day.
  month_first <- any(as.integer(sub(parts, "\\3", fitting)) > 12L)
  format <- paste(if (month_first) c("%m", "%d", "%Y") else c("%d", "%m", "%Y"), collapse = sign)
  sprintf("as.numeric(as.Date(%%1$s, \"%s\"))", format)
}

# Numbers that are names: two values, or few whole ones in a column that is called like a code, or
# whose table says far more about the class than normals do; identifiers; codes of missing values.
question_numbers <- function(cases, features, table) {
  names <- names(features)[vapply(features, function(f) is.null(f$expression), NA)]
  numeric <- vapply(features[names], function(f) f$kind == "numeric", NA)
  names <- names[numeric]
  if (!length(names)) return(NULL)
  found <- column_values_cpp(
    cases$frame, match(names, names(cases$schema$features)), cases$group, cases$weights,
    as.integer(cases$groups), most_categories, 10000L
  )
  several <- !is.na(found$values) & found$values > 1L
  named <- is_code_name(names) | found$gain > log(100)
  coded <- several & (found$values == 2L | found$whole & named)
  many <- found$different > most_alike
  c(
    lapply(which(coded), function(i) {
      remark <- sprintf("%d different numbers, as codes of categories", found$values[[i]])
      question(names[[i]], remark, "factor(%1$s)", table)
    }),
    lapply(which(!coded & !is.na(found$missing_code)), function(i) {
      number <- format(found$missing_code[[i]], scientific = FALSE)
      remark <- sprintf("%s, far from all other numbers, as a missing value is coded", number)
      question(names[[i]], remark, sprintf("replace(%%1$s, %%1$s == %s, NA)", number), table)
    }),
    lapply(which(many & (found$rows | is_key_name(names) | is_code_name(names))), function(i) {
      all_different <- "whole numbers, all different, as an identifier has"
      question(names[[i]], if (found$rows[[i]]) "counts the rows" else all_different, NULL, table)
    })
  )
}

# The counts of a table that as.data.frame() made a column, beside categories only.
question_counts <- function(cases, table) {
  kinds <- vapply(cases$schema$features, `[[`, "", "kind")
  counted <- identical(names(kinds)[kinds != "categorical"], "Freq") && length(kinds) > 1L
  if (!counted || !is.null(cases$weights)) return(NULL)
  formula <- cases$schema$formula
  class <- if (is.null(formula)) "class" else deparse1(formula[[2L]], backtick = TRUE)
  data <- deparse(as.name(if (is.null(table)) "data" else table), backtick = TRUE)
  list(list(
    feature = "Freq", remark = "counts of rows, which are weights",
    remedy = sprintf("fit(spec, %s ~ ., %s, weights = Freq)", class, data)
  ))
}

# "zip_code" and "groupId" are, "width" is not.
is_code_name <- function(names) has_word(names, "(id|code|type|group|zip)")

# "customer_no" and "kundennr" are, "number_of_rooms" is not.
is_key_name <- function(names) {
  has_word(names, "(number|no|key)$") | grepl("nr$", names, ignore.case = TRUE)
}

has_word <- function(names, pattern) {
  words <- gsub("([a-z])([A-Z])", "\\1_\\2", names)
  grepl(paste0("(^|[^a-z])", pattern, "([^a-z]|$)"), words, ignore.case = TRUE)
}

# The names of the features that a plan models by normals.
normal_features <- function(plan, schema) {
  normal <- vapply(plan$banks, function(bank) {
    bank$type %in% c("gaussian", "multivariate_gaussian")
  }, NA)
  names(schema$features)[unlist(lapply(plan$banks[normal], `[[`, "features"))]
}

# The statistics of cases; the first ones are questioned.
collect_questioned <- function(cases, request, call) {
  collected <- collect_cases(cases, request, call)
  if (isTRUE(request$asked$already)) return(collected)
  request$asked$already <- TRUE
  part <- function(name) {
    if (is_grouped(collected)) attr(collected, name) else collected[[name]]
  }
  question_cases(cases, part("plan"), part("spec"), request$asked$table)
  collected
}

# One message about all columns. A table of a database is not read for it.
question_cases <- function(cases, plan, spec, table) {
  if (!isTRUE(getOption("bayesrisk.columns", TRUE)) || is.null(cases$frame)) return(invisible())
  kinds <- vapply(cases$schema$features, `[[`, "", "kind")
  # Beside a bag of terms texts are categories.
  words <- !is.null(spec$bag) && !any(kinds == "bag")
  found <- question_features(cases, normal_features(plan, cases$schema), table, words)
  if (length(found)) tell_questions(tabulate_questions(found, names(cases$schema$features)))
}

# `found`: see tabulate_questions().
tell_questions <- function(found) {
  if (!nrow(found)) return(invisible())
  shown <- utils::head(found, 5L)
  lines <- rbind(sprintf("%s: %s", encodeString(shown$feature), shown$remark), shown$remedy)
  more <- nrow(found) - nrow(shown)
  # Code is pasted, so that a break within a name would change it.
  before <- options(cli.condition_width = Inf)
  on.exit(options(before))
  inform_bayesrisk(c(
    "{count_of(nrow(found), 'column', 'columns')} may not be what
     {cli::qty(nrow(found))}{?it seems/they seem}. The line below a column mends it:",
    bullet_lines(lines, c("*", " ")),
    "*" = if (more > 0L) sprintf("and %d more", more),
    i = "{.fn check_features} lists all. {.code options(bayesrisk.columns = FALSE)} ends this
         message."
  ), "columns", columns = found)
}
