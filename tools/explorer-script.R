# Rscript tools/explorer-script.R: writes the script of explorer(), inst/htmlwidgets/
# bayesrisk_explorer.js, from the folder source/ beside it, without comments and with short names.
# Needs Node.js. The sources are part of the source package; only the script is installed, because
# its size counts. With --check it only says whether the script was made from the sources.

folder <- "inst/htmlwidgets"
script <- file.path(folder, "bayesrisk_explorer.js")
sources <- file.path(folder, "source", paste0(
  c("numbers", "line", "state", "controls", "pictures", "cut", "settings", "widget"), ".js"
))
first_line <- function() {
  sums <- tools::md5sum(sources)
  paste("// From source/ by tools/explorer-script.R:", paste(substr(sums, 1, 8), collapse = " "))
}

if ("--check" %in% commandArgs(TRUE)) {
  if (!identical(readLines(script, 1L), first_line())) {
    stop("bayesrisk_explorer.js is older than its sources.", call. = FALSE)
  }
} else {
  made <- system2("npx", c("--yes", "terser@5", sources, "--compress", "--mangle"), stdout = TRUE)
  if (!is.null(attr(made, "status"))) stop("terser has failed.", call. = FALSE)
  writeLines(c(first_line(), made), script)
}
