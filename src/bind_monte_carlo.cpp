#include "context.h"
#include "world.h"

#include <engine/charge/monte_carlo.hpp>

using namespace bayesrisk;

namespace {

// A rule given as an R function of a list of columns, codes from 1. Only R's own thread can call
// it.
class FunctionDecisions : public RowDecisions {
 public:
  FunctionDecisions(const Rcpp::Function& rule, int actions) : rule_(rule), actions_(actions) {}

  void decide(const Frame& rows, const Matrix&, int* decisions) const override {
    const Rcpp::List columns = doors::write_columns(rows);
    const IntVector found =
        doors::read_places(rule_(columns, static_cast<double>(rows.rows)), actions_);
    require(static_cast<Index>(found.size()) == rows.rows, "rule: wrong number of decisions");
    for (int action : found) require(action >= 0, "rule: no decision");
    std::copy(found.begin(), found.end(), decisions);
  }

 private:
  Rcpp::Function rule_;
  int actions_;
};

// NULL (the best rule), a function, or a model that decides.
struct ReadRule {
  std::unique_ptr<doors::RuleModel> model;
  std::unique_ptr<RowDecisions> decisions;

  ReadRule(SEXP rule, const doors::World& world, const Cost& cost) {
    if (Rf_isNull(rule)) {
      decisions = std::make_unique<BayesDecisions>(cost);
    } else if (Rf_isFunction(rule)) {
      decisions = std::make_unique<FunctionDecisions>(Rcpp::Function(rule), cost.actions());
    } else {
      model = std::make_unique<doors::RuleModel>(Rcpp::List(rule), world);
      require(model->cost.actions() == cost.actions(), "cost: wrong actions");
      decisions = std::make_unique<ModelDecisions>(model->view, model->cost);
    }
  }
};

}  // namespace

// Joint probabilities of truth and decision for each rule, the standard errors of their expected
// costs, and the number of rows drawn. `relative`: the aim of the best rule's standard error.
// [[Rcpp::export(rng = false)]]
Rcpp::List monte_carlo_risk_cpp(Rcpp::List world, Rcpp::List rules, Rcpp::NumericMatrix cost,
                                double tolerance, double relative, double seed, int threads) {
  const doors::World read(world);
  const Cost costs = doors::read_cost(cost, read.model.plan.groups);
  std::vector<ReadRule> deciding;
  std::vector<const RowDecisions*> decisions;
  for (R_xlen_t r = 0; r < rules.size(); ++r) {
    deciding.emplace_back(rules[r], read, costs);
    decisions.push_back(deciding.back().decisions.get());
  }
  MonteCarloOptions options;
  options.tolerance = tolerance;
  options.relative = relative;
  options.seed = static_cast<std::uint64_t>(seed);
  const Context context = doors::make_context(threads);
  const MonteCarloRisk risk = MonteCarlo(read.view, decisions, costs, options, context).run();
  Rcpp::List tables(risk.table.begin(), risk.table.end());
  return Rcpp::List::create(Rcpp::_["tables"] = tables, Rcpp::_["error"] = risk.error,
                            Rcpp::_["rows"] = static_cast<double>(risk.rows));
}
