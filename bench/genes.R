# More features than rows: seconds and errors on held-out rows of the 63 + 20 tumours and 2,308
# genes of Khan et al. (2001), beside MASS, klaR and sda where they are installed. Needs
# ISLR2, which has the data.
#
#     Rscript bench/genes.R [features ...]

library(bayesrisk)
options(bayesrisk.columns = FALSE)

genes <- as.integer(commandArgs(TRUE))
if (!length(genes)) genes <- c(1600L, 2308L)
khan <- ISLR2::Khan

# `fit`: a function of x and y; `classes`: of the model and new rows.
methods <- list(
  "bayes_full(pooled, identity = \"auto\")" = list(
    fit = function(x, y) fit_xy(bayes_full(covariance = "pooled", identity = "auto"), x, y),
    classes = function(model, new) predict(model, new)
  ),
  "bayes_full(identity = \"auto\")" = list(
    fit = function(x, y) fit_xy(bayes_full(identity = "auto"), x, y),
    classes = function(model, new) predict(model, new)
  ),
  "bayes_naive(pooled = TRUE)" = list(
    fit = function(x, y) fit_xy(bayes_naive(numeric = likelihood_gaussian(pooled = TRUE)), x, y),
    classes = function(model, new) predict(model, new)
  ),
  "bayes_full(): the error" = list(
    fit = function(x, y) tryCatch(fit_xy(bayes_full(), x, y), bayesrisk_error = function(e) NULL),
    classes = function(model, new) rep(NA, nrow(new))
  ),
  "MASS::lda" = list(
    package = "MASS", fit = function(x, y) suppressWarnings(MASS::lda(x, y)),
    classes = function(model, new) predict(model, new)$class
  ),
  "klaR::rda(gamma .25, lambda 1)" = list(
    package = "klaR", most = 400L,
    fit = function(x, y) klaR::rda(x, y, gamma = 0.25, lambda = 1, crossval = FALSE),
    classes = function(model, new) predict(model, new)$class
  ),
  "sda::sda" = list(
    package = "sda", fit = function(x, y) sda::sda(x, y, verbose = FALSE),
    classes = function(model, new) predict(model, new, verbose = FALSE)$class
  ),
  "sda::sda(diagonal)" = list(
    package = "sda", fit = function(x, y) sda::sda(x, y, diagonal = TRUE, verbose = FALSE),
    classes = function(model, new) predict(model, new, verbose = FALSE)$class
  )
)

measure <- function(method, name, x, y, new, truth) {
  away <- !is.null(method$package) && !requireNamespace(method$package, quietly = TRUE)
  if (away || ncol(x) > min(method$most, Inf)) return(NULL)
  fitted <- system.time(model <- method$fit(x, y))
  predicted <- system.time(found <- method$classes(model, new))
  data.frame(
    features = ncol(x), method = name, fit = fitted[["elapsed"]],
    fit_cpu = fitted[["user.self"]] + fitted[["sys.self"]], predict = predicted[["elapsed"]],
    errors = sum(as.character(found) != truth)
  )
}

for (p in genes) {
  chosen <- seq_len(p)
  x <- matrix(khan$xtrain[, chosen], 63, dimnames = list(NULL, paste0("g", chosen)))
  new <- matrix(khan$xtest[, chosen], 20, dimnames = list(NULL, paste0("g", chosen)))
  rows <- Map(
    measure, methods, names(methods), list(x), list(factor(khan$ytrain)), list(new),
    list(khan$ytest)
  )
  print(do.call(rbind, unname(rows)), row.names = FALSE, digits = 3)
}
