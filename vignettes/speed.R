# What the vignette on speed and bench/run.R share: reading results, ratios and figures.

read_results <- function(file) utils::read.csv(file, comment.char = "#")

# The lines that say when and on what.
read_about <- function(file) sub("^# ", "", grep("^#", readLines(file), value = TRUE))

is_limit <- function(results) startsWith(results$who, "limit:")

## Ratios --------------------------------------------------------------------------------------

# A row per task and size with our seconds, and how many times longer each peer takes.
ratio_table <- function(results, task, peers) {
  rows <- results[results$task == task & results$order == "random", ]
  ours <- rows[rows$who == "bayesrisk", ]
  table <- data.frame(size = ours$size, seconds = signif(ours$value, 2))
  for (peer in peers) {
    # Of several ways of one peer the fastest.
    table[[peer]] <- vapply(seq_len(nrow(ours)), function(i) {
      theirs <- rows$value[rows$size == ours$size[i] & startsWith(rows$who, peer)]
      if (length(theirs)) signif(min(theirs) / ours$value[i], 2) else NA_real_
    }, 0)
  }
  table[rowSums(!is.na(table[peers])) > 0, ]
}

# For each task and size the limit that binds (the one that takes longest) and its share of our
# time, on rows in random order.
limit_table <- function(results) {
  wanted <- results$order == "random" & results$unit == "s" & !grepl("threads", results$who)
  rows <- results[wanted, ]
  limits <- rows[is_limit(rows) & rows$who != "limit: crossprod() by Eigen", ]
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
}

plot_growth_panel <- function(points, way, label) {
  who <- c("bayesrisk", "naivebayes", "limit: read")
  points <- points[points$who %in% who, ]
  class <- grepl("class$", points$task)
  colour <- c("#0072B2", "#D55E00", "grey50")[match(points$who, who)]
  graphics::plot(
    points[[way]], points$value, log = "xy", col = colour, pch = ifelse(class, 17, 1),
    xlab = label, ylab = "seconds", bty = "l"
  )
  line <- paste(points$who, class)
  for (one in unique(line)) {
    graphics::lines(
      points[[way]][line == one], points$value[line == one], col = colour[line == one][1],
      lty = if (endsWith(one, "TRUE")) 2 else 1
    )
  }
  if (way == "n") {
    graphics::legend(
      "topleft", c("bayesrisk", "naivebayes", "one read", "fit", "class"), bty = "n",
      col = c("#0072B2", "#D55E00", "grey50", "black", "black"), lty = c(1, 1, 1, 1, 2),
      pch = c(NA, NA, NA, 1, 17)
    )
  }
}

# The share of the limit that is reached, a bar per task.
plot_limits <- function(results, topics = c("gaussian", "covariance", "categorical")) {
  table <- limit_table(results)
  table <- table[table$topic %in% topics & table$seconds > 1e-4, ]
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
