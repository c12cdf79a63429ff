#include "context.h"
#include "cv_design.h"
#include "decisions.h"

#include <engine/evaluation/case_weights.hpp>
#include <engine/evaluation/comparison.hpp>
#include <engine/evaluation/held_out_losses.hpp>
#include <engine/evaluation/isotonic.hpp>
#include <engine/evaluation/nested.hpp>
#include <engine/evaluation/temper.hpp>

using namespace bayesrisk;

namespace {

// Totals have a row per candidate. Tables of the folds have a column per candidate.
Rcpp::List write_risks(const std::vector<CandidateRisk>& risks, int folds) {
  const int n = static_cast<int>(risks.size());
  Rcpp::NumericVector cost(n), difference(n);
  Rcpp::NumericMatrix fold_decided(folds, n), fold_wrong(folds, n), fold_cost(folds, n);
  Rcpp::NumericMatrix fold_unpriced(folds, n), fold_undecided(folds, n);
  for (int c = 0; c < n; ++c) {
    cost[c] = risks[c].cost.mean;
    difference[c] = risks[c].difference.mean;
    std::copy_n(risks[c].fold_decided.begin(), folds, fold_decided.column(c).begin());
    std::copy_n(risks[c].fold_wrong.begin(), folds, fold_wrong.column(c).begin());
    std::copy_n(risks[c].fold_cost.begin(), folds, fold_cost.column(c).begin());
    std::copy_n(risks[c].fold_unpriced.begin(), folds, fold_unpriced.column(c).begin());
    std::copy_n(risks[c].fold_undecided.begin(), folds, fold_undecided.column(c).begin());
  }
  return bind::named_list({{"cost", cost},
                           {"difference", difference},
                           {"fold_decided", fold_decided},
                           {"fold_wrong", fold_wrong},
                           {"fold_cost", fold_cost},
                           {"fold_unpriced", fold_unpriced},
                           {"fold_undecided", fold_undecided}});
}

}  // namespace

// A fold for each row, from 1; NA for a row without a group.
// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector draw_folds_cpp(Rcpp::IntegerVector group, int groups, int folds, int seed) {
  require(groups >= 1 && folds >= 1 && folds <= 32767, "folds: out of range");
  Rcpp::IntegerVector fold(Rcpp::no_init(group.size()));
  draw_folds(group.begin(), group.size(), groups, folds, static_cast<std::uint64_t>(seed),
             fold.begin());
  return fold;
}

namespace {

// The centres of intervals and their standard errors: matrices of a row per candidate.
template <class Risks>
Rcpp::List write_means(const Risks& risks) {
  const int n = static_cast<int>(risks.size());
  Rcpp::NumericMatrix error(n, 2), cost(n, 2), difference(n, 2);
  const auto write = [](Rcpp::NumericMatrix& to, int c, const auto& found) {
    to(c, 0) = found.mean;
    to(c, 1) = found.standard_error;
  };
  for (int c = 0; c < n; ++c) {
    write(error, c, risks[c].error);
    write(cost, c, risks[c].cost);
    write(difference, c, risks[c].difference);
  }
  return bind::named_list({{"error", error}, {"cost", cost}, {"difference", difference}});
}

// The estimates of nested cross-validation. The first division of the rows is that of the design;
// `nested` has the strata and the seeds of the others.
Rcpp::List nested_risks(const bind::CvDesign& read, const bind::ActionCost& costs,
                        const Cases& cases, const Rcpp::List& nested, const Context& context) {
  NestedCrossValidation validation(read.shared, read.candidates, cases, costs.cost, costs.class_of,
                                   context);
  const Rcpp::IntegerVector strata = bind::element(nested, "strata"),
                            seeds = bind::element(nested, "seeds");
  require(strata.size() == read.rows.frame.rows, "strata: wrong length");
  context.expect(validation.tasks(read.rows, read.folds) * (1 + seeds.size()));
  validation.add(read.rows, read.folds);
  FoldedRows rows = read.rows;
  IntVector fold(static_cast<std::size_t>(strata.size()));
  rows.fold = fold.data();
  for (int seed : seeds) {
    draw_folds(strata.begin(), strata.size(), read.shared.groups, read.folds,
               static_cast<std::uint64_t>(seed), fold.data());
    validation.add(rows, read.folds);
  }
  return write_means(validation.risks(read.folds));
}

}  // namespace

