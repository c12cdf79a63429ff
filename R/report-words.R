# Words and tables of a report, as markdown.

# Functions that write the numbers of an assessment. Costs are gains where the package prints gains.
page_words <- function(assessed) {
  gains <- are_gains(assessed$cost, assessed$cost_matrix)
  money <- function(x) page_number(gain_numbers(x, gains))
  list(
    money = money, value = function(x) gain_numbers(x, gains),
    # A text that speaks of costs.
    costs = function(text) gain_words(text, gains),
    least = if (gains) "largest expected gain" else "least expected cost",
    worst = if (gains) "least expected gain" else "largest expected cost",
    save = if (gains) "gain" else "save", saved = if (gains) "gained" else "saved", gains = gains,
    # An interval of a cost, of which the larger end is the smaller gain.
    between = function(lower, upper) {
      page_interval(if (gains) -upper else lower, if (gains) -lower else upper, assessed$level)
    }
  )
}

# Few digits: more would say more than such numbers know.
page_number <- function(x) {
  vapply(x, function(one) {
    if (is.na(one)) return("unknown")
    one <- signif(one, 3L)
    plain <- one == 0 || abs(one) >= 1e-4 && abs(one) < 1e9
    format(one, scientific = !plain, big.mark = ",", digits = 3L)
  }, "", USE.NAMES = FALSE)
}

# Numbers do not part from their sign at the end of a line.
page_share <- function(x) paste0(page_number(100 * x), "\u00a0%")

# An interval with its level; nothing where there is none.
page_interval <- function(lower, upper, level = page_level) {
  if (is.na(lower) || is.na(upper)) return("")
  sprintf(
    " (%s interval %s to %s)", page_share(level), page_number(lower), page_number(upper)
  )
}

# Names of the user, in quotation marks, whatever markup they hold.
page_name <- function(x) {
  sprintf("\u2018%s\u2019", escape_markdown(as.character(x)))
}

# "a, b and c". `most`: the number of names that are listed.
page_list <- function(x, most = 8L, last = "and") {
  if (length(x) > most) x <- c(x[seq_len(most - 1L)], sprintf("%d more", length(x) - most + 1L))
  if (length(x) < 2L) return(x)
  paste(paste(x[-length(x)], collapse = ", "), last, x[[length(x)]])
}

# A table that a narrow screen can move sideways. Columns of text are already words.
page_table <- function(x, most = 25L) {
  item <- table_item(utils::head(x, most), total = nrow(x), na = "")
  if (is.null(item)) return(invisible())
  show <- show_settings(3L, .Machine$integer.max, rlang::current_env())
  page_block(c("<div class=\"wide\">", knit_table(item, show), "</div>"))
}

# Paragraphs or items of a list.
page_block <- function(text) {
  if (length(text)) page_write(paste(text, collapse = "\n\n"), "\n\n")
}

page_items <- function(text) {
  if (length(text)) page_write(paste0("- ", text, "\n", collapse = ""), "\n")
}

page_write <- function(...) cat(entities_unless_utf8(enc2utf8(paste0("\n\n", ...))))

# A result as it prints in a document. Lines to paste are code for the user of the package, not for
# the reader of the page.
page_print <- function(x) {
  page_block(c("<div class=\"wide\">", knitr::knit_print(x)[[1L]], "</div>"))
}

# Why a section is empty.
page_absent <- function(gap, else_said) {
  said <- if (length(gap)) paste0(" (", escape_markdown(sub("[.]$", "", unclass(gap))), ")")
  page_block(sprintf("<p class=\"note\">%s%s.</p>", else_said, if (is.null(said)) "" else said))
}

# What is to be found out of a case: the class column of the formula, if there is one.
page_subject <- function(given, classes) {
  formula <- schema_of(given$object)$formula
  name <- if (!is.null(formula)) sprintf(" of %s", page_name(deparse1(formula[[2L]])))
  sprintf(
    "Each case belongs to one of the classes%s, %s, but to which is not known when it is decided.",
    if (is.null(name)) "" else name, page_list(page_name(classes$class), last = "or")
  )
}

# The model in plain words: how it looks at its features, and what stands between it and the truth.
page_model <- function(object) {
  plan <- page_plan_of(object)
  features <- names(plan$schema$features)
  classes <- plan$schema$classes$levels
  joint <- vapply(plan$plan$banks, is_joint, NA)
  single <- sum(vapply(plan$plan$banks[!joint], function(bank) length(bank$features), 1L))
  c(
    sprintf(
      paste(
        "The model knows how %s distributed in each class of case: %s. From this, and from how",
        "frequent the classes are, it computes for each case the probability of each class by the",
        "theorem of Bayes."
      ),
      if (length(features) == 1L) {
        sprintf("the feature %s is", page_name(features))
      } else {
        sprintf("%d features (%s) are", length(features), page_list(page_name(features)))
      },
      page_list(page_name(classes))
    ),
    if (single > 1L) {
      sprintf(
        paste(
          "%s taken as independent of each other within a class. Features that depend on each",
          "other are then counted too often, which makes the probabilities too sure."
        ),
        if (any(joint)) sprintf("%d features are", single) else "The features are"
      )
    },
    if (any(joint)) {
      "Features that stand in a block together are looked at together, with their dependence."
    }
  )
}
