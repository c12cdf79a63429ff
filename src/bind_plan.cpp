#include "context.h"
#include "lists.h"
#include "plan_problem.h"

using namespace bayesrisk;
using bind::ProblemReader;

namespace {

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

// The case that a plan is made for, before any test.
KnownBelief read_start(const Rcpp::NumericVector& log_joint, const TestProblem& problem) {
  require(log_joint.size() == problem.classes(), "log_joint: wrong length");
  return read_belief(Eigen::Map<const Eigen::VectorXd>(log_joint.begin(), log_joint.size()),
                     {IntVector(problem.units.size(), 0), problem.most_steps});
}

// The settings of a plan, as R lists them.
double setting(const Rcpp::List& settings, const char* name) {
  double value = 0;
  bind::read_field(bind::element(settings, name), value);
  return value;
}

void check_round(int round) {
  require(round >= 0 && round < TestPlanner::kRounds, "round: there is no such round");
}

int count_setting(const Rcpp::List& settings, const char* name) {
  return static_cast<int>(std::min(setting(settings, name), 1e9));
}

// The nodes of a tree as columns, a node before its branches.
class TreeColumns {
 public:
  explicit TreeColumns(const ProblemReader& reader) : reader_(reader) {}

  // `branch`: the one that leads to the node from `above`; null at the root.
  void add(const TestTree& tree, const Eigen::VectorXd& weight, int parent, double probability,
           const TestTree::Branch* branch = nullptr, const TestTree* above = nullptr,
           const Eigen::VectorXd& weight_above = {}) {
    const int node = static_cast<int>(parent_.size()) + 1;
    parent_.push_back(parent > 0 ? parent : NA_INTEGER);
    levels_.push_back(branch ? bind::from_one(branch->levels) : Rcpp::IntegerVector());
    from_.push_back(branch ? end_of(branch->from, *above, weight_above) : kNaN);
    to_.push_back(branch ? end_of(branch->to, *above, weight_above) : kNaN);
    class_.push_back(above ? ratio_class(*above) : NA_INTEGER);
    log_ratio_.push_back(above && ratio_class(*above) != NA_INTEGER ? branch->from : NA_REAL);
    test_.push_back(tree.step ? tree.step->test + 1 : NA_INTEGER);
    feature_.push_back(tree.step ? tree.step->feature + 1 : NA_INTEGER);
    price_.push_back(tree.step ? tree.step->price : NA_REAL);
    action_.push_back(tree.step ? NA_INTEGER : tree.action + 1);
    probability_.push_back(probability);
    const double mass = weight.sum();
    cost_.push_back((tree.cost_at(weight) + weight.dot(reader_.least())) / mass);
    for (const TestTree::Branch& next : tree.branches) {
      const Eigen::VectorXd after = weight.cwiseProduct(next.given);
      add(*next.next, after, node, after.sum() / mass, &next, &tree, weight);
    }
  }

  Rcpp::List columns() const {
    return bind::named_list({{"parent", parent_},
                             {"levels", levels_},
                             {"from", from_},
                             {"to", to_},
                             {"class", class_},
                             {"log_ratio", log_ratio_},
                             {"test", test_},
                             {"feature", feature_},
                             {"price", price_},
                             {"action", action_},
                             {"probability", probability_},
                             {"cost", cost_}});
  }

 private:
  // The second class of a log ratio, from 1.
  int ratio_class(const TestTree& tree) const {
    const RatioTest* ratio = tree.step->number == kAll ? nullptr : reader_.ratio(tree.step->number);
    return ratio ? ratio->second() + 1 : NA_INTEGER;
  }

  // The end of an interval as the user reads it. A log ratio is the probability of the second class
  // after it.
  double end_of(double at, const TestTree& above, const Eigen::VectorXd& weight) const {
    if (above.step->number == kAll) return kNaN;
    const RatioTest* ratio = reader_.ratio(above.step->number);
    return ratio && std::isfinite(at) ? ratio->probability(at, weight)
                                      : at + reader_.origin(above.step->number);
  }

