#include "context.h"
#include "decisions.h"
#include "frame.h"

#include <engine/evaluation/assessment.hpp>
#include <engine/evaluation/measures.hpp>
#include <engine/evaluation/proper_scores.hpp>

#include <memory>

using namespace bayesrisk;

namespace {

Rcpp::List write_coverage(const std::vector<CoveragePoint>& curve) {
  const R_xlen_t n = static_cast<R_xlen_t>(curve.size());
  Rcpp::NumericVector reject(n), decided(n), wrong(n), cost(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    reject[i] = curve[i].reject;
    decided[i] = curve[i].decided;
    wrong[i] = curve[i].wrong;
    cost[i] = curve[i].cost;
  }
  return bind::named_list(
      {{"reject", reject}, {"decided", decided}, {"wrong", wrong}, {"cost", cost}});
}

void require_codes_in(const Rcpp::IntegerVector& codes, int count, const char* what) {
  for (int code : codes) {
    require(code == NA_INTEGER || (code >= 1 && code <= count),
            (std::string(what) + ": no such code").c_str());
  }
}

// A row per class and bin.
Rcpp::List write_bins(const std::vector<std::vector<CalibrationBin>>& classes) {
  Rcpp::IntegerVector of;
  Rcpp::NumericVector from, to, cases, predicted, observed;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    for (const CalibrationBin& bin : classes[k]) {
      of.push_back(static_cast<int>(k) + 1);
      from.push_back(bin.from);
      to.push_back(bin.to);
      cases.push_back(bin.cases);
      predicted.push_back(bin.predicted);
      observed.push_back(bin.observed);
    }
  }
  return bind::named_list({{"class", of},
                           {"from", from},
                           {"to", to},
                           {"cases", cases},
                           {"predicted", predicted},
                           {"observed", observed}});
}

// A measure per column, with its interval.
Rcpp::NumericMatrix write_measures(const std::vector<Measure>& measures) {
  Rcpp::NumericMatrix result(3, static_cast<int>(measures.size()));
  for (std::size_t k = 0; k < measures.size(); ++k) {
    double* column = result.begin() + 3 * k;
    column[0] = measures[k].value;
    column[1] = measures[k].lower;
    column[2] = measures[k].upper;
  }
  return result;
}

// A row per class and point.
Rcpp::List write_cuts(const std::vector<std::vector<CutPoint>>& classes) {
  Rcpp::IntegerVector of;
  Vector threshold, hits, alarms;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    for (const CutPoint& point : classes[k]) {
      of.push_back(static_cast<int>(k) + 1);
      threshold.push_back(point.threshold);
      hits.push_back(point.hits);
      alarms.push_back(point.alarms);
    }
  }
  return bind::named_list(
      {{"class", of}, {"threshold", threshold}, {"hits", hits}, {"alarms", alarms}});
}

}  // namespace

// `decision`, `truth`: codes from 1, or NA; `expected`: numbers or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List assess_cpp(Rcpp::IntegerVector decision, Rcpp::IntegerVector truth, Rcpp::List cost,
                      Rcpp::Nullable<Rcpp::NumericVector> expected, int seed, int threads) {
  const Cases cases{truth.size(), truth.begin(), nullptr};
  const int classes = bind::count_classes(cost);
  const bind::ActionCost costs(cost, classes, cases.rows);
  require(decision.size() == cases.rows, "decision: wrong length");
  require_codes_in(decision, static_cast<int>(costs.actions.size()), "decision");
  require_codes_in(truth, classes, "truth");
  Rcpp::NumericVector believed;
  if (expected.isNotNull()) {
    believed = expected.get();
    require(believed.size() == cases.rows, "expected: wrong length");
  }
  const CostTable table(costs.cost);
  const Assessment a = Assessor(cases, table, decision.begin(),
                                expected.isNotNull() ? believed.begin() : nullptr, costs.class_of)
                           .run(static_cast<std::uint64_t>(seed), bind::make_context(threads));
  return bind::named_list({{"truth", a.truth},
                           {"count", a.count},
                           {"cost", a.cost},
                           {"wrong", a.wrong},
                           {"unknown", a.unknown},
                           {"undecided", a.undecided},
                           {"unpriced", a.unpriced},
                           {"realised", a.realised},
                           {"standard_error", a.standard_error},
                           {"best", a.best},
                           {"believed", a.believed},
                           {"lower", a.lower},
                           {"upper", a.upper},
                           {"coverage", write_coverage(a.coverage)}});
}

