# Bags: features that are sparse matrices, with a row for each case and a column for each term. The
# engine reads the cells of a dgCMatrix in place. Other forms become a dgCMatrix once.

# A matrix with column names counts as a bag, too. A matrix without them, such as a value of
# scale(), is an error.
is_bag <- function(x) {
  if (isS4(x)) return(inherits(x, c("dgCMatrix", "Matrix")))
  inherits(x, "simple_triplet_matrix") ||
    is.matrix(x) && !is.object(x) && (is.numeric(x) || is.logical(x)) && !is.null(colnames(x))
}

# "presence" if the cells are TRUE or FALSE, otherwise "bag".
bag_type <- function(x) {
  presence <- if (isS4(x)) inherits(x, c("lMatrix", "nMatrix")) else is.logical(x)
  if (presence) "presence" else "bag"
}

is_bag_type <- function(type) type %in% c("bag", "presence")

# The numbers and names of rows and columns. Their methods are known only while the package of the
# class is loaded.
bag_size <- function(x) {
  if (isS4(x)) x@Dim else if (is.matrix(x)) dim(x) else c(x$nrow, x$ncol)
}

bag_names <- function(x) {
  if (isS4(x)) x@Dimnames else if (is.matrix(x)) dimnames(x) else x$dimnames
}

# The parts of a matrix that R reads must be sound. The engine checks the cells of a dgCMatrix.
check_bag_parts <- function(x, label, abort, call) {
  sound <- tryCatch(are_sound_parts(bag_size(x), bag_names(x)), error = function(e) FALSE)
  if (sound && !isS4(x) && !is.matrix(x)) sound <- are_sound_cells(unclass(x))
  if (!sound) abort("{.field {label}} is a damaged matrix.", call)
}

are_sound_parts <- function(size, names) {
  is_size <- is.numeric(size) && length(size) == 2L && all(is.finite(size)) &&
    all(size >= 0 & size <= .Machine$integer.max & size == round(size))
  is_size && (is.null(names) || is.list(names) && length(names) == 2L) &&
    all(vapply(seq_along(names), function(i) {
      is.null(names[[i]]) || is.character(names[[i]]) && length(names[[i]]) == size[[i]]
    }, NA))
}

are_sound_cells <- function(x) {
  lengths <- lengths(x[c("i", "j", "v")])
  is.numeric(x$i) && is.numeric(x$j) && (is.numeric(x$v) || is.logical(x$v)) &&
    all(lengths == lengths[[1L]])
}

# Matrices without names have the terms V1, V2, ...
bag_terms <- function(x) {
  terms <- bag_names(x)[[2L]]
  if (is.null(terms)) sprintf("V%d", seq_len(bag_size(x)[[2L]])) else enc2utf8(terms)
}

# A dgCMatrix of the same cells, after check_bag().
bag_cells <- function(x, label, abort, call) {
  if (isS4(x) && inherits(x, "dgCMatrix")) return(x)
  tryCatch(as_dgc(x), error = function(e) {
    reason <- conditionMessage(e)
    abort("{.field {label}} cannot be read as a sparse matrix: {reason}", call)
  })
}

as_dgc <- function(x) {
  if (inherits(x, "simple_triplet_matrix")) {
    return(Matrix::sparseMatrix(
      i = x$i, j = x$j, x = as.double(x$v), dims = c(x$nrow, x$ncol), dimnames = unname(x$dimnames)
    ))
  }
  if (is.matrix(x)) x <- Matrix::Matrix(x + 0, sparse = TRUE, doDiag = FALSE)
  methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
}

# The conversion to a dgCMatrix trusts the slots of the other classes of Matrix, and bag_terms() the
# number of columns. The engine checks the cells of a dgCMatrix.
check_slots <- function(x, label, abort, call) {
  if (!isS4(x)) return(invisible())
  found <- if (!inherits(x, "dgCMatrix")) {
    tryCatch(methods::validObject(x, test = TRUE), error = conditionMessage)
  } else if (!methods::.hasSlot(x, "p") || length(x@p) != x@Dim[[2L]] + 1) {
    "its slot p does not have an element for each column"
  }
  if (!is.null(found) && !isTRUE(found)) {
    abort("{.field {label}} is a damaged matrix: {some_of(found, 3L)}.", call)
  }
  # Rows without cells cost nothing, but each result has a number for each row.
  rows <- x@Dim[[1L]]
  if (rows > 1e8 && rows > 10 * max(lengths(attributes(x)))) {
    abort("{.field {label}} claims {format_count(rows)} rows, nearly all without a cell.", call)
  }
}

check_bag <- function(x, label, rows, abort, call) {
  check_bag_parts(x, label, abort, call)
  check_slots(x, label, abort, call)
  own <- bag_size(x)[[1L]]
  if (own != rows) abort("{.field {label}} has {own} row{?s}; the data have {rows}.", call)
  check_unnamed_terms(x, label, abort, call)
  terms <- bag_terms(x)
  if (anyNA(terms) || !all(nzchar(terms))) {
    abort("{.field {label}} has a term without a name.", call)
  }
  if (!anyDuplicated(terms)) return(invisible())
  twice <- unique(terms[duplicated(terms)])
  abort("{.field {label}} has more than one column {.val {twice}}.", call)
}

