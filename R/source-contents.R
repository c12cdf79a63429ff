# Checks of models and statistics that are read from a file, beyond those of any object.

# Returns the object. `trust`: whether the formula may call any function.
check_read <- function(x, trust, call) {
  trust <- check_flag(trust, "trust", call)
  read_whole(check_held(x, trust, call), "file", call)
  check <- if (is_model(x)) check_model else check_statistics
  x <- check(x, call, "file")
  problem <- unknown_field(unclass(x))
  if (!is.null(problem)) abort_damaged("file", problem, call)
  x
}

check_held <- function(x, trust, call) {
  if (!holds_only_data(x)) stop("it holds more than data and a formula")
  foreign <- vapply(foreign_code(x$schema, call), text_of_code, "")
  if (!length(foreign)) return(invisible())
  if (!trust) {
    abort_object(c(
      "The file holds code that is not known to be harmless:", bullet_lines(foreign, "x"),
      i = "It would run whenever rows are read or scored.",
      i = "If you trust those who wrote the file: {.code trust = TRUE}."
    ), call)
  }
  inform_bayesrisk(
    c("The file holds code that runs when rows are read or scored:", bullet_lines(foreign, "*")),
    "code", code = foreign
  )
}

# A list with a name that stands twice or means nothing, as text.
unknown_field <- function(x) {
  schema <- x$schema
  parameters <- x$parameters
  records <- c(
    list(
      list(x, c("spec", "schema", "plan", "statistics", "parameters", "rows", "version")),
      list(schema, c("formula", "response", "unnamed", "classes", "features")),
      list(schema$classes, c("levels", "type")),
      list(x$statistics, c("classes", "banks")), list(x$statistics$classes, c("weight", "rows")),
      list(x$rows, c("read", "used")),
      list(parameters, c(
        "prior", "banks", "temper", "log_likelihood", "parameter_count", "notes"
      )),
      list(parameters$notes, c("problem", "class", "feature", "bank", "terms")),
      list(parameters$temper, c(
        "power", "offset", "common", "by", "bias", "penalty", "folds", "loss", "cases", "rows"
      ))
    ),
    lapply(unname(schema$features), list, c(
      "name", "kind", "type", "levels", "expression", "columns", "values", "bins", "unnamed"
    )),
    lapply(unname(schema$features), function(feature) {
      list(feature$bins, c("asked", "edges", "origin", "width", "first", "last"))
    })
  )
  strays <- c(
    unlist(lapply(records, function(record) strays_of(names(record[[1L]]), record[[2L]]))),
    unread_fields(x, "statistics", statistics_problem),
    unread_fields(x, "parameters", parameters_problem)
  )
  if (length(strays)) sprintf("its field `%s` is unknown or stands twice", strays[[1L]])
}

strays_of <- function(names, known) c(names[!names %in% known], names[duplicated(names)])

# The fields of banks that the engine does not miss. Known parameters have an empty `left_out`, even
# those of likelihoods that leave nothing out.
unread_fields <- function(x, part, problem) {
  unlist(lapply(seq_along(x[[part]]$banks), function(b) {
    bank <- x[[part]]$banks[[b]]
    # The bank alone, because the engine checks all banks.
    one <- x
    one$plan$banks <- x$plan$banks[b]
    one[[part]]$banks <- x[[part]]$banks[b]
    missed <- vapply(seq_along(bank), function(field) {
      one[[part]]$banks[[1L]] <- bank[-field]
      !is.null(problem(one)) || identical(bank[field], list(left_out = integer()))
    }, NA)
    names(bank)[!missed]
  }))
}
