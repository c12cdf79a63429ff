#include "context.h"
#include "decisions.h"
#include "fresh.h"
#include "model.h"

#include <engine/decision/capacity.hpp>
#include <engine/decision/decide_posterior.hpp>
#include <engine/model/cost_contributions.hpp>
#include <engine/search/flip_pairs.hpp>

using namespace bayesrisk;

namespace {

// The number of rows, and the positions (from 1) of the first ones.
Rcpp::List write_rows(const BadRows& rows) {
  Rcpp::NumericVector first;
  for (Index row : rows.first) first.push_back(static_cast<double>(row) + 1);
  return bind::named_list({{"count", static_cast<double>(rows.count)}, {"first", first}});
}

}  // namespace

// `posterior`: a frame for read_frame(), with a column per class. `factor`: for each class, the
// ratio of the new prior to the old one; empty: the prior stays. `beliefs`: whether to return the
// probabilities that were decided by.
// [[Rcpp::export(rng = false)]]
Rcpp::List decide_posterior_cpp(Rcpp::List posterior, Rcpp::NumericVector factor, Rcpp::List cost,
                                std::string output, SEXP row_names, bool beliefs, int threads) {
  const Frame data = bind::read_frame(posterior);
  const int classes = static_cast<int>(data.columns.size());
  require(classes > 0, "posterior: no classes");
  require(factor.size() == 0 || factor.size() == classes, "factor: wrong length");
  const bind::ActionCost costs(cost, classes, data.rows);
  const bind::DecisionValue value(output, data.rows, costs.actions, row_names);
  DecisionColumns columns = value.columns();
  Rcpp::RObject probability;
  if (beliefs) {
    Rcpp::NumericMatrix all = bind::fresh_matrix(data.rows, classes);
    all.attr("dimnames") = Rcpp::List::create(row_names, bind::element(cost, "classes"));
    for (int k = 0; k < classes; ++k) columns.probability.push_back(all.begin() + k * data.rows);
    probability = all;
  }
  const PosteriorReport report =
      decide_posterior(data, Rcpp::as<Vector>(factor), costs.cost, columns,
                       costs.classes_from_0(output == "all"), bind::make_context(threads));
  return bind::named_list(
      {{"value", value.value()},
       {"posterior", probability},
       {"report", bind::named_list({{"impossible", static_cast<double>(report.impossible)},
                                    {"unpriced", static_cast<double>(report.decision.unpriced)},
                                    {"scaled", static_cast<double>(report.scaled)},
                                    {"most_off", report.most_off},
                                    {"negative", write_rows(report.negative)},
                                    {"sum", write_rows(report.sum)},
                                    {"rounded", write_rows(report.rounded)},
                                    {"error", report.decision.error}})}});
}

// `value`: see read_columns(). `most`: the limit of each action, infinite for none; `price`: of
// each action, or empty; `total`: what all prices together may be.
// [[Rcpp::export(rng = false)]]
Rcpp::List limit_actions_cpp(Rcpp::List value, Rcpp::NumericVector most, Rcpp::NumericVector price,
                             double total) {
  const DecisionColumns columns = bind::read_columns(value);
  const auto actions = static_cast<R_xlen_t>(columns.cost_of.size());
  require(actions > 0 && most.size() == actions, "most: wrong length");
  require(price.size() == 0 || price.size() == actions, "price: wrong length");
  for (double x : most) require(x >= 0, "most: negative");
  for (double x : price) require(x >= 0 && std::isfinite(x), "price: out of range");
  const Context context = bind::make_context(1);
  const Vector limits = Rcpp::as<Vector>(most);
  const Budget budget{Rcpp::as<Vector>(price), total};
  const CapacityReport report =
      CapacityRule(columns, bind::rows_of(value), limits, budget, context).apply();
  return bind::named_list({{"problem", static_cast<int>(report.problem)},
                           {"cost", report.cost},
                           {"next", report.next},
                           {"spent", report.spent},
                           {"gap", report.gap},
                           {"shadow_price", report.shadow_price}});
}

