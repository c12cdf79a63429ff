#include "context.h"
#include "decisions.h"
#include "frame.h"
#include "lists.h"
#include "model.h"

#include <engine/data/complete_rows.hpp>
#include <engine/evaluation/dependence.hpp>
#include <engine/search/block_scores.hpp>
#include <engine/search/next_feature.hpp>
#include <engine/search/sweep.hpp>

using namespace bayesrisk;

// The scores of blocks of numbers, from the statistics of the only bank: list(value, singular).
// `blocks`: the positions of the members in the bank, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List score_gaussian_blocks_cpp(Rcpp::List banks, int groups, int features,
                                     Rcpp::List statistics, Rcpp::List blocks,
                                     Rcpp::List settings) {
  const ModelPlan plan = bind::read_plan(banks, groups, features);
  auto collected = bind::read_bank_statistics(plan, statistics);
  require(collected.size() == 1, "banks: not one");
  const Scatter* scatter = plan.banks[0]->scatter(collected[0]);
  require(scatter != nullptr, "no block of numbers");
  const GaussianBlockScorer scorer(*scatter, bind::from_list<BlockSettings>(settings));
  Rcpp::NumericVector value(blocks.size());
  Rcpp::LogicalVector singular(blocks.size());
  const Context context = bind::make_context(1);
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
  return bind::named_list({{"value", value}, {"singular", singular}});
}

// The rows with all categories of `frame`: list(group, missing, used, left), see CompleteRows.
// [[Rcpp::export(rng = false)]]
Rcpp::List complete_rows_cpp(Rcpp::List frame, Rcpp::IntegerVector group) {
  const Frame data = bind::read_frame(frame);
  require(group.size() == data.rows, "group: wrong length");
  for (const Column& column : data.columns) require(column.integer != nullptr, "frame: numbers");
  const CompleteRows found = complete_rows(data, group.begin());
  return bind::named_list({{"group", found.group},
                           {"missing", found.missing},
                           {"used", found.used},
                           {"left", found.left}});
}

// The scores of joint tables, each a bank.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector score_tables_cpp(Rcpp::List banks, int groups, int features,
                                     Rcpp::List statistics, Rcpp::List settings) {
  const ModelPlan plan = bind::read_plan(banks, groups, features);
  auto collected = bind::read_bank_statistics(plan, statistics);
  const auto how = bind::from_list<BlockSettings>(settings);
  Rcpp::NumericVector value(collected.size());
  const Context context = bind::make_context(1);
  for (std::size_t b = 0; b < collected.size(); ++b) {
    context.check();
    const TableView table = plan.banks[b]->table(collected[b]);
    require(table.count != nullptr, "no joint table");
    value[b] = score_table(table, how);
  }
  return value;
}

// The dependence of pairs, list(information, ...) for each: see PairDependence. `banks`: blocks of
// numbers, or joint tables of two features. `pairs`: for each bank the positions of the members of
// its pairs, from 1, a column for each pair.
// [[Rcpp::export(rng = false)]]
Rcpp::List pair_dependence_cpp(Rcpp::List banks, int groups, int features, Rcpp::List statistics,
                               Rcpp::List pairs) {
  const ModelPlan plan = bind::read_plan(banks, groups, features);
  auto collected = bind::read_bank_statistics(plan, statistics);
  require(pairs.size() == banks.size(), "pairs: wrong length");
  std::vector<PairDependence> found;
  const Context context = bind::make_context(1);
  for (std::size_t b = 0; b < collected.size(); ++b) {
    if (const TableView table = plan.banks[b]->table(collected[b]); table.count != nullptr) {
      require(table.levels->size() == 2, "pairs: not two features");
      found.push_back(dependence_of_table(table));
      continue;
    }
    const Scatter* scatter = plan.banks[b]->scatter(collected[b]);
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
  for (std::size_t i = 0; i < found.size(); ++i) result[i] = bind::to_list(found[i]);
  return result;
}

// The dependence of each number of the only bank and a category. The bank is counted by class and
// level; `category_first`: for each number whether the category is the first feature of the pair.
// [[Rcpp::export(rng = false)]]
Rcpp::List mixed_dependence_cpp(Rcpp::List banks, int classes, int levels, int features,
                                Rcpp::List statistics, Rcpp::LogicalVector category_first) {
  require(classes >= 1 && levels >= 0, "classes: none");
  const ModelPlan plan = bind::read_plan(banks, classes * levels, features);
  auto collected = bind::read_bank_statistics(plan, statistics);
  require(collected.size() == 1, "banks: not one");
  const Moments* numbers = plan.banks[0]->moments(collected[0]);
  require(numbers != nullptr, "no numbers");
  require(category_first.size() == numbers->mean.cols(), "category_first: wrong length");
  const MixedDependence measure(*numbers, classes);
  Rcpp::List result(category_first.size());
  for (int j = 0; j < category_first.size(); ++j) {
    result[j] = bind::to_list(measure.measure(j, category_first[j] == 1));
  }
  return result;
}

namespace {

// The log joint, cases x classes; NaN where there is no answer.
Matrix score_joint(const bind::Model& model, const Frame& data, const Context& context,
                   ScoreReport& report) {
  const Scorer scorer = model.scorer(data.rows);
  Matrix joint(data.rows, scorer.classes());
  Request request;
  request.output = Output::log_joint;
  request.numbers = joint.data();
  report = score(scorer, data, request, context);
  return joint;
}

}  // namespace

// Matrices of cases x `features` (from 1): the expected cost now, the expected cost after the
// feature is seen, and the saving. NaN if the feature is known or the case has no answer.
// [[Rcpp::export(rng = false)]]
Rcpp::List next_feature_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost,
                            Rcpp::IntegerVector features, int threads) {
  const bind::Model scored(model);
  const Frame data = bind::read_data(scored, frame);
  const bind::ActionCost costs(cost, scored.plan.groups, data.rows);
  const int count = static_cast<int>(data.columns.size());
  IntVector asked;
  for (int feature : features) {
    require(feature >= 1 && feature <= count, "no such feature");
    asked.push_back(feature - 1);
  }
  View view = view_of(scored.plan, scored.parameters, scored.prior, count);
  view.tempering = scored.rule();
  const Context context = bind::make_context(threads);
  ScoreReport report;
  const Matrix joint = score_joint(scored, data, context, report);
  const NextFeature next = FeatureSearch(view, costs.cost, data, asked, joint).run(context);
  report.impossible = next.impossible;
  report.decision.unpriced = next.unpriced;
  return bind::named_list({{"unknown", next.unknown},
                           {"now", next.now},
                           {"after", next.after},
                           {"value", next.value},
                           {"report", bind::write_report(report)}});
}

