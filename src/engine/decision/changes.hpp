#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/decide.hpp>

namespace bayesrisk {

// The costs of a case that differ by no more are tied.
inline double tie_band(const DecisionColumns& columns, Index r) {
  double largest = 0;
  for (const double* cost : columns.cost_of) {
    if (std::isfinite(cost[r])) largest = std::max(largest, std::abs(cost[r]));
  }
  return kTie * largest;
}

// Whether another action of a case has the cost of its decision.
inline bool has_tie(const DecisionColumns& columns, Index r) {
  const double band = tie_band(columns, r);
  int ties = 0;
  for (const double* cost : columns.cost_of) {
    ties += cost[r] == columns.cost[r] || std::abs(cost[r] - columns.cost[r]) <= band;
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
  const int actions = static_cast<int>(columns.cost_of.size());
  double least = kInfinity;
  for (int a = 1; a <= actions; ++a) {
    if (a != refer) least = std::min(least, columns.cost_of[a - 1][r]);
  }
  const double limit = least + tie_band(columns, r);
  for (int a = 1; a <= actions; ++a) {
    const double cost = columns.cost_of[a - 1][r];
    if (a != refer && cost <= limit) return {a, cost};
  }
  return {};
}

}  // namespace bayesrisk
