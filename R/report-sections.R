# The sections of a report: sentences and tables for readers who do not know the package.

# The mean cost of the decisions, beside that of the best action without a model.
page_cost <- function(facts) {
  assessed <- facts$assessed
  say <- page_words(assessed)
  best <- facts$constants[2L, ]
  paste(
    sprintf(
      say$costs("On %s the decisions cost **%s per case**%s."),
      count_of(signif(assessed$n, 6L), "case", "cases"), say$money(assessed$cost),
      say$between(assessed$lower, assessed$upper)
    ),
    if (!is.na(best$cost) && is.finite(best$cost)) {
      sprintf(
        say$costs("The best rule without a model, always %s, costs %s per case."),
        page_name(best$action), say$money(best$cost)
      )
    },
    if (!is.na(best$saved) && is.finite(best$saved)) page_saved(best, say),
    if (facts$weighted) "The cases are weighted to the population that is meant.",
    if (facts$priced) "The prices of tests are not counted here: see [the plan of tests](#tests)."
  )
}

page_saved <- function(best, say) {
  range <- page_interval(best$lower, best$upper)
  if (best$saved <= 0) {
    return(sprintf(
      "**Compared with it, the model %ss nothing**: %s%s.", say$save, page_number(best$saved), range
    ))
  }
  open <- is.na(best$lower) || best$lower <= 0
  sprintf(
    "Compared with it, the model %ss %s per case%s.%s", say$save, page_number(best$saved), range,
    if (open) " The interval contains 0, so this may be chance." else ""
  )
}

# The sentences that an object of the package says of itself.
page_sentences <- function(x) {
  show <- show_settings(3L, NULL, rlang::current_env())
  items <- Filter(function(item) item$kind %in% c("sentences", "answers"), describe(x, show))
  utils::head(unlist(lapply(items, `[[`, "text")), 4L)
}

# `constants`: see page_constants(), or NULL.
page_promise <- function(guarantee, constants = NULL) {
  if (is.null(guarantee)) {
    return(paste(
      "Nothing is promised. No guarantee was given to this report, so its numbers are estimates",
      "from the cases below."
    ))
  }
  said <- page_sentences(guarantee)
  if (!length(said)) said <- utils::head(format(guarantee), 1L)
  said <- escape_markdown(paste(said, collapse = " "))
  if (!is_tuned(guarantee)) {
    return(paste(c(said, page_scope(guarantee, constants)), collapse = " "))
  }
  paste(
    "Nothing is promised. A rule was given to this report:", said, "It was chosen because it was",
    "best for some cases, which is no guarantee for others."
  )
}

# The limits of the promise. An action without a model may keep it, too.
page_scope <- function(guarantee, constants) {
  best <- constants[2L, ]
  kept <- !is.null(best) && isTRUE(best$cost <= guarantee$bound)
  c(
    sprintf(
      "It is about decisions by this rule alone, and it does not count the cost of %s.",
      page_name(guarantee$refer)
    ),
    if (kept) {
      sprintf(
        "On the cases of this report, always %s costs %s, which is below the bound, too.",
        page_name(best$action), page_number(best$cost)
      )
    }
  )
}

# A threshold that was tuned promises nothing.
is_tuned <- function(rule) inherits(rule, "bayesrisk_rule")

# The guarantee, or the rule with what it costs on these cases.
page_guarantee <- function(given, say) {
  promised <- !is.null(given$guarantee) && !is_tuned(given$guarantee)
  if (promised) page_print(given$guarantee) else page_block(page_promise(given$guarantee))
  if (is.null(given$guarantee)) return(invisible())
  # Decisions cannot be weighted to another prior.
  if (is.null(given$prior)) page_block(page_ruled(given, say))
}

# What the rule decides of the cases of the report.
page_ruled <- function(given, say) {
  rule <- given$guarantee
  ruled <- page_try({
    cost <- cost_of_rule(rule, given$cost, rlang::current_env())
    decided <- decide(given$object, given$data, cost, rule = rule)
    assess_decisions(decided, given$data, cost, truth = !!given$truth)
  }, given$object)
  if (is_gap(ruled)) return(NULL)
  kept <- if (!is_tuned(rule)) {
    referred <- sum(ruled$confusion[, rule$refer]) / ruled$n
    sprintf(
      "The rule decides %s of the cases of this report, the others are %s.",
      page_share(1 - referred), page_name(rule$refer)
    )
  }
  paste(
    kept,
    sprintf(
      say$costs("Decided by this rule, the cases of this report cost %s per case%s."),
      say$money(ruled$cost), say$between(ruled$lower, ruled$upper)
    ),
    "If the rule was made from these cases, the number is too good."
  )
}

page_not <- function(findings) {
  more <- length(findings) - 2L
  paste(c(
    utils::head(findings, 2L),
    if (more > 0L) sprintf("These cases showed %s.", count_of(more, "more reason", "more reasons")),
    "Not for other kinds of cases, other classes or other costs than those below."
  ), collapse = " ")
}

