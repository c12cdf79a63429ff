#include "context.h"
#include "frame.h"
#include "lists.h"
#include "model.h"

#include <engine/strategy/test_plan.hpp>
#include <engine/world/conditional.hpp>

using namespace bayesrisk;

namespace {

// A problem as R describes it. `units`: for each unit a list of its states; a state is a list of
// steps, list(test, feature, price, counts, row, next). Tests, features and rows count from 1; row:
// the row of `frame` with what is known of the feature's block in this state; next: the states,
// from 0, after each level, or the one after a number. Later states follow earlier ones, and the
// last one has no steps.
class ProblemReader {
 public:
  ProblemReader(const bind::Model& model, const Frame& frame, const Matrix& cost)
      : frame_(frame),
        view_(view_of(model.plan, model.parameters, model.prior,
                      static_cast<int>(frame.columns.size()))),
        least_(cost.colwise().minCoeff().transpose()) {
    require(cost.rows() > 0 && cost.cols() == model.plan.groups, "cost: wrong dimensions");
    for (Index k = 0; k < least_.size(); ++k) {
      if (!std::isfinite(least_[k])) least_[k] = 0;
    }
    problem_.cost.of = cost.rowwise() - least_.transpose();
  }

  TestProblem read(const Rcpp::List& units, int most_steps) {
    problem_.most_steps = most_steps;
    for (R_xlen_t u = 0; u < units.size(); ++u) {
      const Rcpp::List states(units[u]);
      Unit unit;
      for (R_xlen_t s = 0; s < states.size(); ++s) {
        const Rcpp::List steps(states[s]);
        unit.steps.emplace_back();
        for (R_xlen_t i = 0; i < steps.size(); ++i) {
          unit.steps.back().push_back(read_step(steps[i], static_cast<int>(s), states.size()));
        }
      }
      require(!unit.steps.empty() && unit.steps.back().empty(), "units: no last state");
      problem_.units.push_back(std::move(unit));
    }
    return std::move(problem_);
  }

  // The least cost of each class, which is taken off the costs.
  const Eigen::VectorXd& least() const { return least_; }

  // The origin of the coordinates of a number.
  double origin(int number) const { return origins_[static_cast<std::size_t>(number)]; }

 private:
  Step read_step(SEXP list, int state, R_xlen_t states) {
    Step step;
    const auto whole = [&](const char* name) { return Rcpp::as<int>(bind::element(list, name)); };
    bind::read_field(bind::element(list, "price"), step.price);
    bind::read_field(bind::element(list, "counts"), step.counts);
    bind::read_field(bind::element(list, "next"), step.next);
    step.test = whole("test") - 1;
    step.feature = whole("feature") - 1;
    const Index at = whole("row") - 1;
    const auto features = static_cast<int>(frame_.columns.size());
    require(step.feature >= 0 && step.feature < features, "units: no such feature");
    require(at >= 0 && at < frame_.rows, "units: no such row");
    require(step.price >= 0 && std::isfinite(step.price), "units: a price is no number");
    for (int next : step.next) require(next > state && next < states, "units: no such state");
    add_answers(step, at);
    return step;
  }

  void add_answers(Step& step, Index row) {
    if (const int levels = levels_of(view_.plan, step.feature)) {
      require(static_cast<int>(step.next.size()) == levels, "units: not a state for each level");
      step.given =
          conditional_levels(view_, frame_, row, step.feature, levels).transpose().array().exp();
      return;
    }
    require(step.next.size() == 1, "units: not one state after a number");
    const double origin = origin_of(view_, step.feature);
    std::vector<char> possible;
    for (double prior : view_.prior) possible.push_back(prior > 0);
    step.number = static_cast<int>(problem_.numbers.size());
    problem_.numbers.emplace_back(conditional_marginal(view_, frame_, row, step.feature, origin),
                                  std::move(possible));
    origins_.push_back(origin);
  }

  const Frame& frame_;
  const View view_;
  Eigen::VectorXd least_;
  TestProblem problem_;
  Vector origins_;
};

Matrix read_matrix(SEXP x) {
  Matrix matrix;
  bind::read_field(x, matrix);
  return matrix;
}

// A case from its log joint.
KnownBelief read_belief(const Eigen::VectorXd& log_joint, TestState state) {
  const double evidence = log_sum(log_joint);
  require(std::isfinite(evidence), "a case without a posterior");
  KnownBelief known{std::move(state), (log_joint.array() - evidence).exp(), {}};
  for (Index k = 0; k < log_joint.size(); ++k) {
    known.possible.push_back(log_joint[k] > kNegativeInfinity);
  }
  return known;
}

// The settings of a plan, as R lists them.
double setting(const Rcpp::List& settings, const char* name) {
  double value = 0;
  bind::read_field(bind::element(settings, name), value);
  return value;
}

int count_setting(const Rcpp::List& settings, const char* name) {
  return static_cast<int>(std::min(setting(settings, name), 1e9));
}

// The nodes of a tree as columns, a node before its branches.
class TreeColumns {
 public:
  TreeColumns(const ProblemReader& reader) : reader_(reader) {}

