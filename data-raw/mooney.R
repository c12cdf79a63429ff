# Writes data/mooney_joint.rda and data/mooney_shapes.rda. Run from the repository's root:
# Rscript data-raw/mooney.R

read_rows <- function(rows, levels) {
  cells <- utils::read.table(text = rows, header = TRUE, stringsAsFactors = FALSE)
  cells[names(levels)] <- Map(factor, cells[names(levels)], levels)
  cells
}

mooney_joint <- read_rows("
colour shape  class    probability
red    circle positive 0.20
red    square positive 0.02
blue   circle positive 0.02
blue   square positive 0.01
red    circle negative 0.05
red    square negative 0.30
blue   circle negative 0.20
blue   square negative 0.20
", list(
  colour = c("red", "blue"),
  shape = c("circle", "square"),
  class = c("positive", "negative")
))

# Medium, green and square are declared: the lecture has a probability for them.
mooney_shapes <- read_rows("
size  colour shape    class
small red    circle   positive
large red    circle   positive
small red    triangle negative
large blue   circle   negative
", list(
  size = c("small", "medium", "large"),
  colour = c("red", "blue", "green"),
  shape = c("square", "triangle", "circle"),
  class = c("positive", "negative")
))

save(mooney_joint, file = "data/mooney_joint.rda", version = 2)
save(mooney_shapes, file = "data/mooney_shapes.rda", version = 2)
