#include "context.h"
#include "decisions.h"
#include "model.h"
#include "report.h"

#include <engine/model/cost_contributions.hpp>
#include <engine/search/flip.hpp>

using namespace bayesrisk;

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
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Scorer scorer = scored.scorer(data.rows);
  const doors::ActionCost costs(cost, scorer.classes(), data.rows);
  require(blocks == static_cast<int>(blocks_of(scored.plan).size()), "blocks: wrong number");
  Rcpp::NumericVector value(Rcpp::Dimension(data.rows, blocks + 1, costs.actions.size()));
  Rcpp::IntegerVector decision(data.rows), runner_up(data.rows);
  const CostContributions out{value.begin(), decision.begin(), runner_up.begin(), NA_REAL};
  const ScoreReport report = cost_contributions(scored.plan, scorer, data, costs.cost,
                                                shapley ? StepOrder::shapley : StepOrder::given,
                                                out, doors::make_context(threads));
  return Rcpp::List::create(Rcpp::_["value"] = value,
                            Rcpp::_["decision"] = doors::as_actions(decision, costs.actions),
                            Rcpp::_["runner_up"] = doors::as_actions(runner_up, costs.actions),
                            Rcpp::_["report"] = doors::write_report(report));
}

// For each case and each of `features` (from 1): the values at which the decision changes.
// [[Rcpp::export(rng = false)]]
Rcpp::List flip_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::List cost,
                    Rcpp::IntegerVector features, int threads) {
  const doors::Model scored(model);
  const Frame data = doors::read_data(scored, frame);
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows, scored.tempering);
  const doors::ActionCost costs(cost, scorer.classes(), data.rows);
  const int count = static_cast<int>(data.columns.size());
  IntVector asked;
  for (int feature : features) {
    require(feature >= 1 && feature <= count, "no such feature");
    asked.push_back(feature - 1);
  }
  View view = view_of(scored.plan, scored.parameters, scored.prior, count);
  view.tempering = scored.rule();
  const Context context = doors::make_context(threads);
  const Flips flips = FlipSearch(view, scorer, costs.cost, data, context).run(asked);
  const FlipColumns columns(flips);
  Rcpp::IntegerVector now(flips.decision.begin(), flips.decision.end());
  for (int& d : now) d = d == kNoDecision ? NA_INTEGER : d + 1;
  return Rcpp::List::create(
      Rcpp::_["now"] = now, Rcpp::_["row"] = columns.row, Rcpp::_["feature"] = columns.feature,
      Rcpp::_["value"] = columns.value, Rcpp::_["level"] = columns.level,
      Rcpp::_["distance"] = columns.distance, Rcpp::_["distance_sd"] = columns.sd,
      Rcpp::_["decision"] = columns.decision,
      Rcpp::_["exact"] = Rcpp::LogicalVector(columns.exact.begin(), columns.exact.end()),
      Rcpp::_["report"] = doors::write_report(flips.report));
}
