#include "context.h"
#include "decisions.h"

#include <engine/decision/changes.hpp>
#include <engine/evaluation/losses.hpp>
#include <engine/evaluation/risk_control.hpp>

using namespace bayesrisk;

// What each case would get if it were not referred: list(action (from 1), cost). `value`: see
// read_columns(); `refer`: from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List preferences_cpp(Rcpp::List value, int refer) {
  const DecisionColumns columns = bind::read_columns(value);
  const R_xlen_t rows = bind::rows_of(value);
  Rcpp::IntegerVector action(rows);
  Rcpp::NumericVector cost(rows);
  for (R_xlen_t r = 0; r < rows; ++r) {
    const Preference best = prefer(columns, r, refer);
    action[r] = best.action;
    cost[r] = std::isnan(best.cost) ? NA_REAL : best.cost;
  }
  return bind::named_list({{"action", action}, {"cost", cost}});
}

namespace {

// list(bound, most, delta, all_or_none)
Promise read_promise(const Rcpp::List& list) {
  Promise promise;
  promise.bound = Rcpp::as<double>(bind::element(list, "bound"));
  promise.most = Rcpp::as<double>(bind::element(list, "most"));
  promise.delta = Rcpp::as<double>(bind::element(list, "delta"));
  promise.all_or_none = Rcpp::as<bool>(bind::element(list, "all_or_none"));
  require(promise.bound > 0 && promise.bound < promise.most, "bound: out of range");
  require(promise.delta > 0 && promise.delta < 1, "delta: out of range");
  return promise;
}

Rcpp::List write_points(const std::vector<ControlPoint>& points) {
  Rcpp::NumericVector threshold, decided, cost, p_value;
  Rcpp::LogicalVector tested, passed;
  for (const ControlPoint& point : points) {
    threshold.push_back(point.threshold);
    decided.push_back(point.decided);
    cost.push_back(point.mean);
    p_value.push_back(point.p_value);
    tested.push_back(point.tested);
    passed.push_back(point.passed);
  }
  return bind::named_list({{"threshold", threshold},
                           {"decided", decided},
                           {"cost", cost},
                           {"p_value", p_value},
                           {"tested", tested},
                           {"passed", passed}});
}

}  // namespace

// The thresholds of one group of cases: see control_risk(). `action` and `truth`: from 1, or NA;
// `score`: NA for a case without one; `own`: which cases count; `promise`: see read_promise().
// `outside` is the number of costs that are not between 0 and `most`.
// [[Rcpp::export(rng = false)]]
Rcpp::List control_risk_cpp(Rcpp::NumericVector score, Rcpp::IntegerVector action,
                            Rcpp::IntegerVector truth, Rcpp::List cost, Rcpp::LogicalVector own,
                            Rcpp::List promise, Rcpp::NumericVector grid,
                            Rcpp::NumericVector other) {
  const R_xlen_t rows = score.size();
  const int classes = bind::count_classes(cost);
  const bind::ActionCost costs(cost, classes, rows);
  require(action.size() == rows && truth.size() == rows && own.size() == rows, "wrong length");
  bind::require_codes_in(truth, classes, "truth");
  bind::require_codes_in(action, static_cast<int>(costs.actions.size()), "action");
  const Promise wanted = read_promise(promise);
  const CostTable table(costs.cost);
  std::vector<ScoredCost> cases;
  double outside = 0;
  for (R_xlen_t r = 0; r < rows; ++r) {
    if (!own[r] || std::isnan(score[r])) continue;
    if (action[r] == NA_INTEGER || truth[r] == NA_INTEGER) continue;
    const double paid = table.of(action[r] - 1, truth[r] - 1, r);
    if (std::isnan(paid)) continue;
    outside += paid < 0 || (std::isfinite(paid) && paid > wanted.most * (1 + 1e-12));
    cases.push_back({score[r], paid});
  }
  const auto count = static_cast<double>(cases.size());
  const ControlledRule rule =
      control_risk(std::move(cases), wanted, Rcpp::as<Vector>(grid), Rcpp::as<Vector>(other));
  return bind::named_list({{"threshold", rule.threshold},
                           {"cases", count},
                           {"outside", outside},
                           {"fewest", rule.fewest},
                           {"points", write_points(rule.points)}});
}

// Changes `value` (see read_columns()) to what a rule decides: the preference of a case if its
// score is at most its threshold, else the referral. `preferred`: see preferences_cpp().
// [[Rcpp::export(rng = false)]]
void follow_guarantee_cpp(Rcpp::List value, Rcpp::IntegerVector preferred,
                          Rcpp::NumericVector score, Rcpp::NumericVector threshold, int refer) {
  const DecisionColumns columns = bind::read_columns(value);
  const R_xlen_t rows = bind::rows_of(value);
  require(preferred.size() == rows && score.size() == rows && threshold.size() == rows,
          "wrong length");
  require(refer >= 1 && refer <= static_cast<int>(columns.cost_of.size()), "refer: out of range");
  for (R_xlen_t r = 0; r < rows; ++r) {
    if (columns.decision[r] == NA_INTEGER) continue;
    const int to = score[r] <= threshold[r] ? preferred[r] : refer;
    if (columns.decision[r] != to) change_decision(columns, r, to);
  }
}
