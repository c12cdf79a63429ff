# Finds out how texts write numbers or dates. The result is
# * list(remark, code) if R code can convert them. `code` is a format, with %1$s for the column. Two
#   codes are named by the two readings. Texts that the code cannot read become NA;
# * list(remark, advice) if no code is safe;
# * NULL if the texts are neither numbers nor dates.

# `codes`: whether whole numbers are codes. `many`: whether there are as many as identifiers have.
find_writing <- function(texts, codes, many) {
  texts <- enc2utf8(texts)
  trimmed <- trimws(texts)
  if (!mostly(trimmed, "^(EUR|USD|GBP|CHF|[^[:alpha:]])*[0-9]")) return(NULL)
  found <- if (!codes) written_numbers(trimmed, padded = any(texts != trimmed))
  if (is.null(found)) found <- written_dates(trimmed)
  if (is.null(found) && many && is_number_writing(trimmed)) {
    found <- list(
      remark = "numbers or dates written as text",
      advice = "Convert %1$s to numbers; leave it out only if it names rows"
    )
  }
  found
}

# Whether at least 95 % of texts have a pattern.
mostly <- function(texts, pattern) mean(grepl(pattern, texts)) >= 0.95

currency <- "EUR|USD|GBP|CHF|[$\u20ac\u00a3\u00a5]"

# The signs of thousands and of decimals that go together.
number_marks <- list(
  c(",", "."), c(".", ","), c("'", "."), c(" ", "."), c("'", ","), c(" ", ",")
)

number_pattern <- function(marks) {
  sprintf(
    "^[-+]?((%1$s) ?)?[-+]?([1-9][0-9]{0,2}([%2$s][0-9]{3})+|[0-9]+)([%3$s][0-9]+)?( ?(%1$s|%%))?$",
    currency, marks[[1L]], marks[[2L]]
  )
}

# `padded`: whether texts have blanks around them.
written_numbers <- function(texts, padded) {
  # Codes have leading zeros, numbers have none.
  if (any(grepl("^0[0-9]+$", texts))) return(NULL)
  pattern <- "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$"
  marks <- c(",", ".")
  if (!mostly(texts, pattern)) {
    marks <- Find(function(marks) mostly(texts, number_pattern(marks)), number_marks)
    if (is.null(marks)) return(NULL)
    pattern <- number_pattern(marks)
  }
  fits <- grepl(pattern, texts)
  fitting <- texts[fits]
  code <- function(marks) number_code(fitting, texts[!fits], marks, column)
  units <- unique(gsub("[-+0-9., 'eE]|E[-+]?[0-9]+$", "", gsub("EUR", "\u20ac", fitting)))
  several <- length(setdiff(units, "")) > 1L || length(units) > 1L && "%" %in% units
  if (several) {
    return(list(
      remark = "numbers as text, in several units", advice = "Convert %1$s to numbers of one unit"
    ))
  }
  column <- if (padded && !identical(units, "")) "trimws(%1$s)" else "%1$s"
  open <- open_mark(fitting)
  if (is.null(open)) {
    return(list(remark = "numbers as text", code = code(marks)))
  }
  name <- if (open == ",") "comma" else "point"
  list(
    remark = sprintf("numbers as text: a %s of thousands, or a decimal %1$s?", name),
    code = stats::setNames(
      c(code(c(open, "")), code(c("", open))),
      c(sprintf("If the %s is of thousands", name), "if it is decimal")
    )
  )
}

# The sign, a comma or a point, that may separate thousands or decimals; NULL if the numbers show
# which. If all numbers have a point and none a currency, it is a decimal point, as R writes it.
# Dollars, pounds and yen have commas of thousands.
open_mark <- function(numbers) {
  if (any(grepl("USD|GBP|[$\u00a3\u00a5]", numbers))) return(NULL)
  mark <- Filter(function(mark) any(grepl(mark, numbers, fixed = TRUE)), c(",", "."))
  if (length(mark) != 1L) return(NULL)
  marked <- grep(mark, numbers, fixed = TRUE, value = TRUE)
  both <- sprintf("^[^0-9]*[1-9][0-9]{0,2}[%s][0-9]{3}([^0-9.,e].*)?$", mark)
  as_written <- mark == "." && length(marked) == length(numbers) && !any(grepl(currency, marked))
  if (all(grepl(both, marked)) && !as_written) mark
}

