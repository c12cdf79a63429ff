# Printing a test plan: what it costs beside other strategies, and its tree as lines that one can
# follow for a case.

#' @export
describe.bayesrisk_test_plan <- function(x, show) {
  gains <- plan_gains(x)
  list(
    title_item(paste("test plan of", count_of(nrow(x$tests), "test", "tests"))),
    answers_item(plan_sentences(x, show, gains)),
    table_item(
      gain_columns(plan_strategies(x, tree = has_loss(x)), gains), c("strategy", "strategies"),
      na = "-", whole = TRUE
    ),
    heading_item("What to do"),
    plan_tree_item(x, show, gains)
  )
}

# Whether a plan shows gains: by all costs that its print and its figure compare.
plan_gains <- function(x) are_gains(plan_strategies(x)$cost, x$cost$origin)

# The expected cost per case of each strategy, with its prices. `tree`: whether that of the tree is
# told, too.
plan_strategies <- function(x, tree = FALSE) {
  cost <- as.double(c(x$now, x$all, x$myopic, x$value, if (tree) x$tree$cost[[1L]]))
  # An infinite cost that stays is no saving, and rounding is none.
  saving <- open_as_na(cost[[1L]] - cost)
  saving[abs(saving) < 1e-12 * abs(cost)] <- 0
  names <- c(strategy_names, if (tree) "the tree below")
  data.frame(strategy = names, cost = cost, saving = saving)
}

strategy_names <- c("decide now", "all tests at once", "next_feature() each time", "this plan")

plan_sentences <- function(x, show, gains) {
  number <- function(v) format(v, digits = show$digits)
  given <- function(v) format(v, digits = show$given_digits)
  listed <- function(names, between, texts) {
    fit_list(paste0(encodeString(names), between, encodeString(texts)), 60L)
  }
  known <- Filter(function(v) !is.na(v), as.list(x$given))
  known <- vapply(known, function(v) if (is.numeric(v)) given(v) else as.character(v), "")
  c(
    value_sentence(x, gains, number), steps_sentence(x, number),
    if (length(known)) paste("known:", listed(names(known), " = ", known)),
    paste("before any test:", listed(x$classes, " ", vapply(x$prior, number, ""))),
    if (isTRUE(x$visit > 0)) sprintf("each price includes %s for a visit", given(x$visit)),
    if (isTRUE(x$all < x$lower - unsure_cost(x))) {
      paste0("all tests at once cost less", if (x$visit > 0) ": they need one visit only")
    },
    if (has_loss(x)) {
      sprintf("the tree is smaller than the full one and costs %s more", number(signif(x$loss, 2L)))
    }
  )
}

# Smaller differences of costs are rounding, or may come from random values.
unsure_cost <- function(x) {
  if (is.na(x$error)) 1e-9 * abs(x$value) else max(1e-3 * abs(x$value), 3 * x$error)
}

# Whether the tree costs more than the plan. Rounding is no loss.
has_loss <- function(x) isTRUE(x$loss > 1e-9 * abs(x$value))

# The cost of a plan, and how far it is from the least possible.
value_sentence <- function(x, gains, number) {
  said <- paste(gain_words("expected cost per case", gains), number(gain_numbers(x$value, gains)))
  if (!is.na(x$error)) said <- sprintf("%s (standard error %s)", said, number(signif(x$error, 2L)))
  apart <- x$value - x$lower
  rest <- if (isTRUE(x$exact)) {
    if (gains) "no plan gains more" else "no plan costs less"
  } else if (is.finite(apart)) {
    paste(
      if (is.na(x$error)) "at most" else "about", number(signif(max(apart, 0), 2L)),
      if (gains) "below the largest possible" else "above the least possible"
    )
  } else {
    "the distance to the best plan is not known"
  }
  paste0(
    said, "; ", rest,
    if (is.finite(x$max_tests)) paste(" with at most", count_of(x$max_tests, "test", "tests")),
    if (!is.na(x$error)) ", estimated from random values"
  )
}

