#include <engine/strategy/test_plan.hpp>

#include <numeric>

namespace bayesrisk {

bool TestPlanner::has_time() const {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
  return spent.count() < settings_.seconds;
}

int TestPlanner::divisions(int round) const {
  if (problem_.classes() == 2) return 100 << round;
  if (problem_.classes() == 3) return static_cast<int>(24 * std::pow(1.5, round));
  return static_cast<int>(10 * std::pow(1.6, round));
}

int TestPlanner::policy_divisions(int round) const {
  constexpr double kMostPoints = 500;
  int result = divisions(round) / 3;
  while (result > 1 && BeliefGrid::count_points(problem_.classes(), result) > kMostPoints) {
    --result;
  }
  return result;
}

int TestPlanner::intervals(int round) const {
  const Index classes = problem_.classes();
  return static_cast<int>(40 * std::pow(classes == 2 ? 2 : classes == 3 ? 1.5 : 1.4, round));
}

void TestPlanner::set_answers(int intervals) {
  std::vector<Matrix> answers;
  for (const auto& number : problem_.numbers) {
    answers.push_back(number->finer_answers(intervals));
  }
  for (Unit& unit : problem_.units) {
    for (std::vector<Step>& steps : unit.steps) {
      for (Step& step : steps) {
        if (step.number != kAll) step.given = answers[static_cast<std::size_t>(step.number)];
      }
    }
  }
}

// The units, those first whose first step is worth most.
std::vector<std::size_t> TestPlanner::units_by_worth() const {
  Vector least(problem_.units.size(), kInfinity);
  const CostNow now(problem_);
  for_open_steps(problem_, start_.state, [&](std::size_t unit, const Step& step) {
    const double cost = now.after(start_.state, unit, step, start_.weight, start_.possible);
    least[unit] = std::min(least[unit], step.price + cost);
  });
  std::vector<std::size_t> units(least.size());
  std::iota(units.begin(), units.end(), std::size_t{0});
  std::stable_sort(units.begin(), units.end(),
                   [&](std::size_t a, std::size_t b) { return least[a] < least[b]; });
  return units;
}

// Units of several features are always tracked. Others are tracked as long as the tables fit into
// the memory.
std::vector<char> TestPlanner::tracked(int round) const {
  constexpr double kMostNumbers = 2e7, kMostCodes = 32768;
  const double points = ClassGrid::count_points(problem_.classes(), divisions(round));
  const double most = std::min({kMostCodes, kMostNumbers / points, 512 * std::pow(8, round)});
  std::vector<char> result(problem_.units.size());
  for (std::size_t u = 0; u < result.size(); ++u) result[u] = problem_.units[u].steps.size() > 2;
  for (std::size_t u : units_by_worth()) {
    if (std::exchange(result[u], 1)) continue;
    result[u] = StateCodes::count(problem_, result) <= most;
  }
  return result;
}

bool TestPlanner::is_exact(const KnownBelief& known) const {
  constexpr double kMost = 2e6, kPerSecond = 1e5;
  return ExactCostToCome::count_beliefs(problem_, known.state) <=
         std::min(kMost, kPerSecond * settings_.seconds);
}

std::unique_ptr<CostToCome> TestPlanner::bound(const std::vector<KnownBelief>& cases, TestRule rule,
                                               int round) const {
  auto grid = std::make_unique<GridCostToCome>(
      problem_, GridCostToCome::Settings{rule, divisions(round), tracked(round)});
  if (!solve_all(cases, [&](const auto& states, const ClassSet& possible) {
        return grid->solve(
            states, possible, [this] { return has_time(); }, context_);
      })) {
    return nullptr;
  }
  return grid;
}

std::unique_ptr<CostToCome> TestPlanner::policies(const std::vector<KnownBelief>& cases,
                                                  const CostToCome& guide, int round) const {
  auto found = std::make_unique<PolicyCosts>(
      problem_, start_,
      PolicyCosts::Settings{policy_divisions(round), intervals(round), tracked(round)});
  solve_all(cases, [&](const auto& states, const ClassSet& possible) {
    return found->solve(
        states, possible, guide, [this] { return has_time(); }, context_);
  });
  return found;
}

std::unique_ptr<CostToCome> TestPlanner::find_rule(const std::vector<KnownBelief>& cases, int round,
                                                   double* lower) {
  set_answers(intervals(round));
  const auto least = bound(cases, TestRule::best, round);
  const CostNow now(problem_);
  if (!least) return policies(cases, now, round);
  if (lower) {
    const auto& [state, weight, possible] = start_;
    *lower = std::max({*lower, least->at(state, weight, possible),
                       least->two_steps_ahead(state, weight, possible)});
  }
  return policies(cases, *least, round);
}

// If a decision now costs infinitely much, the tolerance is relative to the cost of the plan.
double TestPlanner::allowed(const TestPlan& plan) const {
  const double now = StopCost(problem_.cost, start_.weight, start_.possible).cost;
  const double unit = std::isfinite(now) ? now : plan.value;
  return settings_.tolerance * std::abs(unit + settings_.least);
}

TestPlan TestPlanner::plan() {
  TestPlan plan;
  plan.exact = is_exact(start_);
  std::unique_ptr<CostToCome> rule;
  const auto cost_of = [&](const CostToCome& of) {
    return of.choose(start_.state, start_.weight, start_.possible).cost;
  };
  if (plan.exact) {
    rule = std::make_unique<ExactCostToCome>(problem_, TestRule::best, context_);
    plan.value = plan.lower = cost_of(*rule);
  }
  for (int round = 0; !plan.exact && round < kRounds && (round == 0 || has_time()); ++round) {
    auto next = find_rule({start_}, round, &plan.lower);
    const double value = cost_of(*next);
    if (!rule || value < plan.value) {
      plan.value = value;
      plan.round = round;
      rule = std::move(next);
    }
    if (plan.value == plan.lower) break;
    if (std::isfinite(plan.value) && plan.value - plan.lower <= allowed(plan)) break;
  }
  if (settings_.myopic) plan.myopic = myopic_cost(plan);
  grow(plan, *rule);
  // Its cuts are exact, those of the other rule are not.
  plan.value = std::min(plan.value, plan.tree->cost_at(start_.weight));
  if (!problem_.draws.empty()) {
    plan.error = plan.tree->error_at(start_.weight);
    plan.exact = false;
  }
  return plan;
}

double TestPlanner::myopic_cost(const TestPlan& plan) const {
  const auto& [state, weight, possible] = start_;
  if (plan.exact) {
    return ExactCostToCome(problem_, TestRule::myopic, context_)
        .choose(state, weight, possible)
        .cost;
  }
  const auto rule = bound({start_}, TestRule::myopic, std::max(0, plan.round - 1));
  if (!rule) return kNaN;
  const CostToCome::Choice choice = rule->choose(state, weight, possible);
  if (!choice.step) return choice.cost;
  return choice.step->price +
         rule->chosen_after(state, choice.unit, *choice.step, weight, possible);
}

// Of the trees with few enough nodes the cheapest, unless one with fewer nodes is nearly as cheap.
// Branches that hardly differ are united, and steps that save hardly anything are left out; at
// last all steps.
void TestPlanner::grow(TestPlan& plan, const CostToCome& rule) const {
  TreeBuilder builder(rule, context_);
  TreeBuilder::Settings settings;
  settings.least_probability = settings_.least_probability;
  settings.most_steps = settings_.most_depth;
  settings.most_nodes = settings_.most_nodes;
  const double now = StopCost(problem_.cost, start_.weight, start_.possible).cost;
  const double saving = std::isfinite(now) ? now - plan.value : plan.value;
  for (double slack : {0.16, 0.08, 0.04, 0.02, 0.01, 0.005, 0.001}) {
    settings.slack = plan.exact ? 0 : slack * saving;
    for (double least :
         {0.0, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.1, 0.3, kInfinity}) {
      settings.least_saving = std::isinf(least) ? least : least * saving;
      settings.negligible = std::max(1e-5, least / 16) * saving;
      const auto tree = builder.build(start_.state, start_.weight, start_.possible, settings);
      if (!tree) continue;
      const double loss = std::max(0.0, tree->cost_at(start_.weight) - plan.value);
      if (!plan.tree || loss < plan.loss) {
        plan.loss = loss;
        plan.tree = tree;
      }
      break;
    }
    if (plan.tree && !has_time()) return;
    if (plan.exact || (plan.tree && plan.loss <= allowed(plan) / 4)) return;
  }
}

std::unique_ptr<CostToCome> TestPlanner::rule_of(const std::vector<KnownBelief>& cases, int round) {
  const bool exact = std::all_of(cases.begin(), cases.end(),
                                 [&](const KnownBelief& known) { return is_exact(known); });
  if (exact) return std::make_unique<ExactCostToCome>(problem_, TestRule::best, context_);
  return find_rule(cases, round);
}

std::vector<CostToCome::Choice> TestPlanner::choose(const std::vector<KnownBelief>& cases,
                                                    int round) {
  const auto rule = rule_of(cases, round);
  std::vector<CostToCome::Choice> choices;
  for (const KnownBelief& known : cases) {
    context_.check();
    choices.push_back(rule->choose(known.state, known.weight, known.possible));
  }
  return choices;
}

// Null if the strategy decides.
const Step* TestPlanner::next_step(const CostToCome& rule, Strategy strategy, const KnownBelief& at,
                                   std::size_t& unit) {
  const Step* next = nullptr;
  if (strategy == Strategy::all) {
    for_open_steps(rule.problem(), at.state, [&](std::size_t of, const Step& step) {
      if (!next) unit = of;
      if (!next) next = &step;
    });
  } else if (strategy != Strategy::now) {
    const CostToCome::Choice choice = rule.choose(at.state, at.weight, at.possible);
    next = choice.step;
    unit = choice.unit;
  }
  return next;
}

std::vector<Followed> TestPlanner::follow(
    Index cases, Strategy strategy, int round,
    const std::function<CaseAnswer(Index, const Step&)>& answer) {
  std::unique_ptr<CostToCome> rule;
  if (strategy == Strategy::plan) {
    rule = rule_of({start_}, round);
  } else {
    set_answers(intervals(round));
    rule = std::make_unique<CostNow>(problem_, TestRule::myopic);
  }
  std::vector<Followed> result(static_cast<std::size_t>(cases));
  for (Index i = 0; i < cases; ++i) {
    context_.check();
    Followed& followed = result[static_cast<std::size_t>(i)];
    KnownBelief at = start_;
    Eigen::VectorXd log_weight = at.weight.array().log();
    std::size_t unit = 0;
    while (const Step* step = next_step(*rule, strategy, at, unit)) {
      const CaseAnswer said = answer(i, *step);
      const Eigen::VectorXd next = log_weight + said.log_likelihood;
      followed.price += step->price;
      followed.steps += step->counts;
      at.state = at.state.after(unit, *step, said.level);
      // An answer that no class can give says nothing.
      if (!(next.maxCoeff() > kNegativeInfinity)) continue;
      log_weight = next;
      posterior_of(log_weight, at.weight);
      for (std::size_t k = 0; k < at.possible.size(); ++k) {
        at.possible[k] = at.possible[k] && next[static_cast<Index>(k)] > kNegativeInfinity;
      }
    }
    followed.action = StopCost(problem_.cost, at.weight, at.possible).action;
  }
  return result;
}

}  // namespace bayesrisk
