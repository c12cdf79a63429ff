#include "context.h"
#include "frame.h"
#include "fresh.h"
#include "lists.h"
#include "model.h"

#include <engine/data/csv.hpp>
#include <engine/data/distinct.hpp>
#include <engine/data/ranges.hpp>
#include <engine/evaluation/column_values.hpp>
#include <engine/likelihood/normal/moments.hpp>
#include <engine/likelihood/normal/scatter.hpp>
#include <engine/likelihood/normal/scatter_products.hpp>
#include <engine/model/fit.hpp>
#include <engine/model/statistics_collector.hpp>

using namespace bayesrisk;

// [[Rcpp::export(rng = false)]]
Rcpp::List collect_statistics_cpp(Rcpp::List banks, int groups, Rcpp::List frame, SEXP group,
                                  SEXP weight, int threads) {
  const Context context = bind::make_context(threads);
  const Frame data = bind::read_frame(frame, {context, 1});
  const ModelPlan plan = bind::read_plan(banks, groups, static_cast<int>(data.columns.size()));
  require_codes(plan, data);
  const Rows rows = bind::read_rows(group, weight, groups, data.rows);
  Diagnostics diagnostics;
  const ModelStatistics statistics =
      StatisticsCollector(plan, data, rows).collect(context, diagnostics);
  return bind::named_list({{"statistics", bind::write_statistics(statistics)},
                           {"diagnostics", bind::write_diagnostics(diagnostics)}});
}

// The range of one numeric feature (from 1), see FeatureRange.
// [[Rcpp::export(rng = false)]]
Rcpp::List feature_range_cpp(Rcpp::List frame, int feature, SEXP group, SEXP weight,
                             bool quartiles) {
  const Frame data = bind::read_frame(frame);
  const Rows rows = bind::read_rows(group, weight, 0, data.rows);
  require(feature >= 1 && feature <= static_cast<int>(data.columns.size()), "no such feature");
  const Column& column = data.columns[static_cast<std::size_t>(feature - 1)];
  require(column.stored_levels == 0, "not numeric");
  return bind::to_list(find_range(column, data.rows, rows, quartiles));
}

// For some numeric columns (from 1) the number of different values, NA if there are more than
// `most`, whether all are whole, and the gain of reading them as names: see ColumnValues; and what
// about `sampled` rows show: see ColumnMarks.
// [[Rcpp::export(rng = false)]]
Rcpp::List column_values_cpp(Rcpp::List frame, Rcpp::IntegerVector columns, SEXP group, SEXP weight,
                             int groups, int most, int sampled) {
  require(sampled >= 1, "no rows");
  const Frame data = bind::read_frame(frame);
  const Rows rows = bind::read_rows(group, weight, groups, data.rows);
  bind::require_codes_in(Rcpp::IntegerVector(group), groups, "group");
  Rcpp::IntegerVector values;
  Rcpp::LogicalVector whole, counts_rows;
  Rcpp::NumericVector gain, missing_code, different;
  for (int j : columns) {
    require(j >= 1 && j <= static_cast<int>(data.columns.size()), "no such column");
    const Column& column = data.columns[static_cast<std::size_t>(j - 1)];
    require(column.stored_levels == 0, "not numeric");
    const ColumnValues found = find_values(column, data.rows, rows, groups, most);
    values.push_back(found.few ? static_cast<int>(found.value.size()) : NA_INTEGER);
    whole.push_back(found.whole);
    gain.push_back(found.gain);
    const ColumnMarks marks = find_marks(column, data.rows, rows, sampled);
    missing_code.push_back(marks.missing_code);
    different.push_back(static_cast<double>(marks.different));
    counts_rows.push_back(marks.rows);
  }
  return bind::named_list({{"values", values},
                           {"whole", whole},
                           {"gain", gain},
                           {"missing_code", missing_code},
                           {"different", different},
                           {"rows", counts_rows}});
}

// The least finite number of a numeric column (from 1), whether all are whole, and whether each
// group has a positive one.
// [[Rcpp::export(rng = false)]]
Rcpp::List column_support_cpp(Rcpp::List frame, int column, SEXP group, SEXP weight) {
  const Frame data = bind::read_frame(frame);
  const Rows rows = bind::read_rows(group, weight, 0, data.rows);
  require(column >= 1 && column <= static_cast<int>(data.columns.size()), "no such column");
  const Column& numbers = data.columns[static_cast<std::size_t>(column - 1)];
  require(numbers.stored_levels == 0, "not numeric");
  const ColumnSupport found = find_support(numbers, data.rows, rows);
  return bind::named_list(
      {{"lowest", found.lowest}, {"whole", found.whole}, {"positive", found.positive}});
}

