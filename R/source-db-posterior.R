# From new data to the log joints and the posterior probabilities, as stages: see
# source-db-stages.R.

# The stages up to the log joints. Further columns of the last stage:
# * l<k>: the log joint of class k; NULL if the class is impossible, any number if all are;
# * top: the largest of them; NULL if every class is impossible;
# * infinite: 1 for a row with an infinite number, if request$whole;
# * unknown: the number of features whose level the model does not know.
# In the result, `possible`: the classes that have a prior and parameters; `covered`: a condition
# on rows, NULL for no condition. The text has no log joints of other rows.
joint_stages <- function(model, source, request, call) {
  stages <- list(source = source, dialect = source$dialect, stages = list(), call = call)
  schema <- model$schema
  numeric <- feature_kinds(schema) == "numeric"
  columns <- function(letter) column_in(stages, letter, seq_along(schema$features))
  x <- columns("x")
  nullable <- ifelse(numeric, columns("n"), x)
  raw <- columns("r")
  here <- columns("h")
  check_column_count(source, length(x) + sum(numeric), call)
  read <- new_data_columns(schema, source, call)
  stages <- add_stage(stages, stats::setNames(read, nullable), fence = FALSE)
  banks <- model$plan$banks
  scores <- Map(function(bank, parameters) {
    log_density_text(bank, parameters, bank_language(
      x[bank$features], raw[bank$features], here[bank$features],
      unname(schema$features[bank$features]), source, request$whole,
      block_patterns(bank, nullable[bank$features], stages), call
    ))
  }, banks, model$parameters$banks)
  own <- c(db_name(source$names, source), x[!numeric])
  fill <- by_feature(lapply(scores, `[[`, "fill"), banks, "0e0", length(x))
  there <- source$dialect$number(0:1) # in PostgreSQL 0e0 is a decimal number
  known <- stats::setNames(
    c(sprintf("COALESCE(%s, %s)", nullable, fill)[numeric],
      sprintf("CASE WHEN %s IS NULL THEN %s ELSE %s END", nullable, there[[1L]],
              there[[2L]])[numeric]),
    c(raw[numeric], here[numeric])
  )
  stages <- add_stage(stages, known, fence = FALSE, kept = own)
  guarded <- c(
    guarded_numbers(stages, raw, x, fill, numeric, banks, scores, request$whole),
    stats::setNames(unknown_count(x, numeric, schema, source), column_in(stages, "unknown"))
  )
  stages <- add_stage(stages, guarded, kept = c(own, here[numeric]))
  depth <- max(0L, lengths(lapply(scores, `[[`, "stages")))
  for (i in seq_len(depth)) {
    stages <- add_stage(stages, unlist(lapply(scores, function(score) {
      if (i <= length(score$stages)) score$stages[[i]]
    })))
  }
  add_joints(stages, scores, request$prior, length(schema$classes$levels))
}

# Room is left for the columns of the later stages.
check_column_count <- function(source, features, call) {
  most <- source$dialect$columns - 100L
  if (length(source$names) + features <= most) return(invisible())
  abort_argument(c(
    "The database keeps {source$dialect$columns} columns in a query. The table has
     {length(source$names)}, and the model {features} feature{?s}.",
    i = "Select the columns that the model needs, or predict the rows in blocks, by
         {.fn query_chunks}."
  ), call)
}

# What the density of each bank says of its features, in the order of the features.
by_feature <- function(parts, banks, other, count) {
  value <- rep(other, count)
  for (b in which(lengths(parts) > 0L)) value[banks[[b]]$features] <- parts[[b]]
  value
}

# Numbers as they are scored. One outside the range of its likelihood makes its row impossible.
guarded_numbers <- function(stages, raw, x, fill, numeric, banks, scores, whole) {
  of <- function(what, other) by_feature(lapply(scores, `[[`, what), banks, other, length(x))
  inside <- of("range", NA)
  least <- if (stages$dialect$underflow) of("least", 0) else 0 * seq_along(x)
  used <- paste0(inside, ifelse(least > 0, sprintf(" AND ABS(%s) >= %.0e", raw, least), ""))
  form <- "CASE WHEN %s THEN %s ELSE %s END"
  # Spark keeps a flag for each CASE, and none for COALESCE.
  if (stages$dialect$in_place) form <- "COALESCE(CASE WHEN %s THEN %s END, %s)"
  scored <- sprintf(form, used, raw, fill)
  limit <- of("limit", NA)
  short <- stages$dialect$copies & !is.na(limit)
  scored[short] <- clipped(raw[short], limit[short], least[short], stages$dialect)
  out <- function(conditions) {
    if (!length(conditions)) return("0")
    sprintf("CASE WHEN %s THEN 0 ELSE 1 END", in_groups(conditions, " AND "))
  }
  largest <- stages$dialect$number(.Machine$double.xmax)
  columns <- c(
    scored[numeric], out(inside[numeric]),
    if (whole) out(sprintf("ABS(%s) <= %s", raw[numeric], largest))
  )
  names <- c("outside", if (whole) "infinite")
  stats::setNames(columns, c(x[numeric], column_in(stages, names)))
}

# Numbers up to a limit, with one use of `x`.
clipped <- function(x, limit, least, dialect) {
  x <- sprintf("%s(-%s, %s(%s, %s))", dialect$greatest, limit, dialect$least, limit, x)
  without_least(x, least, function(x) sprintf("%.0e", x))
}

# The number of features whose level the model does not know.
unknown_count <- function(x, numeric, schema, source) {
  sum_text(vapply(which(!numeric), function(j) {
    exact <- source$dialect$exact
    known <- toString(exact(db_text(stats::na.omit(schema$features[[j]]$levels), source)))
    # ClickHouse takes NULL for a value that is not in the list.
    sprintf("CASE WHEN %s IS NOT NULL AND %s NOT IN (%s) THEN 1 ELSE 0 END", x[[j]], exact(x[[j]]),
            known)
  }, ""))
}

