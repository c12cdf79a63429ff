#include <engine/strategy/cost_to_come.hpp>

namespace bayesrisk {

double CostToCome::after(const TestState& state, std::size_t unit, const Step& step,
                         const Eigen::VectorXd& weight, const ClassSet& possible) const {
  double total = 0;
  for (Index a = 0; a < step.given.cols(); ++a) {
    const Eigen::VectorXd joint = weight.cwiseProduct(step.given.col(a));
    if (!(joint.maxCoeff() > 0)) continue;
    total += at(state.after(unit, step, a), joint, after_answer(possible, step, a));
  }
  return total;
}

CostToCome::Choice CostToCome::choose(const TestState& state, const Eigen::VectorXd& weight,
                                      const ClassSet& possible) const {
  const StopCost stop(problem_.cost, weight, possible);
  Choice best{nullptr, 0, stop.action, stop.cost};
  const double mass = weight.sum();
  const CostNow now(problem_);
  double ranked = stop.cost;
  for_open_steps(problem_, state, [&](std::size_t unit, const Step& step) {
    const double price = step.price * mass;
    if (price >= ranked) return;
    const CostToCome& judge = rule_ == TestRule::best ? *this : static_cast<const CostToCome&>(now);
    const double cost = price + judge.after(state, unit, step, weight, possible);
    if (!(cost < ranked - kTie * std::max(std::abs(stop.cost), std::abs(cost)))) {
      if (!(std::isinf(stop.cost) && cost < ranked)) return;
    }
    ranked = cost;
    best = {&step, unit, 0, cost};
  });
  if (best.step && rule_ == TestRule::myopic) {
    best.cost = best.step->price * mass + after(state, best.unit, *best.step, weight, possible);
  }
  return best;
}

double CostToCome::chosen_after(const TestState& state, std::size_t unit, const Step& step,
                                const Eigen::VectorXd& weight, const ClassSet& possible) const {
  double total = 0;
  for (Index a = 0; a < step.given.cols(); ++a) {
    const Eigen::VectorXd joint = weight.cwiseProduct(step.given.col(a));
    if (!(joint.maxCoeff() > 0)) continue;
    total += choose(state.after(unit, step, a), joint, after_answer(possible, step, a)).cost;
  }
  return total;
}

double CostToCome::two_steps_ahead(const TestState& state, const Eigen::VectorXd& weight,
                                   const ClassSet& possible) const {
  constexpr double kMostAnswers = 1e7;
  struct Ahead {
    double cost;
    std::size_t unit;
    const Step* step;
  };
  std::vector<Ahead> steps;
  double answers = 0;
  for_open_steps(problem_, state, [&](std::size_t unit, const Step& step) {
    const double cost = step.price * weight.sum() + after(state, unit, step, weight, possible);
    steps.push_back({cost, unit, &step});
    answers += static_cast<double>(step.given.cols());
  });
  std::sort(steps.begin(), steps.end(),
            [](const Ahead& a, const Ahead& b) { return a.cost < b.cost; });
  double least = StopCost(problem_.cost, weight, possible).cost;
  if (answers * answers > kMostAnswers) return std::min(least, steps[0].cost);
  for (const auto& [cost, unit, step] : steps) {
    if (cost >= least) break;
    const double closer =
        step->price * weight.sum() + chosen_after(state, unit, *step, weight, possible);
    least = std::min(least, std::max(cost, closer));
  }
  return least;
}

double ExactCostToCome::at(const TestState& state, const Eigen::VectorXd& weight,
                           const ClassSet& possible) const {
  const double mass = weight.sum();
  const Eigen::VectorXd belief = rounded(weight / mass);
  const std::string key = key_of(state, belief, possible);
  if (const auto found = known_.find(key); found != known_.end()) return mass * found->second;
  context_.check();
  const double cost = choose(state, belief, possible).cost;
  known_.emplace(key, cost);
  return mass * cost;
}

Eigen::VectorXd ExactCostToCome::rounded(const Eigen::VectorXd& belief) {
  constexpr int kBits = 46;
  return belief.unaryExpr([](double share) {
    int exponent;
    const double mantissa = std::frexp(share, &exponent);
    return std::ldexp(std::round(std::ldexp(mantissa, kBits)), exponent - kBits);
  });
}

std::string ExactCostToCome::key_of(const TestState& state, const Eigen::VectorXd& belief,
                                    const ClassSet& possible) {
  std::string key;
  const auto add = [&](const void* x, std::size_t size) {
    key.append(static_cast<const char*>(x), size);
  };
  add(state.unit.data(), state.unit.size() * sizeof(int));
  add(&state.steps, sizeof(state.steps));
  add(belief.data(), static_cast<std::size_t>(belief.size()) * sizeof(double));
  add(possible.data(), possible.size());
  return key;
}

double ExactCostToCome::count_beliefs(const TestProblem& problem, const TestState& state) {
  double count = 1;
  for (std::size_t u = 0; u < state.unit.size(); ++u) {
    const Unit& unit = problem.units[u];
    // Later states follow earlier ones.
    Vector beliefs(unit.steps.size(), 1);
    for (std::size_t s = unit.steps.size(); s-- > 0;) {
      for (const Step& step : unit.steps[s]) {
        if (step.number != kAll && !problem.number_of(step).is_constant()) return kInfinity;
        for (Index a = 0; a < step.given.cols(); ++a) {
          beliefs[s] += beliefs[static_cast<std::size_t>(step.next_of(a))];
        }
      }
    }
    count *= beliefs[static_cast<std::size_t>(state.unit[u])];
  }
  return count;
}

}  // namespace bayesrisk
