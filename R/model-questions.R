# Columns that may not be what they seem: identifiers, numbers in texts, numbers that are names.
# fit() says so once, and check_features() lists them.

# A list of questions: list(feature, remark, remedy). `cases`: in memory. `normal`: the names of the
# features that are modelled by normals; only numbers among them are questioned. `words`: whether
# the specification is for counts of terms, so that no text is a category.
question_features <- function(cases, normal, words = FALSE) {
  features <- cases$schema$features
  most <- if (words) 0L else most_categories
  counts <- question_counts(cases)
  if (length(counts)) normal <- setdiff(normal, "Freq")
  c(
    counts,
    lapply(features[lengths(lapply(features, .subset2, "levels")) > most], function(f) {
      question_text(f, sum(!is.na(cases$group)), cases$response, words)
    }),
    question_numbers(cases, features[normal])
  )
}

# A frame with a row for each question, in the order of the features.
tabulate_questions <- function(found, features) {
  found <- Filter(Negate(is.null), found)
  found <- found[order(match(vapply(found, `[[`, "", "feature"), features))]
  part <- function(name) vapply(found, `[[`, "", name, USE.NAMES = FALSE)
  data.frame(feature = part("feature"), remark = part("remark"), remedy = part("remedy"))
}

question <- function(feature, remark, remedy) {
  list(feature = feature, remark = remark, remedy = remedy)
}

# A column of `data` as code.
data_column <- function(name) paste0("data$", deparse(as.name(name), backtick = TRUE))

most_categories <- 12L

question_text <- function(feature, rows, response, words) {
  if (!feature$type %in% c("character", "factor") || !is.null(feature$expression)) return(NULL)
  name <- feature$name
  levels <- feature$levels
  count <- length(levels)
  column <- data_column(name)
  many <- count > 50L && count > rows / 2
  # Whole numbers may be codes: of a factor, or of a column that is called like one.
  codes <- all(grepl("^[0-9]+$", levels)) && (feature$type == "factor" || is_code_name(name))
  as_number <- if (!words && !codes) number_remedy(levels, column)
  if (!is.null(as_number)) {
    return(question(name, "numbers as text", sprintf("%s <- %s", column, as_number)))
  }
  if (words || stats::median(lengths(strsplit(levels, "[[:space:]]+"))) > 3) {
    class <- data_column(response)
    seen <- if (words) "text, which is one category" else "sentences"
    return(question(name, seen, sprintf(
      "fit(bayes_text(), quanteda::dfm(quanteda::tokens(as.character(%s))), %s)", column, class
    )))
  }
  if (!many) return(NULL)
  question(name, sprintf("%s different texts in %s rows, as an identifier has",
                         format_count(count), format_count(rows)),
           sprintf("%s <- NULL", column))
}

# The code that makes numbers of texts, if at least 95 % are numbers in one way of writing them.
number_remedy <- function(texts, column) {
  texts <- trimws(texts)
  mostly <- function(pattern) mean(grepl(pattern, texts)) >= 0.95
  sign <- "^[-+]?(EUR|USD|GBP|CHF|[$\u20ac\u00a3\u00a5])? ?[-+]?"
  end <- " ?(EUR|USD|GBP|CHF|[$\u20ac\u00a3\u00a5%])?$"
  written <- function(body) mostly(paste0(sign, body, end))
  number <- if (mostly("^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$")) {
    sprintf("as.numeric(%s)", column)
  } else if (written("([0-9]{1,3}(,[0-9]{3})*|[0-9]+)([.][0-9]+)?")) {
    sprintf("as.numeric(gsub(\"[^0-9.-]\", \"\", %s))", column)
  } else if (written("([0-9]{1,3}([. '][0-9]{3})*|[0-9]+)(,[0-9]+)?")) {
    sprintf("as.numeric(sub(\",\", \".\", gsub(\"[^0-9,-]\", \"\", %s)))", column)
  }
  if (!is.null(number) && mostly("%$")) paste(number, "/ 100") else number
}

# Numbers that name categories: two values, or few whole ones in a column that is called like a
# code, or whose table says far more about the class than normals do.
question_numbers <- function(cases, features) {
  names <- names(features)[vapply(features, function(f) is.null(f$expression), NA)]
  numeric <- vapply(features[names], function(f) f$kind == "numeric", NA)
  names <- names[numeric]
  if (!length(names)) return(NULL)
  found <- column_values_cpp(
    cases$frame, match(names, names(cases$schema$features)), cases$group, cases$weights,
    as.integer(cases$groups), most_categories
  )
  coded <- !is.na(found$values) & found$values > 1L
  if (!any(coded)) return(NULL)
  named <- is_code_name(names) | found$gain > log(100)
  names_categories <- coded & found$whole & named
  lapply(which(coded & found$values == 2L | names_categories), function(i) {
    column <- data_column(names[[i]])
    question(
      names[[i]], sprintf("%d different numbers, modelled by normals", found$values[[i]]),
      sprintf("%1$s <- factor(%1$s)", column)
    )
  })
}

# The counts of a table that as.data.frame() made a column, beside categories only.
question_counts <- function(cases) {
  kinds <- vapply(cases$schema$features, `[[`, "", "kind")
  counted <- identical(names(kinds)[kinds != "categorical"], "Freq") && length(kinds) > 1L
  if (!counted || !is.null(cases$weights)) return(NULL)
  formula <- cases$schema$formula
  class <- if (is.null(formula)) "class" else deparse1(formula[[2L]], backtick = TRUE)
  list(question(
    "Freq", "counts of rows, which are weights",
    sprintf("fit(spec, %s ~ ., data, weights = Freq)", class)
  ))
}

# "zip_code" and "groupId" are, "width" is not.
is_code_name <- function(names) {
  words <- gsub("([a-z])([A-Z])", "\\1_\\2", names)
  grepl("(^|[^a-z])(id|code|type|group|zip)([^a-z]|$)", words, ignore.case = TRUE)
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
  question_cases(cases, part("plan"), part("spec"))
  collected
}

# One message about all columns. A table of a database is not read for it.
question_cases <- function(cases, plan, spec) {
  if (!isTRUE(getOption("bayesrisk.columns", TRUE)) || is.null(cases$frame)) return(invisible())
  kinds <- vapply(cases$schema$features, `[[`, "", "kind")
  # Beside a bag of terms texts are categories.
  words <- !is.null(spec$bag) && !any(kinds == "bag")
  found <- question_features(cases, normal_features(plan, cases$schema), words)
  if (length(found)) tell_questions(tabulate_questions(found, names(cases$schema$features)))
}

# `found`: see tabulate_questions().
tell_questions <- function(found) {
  if (!nrow(found)) return(invisible())
  shown <- utils::head(found, 5L)
  lines <- sprintf("%s: %s. %s", encodeString(shown$feature), shown$remark, shown$remedy)
  more <- nrow(found) - nrow(shown)
  inform_bayesrisk(c(
    "{count_of(nrow(found), 'column', 'columns')} may not be what
     {cli::qty(nrow(found))}{?it seems/they seem}:",
    bullet_lines(c(lines, if (more > 0L) sprintf("and %d more", more)), "*"),
    i = "{.fn check_features} lists all. {.code options(bayesrisk.columns = FALSE)} ends this
         message."
  ), "columns", columns = found)
}
