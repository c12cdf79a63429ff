# Dependence and blocks of chunks, parts and tables against those of the same rows in memory.

# Calls on `data`. Levels, kinds and a class show in late rows only.
count_uses <- function() {
  list(
    all = function(data) feature_dependence(y ~ x + z + k + f + l + g + late, data),
    weighted = function(data) {
      feature_dependence(y ~ log(z + 1) + f + factor(k) + g, data, weights = w, subset = k > 0)
    },
    omitted = function(data) {
      feature_dependence(y ~ x + z + f + late, data, na.action = stats::na.omit)
    },
    dot = function(data) feature_dependence(y ~ ., data, weights = w),
    search = function(data) {
      search_blocks(bayes_naive(laplace = 1), y ~ x + z + k + f + l + g + late, data)
    },
    bic = function(data) {
      start <- bayes_blocks(list(c("z", "k"), c("f", "g")), laplace = 1)
      search_blocks(start, y ~ z + k + f + g + l, data, criterion = "bic", weights = w)
    }
  )
}

dependent_rows <- function(n = 600L) {
  data <- late_data(n)
  data$k <- data$k + round(data$z)
  data$l[data$f %in% "p"] <- TRUE
  data
}

# Numbers within 1e-12 of their size, all else equal; also the paths of searches.
expect_same_counts <- function(found, wanted, label) {
  expect_equal(found, wanted, tolerance = 1e-12, label = label)
  expect_equal(as.data.frame(found), as.data.frame(wanted), tolerance = 1e-12, label = label)
}

test_that("chunks and parts are counted as their rows are", {
  rows <- dependent_rows()
  pieces <- in_pieces(rows, 250)
  # Workers of other processes get a copy.
  sent <- function(x, f) lapply(x, function(part) unserialize(serialize(f, NULL))(part))
  uses <- count_uses()
  for (name in names(uses)) {
    wanted <- suppressMessages(uses[[name]](rows))
    for (size in c(101, 1e4)) {
      expect_same_counts(suppressMessages(uses[[name]](chunked(rows, size))), wanted, name)
    }
    parts <- data_parts(list(pieces[[1L]], function() chunked(pieces[[2L]], 99), pieces[[3L]]),
                        map = sent)
    expect_same_counts(suppressMessages(uses[[name]](parts)), wanted, name)
  }
})

test_that("the order of rows changes nothing", {
  rows <- dependent_rows()
  backwards <- chunked(rows[rev(seq_len(nrow(rows))), ], 150)
  for (use in count_uses()) {
    expect_same_counts(suppressMessages(use(backwards)), suppressMessages(use(rows)), "backwards")
  }
})

test_that("rows of tables with all numbers known are read as often as needed", {
  reads <- 0
  rows <- dependent_rows()
  chunks <- chunked(rows, 300)
  counted <- data_chunks(
    function() environment(chunks$open)$next_chunk(), reset = function() {
      reads <<- reads + 1
      environment(chunks$open)$reset()
    }
  )
  feature_dependence(y ~ z + k + w, counted)
  # The levels, and one scatter of all numbers.
  expect_identical(reads, 2)
})

for (engine in database_engines) {
  test_that(paste("a lazy table is counted as its rows are:", engine), {
    rows <- dependent_rows()
    rows$g <- as.character(rows$g)
    if (engine %in% c("sqlite", "mariadb")) rows$l <- as.integer(rows$l)
    table <- put_table(local_database(engine), rows)
    uses <- count_uses()
    for (name in c("all", "omitted", "search", "bic")) {
      found <- muffle_ours(uses[[name]](table))
      expect_equal(
        as.data.frame(found), as.data.frame(muffle_ours(uses[[name]](rows))), tolerance = 1e-9,
        label = name
      )
    }
  })
}

test_that("a table in an order of its own is counted to 1e-12", {
  rows <- dependent_rows()
  rows$g <- as.character(rows$g)
  rows$l <- as.integer(rows$l)
  table <- put_table(local_database("sqlite"), rows)
  for (name in c("all", "search")) {
    use <- count_uses()[[name]]
    expect_same_counts(muffle_ours(use(table)), muffle_ours(use(rows)), name)
    parts <- data_parts(list(utils::head(table, 200), rows[201:600, ]))
    expect_same_counts(muffle_ours(use(parts)), muffle_ours(use(rows)), name)
  }
})

test_that("what a source cannot have is an error with a remedy", {
  rows <- dependent_rows()
  expect_bayesrisk_error(
    feature_dependence(y ~ z + k, chunked(rows, 100, again = FALSE)), "data", "reset"
  )
  expect_bayesrisk_error(feature_dependence(y ~ z, chunked(rows, 100)), "argument", "two features")
  expect_bayesrisk_error(
    feature_dependence(y ~ z + k, chunked(rows, 100), weights = rows$w), "argument", "column"
  )
  rows$late <- NA
  expect_bayesrisk_error(
    search_blocks(bayes_naive(laplace = 1), y ~ f + late + l, chunked(rows, 100)), "data", "late"
  )
  spread <- transform(rows, z = z * 1e200)
  expect_bayesrisk_error(feature_dependence(y ~ z + k, chunked(spread, 100)), "degenerate", "z")
  passes <- 0
  chunks <- data_chunks(function() {
    passes <<- passes + 1
    if (passes %% 2 == 1) rows[seq_len(100 + passes), ]
  }, reset = function() NULL)
  expect_bayesrisk_error(feature_dependence(y ~ z + k, chunks), "data", "changed")
})
