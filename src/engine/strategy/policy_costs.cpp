#include <engine/strategy/class_grid.hpp>
#include <engine/strategy/policy_costs.hpp>

namespace bayesrisk {

PolicyCosts::PolicyCosts(const TestProblem& problem, const KnownBelief& start,
                         const Settings& settings)
    : CostToCome(problem, TestRule::best),
      settings_(settings),
      codes_(problem, settings.tracked, false),
      policies_(static_cast<std::size_t>(codes_.count())) {
  for (const auto& number : problem.numbers) {
    intervals_.push_back(number->intervals(settings.intervals));
  }
  add_beliefs(start);
}

void PolicyCosts::add_beliefs(const KnownBelief& start) {
  constexpr int kSteps = 3;
  constexpr double kFirst = 400;   // answers of the first step
  constexpr double kPerPoint = 2;  // of the grid
  const double points = BeliefGrid::count_points(problem_.classes(), settings_.divisions);
  std::map<Code, std::vector<Belief>> last;
  last[codes_.code_of(start.state)].push_back({start.weight, start.possible});
  for (int step = 1; step <= kSteps; ++step) {
    std::map<Code, std::vector<Belief>> next;
    // After so many steps, so many lead to a state.
    const double most = step == 1 ? kFirst : kPerPoint * points / step;
    for (const auto& [code, beliefs] : last) {
      add_next(code, beliefs, static_cast<Index>(most), next);
    }
    beliefs_.merge(last);
    last = std::move(next);
  }
  beliefs_.merge(last);
}

// Adds the beliefs that each step leads to, at most `most` of them.
void PolicyCosts::add_next(Code code, const std::vector<Belief>& from, Index most,
                           std::map<Code, std::vector<Belief>>& to) const {
  constexpr double kGolden = 0.6180339887498949;
  codes_.for_steps(code, [&](std::size_t unit, const Step& step) {
    const Matrix& answers = answers_of(step);
    const Index all = answers.cols() * static_cast<Index>(from.size());
    for (Index i = 0; i < std::min(all, most); ++i) {
      // The fractions of multiples of the golden ratio are spread evenly over beliefs and answers.
      const double part = kGolden * static_cast<double>(i + 1);
      const Index pair =
          all <= most ? i
                      : static_cast<Index>((part - std::floor(part)) * static_cast<double>(all));
      const Belief& belief = from[static_cast<std::size_t>(pair / answers.cols())];
      const Index a = pair % answers.cols();
      const Eigen::VectorXd joint = belief.weight.cwiseProduct(answers.col(a));
      if (!(joint.maxCoeff() > 0)) continue;
      to[codes_.after(code, unit, step, a)].push_back(
          {joint, left_after(step, a, belief.possible)});
    }
  });
}

const Matrix& PolicyCosts::answers_of(const Step& step) const {
  return step.number == kAll ? step.given : intervals_[static_cast<std::size_t>(step.number)];
}

ClassSet PolicyCosts::left_after(const Step& step, Index answer, const ClassSet& possible) const {
  return after_probability(possible, problem_, step, answers_of(step).col(answer));
}

Eigen::VectorXd PolicyCosts::best_at(Code code, const Eigen::VectorXd& weight,
                                     const ClassSet& possible) const {
  const StopCost stop(problem_.cost, weight, possible);
  const Costs& policies = policies_[static_cast<std::size_t>(code)];
  if (policies.cols() > 0) {
    Eigen::RowVectorXd total = Eigen::RowVectorXd::Zero(policies.cols());
    for (Index k = 0; k < weight.size(); ++k) {
      if (weight[k] > 0) total += weight[k] * policies.row(k);
    }
    // Faster than to look for both at once.
    const double least = total.minCoeff();
    if (least < stop.cost) {
      return policies.col(std::find(total.data(), total.data() + total.size(), least) -
                          total.data());
    }
  }
  return problem_.cost.of.row(stop.action);
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
    const ClassSet left = left_after(step, a, possible);
    cost += priced(answers.col(a), best_at(codes_.after(code, unit, step, a), joint, left));
  }
  return cost;
}

// The beliefs at which policies are searched.
std::vector<Eigen::VectorXd> PolicyCosts::beliefs_of(Code code, const ClassSet& possible) const {
  constexpr double kInside = 1e-9;
  std::vector<Eigen::VectorXd> weights;
  const ClassGrid grid(problem_.cost, possible, settings_.divisions);
  for (Index point = 0; point < grid.points(); ++point) weights.push_back(grid.weight(point));
  if (const auto found = beliefs_.find(code); found != beliefs_.end()) {
    for (const Belief& belief : found->second) {
      if (belief.possible == possible) weights.push_back(belief.weight);
    }
  }
  for (Eigen::VectorXd& weight : weights) {
    const double floor = kInside * weight.sum();
    for (Index k = 0; k < weight.size(); ++k) {
      if (possible[static_cast<std::size_t>(k)]) weight[k] = std::max(weight[k], floor);
    }
  }
  return weights;
}

void PolicyCosts::fill(const TestState& state, Code code, const ClassSet& possible,
                       const CostToCome& guide, const Context& context) {
  std::vector<Eigen::VectorXd> found;
  for (const Eigen::VectorXd& weight : beliefs_of(code, possible)) {
    context.check();
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
  const Index known = policies.cols();
  policies.conservativeResize(problem_.classes(), known + static_cast<Index>(found.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    policies.col(known + static_cast<Index>(i)) = found[i];
  }
}

bool PolicyCosts::solve(const std::vector<TestState>& states, const ClassSet& possible,
                        const CostToCome& guide, const std::function<bool()>& has_time,
                        const Context& context) {
  const std::vector<ClassSet> sets = class_sets(problem_, possible);
  const auto task = [&](Code code, std::size_t set) {
    fill(codes_.state(code), code, sets[set], guide, context);
  };
  return codes_.for_heights(states, sets.size(), has_time, context, task);
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
