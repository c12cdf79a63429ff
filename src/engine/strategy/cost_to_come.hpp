#pragma once

#include <engine/core/context.hpp>
#include <engine/strategy/test_problem.hpp>

#include <string>
#include <unordered_map>

namespace bayesrisk {

// The rule that chooses between the tests and the decision. The best rule minimises the expected
// cost to come. The myopic one compares each test, as if it were the last one, with the decision.
enum class TestRule { best, myopic };

// The expected cost that is still to come under a rule, or a lower bound of it. It is proportional
// to the weights of the classes.
class CostToCome {
 public:
  CostToCome(const TestProblem& problem, TestRule rule) : problem_(problem), rule_(rule) {}
  virtual ~CostToCome() = default;

  virtual double at(const TestState& state, const Eigen::VectorXd& weight,
                    const ClassSet& possible) const = 0;

  // The sum of at() over the answers of a step.
  virtual double after(const TestState& state, std::size_t unit, const Step& step,
                       const Eigen::VectorXd& weight, const ClassSet& possible) const;

  struct Choice {
    const Step* step = nullptr;  // null: the decision
    std::size_t unit = 0;
    int action = 0;
    double cost;
  };

  // The step or the action that the rule chooses, and the expected cost of the rule from here on.
  Choice choose(const TestState& state, const Eigen::VectorXd& weight,
                const ClassSet& possible) const;

  // The sum of the costs of choose() over the answers of a step. It is closer than after(), because
  // at() interpolates one step later.
  double chosen_after(const TestState& state, std::size_t unit, const Step& step,
                      const Eigen::VectorXd& weight, const ClassSet& possible) const;

  // A lower bound of the cost of the best rule if at() is one, by chosen_after() of the steps that
  // may be the best. With very many answers by after().
  double two_steps_ahead(const TestState& state, const Eigen::VectorXd& weight,
                         const ClassSet& possible) const;

  const TestProblem& problem() const { return problem_; }

 protected:
  const TestProblem& problem_;
  const TestRule rule_;
};

// The cost of deciding without further tests.
class CostNow : public CostToCome {
 public:
  explicit CostNow(const TestProblem& problem, TestRule rule = TestRule::best)
      : CostToCome(problem, rule) {}

  double at(const TestState&, const Eigen::VectorXd& weight,
            const ClassSet& possible) const override {
    return StopCost(problem_.cost, weight, possible).cost;
  }
};

// Exact where answers are finite: each belief that can be reached is computed once.
class ExactCostToCome : public CostToCome {
 public:
  ExactCostToCome(const TestProblem& problem, TestRule rule, const Context& context)
      : CostToCome(problem, rule), context_(context) {}

  double at(const TestState& state, const Eigen::VectorXd& weight,
            const ClassSet& possible) const override;

  // About the number of these beliefs; infinite if a test is a number of infinitely many answers.
  static double count_beliefs(const TestProblem& problem, const TestState& state);

 private:
  // Beliefs that differ by rounding are one, so that no case depends on others.
  static Eigen::VectorXd rounded(const Eigen::VectorXd& belief);
  static std::string key_of(const TestState& state, const Eigen::VectorXd& belief,
                            const ClassSet& possible);

  const Context& context_;
  mutable std::unordered_map<std::string, double> known_;
};

}  // namespace bayesrisk
