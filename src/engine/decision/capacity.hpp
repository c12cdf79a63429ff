#pragma once

#include <engine/core/context.hpp>
#include <engine/decision/decide.hpp>

#include <algorithm>
#include <limits>

namespace bayesrisk {

// The effect of a limit on the number of cases with one action.
struct CapacityReport {
  double wanted = 0;  // cases that had the action
  double cost = 0;    // the additional expected cost of all cases together
  double next = 0;    // the saving by one more case with the action
};

// The `most` cases with the largest margin keep an action (from 1). Among equal margins, the first
// cases keep it. All other cases with this action take their runner-up. Their new runner-up is the
// limited action, and their margin is minus the additional cost.
inline CapacityReport limit_action(const DecisionColumns& columns, Index rows, int action,
                                   Index most, const Context& context) {
  std::vector<std::pair<double, Index>> gains;
  for (Index r = 0; r < rows; ++r) {
    if (columns.decision[r] == action) gains.emplace_back(-columns.margin[r], r);
  }
  CapacityReport report;
  report.wanted = static_cast<double>(gains.size());
  context.check();
  std::sort(gains.begin(), gains.end());
  for (std::size_t i = static_cast<std::size_t>(most); i < gains.size(); ++i) {
    const Index r = gains[i].second;
    if (i == static_cast<std::size_t>(most)) report.next = columns.margin[r];
    report.cost += columns.margin[r];
    std::swap(columns.decision[r], columns.runner_up[r]);
    columns.cost[r] = columns.cost_of[columns.decision[r] - 1][r];
    columns.margin[r] = 0 - columns.margin[r];
  }
  return report;
}

}  // namespace bayesrisk
