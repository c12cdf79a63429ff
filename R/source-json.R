# Objects as JSON: an envelope with the name and the version of the format, and the object in it.

json_version <- 1

# `content`: what the file holds: "statistics" or "model", also the name of its element.
write_json <- function(x, content, file, call) {
  held <- list(format = paste("bayesrisk", content), format_version = json_version)
  held[[content]] <- encode_object(unclass(x), call)
  text <- jsonlite::toJSON(
    held, auto_unbox = TRUE, null = "null", json_verbatim = TRUE, pretty = TRUE
  )
  write_whole(file, function(put) put(charToRaw(paste0(enc2utf8(text), "\n"))), call)
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

# The lists that jsonlite writes. jsonlite would write numbers with 15 digits.
encode_object <- function(x, call) {
  kind <- typeof(x)
  if (is.null(x)) return(NULL)
  if (is.language(x)) kind <- "code"
  if (!kind %in% c(data_types, "code")) {
    abort_argument("{describe_value(x)} cannot be written.", call)
  }
  if (kind == "list") parts <- lapply(unclass(x), encode_object, call)
  if (kind == "list" && is_json_object(x)) {
    return(c(if (is.object(x)) list(.class = encode_text(class(x))), parts))
  }
  value <- switch(kind,
    list = unname(parts), code = encode_code(x, call), character = encode_text(x), encode_numbers(x)
  )
  kept <- attributes(x)
  if (length(kept)) kept <- list(.attributes = lapply(kept, encode_object, call))
  c(stats::setNames(list(value), paste0(".", kind)), kept)
}

# A list that needs no attributes but names and class.
is_json_object <- function(x) {
  names <- names(x)
  length(names) > 0L && all(names(attributes(x)) %in% c("names", "class")) && !anyNA(names) &&
    all(nzchar(names)) && !anyDuplicated(names) && !any(startsWith(names, "."))
}

encode_text <- function(x) jsonlite::toJSON(enc2utf8(as.vector(unclass(x))), na = "null")

encode_numbers <- function(x) {
  x <- as.vector(unclass(x))
  text <- if (is.double(x)) sprintf("%.17g", x) else tolower(as.character(x))
  special <- !is.finite(x) | x == 0 & 1 / x < 0
  text[special] <- sprintf("\"%s\"", ifelse(is.nan(x), "NaN", text)[special])
  structure(sprintf("[%s]", paste(text, collapse = ", ")), class = "json")
}

encode_code <- function(x, call) {
  attributes(x) <- NULL
  text <- in_new_session(
    deparse1(x, collapse = "\n", control = c("keepNA", "keepInteger", "digits17"))
  )
  if (identical(parse_code(text), x)) return(enc2utf8(text))
  abort_argument("{.arg x} has a formula that is not {.code {text}} when it is read.", call)
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
    class <- decode_vector("character", x$.class)
    return(structure(lapply(x[keys != ".class"], decode_object), class = class))
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
  if (kind == "list") return(lapply(values, decode_object))
  if (kind == "character") {
    values[vapply(values, is.null, NA)] <- NA_character_
  } else {
    text <- vapply(values, is.character, NA)
    values[text] <- special_numbers[[kind]][as.character(values[text])]
  }
  sound <- lengths(values) == 1L & vapply(values, typeof, "") %in% json_types[[kind]]
  if (!all(sound)) stop("a value is not of its type")
  given <- unlist(values)
  result <- as.vector(given, kind)
  if (kind == "integer" && !identical(as.double(result), as.double(given))) stop("a number is none")
  result
}

# The types that jsonlite reads, by the type that the file says.
json_types <- list(
  double = c("double", "integer"), integer = c("double", "integer"), logical = "logical",
  character = "character"
)

# Numbers that JSON does not have, by their text.
special_numbers <- list(
  double = list("NA" = NA_real_, "NaN" = NaN, "Inf" = Inf, "-Inf" = -Inf, "-0" = -0),
  integer = list("NA" = NA_integer_), logical = list("NA" = NA)
)

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
        "prior", "banks", "temper", "log_likelihood", "parameter_count", "notes", "pool",
        "marginals_of"
      )),
      list(parameters$pool, c("cases", "weight")),
      list(parameters$notes, c("problem", "class", "feature", "bank", "terms")),
      list(parameters$temper, c(
        "power", "offset", "common", "by", "bias", "penalty", "folds", "loss", "cases", "rows",
        "estimate"
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
