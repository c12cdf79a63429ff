#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/decide.hpp>

namespace bayesrisk {

// Whether another action of a case has the cost of its decision.
inline bool has_tie(const DecisionColumns& columns, Index r) {
  double largest = 0, ties = 0;
  for (const double* cost : columns.cost_of) {
    if (std::isfinite(cost[r])) largest = std::max(largest, std::abs(cost[r]));
  }
  for (const double* cost : columns.cost_of) {
    ties += cost[r] == columns.cost[r] || std::abs(cost[r] - columns.cost[r]) <= kTie * largest;
  }
  return ties > 1;
}

// Gives a case another action, from 1. The runner-up is then the action that it had, and the margin
// is minus the additional cost, which is returned.
inline double change_decision(const DecisionColumns& columns, Index r, int to) {
  int& decision = columns.decision[r];
  double added = columns.margin[r];
  if (to == columns.runner_up[r]) {
    std::swap(decision, columns.runner_up[r]);
  } else {
    const double now = columns.cost_of[decision - 1][r];
    added = std::isfinite(now) ? columns.cost_of[to - 1][r] - now : 0.0;
    columns.runner_up[r] = decision;
    decision = to;
  }
  columns.cost[r] = columns.cost_of[to - 1][r];
  columns.margin[r] = 0 - added;
  if (columns.tie) columns.tie[r] = has_tie(columns, r);
  return added;
}

// Decides for a class if its probability is at least a threshold, and otherwise for the most
// probable of the other classes.
class ThresholdRule {
 public:
  ThresholdRule(std::vector<const double*> probability, int of, double threshold)
      : probability_(std::move(probability)), of_(of), threshold_(threshold) {}

  // The class, from 0; -1 without a posterior.
  int decide(Index r) const {
    const double p = probability_[of_][r];
    if (std::isnan(p)) return -1;
    return p >= threshold_ ? of_ : other(r);
  }

  int other(Index r) const {
    int best = -1;
    for (int k = 0; k < static_cast<int>(probability_.size()); ++k) {
      if (k != of_ && (best < 0 || probability_[k][r] > probability_[best][r])) best = k;
    }
    return best;
  }

 private:
  std::vector<const double*> probability_;  // of each class
  int of_;
  double threshold_;
};

// The cheapest action of a case other than a referral (from 1), and its expected cost: what a rule
// that refers would decide.
struct Preference {
  int action = kMissingInteger;
  double cost = kNaN;
};

inline Preference prefer(const DecisionColumns& columns, Index r, int refer) {
  if (columns.decision[r] == kMissingInteger) return {};
  Preference best;
  double largest = 0;
  for (const double* cost : columns.cost_of) {
    if (std::isfinite(cost[r])) largest = std::max(largest, std::abs(cost[r]));
  }
  for (int a = 1; a <= static_cast<int>(columns.cost_of.size()); ++a) {
    const double cost = columns.cost_of[a - 1][r];
    if (a == refer) continue;
    if (best.action == kMissingInteger || cost < best.cost - kTie * largest) best = {a, cost};
  }
  return best;
}

}  // namespace bayesrisk
