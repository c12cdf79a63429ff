# The log density of each bank as SQL. score_bank() gives a list:
# * terms: an expression for each class. A missing value or an unknown level adds 0; NULL says that
#   the values are impossible in the class;
# * range: for each member, a condition on its numbers: {x} stands for the column. Other numbers are
#   impossible in every class, and none of the expressions here reads them. NULL for levels;
# * covered: the rows for which there are terms, as a condition; NULL for all rows;
# * stages: columns that the terms need, each stage computed from the stages before.
# A likelihood has a writer in score_writers(). `ask`: see new_score_ask().

score_bank <- function(bank, parameters, ask) {
  writer <- score_writers()[[bank$type]]
  if (is.null(writer)) abort_no_sql(ask, "has no form in SQL")
  parts <- list(terms = NULL, range = NULL, covered = NULL, stages = NULL)
  utils::modifyList(parts, writer(bank, parameters, ask))
}

score_writers <- function() {
  list(
    categorical = score_categorical, gaussian = score_gaussian, gamma = score_gamma,
    poisson = score_poisson, negative_binomial = score_negative_binomial,
    histogram = score_histogram, kernel = score_kernel, empirical = score_empirical,
    mixture = score_mixture, joint_table = score_joint_table,
    joint_histogram = score_joint_histogram,
    multivariate_gaussian = score_multivariate_gaussian,
    multivariate_mixture = score_multivariate_mixture
  )
}
