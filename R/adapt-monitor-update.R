# Rows are added to a monitor.

#' @rdname monitor
#' @export
update.bayesrisk_monitor <- function(object, newdata, truth = NULL, ...,
                                     threads = default_threads()) {
  call <- check_no_dots(...)
  check_monitor(object, call)
  object$object <- check_model(object$object, call)
  threads <- check_threads(threads, call)
  newdata <- maybe(newdata)
  if (is.null(newdata)) abort_argument("{.arg newdata} is missing: the next rows.", call)
  truth <- rlang::enquo(truth)
  if (!is_source(newdata)) return(add_chunk(object, newdata, truth, threads, call))
  newdata <- as_chunks(newdata, call)
  if (!inherits(newdata, "bayesrisk_chunks")) {
    abort_argument(c(
      "{.arg newdata} must be rows in the order in which they came: parts and tables have none.",
      i = "{.fn data_chunks} and {.fn csv_chunks} give chunks one after the other."
    ), call)
  }
  if (is_given(truth)) {
    abort_argument(
      "{.arg truth} must be a column that the model's formula names: a vector cannot be divided
       among chunks.", call
    )
  }
  each_chunk(newdata, function(chunk, number) {
    object <<- add_chunk(object, chunk, truth, threads, call)
  }, call)
  object
}

check_monitor <- function(x, call) {
  parts <- c("alarm", "prior", "trained", "evidence", "cost", "cases", "alpha")
  sound <- is.list(x) && all(parts %in% names(x)) && is.data.frame(x$evidence) &&
    is.list(x$state) && is_model(x$object) && is.numeric(x$rows) && "read" %in% names(x$rows)
  check_unchanged(sound, "result of monitor()", call)
}

add_chunk <- function(monitor, data, truth, threads, call) {
  model <- monitor$object
  read <- read_newdata(model$schema, data, call)
  truth <- chunk_truth(model, data, truth, call)
  group <- stream_classes(truth, possible_classes(model), call, read$frame$rows)
  if (read$frame$rows == 0L) return(monitor)
  if (is.null(group)) group <- rep(NA_integer_, read$frame$rows)
  found <- call_engine(monitor_add_cpp(
    engine_model(model), monitor$state, read$frame, group, monitor$rows[["read"]], threads
  ), call)
  report_rows(
    c(found$report, unpriced = 0), model, model$parameters$prior, read$frame, call,
    "left out of the shares."
  )
  monitor$window <- last_rows(monitor$window, found, group, monitor$rows[["read"]])
  monitor$rows <- monitor$rows + c(
    length(group), sum(!is.na(group)), found$uninformed, found$report$infinite,
    found$report$impossible
  )
  monitor$state <- found$monitor
  monitor <- with_evidence(monitor, found)
  with_history(with_shares(monitor, threads, call), found)
}

# By position; NA for a class that new rows cannot have.
possible_classes <- function(model) {
  classes <- model$schema$classes$levels
  ifelse(model$parameters$prior > 0, classes, NA_character_)
}

# The class that is given, or that the model's formula finds; NULL if its columns are not there.
chunk_truth <- function(model, data, truth, call, arg = "newdata") {
  if (is_given(truth)) {
    columns <- container_list(read_container(data, arg, abort_schema, call))
    return(masked_value(truth, columns, "truth", call))
  }
  formula <- model$schema$formula
  if (is.null(formula)) return(NULL)
  container <- read_container(data, arg, abort_schema, call)
  if (!all(columns_of(formula[[2L]]) %in% container$names)) return(NULL)
  evaluate_response(formula[[2L]], container, globalenv(), model$schema$response, call)
}

# The codes of classes, NA for those that are not known; NULL without classes. A class that the
# model does not know is no reason to stop watching.
stream_classes <- function(truth, classes, call, rows = length(truth)) {
  if (is.null(truth)) return(NULL)
  if (length(truth) == rows && all(is.na(truth))) return(rep(NA_integer_, rows))
  truth <- label_factor(truth, "truth", call)
  if (length(truth) != rows) {
    abort_argument("{.arg truth} has {length(truth)} value{?s} for {rows} row{?s}.", call)
  }
  codes <- match(levels(truth), classes)[truth]
  new <- levels(droplevels(truth[is.na(codes) & !is.na(truth)]))
  if (length(new)) {
    lines <- sprintf("New: %s.", some_of(encodeString(new, quote = "\"")))
    warn_rows(
      sum(is.na(codes) & !is.na(truth)),
      "of a class that the model does not expect: counted as rows without a class.",
      "unknown_level", call, lines
    )
  }
  codes
}

most_window_rows <- 1000L

# The last rows, with their numbers in the stream.
last_rows <- function(window, found, group, before) {
  own <- list(
    row = before + seq_along(group), likelihood = found$likelihood, evidence = found$evidence,
    weight = found$weight, group = group
  )
  if (!is.null(window)) {
    own <- Map(function(a, b) if (is.matrix(b)) rbind(a, b) else c(a, b), window, own)
  }
  rows_from(own, length(own$row) - most_window_rows + 1)
}

# The rows of a window from the i-th on.
rows_from <- function(window, i) {
  kept <- seq_along(window$row) >= i
  lapply(window, function(x) if (is.matrix(x)) x[kept, , drop = FALSE] else x[kept])
}

