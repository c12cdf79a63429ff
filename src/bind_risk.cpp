#include "context.h"
#include "model.h"
#include "world.h"

#include <engine/risk/bounds.hpp>
#include <engine/risk/monte_carlo.hpp>
#include <engine/risk/rule_grid.hpp>
#include <engine/world/conditional.hpp>

using namespace bayesrisk;

namespace {

// A rule given by its cuts and decisions (from 1) in each combination of levels.
GivenRule read_given(const Rcpp::List& list, const LineWorld& world, int actions) {
  const Rcpp::List cut(bind::element(list, "cut")), decision(bind::element(list, "decision"));
  require(cut.size() == world.combinations.count() && decision.size() == cut.size(),
          "rule: wrong number of combinations");
  std::vector<Regions> regions(static_cast<std::size_t>(cut.size()));
  for (R_xlen_t i = 0; i < cut.size(); ++i) {
    Regions& of_combination = regions[static_cast<std::size_t>(i)];
    bind::read_field(cut[i], of_combination.cut);
    of_combination.decision = bind::read_places(decision[i], actions);
    require(of_combination.decision.size() == of_combination.cut.size() + 1,
            "rule: wrong decisions");
    for (double& x : of_combination.cut) x -= world.origin;
    for (int action : of_combination.decision) require(action >= 0, "rule: no decision");
  }
  return GivenRule(regions);
}

Rcpp::List write_risk(const RiskTable& risk, const Cost& cost) {
  return bind::named_list({{"table", risk.table}, {"accuracy", risk.accuracy(cost)}});
}

}  // namespace

// Cuts and decisions (from 1, NA: none) along one numeric feature. The only row of the frame holds
// the other features; `log_joint` holds the weights of the classes given this row.
// [[Rcpp::export(rng = false)]]
Rcpp::List regions_cpp(Rcpp::List model, Rcpp::List frame, int feature,
                       Rcpp::NumericVector log_joint, Rcpp::NumericMatrix cost) {
  const bind::Model read(model);
  const Frame row = bind::read_data(read, frame);
  require(log_joint.size() == read.plan.groups, "log joint: wrong length");
  require(row.rows == 1 && feature >= 1 && feature <= static_cast<int>(row.columns.size()),
          "no such feature");
  View view = view_of(read.plan, read.parameters, read.prior, static_cast<int>(row.columns.size()));
  view.tempering = read.rule();
  const double origin = origin_of(view, feature - 1);
  Regions regions =
      find_regions(conditional_marginal(view, row, 0, feature - 1, origin),
                   Rcpp::as<Vector>(log_joint), bind::read_cost(cost, read.plan.groups));
  for (double& cut : regions.cut) cut += origin;
  return bind::named_list(
      {{"cut", regions.cut},
       {"decision", bind::from_one(regions.decision)},
       {"exact", Rcpp::LogicalVector(regions.exact.begin(), regions.exact.end())}});
}

// Joint probabilities of truth and decision of a rule that is a model, or that has cuts along the
// only numeric feature of the world, and a bound of the error of the expected cost.
// [[Rcpp::export(rng = false)]]
Rcpp::List risk_cpp(Rcpp::List world, Rcpp::List rule, Rcpp::NumericMatrix cost, bool quadrature,
                    double tolerance, int threads) {
  const bind::World read(world);
  const Cost costs = bind::read_cost(cost, read.model.plan.groups);
  const Context context = bind::make_context(threads);
  if (Rf_isNull(bind::element(rule, "model"))) {
    const LineWorld line = read.along_a_line();
    const GivenRule given = read_given(rule, line, costs.actions());
    return write_risk(line_risk(line, given, costs.actions(), context), costs);
  }
  const bind::RuleModel decider(rule, read);
  require(decider.cost.actions() == costs.actions(), "cost: wrong actions");
  const RiskTable risk = read.method(decider.view, decider.cost, quadrature, tolerance, context)
                             ->risk(read.view.prior, decider.view.prior);
  return write_risk(risk, costs);
}

// The Bayes risk in a world with exact risks at several priors, one per row.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector bayes_risks_cpp(Rcpp::List world, Rcpp::NumericMatrix priors,
                                    Rcpp::NumericMatrix cost, int threads) {
  const bind::World read(world);
  Matrix at;
  bind::read_field(priors, at);
  require(at.cols() == read.model.plan.groups, "priors: wrong classes");
  const Cost costs = bind::read_cost(cost, read.model.plan.groups);
  const Context context = bind::make_context(threads);
  return Rcpp::wrap(bayes_risks(*read.method(read.view, costs, false, 0, context), at, costs));
}

// The values at which to evaluate a rule, the largest probability between two neighbours, and the
// step between possible values.
// [[Rcpp::export(rng = false)]]
Rcpp::List rule_grid_cpp(Rcpp::List world, int points) {
  const bind::World read(world);
  const LineWorld line = read.along_a_line();
  const RuleGrid grid = rule_grid(line.marginal_of(line.view), line.view.log_prior(), points);
  Vector x = grid.x;
  for (double& value : x) value += line.origin;
  return bind::named_list({{"x", x}, {"gap", grid.gap}, {"step", grid.step}});
}

// The fields of RiskBounds; NaN where a bound is not known.
// [[Rcpp::export(rng = false)]]
Rcpp::List risk_bounds_cpp(Rcpp::List model) {
  const bind::Model of(model);
  return bind::to_list(
      bound_risk(compare_classes(of.plan, of.parameters), of.prior[0], of.prior[1]));
}

namespace {

// A rule given as an R function of a list of columns, codes from 1. Only R's own thread can call
// it.
class FunctionDecisions : public RowDecisions {
 public:
  FunctionDecisions(const Rcpp::Function& rule, int actions) : rule_(rule), actions_(actions) {}

  void decide(const Frame& rows, const Matrix&, int* decisions) const override {
    const Rcpp::List columns = bind::write_columns(rows);
    const IntVector found =
        bind::read_places(rule_(columns, static_cast<double>(rows.rows)), actions_);
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
  std::unique_ptr<bind::RuleModel> model;
  std::unique_ptr<RowDecisions> decisions;

  ReadRule(SEXP rule, const bind::World& world, const Cost& cost) {
    if (Rf_isNull(rule)) {
      decisions = std::make_unique<BayesDecisions>(cost);
    } else if (Rf_isFunction(rule)) {
      decisions = std::make_unique<FunctionDecisions>(Rcpp::Function(rule), cost.actions());
    } else {
      model = std::make_unique<bind::RuleModel>(Rcpp::List(rule), world);
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
  const bind::World read(world);
  const Cost costs = bind::read_cost(cost, read.model.plan.groups);
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
  const Context context = bind::make_context(threads);
  const MonteCarloRisk risk = MonteCarlo(read.view, decisions, costs, options, context).run();
  Rcpp::List tables(risk.table.begin(), risk.table.end());
  return bind::named_list(
      {{"tables", tables}, {"error", risk.error}, {"rows", static_cast<double>(risk.rows)}});
}