page_costs <- function(cost) {
  show <- show_settings(NULL, NULL, rlang::current_env())
  items <- Filter(function(item) identical(item$kind, "table"), describe(cost, show))
  if (!length(items)) return(page_print(cost))
  page_block(gain_words(paste(
    "What an action costs depends on the class of the case. These are the costs that the decisions",
    "weigh, in the unit of those who set them:"
  ), is_utility(cost)))
  page_block(c("<div class=\"wide\">", knit_table(items[[1L]], show), "</div>"))
  if (is_case_cost(cost)) {
    page_block("What begins with ~ is computed for each case, from the values of the case.")
  }
}

page_population <- function(given, classes) {
  if (anyNA(classes$assumed)) {
    return("How frequent the classes are is known for each group apart.")
  }
  shares <- page_list(sprintf("%s %s", page_name(classes$class), page_share(classes$assumed)))
  if (is.null(given$prior)) {
    return(sprintf("The decisions suppose that the classes have these shares: %s.", shares))
  }
  sprintf(
    paste(
      "The decisions are meant for a population in which the classes have these shares: %s. The",
      "cases of this report are weighted to it, so all costs are those of this population."
    ),
    shares
  )
}

page_reasons_text <- function(reasons, say) {
  first <- utils::head(reasons[!is.na(reasons$moved) & reasons$moved > 0, ], 3L)
  if (!nrow(first)) return("No feature moves a decision.")
  c(
    sprintf(
      paste0(
        "Most money is moved by %s. The number says by how much the feature, on average over the ",
        "cases, moves the %s of the second best action away from that of the decision, up or down."
      ),
      page_list(sprintf("%s (%s)", page_name(first$block), page_number(first$moved))),
      say$costs("expected cost")
    ),
    if (!attr(reasons, "shapley")) {
      paste(
        "There are more than 12 features or blocks. Each counts what it adds to those before it,",
        "in the order of the model."
      )
    }
  )
}

page_reasons_figure <- function(reasons, say, most = 10L) {
  drawn <- utils::head(reasons[is.finite(reasons$moved), ], most)
  if (!nrow(drawn)) return(invisible())
  drawn$block <- factor(drawn$block, rev(drawn$block))
  start_figure(drawn) +
    aes_of(x = "moved", y = "block") +
    ggplot2::geom_col(fill = "#1f5fa8", width = 0.7) +
    titled(say$costs("cost that the feature moves, on average"), NULL)
}

page_metrics <- function(assessed, say) {
  paste0("- ", c(
    say$costs(paste(
      "**Cost per case.** What the decisions cost on the cases, when their class was known,",
      "divided by the number of cases."
    )),
    sprintf(
      paste(
        "**Interval.** The cases are a sample. Of 100 such samples, about %s give an interval that",
        "contains the mean of all cases of this kind."
      ),
      format(100 * assessed$level)
    ),
    sprintf(
      paste(
        "**%s.** What the decisions %s compared with another rule, on the same cases. If its",
        "interval contains 0, the difference may be chance."
      ),
      capitalise(say$saved), say$save
    ),
    say$costs(paste(
      "**Expected cost.** What the model believes before the class is known. If it hopes for too",
      "much, its probabilities are too sure."
    ))
  ), collapse = "\n")
}

page_class_table <- function(classes) {
  shown <- data.frame(
    class = classes$class, cases = classes$cases, "share of the cases" = page_share(classes$share),
    "share supposed" = page_share(classes$assumed), "training rows" = classes$trained,
    check.names = FALSE
  )
  kept <- c(TRUE, TRUE, TRUE, !anyNA(classes$assumed), !anyNA(classes$trained))
  page_table(shown[kept])
}

page_feature_table <- function(features) {
  said <- !all(is.na(features$remark))
  shown <- data.frame(
    feature = features$feature, kind = features$kind, "different values" = features$values,
    missing = features$missing, check.names = FALSE
  )
  if (said) shown$remark <- features$remark
  page_table(shown)
  page_block(if (said) {
    "Remarks name columns that may not be what they seem. Check them before anything else."
  } else {
    "No column looks suspicious."
  })
}

page_left_out <- function(assessed) {
  if (sum(assessed$left_out) > 0) paste0(left_out_sentence(assessed$left_out), ".")
}

page_training <- function(object) {
  if (is_models(object)) {
    return(page_block("The model of each group was fitted to its rows, see Model details."))
  }
  if (is.null(object$statistics)) {
    return(page_block("The model was not fitted to data. Its distributions were given to it."))
  }
  seen <- summary(object)
  page_block(sprintf(
    "The model was fitted to %s.",
    count_of(sum(seen$classes$rows), "row", "rows")
  ))
  lack <- seen$features[!seen$features$missing %in% 0 | !is.na(seen$features$note), ]
  if (!nrow(lack)) return(page_block("No value of a feature was missing in them."))
  page_block("Of these features, rows lacked a value, or the model makes a remark:")
  noted <- !all(is.na(lack$note))
  page_table(lack[c("feature", "available", "missing", if (noted) "note")])
}

page_session <- function() {
  page_items(c(
    sprintf(
      "Written on %s by bayesrisk %s, %s, on %s.", format(Sys.Date(), "%Y-%m-%d"),
      package_version_string, R.version.string, R.version$platform
    ),
    "Intervals and draws begin from the seed 1, so the same data give the same numbers.",
    "The page loads nothing from elsewhere."
  ))
}
