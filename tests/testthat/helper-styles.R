# The output of print(), in a terminal with a given number of colours.
printed <- function(x, colours = 1L, ...) {
  withr::local_options(cli.num_colors = colours)
  utils::capture.output(print(x, ...))
}

# The same text, with styles only where the terminal has them.
expect_styled <- function(x) {
  plain <- printed(x)
  styled <- printed(x, 256L)
  testthat::expect_false(any(cli::ansi_has_any(plain)))
  testthat::expect_true(any(cli::ansi_has_any(styled)))
  testthat::expect_identical(as.character(cli::ansi_strip(styled)), plain)
}