# The evidence of each watched class and feature is that of its strongest process.
with_evidence <- function(monitor, found) {
  rows <- monitor$evidence
  features <- rows$watched[rows$kind == "feature"]
  alone <- lapply(found$changes, utils::head, length(features))
  others <- lapply(found$changes, utils::tail, -length(features))
  said <- Map(c, shares_said(found$shares), features_said(alone, others, monitor))
  alarmed <- said$first > 0
  rows$evidence <- exp(pmin(said$peak, 700)) / monitor$alpha
  rows$alarm <- ifelse(alarmed, said$first, NA_real_)
  rows$since <- ifelse(alarmed, round(said$since), NA_real_)
  rows$change <- ifelse(alarmed, said$change, "")
  monitor$evidence <- rows
  if (any(alarmed)) with_alarm(monitor, said$peak, alone$first > 0) else monitor
}

# `alone`: whether each feature has an alarm without the help of others. A broken feature spoils
# what the others say of each other, and the shares. So features that are found alone are named, and
# without any only the strongest one; shares come last.
with_alarm <- function(monitor, peak, alone) {
  rows <- monitor$evidence
  monitor$alarm <- TRUE
  monitor$row <- min(rows$alarm, na.rm = TRUE)
  strength <- order(is.na(rows$alarm), -peak)
  monitor$since <- rows$since[[strength[[1L]]]]
  feature <- rows$kind == "feature"
  named <- strength[feature[strength] & !is.na(rows$alarm[strength])]
  of_features <- rows$watched[feature]
  found <- rows$watched[named]
  found <- if (any(alone)) found[found %in% of_features[alone]] else utils::head(found, 1L)
  monitor$cause <- c(found, if (any(!is.na(rows$alarm[!feature]))) "shares")
  monitor
}

shares_said <- function(found) {
  c(found[c("first", "peak", "since")], list(
    change = ifelse(found$by > 0, "more frequent", "rarer")
  ))
}

# A feature is watched alone and given the other features. The stronger evidence of the two is told.
features_said <- function(alone, others, monitor) {
  said <- c(alone[c("first", "peak", "since")], list(change = feature_changes(alone, monitor)))
  if (!length(others$peak)) return(said)
  stronger <- others$peak > alone$peak
  text <- paste0(feature_changes(others, monitor), ", given the other features")
  first <- ifelse(alone$first == 0, others$first, pmin(
    alone$first, ifelse(others$first == 0, Inf, others$first)
  ))
  list(
    first = first, peak = pmax(alone$peak, others$peak),
    since = ifelse(stronger, others$since, alone$since),
    change = ifelse(stronger, text, said$change)
  )
}

# A function of a feature has three processes: its mean is larger, its mean is smaller, and its mean
# differs in rows with classes.
feature_changes <- function(found, monitor) {
  functions <- monitor$state$features
  at <- (found$process - 1L) %/% 3L + 1L
  kind <- (found$process - 1L) %% 3L
  up <- kind == 0L | kind == 2L & found$by > 0
  levels <- Map(function(feature, level) {
    encodeString(monitor$object$schema$features[[feature + 1L]]$levels[level + 1L], quote = "\"")
  }, functions$feature[at], functions$level[at])
  of_level <- paste(ifelse(up, "more often", "more rarely"), vapply(levels, toString, ""))
  text <- ifelse(
    functions$kind[at] == 0L, ifelse(up, "larger", "smaller"),
    ifelse(functions$kind[at] == 1L, ifelse(up, "farther out", "nearer to the middle"), of_level)
  )
  paste0(text, ifelse(kind == 2L, ", given the class", ""))
}

# The shares of the classes now, and what they cost.
with_shares <- function(monitor, threads, call) {
  window <- monitor$window
  # Few rows say little, even if they are all since the change.
  from <- min(match(TRUE, window$row >= monitor$since, 1L), max(1, length(window$row) - 29))
  found <- call_engine(monitor_now_cpp(
    rows_from(window, if (monitor$alarm) from else 1), unname(monitor$trained), monitor$cases,
    stats::qchisq(monitor_level, 1), monitor$cost, threads
  ), call)
  for (name in c("prior", "lower", "upper")) monitor[[name]][] <- open_as_na(found[[name]])
  monitor$cost_kept <- open_as_na(found$kept)
  monitor$cost_new <- open_as_na(found$fresh)
  monitor$size <- monitor$cost_kept - monitor$cost_new
  monitor
}

monitor_level <- 0.95

most_history_rows <- 400L

with_history <- function(monitor, found) {
  above <- function(last) {
    if (length(last)) (max(last) - log(monitor$alpha)) / log(10) else NA_real_
  }
  row <- data.frame(
    row = monitor$rows[["read"]], shares = above(found$shares$last),
    features = above(found$changes$last), cost_kept = monitor$cost_kept,
    cost_new = monitor$cost_new
  )
  row[paste0("prior_", names(monitor$prior))] <- as.list(unname(monitor$prior))
  history <- rbind(monitor$history, row)
  # Every second row stays, and the last one.
  rows <- nrow(history)
  if (rows > most_history_rows) history <- history[seq(2L - rows %% 2L, rows, 2L), ]
  rownames(history) <- NULL
  monitor$history <- history
  monitor
}
