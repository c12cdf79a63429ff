#pragma once

#include <engine/strategy/grid_cost_to_come.hpp>
#include <engine/strategy/policy_costs.hpp>
#include <engine/strategy/test_tree.hpp>

#include <chrono>
#include <set>

namespace bayesrisk {

// A plan for one case.
struct TestPlan {
  std::shared_ptr<const TestTree> tree;
  double value = kInfinity;  // the cost of the best rule that was found
  double lower = 0;          // no rule costs less
  double loss = 0;           // the cost of the tree above the value
  double myopic = kNaN;      // the cost of the myopic rule
  double error = kNaN;       // the standard error of the tree's cost, if panels are known by draws
  bool exact = false;
  int round = 0;
};

// Which tests are done with a case: those of the plan, of the myopic rule, all, or none.
enum class Strategy { plan, myopic, all, now };

// What a strategy did with a case.
struct Followed {
  int action = 0, steps = 0;
  double price = 0;
};

// The answer of a case to a step.
struct CaseAnswer {
  Eigen::VectorXd log_likelihood;  // in each class, up to a constant
  Index level = 0;                 // of a number: 0
};

// Looks for a tree and a lower bound until they meet or there is no time left. Each round has finer
// grids, finer answers of numbers, and tracks more units.
class TestPlanner {
 public:
  static constexpr int kRounds = 6;

  struct Settings {
    double tolerance = 1e-3;  // of value - lower, relative to the cost of deciding now
    double least = 0;         // what was taken off all costs
    double seconds = kInfinity;
    double least_probability = 0;                      // of a node of the tree that is no leaf
    int most_depth = std::numeric_limits<int>::max();  // of the tree
    int most_nodes = 1000;
    bool myopic = true;
  };

  // `problem`: without the answers of numbers. `start`: the case to plan for; its weights add up to
  // 1.
  TestPlanner(TestProblem problem, KnownBelief start, const Settings& settings,
              const Context& context)
      : problem_(std::move(problem)),
        start_(std::move(start)),
        settings_(settings),
        context_(context) {
    // Whether a plan is exact depends on the number of answers, which is known if all are finite.
    if (std::all_of(problem_.numbers.begin(), problem_.numbers.end(),
                    [](const auto& number) { return number->is_constant(); })) {
      set_answers(1);
    }
  }

  TestPlan plan();

  // The next step or the action of each case, as precisely as in this round of a plan.
  std::vector<CostToCome::Choice> choose(const std::vector<KnownBelief>& cases, int round);

  // Follows a strategy with cases of which no more is known at first; the steps that they need are
  // answered by `answer(case, step)`.
  std::vector<Followed> follow(Index cases, Strategy strategy, int round,
                               const std::function<CaseAnswer(Index, const Step&)>& answer);

 private:
  // The sizes of a round. With two classes a grid is a line, so it can be finer.
  int divisions(int round) const;
  int policy_divisions(int round) const;
  int intervals(int round) const;

  void set_answers(int intervals);
  std::vector<std::size_t> units_by_worth() const;
  std::vector<char> tracked(int round) const;
  bool is_exact(const KnownBelief& known) const;
  double allowed(const TestPlan& plan) const;

  // The rule that is followed.
  std::unique_ptr<CostToCome> rule_of(const std::vector<KnownBelief>& cases, int round);
  static const Step* next_step(const CostToCome& rule, Strategy strategy, const KnownBelief& at,
                               std::size_t& unit);
  // `lower`: raised to a lower bound of the case to plan for, if there was time to find one.
  std::unique_ptr<CostToCome> find_rule(const std::vector<KnownBelief>& cases, int round,
                                        double* lower = nullptr);
  // Null if there was no time.
  std::unique_ptr<CostToCome> bound(const std::vector<KnownBelief>& cases, TestRule rule,
                                    int round) const;
  std::unique_ptr<CostToCome> policies(const std::vector<KnownBelief>& cases,
                                       const CostToCome& guide, int round) const;
  double myopic_cost(const TestPlan& plan) const;
  void grow(TestPlan& plan, const CostToCome& rule) const;

  // Calls solve(states, possible) for each set of possible classes. If all costs are finite, one
  // table serves all cases, so it has every class that is possible for one of them.
  template <class Solve>
  bool solve_all(const std::vector<KnownBelief>& cases, const Solve& solve) const {
    std::vector<TestState> states;
    std::set<ClassSet> sets;
    ClassSet any(static_cast<std::size_t>(problem_.classes()), 0);
    for (const KnownBelief& known : cases) {
      states.push_back(known.state);
      sets.insert(known.possible);
      std::transform(any.begin(), any.end(), known.possible.begin(), any.begin(),
                     [](char a, char b) { return static_cast<char>(a || b); });
    }
    if (problem_.cost.of.allFinite()) return solve(states, any);
    return std::all_of(sets.begin(), sets.end(),
                       [&](const ClassSet& set) { return solve(states, set); });
  }

  bool has_time() const;

  TestProblem problem_;
  const KnownBelief start_;
  const Settings settings_;
  const Context& context_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace bayesrisk
