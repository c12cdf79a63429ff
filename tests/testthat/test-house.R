# The sizes that CONTRIBUTING.md promises. What one reads at once stays small.

# The lines of each file of some folders, by its path. The built package lacks some folders.
source_lines <- function(folders, pattern) {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), folders), pattern, full.names = TRUE, recursive = TRUE)
  files <- files[!startsWith(basename(files), "RcppExports")]
  stats::setNames(lapply(files, readLines, warn = FALSE, encoding = "UTF-8"), files)
}

# Where functions of more than 50 lines begin. `sizes`: gives the first line and the number of lines
# of each function of a file.
long_functions <- function(files, sizes) {
  long <- Map(function(lines, file) {
    found <- sizes(lines)
    sprintf("%s:%d", basename(file), found$start)[found$size > 50L]
  }, files, names(files))
  as.character(unlist(long))
}

r_functions <- function(lines) {
  parsed <- utils::getParseData(parse(text = lines, keep.source = TRUE))
  at <- match(parsed$parent[parsed$token %in% c("FUNCTION", "'\\\\'")], parsed$id)
  list(start = parsed$line1[at], size = parsed$line2[at] - parsed$line1[at] + 1L)
}

# clang-format indents a closing brace as the line that its function begins with.
cpp_functions <- function(lines) {
  code <- grepl("[^ ]", lines) & !grepl("^(#|(public|private|protected):)", trimws(lines))
  indent <- regexpr("[^ ]", lines)
  ends <- which(code & grepl("^ *[}]", lines))
  starts <- vapply(ends, function(end) {
    max(1L, which(code & indent <= indent[[end]] & seq_along(lines) < end))
  }, 1L)
  heads <- mapply(function(start, end) {
    sub("[{].*", "", paste(lines[start:end], collapse = " "))
  }, starts, ends)
  found <- grepl("(", heads, fixed = TRUE) & !grepl("^ *([}]|namespace|class|struct|enum)", heads)
  list(start = starts[found], size = (ends - starts + 1L)[found])
}

test_that("each file has at most 400 lines, each file of R also 40 or more", {
  size <- lengths(source_lines(c("R", "tools", "bench", "src"), "[.](R|cpp|hpp|h)$"))
  expect_identical(names(size)[size > 400L], character())
  of_package <- basename(dirname(names(size))) == "R"
  expect_identical(names(size)[of_package & size < 40L], character())
})

test_that("each function of R has at most 50 lines", {
  files <- source_lines(c("R", "tools", "bench"), "[.]R$")
  expect_identical(long_functions(files, r_functions), character())
})

test_that("each function of C++ has at most 50 lines", {
  files <- source_lines("src", "[.](cpp|hpp|h)$")
  # The sums of solve_strip() stay in registers over both of its loops.
  expect_identical(long_functions(files, cpp_functions), "solve_loops_body.hpp:7")
})