steps_sentence <- function(x, number) {
  steps <- count_steps(x$tree)
  if (steps$most == 0L) return("no test is worth its price")
  sprintf(
    "%s%s per case on average, at most %s", if (has_loss(x)) "the tree has " else "",
    if (steps$mean == 1) "1 test" else paste(number(steps$mean), "tests"), format_count(steps$most)
  )
}

plan_tree_item <- function(x, show, gains) {
  tree <- x$tree
  total <- nrow(tree)
  tree_item(
    function(most) utils::head(tree_lines(tree, most, show, gains), most), total,
    sprintf(paste(
      "print(n = %s) shows all, as.data.frame() has them as a table, and test_plan() with",
      "max_depth or min_probability makes a smaller tree"
    ), format_count(total))
  )
}

# The lines of the nodes that most cases reach.
tree_lines <- function(tree, most, show, gains) {
  tree <- unite_rare(tree, all = nrow(tree) <= most)
  open <- open_nodes(tree, most, count_answers(tree))
  shown <- shown_nodes(tree, open)
  depth <- depth_of(tree)
  tree$continued <- is_continued(tree)
  tree$hidden <- count_hidden(tree, open)
  rows <- tree[shown, ]
  what <- ifelse(
    is.na(rows$test), decision_texts(rows, show, gains), step_texts(rows, show)
  )
  # The rare answers of one line lead to different steps, so the line names none.
  united <- rows$size > 1L
  what[united] <- ""
  more <- sprintf(
    "%s... (%d more %s)", ifelse(united, "", " "), rows$hidden,
    ifelse(rows$hidden == 1L, "line", "lines")
  )
  text <- paste0(answer_heads(rows, show), what, ifelse(rows$hidden > 0L, more, ""))
  data.frame(depth = depth[shown], text = text)
}

# "< 108.3 (46 %): ", nothing at the root.
answer_heads <- function(rows, show) {
  texts <- trim_text(encodeString(answer_texts(rows, show$digits)), getOption("width") %/% 2L)
  ifelse(is.na(rows$parent), "", sprintf("%s (%s): ", texts, share_texts(rows$probability)))
}

# "leave, expected cost 0.71".
decision_texts <- function(rows, show, gains) {
  cost <- vapply(gain_numbers(rows$cost, gains), format, "", digits = show$digits)
  sprintf("%s, %s %s", short_names(rows$action), gain_words("expected cost", gains), cost)
}

# "measure glu (price 0.2)"; of a panel: "measure blood (price 0.3), read glu", later "read bmi".
step_texts <- function(rows, show) {
  price <- vapply(rows$price, format, "", digits = show$given_digits)
  read <- paste("read", short_names(rows$feature))
  measure <- sprintf("measure %s (price %s)", short_names(rows$test), price)
  panel <- !is.na(rows$feature) & rows$feature != rows$test
  ifelse(rows$continued, read, ifelse(panel, paste(measure, read, sep = ", "), measure))
}

short_names <- function(names) trim_text(encodeString(names), max(16L, getOption("width") %/% 3L))

# Probabilities in per cent. Only what is certain has 100 %, only what is impossible 0 %.
share_texts <- function(probability) {
  share <- 100 * probability
  text <- vapply(signif(share, 2L), format, "", scientific = FALSE)
  text[share > 99.4 & share < 100] <- "over 99"
  text[share > 0 & share < 0.095] <- "under 0.1"
  paste(text, "%")
}

# The nodes as rows that each can be read alone.
#' @export
result_rows.bayesrisk_test_plan <- function(x, call) {
  tree <- x$tree
  data.frame(
    tree["node"], tree["parent"], path = path_texts(tree), tree[c("answer", "test", "action")],
    probability = tree$probability, reach = reach_of(tree), cost = tree$cost,
    tree[c("price", "feature")], from = open_as_na(tree$from), to = open_as_na(tree$to),
    class = tree$class,
    row.names = NULL
  )
}
