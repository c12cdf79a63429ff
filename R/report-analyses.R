# The quantitative analyses of a report: sentences, tables and figures.

page_constant_table <- function(constants, say) {
  page_block(sprintf(
    paste(
      "The same action for all cases needs no model. This is what the decisions %s compared with",
      "it, with %s intervals:"
    ),
    say$save, page_share(page_level)
  ))
  page_table(page_costs_beside(
    ifelse(is.na(constants$action), "these decisions", paste("always", constants$action)),
    constants, say
  ))
}

page_rival_table <- function(compared, say) {
  compared <- plain_frame(compared)
  names(compared)[names(compared) == "difference"] <- "saved"
  shown <- page_costs_beside(compared$model, compared, say)
  shown[["same decision"]] <- page_share(compared$agree / compared$agree[[1L]])
  if (!anyNA(compared$errors)) shown[["wrong classes"]] <- compared$errors
  shown$verdict <- page_verdict(compared)
  page_block(sprintf(
    paste(
      "The same cases, decided by other rules, and what %s %ss compared with them, with %s",
      "intervals. A comparison is open if its interval contains 0."
    ),
    page_name(compared$model[[1L]]), say$save, page_share(page_level)
  ))
  page_table(shown)
}

# Whether another rule is told apart from the decisions, by the interval of what they save.
page_verdict <- function(compared) {
  verdict <- ifelse(
    compared$lower > 0, "worse", ifelse(compared$upper < 0, "better", "open")
  )
  replace(verdict, is.na(verdict), "")
}

# `costs`: a data frame with `cost`, and `saved`, `lower`, `upper` against the first row.
page_costs_beside <- function(rule, costs, say) {
  shown <- data.frame(
    rule = rule, cost = say$value(costs$cost), saved = costs$saved, from = costs$lower,
    to = costs$upper
  )
  stats::setNames(shown, c(
    "rule", say$costs("cost per case"), say$saved, "at least", "at most"
  ))
}

# Which share of each class gets which action.
page_actions <- function(assessed, others, say) {
  counts <- plain_counts(assessed$confusion)
  shares <- rbind(counts / rowSums(counts), "all cases" = colSums(counts) / sum(counts))
  shares <- shares[is.finite(shares[, 1L]), , drop = FALSE]
  used <- utils::head(order(-colSums(counts)), 8L)
  used <- sort(used)
  classes <- rownames(counts)
  page_block(if (!length(others)) {
    "No case is referred: each action is the decision for a class."
  } else if (length(others) == ncol(counts)) {
    "Each row is a class, and says which share of its cases gets which action."
  } else {
    referred <- sum(counts[, others]) / sum(counts)
    sprintf(
      "%s of the cases are not decided for a class, but get %s.", page_share(referred),
      page_list(page_name(others), last = "or")
    )
  })
  page_table(data.frame(
    "true class" = rownames(shares), apply(shares[, used, drop = FALSE], 2L, page_share),
    check.names = FALSE
  ))
  page_left_to_others(assessed$risk_coverage, say)
}

# What the other cases cost if those of the largest expected cost are left to somebody else.
page_left_to_others <- function(curve, say) {
  if (is.null(curve)) return(invisible())
  at <- unique(vapply(c(1, 0.9, 0.75, 0.5), function(kept) {
    which.min(abs(curve$coverage - kept))
  }, 1L))
  curve <- curve[at, ]
  if (nrow(curve) < 2L) return(invisible())
  page_block(sprintf(
    say$costs(paste(
      "If the cases of the %s were left to somebody else, the cases that remain would cost this",
      "much each:"
    )),
    say$worst
  ))
  shown <- data.frame(page_share(curve$coverage), say$value(curve$cost))
  page_table(stats::setNames(shown, c("cases that remain", say$costs("cost per such case"))))
}

# Whether the model believes what happens.
page_calibration <- function(assessed, say) {
  believed <- assessed$believed
  above <- !is.na(believed) && !is.na(assessed$upper) && believed > assessed$upper
  c(
    if (is_overconfident(assessed$certain)) {
      "**No: they are too sure.**"
    } else if (is_doubted(assessed)) {
      "**Probably not: they seem to be too sure.**"
    } else if (above) {
      "**They are too cautious**, which is the smaller evil."
    } else {
      "**These cases give no reason to doubt them.**"
    },
    if (!is.na(believed)) {
      sprintf(
        say$costs("The model expected a cost of %s per case. The decisions cost %s%s."),
        say$money(believed), say$money(assessed$cost), say$between(assessed$lower, assessed$upper)
      )
    },
    if (!is.null(assessed$certain) && assessed$certain[["cases"]] > 0) {
      paste0(certain_sentence(assessed$certain), ".")
    }
  )
}

