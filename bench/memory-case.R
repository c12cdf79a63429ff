# Rscript bench/memory-case.R fit|class WHO N P K: prints the increase (in MB) of the peak memory of
# this process during the call, above its memory after the data (and, before a prediction, the
# model) were made. A result of class codes is not counted.

arguments <- commandArgs(TRUE)
task <- arguments[1]
who <- arguments[2]
n <- as.integer(arguments[3])
p <- as.integer(arguments[4])
k <- as.integer(arguments[5])

# The data are made in small steps, so that there are no large temporary vectors.
step <- 1e4L
set.seed(1)
x <- matrix(0, n, p, dimnames = list(NULL, paste0("x", seq_len(p))))
code <- integer(n)
for (first in seq(1L, n, step)) {
  rows <- first:(first + step - 1L)
  code[rows] <- sample.int(k, step, TRUE)
  for (j in seq_len(p)) x[rows, j] <- stats::rnorm(step) + code[rows] / 2
}
y <- structure(code, levels = letters[seq_len(k)], class = "factor")

fits <- list(
  bayesrisk = function(x, y) bayesrisk::fit_xy(bayesrisk::bayes_naive(), x, y),
  naivebayes = function(x, y) naivebayes::gaussian_naive_bayes(x, y),
  Rfast = function(x, y) Rfast::gaussian.nb(x = x, ina = as.integer(y))
)
classes <- list(
  bayesrisk = function(model, x) predict(model, x),
  naivebayes = function(model, x) predict(model, x, type = "class"),
  Rfast = function(model, x) with(model, Rfast::gaussiannb.pred(x, mu, sigma, ni))
)

kilobytes <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line))
}

# Memory that a first call loads is not counted.
few <- seq_len(100L)
model <- fits[[who]](x[few, ], y[few])
invisible(classes[[who]](model, x[few, ]))
if (task == "class") model <- fits[[who]](x, y)

invisible(gc())
writeLines("5", "/proc/self/clear_refs")
before <- kilobytes("VmRSS")
result <- if (task == "fit") fits[[who]](x, y) else classes[[who]](model, x)
beyond <- (kilobytes("VmHWM") - before) / 1024
if (task == "class") beyond <- beyond - 4 * n / 2^20
# Below 0 if the call used pages again that were counted before it.
cat(max(0, beyond), "\n")
