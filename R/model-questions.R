# Columns that may not be what they seem: identifiers, numbers in texts, numbers that are names.
# fit() says so once, and check_features() lists them.

# A list of questions: list(feature, remark, remedy). `cases`: in memory. `normal`: the names of the
# features that are modelled by normals; only numbers among them are questioned. `words`: whether
# the specification is for counts of terms, so that no text is a category. `place`: remedy_place().
question_features <- function(cases, normal, place, words = FALSE) {
  features <- cases$schema$features
  most <- if (words) 0L else most_categories
  counts <- question_counts(cases, place)
  if (length(counts)) normal <- setdiff(normal, "Freq")
  c(
    counts,
    lapply(features[lengths(lapply(features, .subset2, "levels")) > most], function(f) {
      question_text(f, sum(!is.na(cases$group)), cases$schema$formula, place, words)
    }),
    question_numbers(cases, features[normal], place)
  )
}

# A frame with a row for each question, in the order of the features.
tabulate_questions <- function(found, features) {
  found <- Filter(Negate(is.null), found)
  found <- found[order(match(vapply(found, `[[`, "", "feature"), features))]
  part <- function(name) vapply(found, `[[`, "", name, USE.NAMES = FALSE)
  data.frame(feature = part("feature"), remark = part("remark"), remedy = part("remedy"))
}

# `code`: a format with the code of the column; NULL: the column is to be left out. `query`: code
# that a database understands; NULL if there is none.
question <- function(feature, remark, code, place, query = NULL) {
  list(feature = feature, remark = remark, remedy = remedy_line(feature, code, place, query))
}

remedy_line <- function(feature, code, place, query = NULL) {
  column <- place_column(feature, place)
  fill <- function(code) gsub("%1$s", column, code, fixed = TRUE)
  if (place$kind == "memory") {
    return(paste0(place$before, column, " <- ", if (is.null(code)) "NULL" else fill(code)))
  }
  if (is.null(code)) return(paste("In the formula:", "-", column))
  if (place$kind == "chunks") {
    # In a formula a quotient is a term for each of two columns.
    if (endsWith(code, "/ 100")) code <- sprintf("I(%s)", code)
    return(paste("In the formula:", fill(code)))
  }
  if (is.null(query)) return(paste("Prepare it in the database; in R it is", fill(code)))
  sprintf("%1$s <- dplyr::mutate(%1$s, %2$s = %3$s)", place$table, column, fill(query))
}

# A column as code. `table`: the code of the table; NULL where columns have names alone.
column_code <- function(name, table) {
  paste(c(table, deparse(as.name(name), backtick = TRUE)), collapse = "$")
}

place_column <- function(name, place) {
  column_code(name, if (place$kind == "memory") place$table)
}

# The place of a remedy: list(kind, table, before).
# * `kind`: "memory", "query", or "chunks". A formula can change the columns of chunks.
# * `table`: the user's name for the table, or "data".
# * `before`: code that makes a table of a matrix. One column of a matrix cannot change its type.
remedy_place <- function(given, data) {
  # A value that was computed has no name any more.
  force(given)
  named <- !rlang::quo_is_missing(given) && rlang::quo_is_symbol(given)
  # The dot is that of a pipe.
  named <- named && rlang::as_name(given) != "."
  table <- deparse(as.name(if (named) rlang::as_name(given) else "data"), backtick = TRUE)
  if (is_source(data)) {
    return(list(kind = if (inherits(data, "tbl_sql")) "query" else "chunks", table = table))
  }
  before <- if (is.matrix(data)) sprintf("%1$s <- as.data.frame(%1$s); ", table)
  list(kind = "memory", table = table, before = before)
}

# Of fewer texts or numbers it is no wonder that all are different.
most_alike <- 50L

# `formula`: that of the schema, or NULL.
question_text <- function(feature, rows, formula, place, words) {
  if (!feature$type %in% c("character", "factor") || !is.null(feature$expression)) return(NULL)
  name <- feature$name
  levels <- feature$levels
  count <- length(levels)
  many <- count > most_alike && count > rows / 2
  # Whole numbers may be codes: of a factor, or of a column that is called like one.
  codes <- all(grepl("^[0-9]+$", levels)) &&
    (feature$type == "factor" || is_code_name(name) || is_key_name(name))
  writing <- if (!words) find_writing(levels, codes, many)
  if (!is.null(writing)) return(question_writing(feature, writing, place))
  if (words || stats::median(lengths(strsplit(levels, "[[:space:]]+"))) > 3) {
    return(question_words(name, formula, place, words))
  }
  if (!many) return(NULL)
  question(name, sprintf("%s different texts in %s rows, as an identifier has",
                         format_count(count), format_count(rows)), NULL, place)
}

