# Rscript tools/site.R [FOLDER]: builds the site of the package, with every help page, vignette and
# article, into FOLDER (by default site/, which git ignores). It shows the installed package and
# needs pkgdown, pandoc and no network. tools/site-check.mjs checks the pages.

options(pkgdown.internet = FALSE, warn = 1L)
source("tools/logo.R")
to <- c(commandArgs(TRUE), "site")[[1L]]

# pkgdown and vignettes write beside their sources, so the site is built from a copy.
copy_sources <- function() {
  copy <- file.path(tempfile("site-"), "bayesrisk")
  dir.create(copy, recursive = TRUE)
  kept <- setdiff(list.files(), c("src", "tests", "bench", "build", "tools", "data-raw", "site"))
  file.copy(kept, copy, recursive = TRUE)
  write_icons(file.path(copy, "pkgdown", "favicon"))
  share_styles(copy)
  folder <- file.path(copy, "vignettes")
  vignettes <- list.files(folder, "[.]Rmd$", full.names = TRUE, recursive = TRUE)
  for (vignette in vignettes) keep_format(vignette, folder)
  copy
}

# pkgdown keeps the output format of an article only if the article says so, and runs pandoc in
# another folder than the vignette's.
keep_format <- function(file, folder) {
  text <- readLines(file, encoding = "UTF-8")
  filter <- paste0("--lua-filter=", folder, "/lecture.lua")
  text <- sub("--lua-filter=[^\"]*lecture.lua", filter, text)
  writeLines(append(text, c("pkgdown:", "  as_is: true"), 1L), file, useBytes = TRUE)
}

# Formulas, figures and folded code look as they do in the vignettes.
share_styles <- function(copy) {
  rules <- readLines("vignettes/lecture.css")
  shared <- rules[seq_len(grep("^/[*] The page around", rules) - 1L)]
  extra <- file.path(copy, "pkgdown", "extra.css")
  writeLines(c(shared, readLines(extra)), extra)
}

# Builds an article, or the help pages if there is no name, and returns the reason of a failure.
build_page <- function(name, package) {
  options(pkgdown.internet = FALSE, warn = 1L)
  tryCatch({
    if (is.null(name)) {
      pkgdown::build_reference(package, lazy = FALSE, preview = FALSE, devel = FALSE)
    } else {
      pkgdown::build_article(name, package, lazy = FALSE)
    }
    NULL
  }, error = conditionMessage)
}

# Two processes, not forks of one: pkgdown renders in the temporary folder of its process and
# empties it after a page. The help pages take longest, so they begin.
build_pages <- function(package) {
  articles <- package$vignettes$name
  workers <- parallel::makeCluster(2L, outfile = "")
  on.exit(parallel::stopCluster(workers))
  parallel::clusterCall(workers, .libPaths, .libPaths())
  pages <- c(list(NULL), articles)
  failures <- parallel::clusterApplyLB(workers, pages, build_page, package)
  names(failures) <- c("reference", articles)
  failures <- unlist(failures)
  if (length(failures)) {
    stop("Not built:", paste0("\n* ", names(failures), ": ", failures, collapse = ""))
  }
}

build_site <- function(copy, to) {
  package <- pkgdown::as_pkgdown(copy, override = list(destination = to))
  pkgdown::init_site(package)
  pkgdown::build_home(package, preview = FALSE)
  pkgdown::build_articles_index(package)
  pkgdown::build_news(package, preview = FALSE)
  build_pages(package)
}

# The page on standards names files that must be there.
check_named_files <- function(page) {
  text <- readLines(page, encoding = "UTF-8")
  names <- gregexpr("(?<=`)[A-Za-z_*/-]+[.]R(?=`)", text, perl = TRUE)
  named <- unique(unlist(regmatches(text, names)))
  found <- vapply(named, function(name) {
    length(Sys.glob(file.path(c(".", "R", "tests/testthat"), name))) > 0L
  }, NA)
  if (!all(found)) stop(page, " names files that do not exist: ", toString(named[!found]))
}

## Formulas -----------------------------------------------------------------------------------

# pkgdown leaves the formulas of help pages to a script from the net. pandoc writes them as MathML.
formula_pattern <- "(?s)\\\\\\((.+?)\\\\\\)|\\$\\$(.+?)\\$\\$"

# A page as pieces: code, in which "\\(" is R's short function, and what lies between.
pieces_of <- function(page) {
  code <- gregexpr("(?s)<(pre|code|script)\\b.*?</\\1>", page, perl = TRUE)
  list(text = regmatches(page, code, invert = TRUE)[[1L]], code = regmatches(page, code)[[1L]])
}

formulas_of <- function(file) {
  text <- pieces_of(read_page(file))$text
  unlist(regmatches(text, gregexpr(formula_pattern, text, perl = TRUE)))
}

read_page <- function(file) paste(readLines(file, encoding = "UTF-8"), collapse = "\n")