// Changes `value` (see read_columns()) to the actions of a rule for class `of`: see ThresholdRule.
// `posterior`: row x class; `class_action`: for each class the action that decides for it. All from
// 1.
// [[Rcpp::export(rng = false)]]
void follow_threshold_cpp(Rcpp::List value, Rcpp::NumericMatrix posterior, int of, double threshold,
                          Rcpp::IntegerVector class_action) {
  const DecisionColumns columns = bind::read_columns(value);
  const int classes = posterior.ncol();
  require(posterior.nrow() == bind::rows_of(value), "posterior: wrong length");
  require(of >= 1 && of <= classes && classes > 1 && class_action.size() == classes,
          "no such class");
  bind::require_codes_in(class_action, static_cast<int>(columns.cost_of.size()), "class_action");
  const ThresholdRule rule(bind::columns_of(posterior), of - 1, threshold);
  for (int r = 0; r < posterior.nrow(); ++r) {
    const int k = columns.decision[r] == NA_INTEGER ? -1 : rule.decide(r);
    if (k >= 0 && columns.decision[r] != class_action[k]) {
      change_decision(columns, r, class_action[k]);
    }
  }
}

namespace {

double or_na(double x) { return std::isnan(x) ? NA_REAL : x; }

// The changes of features that flip a decision. Features and levels count from 1.
struct ChangeColumns {
  IntVector feature, level;
  Vector value, distance;

  void add(std::size_t of, const Flip& flip) {
    feature.push_back(static_cast<int>(of) + 1);
    level.push_back(bind::from_one(flip.level));
    value.push_back(or_na(flip.value));
    distance.push_back(or_na(flip.distance));
  }

  Rcpp::List list() const {
    return bind::named_list(
        {{"feature", feature}, {"value", value}, {"level", level}, {"distance", distance}});
  }
};

// A row for each flip, by case; a case and feature, or pair of features, without a flip has one row
// of NA. Rows and actions count from 1.
struct FlipColumns {
  std::vector<ChangeColumns> changes;
  IntVector row, decision;
  Vector sd;
  std::vector<char> exact;

  explicit FlipColumns(std::size_t together) : changes(together) {}

  void add(Index i, std::size_t j, const Flip& flip, double unit) {
    changes[0].add(j, flip);
    finish(i, flip.decision, flip.distance / unit, flip.exact);
  }

  void add(Index i, std::size_t j, std::size_t k, const PairFlip& pair) {
    changes[0].add(j, pair.first);
    changes[1].add(k, pair.second);
    finish(i, pair.decision, pair.found() ? pair.distance : kNaN, pair.exact);
  }

  Rcpp::List list(const FlipCases& cases) const {
    Rcpp::List of(static_cast<R_xlen_t>(changes.size()));
    for (std::size_t i = 0; i < changes.size(); ++i) {
      of[static_cast<R_xlen_t>(i)] = changes[i].list();
    }
    return bind::named_list({{"now", bind::from_one(cases.now)},
                             {"row", row},
                             {"changes", of},
                             {"distance_sd", sd},
                             {"decision", decision},
                             {"exact", Rcpp::LogicalVector(exact.begin(), exact.end())},
                             {"report", bind::write_report(cases.report)}});
  }

