#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/decision/cost.hpp>
#include <engine/decision/ranking.hpp>
#include <engine/strategy/number_test.hpp>
#include <engine/strategy/panel_draws.hpp>

#include <memory>
#include <utility>

namespace bayesrisk {

// A choice of tests before a decision. The features fall into units that are independent given the
// class. The state of a unit says which of its features are known, with their levels where others
// depend on them, and which are paid for.

// Reading one feature, or the numbers of a joint block at once. The answers of a number are those
// of NumberTest::finer_answers().
struct Step {
  int test = 0, feature = 0;  // as the caller counts them
  double price = 0;
  bool counts = true;  // towards the number of steps; not if it was paid with an earlier one
  int number = kAll;   // in TestProblem::numbers; kAll: levels or draws
  int draws = kAll;    // in TestProblem::draws; kAll: none
  Matrix given;        // P(answer | class), classes x answers
  IntVector next;      // the state of the unit after each answer, or after all

  bool has_one_next() const {
    return std::all_of(next.begin(), next.end(), [&](int state) { return state == next[0]; });
  }

  bool reads_level() const { return number == kAll && draws == kAll; }

  int next_of(Index answer) const {
    return next.size() == 1 ? next[0] : next[static_cast<std::size_t>(answer)];
  }
};

struct Unit {
  std::vector<std::vector<Step>> steps;  // by state
};

struct TestProblem {
  Cost cost;  // relative to the least cost of each class, so none is negative
  std::vector<Unit> units;
  std::vector<std::shared_ptr<const NumberTest>> numbers;
  std::vector<PanelDraws> draws;
  int most_steps = std::numeric_limits<int>::max();

  Index classes() const { return cost.of.cols(); }

  const NumberTest& number_of(const Step& step) const {
    return *numbers[static_cast<std::size_t>(step.number)];
  }
};

// The states of all units, and the number of steps that are left.
struct TestState {
  IntVector unit;
  int steps;

  TestState after(std::size_t of, const Step& step, Index answer) const {
    TestState next = *this;
    next.unit[of] = step.next_of(answer);
    next.steps -= step.counts;
    return next;
  }
};

// Calls visit(unit, step) for each step that can be done.
template <class Visit>
void for_open_steps(const TestProblem& problem, const TestState& state, const Visit& visit) {
  for (std::size_t u = 0; u < state.unit.size(); ++u) {
    for (const Step& step : problem.units[u].steps[static_cast<std::size_t>(state.unit[u])]) {
      if (state.steps > 0 || !step.counts) visit(u, step);
    }
  }
}

// Whether each class is possible.
using ClassSet = std::vector<char>;

// The classes that remain after an answer.
inline ClassSet after_answer(ClassSet possible, const Step& step, Index answer) {
  for (std::size_t k = 0; k < possible.size(); ++k) {
    possible[k] = possible[k] && step.given(static_cast<Index>(k), answer) > 0;
  }
  return possible;
}

// Those that remain after answers of this probability in each class. That of numbers may underflow.
inline ClassSet after_probability(ClassSet possible, const TestProblem& problem, const Step& step,
                                  const Eigen::VectorXd& given) {
  for (std::size_t k = 0; k < possible.size(); ++k) {
    const auto of = static_cast<Index>(k);
    const bool ends =
        step.reads_level() || (step.number != kAll && problem.number_of(step).has_gaps(of));
    possible[k] = possible[k] && (given[of] > 0 || !ends);
  }
  return possible;
}

// A case to plan for: what is known of it.
struct KnownBelief {
  TestState state;
  Eigen::VectorXd weight;  // of the classes
  ClassSet possible;
};

// weight * cost, where what cannot happen costs nothing.
inline double priced(double weight, double cost) { return weight == 0 ? 0 : weight * cost; }

inline Eigen::VectorXd priced(const Eigen::VectorXd& weight, const Eigen::VectorXd& cost) {
  return weight.binaryExpr(cost, [](double w, double c) { return priced(w, c); });
}

// The action of the least expected cost and this cost. An infinite cost under a possible class
// counts, even if the probability of the class underflowed.
struct StopCost {
  int action = 0;
  double cost = kInfinity;

  StopCost(const Cost& costs, const Eigen::VectorXd& weight, const ClassSet& possible) {
    for (int a = 0; a < costs.actions(); ++a) {
      double total = 0;
      for (Index k = 0; k < weight.size(); ++k) {
        if (!possible[static_cast<std::size_t>(k)]) continue;
        total += std::isfinite(costs.of(a, k)) ? weight[k] * costs.of(a, k) : costs.of(a, k);
      }
      if (total < cost - kTie * std::abs(total)) {
        cost = total;
        action = a;
      }
    }
  }
};

}  // namespace bayesrisk
