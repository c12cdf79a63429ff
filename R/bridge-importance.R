# The importance of features, as frameworks rank them: numbers named by feature.

# What knowing each feature alone saves under 0-1 cost.
feature_importance <- function(model) {
  features <- names(model$schema$features)
  worth <- value_of_information(model, all = FALSE)
  # Before the features stands "nothing", after them "perfect".
  stats::setNames(worth$value[seq_along(features) + 1L], features)
}
