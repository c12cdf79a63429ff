# The data of a page of explorer(): the numbers of a table, and the size of all.

page_numbers <- function(text) {
  readBin(jsonlite::base64_dec(text), "double", 1e6, size = 4, endian = "little")
}

page_size <- function(page) nchar(htmlwidgets:::toJSON(page$x), "bytes") # nolint
