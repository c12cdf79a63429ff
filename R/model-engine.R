# The problems that the engine reports become one condition of the package.

# Problems of the data that prevent any fit. `cases`: list(schema, response, columns (the encoded
# features, if they are in memory), remedy (see fractions_remedy())).
check_data_problems <- function(diagnostics, cases, call) {
  if (length(diagnostics$problem) == 0L) return(invisible())
  schema <- cases$schema
  check_cells(diagnostics, schema, cases$columns, cases$remedy, call)
  class <- diagnostics$problem == "malformed" & is.na(diagnostics$feature)
  if (any(class)) abort_damaged_class(cases$response, call)
  rows_of <- function(kind) {
    at <- diagnostics$problem == kind
    counts <- vapply(diagnostics$count[at], count_of, "", singular = "row", plural = "rows")
    sprintf("%s (%s)", names(schema$features)[diagnostics$feature[at]], counts)
  }
  malformed <- rows_of("malformed")
  if (length(malformed)) {
    abort_data(c(
      "Codes outside the levels in {.field {malformed}}.",
      i = "These factors are damaged: make them again with {.code factor()}."
    ), call)
  }
  check_readable(diagnostics, schema, call)
  infinite <- rows_of("infinite")
  if (length(infinite)) {
    abort_data(c(
      "Infinite values in {.field {infinite}}.",
      i = "Leave these rows out with {.arg subset}, or make them {.code NA}."
    ), call)
  }
}

# Cells of bags that cannot be read: the error names the terms.
check_cells <- function(diagnostics, schema, columns, remedy, call) {
  at <- which(diagnostics$problem %in% c("not_finite", "no_term_count"))
  if (length(at) == 0L) return(invisible())
  feature <- diagnostics$feature[[at[[1L]]]]
  counts <- !"not_finite" %in% diagnostics$problem[at]
  name <- names(schema$features)[[feature]]
  abort_cells(name, columns[feature][[1L]], counts, abort_data, call, remedy)
}

# Numbers that a likelihood cannot read, by feature and class.
check_readable <- function(diagnostics, schema, call) {
  for (unreadable in lapply(likelihood_records(), `[[`, "unreadable")) {
    places <- problem_places(diagnostics, unreadable$problem, schema)
    if (length(places)) {
      abort_data(c(
        paste(unreadable$found, "{.field {places}}."), i = unreadable$remedy
      ), call)
    }
  }
}

# Text such as "x (class "a": 2 rows)". Groups may be the classes of several folds, fold by fold.
problem_places <- function(diagnostics, kind, schema) {
  at <- which(diagnostics$problem %in% kind)
  classes <- encodeString(schema$classes$levels, quote = "\"")
  class <- classes[(diagnostics$class[at] - 1L) %% length(classes) + 1L]
  feature <- names(schema$features)[diagnostics$feature[at]]
  place <- sprintf("%s (class %s: ", feature, class)
  rows <- vapply(split(diagnostics$count[at], factor(place, unique(place))), sum, 1)
  sprintf("%s%s)", unique(place), vapply(rows, count_of, "", singular = "row", plural = "rows"))
}

abort_damaged_class <- function(response, call) {
  abort_data(c(
    "The class {.field {response}} is a damaged factor.",
    i = "Make it again with {.code factor()}."
  ), call)
}

# Problems that prevent this estimate. One error lists all of them. `x`: the statistics.
check_estimate_problems <- function(diagnostics, x, call) {
  if (length(diagnostics$problem) == 0L) return(invisible())
  schema <- x$schema
  plan <- x$plan
  stops <- !is_note(diagnostics$problem)
  diagnostics <- explain_scarce(explain_apart(lapply(diagnostics, `[`, stops), x), x)
  if (length(diagnostics$problem) == 0L) return(invisible())
  lines <- describe_problems(diagnostics, schema, plan)
  facts <- c(
    block_dependences(diagnostics, x), separating_remedy(diagnostics, schema),
    unknown_remedy(diagnostics, x), if (any(diagnostics$problem == "light")) weights_remedy,
    if (any(diagnostics$problem == "tiny")) {
      "Multiply the feature by a power of ten before the fit."
    }
  )
  remedies <- c(problem_remedies(diagnostics, plan), escape_braces(facts))
  # Each class lacks rows, and for the same reason.
  few <- all(diagnostics$problem %in% c("too_small", "scarce"))
  abort_degenerate(
    c(
      "This model does not exist for these data:",
      first_problems(lines, if (few) 1L else 20L),
      stats::setNames(remedies, rep("i", length(remedies)))
    ),
    call, problems = lines
  )
}

first_problems <- function(lines, most = 20L) {
  more <- length(lines) - most
  c(bullet_lines(utils::head(lines, most), "x"), if (more > 0L) sprintf("... and %d more.", more))
}