# Most classes of Matrix can have any number of columns at no cost, each of which would get a name
# here. So this number may be a damaged one.
most_unnamed_terms <- 1e8

check_unnamed_terms <- function(x, label, abort, call) {
  terms <- bag_size(x)[[2L]]
  if (!is.null(bag_names(x)[[2L]]) || terms <= most_unnamed_terms) return(invisible())
  abort(c(
    "{.field {label}} has {format_count(terms)} columns without names; at most
     {format_count(most_unnamed_terms)} are read.",
    i = "Name the columns, or leave out those without cells."
  ), call)
}

check_terms_named <- function(x, feature, abort, call) {
  unnamed <- is.null(bag_names(x)[[2L]])
  if (!unnamed || identical(feature$levels, bag_terms(x))) return(invisible())
  abort(
    "{.field {feature$name}} has no column names; the model knows its {length(feature$levels)}
     term{?s} by name.", call
  )
}

# The same bag in two parts of the data: its terms are united by name.
check_terms_unite <- function(feature, other, abort, call) {
  unnamed <- c(isTRUE(feature$unnamed), isTRUE(other$unnamed))
  if (!any(unnamed) || identical(feature$levels, other$levels)) return(invisible())
  where <- if (all(unnamed)) "any part" else "one part"
  sizes <- lengths(list(feature$levels, other$levels))
  abort(
    "{.field {feature$name}} has no column names in {where}, so its {sizes} terms cannot be united
     by name.", call
  )
}

# The terms with a number that is not 0. A matrix may store zeros.
present_terms <- function(cells) {
  unique(findInterval(which(is.na(cells@x) | cells@x != 0) - 1L, cells@p))
}

# The terms that the model lacks and that are present.
unknown_terms <- function(column) {
  present <- present_terms(column$data)
  bag_terms(column$data)[sort(present[column$remap[present] < 0L])]
}

# The two lines that count the words of texts and use the counts. `texts`: code.
counting_lines <- function(texts, use) {
  c(sprintf("counts <- quanteda::dfm(quanteda::tokens(%s))", texts), use)
}

# The same as bullets of a condition.
counting_bullets <- function(use) {
  lines <- sprintf("{.code %s}", escape_braces(counting_lines("texts", use)))
  c(i = "The words of texts are counted first, here with quanteda:", "*" = lines[[1L]],
    "*" = lines[[2L]])
}

is_text <- function(x) is.character(x) && is.null(dim(x))

# How fractions of counts are read, by the function that made specifications.
fractions_remedy <- function(specs) {
  bags <- Filter(length, lapply(specs, `[[`, "bag"))
  caller <- if (length(bags)) "bayes_text(" else "likelihood_multinomial("
  if (length(bags) && isTRUE(bags[[1L]]$complement)) caller <- "bayes_text(\"complement\", "
  sprintf("{.code %sweights_ok = TRUE)} reads fractions of counts.", caller)
}

# An error that names the terms with cells that cannot be read. `counts`: they are no counts.
# `remedy`: a cli template, or NULL.
abort_cells <- function(label, column, counts, abort, call, remedy) {
  terms <- if (is.null(column)) NULL else failing_terms(column$data, counts)
  terms <- encodeString(utils::head(terms, 5L), quote = "\"")
  where <- if (length(terms)) paste(" in", cli::format_inline("{terms}"))
  if (!counts) {
    abort(c(
      "{.field {label}} has missing or infinite numbers{where}.",
      i = "A term that a case does not have is 0, a cell that is not stored."
    ), call)
  }
  others <- "For numbers such as TF-IDF: {.fn likelihood_gaussian}."
  abort(c(
    "{.field {label}} has numbers that are no counts{where}: fractions or negative.",
    i = if (!is.null(remedy)) paste(others, remedy)
  ), call)
}

failing_terms <- function(cells, counts) {
  x <- cells@x
  fails <- if (counts) x < 0 | x != round(x) else !is.finite(x)
  unique(bag_terms(cells)[findInterval(which(fails) - 1L, cells@p)])
}

# The bag of one row.
bag_of_row <- function(column, row) {
  cells <- column$data
  own <- which(cells@i == row - 1L)
  term <- findInterval(own - 1L, cells@p)
  cells@p <- as.integer(cumsum(c(0L, tabulate(term, cells@Dim[[2L]]))))
  cells@i <- integer(length(own))
  cells@x <- cells@x[own]
  cells@Dim[[1L]] <- 1L
  cells@Dimnames[1L] <- list(NULL)
  column$data <- cells
  column
}

# The terms of one case, as text.
bag_text <- function(column) {
  some_of(encodeString(bag_terms(column$data)[present_terms(column$data)]))
}