# The power of the posteriors that fits the cases best, with the cases weighted as the report is.
page_temper <- function(given, classes, call = rlang::current_env()) {
  posterior <- predict(given$object, given$data, type = "prob", prior = given$prior)
  code <- truth_codes(given$truth, classes$class, row_count(given$data), call)
  used <- !is.na(code) & !is.na(rowSums(posterior))
  temper(
    posterior[used, , drop = FALSE], factor(classes$class[code[used]], classes$class),
    weights = page_weights(given, call)[used]
  )
}

page_remedy <- function(tempered, assessed) {
  if (is_gap(tempered)) return(NULL)
  power <- tempered$power[[1L]]
  paste(
    sprintf(
      paste(
        "The probabilities would fit these cases best to the power of %s, where 1 leaves them as",
        "they are and less makes them less sure."
      ),
      page_number(power)
    ),
    if (is_doubted(assessed)) {
      paste(
        "Remedy: `temper()` with the rows that the model was fitted to makes a model with less",
        "sure probabilities. Make the report of that model."
      )
    }
  )
}

page_ranges_text <- function(ranges, say) {
  widest <- ranges[which.max(ranges$cost_max - ranges$cost_min), ]
  if (!nrow(widest)) return(NULL)
  moved <- max(widest$changed_from, widest$changed_to)
  c(
    sprintf(
      paste(
        say$costs(paste(
          "Each cost that is one number above 0, and the odds of each class, is halved and",
          "doubled, one at a time."
        )),
        say$costs("The bars show the cost per case that the model then expects. Now it is %s.")
      ),
      say$money(attr(ranges, "cost"))
    ),
    sprintf(
      paste(
        "The %s moves most: between %s and %s of it, the %s is %s to %s per case, and up to %s of",
        "the decisions change.%s"
      ),
      escape_markdown(widest$parameter), page_number(widest$from), page_number(widest$to),
      say$costs("expected cost"),
      page_number(min(say$value(c(widest$cost_min, widest$cost_max)))),
      page_number(max(say$value(c(widest$cost_min, widest$cost_max)))), page_share(moved),
      if (say$gains) " Here a gain is a negative cost." else ""
    )
  )
}

page_firm_text <- function(firm, say) {
  stays <- firm$stays[!is.na(firm$stays)]
  if (!length(stays)) return("No case was decided.")
  c(
    sprintf(
      paste(
        "The model is an estimate from its training rows. Of %s, %s (%s) stay the same in at least",
        "%s of %s other models that these rows allow; the least firm one stays in %s."
      ),
      count_of(length(stays), "decision", "decisions"), format_count(sum(stays >= firm_share)),
      page_share(mean(stays >= firm_share)), page_share(firm_share),
      format_count(attr(firm, "settings")$draws), page_share(min(stays))
    ),
    sprintf(
      paste(
        "A perfect estimate of such a model would %s %s per case. More training rows promise no",
        "more than this."
      ),
      say$save, page_number(mean(firm$saving, na.rm = TRUE))
    )
  )
}

page_plan_text <- function(plan, say) {
  c(
    sprintf(
      say$costs(paste(
        "Nothing of a case is known at first, and each test has a price. To decide at once costs",
        "%s per case, with all tests %s, and by this plan %s, with prices, as the model expects."
      )),
      say$money(plan$now), say$money(plan$all), say$money(plan$value)
    ),
    paste0(
      "The tree says which test comes first, and what to do after each answer.",
      if (plan$loss > 0) {
        sprintf(
          " It is a short form of the plan, and worse by %s per case.", page_number(plan$loss)
        )
      }
    )
  )
}

# The tree of a plan, whole if it has at most `most` lines.
page_tree <- function(plan, most = 90L) {
  show <- show_settings(3L, most, rlang::current_env())
  trees <- Filter(function(item) identical(item$kind, "tree"), describe(plan, show))
  page_block(vapply(trees, knit_tree, "", show = show))
}

page_plan_table <- function(tried, say) {
  tried <- plain_frame(tried)
  rules <- c(
    plan = "this plan", tree = "the tree above", now = "decide at once", all = "all tests",
    myopic = "one test ahead"
  )
  names(tried)[names(tried) == "difference"] <- "saved"
  page_block(sprintf(
    "On the cases of this report, with prices, and what the plan %ss compared with other rules:",
    say$save
  ))
  shown <- page_costs_beside(unname(rules[tried$rule]), tried, say)
  shown[["tests per case"]] <- tried$tests
  page_table(shown)
}

page_not_promised <- function(assessed, say) {
  sprintf(
    say$costs(paste(
      "An interval is no promise. That of the cost speaks of the mean over all cases of this kind,",
      "%s%s. A single case may cost more."
    )),
    say$money(assessed$cost), say$between(assessed$lower, assessed$upper)
  )
}

page_measures <- function(assessed) {
  page_table(assessed_numbers(assessed, 3L), most = 40L)
}
