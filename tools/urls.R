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

wrong_urls <- function(file) {
  text <- paste(readLines(file.path(folder, file), encoding = "UTF-8"), collapse = "\n")
  special <- if (file == "DESCRIPTION") description else if (grepl("[.]Rd$", file)) rd
  asked <- c(faults, special)
  found <- lapply(asked, function(fault) pieces(text, paste0("\\S{0,30}(", fault, ")\\S{0,60}")))
  urls <- pieces(text, "https?://[^\\s<>(){}\"`]*[^\\s<>(){}\"`.,;:]")
  found[["a well-formed URL"]] <- grep(well_formed, urls, value = TRUE, invert = TRUE, perl = TRUE)
  if (grepl("[.]md$", file)) found[["no link to a file that is not built"]] <- dead_links(text)
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
