# Damaged objects: one part is replaced by a wrong value. Damage is realistic, because objects come
# from files and users change them.

# The paths to all parts of a list, at all depths. A path consists of positions and names of
# attributes.
damage_paths <- function(x, path = list()) {
  inside <- if (is.list(x)) seq_along(unclass(x))
  below <- lapply(inside, function(i) damage_paths(unclass(x)[[i]], c(path, list(i))))
  kept <- setdiff(names(attributes(x)), c("class", "row.names", "srcref"))
  c(list(path)[length(path) > 0L], unlist(below, recursive = FALSE),
    lapply(kept, function(name) c(path, list(name))))
}

damaged_values <- function(x) {
  values <- list(
    null = NULL, na = NA, nan = NaN, inf = Inf, minus = -1, huge = .Machine$integer.max,
    string = "a", list = list(), factor = factor("a"), environment = new.env(), call = quote(a + b),
    fun = mean
  )
  if (!is.atomic(x) && !is.list(x) || is.null(x)) return(values)
  bare <- unclass(x)
  c(values, list(
    fewer = bare[-1L], more = c(bare, bare[seq_along(bare) == 1L]), names = unname(bare),
    reversed = rev(bare), row = structure(bare, dim = c(1L, length(bare))),
    turned = if (is.matrix(bare)) t(bare) else as.list(bare), text = lapply(bare, as.character)
  ), if (is.atomic(x)) damaged_elements(bare))
}

damaged_elements <- function(x) {
  if (length(x) == 0L) return(list(one = 1))
  first <- if (is.numeric(x)) list(nan_1 = NaN, inf_1 = -Inf, minus_1 = -1, huge_1 = 1e300)
  first <- c(first, list(na_1 = NA, last_1 = x[[length(x)]]))
  integer <- if (is.double(x)) list(integer = suppressWarnings(`storage.mode<-`(x, "integer")))
  c(lapply(first, function(value) replace(x, 1L, value)), integer, list(all_na = x[NA]))
}

# The object with another value at a path. If `value` is NULL, the part is removed.
damage_at <- function(x, path, value) {
  at <- path[[1L]]
  deeper <- length(path) > 1L
  if (is.character(at)) {
    attr(x, at) <- if (deeper) damage_at(attr(x, at), path[-1L], value) else value
    return(x)
  }
  class <- oldClass(x)
  x <- unclass(x)
  x[[at]] <- if (deeper) damage_at(x[[at]], path[-1L], value) else value
  `oldClass<-`(x, class)
}

part_at <- function(x, path) {
  for (at in path) x <- if (is.character(at)) attr(x, at) else unclass(x)[[at]]
  x
}

# All damaged copies of an object, as functions that make them.
all_damages <- function(object) {
  made <- lapply(damage_paths(object), function(path) {
    values <- damaged_values(part_at(object, path))
    lapply(names(values), function(kind) {
      list(path = path, kind = kind, make = function() {
        # R itself refuses wrong values of some attributes.
        tryCatch(
          suppressWarnings(damage_at(object, path, values[[kind]])), error = function(e) NULL
        )
      })
    })
  })
  unlist(made, recursive = FALSE)
}

path_label <- function(object, path) {
  label <- character()
  for (at in path) {
    name <- if (is.character(at)) paste0("@", at) else names(unclass(object))[at]
    label <- c(label, if (length(name) && !is.na(name) && nzchar(name)) name else at)
    object <- part_at(object, list(at))
  }
  paste(label, collapse = "$")
}

# The forbidden effect of using a damaged object, as text. NULL if the use returns a value or raises
# an error of the package.
damage_problem <- function(use, object) {
  tryCatch(
    {
      muffle_ours(use(object))
      NULL
    },
    bayesrisk_error = function(e) NULL,
    error = function(e) paste("error:", conditionMessage(e)),
    warning = function(w) paste("warning:", conditionMessage(w)),
    message = function(m) paste("message:", conditionMessage(m))
  )
}

long_tests <- function() identical(Sys.getenv("BAYESRISK_LONG_TESTS"), "true")

# Uses of some damaged copies, or of all if BAYESRISK_LONG_TESTS asks for them.
expect_damage_proof <- function(object, uses, tried) {
  damages <- all_damages(object)
  pairs <- expand.grid(damage = seq_along(damages), use = seq_along(uses))
  if (!long_tests()) pairs <- pairs[sample.int(nrow(pairs), tried), ]
  for (i in seq_len(nrow(pairs))) {
    damage <- damages[[pairs$damage[[i]]]]
    damaged <- damage$make()
    if (is.null(damaged)) next
    use <- uses[[pairs$use[[i]]]]
    problem <- worded_now_and_then(i, damage_problem(use, damaged))
    expect(is.null(problem), sprintf(
      "%s, %s, in %s: %s", path_label(object, damage$path), damage$kind,
      deparse1(body(use)), problem
    ))
  }
}
