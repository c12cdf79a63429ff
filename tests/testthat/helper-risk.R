# The letters of the lecture: black pixels of two letters, a three times as frequent.
letters_model <- function(prior = c(a = 0.75, b = 0.25), sd = 4) {
  bayes_known(prior, pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = sd))
}

# The table classifier of the lecture "Naive Bayes Learning (after Mooney)".
shapes_model <- function() {
  bayes_known(
    prior = c(positive = 0.5, negative = 0.5),
    size = rbind(positive = c(small = 0.4, medium = 0.1, large = 0.5),
                 negative = c(0.4, 0.2, 0.4)),
    colour = rbind(positive = c(red = 0.9, blue = 0.05, green = 0.05),
                   negative = c(0.3, 0.3, 0.4)),
    shape = rbind(positive = c(square = 0.05, triangle = 0.05, circle = 0.9),
                  negative = c(0.4, 0.3, 0.3))
  )
}

# Costs of four actions for the three irises: asymmetric, one action for no class.
iris_cost <- function() {
  cost_matrix(
    keep = c(setosa = 0, versicolor = 1, virginica = 10),
    sell = c(virginica = 0, setosa = 2, versicolor = 2.5),
    burn = c(setosa = 5, versicolor = -1, virginica = 4), ask = 0.7
  )
}
