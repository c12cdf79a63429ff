# The limits of a task. Each limit takes part in the race as a contestant and does the least work
# that the task requires.

# Like the package, this is compiled for AVX2 if the processor has it.
compile_limits <- function(root) {
  flags <- c("-pthread", "-Wno-ignored-attributes", if (has_avx2()) c("-mavx2", "-mfma"))
  Sys.setenv(PKG_CXXFLAGS = paste(flags, collapse = " "), PKG_LIBS = "-pthread")
  on.exit(Sys.unsetenv(c("PKG_CXXFLAGS", "PKG_LIBS")))
  cache <- file.path(cache_folder(), "bench")
  dir.create(cache, recursive = TRUE, showWarnings = FALSE)
  Rcpp::sourceCpp(file.path(root, "bench", "ceiling.cpp"), env = globalenv(), cacheDir = cache)
}

has_avx2 <- function() {
  file.exists("/proc/cpuinfo") && any(grepl("^flags.* avx2 ", readLines("/proc/cpuinfo")))
}

# Every number of the matrix once.
limit_read <- list(
  `limit: read` = function(d) read_numbers(d$x, 1L),
  `limit: read, 2 threads` = function(d) read_numbers(d$x, 2L)
)

# Every code of the data frame once.
limit_read_codes <- list(`limit: read` = function(d) read_codes(unclass(d$frame)))

# `count` multiplications, each with an addition, in registers.
limit_fma <- function(count) list(`limit: fma` = function(d) multiply_add(count, 1L))

# Writes the result to fresh memory.
limit_touch <- function(doubles) list(`limit: first touch` = function(d) touch_fresh(doubles))

## The machine ---------------------------------------------------------------------------------

# GB/s and GFlop/s.
machine_rows <- function(mode) {
  n <- 1e6
  p <- 32L
  data <- list(x = matrix(stats::runif(n * p), n, p), to = matrix(0, n, p))
  count <- 1e9
  contestants <- list(
    `read, 1 thread` = function(d) read_numbers(d$x, 1L),
    `read, 2 threads` = function(d) read_numbers(d$x, 2L),
    `copy to memory in use` = function(d) copy_numbers(d$x, d$to),
    `first touch, huge pages` = function(d) touch_fresh(n * p),
    `first touch by R` = function(d) numeric(n * p),
    `fma, 1 thread` = function(d) multiply_add(count, 1L),
    `fma, 2 threads` = function(d) multiply_add(count, 2L),
    `crossprod() by Eigen` = function(d) eigen_crossprod(d$x),
    `crossprod() by R` = function(d) crossprod(d$x)
  )
  raced <- race(contestants, data, mode)
  bytes <- 8 * n * p
  flops <- 2 * c(count, count, n * p^2, n * p^2)
  amount <- c(rep(bytes, 5), flops) / 1e9
  measured <- data.frame(
    who = raced$who, value = amount / raced$value, least = amount / raced$least,
    unit = rep(c("GB/s", "GFlop/s"), c(5, 4))
  )
  result_rows(list(topic = "machine"), "machine", measured)
}
