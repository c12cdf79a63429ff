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
  if (!is_string(read[["format"]]) || read[["format"]] != paste("bayesrisk", content)) {
    abort_object("The file holds no {content} of bayesrisk.", call)
  }
  check_format_version(read, json_version, "A newer bayesrisk may have written it.", call)
  strays <- setdiff(names(read), c("format", "format_version", content))
  if (length(strays)) stop("its field `", strays[[1L]], "` is unknown")
  object <- decode_object(read[[content]])
  if (is.list(object)) object else stop("it has no ", content)
}

# An object of JSON, whose names are all different.
parse_file <- function(file) {
  text <- readChar(file, file.size(file), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  read <- jsonlite::parse_json(text, simplifyVector = FALSE, bigint_as_char = FALSE)
  if (!is.list(read)) return(list())
  check_keys(names(read))
  read
}

check_keys <- function(keys) {
  if (anyDuplicated(keys)) stop("its field `", keys[duplicated(keys)][[1L]], "` stands twice")
}

# `remedy`: for a file of another version.
check_format_version <- function(read, known, remedy, call) {
  version <- read[["format_version"]]
  if (is.numeric(version) && version == known) return(invisible())
  found <- if (is.numeric(version)) version else describe_value(version)
  abort_object(c(
    "The file has a format of another version, {found}: bayesrisk {package_version_string} reads
     {known}.",
    i = remedy
  ), call)
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
  if (!kind %in% data_types) {
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
  text <- in_new_session(
    deparse1(bare, collapse = "\n", control = c("keepNA", "keepInteger", "digits17"))
  )
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
  check_keys(keys)
  special <- keys[startsWith(keys, ".")]
  if (!length(special)) return(lapply(x, decode_object))
  if (identical(special, ".class")) {
    return(structure(lapply(x[keys != ".class"], decode_object), class = decode_text(x$.class)))
  }
  kind <- keys[keys != ".attributes"]
  if (length(kind) != 1L || !kind %in% value_keys) stop("a value of an unknown type")
  value <- decode_vector(substring(kind, 2L), x[[kind]])
  if (".attributes" %in% keys) attributes(value) <- decode_attributes(x$.attributes)
  if (kind == ".code" && is.object(value) && !rlang::is_formula(value)) stop("code with a class")
  value
}

value_keys <- paste0(".", c(data_types, "code"))

decode_attributes <- function(x) {
  check_keys(names(x))
  if (!all(names(x) %in% data_attributes)) stop("an unknown attribute")
  lapply(x, decode_object)
}

decode_vector <- function(kind, values) {
  if (kind == "code") return(parse_code(values))
  if (!is.list(values) || !is.null(names(values))) stop("a vector is no array")
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
  types <- vapply(values, typeof, "")
  text <- types == "character"
  names <- unlist(values[text])
  numbers <- unlist(values[!text])
  sound <- lengths(values) == 1L & (text | types %in% json_types[[kind]])
  special <- if (kind == "double") names(special_numbers) else "NA"
  result <- vector(kind, length(values))
  result[!text] <- as.vector(numbers, kind)
  result[text] <- as.vector(special_numbers[names], kind)
  if (all(sound) && all(names %in% special) && all(result[!text] == numbers)) return(result)
  stop("a number is none")
}

# The types of numbers in R, by the type that the file says.
json_types <- list(
  double = c("double", "integer"), integer = c("double", "integer"), logical = "logical"
)
