# When not to use the decisions. Each function returns sentences, or none if there is nothing to
# say. `facts`: list(assessed, constants, classes, features, rows).

# Classes of fewer cases, and features that lack more values, are named.
few_cases <- 20L
many_missing <- 0.1

# Sentences on the limits that these data showed. The gravest is the first.
page_findings <- function(facts) {
  c(
    limit_seen(facts$classes), limit_saving(facts$constants, facts$assessed),
    limit_certain(facts$assessed), limit_shares(facts), limit_few(facts$classes),
    limit_features(facts$features), limit_missing(facts$features, facts$rows)
  )
}

# As many cases of each class as in training: perhaps these are the cases of training.
limit_seen <- function(classes) {
  same <- !anyNA(classes$trained) && identical(as.double(classes$cases), as.double(classes$trained))
  if (!same) return(NULL)
  paste(
    "These cases are as many in each class as the cases that the model was fitted to. If they are",
    "the same cases, all numbers here are too good, and the report must be made again with others."
  )
}

limit_saving <- function(constants, assessed) {
  if (nrow(constants) < 2L) return(NULL)
  best <- constants[2L, ]
  if (is.na(best$saved) || is.na(best$lower) || best$lower > 0) return(NULL)
  words <- page_words(assessed)
  sprintf(
    paste(
      "The decisions are not shown to be better than the same action for all cases, always %s.",
      "Compared with it they %s %s per case%s."
    ),
    page_name(best$action), words$save, page_number(best$saved),
    page_interval(best$lower, best$upper)
  )
}

# Whether the probabilities are doubted: by the test of assess_decisions(), at 1 in 100, or because
# the cost that the model believed is below the interval of the real one.
is_doubted <- function(assessed) seem_sure(assessed) || hopes_too_much(assessed)

seem_sure <- function(assessed) is_overconfident(assessed$certain, size = 0.01)

hopes_too_much <- function(assessed) isTRUE(assessed$believed < assessed$lower)

limit_certain <- function(assessed) {
  if (!is_doubted(assessed)) return(NULL)
  certain <- is_overconfident(assessed$certain)
  words <- page_words(assessed)
  paste(
    if (certain) "Its probabilities are too sure." else "Its probabilities seem to be too sure.",
    if (seem_sure(assessed)) paste0(certain_sentence(assessed$certain), "."),
    if (hopes_too_much(assessed)) {
      sprintf(
        words$costs("The model expects a cost of %s per case; it was %s%s."),
        words$money(assessed$believed), words$money(assessed$cost),
        words$between(assessed$lower, assessed$upper)
      )
    },
    "See [Can the probabilities be believed?](#believed)"
  )
}

# The model supposes other shares of the classes than those of the cases. To be named, the odds must
# differ by the factor `far`, and more than chance allows: once in a hundred reports.
limit_shares <- function(facts, far = 2) {
  classes <- facts$classes
  if (anyNA(classes$assumed) || facts$weighted) return(NULL)
  odds <- function(p) p / (1 - p)
  ratio <- odds(classes$share) / odds(classes$assumed)
  chance <- vapply(seq_along(classes$cases), function(k) {
    stats::binom.test(classes$cases[[k]], sum(classes$cases), classes$assumed[[k]])$p.value
  }, 1)
  off <- which((ratio > far | ratio < 1 / far) & chance < 0.01 / length(chance))
  if (!length(off)) return(NULL)
  sprintf(
    "The model supposes other shares of the classes than these cases have: %s.",
    page_list(sprintf(
      "%s %s, here %s", page_name(classes$class[off]), page_share(classes$assumed[off]),
      page_share(classes$share[off])
    ))
  )
}

limit_few <- function(classes) {
  few <- which(classes$cases < few_cases)
  if (!length(few)) return(NULL)
  sprintf(
    "There are few cases of %s, so what is said about %s is weak.",
    page_list(sprintf("%s (%d)", page_name(classes$class[few]), classes$cases[few])),
    if (length(few) == 1L) "this class" else "these classes"
  )
}

limit_features <- function(features) {
  if (is_gap(features)) return(NULL)
  said <- features[!is.na(features$remark), ]
  if (!nrow(said)) return(NULL)
  sprintf(
    "Columns may not be what they seem: %s.",
    page_list(sprintf("%s: %s", page_name(said$feature), escape_markdown(said$remark)))
  )
}

limit_missing <- function(features, rows) {
  if (is_gap(features)) return(NULL)
  lack <- features[features$missing > many_missing * rows, ]
  if (!nrow(lack)) return(NULL)
  sprintf(
    "Features are often missing: %s. Decisions without them are less certain.",
    page_list(sprintf("%s in %s", page_name(lack$feature), page_share(lack$missing / rows)))
  )
}

# Sentences on the limits that every model has.
page_cautions <- function(facts) {
  words <- page_words(facts$assessed)
  c(
    paste(
      "**Other cases.** Not where the classes are more or less frequent, or look otherwise, than",
      "in these cases: another place, another time, another way to measure."
    ),
    sprintf(
      "**Other classes.** Not for cases that may be neither %s. The model knows nothing else.",
      page_list(page_name(facts$classes$class), last = "nor")
    ),
    words$costs(paste(
      "**Other costs.** The costs above are a judgement of people, not a finding. Who does not",
      "share them needs other decisions."
    )),
    paste(
      "**Too little room.** The report supposes that each action can be taken as often as it says.",
      "Where places or hours are short, `decide(capacity = )` shares them out."
    ),
    paste(
      "**Groups of people.** This report compares no groups, such as sexes or regions. Before",
      "decisions about people, `assess_decisions(by = )` compares what each group pays."
    ),
    "**Single cases.** The numbers are means over many cases. They say little about one case."
  )
}
