#include "context.h"
#include "decisions.h"
#include "frame.h"

#include <engine/decision/changes.hpp>
#include <engine/evaluation/assessment.hpp>
#include <engine/evaluation/case_weights.hpp>
#include <engine/evaluation/comparison.hpp>
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

// The design of an assessment, as R passes it: list(weight (a number for each case, or NULL),
// cluster (from 1, or NULL), fixed (whether the shares of the classes are known)).
Cases read_cases(const Rcpp::List& design, const Rcpp::IntegerVector& truth) {
  Cases cases;
  cases.rows = truth.size();
  cases.truth = truth.begin();
  cases.fixed = Rcpp::as<bool>(bind::element(design, "fixed"));
  cases.weight = bind::read_weight(bind::element(design, "weight"), cases.rows);
  cases.cluster = bind::read_clusters(bind::element(design, "cluster"), cases.rows);
  return cases;
}

// list(by, level, seed)
IntervalPlan read_interval(const Rcpp::List& list) {
  IntervalPlan plan;
  const std::string by = Rcpp::as<std::string>(bind::element(list, "by"));
  plan.by = by == "bayes"       ? Resampling::bayes
            : by == "bootstrap" ? Resampling::bootstrap
                                : Resampling::none;
  plan.level = Rcpp::as<double>(bind::element(list, "level"));
  plan.seed = static_cast<std::uint64_t>(Rcpp::as<int>(bind::element(list, "seed")));
  require(plan.level > 0 && plan.level < 1, "level: out of range");
  return plan;
}

// A row per class and bin.
Rcpp::List write_bins(const std::vector<std::vector<CalibrationBin>>& classes) {
  Rcpp::IntegerVector of;
  Rcpp::NumericVector from, to, cases, effective, predicted, observed;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    for (const CalibrationBin& bin : classes[k]) {
      of.push_back(static_cast<int>(k) + 1);
      from.push_back(bin.from);
      to.push_back(bin.to);
      cases.push_back(bin.cases.sum);
      effective.push_back(bin.cases.effective());
      predicted.push_back(bin.predicted);
      observed.push_back(bin.observed);
    }
  }
  return bind::named_list({{"class", of},
                           {"from", from},
                           {"to", to},
                           {"cases", cases},
                           {"effective", effective},
                           {"predicted", predicted},
                           {"observed", observed}});
}

// A measure per column, with its interval and its number.
Rcpp::NumericMatrix write_measures(const std::vector<Measure>& measures) {
  Rcpp::NumericMatrix result(4, static_cast<int>(measures.size()));
  double* out = result.begin();
  for (const Measure& m : measures) {
    for (double x : {m.value, m.interval.lower, m.interval.upper, m.number}) *out++ = x;
  }
  return result;
}

// An area per column, with its standard error, and the numbers of cases of the class and of others.
Rcpp::NumericMatrix write_areas(const std::vector<Area>& areas) {
  Rcpp::NumericMatrix result(4, static_cast<int>(areas.size()));
  double* out = result.begin();
  for (const Area& a : areas) {
    for (double x : {a.value, a.error, a.own, a.others}) *out++ = x;
  }
  return result;
}

