#include "context.h"
#include "frame.h"
#include "mapping.h"
#include "model.h"

#include <engine/data/keys.hpp>
#include <engine/data/ranges.hpp>
#include <engine/model/grouped_fit.hpp>

using namespace bayesrisk;

// [[Rcpp::export(rng = false)]]
Rcpp::List collect_statistics_cpp(Rcpp::List banks, int groups, Rcpp::List frame, SEXP group,
                                  SEXP weight, int threads) {
  const Context context = doors::make_context(threads);
  const Frame data = doors::read_frame(frame, {context, 1});
  const ModelPlan plan = doors::read_plan(banks, groups, static_cast<int>(data.columns.size()));
  require_codes(plan, data);
  const Rows rows = doors::read_rows(group, weight, groups, data.rows);
  Diagnostics diagnostics;
  const ModelStatistics statistics =
      StatisticsCollector(plan, data, rows).collect(context, diagnostics);
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
                        Rcpp::List options, Rcpp::NumericVector prior, bool borrow, int threads) {
  const ModelPlan plan = doors::read_plan(banks, groups, features);
  require(prior.size() == 0 || prior.size() == groups, "prior: wrong length");
  const ModelStatistics collected = doors::read_statistics(plan, statistics);
  const auto of_banks = doors::read_banks<OptionsOf>(plan, options);
  Diagnostics diagnostics;
  const Context context = doors::make_context(threads);
  const Estimate estimate = Estimator(plan, collected, of_banks, borrow, context)
                                .estimate(Rcpp::as<Vector>(prior), diagnostics);
  return doors::write_estimate(estimate, diagnostics);
}

// Groups of rows by keys: see KeyGroups. `codes`: per key a code of each row, from 1, or NA;
// `subset`: NULL, or whether each row was asked for.
// [[Rcpp::export(rng = false)]]
Rcpp::List group_keys_cpp(Rcpp::List codes, Rcpp::IntegerVector levels, SEXP own, SEXP subset,
                          int classes, double rows) {
  const auto count = static_cast<Index>(rows);
  const auto ints = [&](SEXP x, int type) {
    require(TYPEOF(x) == type && Rf_xlength(x) == count, "keys: wrong length");
    return type == INTSXP ? INTEGER_RO(x) : LOGICAL_RO(x);
  };
  Keys keys;
  require(codes.size() == levels.size() && codes.size() > 0, "keys: none");
  for (R_xlen_t j = 0; j < codes.size(); ++j) keys.code.push_back(ints(codes[j], INTSXP));
  keys.levels.assign(levels.begin(), levels.end());
  const KeyGroups found = KeyGrouper(keys).group(
      ints(own, INTSXP), subset == R_NilValue ? nullptr : ints(subset, LGLSXP), classes, count);
  return Rcpp::List::create(Rcpp::_["key"] = found.key, Rcpp::_["read"] = found.read,
                            Rcpp::_["missing"] = found.missing, Rcpp::_["group"] = found.group);
}

// The statistics of each of several groups, from those of all: see GroupedEstimator. `frame` and
// `group`: the rows, or NULL if there are no incomplete rows to count.
// [[Rcpp::export(rng = false)]]
Rcpp::List split_statistics_cpp(Rcpp::List banks, int classes, int groups, int features,
                                Rcpp::List statistics, SEXP frame, SEXP group) {
  const ModelPlan plan = doors::read_plan(banks, classes, features);
  ModelPlan all = plan;
  all.groups = classes * groups;
  const ModelStatistics collected = doors::read_statistics(all, statistics);
  std::vector<ModelStatistics> parts;
  for (int g = 0; g < groups; ++g) {
    parts.push_back(collected.of_groups(plan, g * classes, classes));
  }
  if (frame != R_NilValue) {
    const Frame data = doors::read_frame(frame);
    require_codes(plan, data);
    const Rows rows = doors::read_rows(group, R_NilValue, all.groups, data.rows);
    IncompleteRows(plan, data, rows.group, classes, groups).write_to(parts);
  }
  Rcpp::List result(groups);
  for (int g = 0; g < groups; ++g) result[g] = doors::write_statistics(parts[g]);
  return result;
}

// The estimates of all groups: a list like that of estimate_cpp() for each group. `statistics`: of
// each group; `prior`: a row for each group, or no rows: the shares of the classes.
// [[Rcpp::export(rng = false)]]
Rcpp::List estimate_groups_cpp(Rcpp::List banks, int classes, int features, Rcpp::List statistics,
                               Rcpp::List options, Rcpp::NumericMatrix prior, bool borrow,
                               int threads) {
  const ModelPlan plan = doors::read_plan(banks, classes, features);
  Matrix of_group;
  doors::read_field(prior, of_group);
  require(of_group.rows() == 0 || has_shape(of_group, statistics.size(), classes),
          "prior: wrong dimensions");
  std::vector<ModelStatistics> parts;
  for (SEXP part : statistics) parts.push_back(doors::read_statistics(plan, part));
  const auto of_banks = doors::read_banks<OptionsOf>(plan, options);
  const Context context = doors::make_context(threads);
  GroupedEstimator estimator(plan, parts, of_banks, borrow, context);
  Rcpp::List result(parts.size());
  for (R_xlen_t g = 0; g < result.size(); ++g) {
    Vector own;
    for (int k = 0; k < classes && of_group.rows() > 0; ++k) own.push_back(of_group(g, k));
    Diagnostics diagnostics;
    const Estimate estimate = estimator.estimate(static_cast<int>(g), own, diagnostics);
    result[g] = doors::write_estimate(estimate, diagnostics);
  }
  return result;
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