namespace {

// Segments as columns, rows and actions from 1; a case without an answer has one row of NA.
Rcpp::List write_segments(const std::vector<std::vector<Segment>>& segments) {
  IntVector row, decision;
  Vector from, to;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (std::size_t p = 0; p < std::max<std::size_t>(1, segments[i].size()); ++p) {
      const bool none = segments[i].empty();
      row.push_back(static_cast<int>(i) + 1);
      decision.push_back(none ? NA_INTEGER : segments[i][p].action + 1);
      from.push_back(none ? NA_REAL : segments[i][p].from);
      to.push_back(none ? NA_REAL : segments[i][p].to);
    }
  }
  return bind::named_list({{"row", row}, {"decision", decision}, {"from", from}, {"to", to}});
}

}  // namespace

// `joint`: the log joint, cases x classes. If a prior varies, it is computed with the base prior.
// `decision` and `truth` count from 1; 0: none, as in Vary. `prior`: the current prior of the class
// whose prior varies.
// [[Rcpp::export(rng = false)]]
Rcpp::List sweep_cpp(Rcpp::NumericMatrix joint, Rcpp::List cost, int decision, int truth,
                     double prior, double from, double to, int threads) {
  Matrix log_joint;
  bind::read_field(joint, log_joint);
  const int classes = joint.ncol();
  const bind::ActionCost costs(cost, classes, log_joint.rows());
  require(decision >= 0 && decision <= costs.actions.size() && truth >= 0 && truth <= classes &&
              decision + truth > 0,
          "nothing varies");
  const Sweep sweep = CasesSweep(log_joint, costs.cost, {decision - 1, truth - 1}, prior)
                          .run(from, to, bind::make_context(threads));
  return bind::named_list({{"segments", write_segments(sweep.segments)},
                           {"intercept", sweep.intercept},
                           {"slope", sweep.slope},
                           {"impossible", static_cast<double>(sweep.impossible)},
                           {"unpriced", static_cast<double>(sweep.unpriced)}});
}

// The largest mean cost along a prior between `from` and `to`: see CasesSweep. `weight`: of the
// cases at the current prior.
// [[Rcpp::export(rng = false)]]
double largest_mean_cpp(Rcpp::NumericMatrix joint, Rcpp::List cost, int truth, double prior,
                        double from, double to, Rcpp::NumericVector weight) {
  Matrix log_joint;
  bind::read_field(joint, log_joint);
  const int classes = joint.ncol();
  const bind::ActionCost costs(cost, classes, log_joint.rows());
  require(truth >= 1 && truth <= classes, "truth: no such class");
  require(weight.size() == 0 || weight.size() == log_joint.rows(), "weight: wrong length");
  return CasesSweep(log_joint, costs.cost, {kAll, truth - 1}, prior)
      .largest_mean(Rcpp::as<Vector>(weight), from, to);
}
