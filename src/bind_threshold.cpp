#include "context.h"
#include "decisions.h"
#include "frame.h"

#include <engine/decision/changes.hpp>
#include <engine/evaluation/threshold_search.hpp>

using namespace bayesrisk;

namespace {

ThresholdMetric metric_of(const std::string& name) {
  if (name == "cost") return ThresholdMetric::cost;
  if (name == "f1") return ThresholdMetric::f1;
  if (name == "fbeta") return ThresholdMetric::fbeta;
  if (name == "balanced_accuracy") return ThresholdMetric::balanced_accuracy;
  if (name == "mcc") return ThresholdMetric::mcc;
  if (name == "sensitivity") return ThresholdMetric::sensitivity;
  if (name == "specificity") return ThresholdMetric::specificity;
  require(name == "precision", "no such metric");
  return ThresholdMetric::precision;
}

// The cases that have a posterior, a truth and both costs, and their rows.
struct ThresholdRows {
  std::vector<ThresholdCase> cases;
  std::vector<int> row;
};

// `posterior`: row x class, NA for a case without one; `truth`: from 1, or NA; `class_action`: for
// each class the action that decides for it; `of`: the class, all from 1; `weight`: NULL or
// numbers.
ThresholdRows read_threshold_rows(const Rcpp::NumericMatrix& posterior,
                                  const Rcpp::IntegerVector& truth, const Rcpp::List& cost,
                                  const Rcpp::IntegerVector& class_action, int of, SEXP weight) {
  const int rows = posterior.nrow(), classes = posterior.ncol();
  const bind::ActionCost costs(cost, classes, rows);
  require(truth.size() == rows && class_action.size() == classes, "truth: wrong length");
  require(of >= 1 && of <= classes && classes > 1, "no such class");
  bind::require_codes_in(truth, classes, "truth");
  bind::require_codes_in(class_action, static_cast<int>(costs.actions.size()), "class_action");
  const double* weights = bind::read_weight(weight, rows);
  const CostTable table(costs.cost);
  const ThresholdRule rule(bind::columns_of(posterior), of - 1, 0);
  ThresholdRows found;
  for (int r = 0; r < rows; ++r) {
    if (truth[r] == NA_INTEGER || rule.decide(r) < 0) continue;
    if (weights && weights[r] == 0) continue;
    const auto paid = [&](int k) { return table.of(class_action[k] - 1, truth[r] - 1, r); };
    const ThresholdCase next{posterior(r, of - 1), truth[r] == of, paid(of - 1),
                             paid(rule.other(r)), weights ? weights[r] : 1};
    if (std::isnan(next.cost_in) || std::isnan(next.cost_out)) continue;
    found.cases.push_back(next);
    found.row.push_back(r);
  }
  return found;
}

// A row for each of the counts: the number of cases, the mean cost and the sensitivity.
Rcpp::NumericMatrix write_counts(const std::vector<ThresholdCounts>& all) {
  Rcpp::NumericMatrix result(static_cast<int>(all.size()), 3);
  for (int i = 0; i < result.nrow(); ++i) {
    const double count = all[i].own + all[i].others;
    result(i, 0) = count;
    result(i, 1) = all[i].cost / count;
    result(i, 2) = all[i].sensitivity();
  }
  Rcpp::colnames(result) = Rcpp::CharacterVector::create("n", "cost", "sensitivity");
  return result;
}

}  // namespace

// The best threshold of a class: see read_threshold_rows() and find_threshold(). `at_least`:
// numbers named by metric.
// [[Rcpp::export(rng = false)]]
Rcpp::List threshold_cpp(Rcpp::NumericMatrix posterior, Rcpp::IntegerVector truth, Rcpp::List cost,
                         Rcpp::IntegerVector class_action, int of, std::string metric, double beta,
                         Rcpp::NumericVector at_least) {
  ThresholdGoal goal{metric_of(metric), beta};
  for (R_xlen_t i = 0; i < at_least.size(); ++i) {
    const std::string name = Rcpp::as<std::string>(Rcpp::CharacterVector(at_least.names())[i]);
    goal.at_least.emplace_back(metric_of(name), at_least[i]);
  }
  std::vector<ThresholdCase> cases =
      read_threshold_rows(posterior, truth, cost, class_action, of, R_NilValue).cases;
  const auto count = static_cast<double>(cases.size());
  const auto own = std::count_if(cases.begin(), cases.end(), [](const auto& c) { return c.own; });
  const ThresholdChoice best = find_threshold(std::move(cases), goal, bind::make_context(1));
  const ThresholdCounts& c = best.counts;
  return bind::named_list(
      {{"threshold", best.threshold},
       {"cases", count},
       {"own", static_cast<double>(own)},
       {"measures",
        Rcpp::NumericVector::create(
            Rcpp::_["cost"] = c.cost / count, Rcpp::_["f1"] = c.f(1), Rcpp::_["fbeta"] = c.f(beta),
            Rcpp::_["balanced_accuracy"] = c.balanced(), Rcpp::_["mcc"] = c.mcc(),
            Rcpp::_["sensitivity"] = c.sensitivity(), Rcpp::_["specificity"] = c.specificity(),
            Rcpp::_["precision"] = c.precision())}});
}

// The thresholds of a class that give groups of cases the same sensitivity: see
// read_threshold_rows() and equalise_sensitivity(). `group`: from 1, NA for a case without one;
// `sensitivity`: NA for that of the common threshold. A row per group in `threshold`, `own` (at
// these thresholds) and `common` (at the common one); `all`: of all cases, at the common threshold
// and then at their own, where cases without one keep the common one.
// [[Rcpp::export(rng = false)]]
Rcpp::List equal_sensitivity_cpp(Rcpp::NumericMatrix posterior, Rcpp::IntegerVector truth,
                                 Rcpp::List cost, Rcpp::IntegerVector class_action, int of,
                                 Rcpp::Nullable<Rcpp::NumericVector> weight,
                                 Rcpp::IntegerVector group, int groups, double sensitivity) {
  require(group.size() == posterior.nrow(), "group: wrong length");
  bind::require_codes_in(group, groups, "group");
  const ThresholdRows rows =
      read_threshold_rows(posterior, truth, cost, class_action, of, weight.get());
  IntVector of_group;
  for (int r : rows.row) of_group.push_back(group[r] == NA_INTEGER ? 0 : group[r]);
  const EqualSensitivity found =
      equalise_sensitivity(rows.cases, of_group, groups, sensitivity, bind::make_context(1));
  Rcpp::NumericVector threshold;
  std::vector<ThresholdCounts> own, common;
  for (const GroupThreshold& g : found.groups) {
    threshold.push_back(g.own.threshold);
    common.push_back(g.common);
    own.push_back(g.own.counts);
  }
  return bind::named_list({{"common", found.common.threshold},
                           {"sensitivity", found.sensitivity},
                           {"threshold", threshold},
                           {"own", write_counts(own)},
                           {"common_counts", write_counts(common)},
                           {"all", write_counts({found.common.counts, found.equal})}});
}