  void add(const TestTree& tree, const Eigen::VectorXd& weight, int parent, double probability,
           const TestTree::Branch* branch) {
    const int node = static_cast<int>(parent_.size()) + 1;
    const double origin = parent > 0 && number_[static_cast<std::size_t>(parent) - 1] >= 0
                              ? reader_.origin(number_[static_cast<std::size_t>(parent) - 1])
                              : 0;
    parent_.push_back(parent > 0 ? parent : NA_INTEGER);
    levels_.push_back(branch ? bind::from_one(branch->levels) : Rcpp::IntegerVector());
    from_.push_back(branch ? branch->from + origin : kNaN);
    to_.push_back(branch ? branch->to + origin : kNaN);
    test_.push_back(tree.step ? tree.step->test + 1 : NA_INTEGER);
    feature_.push_back(tree.step ? tree.step->feature + 1 : NA_INTEGER);
    price_.push_back(tree.step ? tree.step->price : NA_REAL);
    number_.push_back(tree.step ? tree.step->number : kAll);
    action_.push_back(tree.step ? NA_INTEGER : tree.action + 1);
    probability_.push_back(probability);
    const double mass = weight.sum();
    cost_.push_back((tree.cost_at(weight) + weight.dot(reader_.least())) / mass);
    for (const TestTree::Branch& next : tree.branches) {
      const Eigen::VectorXd after = weight.cwiseProduct(next.given);
      add(*next.next, after, node, after.sum() / mass, &next);
    }
  }

  Rcpp::List columns() const {
    return bind::named_list({{"parent", parent_},
                             {"levels", levels_},
                             {"from", from_},
                             {"to", to_},
                             {"test", test_},
                             {"feature", feature_},
                             {"price", price_},
                             {"action", action_},
                             {"probability", probability_},
                             {"cost", cost_}});
  }

 private:
  const ProblemReader& reader_;
  IntVector parent_, test_, feature_, action_, number_;
  std::vector<Rcpp::IntegerVector> levels_;
  Vector from_, to_, price_, probability_, cost_;
};

}  // namespace

// The plan for one case: list(value, lower, loss, now, myopic, exact, round, tree). `frame`: see
// ProblemReader; `log_joint`: of the case, by class. `settings`: list(tolerance, seconds,
// most_steps, most_depth, least_probability, myopic).
// [[Rcpp::export(rng = false)]]
Rcpp::List plan_tests_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::NumericMatrix cost,
                          Rcpp::List units, Rcpp::NumericVector log_joint, Rcpp::List settings,
                          int threads) {
  const bind::Model world(model);
  const Frame data = bind::read_data(world, frame);
  ProblemReader reader(world, data, read_matrix(cost));
  TestProblem problem = reader.read(units, count_setting(settings, "most_steps"));
  require(log_joint.size() == problem.classes(), "log_joint: wrong length");
  const KnownBelief known =
      read_belief(Eigen::Map<const Eigen::VectorXd>(log_joint.begin(), log_joint.size()),
                  {IntVector(problem.units.size(), 0), problem.most_steps});
  const double least = known.weight.dot(reader.least());
  const double now = StopCost(problem.cost, known.weight, known.possible).cost;
  TestPlanner::Settings how;
  how.tolerance = setting(settings, "tolerance");
  how.least = least;
  how.seconds = setting(settings, "seconds");
  how.least_probability = setting(settings, "least_probability");
  how.most_depth = count_setting(settings, "most_depth");
  how.myopic = setting(settings, "myopic") != 0;
  const Context context = bind::make_context(threads);
  TestPlanner planner(std::move(problem), how, context);  // the tree refers to its steps
  const TestPlan plan = planner.plan(known);
  TreeColumns tree(reader);
  tree.add(*plan.tree, known.weight, 0, 1, nullptr);
  return bind::named_list({{"value", plan.value + least},
                           {"lower", plan.lower + least},
                           {"loss", plan.loss},
                           {"now", now + least},
                           {"myopic", plan.myopic + least},
                           {"exact", plan.exact},
                           {"round", plan.round},
                           {"tree", tree.columns()}});
}

