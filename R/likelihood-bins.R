# Bins of histograms. A schema stores the bins of a feature, as it stores levels. Either
# list(asked, origin, width, first, last): the cells of a grid, from the first to the last cell
# that holds data (Inf and -Inf: no data). Or list(asked, edges): numbers, or a list by class.

most_bins <- 1e6

bins_asked <- function(likelihood) unclass(likelihood)[c("width", "origin", "breaks")]

check_breaks <- function(breaks, call) {
  if (is.character(breaks)) return(check_choice(breaks, c("Sturges", "FD"), "breaks", call))
  if (is.list(breaks)) {
    breaks <- check_by_class(breaks, "breaks", call)
    return(Map(check_edges, breaks, paste0("breaks$", names(breaks)), MoreArgs = list(call = call)))
  }
  check_edges(unname(check_numbers(breaks, "breaks", call = call)), "breaks", call)
}

check_edges <- function(edges, arg, call) {
  if (length(edges) < 2L) {
    abort_argument("{.arg {arg}} must have two or more edges, not {length(edges)}.", call)
  }
  check_gaps(diff(edges), arg, call)
  edges
}

# Checks that widths are large enough to divide by.
check_gaps <- function(gaps, arg, call) {
  if (all(gaps > 0 & is.finite(gaps) & is.finite(1 / gaps))) return(invisible())
  what <- if (arg == "width") "positive" else "increasing"
  abort_argument(
    "{.arg {arg}} must be {what}, by steps whose inverse is a finite number.", call
  )
}

has_sound_bins <- function(feature) {
  bins <- feature$bins
  if (is.null(bins)) return(TRUE)
  if (!is.list(bins) || !is.list(bins$asked)) return(FALSE)
  if (is.null(bins$edges)) {
    cells <- bins[c("origin", "width", "first", "last")]
    return(all(vapply(cells, function(x) is_plain(x, is.double) && length(x) == 1L, NA)))
  }
  edges <- if (is.list(bins$edges)) bins$edges else list(bins$edges)
  all(vapply(edges, is_plain, NA, is.double))
}

settle_bins <- function(likelihood, feature, range, call) {
  asked <- bins_asked(likelihood)
  known <- if (identical(feature$bins$asked, asked)) feature$bins
  # The models of groups share their bins.
  if (!is.null(known) && isTRUE(feature$settled)) return(known)
  if (!is.null(asked$width)) {
    origin <- if (is.null(asked$origin)) known$origin else asked$origin
    return(c(list(asked = asked), grid_cells(asked$width, origin, range(), feature$name, call)))
  }
  if (!is.null(known)) return(known)
  breaks <- asked$breaks
  edges <- if (is.character(breaks)) rule_edges(breaks, range, feature$name, call) else breaks
  list(asked = asked, edges = edges)
}

# The cells origin + j width that cover a range. Cells are closed on the left.
grid_cells <- function(width, origin, range, name, call) {
  if (range$weight == 0) {
    if (is.null(origin)) abort_no_range(name, call)
    return(list(origin = origin, width = width, first = Inf, last = -Inf))
  }
  if (is.null(origin)) origin <- range$lowest
  edge <- function(j) cell_edges(origin, width, j)
  cell <- function(x) {
    j <- floor((x - origin) / width)
    j - (x < edge(j)) + (x >= edge(j + 1))
  }
  list(origin = origin, width = width, first = cell(range$lowest), last = cell(range$highest))
}

