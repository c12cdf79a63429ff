# How time grows with rows, features, classes and levels, and the slopes.

growth_settings <- function(mode) {
  full <- mode$name == "full"
  by_n <- lapply(10^(3:(if (full) 7 else 6)), function(n) growth_point(n, 8L, 3L))
  by_p <- lapply(c(2L, 10L, 50L, 200L, if (full) c(500L, 2000L)), function(p) {
    growth_point(2e4, p, 3L)
  })
  by_k <- lapply(c(2L, 5L, 20L, 100L, 200L), function(k) growth_point(2e5, 10L, k))
  by_levels <- lapply(c(2L, 10L, 100L, 1000L), function(levels) {
    categorical_setting(2e5, 10L, levels, 3L, reach = "ours", topic = "growth")
  })
  c(by_n, by_p, by_k, by_levels)
}

# One point of the plots. The peer takes part only where it takes a few seconds at most.
growth_point <- function(n, p, k) {
  setting <- gaussian_setting(n, p, k, reach = "ours", topic = "growth")
  keep <- c("bayesrisk", "bayesrisk: 2 threads", "limit: read")
  peer <- n <= 1e6 && k <= 20
  setting$tasks <- lapply(
    list(fit = gaussian_fits, class = gaussian_classes),
    function(list) c(list, limit_read)[c(keep, if (peer) "naivebayes")]
  )
  names(setting$tasks) <- paste("Gaussian naive", names(setting$tasks))
  setting$make <- function() {
    data <- gaussian_data(n, p, k)
    data$models <- lapply(
      installed_only(gaussian_fits[c("bayesrisk", if (peer) "naivebayes")]),
      function(fit) fit(data)
    )
    data
  }
  setting
}

# Rows of results: the log-log slope in n, and how much longer many classes take than few.
growth_measures <- function(results) {
  points <- results[results$topic == "growth" & is.na(results$levels), ]
  if (!nrow(points)) return(NULL)
  rows <- lapply(c("Gaussian naive fit", "Gaussian naive class"), function(task) {
    ours <- points[points$task == task & points$who == "bayesrisk", ]
    rbind(
      slope_rows(ours[ours$p == 8 & ours$n >= 1e5, ], task),
      spread_rows(ours[ours$n == 2e5 & ours$k <= 100, ], task)
    )
  })
  do.call(rbind, rows)
}

measure_row <- function(task, who, value, unit) {
  result_rows(
    list(topic = "growth"), task, data.frame(who = who, value = value, unit = unit)
  )
}

slope_rows <- function(points, task) {
  if (nrow(points) < 2) return(NULL)
  slope <- stats::coef(stats::lm(log(value) ~ log(n), points))[[2]]
  who <- paste("bayesrisk: n from 1e5 to", sub("e[+]0?", "e", format(max(points$n))))
  measure_row(paste0(task, ", slope in n"), who, slope, "slope")
}

spread_rows <- function(points, task) {
  if (nrow(points) < 2) return(NULL)
  measure_row(
    paste0(task, ", growth in k"), "bayesrisk: k up to 100",
    max(points$value) / min(points$value), "times"
  )
}