// What a plan does next with cases: list(test, action (each from 1, or NA), cost). `log_joint`:
// cases x classes; `states`: cases x units, from 0; `steps`: those that are left. `round`: of the
// plan.
// [[Rcpp::export(rng = false)]]
Rcpp::List follow_plan_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::NumericMatrix cost,
                           Rcpp::List units, Rcpp::NumericMatrix log_joint,
                           Rcpp::IntegerMatrix states, Rcpp::IntegerVector steps, int most_steps,
                           int round, int threads) {
  const bind::Model world(model);
  const Frame data = bind::read_data(world, frame);
  ProblemReader reader(world, data, read_matrix(cost));
  TestProblem problem = reader.read(units, most_steps);
  const Matrix joint = read_matrix(log_joint);
  const Index cases = joint.rows();
  require(joint.cols() == problem.classes(), "log_joint: wrong dimensions");
  require(states.nrow() == cases && steps.size() == cases &&
              states.ncol() == static_cast<int>(problem.units.size()) && round >= 0,
          "states: wrong dimensions");
  std::vector<KnownBelief> known;
  for (Index i = 0; i < cases; ++i) {
    TestState state{IntVector(problem.units.size()), steps[i]};
    for (std::size_t u = 0; u < state.unit.size(); ++u) {
      state.unit[u] = states(i, static_cast<Index>(u));
      require(state.unit[u] >= 0 && state.unit[u] < static_cast<int>(problem.units[u].steps.size()),
              "states: no such state");
    }
    require(state.steps >= 0 && state.steps <= most_steps, "steps: not a number of steps");
    known.push_back(read_belief(joint.row(i), std::move(state)));
  }
  const Context context = bind::make_context(threads);
  TestPlanner planner(std::move(problem), TestPlanner::Settings(), context);
  const auto choices = planner.choose(known, round);
  Rcpp::IntegerVector test(cases), action(cases);
  Rcpp::NumericVector expected(cases);
  for (Index i = 0; i < cases; ++i) {
    const CostToCome::Choice& choice = choices[static_cast<std::size_t>(i)];
    test[i] = choice.step ? choice.step->test + 1 : NA_INTEGER;
    action[i] = choice.step ? NA_INTEGER : choice.action + 1;
    expected[i] = choice.cost + known[static_cast<std::size_t>(i)].weight.dot(reader.least());
  }
  return bind::named_list({{"test", test}, {"action", action}, {"cost", expected}});
}

// What strategies do with cases whose tests are all known: for each of `strategies` ("plan",
// "myopic", "all", "now") list(action (from 1), steps, price). `cases`: a frame; `log_joint`:
// before any test.
// [[Rcpp::export(rng = false)]]
Rcpp::List follow_strategies_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::NumericMatrix cost,
                                 Rcpp::List units, Rcpp::NumericVector log_joint, Rcpp::List cases,
                                 std::vector<std::string> strategies, int most_steps, int round,
                                 int threads) {
  const bind::Model world(model);
  const Frame data = bind::read_data(world, frame), tested = bind::read_data(world, cases);
  ProblemReader reader(world, data, read_matrix(cost));
  TestProblem problem = reader.read(units, most_steps);
  require(log_joint.size() == problem.classes() && round >= 0, "log_joint: wrong length");
  const KnownBelief known =
      read_belief(Eigen::Map<const Eigen::VectorXd>(log_joint.begin(), log_joint.size()),
                  {IntVector(problem.units.size(), 0), problem.most_steps});
  const std::vector<NumberTest> numbers = problem.numbers;
  const auto answer = [&](Index i, const Step& step) {
    const Column& column = tested.columns[static_cast<std::size_t>(step.feature)];
    if (step.number == kAll) {
      const int level = level_of(column, column.integer[i]);
      require(level >= 0, "cases: an unknown level");
      return CaseAnswer{step.given.col(level), level};
    }
    double buffer = 0;
    const double x = *load_numbers(column, i, 1, 1, &buffer) - reader.origin(step.number);
    return CaseAnswer{numbers[static_cast<std::size_t>(step.number)].densities(x), 0};
  };
  const Context context = bind::make_context(threads);
  TestPlanner planner(std::move(problem), TestPlanner::Settings(), context);
  Rcpp::List result;
  for (const std::string& name : strategies) {
    const Strategy strategy = name == "plan"     ? Strategy::plan
                              : name == "myopic" ? Strategy::myopic
                              : name == "all"    ? Strategy::all
                                                 : Strategy::now;
    IntVector action, steps;
    Vector price;
    for (const Followed& one : planner.follow(known, tested.rows, strategy, round, answer)) {
      action.push_back(one.action + 1);
      steps.push_back(one.steps);
      price.push_back(one.price);
    }
    result.push_back(bind::named_list({{"action", action}, {"steps", steps}, {"price", price}}));
  }
  return result;
}