# Reads only signs in the places where numbers have them, so that other texts stay no numbers.
# `others`: the texts that are no numbers with these marks.
number_code <- function(numbers, others, marks, column) {
  unit <- unlist(regmatches(numbers, regexpr(paste0(currency, "|%"), numbers)))
  if (length(unit)) column <- unit_code(numbers, unit[[1L]], column)
  occurs <- function(mark) nzchar(mark) && any(grepl(mark, numbers, fixed = TRUE))
  if (occurs(marks[[1L]])) {
    sign <- sub(".", "[.]", marks[[1L]], fixed = TRUE)
    if (any(grepl(paste0(sign, "[0-9]{3}"), others))) {
      column <- sprintf("sub(\"%s\", \"?\", %s)", no_thousands(sign, marks[[2L]]), column)
    }
    column <- sprintf("gsub(\"%s([0-9]{3})\\\\b\", \"\\\\1\", %s)", sign, column)
  }
  if (marks[[2L]] == "," && occurs(",")) column <- sprintf("sub(\",\", \".\", %s)", column)
  code <- sprintf("as.numeric(%s)", column)
  if (length(unit) && unit[[1L]] == "%") paste(code, "/ 100") else code
}

# The pattern of signs of thousands in other places: after nothing, a leading zero, four digits or
# decimals.
no_thousands <- function(sign, decimal) {
  start <- if (sign == " ") "0[0-9]*" else "(0[0-9]*)?"
  paste(c(
    sprintf("^[-+]?%s%s", start, sign), sprintf("[0-9]{4}%s", sign),
    if (nzchar(decimal)) sprintf("[%s][0-9]*%s", decimal, sign)
  ), collapse = "|")
}

unit_code <- function(numbers, unit, column) {
  sign <- sub("$", "[$]", unit, fixed = TRUE)
  before <- any(grepl(paste0("^[-+]?", sign), numbers))
  after <- any(grepl(paste0(sign, "$"), numbers))
  pattern <- paste(
    c(if (before) paste0("^([-+]?)", sign, " ?"), if (after) paste0(" ?", sign, "$")),
    collapse = "|"
  )
  sprintf("sub(\"%s\", \"%s\", %s)", pattern, if (before) "\\\\1" else "", column)
}

# If the day or the month may be first, the order that more texts can have is taken. Both are given
# if equally many can; but between points the day is first.
written_dates <- function(texts) {
  time <- "([ T][0-9:.]+Z?)?$"
  year_first <- paste0("^[0-9]{4}([-/])[0-9]{1,2}\\1[0-9]{1,2}", time)
  year_last <- paste0("^[0-9]{1,2}([./-])[0-9]{1,2}\\1[0-9]{4}", time)
  pattern <- Find(function(pattern) mostly(texts, pattern), c(year_first, year_last))
  if (is.null(pattern)) return(NULL)
  sign <- sub(pattern, "\\1", grep(pattern, texts, value = TRUE)[[1L]])
  orders <- if (pattern == year_first) {
    list(c("%Y", "%m", "%d"))
  } else {
    list("If the day is first" = c("%d", "%m", "%Y"), "if the month is" = c("%m", "%d", "%Y"))
  }
  formats <- vapply(orders, paste, "", collapse = sign)
  fit <- vapply(formats, function(format) mean(!is.na(as.Date(texts, format))), 1)
  if (max(fit) < 0.95) return(NULL)
  formats <- formats[fit == max(fit)]
  if (sign == ".") formats <- formats[1L]
  open <- length(formats) > 1L
  list(
    remark = if (open) "dates as text: is the day or the month first?" else "dates as text",
    code = vapply(formats, function(f) sprintf("as.numeric(as.Date(%%1$s, \"%s\"))", f), "")
  )
}

# Numbers with units, times and other dates: their other characters are the same in many texts.
is_number_writing <- function(texts) {
  patterns <- gsub("[0-9]+", "9", texts)
  common <- utils::head(sort(table(patterns), decreasing = TRUE), most_categories)
  mean(patterns == "9") < 0.5 && sum(common) >= 0.95 * length(texts)
}

most_categories <- 12L

# Sentences about the cases that a group adds. `cases`: their numbers, named by block or "(class)";
# `who`: the subject of the sentence.
cases_sentences <- function(cases, who) {
  if (is.null(cases)) return(NULL)
  shown <- vapply(signif(cases, 3L), format, "", trim = TRUE)
  some <- cases > 0 & is.finite(cases)
  list_of <- function(which, values = TRUE) {
    names <- encodeString(names(cases)[which])
    some_of(if (values) paste(names, shown[which]) else names, 10L)
  }
  c(
    if (any(some)) sprintf("%s adds cases of the model of all groups: %s.", who, list_of(some)),
    if (any(cases == Inf)) sprintf("All groups are alike in: %s.", list_of(cases == Inf, FALSE)),
    if (any(cases == 0)) sprintf("Each group alone: %s.", list_of(cases == 0, FALSE))
  )
}