// A row per class and threshold.
Rcpp::List write_benefit(const std::vector<ClassBenefit>& classes) {
  Rcpp::IntegerVector of;
  Vector threshold, benefit, all, hits, alarms, wider;
  const auto append = [](Vector& to, const Vector& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const ClassBenefit& own : classes) {
    for (std::size_t i = 0; i < own.curve.threshold.size(); ++i) of.push_back(own.of);
    append(threshold, own.curve.threshold);
    append(benefit, own.curve.benefit);
    append(all, own.curve.all);
    append(hits, own.curve.hits);
    append(alarms, own.curve.alarms);
    append(wider, own.curve.wider);
  }
  return bind::named_list({{"class", of},
                           {"threshold", threshold},
                           {"benefit", benefit},
                           {"all", all},
                           {"hits", hits},
                           {"alarms", alarms},
                           {"wider", wider}});
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

// The weights of cases: list(weight (relative to `unit`; NULL: all alike), unit, absent (a
// class that has a prior and no case; 0: none)). `weight`: numbers or NULL; `prior`: empty if the
// classes keep their shares.
// [[Rcpp::export(rng = false)]]
Rcpp::List case_weights_cpp(Rcpp::IntegerVector truth, Rcpp::Nullable<Rcpp::NumericVector> weight,
                            Rcpp::NumericVector prior) {
  Rcpp::NumericVector given;
  if (weight.isNotNull()) given = weight.get();
  require(weight.isNull() || given.size() == truth.size(), "weight: wrong length");
  int classes = static_cast<int>(prior.size());
  if (classes == 0) classes = std::numeric_limits<int>::max();
  bind::require_codes_in(truth, classes, "truth");
  const CaseWeights found =
      weigh_cases(truth.begin(), truth.size(), weight.isNull() ? nullptr : given.begin(),
                  Rcpp::as<Vector>(prior));
  Rcpp::RObject of = R_NilValue;
  if (!found.of.empty()) of = Rcpp::wrap(found.of);
  return bind::named_list({{"weight", of}, {"unit", found.unit}, {"absent", found.absent}});
}

// `decision`, `truth`: codes from 1, or NA; `design`: see read_cases(); `expected`: numbers or
// NULL; `interval`: see read_interval(). Sums of weights are relative, see case_weights_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List assess_cpp(Rcpp::IntegerVector decision, Rcpp::IntegerVector truth, Rcpp::List design,
                      Rcpp::List cost, Rcpp::Nullable<Rcpp::NumericVector> expected,
                      Rcpp::List interval, int threads) {
  const Cases cases = read_cases(design, truth);
  const int classes = bind::count_classes(cost);
  const bind::ActionCost costs(cost, classes, cases.rows);
  require(decision.size() == cases.rows, "decision: wrong length");
  bind::require_codes_in(decision, static_cast<int>(costs.actions.size()), "decision");
  bind::require_codes_in(truth, classes, "truth");
  Rcpp::NumericVector believed;
  if (expected.isNotNull()) {
    believed = expected.get();
    require(believed.size() == cases.rows, "expected: wrong length");
  }
  const CostTable table(costs.cost);
  const Assessment a = Assessor(cases, table, decision.begin(),
                                expected.isNotNull() ? believed.begin() : nullptr, costs.class_of)
                           .run(read_interval(interval), bind::make_context(threads));
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
                           {"lower", a.interval.lower},
                           {"upper", a.interval.upper},
                           {"least", a.limits.least},
                           {"greatest", a.limits.greatest},
                           {"clusters", a.clusters},
                           {"coverage", write_coverage(a.coverage)}});
}

// `posterior`: a frame for read_frame(), with a column of probabilities, or of their logarithms,
// per class; `truth`: NA for a case that does not count; `prior`: the prior that the probabilities
// contain, or empty; `benefit_of`: classes, from 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List proper_scores_cpp(Rcpp::List posterior, bool logarithms, Rcpp::IntegerVector truth,
                             Rcpp::List design, Rcpp::NumericVector prior,
                             Rcpp::IntegerVector benefit_of) {
  const Frame frame = bind::read_frame(posterior);
  const int classes = static_cast<int>(frame.columns.size());
  require(truth.size() == frame.rows, "truth: wrong length");
  require(prior.size() == 0 || prior.size() == classes, "prior: wrong length");
  bind::require_codes_in(truth, classes, "truth");
  for (int k : benefit_of) require(k >= 1 && k <= classes, "benefit_of: no such class");
  const Cases cases = read_cases(design, truth);
  const ProperScores s = ProperScorer(frame, logarithms, cases, Rcpp::as<Vector>(prior),
                                      Rcpp::as<IntVector>(benefit_of))
                             .run();
  Rcpp::NumericMatrix weights(2, classes);
  for (int k = 0; k < classes; ++k) {
    weights(0, k) = s.of_class[k].sum;
    weights(1, k) = s.of_class[k].squares;
  }
  return bind::named_list(
      {{"log_loss", s.log_loss},
       {"class_weights", weights},
       {"brier", s.brier},
       {"impossible", s.impossible},
       {"certain", Rcpp::NumericVector::create(Rcpp::_["from"] = s.certain.from,
                                               Rcpp::_["cases"] = s.certain.cases,
                                               Rcpp::_["expected"] = s.certain.expected,
                                               Rcpp::_["wrong"] = s.certain.wrong)},
       {"variance", s.certain.variance},
       {"bins", write_bins(s.bins)},
       {"cost_curve", bind::named_list({{"weight", s.cost_curve.weight},
                                        {"cost", s.cost_curve.cost},
                                        {"best", s.cost_curve.best}})},
       {"benefit", write_benefit(s.benefit)}});
}

