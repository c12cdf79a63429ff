#include "context.h"
#include "cross_task.h"
#include "decisions.h"

#include <engine/evaluation/comparison.hpp>

using namespace bayesrisk;

namespace {

// Totals have a row per candidate. Tables of the folds have a column per candidate.
Rcpp::List write_risks(const std::vector<CandidateRisk>& risks, int folds) {
  const int n = static_cast<int>(risks.size());
  Rcpp::NumericVector cost(n), cost_error(n), difference(n), difference_error(n);
  Rcpp::NumericMatrix fold_decided(folds, n), fold_wrong(folds, n), fold_cost(folds, n);
  Rcpp::NumericMatrix fold_unpriced(folds, n), fold_undecided(folds, n);
  for (int c = 0; c < n; ++c) {
    cost[c] = risks[c].cost.mean;
    cost_error[c] = risks[c].cost.standard_error;
    difference[c] = risks[c].difference.mean;
    difference_error[c] = risks[c].difference.standard_error;
    std::copy_n(risks[c].fold_decided.begin(), folds, fold_decided.column(c).begin());
    std::copy_n(risks[c].fold_wrong.begin(), folds, fold_wrong.column(c).begin());
    std::copy_n(risks[c].fold_cost.begin(), folds, fold_cost.column(c).begin());
    std::copy_n(risks[c].fold_unpriced.begin(), folds, fold_unpriced.column(c).begin());
    std::copy_n(risks[c].fold_undecided.begin(), folds, fold_undecided.column(c).begin());
  }
  return Rcpp::List::create(
      Rcpp::_["cost"] = cost, Rcpp::_["cost_error"] = cost_error,
      Rcpp::_["difference"] = difference, Rcpp::_["difference_error"] = difference_error,
      Rcpp::_["fold_decided"] = fold_decided, Rcpp::_["fold_wrong"] = fold_wrong,
      Rcpp::_["fold_cost"] = fold_cost, Rcpp::_["fold_unpriced"] = fold_unpriced,
      Rcpp::_["fold_undecided"] = fold_undecided);
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

// [[Rcpp::export(rng = false)]]
Rcpp::List cross_validate_cpp(Rcpp::List task, Rcpp::List cost, int threads) {
  const doors::CrossTask read(task);
  const Index rows = read.rows.frame.rows;
  const doors::ActionCost costs(cost, read.shared.groups, rows);
  std::vector<IntVector> decisions(read.candidates.size(), IntVector(rows, kMissingInteger));
  HeldOut wanted;
  wanted.cost = &costs.cost;
  for (IntVector& decision : decisions) wanted.choices.push_back(decision.data());
  Diagnostics diagnostics;
  const Context context = doors::make_context(threads);
  const auto problems = CrossValidation(read.shared, read.candidates, wanted, context)
                            .run(read.rows, read.folds, diagnostics);
  const Cases cases{rows, read.rows.group, read.rows.weight};
  const CostTable table(costs.cost);
  Comparison comparison(cases, table, costs.class_of, read.rows.fold, read.folds);
  std::vector<CandidateRisk> risks;
  for (const IntVector& decision : decisions) risks.push_back(comparison.add(decision.data()));
  return Rcpp::List::create(Rcpp::_["risks"] = write_risks(risks, read.folds),
                            Rcpp::_["fold_weight"] = comparison.fold_weight(),
                            Rcpp::_["problems"] = doors::write_fold_problems(problems),
                            Rcpp::_["diagnostics"] = doors::write_diagnostics(diagnostics));
}

// Posteriors of the only candidate; NA where there is none.
// [[Rcpp::export(rng = false)]]
Rcpp::List cross_posterior_cpp(Rcpp::List task, int threads) {
  const doors::CrossTask read(task);
  Rcpp::NumericMatrix value(read.rows.frame.rows, read.shared.groups);
  value.fill(NA_REAL);
  HeldOut wanted;
  wanted.rows = read.rows.frame.rows;
  wanted.numbers.push_back(value.begin());
  wanted.missing = NA_REAL;
  Diagnostics diagnostics;
  const Context context = doors::make_context(threads);
  const auto problems = CrossValidation(read.shared, read.candidates, wanted, context)
                            .run(read.rows, read.folds, diagnostics);
  return Rcpp::List::create(Rcpp::_["value"] = value,
                            Rcpp::_["problems"] = doors::write_fold_problems(problems),
                            Rcpp::_["diagnostics"] = doors::write_diagnostics(diagnostics));
}
