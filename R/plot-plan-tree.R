# The tree of a test plan as a figure: tests from left to right, and a row for each end of a branch.
# Boxes of one depth begin at the same place. Places along the tree are counted in letters, so that
# the texts of answers and boxes can be cut to what fits.

# A row for each box from top to bottom. Attribute `layout`: see plan_layout().
plan_tree_data <- function(x, limit) {
  tree <- x$tree
  actions <- x$cost$actions
  stopifnot(
    is.character(x$classes), is.character(actions), is.na(tree$action) | tree$action %in% actions
  )
  limit <- min(limit, max(4, floor(tree_room()[[2L]] / 0.16)))
  tree <- unite_rare(tree, all = sum(is.na(tree$test)) <= limit)
  depths <- depth_of(tree)
  for (deepest in min(max(depths), 12L):0L) {
    open <- open_nodes(tree, limit, count_answers(tree) - 1L, deepest)
    boxes <- plan_boxes(tree, open, depths)
    layout <- plan_layout(boxes)
    # In a long row of tests there is no room for the texts.
    if (layout$room >= few_letters || deepest <= 2L) break
  }
  boxes <- fit_boxes(boxes, layout)
  boxes$decision <- factor(boxes$decision, actions)
  columns <- c("node", "parent", "x", "y", "reach", "answer", "label", "decision", "hidden")
  structure(boxes[columns], layout = layout, depth = boxes$depth, share = boxes$share)
}

# The inches of the panel.
tree_room <- function() text_room() - c(0.4, 1)

# Shorter texts are not readable.
few_letters <- 9L

# The least height of a row with two lines of text.
two_lines <- 0.34

plan_boxes <- function(tree, open, depths) {
  nodes <- shown_nodes(tree, open)
  test <- !is.na(tree$test)
  steps <- stats::ave(sum_below(tree, as.integer(is_step(tree))), tree$leader, FUN = sum)
  hidden <- count_hidden(tree, open)
  panel <- tree$feature != tree$test & !is_continued(tree)
  label <- ifelse(test, ifelse(panel, paste0(tree$test, ": ", tree$feature), tree$feature),
                  tree$action)
  some <- ifelse(steps == 0, tree$size, steps)
  more <- sprintf(
    "%d %s%s", as.integer(some), ifelse(steps == 0, "decision", "more step"),
    ifelse(some == 1, "", "s")
  )
  label[hidden > 0L] <- more[hidden > 0L]
  boxes <- data.frame(
    node = tree$node, parent = tree$parent, reach = reach_of(tree),
    answer = encodeString(answer_texts(tree, 3L)), label = encodeString(label),
    decision = ifelse(hidden > 0L, NA, tree$action), hidden = hidden, depth = depths, open = open,
    share = sub("under ", "<", sub("over ", ">", share_texts(tree$probability)))
  )[nodes, ]
  boxes$y <- box_rows(boxes)
  row.names(boxes) <- NULL
  boxes
}

# Ends of branches have a row each, the first on top. A test stands between its first and its last
# answer.
box_rows <- function(boxes) {
  y <- sum(!boxes$open) + 1 - cumsum(!boxes$open)
  for (i in rev(which(boxes$open))) {
    y[[i]] <- mean(range(y[which(boxes$parent == boxes$node[[i]])]))
  }
  y
}

# `room`: the largest number of letters of a text, if not all fit; `answer`, `label`: that of each
# depth; `begin` and `turn`: where boxes begin, and lines turn into their row; `width`: that of all;
# `row`: the height of a row in inches; `scale`: the size of the text; `split`: whether the texts of
# boxes have two lines.
plan_layout <- function(boxes) {
  inches <- tree_room()
  row <- inches[[2L]] / sum(!boxes$open)
  # Between two lines stand an answer, and half of a box.
  scale <- min(1, max((row - 0.03) / 0.18, 0.4))
  # Texts are a little smaller than those of axes.
  width <- inches[[1L]] * 1.1 * letters_per_inch / scale
  found <- share_letters(boxes, boxes$label, width)
  split <- is.finite(found$room) && row >= two_lines
  if (split) found <- share_letters(boxes, in_two_lines(boxes$label), width)
  begin <- cumsum(c(0, utils::head(found$label, -1L) + 2 + found$gap[-1L]))
  c(found, list(
    begin = begin, turn = begin - found$gap + 1, width = width, row = row, scale = scale,
    split = split
  ))
}

