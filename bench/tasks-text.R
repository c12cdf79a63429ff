# Naive Bayes of words: a sparse matrix with a row for each document and a column for each term.

# Terms are as frequent as words (Zipf's law). A third of them depend on the class.
text_data <- function(n, p, cells, k) {
  set.seed(1)
  code <- sample(rep_len(seq_len(k), n))
  share <- 1 / (seq_len(p) + 10)
  each <- pmin(round(cells * 1.15 * share / sum(share)) + 1, 0.6 * n)
  rows <- lapply(seq_len(p), function(j) {
    drawn <- sample.int(n, each[[j]])
    if (j %% 3 > 0) return(sort(drawn))
    sort(drawn[code[drawn] == j %% k + 1 | stats::runif(length(drawn)) < 0.7])
  })
  i <- unlist(rows)
  counts <- 1 + stats::rpois(length(i), 0.3)
  words <- Matrix::sparseMatrix(
    i = i, p = c(0, cumsum(lengths(rows))), x = counts, dims = c(n, p),
    dimnames = list(NULL, sprintf("term%06d", seq_len(p)))
  )
  y <- factor(sprintf("class%03d", code))
  list(
    words = words, y = y, code = code, some = some_rows(n, 1000), numbers = as.matrix(words@x),
    rows = list(words@i)
  )
}

text_specs <- list(
  multinomial = function() bayes_text("multinomial"),
  Bernoulli = function() bayes_text("bernoulli"),
  complement = function() bayes_text("complement", prior = "uniform")
)

# The contestants of fit() and of class for one kind of counts.
text_fits <- function(kind) {
  spec <- text_specs[[kind]]
  ours <- list(
    bayesrisk = function(d) fit_xy(spec(), d$words, d$y),
    `bayesrisk: 2 threads` = function(d) fit_xy(spec(), d$words, d$y, threads = 2L)
  )
  peers <- list(
    multinomial = list(
      naivebayes = function(d) naivebayes::multinomial_naive_bayes(d$words, d$y, laplace = 1),
      fastNaiveBayes = function(d) fastNaiveBayes::fnb.multinomial(d$words, d$y, laplace = 1),
      quanteda.textmodels = function(d) {
        quanteda.textmodels::textmodel_nb(d$dfm, d$y, smooth = 1, prior = "docfreq")
      }
    ),
    Bernoulli = list(
      naivebayes = function(d) naivebayes::bernoulli_naive_bayes(d$presence, d$y, laplace = 1),
      fastNaiveBayes = function(d) fastNaiveBayes::fnb.bernoulli(d$presence, d$y, laplace = 1),
      quanteda.textmodels = function(d) {
        quanteda.textmodels::textmodel_nb(
          d$dfm, d$y, smooth = 1, prior = "docfreq", distribution = "Bernoulli"
        )
      }
    )
  )
  c(ours, peers[[kind]])
}

text_classes <- function(kind) {
  of <- function(who) function(d) d$models[[kind]][[who]]
  ours <- list(
    bayesrisk = function(d) predict(of("bayesrisk")(d), d$words),
    `bayesrisk: 2 threads` = function(d) predict(of("bayesrisk")(d), d$words, threads = 2L)
  )
  table <- if (kind == "Bernoulli") "presence" else "words"
  peers <- list(
    naivebayes = function(d) predict(of("naivebayes")(d), d[[table]], type = "class"),
    fastNaiveBayes = function(d) predict(of("fastNaiveBayes")(d), d[[table]], type = "class"),
    quanteda.textmodels = function(d) predict(of("quanteda.textmodels")(d), d$dfm)
  )
  c(ours, if (kind != "complement") peers)
}

text_folds <- function(kind) {
  list(
    bayesrisk = function(d) cv_predict(text_specs[[kind]](), y ~ words, d$frame, folds = d$folds),
    `bayesrisk: one fit` = function(d) fit(text_specs[[kind]](), y ~ words, d$frame)
  )
}

limit_read_cells <- list(`limit: read` = function(d) {
  read_numbers(d$numbers, 1L)
  read_codes(d$rows)
})

# The answers of all packages on some documents, and those of scikit-learn to 1e-12.
text_same <- function(d) {
  notes <- NULL
  some <- d$words[d$some, ]
  for (kind in names(d$models)) {
    models <- d$models[[kind]]
    ours <- predict(models$bayesrisk, some, type = "prob")
    table <- if (kind == "Bernoulli") (some != 0) * 1 else some
    theirs <- list(
      naivebayes = function(m) predict(m, table, type = "prob"),
      fastNaiveBayes = function(m) predict(m, table, type = "raw"),
      quanteda.textmodels = function(m) {
        predict(m, quanteda::as.dfm(some), type = "probability", force = TRUE)
      }
    )
    for (who in intersect(names(theirs), names(models))) {
      gap <- posterior_gap(ours, theirs[[who]](models[[who]]))
      notes <- c(notes, must_agree(who, gap, 1e-8, text_differences[[paste(who, kind)]]))
    }
    if (!is.null(d$scikit)) {
      score <- d$scikit$scores[[kind]]
      own <- predict(models$bayesrisk, some, type = "log_likelihood")
      must_agree("scikit-learn", max(abs(own - score) / pmax(1, abs(score))), 1e-12)
    }
  }
  notes
}