# Equal bins from the smallest to the largest value. A rule determines their number.
rule_edges <- function(rule, range, name, call) {
  range <- range(quartiles = rule == "FD")
  if (range$weight == 0) abort_no_range(name, call)
  spread <- range$highest - range$lowest
  if (spread == 0) {
    abort_degenerate(c(
      "{.field {name}} has one value only: {.val {rule}} needs a range to divide into bins.",
      i = "Give {.arg width} or {.arg breaks} in {.fn likelihood_histogram}."
    ), call)
  }
  width <- 2 * (range$upper_quartile - range$lower_quartile) / range$weight^(1 / 3)
  # The range of the values can overflow to infinity. Such edges are an error.
  by_spread <- rule == "FD" && is.finite(spread) && is.finite(width) && width > 0
  bins <- if (by_spread) ceiling(spread / width) else ceiling(log2(max(1, range$weight)) + 1)
  check_bin_count(bins, name, call)
  edges <- c(range$lowest + spread * (seq_len(bins) - 1) / bins, range$highest)
  check_edges_apart(edges, name, call)
}

abort_no_range <- function(name, call) {
  abort_data(c(
    "{.field {name}} has no value, so its first bin has no edge.",
    i = "Give {.arg width} with {.arg origin}, or {.arg breaks}."
  ), call)
}

check_bin_count <- function(bins, name, call) {
  if (is.finite(bins) && bins <= most_bins) return(invisible())
  needed <- format(bins, digits = 3L)
  abort_degenerate(c(
    "{.field {name}} would need {needed} bins; at most {most_bins} are kept.",
    i = "Look for an outlier, or give a larger {.arg width}."
  ), call)
}

# Bins in the engine's format: their number and their edges, class after class.
engine_bins <- function(bins, classes, name, call) {
  edges <- bins$edges
  if (is.null(edges)) {
    edges <- grid_edges(bins, name, call)
  } else if (is.list(edges)) {
    edges <- unname(edges[match_names(names(edges), classes, "breaks", call = call)])
    return(list(bins = lengths(edges) - 1L, edges = unlist(edges)))
  }
  list(bins = max(0L, length(edges) - 1L), edges = edges)
}

grid_edges <- function(grid, name, call) {
  bins <- grid$last - grid$first + 1
  if (identical(bins, -Inf)) return(numeric())
  check_bin_count(bins, name, call)
  check_edges_apart(cell_edges(grid$origin, grid$width, grid$first + 0:bins), name, call)
}

# The left edges of cells: the smaller of origin + j width and the same number rounded to 15 decimal
# digits. In doubles 3 * 0.1 exceeds 0.3, but the user expects a cell of width 0.1 to begin at 0.3.
cell_edges <- function(origin, width, cells) {
  edges <- origin + width * cells
  size <- pmax(abs(origin), abs(width * cells))
  digits <- 15 - ceiling(log10(size))
  decimal <- round(edges, pmin(digits, 300))
  ifelse(size > 0 & is.finite(decimal), pmin(edges, decimal), edges)
}

check_edges_apart <- function(edges, name, call) {
  if (all(is.finite(edges)) && !is.unsorted(edges, strictly = TRUE)) return(edges)
  abort_degenerate(c(
    "The bins of {.field {name}} are too narrow, or its numbers too large: a double cannot tell
     their edges apart.",
    i = "Give a larger {.arg width}, or scale or shift the feature before the fit."
  ), call)
}

# Grids are extended to cover both parts. Other bins cannot be united.
unite_bins <- function(first, second, name, call) {
  same <- setdiff(names(first), c("first", "last"))
  if (!identical(first[same], second[same])) {
    abort_argument(c(
      "The parts have other bins of {.field {name}}, which depend on their data.",
      i = "Give {.arg width} with {.arg origin}, or {.arg breaks}, in
           {.fn likelihood_histogram}."
    ), call)
  }
  if (is.null(first$edges)) {
    first$first <- min(first$first, second$first)
    first$last <- max(first$last, second$last)
  }
  first
}

# The edges of each set of bins of a bank.
edges_of_bins <- function(bank) {
  counts <- ifelse(bank$bins > 0L, bank$bins + 1L, 0L)
  unname(split(bank$edges, factor(rep(seq_along(bank$bins), counts), seq_along(bank$bins))))
}

# The value of the bin of a number that lies between the first and the last edge, as text.
bins_text <- function(x, edges, values, to) {
  steps_text(x, to$number(edges[-c(1L, length(edges))]), values, to)
}
