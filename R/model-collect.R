# From cases to statistics.

collect <- function(spec, cases, call) {
  collected <- collect_banks(spec, cases, call)
  rows <- list(read = cases$read, used = sum(collected$statistics$classes$rows))
  new_statistics(collected$spec, collected$schema, collected$plan, collected$statistics, rows)
}

# list(spec, schema, plan, statistics), as they follow from cases. With groups the statistics are
# those of each class of each group.
collect_banks <- function(spec, cases, call) {
  schema <- cases$schema
  assigned <- known_value("likelihoods", list(spec, schema), function() {
    plan_settled(assign_likelihoods(spec, schema, call), schema, call)
  })
  cases$remedy <- fractions_remedy(list(spec))
  plan <- assigned$plan
  if (is.null(plan)) {
    schema$features <- settle_features(assigned, schema$features, cases, call)
    plan <- plan_banks(assigned, schema, call)
  }
  list(
    spec = assigned$spec, schema = schema, plan = plan,
    statistics = count_banks(cases, plan$banks, call)
  )
}

# Adds to the features everything that their likelihoods need from the data before rows are
# counted, for example the bins of histograms. `places`: the positions of the features in the
# frame of the cases.
settle_features <- function(assigned, features, cases, call, places = seq_along(features)) {
  for (j in assigned$settles) {
    likelihood <- assigned$settling$all[[assigned$settling$of[[j]]]]
    range <- function(quartiles = FALSE) case_range(cases, places[[j]], quartiles, call)
    features[[j]] <- record_of(likelihood)$settle(likelihood, features[[j]], range, call)
  }
  features
}

count_banks <- function(cases, banks, call) UseMethod("count_banks")

#' @export
count_banks.default <- function(cases, banks, call) count_cases(banks, cases, call)

# Computes the statistics of banks from rows in memory.
count_cases <- function(banks, cases, call) {
  collected <- call_engine(collect_statistics_cpp(
    banks, cases$groups, cases$frame, cases$group, cases$weights, cases$threads
  ), call)
  check_data_problems(collected$diagnostics, cases, call)
  collected$statistics
}
