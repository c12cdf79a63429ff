#pragma once

#include <engine/core/context.hpp>
#include <engine/strategy/test_problem.hpp>

#include <map>

namespace bayesrisk {

// Numbers of the states of a problem, for tables by state. A code counts the states of the tracked
// units, the steps of the others that are left, and, if there is a limit, all steps that are left.
// Units that are not tracked have one step: either it can be repeated, as often as there are such
// units, or it is not done at all.
class StateCodes {
 public:
  using Code = Index;

  StateCodes(const TestProblem& problem, std::vector<char> tracked, bool repeats);

  // How many there are.
  static double count(const TestProblem& problem, const std::vector<char>& tracked);
  Code count() const { return count_; }

  Code code_of(const TestState& state) const;
  TestState state(Code code) const;  // units that are not tracked are done
  Code after(Code code, std::size_t unit, const Step& step, Index answer) const;

  // Calls visit(unit, step) for each step that can be done.
  template <class Visit>
  void for_steps(Code code, const Visit& visit) const {
    for (std::size_t u = 0; u < problem_.units.size(); ++u) {
      if (!tracked_[u] && open_of(code) == 0) continue;
      const auto state = static_cast<std::size_t>(state_of(code, u));
      for (const Step& step : problem_.units[u].steps[state]) {
        if (!limited_ || !step.counts || code / stride_.back() > 0) visit(u, step);
      }
    }
  }

  // Calls task(code, set) for each code that can be reached, with each of the `sets` of possible
  // classes: after the codes that can follow, and after smaller sets. Returns false if there was no
  // time left.
  bool for_heights(const std::vector<TestState>& states, std::size_t sets,
                   const std::function<bool()>& has_time, const Context& context,
                   const std::function<void(Code, std::size_t)>& task) const;

 private:
  // The codes that can be reached, by the most steps that can follow.
  std::map<int, std::vector<Code>> reachable(const std::vector<TestState>& states) const;
  int state_of(Code code, std::size_t unit) const;
  Code open_of(Code code) const { return code / stride_.end()[-2] % (untracked_ + 1); }
  int height_of(Code code) const;
  void find_heights();

  const TestProblem& problem_;
  const std::vector<char> tracked_;
  bool limited_ = false;  // whether fewer steps are allowed than there are
  Code untracked_ = 0, count_ = 1;
  std::vector<Code> stride_;       // of units, of the open steps, of all steps
  std::vector<IntVector> height_;  // by unit and state
};

}  // namespace bayesrisk
