# The joint table of the lecture "Naive Bayes Learning (after Mooney)".
mooney_cells <- function() {
  cells <- expand.grid(
    shape = c("circle", "square"), colour = c("red", "blue"), class = c("positive", "negative")
  )
  cells$probability <- c(.20, .02, .02, .01, .05, .30, .20, .20)
  cells
}
