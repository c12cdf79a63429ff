# Classes without an estimate of their own: the notes of the engine about borrowing, the warning,
# and the sentences and marks of a model.

# The notes of an estimate as plain vectors, one element per note. `problem` is "borrowed",
# "left_out" or "unfinished"; `class` is NA for a feature that is left out and for a covariance that
# the classes share, `feature` for a joint block. `terms` is
# a list: of a bag, the terms that the note is about.
estimate_notes <- function(diagnostics) {
  notes <- diagnostics[c("problem", "class", "feature", "bank", "terms")]
  if (length(notes$problem) == 0L) return(notes)
  lapply(notes, `[`, is_note(notes$problem))
}

no_notes <- list(
  problem = character(), class = integer(), feature = integer(), bank = integer(), terms = list()
)

# Whether an entry of the diagnostics tells how the engine solved a problem.
is_note <- function(problem) problem %in% c("borrowed", "left_out", "unfinished")

has_sound_notes <- function(notes, model) {
  sizes <- c(
    length(model$schema$classes$levels), length(model$schema$features), length(model$plan$banks)
  )
  are_places <- function(x, size) is.integer(x) && all(x %in% c(NA, seq_len(size)))
  is.list(notes) && is.character(notes$problem) && is.integer(notes$bank) &&
    !anyNA(notes$bank) && all(lengths(notes) == length(notes$problem)) &&
    all(unlist(Map(are_places, notes[c("class", "feature", "bank")], sizes))) &&
    (is.null(notes$terms) || is.list(notes$terms) && all(vapply(notes$terms, are_terms, NA)))
}

are_terms <- function(x) is.integer(x) && !anyNA(x) && all(x > 0L)

# The feature or block of each note. Of a bag: its first terms.
noted_names <- function(notes, schema, plan) {
  vapply(seq_along(notes$problem), function(i) {
    feature <- notes$feature[[i]]
    if (is.na(feature)) return(plan$banks[[notes$bank[[i]]]]$name)
    feature <- schema$features[[feature]]
    terms <- feature$levels[if (!is.null(notes$terms)) notes$terms[[i]]]
    if (length(terms)) paste(some_of(terms, 5L), "of", feature$name) else feature$name
  }, "")
}

# How many estimates each note is about.
count_noted <- function(notes) {
  if (is.null(notes$terms)) rep(1L, length(notes$problem)) else pmax(lengths(notes$terms), 1L)
}

# The estimates of all classes: of features, blocks, and terms of bags of numbers.
count_estimates <- function(schema, plan) {
  of_bank <- function(bank, blocks) if (bank$type == "gaussian_bag") bank$levels else blocks
  sum(unlist(Map(of_bank, plan$banks, count_blocks(plan$banks)))) * length(schema$classes$levels)
}

# `light`: whether no class weighs more than 1.
warn_degenerate <- function(notes, schema, plan, light, call) {
  if (length(notes$problem) == 0L) return(invisible())
  sentences <- note_sentences(notes, schema, plan)
  warn_bayesrisk(
    c(
      escape_braces(sentences),
      i = if (light && any(notes$problem == "borrowed")) {
        paste("No class weighs more than 1, so spreads are too small.", weights_remedy)
      },
      i = if (any(notes$problem == "unfinished")) {
        paste(
          "Leave out a feature that is rarely known together with the others, or divide the block:",
          "{.fn bayes_blocks}."
        )
      },
      i = if (any(notes$problem != "unfinished")) {
        "{.code degenerate = \"stop\"} makes this an error; {.fn bayes_naive} has the formulas."
      }
    ),
    "degenerate", call
  )
}

weights_remedy <-
  "`weights` count rows: give w * length(w) / sum(w), or divide by the weight, variance = \"ml\"."

# A sentence about the borrowed estimates, and a sentence about the features that were left out.
note_sentences <- function(notes, schema, plan) {
  named <- noted_names(notes, schema, plan)
  borrowed <- notes$problem == "borrowed"
  left_out <- notes$problem == "left_out"
  unfinished <- notes$problem == "unfinished"
  classes <- encodeString(schema$classes$levels[notes$class[borrowed]], quote = "\"")
  estimates <- sprintf("%s (class %s)", named[borrowed], classes)
  total <- count_estimates(schema, plan)
  count <- sum(count_noted(notes)[borrowed])
  lenders <- vapply(plan$banks[notes$bank[borrowed]], lender_of, "")
  c(
    if (any(borrowed)) {
      sprintf(
        "%s of %s (a feature or block in a class) borrow%s from %s: %s.",
        format_count(count), count_of(total, "estimate", "estimates"),
        if (count == 1L) "s" else "", some_lender(lenders), some_of(estimates, 5L)
      )
    },
    if (any(left_out)) {
      sprintf("Left out, with one value in all rows, or none: %s.", some_of(named[left_out], 5L))
    },
    if (any(unfinished)) {
      sprintf(
        "Expectation-maximisation stopped before its end in block %s: %s.",
        some_of(unique(named[unfinished]), 5L),
        "features are rarely known together, so their covariances are hardly determined"
      )
    }
  )
}