# The letters of the answers and of the boxes of each depth. `gap`: from the box of a test to those
# of its answers.
share_letters <- function(boxes, labels, width) {
  depths <- 0:max(boxes$depth)
  longest <- function(text, of) {
    vapply(depths, function(d) max(line_letters(text[boxes$depth == d & of]), 0), 1)
  }
  answer <- replace(pmax(longest(boxes$answer, TRUE), longest(boxes$share, TRUE)), 1L, 0)
  # Boxes at the ends of branches may reach into the columns of deeper ones, which have other rows.
  last <- boxes$depth == max(depths)
  label <- longest(labels, boxes$open | last)
  # The number of hidden steps is never cut.
  least <- longest(labels, boxes$hidden > 0L & last)
  # The edges of a box, and the lines around an answer.
  free <- width - 2 * length(label) - 3 * (length(answer) - 1)
  whole <- max(answer, label)
  fit <- function(most) list(answer = pmin(answer, most), label = pmax(pmin(label, most), least))
  room <- Find(function(most) sum(unlist(fit(most))) <= free, whole:1, nomatch = 1)
  answer <- fit(room)$answer
  label <- fit(room)$label
  spare <- max(0, free - sum(answer, label)) / max(1, length(answer) - 1)
  list(
    room = if (room == whole) Inf else room, answer = answer, label = label,
    gap = answer + 3 + spare
  )
}

in_two_lines <- function(text) {
  vapply(text, function(line) paste(halves(line), collapse = "\n"), "", USE.NAMES = FALSE)
}

# The width of each text, which may have several lines.
line_letters <- function(text) {
  vapply(strsplit(text, "\n", fixed = TRUE), function(x) max(nchar(x, "width"), 0L), 1L)
}

cut_lines_to <- function(text, letters) {
  vapply(strsplit(text, "\n", fixed = TRUE), function(lines) {
    paste(cut_to(lines, letters), collapse = "\n")
  }, "")
}

# The boxes with their places, and with texts that fit.
fit_boxes <- function(boxes, layout) {
  k <- boxes$depth + 1L
  boxes$x <- layout$begin[k]
  for (column in unique(k)) {
    own <- k == column
    boxes$answer[own] <- cut_to(boxes$answer[own], layout$answer[[column]])
    boxes$label[own & boxes$open] <- fit_label(boxes$label[own & boxes$open],
                                               layout$label[[column]], layout$split)
    # Half a letter covers errors of rounding.
    to_the_end <- layout$width - layout$begin[[column]] - 1.5
    ends <- own & !boxes$open
    boxes$label[ends] <- fit_label(boxes$label[ends], to_the_end, layout$split)
  }
  boxes$answer[boxes$depth == 0L] <- NA
  boxes
}

# Texts of one line, or of two where these do not fit.
fit_label <- function(text, letters, split) {
  if (!split) return(cut_to(text, letters))
  wide <- nchar(text, "width") > letters
  text[wide] <- cut_lines_to(in_two_lines(text[wide]), letters)
  text
}