// Stops if statistics are not sound.
// [[Rcpp::export(rng = false)]]
void check_statistics_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics) {
  bind::read_statistics(bind::read_plan(banks, groups, features), statistics);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List merge_statistics_cpp(Rcpp::List banks, int groups, int features, Rcpp::List first,
                                Rcpp::List second) {
  const ModelPlan plan = bind::read_plan(banks, groups, features);
  ModelStatistics statistics = bind::read_statistics(plan, first);
  statistics.merge(plan, bind::read_statistics(plan, second));
  return bind::write_statistics(statistics);
}

// The statistics of rows whose weights are multiplied by a factor.
// [[Rcpp::export(rng = false)]]
Rcpp::List scale_statistics_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics,
                                double factor) {
  require(factor >= 0 && std::isfinite(factor), "factor: negative");
  ModelStatistics scaled =
      bind::read_statistics(bind::read_plan(banks, groups, features), statistics);
  scaled.scale(factor);
  return bind::write_statistics(scaled);
}

// Indices of `mapping` and `bank` count from 0; -1: dropped.
// [[Rcpp::export(rng = false)]]
Rcpp::List realign_statistics_cpp(Rcpp::List banks, int groups, Rcpp::List statistics,
                                  Rcpp::List target_banks, int target_groups, int target_features,
                                  Rcpp::List mapping, Rcpp::IntegerVector bank) {
  const Mapping map = bind::read_mapping(mapping, groups, target_groups, target_features);
  const ModelPlan plan = bind::read_plan(banks, groups, static_cast<int>(map.feature.size()));
  const ModelPlan target = bind::read_plan(target_banks, target_groups, target_features);
  const IntVector places(bank.begin(), bank.end());
  check_moved_banks(plan, target, map, places);
  return bind::write_statistics(
      realign(plan, bind::read_statistics(plan, statistics), target, map, places));
}

// An empty prior means the shares of the classes.
// [[Rcpp::export(rng = false)]]
Rcpp::List estimate_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics,
                        Rcpp::List options, Rcpp::NumericVector prior, bool borrow, int threads) {
  const ModelPlan plan = bind::read_plan(banks, groups, features);
  require(prior.size() == 0 || prior.size() == groups, "prior: wrong length");
  const ModelStatistics collected = bind::read_statistics(plan, statistics);
  const auto of_banks = bind::read_options(plan, options);
  Diagnostics diagnostics;
  const Context context = bind::make_context(threads);
  const Estimate estimate = Estimator(plan, collected, of_banks, borrow, context)
                                .estimate(Rcpp::as<Vector>(prior), diagnostics);
  return bind::write_estimate(plan, estimate, diagnostics);
}

// The linear dependences among the features of a joint block (from 1), in a class (from 1) or in
// all classes (NA): list(feature (position in the block, from 1), coefficient (a row per
// dependence)).
// [[Rcpp::export(rng = false)]]
Rcpp::List find_dependences_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics,
                                int bank, int group) {
  const ModelPlan plan = bind::read_plan(banks, groups, features);
  ModelStatistics collected = bind::read_statistics(plan, statistics);
  require(bank >= 1 && bank <= static_cast<int>(plan.banks.size()), "no such bank");
  const auto place = static_cast<std::size_t>(bank - 1);
  const Scatter* scatter = plan.banks[place]->scatter(collected.banks[place]);
  require(scatter != nullptr, "no block of numbers");
  const Dependences found = find_dependences(*scatter, bind::index_of(group, groups));
  Matrix coefficient(found.column.size(), scatter->mean.cols());
  for (std::size_t i = 0; i < found.column.size(); ++i) {
    coefficient.row(static_cast<Index>(i)) = found.coefficient[i].transpose();
  }
  return bind::named_list(
      {{"feature", bind::from_one(found.column)}, {"coefficient", coefficient}});
}

// Statistics from sums that a database computed. Groups are in rows, features in columns. `shift`:
// what was subtracted; `scale`: a power of 2 for each feature, by which deviations were multiplied.

// [[Rcpp::export(rng = false)]]
Rcpp::List moments_of_sums_cpp(Eigen::MatrixXd weight, Eigen::MatrixXd shift, Eigen::MatrixXd sum,
                               Eigen::MatrixXd square, Eigen::VectorXd scale) {
  const Index groups = weight.rows(), features = weight.cols();
  require(has_shape(shift, groups, features) && has_shape(sum, groups, features) &&
              has_shape(square, groups, features) && scale.size() == features,
          "sums: wrong dimensions");
  Moments moments(static_cast<int>(groups), static_cast<int>(features));
  for (int j = 0; j < features; ++j) {
    for (int g = 0; g < groups; ++g) {
      moments.add(g, j, weight(g, j), shift(g, j), sum(g, j) / scale[j],
                  square(g, j) / scale[j] / scale[j]);
    }
  }
  return bind::to_list(moments);
}