# Adds the log joints and the largest of them.
add_joints <- function(stages, scores, prior, classes) {
  terms <- lapply(seq_len(classes), function(k) {
    vapply(scores, function(score) score$terms[[k]], "", USE.NAMES = FALSE)
  })
  lacking <- vapply(terms, function(x) any(x == "NULL"), NA)
  stages$possible <- which(prior > 0 & !lacking)
  # A number outside its range is in no pattern, and makes the row impossible.
  covered <- unlist(lapply(scores, `[[`, "covered"))
  stages$covered <- paste(covered, "OR", column_in(stages, "outside"), "= 1", recycle0 = TRUE)
  stages$classes <- classes
  joints <- vapply(stages$possible, function(k) {
    sum_text(c(stages$dialect$number(log(prior[[k]])), sprintf("(%s)", terms[[k]])))
  }, "")
  stages$nullable <- any(grepl("CASE|NULL", joints))
  add_top(stages, stats::setNames(joints, column_in(stages, "l", stages$possible)), covered)
}

# Adds the log joints and the largest of them. What lies outside or has no terms decides here, not
# in each term. An engine that computes in place makes a method of each expression that it meets
# twice outside of CASE.
add_top <- function(stages, joints, covered) {
  in_place <- stages$dialect$in_place && !stages$nullable
  if (!in_place) stages <- add_stage(stages, joints)
  l <- if (in_place) sprintf("(%s)", joints) else names(joints)
  met <- if (stages$nullable || !length(l)) sprintf("(%s)", db_any(paste(l, "IS NOT NULL")))
  stages$scored <- paste(c(paste(column_in(stages, "outside"), "= 0"), covered), collapse = " AND ")
  top <- db_extreme(known_joints(stages, l), stages$dialect$greatest)
  top <- sprintf(if (in_place) "%2$s + CASE WHEN %1$s THEN 0e0 END" else "CASE WHEN %s THEN %s END",
                 paste(c(stages$scored, met), collapse = " AND "), top)
  add_stage(stages, c(if (in_place) joints, stats::setNames(top, column_in(stages, "top"))))
}

# The log joints of the possible classes, never NULL.
known_joints <- function(stages, l = column_in(stages, "l", stages$possible)) {
  if (!stages$nullable) return(l)
  sprintf("COALESCE(%s, %s)", l, stages$dialect$number(lowest_joint))
}

# Below every log joint.
lowest_joint <- -1.7e308

# Adds w<k>, the weight of class k relative to the most probable one, and their sum.
add_weights <- function(stages) {
  top <- column_in(stages, "top")
  w <- column_in(stages, "w", stages$possible)
  weight <- if (stages$dialect$copies) {
    sprintf("EXP(%s(-700, %s - %s))", stages$dialect$greatest, known_joints(stages), top)
  } else if (stages$dialect$underflow) {
    below <- paste(column_in(stages, "l", stages$possible), "-", top)
    sprintf(
      "CASE WHEN %s IS NULL THEN NULL WHEN %s > -700 THEN EXP(%s) ELSE 0e0 END", top, below, below
    )
  } else {
    sprintf("EXP(%s - %s)", known_joints(stages), top)
  }
  stages <- add_stage(stages, stats::setNames(weight, w))
  add_stage(stages, stats::setNames(sum_text(w), column_in(stages, "sum")))
}

# Adds `posterior`, the expressions of the posterior probabilities of all classes; NULL for a row
# without a posterior.
add_posterior <- function(stages) {
  if (!stages$dialect$copies) stages <- add_weights(stages)
  none <- sprintf("CASE WHEN %s IS NOT NULL THEN 0e0 END", column_in(stages, "top"))
  stages$posterior <- rep(none, stages$classes)
  stages$posterior[stages$possible] <- if (stages$dialect$copies) {
    shares_of_pairs(stages)
  } else {
    sprintf("%s / %s", column_in(stages, "w", stages$possible), column_in(stages, "sum"))
  }
  stages
}

# The same from differences of log joints, each of which is used a few times: 1 / sum of
# exp(l_j - l_k).
shares_of_pairs <- function(stages) {
  d <- stages$dialect
  l <- column_in(stages, "l", stages$possible)
  vapply(seq_along(l), function(k) {
    apart <- paste(l[-k], "-", l[[k]], recycle0 = TRUE)
    if (stages$nullable) apart <- sprintf("COALESCE(%s, -700)", apart)
    others <- sprintf("EXP(%s(-700, %s(700, %s)))", d$greatest, d$least, apart)
    share <- sprintf("%s / (%s)", d$number(1), sum_text(c(d$number(1), others)))
    if (!stages$nullable) return(sprintf("CASE WHEN %s THEN %s END", stages$scored, share))
    sprintf(
      "CASE WHEN %s IS NULL THEN NULL WHEN %s IS NULL THEN 0e0 ELSE %s END",
      column_in(stages, "top"), l[[k]], share
    )
  }, "")
}

# The first class whose log joint ties with the largest one.
first_class <- function(stages, labels) {
  top <- column_in(stages, "top")
  l <- column_in(stages, "l", stages$possible)
  values <- db_text(labels, stages$source)[stages$possible]
  db_first(sprintf("%s >= %s - %s", l, top, joint_band(stages)), values)
}

# The tolerance of a tie of log joints.
joint_band <- function(stages) {
  d <- stages$dialect
  sprintf("%s * %s(%s, ABS(%s))", d$number(1e-12), d$greatest, d$number(1),
          column_in(stages, "top"))
}