// `decision`: from 1, or NA; `truth`: from 1, NA for a case that does not count; `posterior`: as in
// proper_scores_cpp(), or NULL; `rank`: see Measurer.
// [[Rcpp::export(rng = false)]]
Rcpp::List measures_cpp(Rcpp::IntegerVector decision, Rcpp::IntegerVector truth, Rcpp::List design,
                        Rcpp::List cost, Rcpp::Nullable<Rcpp::List> posterior, bool logarithms,
                        Rcpp::IntegerVector rank, Rcpp::List interval, int threads) {
  const Cases cases = read_cases(design, truth);
  const int classes = bind::count_classes(cost);
  const bind::ActionCost costs(cost, classes, cases.rows);
  const int actions = static_cast<int>(costs.actions.size());
  require(decision.size() == cases.rows, "decision: wrong length");
  bind::require_codes_in(decision, actions, "decision");
  bind::require_codes_in(truth, classes, "truth");
  require(rank.size() == 0 || rank.size() == classes, "rank: wrong length");
  for (Index r = 0; r < cases.rows; ++r) {
    require(truth[r] == NA_INTEGER || decision[r] != NA_INTEGER, "decision: missing");
  }
  std::unique_ptr<PosteriorScores> scores;
  if (posterior.isNotNull()) {
    const Frame frame = bind::read_frame(Rcpp::List(posterior.get()));
    require(frame.rows == cases.rows, "posterior: wrong length");
    require(static_cast<int>(frame.columns.size()) == classes, "posterior: wrong classes");
    scores = std::make_unique<PosteriorScores>(frame, logarithms, truth.begin(), cases.weight);
  }
  const CostTable table(costs.cost);
  const Measures m = Measurer(cases, table, decision.begin(), costs.class_of, scores.get(),
                              Rcpp::as<IntVector>(rank))
                         .run(read_interval(interval), bind::make_context(threads));
  return bind::named_list({{"overall", write_measures({m.accuracy, m.balanced, m.kappa, m.matthews,
                                                       m.kappa_linear, m.kappa_quadratic})},
                           {"sensitivity", write_measures(m.sensitivity)},
                           {"specificity", write_measures(m.specificity)},
                           {"precision", write_measures(m.precision)},
                           {"npv", write_measures(m.npv)},
                           {"f1", write_measures(m.f1)},
                           {"correlation", m.correlation},
                           {"auc", write_areas({m.auc})},
                           {"auc_of", write_areas(m.auc_of)},
                           {"average_precision", m.average_precision},
                           {"ks", write_measures(m.ks_of)},
                           {"hits", write_measures(m.hits)},
                           {"alarms", write_measures(m.alarms)},
                           {"curves", write_cuts(m.curves)},
                           {"constant", m.constant}});
}

// The cost of `other` decisions minus that of `first` ones, case by case. `truth`: NA for a case
// that does not count.
// [[Rcpp::export(rng = false)]]
Rcpp::List compare_cpp(Rcpp::IntegerVector first, Rcpp::IntegerVector other,
                       Rcpp::IntegerVector truth, Rcpp::List design, Rcpp::List cost,
                       Rcpp::List interval, double stretch, int threads) {
  const Cases cases = read_cases(design, truth);
  const int classes = bind::count_classes(cost);
  const bind::ActionCost costs(cost, classes, cases.rows);
  bind::require_codes_in(truth, classes, "truth");
  for (const Rcpp::IntegerVector& decision : {first, other}) {
    require(decision.size() == cases.rows, "decision: wrong length");
    bind::require_codes_in(decision, static_cast<int>(costs.actions.size()), "decision");
  }
  const CostTable table(costs.cost);
  const PairedDifference found =
      PairedComparison(cases, table, first.begin(), other.begin())
          .run(read_interval(interval), stretch, bind::make_context(threads));
  return bind::named_list({{"difference", found.mean},
                           {"lower", found.interval.lower},
                           {"upper", found.interval.upper},
                           {"better", found.better},
                           {"worse", found.worse},
                           {"p_value", found.p_value}});
}

// The weighted mean of the known values, with its standard error: list(mean, standard_error); NaN
// if there are too few. `weight`: numbers, or empty if all are 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List mean_and_error_cpp(Rcpp::NumericVector values, Rcpp::NumericVector weight) {
  require(weight.size() == 0 || weight.size() == values.size(), "weight: wrong length");
  Cases cases;
  cases.rows = values.size();
  if (weight.size() > 0) cases.weight = weight.begin();
  const MeanError found = mean_and_error(cases, Rcpp::as<Vector>(values));
  return bind::named_list({{"mean", found.mean}, {"standard_error", found.standard_error}});
}