// The state of a Gaussian block, without its counts of missing rows. `product`: a matrix for each
// group. The result has the coordinates of the groups (from 1) whose products must be summed again:
// list(scatter, poor, to, back).
// [[Rcpp::export(rng = false)]]
Rcpp::List scatter_of_products_cpp(Eigen::VectorXd rows, Eigen::VectorXd weight,
                                   Eigen::MatrixXd shift, Eigen::MatrixXd sum, Rcpp::List product,
                                   Eigen::VectorXd scale) {
  const Index groups = shift.rows(), p = shift.cols();
  require(rows.size() == groups && weight.size() == groups && product.size() == groups &&
              has_shape(sum, groups, p) && scale.size() == p,
          "products: wrong dimensions");
  Scatter scatter(static_cast<int>(groups), static_cast<int>(p));
  std::vector<Matrix> to, back;
  IntVector poor;
  for (int g = 0; g < groups; ++g) {
    Matrix of_group;
    bind::read_field(product[g], of_group);
    const ProductSums sums{
        rows[g], weight[g], shift.row(g).transpose(), scale, sum.row(g).transpose(), of_group};
    require(has_shape(sums.product, p, p), "products: wrong dimensions");
    if (store_products(sums, g, scatter)) continue;
    const Whitening whitening = whitening_of(sums.scatter());
    poor.push_back(g + 1);
    to.push_back(whitening.to);
    back.push_back(whitening.back);
  }
  return bind::named_list(
      {{"scatter", bind::to_list(scatter)}, {"poor", poor}, {"to", to}, {"back", back}});
}

// The triangle of one group from sums in the coordinates of scatter_of_products_cpp().
// [[Rcpp::export(rng = false)]]
Eigen::MatrixXd whitened_triangle_cpp(double weight, Eigen::VectorXd sum, Eigen::MatrixXd product,
                                      Eigen::MatrixXd back, Eigen::VectorXd scale) {
  const Index p = sum.size();
  require(weight > 0 && has_shape(product, p, p) && has_shape(back, p, p) && scale.size() == p,
          "products: wrong dimensions");
  const ProductSums sums{0, weight, sum, scale, sum, product};
  return unscaled_triangle(whitened_triangle(sums.scatter(), back), scale);
}

// The different texts of a vector, in the order in which they come and without NA, and for each
// element the code of its text, from 1. R keeps each text of an encoding once, so the addresses
// tell texts apart. The same text in two encodings counts as two.
// [[Rcpp::export(rng = false)]]
Rcpp::List distinct_text_cpp(Rcpp::CharacterVector text) {
  const SEXP* item = STRING_PTR_RO(text);
  const R_xlen_t count = text.size();
  auto codes = bind::fresh<Rcpp::IntegerVector>(count);
  const Distinct distinct(reinterpret_cast<const void* const*>(item), count, NA_STRING,
                          codes.begin());
  const std::vector<const void*>& items = distinct.items();
  Rcpp::CharacterVector values(static_cast<R_xlen_t>(items.size()));
  for (std::size_t i = 0; i < items.size(); ++i) {
    SET_STRING_ELT(values, static_cast<R_xlen_t>(i),
                   static_cast<SEXP>(const_cast<void*>(items[i])));
  }
  return bind::named_list({{"values", values}, {"codes", codes}});
}

// The records of a block of CSV text: see csv.hpp.
// [[Rcpp::export(rng = false)]]
Rcpp::List split_csv_cpp(Rcpp::RawVector bytes, std::string separators, std::string quote,
                         bool white, int columns, bool last) {
  auto text = bind::fresh<Rcpp::RawVector>(bytes.size() + 1);
  const CsvBlock block =
      CsvSplitter(separators, quote, white, columns)
          .split(bytes.begin(), static_cast<std::size_t>(bytes.size()), last, text.begin());
  Rcpp::CharacterVector whole(1);
  whole[0] =
      Rf_mkCharLen(reinterpret_cast<const char*>(text.begin()), static_cast<int>(block.size));
  return bind::named_list({{"text", whole},
                           {"lines", block.lines},
                           {"masked", block.masked},
                           {"used", static_cast<double>(block.used)},
                           {"records", block.records},
                           {"ends", block.ends},
                           {"problem", block.problem},
                           {"line", block.line},
                           {"fields", block.fields}});
}
