# Parts of results that are data frames.

# Rows or columns taken with `[`, or rows in another order, as a data frame of class `class`:
# the attributes of a result, and what its own print says, hold of the whole alone.
part_of_result <- function(x, part, class = "data.frame") {
  if (!is.data.frame(part)) return(part)
  of_columns <- c("names", "row.names")
  if (identical(attributes(part)[of_columns], attributes(x)[of_columns])) return(x)
  attributes(part) <- c(attributes(part)[of_columns], list(class = class))
  part
}
