#include "context.h"
#include "decisions.h"
#include "fresh.h"
#include "model.h"

#include <engine/decision/capacity.hpp>
#include <engine/decision/decide_posterior.hpp>
#include <engine/model/cost_contributions.hpp>
#include <engine/search/flip.hpp>

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

// `value`: the fresh columns of one of the bindings above with output "all". They are changed
// without a copy. `action`: from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List limit_action_cpp(Rcpp::List value, int action, int most) {
  Rcpp::IntegerVector decision = bind::element(value, "decision");
  Rcpp::IntegerVector runner_up = bind::element(value, "runner_up");
  Rcpp::NumericVector cost = bind::element(value, "cost"), margin = bind::element(value, "margin");
  const Rcpp::List cost_of(bind::element(value, "cost_of"));
  const R_xlen_t rows = decision.size(), actions = cost_of.size();
  require(actions > 1 && action >= 1 && action <= actions && most >= 0, "no such action");
  require(runner_up.size() == rows && cost.size() == rows && margin.size() == rows,
          "columns of different lengths");
  DecisionColumns columns;
  columns.decision = decision.begin();
  columns.runner_up = runner_up.begin();
  columns.cost = cost.begin();
  columns.margin = margin.begin();
  for (SEXP values : cost_of) {
    require(TYPEOF(values) == REALSXP && Rf_xlength(values) == rows, "cost_of: wrong columns");
    columns.cost_of.push_back(REAL(values));
  }
  const CapacityReport report = limit_action(columns, rows, action, most, bind::make_context(1));
  return bind::named_list(
      {{"wanted", report.wanted}, {"cost", report.cost}, {"next", report.next}});
}

namespace {

// A row for each flip, by case; a case and feature without a flip has one row of NA. Rows,
// features, levels and actions count from 1.
struct FlipColumns {
  IntVector row, feature, level, decision;
  Vector value, distance, sd;
  std::vector<char> exact;

  explicit FlipColumns(const Flips& flips) {
    for (std::size_t i = 0; i < flips.decision.size(); ++i) {
      for (std::size_t j = 0; j < flips.of.size(); ++j) {
        if (flips.of[j][i].empty()) add(i, j, Flip(), flips.sd[j]);
        for (const Flip& flip : flips.of[j][i]) add(i, j, flip, flips.sd[j]);
      }
    }
  }

  void add(std::size_t i, std::size_t j, const Flip& flip, double unit) {
    row.push_back(static_cast<int>(i) + 1);
    feature.push_back(static_cast<int>(j) + 1);
    level.push_back(flip.level < 0 ? NA_INTEGER : flip.level + 1);
    decision.push_back(flip.decision == kNoDecision ? NA_INTEGER : flip.decision + 1);
    value.push_back(or_na(flip.value));
    distance.push_back(or_na(flip.distance));
    sd.push_back(or_na(flip.distance / unit));
    exact.push_back(flip.exact);
  }

  static double or_na(double x) { return std::isnan(x) ? NA_REAL : x; }
};

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

// For each case and each of `features` (from 1): the values at which the decision changes.
// [[Rcpp::export(rng = false)]]
Rcpp::List flip_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost,
                    Rcpp::IntegerVector features, int threads) {
  const bind::Model scored(model);
  const Frame data = bind::read_data(scored, frame);
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows, scored.tempering);
  const bind::ActionCost costs(cost, scorer.classes(), data.rows);
  const int count = static_cast<int>(data.columns.size());
  IntVector asked;
  for (int feature : features) {
    require(feature >= 1 && feature <= count, "no such feature");
    asked.push_back(feature - 1);
  }
  View view = view_of(scored.plan, scored.parameters, scored.prior, count);
  view.tempering = scored.rule();
  const Context context = bind::make_context(threads);
  const Flips flips = FlipSearch(view, scorer, costs.cost, data, context).run(asked);
  const FlipColumns columns(flips);
  Rcpp::IntegerVector now(flips.decision.begin(), flips.decision.end());
  for (int& d : now) d = d == kNoDecision ? NA_INTEGER : d + 1;
  return bind::named_list(
      {{"now", now},
       {"row", columns.row},
       {"feature", columns.feature},
       {"value", columns.value},
       {"level", columns.level},
       {"distance", columns.distance},
       {"distance_sd", columns.sd},
       {"decision", columns.decision},
       {"exact", Rcpp::LogicalVector(columns.exact.begin(), columns.exact.end())},
       {"report", bind::write_report(flips.report)}});
}