# One line per problem and class (or bank), its features listed.
describe_problems <- function(diagnostics, schema, plan) {
  classes <- schema$classes$levels
  features <- names(schema$features)
  key <- paste(diagnostics$problem, diagnostics$bank, diagnostics$class)
  vapply(split(seq_along(key), factor(key, unique(key))), function(i) {
    first <- i[[1L]]
    bank <- plan$banks[[diagnostics$bank[[first]]]]
    # Problems of a block as a whole.
    whole <- diagnostics$problem[[first]] %in% c("too_small", "scarce", "singular")
    class <- diagnostics$class[[first]]
    where <- if (is.na(class)) "all classes together" else sprintf("class \"%s\"", classes[[class]])
    named <- features[stats::na.omit(diagnostics$feature[i])]
    if (length(named) == 0L) named <- features[bank$features]
    terms <- schema$features[[bank$features[[1L]]]]$levels[unlist(diagnostics$terms[i])]
    problem_line(
      diagnostics$problem[[first]], diagnostics$count[[first]],
      class = where,
      features = paste(
        c(if (length(terms)) first_features(terms), first_features(named, if (whole) 3L else 10L)),
        collapse = " of "
      ),
      size = length(bank$features), lender = lender_of(bank), em = isTRUE(bank$em)
    )
  }, "", USE.NAMES = FALSE)
}

# For each singular block its dependences and the features to drop.
block_dependences <- function(diagnostics, x) {
  unlist(lapply(which(diagnostics$problem == "singular"), function(i) {
    found <- describe_dependences(
      x$statistics, x$schema, x$plan, diagnostics$bank[[i]], diagnostics$class[[i]]
    )
    if (length(found$features) == 0L) return(NULL)
    relations <- paste(utils::head(found$relations, 3L), collapse = "; ")
    sprintf("%s. Without %s the covariance exists.", relations, first_features(found$features))
  }))
}

# The engine reports the problem "apart" if no class has spread and the feature is not left out.
# Usually the means of the classes differ. This function names the three other causes: the feature
# has no value at all, no class weighs more than 1, or its squares are too small for a double.
explain_apart <- function(diagnostics, x) {
  for (i in which(diagnostics$problem == "apart")) {
    bank <- x$plan$banks[[diagnostics$bank[[i]]]]
    statistics <- x$statistics$banks[[diagnostics$bank[[i]]]]
    member <- diagnostics$terms[[i]][1L]
    if (is.na(member)) member <- match(diagnostics$feature[[i]], bank$features)
    cases <- unname(record_of(bank)$cases(bank, statistics))
    values <- lapply(statistics$incomplete, function(rows) rows[, member])
    size <- max(abs(c(statistics$mean[, member], unlist(values))), 0, na.rm = TRUE)
    if (cases[[min(member, length(cases))]] == 0 || lacks_members(bank, statistics)) {
      diagnostics$problem[[i]] <- "unknown"
    } else if (has_own_spread(statistics, member) && all(x$statistics$classes$weight <= 1)) {
      diagnostics$problem[[i]] <- "light"
    } else if (size < 1e-140) {
      diagnostics$problem[[i]] <- "tiny"
    }
  }
  # A joint block without a complete row already has a line for each class.
  empty <- diagnostics$bank[diagnostics$problem == "empty"]
  lapply(diagnostics, `[`, !(diagnostics$problem == "unknown" & diagnostics$bank %in% empty))
}

# A covariance of fewer complete rows than features is singular, whatever the features are: a
# likelihood can have a remedy of its own. `count` becomes the number of these rows.
explain_scarce <- function(diagnostics, x) {
  for (i in which(diagnostics$problem == "singular")) {
    bank <- x$plan$banks[[diagnostics$bank[[i]]]]
    statistics <- x$statistics$banks[[diagnostics$bank[[i]]]]
    class <- diagnostics$class[[i]]
    remedies <- record_of(bank)$remedies(list(problem = "scarce", class = class))
    if (!length(remedies) || isTRUE(bank$em)) next
    rows <- if (is.na(class)) statistics$rows[statistics$rows > 0] else statistics$rows[[class]]
    if (sum(rows) - length(rows) >= length(bank$features)) next
    diagnostics$problem[[i]] <- "scarce"
    diagnostics$count[[i]] <- sum(rows)
  }
  diagnostics
}

# Whether a feature varies within a class, whatever the weights.
has_own_spread <- function(statistics, member) {
  varies <- function(rows) length(unique(stats::na.omit(rows[, member]))) > 1L
  if (any(vapply(statistics$incomplete, varies, NA))) return(TRUE)
  squares <- if (is.null(statistics$triangle)) {
    c(statistics$scatter[, member], statistics$deviance[, member])
  } else {
    vapply(statistics$triangle, function(r) sum(r[, member]^2), 1)
  }
  any(squares > 0, na.rm = TRUE) # NaN: the squares overflow
}