# The class or classes from which an estimate of a bank borrows.
lender_of <- function(bank) record_of(bank)$lender

some_lender <- function(lenders) {
  if (length(unique(lenders)) == 1L) lenders[[1L]] else "the same class or the other classes"
}

# The note of each feature as text; NA for a feature without a note.
feature_notes <- function(model) {
  notes <- model$parameters$notes
  text <- rep(NA_character_, length(model$schema$features))
  for (b in unique(notes$bank)) {
    bank <- model$plan$banks[[b]]
    for (j in bank$features) {
      about <- notes$bank == b & (is.na(notes$feature) | notes$feature == j)
      classes <- sum(about & notes$problem == "borrowed")
      if (classes > 0L) text[[j]] <- paste("borrows in", count_of(classes, "class", "classes"))
      if (any(about & notes$problem == "left_out")) text[[j]] <- "left out"
    }
  }
  text
}

# Whether each row of tidy() comes from a borrowed estimate. `class`: positions; `block`: the
# position of the block of each row among block_banks(); `level`: the term of a bag.
is_borrowed <- function(model, class, block, level) {
  notes <- model$parameters$notes
  at <- which(notes$problem == "borrowed")
  if (length(at) == 0L) return(rep(FALSE, length(class)))
  banks <- model$plan$banks
  first <- cumsum(c(0L, count_blocks(banks)))
  member <- vapply(at, function(i) {
    bank <- banks[[notes$bank[[i]]]]
    if (is_joint(bank)) 1L else match(notes$feature[[i]], bank$features)
  }, 1L)
  key <- paste(notes$class[at], first[notes$bank[at]] + member)
  terms <- if (is.null(notes$terms)) vector("list", length(at)) else notes$terms[at]
  found <- paste(class, block) %in% key[lengths(terms) == 0L]
  for (i in which(lengths(terms) > 0L)) {
    named <- model$schema$features[[notes$feature[[at[[i]]]]]]$levels[terms[[i]]]
    found <- found | (paste(class, block) == key[[i]] & level %in% named)
  }
  found
}

# The linear dependences of a singular block as text: "total = a + b". `class`: NA for all.
describe_dependences <- function(statistics, schema, plan, bank, class) {
  found <- find_dependences_cpp(
    plan$banks, length(schema$classes$levels), length(schema$features), statistics, bank, class
  )
  labels <- names(schema$features)[plan$banks[[bank]]$features]
  mean <- statistics$banks[[bank]]$mean
  mean <- mean[if (is.na(class)) statistics$banks[[bank]]$weight > 0 else class, , drop = FALSE]
  relations <- vapply(seq_along(found$feature), function(i) {
    target <- found$feature[[i]]
    coefficients <- found$coefficient[i, ]
    paste(
      labels[[target]], "=", linear_sum(coefficients, labels),
      linear_constant(mean[, target], t(mean) * coefficients)
    )
  }, "")
  relations <- sub(" $", "", relations)
  list(relations = relations, features = labels[found$feature])
}

# The constant of a linear dependence as text: "+ 7", nothing for 0, or that it differs by class.
# `parts`: the terms at the means, feature x class.
linear_constant <- function(mean, parts) {
  constant <- mean - colSums(parts)
  size <- 1e-6 * max(abs(mean), abs(parts))
  if (all(abs(constant) <= size)) return("")
  if (diff(range(constant)) > size) return("+ a constant of each class")
  constant <- constant[[1L]]
  paste(if (constant < 0) "-" else "+", format(abs(signif(constant, 4L))))
}

# "a + 2 b - c"; "a constant" without a term; of many terms only the first names.
linear_sum <- function(coefficients, labels) {
  terms <- which(coefficients != 0)
  if (length(terms) == 0L) return("a constant")
  if (length(terms) > 8L) return(paste("multiples of", some_of(labels[terms], 3L)))
  size <- abs(signif(coefficients[terms], 4L))
  text <- ifelse(size == 1, labels[terms], paste(vapply(size, format, ""), labels[terms]))
  sign <- ifelse(coefficients[terms] < 0, " - ", " + ")
  sum <- paste0(sign, text, collapse = "")
  sub("^ - ", "-", sub("^ [+] ", "", sum))
}
