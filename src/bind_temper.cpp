#include "context.h"
#include "cross_task.h"

#include <engine/evaluation/isotonic.hpp>
#include <engine/evaluation/temper.hpp>

using namespace bayesrisk;

namespace {

Rcpp::List write_fit(const TemperFit& fit, const TemperCases& cases) {
  return Rcpp::List::create(
      Rcpp::_["power"] = fit.power, Rcpp::_["offset"] = fit.offset, Rcpp::_["common"] = fit.common,
      Rcpp::_["loss"] = Rcpp::NumericVector::create(fit.before, fit.loss),
      Rcpp::_["iterations"] = fit.iterations, Rcpp::_["decrement"] = fit.decrement,
      Rcpp::_["separated"] = fit.separated, Rcpp::_["rows"] = static_cast<double>(cases.rows),
      Rcpp::_["unread"] = static_cast<double>(cases.unread),
      Rcpp::_["lost"] = static_cast<double>(cases.lost));
}

}  // namespace

// The exponents of the only candidate, from cross-validation: see temper().
// [[Rcpp::export(rng = false)]]
Rcpp::List temper_cpp(Rcpp::List task, bool offsets, double penalty, int threads) {
  doors::CrossTask read(task);
  Candidate& candidate = read.candidates.at(0);
  TemperedParts parts(candidate.plan, candidate.part_of, candidate.parts, read.rows);
  candidate.part_of.clear();
  HeldOut wanted;
  wanted.parts = &parts;
  wanted.rows = read.rows.frame.rows;
  Diagnostics diagnostics;
  const Context context = doors::make_context(threads);
  const auto problems = CrossValidation(read.shared, read.candidates, wanted, context)
                            .run(read.rows, read.folds, diagnostics);
  Rcpp::RObject fit = R_NilValue;
  if (diagnostics.empty()) {
    parts.cases.finish();
    if (parts.cases.rows > 0) {
      fit = write_fit(temper(parts.cases, offsets, penalty, context), parts.cases);
    }
  }
  return Rcpp::List::create(Rcpp::_["fit"] = fit,
                            Rcpp::_["problems"] = doors::write_fold_problems(problems),
                            Rcpp::_["diagnostics"] = doors::write_diagnostics(diagnostics));
}

// The exponents of the posteriors of another classifier, row x class. `truth`: the class, from 1,
// or NA. `by_class`: whether each class has its own exponent.
// [[Rcpp::export(rng = false)]]
Rcpp::List temper_posterior_cpp(Rcpp::NumericMatrix posterior, Rcpp::IntegerVector truth,
                                SEXP weight, bool by_class, bool offsets, double penalty,
                                int threads) {
  const Index rows = posterior.nrow();
  const int classes = posterior.ncol();
  require(truth.size() == rows, "truth: wrong length");
  for (int t : truth) require(t == NA_INTEGER || (t >= 1 && t <= classes), "truth: no such class");
  const bool weighted = weight != R_NilValue;
  require(!weighted || (TYPEOF(weight) == REALSXP && Rf_xlength(weight) == rows),
          "weight: wrong length");
  const int parts = by_class ? classes : 1;
  Vector numbers(rows * classes * (parts + 1), 0.0);
  for (int k = 0; k < classes; ++k) {
    const int part = by_class ? k : 0;
    double* out = numbers.data() + (static_cast<Index>(k) * (parts + 1) + part + 1) * rows;
    for (Index r = 0; r < rows; ++r) out[r] = std::log(posterior(r, k));
  }
  const TemperCases cases = read_temper_cases(numbers.data(), rows, classes, parts, truth.begin(),
                                              weighted ? REAL_RO(weight) : nullptr);
  if (cases.rows == 0) return Rcpp::List();
  return write_fit(temper(cases, offsets, penalty, doors::make_context(threads)), cases);
}

// Tempered posteriors, row x class: see temper_posterior_cpp(). NA where a posterior is missing.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix tempered_posterior_cpp(Rcpp::NumericMatrix posterior, Rcpp::NumericVector power,
                                           Rcpp::NumericVector offset) {
  const Index rows = posterior.nrow();
  const int classes = posterior.ncol();
  require(power.size() == classes && offset.size() == classes, "temper: wrong length");
  Rcpp::NumericMatrix result(static_cast<int>(rows), classes);
  Vector joint(classes);
  for (Index r = 0; r < rows; ++r) {
    double total = kNegativeInfinity;
    bool known = true;
    for (int k = 0; k < classes; ++k) {
      const double x = std::log(posterior(r, k));
      known = known && !std::isnan(x);
      // The power 0 of an impossible class leaves it impossible.
      joint[k] = x == kNegativeInfinity ? x : power[k] * x + offset[k];
      total = log_add(total, joint[k]);
    }
    for (int k = 0; k < classes; ++k) {
      result(r, k) = known && std::isfinite(total) ? std::exp(joint[k] - total) : NA_REAL;
    }
  }
  return result;
}

// Weighted isotonic regression of 0 and 1 on x, by pooling adjacent violators: the knots of a
// function that rises, list(x, y). `one`: whether the case is a 1.
// [[Rcpp::export(rng = false)]]
Rcpp::List isotonic_cpp(Rcpp::NumericVector x, Rcpp::LogicalVector one,
                        Rcpp::NumericVector weight) {
  const IsotonicFit fit =
      isotonic(Rcpp::as<Vector>(x), Rcpp::as<IntVector>(one), Rcpp::as<Vector>(weight));
  return Rcpp::List::create(Rcpp::_["x"] = fit.x, Rcpp::_["y"] = fit.y);
}
