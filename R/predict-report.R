# Scored rows are reported to the user: an error for damaged data, one warning per reason.

# Signals one condition per reason, not per row. `frame`: the rows that were scored. `then`: what
# becomes of a row without an answer.
report_rows <- function(report, object, prior, frame, call, then = "NA.") {
  # Every row has an answer, and all of its values were known.
  if (report$infinite + report$unknown + report$impossible + report$unpriced == 0 &&
        !any(report$unknown_by_feature > 0, report$malformed_by_feature > 0)) {
    return(invisible())
  }
  report_bags(report, object, frame, call)
  damaged <- names(object$schema$features)[report$malformed_by_feature > 0]
  if (length(damaged)) {
    abort_schema("Column{?s} {.field {damaged}} {?is/are} damaged: codes outside the levels.", call)
  }
  warn_rows(
    report$unknown, "with a level that the model does not know: counted as missing.",
    "unknown_level", call, unknown_lines(report, object$schema, frame)
  )
  # The scores of bags may overflow.
  too_large <- if (length(bags_of(object$schema$features))) " or too large"
  warn_rows(
    report$infinite, paste0("with an infinite", too_large, " number: ", then), "infinite", call
  )
  warn_rows(
    report$impossible, paste("impossible under every class (0/0):", then), "impossible", call,
    impossible_lines(report, object, prior, frame)
  )
  report_unpriced(report, call)
}

# Cells that cannot be read, and terms that the model does not know.
report_bags <- function(report, object, frame, call) {
  features <- object$schema$features
  for (name in bags_of(features)) {
    j <- match(name, names(features))
    column <- frame$columns[[j]]
    if (report$malformed_by_feature[[j]] > 0) {
      counts <- all(is.finite(column$data@x))
      abort_cells(name, column, counts, abort_schema, call, fractions_remedy(list(object$spec)))
    }
    if (report$unknown_by_feature[[j]] == 0) next
    terms <- unknown_terms(column)
    some <- some_of(encodeString(terms, quote = "\""))
    cells <- count_of(report$unknown_by_feature[[j]], "cell", "cells")
    warn_bayesrisk(c(
      "{count_of(length(terms), 'term', 'terms')} of {.field {name}}
       {cli::qty(length(terms))}{?is/are} unknown to the model and left out ({cells}).",
      i = "{some}"
    ), "unknown_term", call, terms = terms)
  }
}

report_unpriced <- function(report, call) {
  warn_rows(report$unpriced, "whose cost is not known (NA): no decision.", "unpriced", call)
}

# `what`: a cli template. `lines`: finished lines that explain the warning. The warning has them as
# fields, so that the warnings of many chunks can become one.
warn_rows <- function(count, what, kind, call, lines = NULL) {
  if (count == 0) return(invisible())
  rows <- count_of(count, "row", "rows")
  warn_bayesrisk(
    c(paste("{rows}", what), bullet_lines(lines, "i")), kind, call, rows = count, what = what,
    name = kind, lines = lines
  )
}

# The new and the known levels of the first features with new ones.
unknown_lines <- function(report, schema, frame) {
  categorical <- feature_kinds(schema) == "categorical"
  features <- utils::head(which(report$unknown_by_feature > 0 & categorical), 5L)
  quoted <- function(levels) some_of(encodeString(levels, quote = "\""))
  vapply(features, function(j) {
    feature <- schema$features[[j]]
    new <- unknown_levels(frame$columns[[j]], feature$levels)
    sprintf(
      "In %s: %s; the model knows %s.", first_features(feature$name), quoted(new),
      quoted(feature$levels)
    )
  }, "")
}

# The values that exclude the classes in the first impossible row, and the remedy. NULL if the
# engine does not report the row.
impossible_lines <- function(report, object, prior, frame) {
  row <- report$first_impossible
  if (is.na(row)) return(NULL)
  columns <- lapply(frame$columns, one_case, row)
  banks <- block_banks(object)
  scores <- contributions_cpp(
    engine_model(object, prior), bind_frame(columns, 1L), length(banks), 1L
  )
  scores <- matrix(scores$value, length(banks) + 1L)
  ruled_out <- scores[-1L, scores[1L, ] > -Inf, drop = FALSE] == -Inf
  everywhere <- rowSums(!ruled_out) == 0
  blamed <- if (any(everywhere)) everywhere else rowSums(ruled_out) > 0
  if (!any(blamed)) return(NULL)
  features <- object$schema$features
  values <- sprintf(
    "%s = %s", encodeString(names(features), quote = "`"),
    unlist(Map(case_text, columns, lapply(features, `[[`, "levels")))
  )
  names <- Map(function(bank, name) {
    if (!is_joint(bank)) return(values[match(name, names(features))])
    paste("the combination of", some_of(values[bank$features]))
  }, banks[blamed], block_names(object)[blamed])
  found <- if (any(everywhere)) "impossible in every class: %s." else "some classes exclude %s."
  remedies <- unique(unlist(lapply(banks[blamed], impossible_remedy, spec = object$spec)))
  c(
    sprintf(paste("Row %s:", found), format_count(row), some_of(unlist(names))),
    vapply(remedies, cli::format_inline, "", USE.NAMES = FALSE)
  )
}

# What gives a value a density above 0. Nothing smooths given probabilities, and bayes_text() sets
# the smoothing of its bag.
impossible_remedy <- function(bank, spec) {
  record <- record_of(bank)
  smooths <- any(grepl("laplace|pseudo_count", record$impossible))
  if (spec$structure == "known" && smooths) {
    return("The probabilities are given: without zeros among them no class is excluded.")
  }
  of_text <- record$kind == "bag" && !is.null(spec$bag)
  if (of_text) return("{.code bayes_text(laplace = 1)} gives every term a density in every class.")
  record$impossible
}