// `prior`: that of the population, or empty; `cluster`: from 1, or NULL; `nested`: NULL, or
// list(strata, seeds). Weights of folds are relative to `unit`.
// [[Rcpp::export(rng = false)]]
Rcpp::List cross_validate_cpp(Rcpp::List design, Rcpp::List cost, Rcpp::NumericVector prior,
                              SEXP cluster, Rcpp::Nullable<Rcpp::List> nested, int threads) {
  const bind::CvDesign read(design);
  const Index rows = read.rows.frame.rows;
  const bind::ActionCost costs(cost, read.shared.groups, rows);
  require(prior.size() == 0 || prior.size() == read.shared.groups, "prior: wrong length");
  std::vector<IntVector> decisions(read.candidates.size(), IntVector(rows, kMissingInteger));
  HeldOut wanted;
  wanted.cost = &costs.cost;
  for (IntVector& decision : decisions) wanted.choices.push_back(decision.data());
  Diagnostics diagnostics;
  const Context context = bind::make_context(threads);
  const auto problems = CrossValidation(read.shared, read.candidates, wanted, context)
                            .run(read.rows, read.folds, diagnostics);
  const CaseWeights weights =
      weigh_cases(read.rows.group, rows, read.rows.weight, Rcpp::as<Vector>(prior));
  Cases cases{rows, read.rows.group, weights.of.empty() ? nullptr : weights.of.data()};
  cases.cluster = bind::read_clusters(cluster, rows);
  cases.fixed = prior.size() > 0;
  const CostTable table(costs.cost);
  Comparison comparison(cases, table, costs.class_of, read.rows.fold, read.folds);
  std::vector<CandidateRisk> risks;
  for (const IntVector& decision : decisions) risks.push_back(comparison.add(decision.data()));
  const CostLimits limits = possible_costs(cases, table);
  return bind::named_list({{"risks", write_risks(risks, read.folds)},
                           {"limits", Vector{limits.least, limits.greatest, limits.spread}},
                           {"fold_weight", comparison.fold_weight()},
                           {"means", diagnostics.empty() && nested.isNotNull()
                                         ? nested_risks(read, costs, cases, nested.get(), context)
                                         : write_means(risks)},
                           {"unit", weights.unit},
                           {"problems", bind::write_fold_problems(problems)},
                           {"diagnostics", bind::write_diagnostics(diagnostics)}});
}

// Posteriors of the only candidate; NA where there is none.
// [[Rcpp::export(rng = false)]]
Rcpp::List cross_posterior_cpp(Rcpp::List design, int threads) {
  const bind::CvDesign read(design);
  Rcpp::NumericMatrix value(read.rows.frame.rows, read.shared.groups);
  value.fill(NA_REAL);
  HeldOut wanted;
  wanted.rows = read.rows.frame.rows;
  wanted.numbers.push_back(value.begin());
  wanted.missing = NA_REAL;
  Diagnostics diagnostics;
  const Context context = bind::make_context(threads);
  const auto problems = CrossValidation(read.shared, read.candidates, wanted, context)
                            .run(read.rows, read.folds, diagnostics);
  return bind::named_list({{"value", value},
                           {"problems", bind::write_fold_problems(problems)},
                           {"diagnostics", bind::write_diagnostics(diagnostics)}});
}

