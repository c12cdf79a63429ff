#include <engine/strategy/class_grid.hpp>
#include <engine/strategy/policy_costs.hpp>

#include <atomic>

namespace bayesrisk {

PolicyCosts::PolicyCosts(const TestProblem& problem, const Settings& settings)
    : CostToCome(problem, TestRule::best),
      settings_(settings),
      codes_(problem, settings.tracked, false),
      policies_(static_cast<std::size_t>(codes_.count())) {
  for (const NumberTest& number : problem.numbers) {
    intervals_.push_back(number.probabilities(number.cuts(settings.intervals)));
  }
}

const Matrix& PolicyCosts::answers_of(const Step& step) const {
  return step.number == kAll ? step.given : intervals_[static_cast<std::size_t>(step.number)];
}

Eigen::VectorXd PolicyCosts::best_at(Code code, const Eigen::VectorXd& weight,
                                     const ClassSet& possible) const {
  const StopCost stop(problem_.cost, weight, possible);
  double least = stop.cost;
  const Eigen::VectorXd* best = nullptr;
  for (const Eigen::VectorXd& cost : policies_[static_cast<std::size_t>(code)]) {
    double total = 0;
    for (Index k = 0; k < weight.size() && total < least; ++k) total += priced(weight[k], cost[k]);
    if (!(total < least)) continue;
    least = total;
    best = &cost;
  }
  return best ? *best : Eigen::VectorXd(problem_.cost.of.row(stop.action));
}

Eigen::VectorXd PolicyCosts::cost_of(Code code, std::size_t unit, const Step& step,
                                     const Eigen::VectorXd& weight,
                                     const ClassSet& possible) const {
  const Matrix& answers = answers_of(step);
  Eigen::VectorXd cost = Eigen::VectorXd::Constant(weight.size(), step.price), joint;
  for (Index a = 0; a < answers.cols(); ++a) {
    joint = weight.cwiseProduct(answers.col(a));
    if (!(joint.maxCoeff() > 0)) {
      // What is impossible here may be possible at other beliefs; any action will do.
      cost += priced(answers.col(a), problem_.cost.of.row(0).transpose());
      continue;
    }
    const ClassSet left = step.number == kAll ? after_answer(possible, step, a) : possible;
    cost += priced(answers.col(a), best_at(codes_.after(code, unit, step, a), joint, left));
  }
  return cost;
}

void PolicyCosts::fill(const TestState& state, Code code, const ClassSet& possible,
                       const CostToCome& guide) {
  constexpr double kInside = 1e-9;
  const ClassGrid grid(problem_.cost, possible, settings_.divisions);
  Costs found;
  for (Index point = 0; point < grid.points(); ++point) {
    Eigen::VectorXd weight = grid.weight(point);
    const double floor = kInside * weight.sum();
    for (Index k = 0; k < weight.size(); ++k) {
      if (possible[static_cast<std::size_t>(k)]) weight[k] = std::max(weight[k], floor);
    }
    const CostToCome::Choice choice = guide.choose(state, weight, possible);
    if (!choice.step) continue;
    Eigen::VectorXd cost = cost_of(code, choice.unit, *choice.step, weight, possible);
    for (Index k = 0; k < cost.size(); ++k) {
      if (!possible[static_cast<std::size_t>(k)]) cost[k] = kInfinity;
    }
    const double known = at(state, weight, possible);
    if (priced(weight, cost).sum() < known) found.push_back(std::move(cost));
  }
  Costs& policies = policies_[static_cast<std::size_t>(code)];
  policies.insert(policies.end(), found.begin(), found.end());
}

bool PolicyCosts::solve(const std::vector<TestState>& states, const ClassSet& possible,
                        const CostToCome& guide, const std::function<bool()>& has_time,
                        const Context& context) {
  const std::vector<ClassSet> sets = class_sets(problem_, possible);
  std::atomic<bool> in_time{true};
  // The policies of a height need those below, and those of fewer classes.
  for (const auto& height : codes_.reachable(states)) {
    const std::vector<Code>& codes = height.second;
    for (const ClassSet& set : sets) {
      context.run(static_cast<Index>(codes.size()), [&](Index i) {
        if (!in_time || !has_time()) {
          in_time = false;
          return;
        }
        context.check();
        const Code code = codes[static_cast<std::size_t>(i)];
        fill(codes_.state(code), code, set, guide);
      });
      if (!in_time) return false;
    }
  }
  return true;
}

double PolicyCosts::at(const TestState& state, const Eigen::VectorXd& weight,
                       const ClassSet& possible) const {
  return priced(weight, best_at(codes_.code_of(state), weight, possible)).sum();
}

double PolicyCosts::after(const TestState& state, std::size_t unit, const Step& step,
                          const Eigen::VectorXd& weight, const ClassSet& possible) const {
  if (!settings_.tracked[unit]) return kInfinity;
  return priced(weight, cost_of(codes_.code_of(state), unit, step, weight, possible)).sum() -
         step.price * weight.sum();
}

}  // namespace bayesrisk
