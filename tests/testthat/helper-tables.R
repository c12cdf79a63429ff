# mooney_joint, with another order of the variables.
mooney_cells <- function() mooney_joint[c("shape", "colour", "class", "probability")]