  const ProblemReader& reader_;
  IntVector parent_, test_, feature_, action_, class_;
  std::vector<Rcpp::IntegerVector> levels_;
  Vector from_, to_, log_ratio_, price_, probability_, cost_;
};

}  // namespace

// The plan for one case: list(value, lower, loss, error, now, myopic, exact, round, class_costs,
// tree). `frame`: see ProblemReader; `log_joint`: of the case, by class. `settings`:
// list(tolerance, seconds, most_steps, most_depth, least_probability, myopic).
// [[Rcpp::export(rng = false)]]
Rcpp::List plan_tests_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::NumericMatrix cost,
                          Rcpp::List units, Rcpp::NumericVector log_joint, Rcpp::List settings,
                          int threads) {
  const bind::Model world(model);
  const Frame data = bind::read_data(world, frame);
  ProblemReader reader(world, data, read_matrix(cost));
  TestProblem problem = reader.read(units, count_setting(settings, "most_steps"));
  const KnownBelief known = read_start(log_joint, problem);
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
  TestPlanner planner(std::move(problem), known, how, context);  // the tree refers to its steps
  const TestPlan plan = planner.plan();
  TreeColumns tree(reader);
  tree.add(*plan.tree, known.weight, 0, 1);
  const Eigen::VectorXd costs = plan.tree->cost + reader.least();
  return bind::named_list({{"value", plan.value + least},
                           {"lower", plan.lower + least},
                           {"loss", plan.loss},
                           {"error", plan.error},
                           {"now", now + least},
                           {"myopic", plan.myopic + least},
                           {"exact", plan.exact},
                           {"round", plan.round},
                           {"class_costs", Vector(costs.data(), costs.data() + costs.size())},
                           {"tree", tree.columns()}});
}

// What a plan does next with cases: list(test, action (each from 1, or NA), cost). `log_start`: of
// the case that the plan was made for; `log_joint`: cases x classes; `states`: cases x units, from
// 0; `steps`: those that are left. `round`: of the plan.
// [[Rcpp::export(rng = false)]]
Rcpp::List follow_plan_cpp(Rcpp::List model, Rcpp::List frame, Rcpp::NumericMatrix cost,
                           Rcpp::List units, Rcpp::NumericVector log_start,
                           Rcpp::NumericMatrix log_joint, Rcpp::IntegerMatrix states,
                           Rcpp::IntegerVector steps, int most_steps, int round, int threads) {
  const bind::Model world(model);
  const Frame data = bind::read_data(world, frame);
  ProblemReader reader(world, data, read_matrix(cost));
  TestProblem problem = reader.read(units, most_steps);
  KnownBelief start = read_start(log_start, problem);
  const Matrix joint = read_matrix(log_joint);
  const Index cases = joint.rows();
  require(joint.cols() == problem.classes(), "log_joint: wrong dimensions");
  require(states.nrow() == cases && steps.size() == cases &&
              states.ncol() == static_cast<int>(problem.units.size()),
          "states: wrong dimensions");
  check_round(round);
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
  TestPlanner planner(std::move(problem), std::move(start), TestPlanner::Settings(), context);
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
  check_round(round);
  KnownBelief start = read_start(log_joint, problem);
  const auto answer = [&](Index i, const Step& step) { return reader.answer(tested, i, step); };
  const Context context = bind::make_context(threads);
  TestPlanner planner(std::move(problem), std::move(start), TestPlanner::Settings(), context);
  Rcpp::List result;
  for (const std::string& name : strategies) {
    const Strategy strategy = name == "plan"     ? Strategy::plan
                              : name == "myopic" ? Strategy::myopic
                              : name == "all"    ? Strategy::all
                                                 : Strategy::now;
    IntVector action, steps;
    Vector price;
    for (const Followed& one : planner.follow(tested.rows, strategy, round, answer)) {
      action.push_back(one.action + 1);
      steps.push_back(one.steps);
      price.push_back(one.price);
    }
    result.push_back(bind::named_list({{"action", action}, {"steps", steps}, {"price", price}}));
  }
  return result;
}
