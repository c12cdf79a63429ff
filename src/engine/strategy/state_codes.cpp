#include <engine/strategy/state_codes.hpp>

#include <atomic>

namespace bayesrisk {

StateCodes::StateCodes(const TestProblem& problem, std::vector<char> tracked, bool repeats)
    : problem_(problem), tracked_(std::move(tracked)) {
  find_heights();
  int highest = 0;
  for (std::size_t u = 0; u < problem.units.size(); ++u) {
    stride_.push_back(count_);
    if (tracked_[u]) {
      highest += height_[u][0];
      count_ *= static_cast<Code>(problem.units[u].steps.size());
    } else if (repeats) {
      ++untracked_;
    }
  }
  stride_.push_back(count_);
  count_ *= untracked_ + 1;
  stride_.push_back(count_);
  limited_ = problem.most_steps < highest + untracked_;
  if (limited_) count_ *= problem.most_steps + 1;
}

void StateCodes::find_heights() {
  for (const Unit& unit : problem_.units) {
    IntVector height(unit.steps.size(), 0);
    for (std::size_t s = height.size(); s-- > 0;) {
      for (const Step& step : unit.steps[s]) {
        for (int next : step.next) {
          height[s] = std::max(height[s], 1 + height[static_cast<std::size_t>(next)]);
        }
      }
    }
    height_.push_back(std::move(height));
  }
}

double StateCodes::count(const TestProblem& problem, const std::vector<char>& tracked) {
  double codes = 1, others = 1;
  for (std::size_t u = 0; u < tracked.size(); ++u) {
    if (tracked[u]) {
      codes *= static_cast<double>(problem.units[u].steps.size());
    } else {
      ++others;
    }
  }
  return codes * others;
}

StateCodes::Code StateCodes::code_of(const TestState& state) const {
  Code code = 0, open = 0;
  for (std::size_t u = 0; u < state.unit.size(); ++u) {
    if (tracked_[u]) {
      code += stride_[u] * state.unit[u];
    } else if (!problem_.units[u].steps[static_cast<std::size_t>(state.unit[u])].empty()) {
      ++open;
    }
  }
  code += stride_.end()[-2] * std::min(open, untracked_);
  return limited_ ? code + stride_.back() * state.steps : code;
}

TestState StateCodes::state(Code code) const {
  TestState state{IntVector(problem_.units.size()), problem_.most_steps};
  for (std::size_t u = 0; u < state.unit.size(); ++u) {
    const auto last = static_cast<int>(problem_.units[u].steps.size()) - 1;
    state.unit[u] = tracked_[u] ? state_of(code, u) : last;
  }
  if (limited_) state.steps = static_cast<int>(code / stride_.back());
  return state;
}

int StateCodes::state_of(Code code, std::size_t unit) const {
  const auto states = static_cast<Code>(problem_.units[unit].steps.size());
  return tracked_[unit] ? static_cast<int>(code / stride_[unit] % states) : 0;
}

StateCodes::Code StateCodes::after(Code code, std::size_t unit, const Step& step,
                                   Index answer) const {
  const Code moved = tracked_[unit] ? stride_[unit] * (step.next_of(answer) - state_of(code, unit))
                                    : -stride_.end()[-2];
  return code + moved - (limited_ && step.counts ? stride_.back() : 0);
}

int StateCodes::height_of(Code code) const {
  auto height = static_cast<int>(open_of(code));
  for (std::size_t u = 0; u < height_.size(); ++u) {
    if (tracked_[u]) height += height_[u][static_cast<std::size_t>(state_of(code, u))];
  }
  return height;
}

std::map<int, std::vector<StateCodes::Code>> StateCodes::reachable(
    const std::vector<TestState>& states) const {
  std::map<int, std::vector<Code>> codes;
  std::vector<char> seen(static_cast<std::size_t>(count_), 0);
  std::vector<Code> next;
  const auto reach = [&](Code code) {
    if (std::exchange(seen[static_cast<std::size_t>(code)], 1)) return;
    codes[height_of(code)].push_back(code);
    next.push_back(code);
  };
  for (const TestState& state : states) reach(code_of(state));
  while (!next.empty()) {
    const Code code = next.back();
    next.pop_back();
    for_steps(code, [&](std::size_t unit, const Step& step) {
      const auto answers = static_cast<Index>(step.next.size());
      for (Index a = 0; a < answers; ++a) reach(after(code, unit, step, a));
    });
  }
  return codes;
}

bool StateCodes::for_heights(const std::vector<TestState>& states, std::size_t sets,
                             const std::function<bool()>& has_time, const Context& context,
                             const std::function<void(Code, std::size_t)>& task) const {
  const auto heights = reachable(states);
  std::size_t tasks = 0;
  for (const auto& height : heights) tasks += height.second.size() * sets;
  context.expect(static_cast<Index>(tasks));
  std::atomic<bool> in_time{true};
  for (const auto& height : heights) {
    for (std::size_t set = 0; set < sets; ++set) {
      context.run(static_cast<Index>(height.second.size()), [&](Index i) {
        if (!in_time || !has_time()) {
          in_time = false;
          return;
        }
        context.check();
        task(height.second[static_cast<std::size_t>(i)], set);
      });
      if (!in_time) return false;
    }
  }
  return true;
}

}  // namespace bayesrisk
