#include "context.h"
#include "frame.h"
#include "mapping.h"
#include "model.h"

#include <engine/data/ranges.hpp>

using namespace bayesrisk;

// [[Rcpp::export(rng = false)]]
Rcpp::List collect_statistics_cpp(Rcpp::List banks, int groups, Rcpp::List frame, SEXP group,
                                  SEXP weight, int threads) {
  const Frame data = doors::read_frame(frame);
  const ModelPlan plan = doors::read_plan(banks, groups, static_cast<int>(data.columns.size()));
  require_codes(plan, data);
  const Rows rows = doors::read_rows(group, weight, groups, data.rows);
  Diagnostics diagnostics;
  const ModelStatistics statistics =
      StatisticsCollector(plan, data, rows).collect(doors::make_context(threads), diagnostics);
  return Rcpp::List::create(Rcpp::_["statistics"] = doors::write_statistics(statistics),
                            Rcpp::_["diagnostics"] = doors::write_diagnostics(diagnostics));
}

// The range of one numeric feature (from 1), see FeatureRange.
// [[Rcpp::export(rng = false)]]
Rcpp::List feature_range_cpp(Rcpp::List frame, int feature, SEXP group, SEXP weight,
                             bool quartiles) {
  const Frame data = doors::read_frame(frame);
  const Rows rows = doors::read_rows(group, weight, 0, data.rows);
  require(feature >= 1 && feature <= static_cast<int>(data.columns.size()), "no such feature");
  const Column& column = data.columns[static_cast<std::size_t>(feature - 1)];
  require(column.stored_levels == 0, "not numeric");
  return doors::to_list(find_range(column, data.rows, rows, quartiles));
}

// Stops if statistics are not sound.
// [[Rcpp::export(rng = false)]]
void check_statistics_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics) {
  doors::read_statistics(doors::read_plan(banks, groups, features), statistics);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List merge_statistics_cpp(Rcpp::List banks, int groups, int features, Rcpp::List first,
                                Rcpp::List second) {
  const ModelPlan plan = doors::read_plan(banks, groups, features);
  ModelStatistics statistics = doors::read_statistics(plan, first);
  statistics.merge(plan, doors::read_statistics(plan, second));
  return doors::write_statistics(statistics);
}

// Indices of `mapping` and `bank` count from 0; -1: dropped.
// [[Rcpp::export(rng = false)]]
Rcpp::List realign_statistics_cpp(Rcpp::List banks, int groups, Rcpp::List statistics,
                                  Rcpp::List target_banks, int target_groups, int target_features,
                                  Rcpp::List mapping, Rcpp::IntegerVector bank) {
  const Mapping map = doors::read_mapping(mapping, groups, target_groups, target_features);
  const ModelPlan plan = doors::read_plan(banks, groups, static_cast<int>(map.feature.size()));
  const ModelPlan target = doors::read_plan(target_banks, target_groups, target_features);
  const IntVector places(bank.begin(), bank.end());
  check_moved_banks(plan, target, map, places);
  return doors::write_statistics(
      realign(plan, doors::read_statistics(plan, statistics), target, map, places));
}

// An empty prior means the shares of the classes.
// [[Rcpp::export(rng = false)]]
Rcpp::List estimate_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics,
                        Rcpp::List options, Rcpp::NumericVector prior, bool borrow) {
  const ModelPlan plan = doors::read_plan(banks, groups, features);
  require(prior.size() == 0 || prior.size() == groups, "prior: wrong length");
  const ModelStatistics collected = doors::read_statistics(plan, statistics);
  const auto of_banks = doors::read_banks<OptionsOf>(plan, options);
  Diagnostics diagnostics;
  const Estimate estimate = Estimator(plan, collected, of_banks, borrow, doors::make_context(1))
                                .estimate(Rcpp::as<Vector>(prior), diagnostics);
  if (!diagnostics.stops()) require_sound(estimate.banks, estimate.prior);
  return Rcpp::List::create(Rcpp::_["prior"] = estimate.prior,
                            Rcpp::_["banks"] = doors::write_banks(estimate.banks),
                            Rcpp::_["log_likelihood"] = estimate.log_likelihood,
                            Rcpp::_["parameter_count"] = estimate.parameter_count,
                            Rcpp::_["diagnostics"] = doors::write_diagnostics(diagnostics));
}

// The linear dependences among the features of a joint block (from 1), in a class (from 1) or in
// all classes (NA): list(feature (position in the block, from 1), coefficient (a row per
// dependence)).
// [[Rcpp::export(rng = false)]]
Rcpp::List find_dependences_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics,
                                int bank, int group) {
  const ModelPlan plan = doors::read_plan(banks, groups, features);
  const ModelStatistics collected = doors::read_statistics(plan, statistics);
  require(bank >= 1 && bank <= static_cast<int>(plan.banks.size()), "no such bank");
  require(group == NA_INTEGER || (group >= 1 && group <= groups), "no such class");
  const Scatter* scatter = scatter_of(collected.banks[static_cast<std::size_t>(bank - 1)]);
  require(scatter != nullptr, "no block of numbers");
  const Dependences found = find_dependences(*scatter, group == NA_INTEGER ? kAll : group - 1);
  Matrix coefficient(found.column.size(), scatter->mean.cols());
  Rcpp::IntegerVector feature(found.column.begin(), found.column.end());
  for (std::size_t i = 0; i < found.column.size(); ++i) {
    coefficient.row(static_cast<Index>(i)) = found.coefficient[i].transpose();
  }
  return Rcpp::List::create(Rcpp::_["feature"] = Rcpp::IntegerVector(feature + 1),
                            Rcpp::_["coefficient"] = coefficient);
}
