#include "context.h"
#include "decisions.h"
#include "frame.h"

#include <engine/evaluation/assessment.hpp>
#include <engine/evaluation/proper_scores.hpp>

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
  return Rcpp::List::create(Rcpp::_["reject"] = reject, Rcpp::_["decided"] = decided,
                            Rcpp::_["wrong"] = wrong, Rcpp::_["cost"] = cost);
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
  return Rcpp::List::create(Rcpp::_["class"] = of, Rcpp::_["from"] = from, Rcpp::_["to"] = to,
                            Rcpp::_["cases"] = cases, Rcpp::_["predicted"] = predicted,
                            Rcpp::_["observed"] = observed);
}

}  // namespace

// `decision`, `truth`: from 1 or NA; `expected`: numbers or NULL.
// [[Rcpp::export(rng = false)]]
Rcpp::List assess_cpp(Rcpp::IntegerVector decision, Rcpp::IntegerVector truth, Rcpp::List cost,
                      Rcpp::Nullable<Rcpp::NumericVector> expected, int seed, int threads) {
  const Cases cases{truth.size(), truth.begin(), nullptr};
  const int classes = doors::count_classes(cost);
  const doors::ActionCost costs(cost, classes, cases.rows);
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
                           .run(static_cast<std::uint64_t>(seed), doors::make_context(threads));
  return Rcpp::List::create(
      Rcpp::_["truth"] = a.truth, Rcpp::_["count"] = a.count, Rcpp::_["cost"] = a.cost,
      Rcpp::_["wrong"] = a.wrong, Rcpp::_["unknown"] = a.unknown,
      Rcpp::_["undecided"] = a.undecided, Rcpp::_["unpriced"] = a.unpriced,
      Rcpp::_["realised"] = a.realised, Rcpp::_["standard_error"] = a.standard_error,
      Rcpp::_["best"] = a.best, Rcpp::_["believed"] = a.believed, Rcpp::_["lower"] = a.lower,
      Rcpp::_["upper"] = a.upper, Rcpp::_["coverage"] = write_coverage(a.coverage));
}

// `posterior`: a frame as of read_frame(), a column per class, of probabilities or of their
// logarithms; `truth`: NA where the case does not count; `prior`: what they contain, or empty.
// [[Rcpp::export(rng = false)]]
Rcpp::List proper_scores_cpp(Rcpp::List posterior, bool logarithms, Rcpp::IntegerVector truth,
                             Rcpp::NumericVector prior) {
  const Frame frame = doors::read_frame(posterior);
  const int classes = static_cast<int>(frame.columns.size());
  require(truth.size() == frame.rows, "truth: wrong length");
  require(prior.size() == 0 || prior.size() == classes, "prior: wrong length");
  require_codes_in(truth, classes, "truth");
  const ProperScores s =
      ProperScorer(frame, logarithms, truth.begin(), Rcpp::as<Vector>(prior)).run();
  return Rcpp::List::create(
      Rcpp::_["log_loss"] = s.log_loss, Rcpp::_["brier"] = s.brier,
      Rcpp::_["impossible"] = s.impossible,
      Rcpp::_["certain"] = Rcpp::NumericVector::create(
          Rcpp::_["from"] = s.certain.from, Rcpp::_["cases"] = s.certain.cases,
          Rcpp::_["expected"] = s.certain.expected, Rcpp::_["wrong"] = s.certain.wrong),
      Rcpp::_["bins"] = write_bins(s.bins),
      Rcpp::_["cost_curve"] = Rcpp::List::create(Rcpp::_["weight"] = s.cost_curve.weight,
                                                 Rcpp::_["cost"] = s.cost_curve.cost,
                                                 Rcpp::_["best"] = s.cost_curve.best),
      Rcpp::_["benefit"] = Rcpp::List::create(Rcpp::_["threshold"] = s.benefit.threshold,
                                              Rcpp::_["benefit"] = s.benefit.benefit,
                                              Rcpp::_["all"] = s.benefit.all));
}
