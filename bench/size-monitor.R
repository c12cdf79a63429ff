# The size of the alarm of monitor(), over training sets and streams without a change, and how soon
# changes are found.
#
#     Rscript bench/size-monitor.R [streams] [rows] [pattern of cells]
#
# Two normals, `apart` sd apart in each feature, `training` rows. `labelled`: with classes.

suppressMessages(library(bayesrisk))
asked <- commandArgs(TRUE)
streams <- if (length(asked)) as.numeric(asked[[1L]]) else 200
long <- if (length(asked) > 1L) as.numeric(asked[[2L]]) else 1e5
pattern <- if (length(asked) > 2L) asked[[3L]] else ""

draw <- function(n, share, apart, features = 1L) {
  y <- stats::runif(n) < share
  x <- matrix(stats::rnorm(n * features), n) + apart * y
  data.frame(y = factor(y), x)
}

# The rows of the alarms, NA without. `after(n)`: rows after `at` rows without a change.
alarms <- function(streams, rows, training = 200, share = 0.5, apart = 2, features = 1L,
                   labelled = FALSE, after = NULL, at = 0, chunk = 1000) {
  found <- lapply(seq_len(streams), function(i) {
    set.seed(i)
    train <- draw(training, share, apart, features)
    if (any(table(train$y) < 2)) return(NULL)
    watch <- monitor(fit(bayes_naive(), y ~ ., train), seed = i, threads = 1)
    read <- 0
    while (read < rows && !watch$alarm) {
      n <- if (read < at) min(chunk, at - read) else min(chunk, rows - read)
      new <- if (read < at || is.null(after)) draw(n, share, apart, features) else after(n)
      watch <- update(watch, if (labelled) new else new[-1L], threads = 1)
      read <- read + n
    }
    data.frame(row = watch$row, prior = watch$prior[["TRUE"]])
  })
  do.call(rbind, found)
}

say <- function(what, found, at = 0, within = 300) {
  cat(sprintf(
    "%-56s %4d streams: %d alarms, %d before row %d, %d in the %d rows then; median share %.2f\n",
    what, nrow(found), sum(!is.na(found$row)), sum(found$row <= at, na.rm = TRUE), at,
    sum(found$row > at & found$row <= at + within, na.rm = TRUE), within, stats::median(found$prior)
  ))
}

moved <- function(n) draw(n, 0.2, 2)

# Each cell: the row of the change, and a function that runs the streams.
cells <- list(
  "no change, 200 training rows" = list(0, function() alarms(streams, long)),
  "share from .5 to .2" = list(0, function() alarms(streams, 300, after = moved, chunk = 100)),
  "share from .5 to .2 after 1,000 rows" = list(1000, function() {
    alarms(streams, 1300, after = moved, at = 1000, chunk = 100)
  }),
  "share from .5 to .2 after 20,000 rows" = list(20000, function() {
    alarms(streams, 20300, after = moved, at = 20000)
  }),
  "share from .5 to .2, with classes" = list(0, function() {
    alarms(streams, 300, after = moved, chunk = 100, labelled = TRUE)
  }),
  "no change, 40 training rows" = list(0, function() alarms(streams, long / 4, training = 40)),
  "no change, share .1" = list(0, function() alarms(streams, long / 4, share = 0.1)),
  "no change, 5 features 1 sd apart" = list(0, function() {
    alarms(streams, long / 4, apart = 1, features = 5L)
  }),
  "no change, 20 features .5 sd apart, 60 training rows" = list(0, function() {
    alarms(streams, long / 20, training = 60, apart = 0.5, features = 20L)
  }),
  "no change, with classes" = list(0, function() alarms(streams, long / 4, labelled = TRUE)),
  "no change, with classes, 5 features, 40 training rows" = list(0, function() {
    alarms(streams, long / 4, training = 40, features = 5L, labelled = TRUE)
  })
)

for (name in grep(pattern, names(cells), value = TRUE)) {
  say(name, cells[[name]][[2L]](), cells[[name]][[1L]])
}