# Peers that are known to be wrong.
text_differences <- list(
  `fastNaiveBayes multinomial` = "its likelihoods of long documents underflow",
  `fastNaiveBayes Bernoulli` = "its likelihoods of long documents underflow"
)

text_setting <- function(n, p, cells, k, kinds, root) {
  data <- NULL
  make <- function() {
    data <<- text_data(n, p, cells, k)
    data$presence <- (data$words != 0) * 1
    data$frame <- data.frame(y = data$y)
    data$frame$words <- data$words
    data$folds <- rep_len(1:10, n)
    if (available("quanteda")) data$dfm <- quanteda::as.dfm(data$words)
    data$models <- lapply(stats::setNames(nm = kinds), function(kind) {
      lapply(installed_only(text_fits(kind)[-2]), function(fit) fit(data))
    })
    data$scikit <- scikit_text(data, kinds, root)
    data
  }
  tasks <- unlist(lapply(kinds, function(kind) {
    stats::setNames(
      list(
        c(text_fits(kind), limit_read_cells), c(text_classes(kind), limit_read_cells),
        text_folds(kind)
      ),
      paste(kind, c("fit", "class", "ten folds"))
    )
  }), recursive = FALSE)
  list(topic = "text", n = n, p = p, k = k, make = make, same = text_same, tasks = tasks)
}

# scikit-learn fits and scores the same matrix in its own process. list(times, scores); NULL without
# scikit-learn.
scikit_text <- function(data, kinds, root) {
  python <- find_scikit()
  if (is.na(python)) return(NULL)
  folder <- tempfile("text")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  words <- data$words
  vectors <- list(
    p = words@p, i = words@i, x = words@x, y = data$code, some = as.integer(data$some - 1)
  )
  for (name in names(vectors)) writeBin(vectors[[name]], file.path(folder, name))
  script <- file.path(root, "bench", "scikit-text.py")
  status <- system2(python, c(shQuote(script), shQuote(folder), dim(words), kinds))
  if (status != 0) stop("bench/scikit-text.py failed", call. = FALSE)
  scores <- lapply(stats::setNames(nm = kinds), function(kind) {
    size <- length(data$some) * nlevels(data$y)
    matrix(
      readBin(file.path(folder, kind), "double", size), length(data$some), nlevels(data$y), TRUE
    )
  })
  list(times = utils::read.csv(file.path(folder, "times.csv")), scores = scores)
}

# Peak memory beyond the data, each call in a fresh R process.
text_memory <- function(setting, data, kinds, root) {
  if (!file.exists("/proc/self/clear_refs")) return(NULL)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  saveRDS(data[c("words", "y")], file, compress = FALSE)
  script <- shQuote(c(file.path(root, "bench", "memory-text.R"), root, file))
  cases <- expand.grid(task = c("fit", "class"), kind = kinds, stringsAsFactors = FALSE)
  do.call(rbind, lapply(seq_len(nrow(cases)), function(i) {
    printed <- system2(
      file.path(R.home("bin"), "Rscript"), c(script, cases$task[i], cases$kind[i]), stdout = TRUE,
      env = c("MALLOC_MMAP_THRESHOLD_=131072", "MALLOC_TRIM_THRESHOLD_=131072")
    )
    measured <- data.frame(
      who = "bayesrisk", unit = "MB", value = as.numeric(utils::tail(printed, 1L))
    )
    result_rows(setting, paste0(cases$kind[i], " ", cases$task[i], ": memory"), measured)
  }))
}

text_rows <- function(mode, root) {
  big <- list(n = 1e5, p = 5e4L, cells = 1e7)
  rows <- lapply(if (mode$name == "full") c(2L, 20L) else 2L, function(k) {
    kinds <- if (mode$name == "full") names(text_specs) else "multinomial"
    setting <- text_setting(big$n, big$p, big$cells, k, kinds, root)
    scikit <- memory <- NULL
    make <- setting$make
    setting$make <- function() {
      data <- make()
      scikit <<- data$scikit$times
      memory <<- text_memory(setting, data, kinds, root)
      data
    }
    ours <- run_setting(setting, mode)
    ours <- rbind(ours, memory)
    if (is.null(scikit)) return(ours)
    rbind(ours, do.call(rbind, lapply(seq_len(nrow(scikit)), function(r) {
      result_rows(setting, scikit$task[[r]], scikit[r, c("who", "value", "least", "note")])
    })))
  })
  do.call(rbind, rows)
}
