# Reads the vignettes as sources, because they are not built where the tests run.

page_lines <- function(file) {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  path <- file.path(source_folder(), "vignettes", file)
  if (file.exists(path)) readLines(path, encoding = "UTF-8") else character()
}

# Pandoc's name of a heading without one: its letters, digits and _ - . in lower case, with hyphens
# between the words, from the first letter on.
automatic_ids <- function(headings) {
  text <- gsub("\\[([^]]*)\\]\\([^)]*\\)", "\\1", headings)
  words <- strsplit(trimws(gsub("[^[:alnum:][:space:]_.-]", "", tolower(text))), "[[:space:]]+")
  make.unique(sub("^[^a-z]+", "", vapply(words, paste, "", collapse = "-")), sep = "-")
}

# The names of headings, words and paragraphs of a page, outside of its code.
page_ids <- function(lines) {
  lines <- lines[cumsum(startsWith(lines, "```")) %% 2 == 0 & !startsWith(lines, "```")]
  names <- gregexpr("(?<=[{]#)[A-Za-z][A-Za-z0-9_.-]*", lines, perl = TRUE)
  headings <- sub("^#+ +", "", grep("^#{1,6} [^{]*$", lines, value = TRUE))
  c(unlist(regmatches(lines, names)), automatic_ids(headings))
}
