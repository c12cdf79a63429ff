# Functions that vignettes share with bench/: reading results, ratios, figures and tables.

read_results <- function(file) utils::read.csv(file, comment.char = "#")

# The comment lines of a file, which state the date and the machine of the run.
read_about <- function(file) sub("^# ", "", grep("^#", readLines(file), value = TRUE))

is_limit <- function(results) startsWith(results$who, "limit:")

## Ratios --------------------------------------------------------------------------------------

# A row per task and size: the seconds of bayesrisk, and the time of each peer divided by them.
ratio_table <- function(results, task, peers) {
  wanted <- results$task == task & results$order == "random" & results$topic != "growth" &
    !grepl("threads", results$who)
  rows <- results[wanted, ]
  ours <- rows[rows$who == "bayesrisk", ]
  table <- data.frame(size = ours$size, seconds = say(ours$value))
  for (peer in peers) {
    # The fastest of several ways of one peer.
    table[[peer]] <- vapply(seq_len(nrow(ours)), function(i) {
      theirs <- rows$value[rows$size == ours$size[i] & startsWith(rows$who, peer)]
      if (length(theirs)) say(min(theirs) / ours$value[i]) else NA_character_
    }, "")
  }
  table[rowSums(!is.na(table[peers])) > 0, ]
}

# The ratio of a target as text: another time to that of bayesrisk, or the reverse, or a single
# number.
target_ratio <- function(targets) {
  against <- gsub("|", " or ", targets$against, fixed = TRUE)
  ratio <- ifelse(
    targets$sense == "at least", paste(against, "/", targets$ours),
    paste(targets$ours, "/", against)
  )
  ifelse(against == "", targets$ours, ratio)
}

# Numbers as text, each with the same number of significant digits.
say <- function(x, digits = 2) {
  vapply(signif(x, digits), format, "", digits = digits, scientific = FALSE, drop0trailing = TRUE)
}

# For each task and size the limit that binds (the limit with the longest time), and its time as a
# share of the time of bayesrisk, for rows in random order.
limit_table <- function(results) {
  wanted <- results$order == "random" & results$unit == "s" & !grepl("threads", results$who)
  rows <- results[wanted, ]
  limits <- rows[is_limit(rows), ]
  if (!nrow(limits)) return(limits)
  ours <- rows[rows$who == "bayesrisk", ]
  key <- function(rows) paste(rows$topic, rows$task, rows$size)
  bounds <- do.call(rbind, lapply(split(limits, key(limits)), function(these) {
    these[which.max(these$value), ]
  }))
  at <- match(key(ours), key(bounds))
  table <- data.frame(
    topic = ours$topic, task = ours$task, size = ours$size, seconds = ours$value,
    bound = sub("limit: ", "", bounds$who[at]), share = bounds$value[at] / ours$value
  )
  table[!is.na(at), ]
}

## Figures -------------------------------------------------------------------------------------

# Seconds against rows, features, classes and levels, both axes logarithmic.
plot_growth <- function(results) {
  points <- results[results$topic == "growth" & results$unit == "s", ]
  ways <- list(
    n = points[is.na(points$levels) & points$p == 8, ],
    p = points[is.na(points$levels) & points$n == 2e4, ],
    k = points[is.na(points$levels) & points$n == 2e5, ],
    levels = points[!is.na(points$levels), ]
  )
  labels <- c(n = "rows", p = "features", k = "classes", levels = "levels of a factor")
  ways <- Filter(nrow, ways)
  before <- graphics::par(mfrow = c(ceiling(length(ways) / 2), 2), mar = c(4, 4, 1, 1), cex = 0.7)
  on.exit(graphics::par(before))
  for (way in names(ways)) plot_growth_panel(ways[[way]], way, labels[[way]])
  graphics::legend(
    "center", c("bayesrisk", "naivebayes", "one read", "fit", "class"), bty = "n",
    col = c(growth_colours, "black", "black"), lty = c(1, 1, 1, 1, 2), pch = c(NA, NA, NA, 1, 17)
  )
}

growth_colours <- c(bayesrisk = "#0072B2", naivebayes = "#D55E00", `limit: read` = "grey50")

plot_growth_panel <- function(points, way, label) {
  points <- points[points$who %in% names(growth_colours), ]
  class <- grepl("class$", points$task)
  colour <- growth_colours[points$who]
  graphics::plot(
    points[[way]], points$value, log = "xy", col = colour, pch = ifelse(class, 17, 1),
    xlab = label, ylab = "seconds", axes = FALSE
  )
  if (way == "n") power_axis(1, points$n) else graphics::axis(1)
  power_axis(2, points$value)
  line <- paste(points$who, class)
  for (one in unique(line)) {
    at <- line == one
    graphics::lines(
      points[[way]][at], points$value[at], col = colour[at][1], lty = if (class[at][1]) 2 else 1
    )
  }
}