# All formulas in one run of pandoc, with the filter of the vignettes. Named by the formula.
as_mathml <- function(formulas, filter) {
  tex <- gsub("&lt;", "<", gsub("&gt;", ">", gsub("&amp;", "&", formulas)))
  # Only help pages have \mbox and no-break spaces between words.
  tex <- gsub("\\mbox{", "\\text{", tex, fixed = TRUE)
  display <- startsWith(tex, "$$")
  tex <- trimws(gsub("\\s+", " ", substr(tex, 3L, nchar(tex) - 2L)))
  source <- tempfile(fileext = ".md")
  sign <- ifelse(display, "$$", "$")
  writeLines(paste0("START", sign, tex, sign, "END\n"), source, useBytes = TRUE)
  arguments <- c("--mathml", paste0("--lua-filter=", filter), "--wrap=none", source)
  html <- paste(system2("pandoc", shQuote(arguments), stdout = TRUE), collapse = "\n")
  found <- regmatches(html, gregexpr("(?s)(?<=START).*?(?=END)", html, perl = TRUE))[[1L]]
  stopifnot(length(found) == length(formulas))
  stats::setNames(found, formulas)
}

write_formulas <- function(file, mathml) {
  pieces <- pieces_of(read_page(file))
  matches <- gregexpr(formula_pattern, pieces$text, perl = TRUE)
  regmatches(pieces$text, matches) <- lapply(regmatches(pieces$text, matches), function(found) {
    unname(mathml[found])
  })
  writeLines(paste0(pieces$text, c(pieces$code, ""), collapse = ""), file, useBytes = TRUE)
}

set_formulas <- function(to) {
  files <- list.files(to, "[.]html$", full.names = TRUE, recursive = TRUE)
  files <- files[!startsWith(files, file.path(to, "articles"))]
  formulas <- unique(unlist(lapply(files, formulas_of)))
  mathml <- as_mathml(formulas, normalizePath("vignettes/lecture.lua"))
  for (file in files) write_formulas(file, mathml)
}

## Figures ------------------------------------------------------------------------------------

# The text of a figure without one: its caption, or the call of the example that draws it.
describe_images <- function(html) {
  images <- xml2::xml_find_all(html, "//main//img[not(@alt) or @alt = ''][not(@class = 'logo')]")
  for (image in images) {
    caption <- xml2::xml_find_first(image, "following::*[contains(@class, 'caption')][1]")
    calls <- xml2::xml_find_all(image, "preceding::span[@class = 'r-in'][contains(., '(')]")
    in_code <- length(xml2::xml_find_all(image, "ancestor::pre")) > 0L
    drawn <- paste("Figure drawn by", utils::tail(xml2::xml_text(calls), 1L))
    text <- if (in_code) drawn else xml2::xml_text(caption)
    xml2::xml_set_attr(image, "alt", text)
  }
  length(images) > 0L
}

# rmarkdown's script removes the anchors of headings that pkgdown has set.
drop_header_script <- function(html) {
  scripts <- xml2::xml_find_all(html, "//script[contains(@src, 'header-attrs')]")
  xml2::xml_remove(scripts)
  length(scripts) > 0L
}

mend_pages <- function(to) {
  for (file in list.files(to, "[.]html$", full.names = TRUE, recursive = TRUE)) {
    html <- xml2::read_html(file, encoding = "UTF-8")
    changed <- c(describe_images(html), drop_header_script(html))
    if (any(changed)) xml2::write_html(html, file, format = FALSE)
  }
}

## Search -------------------------------------------------------------------------------------

# pkgdown's index as a script, which pages find without a server. Words are in small letters, so
# that the search need not change them.
# An entry of pkgdown's index may be empty.
filled <- function(text, otherwise) if (length(text)) text[[1L]] else otherwise

index_row <- function(entry) {
  page <- sub("^/", "", entry$path)
  id <- filled(entry$id, "")
  name <- sub("[.]html$", "", basename(page))
  what <- filled(entry$what, name)
  title <- filled(entry$title, name)
  words <- tolower(paste(c(entry$text, entry$code, what), collapse = " "))
  list(
    path = paste0(page, if (nzchar(id)) paste0("#", id)), name = tolower(name), what = what,
    head = tolower(paste(c(entry$previous_headings, what), collapse = " ")),
    where = paste(c(entry$dir, title), collapse = " "), top = what == title,
    text = paste(unique(strsplit(words, "\\s+")[[1L]]), collapse = " ")
  )
}

write_index <- function(package, to) {
  pkgdown::build_search(package)
  entries <- jsonlite::read_json(file.path(to, "search.json"))
  index <- jsonlite::toJSON(lapply(entries, index_row), auto_unbox = TRUE)
  writeLines(paste0("window.siteIndex = ", index, ";"), file.path(to, "search.js"), useBytes = TRUE)
  unlink(file.path(to, "search.json"))
}

## All ----------------------------------------------------------------------------------------

if (!requireNamespace("pkgdown", quietly = TRUE) || !nzchar(Sys.which("pandoc"))) {
  message("The site needs pkgdown and pandoc.")
  quit(status = 77L)
}
check_named_files("vignettes/articles/standards.Rmd")
unlink(to, recursive = TRUE)
dir.create(to, recursive = TRUE)
to <- normalizePath(to)
copy <- copy_sources()
build_site(copy, to)
write_index(pkgdown::as_pkgdown(copy, override = list(destination = to)), to)
mend_pages(to)
set_formulas(to)
# Without an address the map of the site is empty. The other files are of the recording device.
unlink(c(file.path(to, "sitemap.xml"), Sys.glob(file.path(to, "reference", "Rplot*.png"))))
message("The site is in ", to)