 private:
  void finish(Index i, int action, double units, bool is_exact) {
    row.push_back(static_cast<int>(i) + 1);
    decision.push_back(bind::from_one(action));
    sd.push_back(or_na(units));
    exact.push_back(is_exact);
  }
};

FlipColumns find_flips(const FlipCases& cases, const std::vector<FlipFeature>& features) {
  std::vector<FlipSearch::OfCases> found;
  for (const FlipFeature& feature : features) found.push_back(FlipSearch(cases).run(feature));
  FlipColumns columns(1);
  for (Index i = 0; i < cases.frame.rows; ++i) {
    for (std::size_t j = 0; j < features.size(); ++j) {
      const auto& flips = found[j][static_cast<std::size_t>(i)];
      if (flips.empty()) columns.add(i, j, Flip(), features[j].sd);
      for (const Flip& flip : flips) columns.add(i, j, flip, features[j].sd);
    }
  }
  return columns;
}

FlipColumns find_pairs(const FlipCases& cases, const std::vector<FlipFeature>& features) {
  std::vector<PairSearch::OfCases> found;
  for (std::size_t j = 0; j < features.size(); ++j) {
    for (std::size_t k = j + 1; k < features.size(); ++k) {
      found.push_back(PairSearch(cases).run(features[j], features[k]));
    }
  }
  FlipColumns columns(2);
  for (Index i = 0; i < cases.frame.rows; ++i) {
    std::size_t at = 0;
    for (std::size_t j = 0; j < features.size(); ++j) {
      for (std::size_t k = j + 1; k < features.size(); ++k) {
        const auto& pairs = found[at++][static_cast<std::size_t>(i)];
        if (pairs.empty()) columns.add(i, j, k, PairFlip());
        for (const PairFlip& pair : pairs) columns.add(i, j, k, pair);
      }
    }
  }
  return columns;
}

}  // namespace

// The expected costs of the actions, divided among the blocks: cases x (1 + blocks) x actions. Also
// the decision and the cheapest other action (from 1) of each case.
// [[Rcpp::export(rng = false)]]
Rcpp::List cost_contributions_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost, int blocks,
                                  bool shapley, int threads) {
  const bind::Model scored(model);
  const Frame data = bind::read_data(scored, frame);
  const Scorer scorer = scored.scorer(data.rows);
  const bind::ActionCost costs(cost, scorer.classes(), data.rows);
  require(blocks == static_cast<int>(blocks_of(scored.plan).size()), "blocks: wrong number");
  Rcpp::NumericVector value(Rcpp::Dimension(data.rows, blocks + 1, costs.actions.size()));
  Rcpp::IntegerVector decision(data.rows), runner_up(data.rows);
  const CostContributions out{value.begin(), decision.begin(), runner_up.begin(), NA_REAL};
  const ScoreReport report = cost_contributions(scored.plan, scorer, data, costs.cost,
                                                shapley ? StepOrder::shapley : StepOrder::given,
                                                out, bind::make_context(threads));
  return bind::named_list({{"value", value},
                           {"decision", bind::as_actions(decision, costs.actions)},
                           {"runner_up", bind::as_actions(runner_up, costs.actions)},
                           {"report", bind::write_report(report)}});
}

// For each case and each of `features` (from 1), or each pair of them, the values at which the
// decision changes. `low`, `high`: of each feature, the range of these values.
// [[Rcpp::export(rng = false)]]
Rcpp::List flip_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost,
                    Rcpp::IntegerVector features, Rcpp::NumericVector low, Rcpp::NumericVector high,
                    bool pairs, int threads) {
  const bind::Model scored(model);
  const Frame data = bind::read_data(scored, frame);
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows, scored.tempering);
  const bind::ActionCost costs(cost, scorer.classes(), data.rows);
  const int count = static_cast<int>(data.columns.size());
  require(low.size() == features.size() && high.size() == features.size(), "range: wrong length");
  View view = view_of(scored.plan, scored.parameters, scored.prior, count);
  view.tempering = scored.rule();
  std::vector<FlipFeature> asked;
  for (R_xlen_t j = 0; j < features.size(); ++j) {
    require(features[j] >= 1 && features[j] <= count, "no such feature");
    asked.emplace_back(view, features[j] - 1, Reach{low[j], high[j]});
  }
  const Context context = bind::make_context(threads);
  const FlipCases cases(view, scorer, costs.cost, data, context);
  return (pairs ? find_pairs(cases, asked) : find_flips(cases, asked)).list(cases);
}
