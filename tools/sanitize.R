# Rscript tools/sanitize.R [FILTER]: the R tests (those whose file matches FILTER), with the
# bindings and the engine under AddressSanitizer and UndefinedBehaviorSanitizer. Needs GCC on
# Linux; takes an hour. A finding of a sanitizer ends the process with an exit status other than 0.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
install_needs(root, "all")

sanitizers <- "-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all"

# The library of the sanitizer must be loaded before R.
runtime <- system2("g++", "-print-file-name=libasan.so", stdout = TRUE)

makevars <- tempfile()
writeLines(c(
  paste("CXX17 = g++", sanitizers), "CXX17FLAGS = -O1 -g1 -fno-omit-frame-pointer"
), makevars)
library <- tempfile("library")
dir.create(library)
status <- system2(
  r_command(),
  c("CMD", "INSTALL", "--preclean", "--clean", "--no-docs", "--no-test-load",
    shQuote(paste0("--library=", library)), shQuote(root)),
  env = paste0(c("R_MAKEVARS_USER=", "MAKEFLAGS=-j"), c(shQuote(makevars), cores()))
)
stopifnot(status == 0)

run <- 'library(testthat)
  test_dir(commandArgs(TRUE)[1], filter = if (length(commandArgs(TRUE)) > 1) commandArgs(TRUE)[2],
           package = "bayesrisk", load_package = "installed")'
status <- system2(
  file.path(R.home("bin"), "Rscript"),
  c("-e", shQuote(run), shQuote(file.path(root, "tests", "testthat")), shQuote(commandArgs(TRUE))),
  env = c(
    paste0("LD_PRELOAD=", shQuote(runtime)), "NOT_CRAN=true", "UBSAN_OPTIONS=print_stacktrace=1",
    # Memory that R itself never frees is no leak of the package.
    "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1",
    paste0("R_LIBS=", shQuote(paste(c(library, .libPaths()), collapse = .Platform$path.sep)))
  )
)
quit(status = status)
