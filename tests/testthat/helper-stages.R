# The stages of R/ in the order of the data flow. A file belongs to the stage that its name begins
# with. ARCHITECTURE.md shows this order and is compared with it.
stages <- c(
  "text", "conditions", "checks", "progress", "engine", "result", "datasets", "data", "cost",
  "likelihood", "spec", "model", "predict", "decide", "source", "risk", "sensitivity", "plan",
  "assess", "cv", "select", "adapt", "table", "plot", "tidy", "convert", "explore",
  "report", "bridge"
)

# The folder of the package's sources, beside the tests or where R CMD check unpacked them; NULL
# if there is none.
source_folder <- function() {
  checked <- dirname(dirname(normalizePath(testthat::test_path("."))))
  candidates <- c(testthat::test_path("..", ".."), file.path(checked, "00_pkg_src", "bayesrisk"))
  found <- candidates[file.exists(file.path(candidates, "R", "conditions.R"))]
  if (length(found)) found[[1L]]
}

# The file that defines each function of the namespace: a character vector named by function.
function_files <- function(folder) {
  files <- setdiff(list.files(folder, "[.]R$"), c("RcppExports.R", "bayesrisk-package.R"))
  defined <- lapply(file.path(folder, files), function(file) {
    assigned <- Filter(function(e) rlang::is_call(e, "<-"), as.list(parse(file)))
    vapply(assigned, function(e) as.character(e[[2L]])[[1L]], "")
  })
  stats::setNames(rep(sub("[.]R$", "", files), lengths(defined)), unlist(defined))
}

# A row for each function of one file that calls, or hands over, a function of another.
call_edges <- function(files) {
  namespace <- asNamespace("bayesrisk")
  edges <- lapply(names(files), function(name) {
    value <- get0(name, namespace, inherits = FALSE)
    if (!is.function(value)) return(NULL)
    called <- intersect(unlist(codetools::findGlobals(value, merge = FALSE)), names(files))
    called <- called[files[called] != files[[name]]]
    data.frame(
      caller = rep(name, length(called)), called = called,
      from = rep(files[[name]], length(called)), to = unname(files[called])
    )
  })
  do.call(rbind, edges)
}

stage_of <- function(file) match(sub("-.*", "", file), stages)

# Files that are part of a circle of calls, or between circles. Files that call no other file, or
# that no other file calls, are removed again and again. Without a circle nothing is left.
circular_files <- function(edges) {
  edges <- unique(edges[c("from", "to")])
  repeat {
    kept <- edges$from %in% edges$to & edges$to %in% edges$from
    if (all(kept)) return(unique(edges$from))
    edges <- edges[kept, ]
  }
}
