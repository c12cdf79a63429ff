# Text that is cut to fit.

# Text cut in its middle to a width in inches. An expression is not cut.
cut_text <- function(text, width, cex = 1) {
  if (!is.character(text)) return(text)
  fits <- function(text) graphics::strwidth(text, "inches", cex) <= width
  wide <- which(!fits(text))
  text[wide] <- vapply(text[wide], function(label) {
    size <- nchar(label)
    cut_to <- function(kept) {
      end <- substring(label, size - kept %/% 2L + 1L)
      paste0(substring(label, 1L, (kept + 1L) %/% 2L), "...", end)
    }
    kept <- Find(function(kept) fits(cut_to(kept)), max(size - 1L, 0L):0, nomatch = 0L)
    cut_to(kept)
  }, "", USE.NAMES = FALSE)
  text
}

# Labels cut to a width. If labels would become equal, a part that they share is cut instead: their
# common end, their common beginning, or both.
shorten_labels <- function(labels, width, cex = 1) {
  cut <- cut_text(labels, width, cex)
  for (same in split(seq_along(labels), match(cut, cut))) {
    if (length(unique(labels[same])) > 1L) cut[same] <- cut_shared(labels[same], width, cex)
  }
  cut
}

cut_shared <- function(labels, width, cex) {
  # Words and numbers stay whole.
  begin <- nchar(sub("[[:alnum:]]*$", "", shared_start(labels)))
  rest <- substring(labels, begin + 1L)
  end <- nchar(sub("[[:alnum:]]*$", "", shared_start(reverse_text(rest))))
  middle <- substring(rest, 1L, nchar(rest) - end)
  first <- paste0(substring(labels, 1L, begin), middle, "...")
  both <- paste0("...", middle, "...")
  for (tried in list(first, paste0("...", rest), both)) {
    if (all(graphics::strwidth(tried, "inches", cex) <= width)) return(tried)
  }
  cut_text(labels, width, cex)
}

reverse_text <- function(x) {
  vapply(strsplit(x, ""), function(letters) paste(rev(letters), collapse = ""), "")
}

# The common beginning of all labels.
shared_start <- function(labels) {
  first <- labels[[1L]]
  size <- Find(function(n) all(startsWith(labels, substring(first, 1L, n))), nchar(first):0)
  substring(first, 1L, size)
}
