# What plot() and autoplot() have in common before they draw: both take the data of a figure from
# the same function, with the same errors.

# The argument of the caller that holds the result to draw: plot() has `x`, autoplot() has `object`.
drawn_name <- function(call) {
  if (exists("object", call, inherits = FALSE)) "object" else "x"
}

check_any_drawn <- function(any, call) {
  if (any) return(invisible())
  abort_argument("{.arg {drawn_name(call)}} has no case with a decision to draw.", call)
}
