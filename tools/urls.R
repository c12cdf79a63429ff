# Rscript tools/urls.R [FOLDER]: checks the URLs of the package in FOLDER (by default the root), in
# the files that CRAN reads. Without a network only the form is checked, not whether a server
# answers.

folder <- c(commandArgs(TRUE), ".")[[1L]]

# Forms that no URL may have, named by the form to write instead.
faults <- c(
  "https://, which every site has that we name" = "(?<![[:alnum:]])(http|ftp)://",
  "https://" = "(?<![[:alnum:]])https?(:/(?!/)|:\\\\|//)|(?<![[:alnum:]/.@[])www[.]",
  "https://CRAN.R-project.org/package=NAME or view=NAME" = paste0(
    "//(?i:cran[.]r-project[.]org/web/(packages|views)|cloud[.]r-project[.]org|cran[.]rstudio[.])",
    "|//(?!CRAN[.]R-project[.]org)(?i:cran[.]r-project[.]org)/(package|view)="
  ),
  "https://doi.org/, without dx" = "//dx[.]doi[.]org",
  "no white space around a URL" =
    "(url[{]|href[{]|\\]\\(|<)\\s+https?:|https?:[^\\s<>(){}]*\\s+[})>]",
  "no backslash in a URL" = "https?:[^\\s<>(){}]*\\\\(?!%)"
)
# In help pages and DESCRIPTION R makes the links of DOIs.
no_link <- c("a DOI and not a link" = "https?://(dx[.])?doi[.]org")
rd <- c(no_link, "\\doi{10.x/y}" = "(?i)(?<!\\\\)\\bdoi: *10[.]|\\\\doi[{](?!10[.]\\d{4,}/\\S+[}])")
description <- c(
  no_link, "<doi:10.x/y>" = "(?i)(?<!<)\\bdoi: *10[.]|<doi:(?!10[.]\\d{4,}/[^\\s>]+>)"
)

well_formed <- paste0(
  "^https?://[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+(:[0-9]+)?",
  "([/?#]([A-Za-z0-9._~:/?#@!$&'*+,;=-]|\\\\?%[[:xdigit:]]{2})*)?$"
)

pieces <- function(text, pattern) {
  regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1L]]
}

# Links to files in a page that CRAN shows must lead to files of the built package.
dead_links <- function(text) {
  text <- gsub("(?s)```.*?```|`[^`]*`", "", text, perl = TRUE)
  links <- pieces(text, "(?<=\\]\\()[^)\\s:#]+(?=[)#\\s])")
  ignored <- readLines(file.path(folder, ".Rbuildignore"))
  built <- function(link) {
    file.exists(file.path(folder, link)) &&
      !any(vapply(ignored, grepl, NA, link, perl = TRUE, ignore.case = TRUE))
  }
  Filter(Negate(built), links)
}

## Links between vignettes -------------------------------------------------------------------

vignettes <- list.files(file.path(folder, "vignettes"), "[.]Rmd$", full.names = TRUE)
names(vignettes) <- sub("[.]Rmd$", "", basename(vignettes))

# The identifier that pandoc gives a heading without one.
automatic_id <- function(heading) {
  heading <- gsub("\\[([^]]*)\\]\\([^)]*\\)", "\\1", heading)
  heading <- gsub("[^[:alnum:]_. -]", "", tolower(heading))
  sub("^[^[:alpha:]]+", "", gsub(" +", "-", trimws(heading)))
}

# The sections of a vignette, and the other places with an identifier.
ids_of <- function(file) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  prose <- strsplit(gsub("(?s)\n```.*?\n```", "", text, perl = TRUE), "\n")[[1L]]
  headings <- sub("^#+ ", "", grep("^#+ ", prose, value = TRUE))
  given <- c(pieces(text, "(?<=[{]#)[^} ]+"), pieces(text, "(?<= id=\")[^\"]+"))
  c(given, vapply(grep("[{]#", headings, value = TRUE, invert = TRUE), automatic_id, ""))
}

# Links to a section that is not there: page.html#section, page#section in code, and (#section).
dead_sections <- function(file, text) {
  page <- sub("[.]Rmd$", "", basename(file))
  pattern <- sprintf("\\b(%s)([.]html)?#[A-Za-z][\\w:.-]*", paste(names(vignettes), collapse = "|"))
  links <- c(pieces(text, pattern), paste0(page, pieces(text, "(?<=\\]\\()#[^)]+")))
  links <- unique(sub(".html#", "#", links[links != page], fixed = TRUE))
  there <- vapply(strsplit(links, "#"), function(link) link[[2L]] %in% ids[[link[[1L]]]], NA)
  links[!there]
}

ids <- lapply(vignettes, ids_of)

## All files ----------------------------------------------------------------------------------

wrong_urls <- function(file) {
  text <- paste(readLines(file.path(folder, file), encoding = "UTF-8"), collapse = "\n")
  special <- if (file == "DESCRIPTION") description else if (grepl("[.]Rd$", file)) rd
  asked <- c(faults, special)
  found <- lapply(asked, function(fault) pieces(text, paste0("\\S{0,30}(", fault, ")\\S{0,60}")))
  urls <- pieces(text, "https?://[^\\s<>(){}\"`]*[^\\s<>(){}\"`.,;:]")
  found[["a well-formed URL"]] <- grep(well_formed, urls, value = TRUE, invert = TRUE, perl = TRUE)
  if (grepl("[.]md$", file)) found[["no link to a file that is not built"]] <- dead_links(text)
  if (grepl("[.]Rmd$", file)) {
    found[["the identifier of a section of the vignette"]] <- dead_sections(file, text)
  }
  if (!sum(lengths(found))) return(character())
  sprintf("%s: %s (write: %s)", file, unlist(found), rep(names(found), lengths(found)))
}

files <- Filter(function(file) file.exists(file.path(folder, file)), c(
  "DESCRIPTION", "README.md", "NEWS.md", "inst/CITATION",
  file.path("man", list.files(file.path(folder, "man"), "[.]Rd$")),
  file.path("vignettes", list.files(file.path(folder, "vignettes"), "[.]Rmd$"))
))
wrong <- unlist(lapply(files, wrong_urls))
writeLines(c(wrong, sprintf("%d files, %d wrong URLs", length(files), length(wrong))))
quit(status = as.integer(length(wrong) > 0L))