# `writing`: see find_writing().
question_writing <- function(feature, writing, place) {
  name <- feature$name
  if (!is.null(writing$advice)) {
    remedy <- sub("%1$s", place_column(name, place), writing$advice, fixed = TRUE)
    return(list(feature = name, remark = writing$remark, remedy = remedy))
  }
  # as.numeric() of a factor gives the places of the levels.
  text <- if (feature$type == "factor") "as.character(%1$s)" else "%1$s"
  code <- vapply(sub("%1$s", text, writing$code, fixed = TRUE), remedy_line, "", feature = name,
                 place = place)
  if (length(code) > 1L) code <- paste0(names(writing$code), ": ", code, collapse = "; ")
  list(feature = name, remark = writing$remark, remedy = unname(code))
}

# The rows of a source must be read, because its formula cannot count words.
question_words <- function(name, formula, place, words) {
  memory <- place$kind == "memory"
  held <- if (memory) place$table else "data"
  lines <- counting_lines(
    sprintf("as.character(%s)", column_code(name, held)),
    sprintf("fit(bayes_text(), counts, %s)", class_code(formula, held))
  )
  before <- if (memory) place$before else "With the rows in memory as data: "
  list(
    feature = name, remark = if (words) "text, which is one category" else "sentences",
    remedy = paste0(before, paste(lines, collapse = "; "))
  )
}

# The class of each row as code; "y" for a class that is given beside a table of features.
class_code <- function(formula, table) {
  if (is.null(formula)) return("y")
  class <- formula[[2L]]
  if (is.name(class)) return(column_code(as.character(class), table))
  sprintf("with(%s, %s)", table, deparse1(class, backtick = TRUE))
}

# Numbers that are names: two values, or few whole ones in a column that is called like a code, or
# whose table says far more about the class than normals do; identifiers; codes of missing values.
question_numbers <- function(cases, features, place) {
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
      question(names[[i]], remark, "factor(%1$s)", place, "as.character(%1$s)")
    }),
    lapply(which(!coded & !is.na(found$missing_code)), function(i) {
      number <- format(found$missing_code[[i]], scientific = FALSE)
      remark <- sprintf("%s, far from all other numbers, as a missing value is coded", number)
      code <- sprintf("replace(%%1$s, %%1$s == %s, NA)", number)
      query <- sprintf("ifelse(%%1$s == %s, NA, %%1$s)", number)
      question(names[[i]], remark, code, place, query)
    }),
    lapply(which(many & (found$rows | is_key_name(names) | is_code_name(names))), function(i) {
      all_different <- "whole numbers, all different, as an identifier has"
      question(names[[i]], if (found$rows[[i]]) "counts the rows" else all_different, NULL, place)
    })
  )
}

# The counts of a table that as.data.frame() made a column, beside categories only.
question_counts <- function(cases, place) {
  kinds <- vapply(cases$schema$features, `[[`, "", "kind")
  counted <- identical(names(kinds)[kinds != "categorical"], "Freq") && length(kinds) > 1L
  if (!counted || !is.null(cases$weights)) return(NULL)
  formula <- cases$schema$formula
  remedy <- if (is.null(formula)) {
    call <- "fit_xy(spec, %1$s[names(%1$s) != \"Freq\"], y, weights = %1$s$Freq)"
    paste0(place$before, sprintf(call, place$table))
  } else {
    class <- deparse1(formula[[2L]], backtick = TRUE)
    sprintf("fit(spec, %s ~ ., %s, weights = Freq)", class, place$table)
  }
  list(list(feature = "Freq", remark = "counts of rows, which are weights", remedy = remedy))
}

# "zip_code" and "groupId" are, "width" and "code_lines" are not.
is_code_name <- function(names) has_word(names, "(id|code|type|group|zip)[^a-z]*$")

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
  question_cases(cases, part("plan"), part("spec"), request$asked$place)
  collected
}

# One message about all columns. A table of a database is not read for it.
question_cases <- function(cases, plan, spec, place) {
  if (!isTRUE(getOption("bayesrisk.columns", TRUE)) || is.null(cases$frame)) return(invisible())
  kinds <- vapply(cases$schema$features, `[[`, "", "kind")
  # Beside a bag of terms texts are categories.
  words <- !is.null(spec$bag) && !any(kinds == "bag")
  found <- question_features(cases, normal_features(plan, cases$schema), place, words)
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
