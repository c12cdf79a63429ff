#pragma once

#include <engine/strategy/cost_to_come.hpp>
#include <engine/strategy/state_codes.hpp>

#include <functional>

namespace bayesrisk {

// Policies for each state of the units, each given by its expected cost to come in each class. At
// any belief the best of them is an upper bound of the least cost. A policy does a step and goes on
// with the best policy for each answer; numbers are cut into intervals for that. Each policy can be
// carried out, so its cost is exact. Units that are not tracked are not tested.
class PolicyCosts : public CostToCome {
 public:
  struct Settings {
    int divisions = 1;  // of the grid of beliefs at which policies are looked for
    int intervals = 1;
    std::vector<char> tracked;  // by unit
  };

  // Policies are looked for also where the first steps from `start` lead to.
  PolicyCosts(const TestProblem& problem, const KnownBelief& start, const Settings& settings);

  // Finds policies for the states that can follow; `guide` chooses their steps. Returns false if
  // there was no time left: then there may be fewer policies.
  bool solve(const std::vector<TestState>& states, const ClassSet& possible,
             const CostToCome& guide, const std::function<bool()>& has_time,
             const Context& context);

  double at(const TestState& state, const Eigen::VectorXd& weight,
            const ClassSet& possible) const override;

  double after(const TestState& state, std::size_t unit, const Step& step,
               const Eigen::VectorXd& weight, const ClassSet& possible) const override;

 private:
  using Code = StateCodes::Code;
  using Costs = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  struct Belief {
    Eigen::VectorXd weight;
    ClassSet possible;
  };

  // The cost in each class of the best policy or action at a belief.
  Eigen::VectorXd best_at(Code code, const Eigen::VectorXd& weight, const ClassSet& possible) const;
  // That of a step.
  Eigen::VectorXd cost_of(Code code, std::size_t unit, const Step& step,
                          const Eigen::VectorXd& weight, const ClassSet& possible) const;
  const Matrix& answers_of(const Step& step) const;
  // The classes that remain after an answer.
  ClassSet left_after(const Step& step, Index answer, const ClassSet& possible) const;

  void add_beliefs(const KnownBelief& start);
  void add_next(Code code, const std::vector<Belief>& from, Index most,
                std::map<Code, std::vector<Belief>>& to) const;
  std::vector<Eigen::VectorXd> beliefs_of(Code code, const ClassSet& possible) const;
  void fill(const TestState& state, Code code, const ClassSet& possible, const CostToCome& guide,
            const Context& context);

  const Settings settings_;
  const StateCodes codes_;
  std::vector<Matrix> intervals_;                // of each number: P(interval | class)
  std::vector<Costs> policies_;                  // by code: classes x policies
  std::map<Code, std::vector<Belief>> beliefs_;  // that the first steps lead to
};

}  // namespace bayesrisk