// The losses of all candidates on held-out rows, and their gains over the first one: minus the log
// posterior of the true class, or, with `densities`, minus the log density given this class.
// [[Rcpp::export(rng = false)]]
Rcpp::List cross_losses_cpp(Rcpp::List design, bool densities, int threads) {
  const bind::CvDesign read(design);
  const Index rows = read.rows.frame.rows;
  std::vector<Vector> score(read.candidates.size(), Vector(rows * read.shared.groups, kNaN));
  HeldOut wanted;
  wanted.rows = rows;
  wanted.output = densities ? Output::log_likelihood : Output::log_prob;
  for (Vector& numbers : score) wanted.numbers.push_back(numbers.data());
  Diagnostics diagnostics;
  const Context context = bind::make_context(threads);
  CrossValidation(read.shared, read.candidates, wanted, context)
      .run(read.rows, read.folds, diagnostics);
  Rcpp::NumericVector loss, gain, error;
  if (diagnostics.empty()) {
    for (const CandidateLoss& of : compare_losses(score, rows, read.rows.group, read.rows.weight)) {
      loss.push_back(of.loss);
      gain.push_back(of.gain);
      error.push_back(of.standard_error);
    }
  }
  return bind::named_list({{"loss", loss},
                           {"gain", gain},
                           {"std_error", error},
                           {"diagnostics", bind::write_diagnostics(diagnostics)}});
}

namespace {

Rcpp::List write_fit(const TemperFit& fit, const TemperCases& cases) {
  return bind::named_list({{"power", fit.power},
                           {"offset", fit.offset},
                           {"common", fit.common},
                           {"penalty", fit.penalty},
                           {"loss", Rcpp::NumericVector::create(fit.before, fit.loss)},
                           {"iterations", fit.iterations},
                           {"decrement", fit.decrement},
                           {"separated", fit.separated},
                           {"rows", static_cast<double>(cases.rows)},
                           {"unread", static_cast<double>(cases.unread)},
                           {"lost", static_cast<double>(cases.lost)}});
}

}  // namespace

// The exponents of the only candidate, from cross-validation: see temper(). `penalty`: none or one.
// [[Rcpp::export(rng = false)]]
Rcpp::List temper_cpp(Rcpp::List design, bool offsets, Rcpp::NumericVector penalty, int threads) {
  bind::CvDesign read(design);
  Candidate& candidate = read.candidates.at(0);
  TemperedParts parts(candidate.plan, candidate.part_of, candidate.parts, read.rows);
  candidate.part_of.clear();
  HeldOut wanted;
  wanted.parts = &parts;
  wanted.rows = read.rows.frame.rows;
  Diagnostics diagnostics;
  const Context context = bind::make_context(threads);
  const auto problems = CrossValidation(read.shared, read.candidates, wanted, context)
                            .run(read.rows, read.folds, diagnostics);
  Rcpp::RObject fit = R_NilValue;
  if (diagnostics.empty()) {
    parts.cases.finish();
    if (parts.cases.rows > 0) {
      const auto given = penalty.size() ? std::optional<double>(penalty[0]) : std::nullopt;
      fit = write_fit(temper(parts.cases, offsets, given, context), parts.cases);
    }
  }
  return bind::named_list({{"fit", fit},
                           {"problems", bind::write_fold_problems(problems)},
                           {"diagnostics", bind::write_diagnostics(diagnostics)}});
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
  bind::require_codes_in(truth, classes, "truth");
  const int parts = by_class ? classes : 1;
  Vector numbers(rows * classes * (parts + 1), 0.0);
  for (int k = 0; k < classes; ++k) {
    const int part = by_class ? k : 0;
    double* out = numbers.data() + (static_cast<Index>(k) * (parts + 1) + part + 1) * rows;
    for (Index r = 0; r < rows; ++r) out[r] = std::log(posterior(r, k));
  }
  const TemperCases cases = read_temper_cases(numbers.data(), rows, classes, parts, truth.begin(),
                                              bind::read_weight(weight, rows));
  if (cases.rows == 0) return Rcpp::List();
  return write_fit(temper(cases, offsets, penalty, bind::make_context(threads)), cases);
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
  return bind::named_list({{"x", fit.x}, {"y", fit.y}});
}