# The features without any value, with code to paste.
unknown_remedy <- function(diagnostics, x) {
  single <- diagnostics$feature[diagnostics$problem == "unknown"]
  joint <- unlist(lapply(unique(diagnostics$bank[diagnostics$problem == "empty"]), function(b) {
    statistics <- x$statistics$banks[[b]]
    bank <- x$plan$banks[[b]]
    if (isTRUE(bank$em)) {
      bank$features[unknown_members(statistics)]
    } else if (is_joint(bank) && record_of(bank)$cases(bank, statistics) == 0) {
      bank$features[statistics$missing == statistics$skipped]
    }
  }))
  unknown <- names(x$schema$features)[unique(c(single, joint))]
  if (length(unknown) == 0L) return(NULL)
  minus <- paste("-", vapply(lapply(unknown, as.name), deparse, "", backtick = TRUE))
  sprintf(
    "No row has a value of %s: leave it out, in a formula by . %s.",
    first_features(unknown), paste(minus, collapse = " ")
  )
}

# Whether each class misses some feature of a block with incomplete rows in all of its rows.
lacks_members <- function(bank, statistics) {
  lacks <- vapply(statistics$incomplete, function(rows) any(colSums(!is.na(rows)) == 0), NA)
  isTRUE(bank$em) && all(lacks & statistics$weight[, 1L] == 0)
}

# The features of a block with incomplete rows that no row has.
unknown_members <- function(statistics) {
  known <- colSums(!is.na(do.call(rbind, statistics$incomplete))) > 0
  which(sum(statistics$weight) == 0 & !known[seq_len(ncol(statistics$mean))])
}

# Code to paste for features that are constant within every class but differ between classes.
separating_remedy <- function(diagnostics, schema) {
  at <- diagnostics$problem == "apart" & lengths(diagnostics$terms) == 0L
  apart <- unique(stats::na.omit(diagnostics$feature[at]))
  if (length(apart) == 0L) return(NULL)
  name <- names(schema$features)[[apart[[1L]]]]
  quoted <- deparse(as.name(name), backtick = TRUE)
  sprintf(
    "Make it a factor, factor(%s), or give features = list(%s = likelihood_empirical()).",
    quoted, quoted
  )
}

# Numbers that doubles do not hold.
size_problems <- c(
  overflow = "%s: the spread or a sum of %s is beyond the largest double.",
  too_many = "%s: the mean of %s is above 2^53, from where doubles leave out counts.",
  underflow = "%s: the values of %s are too small for a double."
)

problem_line <- function(problem, count, class, features, size, lender, em = FALSE) {
  count <- format(count, digits = 7L)
  switch(problem,
    empty = empty_line(class, features, size, em),
    too_small = sprintf(
      "%s has %s row%s of %s, and needs %d or more.",
      class, count, if (count == "1") "" else "s", features, size + 1L
    ),
    no_freedom = sprintf(
      "%s: no degrees of freedom are left in %s (weight %s).", class, features, count
    ),
    too_light = sprintf(
      "%s weighs %s in %s: the divisor, weight - 1, must be positive (`weights` count rows).",
      class, count, features
    ),
    constant = sprintf(
      "%s: %s constant (%s).", class, features,
      if (count == "1") "no spread in 1 row" else "no spread that a double can hold"
    ),
    overflow = , too_many = , underflow = sprintf(size_problems[[problem]], class, features),
    coarse = sprintf(
      "%s: the points of %s lie on a grid of step %s, wider than the bandwidth.",
      class, features, count
    ),
    scarce = sprintf(
      "%s: %s complete rows are too few for the covariance of %s.", class, count, features
    ),
    singular = sprintf(
      "%s: the covariance of %s is singular (rank %s of %d).", class, features, count, size
    ),
    apart = sprintf(
      "%s: constant within every class but differs between classes: no spread to estimate.",
      features
    ),
    unknown = sprintf("%s: no value in any row.", features),
    light = sprintf(
      "%s: no class weighs more than 1, and the divisor, weight - 1, must be positive.", features
    ),
    tiny = sprintf("%s: the spread is too small for a double.", features),
    spike = sprintf(
      "%s: in %s, every fit has a component %s.", class, features,
      if (size > 1L) "without spread in some direction" else "around a single value"
    ),
    borrowed = sprintf("%s borrows from %s in %s.", class, lender, features),
    left_out = sprintf("%s left out: one value in all rows, or none.", features)
  )
}

empty_line <- function(class, features, size, em) {
  absent <- if (size > 1L) "row with all of" else "observed value of"
  if (em) absent <- "observed value of one of"
  sprintf("%s has no %s %s.", class, absent, features)
}

problem_remedies <- function(diagnostics, plan) {
  of_bank <- function(b) lapply(diagnostics[c("problem", "class")], `[`, diagnostics$bank == b)
  remedies <- lapply(unique(diagnostics$bank), function(b) {
    record_of(plan$banks[[b]])$remedies(of_bank(b))
  })
  unique(unlist(remedies))
}