power_axis <- function(side, values) {
  powers <- seq(floor(log10(min(values))), ceiling(log10(max(values))))
  graphics::axis(side, 10^powers, parse(text = paste0("10^", powers)), las = 1)
}

# The share of the limit that each task reaches: a bar per task, for the sizes of the targets.
plot_limits <- function(results) {
  table <- limit_table(results)
  sizes <- c(
    "1e6 x 10, k 3", "1e6 x 32, k 2", "1e5 x 500, k 3", "1e5 x 64, k 5", "1e6 x 10, L 8, k 3",
    "1e6 x 10, L 50, k 10"
  )
  topics <- c("gaussian", "covariance", "categorical")
  table <- table[table$topic %in% topics & table$size %in% sizes, ]
  if (!nrow(table)) return(invisible())
  table <- table[rev(seq_len(nrow(table))), ]
  before <- graphics::par(mar = c(4, 20, 0.5, 4), cex = 0.7)
  on.exit(graphics::par(before))
  at <- graphics::barplot(
    table$share, names.arg = paste(table$task, table$size, sep = ", "), horiz = TRUE, las = 1,
    border = NA, col = "#56B4E9", xlim = c(0, max(1, table$share)),
    xlab = "share of the limit that is reached"
  )
  graphics::text(table$share, at, table$bound, pos = 4, xpd = NA, col = "grey30")
}

## Public data ---------------------------------------------------------------------------------

# The data sets on which the first call of bayesrisk is an error.
public_refusals <- function(results) {
  results[results$who == "first call" & !results$works, c("package", "set", "smallest", "note")]
}

# The rows of the data sets on which all classifiers were run.
public_complete <- function(results) {
  results <- results[results$who != "first call", ]
  sets <- paste(results$package, results$set)
  runs <- table(sets)
  results[sets %in% names(runs)[runs == max(runs)], ]
}

# A row for each classifier: on how many data sets it works, and how bayesrisk compares on those on
# which both work: better / as good (within 0.005) / worse, and the median difference.
public_scores <- function(results) {
  sets <- paste(results$package, results$set)
  of <- function(who) {
    rows <- results[results$who == who, ]
    rows[match(unique(sets), sets[results$who == who]), ]
  }
  counts <- function(gain) {
    gain <- gain[!is.na(gain)]
    same <- abs(gain) <= 0.005
    paste(sum(gain > 0.005), sum(same), sum(gain < -0.005), sep = " / ")
  }
  ours <- of("bayesrisk")
  rows <- lapply(unique(results$who), function(who) {
    theirs <- of(who)
    if (who == "bayesrisk") return(data.frame(who, sum(ours$works), "", NA, "", NA))
    accuracy <- ours$accuracy - theirs$accuracy
    loss <- ours$log_loss - theirs$log_loss
    data.frame(
      who, sum(theirs$works), counts(accuracy), stats::median(accuracy, na.rm = TRUE),
      counts(-loss), stats::median(loss, na.rm = TRUE)
    )
  })
  names <- c("classifier", "works", "by accuracy", "difference", "by log loss", "difference")
  do.call(rbind, lapply(rows, stats::setNames, make.unique(names)))
}

## Probabilities -------------------------------------------------------------------------------

# A row for each classifier, over the data sets on which all classifiers work. Differences are to
# the naive model: on how many sets the log loss is lower and higher, and the largest increase.
probability_scores <- function(results) {
  results <- probability_complete(results)
  sets <- unique(paste(results$package, results$set))
  of <- function(who) {
    rows <- results[results$who == who, ]
    rows[match(sets, paste(rows$package, rows$set)), ]
  }
  naive <- of("naive")
  rows <- lapply(unique(results$who), function(who) {
    own <- of(who)
    more <- own$log_loss - naive$log_loss
    data.frame(
      classifier = who, log_loss = stats::median(own$log_loss),
      lower = sum(more < 0), higher = sum(more > 0), worst = max(more, 0),
      calibration = stats::median(own$calibration),
      cost = stats::median(own$cost / naive$cost, na.rm = TRUE)
    )
  })
  do.call(rbind, rows)
}

# The rows of the data sets on which all classifiers work.
probability_complete <- function(results) {
  set <- paste(results$package, results$set)
  failed <- set[is.na(results$log_loss)]
  complete <- table(set) == length(unique(results$who))
  results[!set %in% failed & complete[set], ]
}
