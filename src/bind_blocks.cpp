#include "context.h"
#include "frame.h"
#include "lists.h"

#include <engine/data/complete_rows.hpp>
#include <engine/evaluation/dependence.hpp>
#include <engine/search/block_scores.hpp>

using namespace bayesrisk;

// The scores of blocks of numbers, from the statistics of the only bank: list(value, singular).
// `blocks`: the positions of the members in the bank, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List score_gaussian_blocks_cpp(Rcpp::List banks, int groups, int features,
                                     Rcpp::List statistics, Rcpp::List blocks,
                                     Rcpp::List settings) {
  const ModelPlan plan = doors::read_plan(banks, groups, features);
  const auto collected = doors::read_banks<StatisticsOf>(plan, statistics);
  require(collected.size() == 1, "banks: not one");
  const Scatter* scatter = scatter_of(collected[0]);
  require(scatter != nullptr, "no block of numbers");
  const GaussianBlockScorer scorer(*scatter, doors::from_list<BlockSettings>(settings));
  Rcpp::NumericVector value(blocks.size());
  Rcpp::LogicalVector singular(blocks.size());
  const Context context = doors::make_context(1);
  for (R_xlen_t b = 0; b < blocks.size(); ++b) {
    context.check();
    IntVector members = Rcpp::as<IntVector>(blocks[b]);
    for (int& member : members) {
      require(member >= 1 && member <= scatter->mean.cols(), "blocks: no such feature");
      --member;
    }
    const BlockScore score = scorer.score(members);
    value[b] = score.value;
    singular[b] = score.singular;
  }
  return Rcpp::List::create(Rcpp::_["value"] = value, Rcpp::_["singular"] = singular);
}

// The rows with all categories of `frame`: list(group, missing, used, left), see CompleteRows.
// [[Rcpp::export(rng = false)]]
Rcpp::List complete_rows_cpp(Rcpp::List frame, Rcpp::IntegerVector group) {
  const Frame data = doors::read_frame(frame);
  require(group.size() == data.rows, "group: wrong length");
  for (const Column& column : data.columns) require(column.integer != nullptr, "frame: numbers");
  const CompleteRows found = complete_rows(data, group.begin());
  return Rcpp::List::create(Rcpp::_["group"] = found.group, Rcpp::_["missing"] = found.missing,
                            Rcpp::_["used"] = found.used, Rcpp::_["left"] = found.left);
}

// The scores of joint tables, each a bank.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector score_tables_cpp(Rcpp::List banks, int groups, int features,
                                     Rcpp::List statistics, Rcpp::List settings) {
  const ModelPlan plan = doors::read_plan(banks, groups, features);
  const auto collected = doors::read_banks<StatisticsOf>(plan, statistics);
  const auto how = doors::from_list<BlockSettings>(settings);
  Rcpp::NumericVector value(collected.size());
  const Context context = doors::make_context(1);
  for (std::size_t b = 0; b < collected.size(); ++b) {
    context.check();
    const auto* table = std::get_if<JointTable::Plan>(&plan.banks[b]);
    require(table != nullptr, "no joint table");
    value[b] = score_table(*table, std::get<JointTable::Statistics>(collected[b]), how);
  }
  return value;
}

// The dependence of pairs, list(information, ...) for each: see PairDependence. `banks`: blocks of
// numbers, or joint tables of two features. `pairs`: for each bank the positions of the members of
// its pairs, from 1, a column for each pair.
// [[Rcpp::export(rng = false)]]
Rcpp::List pair_dependence_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics,
                               Rcpp::List pairs) {
  const ModelPlan plan = doors::read_plan(banks, groups, features);
  const auto collected = doors::read_banks<StatisticsOf>(plan, statistics);
  require(pairs.size() == banks.size(), "pairs: wrong length");
  std::vector<PairDependence> found;
  const Context context = doors::make_context(1);
  for (std::size_t b = 0; b < collected.size(); ++b) {
    if (const auto* table = std::get_if<JointTable::Plan>(&plan.banks[b])) {
      require(table->members() == 2, "pairs: not two features");
      found.push_back(dependence_of_table(*table, std::get<JointTable::Statistics>(collected[b])));
      continue;
    }
    const Scatter* scatter = scatter_of(collected[b]);
    require(scatter != nullptr, "no block");
    const Rcpp::IntegerMatrix members(pairs[b]);
    require(members.nrow() == 2, "pairs: not two features");
    for (int member : members) {
      require(member >= 1 && member <= scatter->mean.cols(), "pairs: no such feature");
    }
    for (int i = 0; i < members.ncol(); ++i) {
      context.check();
      found.push_back(dependence_of_numbers(*scatter, members(0, i) - 1, members(1, i) - 1));
    }
  }
  Rcpp::List result(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) result[i] = doors::to_list(found[i]);
  return result;
}

// The dependence of each number of the only bank and a category. The bank is counted by class and
// level; `category_first`: for each number whether the category is the first feature of the pair.
// [[Rcpp::export(rng = false)]]
Rcpp::List mixed_dependence_cpp(Rcpp::List banks, int classes, int levels, int features,
                                Rcpp::List statistics, Rcpp::LogicalVector category_first) {
  require(classes >= 1 && levels >= 0, "classes: none");
  const ModelPlan plan = doors::read_plan(banks, classes * levels, features);
  const auto collected = doors::read_banks<StatisticsOf>(plan, statistics);
  require(collected.size() == 1, "banks: not one");
  const auto* numbers = std::get_if<Gaussian::Statistics>(&collected[0]);
  require(numbers != nullptr, "no numbers");
  require(category_first.size() == numbers->moments.mean.cols(), "category_first: wrong length");
  const MixedDependence measure(numbers->moments, classes);
  Rcpp::List result(category_first.size());
  for (int j = 0; j < category_first.size(); ++j) {
    result[j] = doors::to_list(measure.measure(j, category_first[j] == 1));
  }
  return result;
}