plan_tree_figure <- function(drawn, style) {
  layout <- attr(drawn, "layout")
  actions <- levels(drawn$decision)
  keys <- label_style(actions, style)
  lines <- plan_lines(drawn)
  ends <- drawn[!is.na(drawn$decision), ]
  tests <- drawn[is.na(drawn$decision) & drawn$hidden == 0L, ]
  hidden <- drawn[drawn$hidden > 0L, ]
  start_figure(drawn, c(
    label_scales(keys, stats::setNames(region_colours(actions, keys), actions)),
    list(
      scale_x_continuous = function(...) bare_axis(ggplot2::scale_x_continuous, 1),
      scale_y_continuous = function(...) bare_axis(ggplot2::scale_y_continuous, 0.6)
    )
  )) +
    ggplot2::geom_path(
      aes_of(x = "x", y = "y", group = "line"), lines, linewidth = lines$width, colour = "grey50",
      linejoin = "round"
    ) +
    plan_answers(drawn) +
    boxes_of(tests, layout, fill = "white") +
    boxes_of(hidden, layout, fill = "white", colour = "grey45", fontface = "italic") +
    boxes_of(ends, layout, fill = "decision") +
    ggplot2::expand_limits(x = c(0, layout$width)) +
    titled(NULL, NULL, fill = "decision", caption = if (nrow(lines)) paste0(
      "The wider a line, the more cases.", if (nrow(hidden)) " Italic: steps that are not drawn."
    ))
}

bare_axis <- function(scale, room) {
  scale(breaks = NULL, expand = ggplot2::expansion(add = room))
}

text_size <- 2.8

# `fill`: a colour, or the column "decision".
boxes_of <- function(boxes, layout, fill, ...) {
  if (!nrow(boxes)) return(NULL)
  mapped <- fill %in% names(boxes)
  aes <- aes_of(x = "x", y = "y", label = "label", fill = if (mapped) fill)
  looks <- list(
    ..., hjust = 0, lineheight = 0.9, size = text_size * layout$scale * text_scale(),
    show.legend = mapped, key_glyph = "rect",
    label.padding = ggplot2::unit(0.15 * layout$scale, "lines"), fill = if (!mapped) fill
  )
  rlang::inject(ggplot2::geom_label(aes, boxes, !!!looks[lengths(looks) > 0L]))
}

# The answers above the lines that lead to their boxes, and below the lines their shares of the
# cases of the test, where there is room for two texts.
plan_answers <- function(drawn) {
  layout <- attr(drawn, "layout")
  k <- attr(drawn, "depth") + 1L
  texts <- data.frame(
    answer = drawn$answer, share = attr(drawn, "share"), x = (drawn$x + layout$turn[k]) / 2,
    apart = (0.025 + 0.015 * line_widths(drawn$reach)) / layout$row
  )
  texts$above <- drawn$y + texts$apart
  texts$below <- drawn$y - texts$apart
  texts <- texts[k > 1L, ]
  if (!nrow(texts)) return(NULL)
  text <- function(rows, y, label, vjust, size) {
    numbers_of(rows, x = "x", y = y, label = label, size = size * layout$scale, looks = list(
      vjust = vjust, colour = "grey10"
    ))
  }
  fits <- nchar(texts$share, "width") <= layout$answer[k[k > 1L]]
  list(
    text(texts, "above", "answer", 0, text_size),
    if (layout$row >= two_lines && any(fits)) text(texts[fits, ], "below", "share", 1, 2.4)
  )
}

# Lines from a test to its answers, the widest at the bottom: along the row of the test, up or down,
# and along the row of the answer.
plan_lines <- function(drawn) {
  layout <- attr(drawn, "layout")
  below <- order(-drawn$reach)
  below <- below[!is.na(drawn$parent[below])]
  above <- match(drawn$parent[below], drawn$node)
  turn <- layout$turn[attr(drawn, "depth")[below] + 1L]
  corner <- function(x, y, at) {
    data.frame(line = seq_along(below), at = rep(at, length(below)), x = x, y = y)
  }
  lines <- rbind(
    corner(drawn$x[above], drawn$y[above], 1L), corner(turn, drawn$y[above], 2L),
    corner(turn, drawn$y[below], 3L), corner(drawn$x[below], drawn$y[below], 4L)
  )
  lines$width <- line_widths(drawn$reach[below])[lines$line]
  lines[order(lines$line, lines$at), ]
}

line_widths <- function(reach) 0.3 + 2 * reach
