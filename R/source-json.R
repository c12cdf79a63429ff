# Objects as JSON: an envelope with the name and the version of the format, and the object in it.

json_version <- 1

# `content`: what the file holds: "statistics" or "model", also the name of its element.
write_json <- function(x, content, file, call) {
  text <- sprintf(
    "{\"format\": \"bayesrisk %s\", \"format_version\": %d,\n \"%s\": %s}\n", content,
    json_version, content, encode_object(unclass(x), call)
  )
  write_whole(file, function(put) put(charToRaw(enc2utf8(text))), call)
}

# The object as a list without its class.
read_json <- function(file, content, call) {
  read <- parse_file(file)
  if (!is.list(read) || !identical(read$format, paste("bayesrisk", content))) {
    abort_object("The file holds no {content} of bayesrisk.", call)
  }
  if (!identical(read$format_version %in% json_version, TRUE)) {
    abort_object(c(
      "The file has a format of another version.",
      i = "This package reads version {json_version}."
    ), call)
  }
  object <- decode_object(read[[content]])
  if (is.list(object)) object else stop("it has no ", content)
}

parse_file <- function(file) {
  text <- readChar(file, file.size(file), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  jsonlite::parse_json(text, simplifyVector = FALSE, bigint_as_char = FALSE)
}

# Code that reads `what`. Any error or warning that is not ours means that it is damaged.
read_whole <- function(expr, what, call) {
  damaged <- function(e) {
    if (inherits(e, "bayesrisk_error")) stop(e)
    abort_damaged(what, sub("[.]$", "", conditionMessage(e)), call)
  }
  tryCatch(expr, error = damaged, warning = damaged)
}

## From R to JSON -------------------------------------------------------------------------------

encode_object <- function(x, call) {
  if (is.null(x)) return("null")
  if (is.language(x)) return(encode_code(x, call))
  if (is.list(x) && is_json_object(x)) {
    class <- oldClass(x)
    values <- vapply(unclass(x), encode_object, "", call)
    if (!is.null(class)) values <- c(.class = encode_text(class), values)
    return(encode_pairs(values))
  }
  kind <- typeof(x)
  if (!kind %in% exchange_types) {
    abort_argument("{describe_value(x)} cannot be written.", call)
  }
  values <- switch(kind,
    double = encode_numbers(x),
    integer = , logical = encode_plain(x),
    character = encode_text(x),
    list = encode_array(vapply(unclass(x), encode_object, "", call, USE.NAMES = FALSE))
  )
  encode_pairs(c(stats::setNames(values, paste0(".", kind)), encode_attributes(x, call)))
}

exchange_types <- c("double", "integer", "logical", "character", "list")

# A list that needs no attributes but names and class.
is_json_object <- function(x) {
  names <- names(x)
  length(names) > 0L && all(names(attributes(x)) %in% c("names", "class")) && !anyNA(names) &&
    all(nzchar(names)) && !anyDuplicated(names) && !any(startsWith(names, "."))
}

encode_attributes <- function(x, call) {
  kept <- attributes(x)
  if (length(kept)) c(.attributes = encode_pairs(vapply(kept, encode_object, "", call)))
}

encode_pairs <- function(values) {
  keys <- vapply(names(values), encode_key, "", USE.NAMES = FALSE)
  sprintf("{%s}", paste(keys, values, sep = ": ", collapse = ",\n"))
}

encode_key <- function(key) as.character(jsonlite::toJSON(enc2utf8(key), auto_unbox = TRUE))

encode_array <- function(values) sprintf("[%s]", paste(values, collapse = ", "))

encode_text <- function(x) {
  as.character(jsonlite::toJSON(enc2utf8(as.vector(unclass(x))), na = "null"))
}

encode_numbers <- function(x) {
  x <- as.vector(unclass(x))
  text <- sprintf("%.17g", x)
  special <- !is.finite(x) | x == 0 & 1 / x < 0
  text[special] <- sprintf("\"%s\"", ifelse(is.nan(x), "NaN", text)[special])
  encode_array(text)
}

encode_plain <- function(x) {
  x <- as.vector(unclass(x))
  text <- if (is.logical(x)) ifelse(x, "true", "false") else as.character(x)
  text[is.na(x)] <- "\"NA\""
  encode_array(text)
}

encode_code <- function(x, call) {
  bare <- x
  attributes(bare) <- NULL
  text <- deparse1(bare, collapse = "\n", control = c("keepNA", "keepInteger", "digits17"))
  if (!identical(parse_code(text), bare)) {
    abort_argument("{.arg x} has a formula that is not {.code {text}} when it is read.", call)
  }
  encode_pairs(c(.code = encode_key(text), encode_attributes(x, call)))
}

parse_code <- function(text) {
  parsed <- parse(text = text, keep.source = FALSE)
  if (length(parsed) == 1L && is.language(parsed[[1L]])) return(parsed[[1L]])
  stop("a formula is no expression")
}

## From JSON to R -------------------------------------------------------------------------------

decode_object <- function(x) {
  if (is.null(x)) return(NULL)
  keys <- names(x)
  if (!is.list(x) || is.null(keys)) stop("a value without a type")
  kind <- intersect(keys, paste0(".", c(exchange_types, "code")))
  if (!length(kind)) {
    values <- lapply(x[keys != ".class"], decode_object)
    if (".class" %in% keys) class(values) <- decode_text(x$.class)
    return(values)
  }
  value <- decode_vector(substring(kind[[1L]], 2L), x[[kind[[1L]]]])
  if (!is.null(x$.attributes)) attributes(value) <- decode_attributes(x$.attributes)
  value
}

decode_attributes <- function(x) {
  known <- c("names", "dim", "dimnames", "class", "levels", "units", "tzone")
  if (!all(names(x) %in% known)) stop("an unknown attribute")
  lapply(x, decode_object)
}

decode_vector <- function(kind, values) {
  if (kind == "code") return(parse_code(values))
  if (!is.list(values)) stop("a vector is no array")
  switch(kind,
    list = lapply(values, decode_object),
    character = decode_text(values),
    decode_numbers(kind, values)
  )
}

decode_text <- function(values) {
  values[vapply(values, is.null, NA)] <- NA_character_
  if (!all(vapply(values, is.character, NA) & lengths(values) == 1L)) stop("a text is none")
  as.character(unlist(values))
}

special_numbers <- c("NA" = NA, "NaN" = NaN, "Inf" = Inf, "-Inf" = -Inf, "-0" = -0)

# Numbers and the text of special numbers are converted apart, because R would make text of both.
decode_numbers <- function(kind, values) {
  text <- vapply(values, is_string, NA)
  type <- if (kind == "logical") is.logical else is.numeric
  sound <- lengths(values) == 1L & (text | vapply(values, type, NA))
  names <- unlist(values[text])
  if (!all(sound) || !all(names %in% names(special_numbers))) stop("a number is none")
  result <- vector(kind, length(values))
  result[!text] <- as.vector(unlist(values[!text]), kind)
  result[text] <- as.vector(special_numbers[names], kind)
  result
}