// `posterior`: a frame for read_frame(), with a column of probabilities, or of their logarithms,
// per class; `truth`: NA for a case that does not count; `prior`: the prior that the probabilities
// contain, or empty.
// [[Rcpp::export(rng = false)]]
Rcpp::List proper_scores_cpp(Rcpp::List posterior, bool logarithms, Rcpp::IntegerVector truth,
                             Rcpp::NumericVector prior) {
  const Frame frame = bind::read_frame(posterior);
  const int classes = static_cast<int>(frame.columns.size());
  require(truth.size() == frame.rows, "truth: wrong length");
  require(prior.size() == 0 || prior.size() == classes, "prior: wrong length");
  require_codes_in(truth, classes, "truth");
  const ProperScores s =
      ProperScorer(frame, logarithms, truth.begin(), Rcpp::as<Vector>(prior)).run();
  return bind::named_list(
      {{"log_loss", s.log_loss},
       {"brier", s.brier},
       {"impossible", s.impossible},
       {"certain", Rcpp::NumericVector::create(Rcpp::_["from"] = s.certain.from,
                                               Rcpp::_["cases"] = s.certain.cases,
                                               Rcpp::_["expected"] = s.certain.expected,
                                               Rcpp::_["wrong"] = s.certain.wrong)},
       {"bins", write_bins(s.bins)},
       {"cost_curve", bind::named_list({{"weight", s.cost_curve.weight},
                                        {"cost", s.cost_curve.cost},
                                        {"best", s.cost_curve.best}})},
       {"benefit", bind::named_list({{"threshold", s.benefit.threshold},
                                     {"benefit", s.benefit.benefit},
                                     {"all", s.benefit.all}})}});
}

// `decision`: from 1, or NA; `truth`: from 1, NA for a case that does not count; `posterior`: as in
// proper_scores_cpp(), or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List measures_cpp(Rcpp::IntegerVector decision, Rcpp::IntegerVector truth, Rcpp::List cost,
                        Rcpp::Nullable<Rcpp::List> posterior, bool logarithms, int seed,
                        int threads) {
  const Cases cases{truth.size(), truth.begin(), nullptr};
  const int classes = bind::count_classes(cost);
  const bind::ActionCost costs(cost, classes, cases.rows);
  const int actions = static_cast<int>(costs.actions.size());
  require(decision.size() == cases.rows, "decision: wrong length");
  require_codes_in(decision, actions, "decision");
  require_codes_in(truth, classes, "truth");
  for (Index r = 0; r < cases.rows; ++r) {
    require(truth[r] == NA_INTEGER || decision[r] != NA_INTEGER, "decision: missing");
  }
  std::unique_ptr<PosteriorScores> scores;
  if (posterior.isNotNull()) {
    const Frame frame = bind::read_frame(Rcpp::List(posterior.get()));
    require(frame.rows == cases.rows, "posterior: wrong length");
    require(static_cast<int>(frame.columns.size()) == classes, "posterior: wrong classes");
    scores = std::make_unique<PosteriorScores>(frame, logarithms, truth.begin());
  }
  const CostTable table(costs.cost);
  const Measures m = Measurer(cases, table, decision.begin(), costs.class_of, scores.get())
                         .run(static_cast<std::uint64_t>(seed), bind::make_context(threads));
  return bind::named_list(
      {{"overall", write_measures({m.accuracy, m.balanced, m.kappa, m.matthews, m.auc, m.ks})},
       {"sensitivity", write_measures(m.sensitivity)},
       {"specificity", write_measures(m.specificity)},
       {"precision", write_measures(m.precision)},
       {"f1", write_measures(m.f1)},
       {"auc", write_measures(m.auc_of)},
       {"ks", write_measures(m.ks_of)},
       {"curves", write_cuts(m.curves)},
       {"constant", m.constant}});
}

// The mean of the known values, with its standard error: list(mean, standard_error); NaN if there
// are too few.
// [[Rcpp::export(rng = false)]]
Rcpp::List mean_and_error_cpp(Rcpp::NumericVector values) {
  Cases cases;
  cases.rows = values.size();
  const MeanError found = mean_and_error(cases, Rcpp::as<Vector>(values));
  return bind::named_list({{"mean", found.mean}, {"standard_error", found.standard_error}});
}
