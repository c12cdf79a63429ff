# Words for costs. A utility is a cost with the opposite sign: the results of both are costs, and
# only their print and their figures turn them. Their data, and the names of columns there, are
# those of costs, so that code need not ask what they were made with.

is_utility <- function(cost) inherits(cost, "bayesrisk_utility")

# Whether costs are shown as gains: those of a utility, and those of which none is above 0.
# `values`: the number that a print is about, or all numbers of an axis; `cost`: what they were made
# with, NULL if that is not known.
are_gains <- function(values, cost = NULL) {
  known <- values[!is.na(values)]
  is_utility(cost) || any(known < 0) && all(known <= 0)
}

# The same of a result with the attribute `utility`: whether a utility made it.
shows_gains <- function(x, values) isTRUE(attr(x, "utility")) || are_gains(values)

# The word "cost" of a text that a function writes, or "gain".
gain_words <- function(text, gains) {
  if (!gains) return(text)
  gsub("\\bCost", "Gain", gsub("\\bcost", "gain", text))
}

# Costs as they are shown. The result is never -0.
gain_numbers <- function(values, gains) if (gains) 0 - values else values

# A table with the column "cost", or columns that begin so, as it is shown.
gain_columns <- function(table, gains) {
  if (!gains) return(table)
  # The smallest gain is the largest cost.
  ends <- list(c("cost_lower", "cost_upper"), c("cost_min", "cost_max"))
  for (pair in ends) if (all(pair %in% names(table))) table[pair] <- table[rev(pair)]
  of_cost <- grepl("^cost(_|$)", names(table))
  table[of_cost] <- lapply(table[of_cost], gain_numbers, gains)
  names(table)[of_cost] <- gain_words(names(table)[of_cost], gains)
  table
}

# A sentence with one cost: "expected gain per case 3" for a cost of -3. `template`: of sprintf(),
# with a place for the number.
say_cost <- function(template, value, digits, gains = are_gains(value)) {
  sprintf(gain_words(template, gains), format(gain_numbers(value, gains), digits = digits))
}
