#pragma once

#include <engine/core/context.hpp>
#include <engine/evaluation/losses.hpp>

#include <algorithm>

namespace bayesrisk {

// One class against the others: the cases that a threshold assigns to it, and the cost of all.
struct ThresholdCounts {
  double hits = 0, alarms = 0;  // cases of the class, and others
  double own = 0, others = 0;   // all of them
  double cost = 0;

  void add(const ThresholdCounts& other) {
    hits += other.hits;
    alarms += other.alarms;
    own += other.own;
    others += other.others;
    cost += other.cost;
  }
  double sensitivity() const { return hits / own; }
  double specificity() const { return 1 - alarms / others; }
  double precision() const { return hits / (hits + alarms); }
  double f(double beta) const {
    const double square = beta * beta;
    return (1 + square) * hits / (hits + alarms + square * own);
  }
  double balanced() const { return (sensitivity() + specificity()) / 2; }
  // 0 if all cases are assigned alike.
  double mcc() const {
    const double missed = own - hits, right = others - alarms;
    const double scale =
        std::sqrt(hits + alarms) * std::sqrt(missed + right) * std::sqrt(own) * std::sqrt(others);
    return scale > 0 ? (hits * right - alarms * missed) / scale : 0;
  }
};

// Larger is better; a cost counts negative. NaN: undefined.
enum class ThresholdMetric {
  cost,
  f1,
  fbeta,
  balanced_accuracy,
  mcc,
  sensitivity,
  specificity,
  precision
};

inline double value_of(ThresholdMetric metric, const ThresholdCounts& counts, double beta) {
  switch (metric) {
    case ThresholdMetric::cost: return -counts.cost / (counts.own + counts.others);
    case ThresholdMetric::f1: return counts.f(1);
    case ThresholdMetric::fbeta: return counts.f(beta);
    case ThresholdMetric::balanced_accuracy: return counts.balanced();
    case ThresholdMetric::mcc: return counts.mcc();
    case ThresholdMetric::sensitivity: return counts.sensitivity();
    case ThresholdMetric::specificity: return counts.specificity();
    case ThresholdMetric::precision: return counts.precision();
  }
  throw InvalidState("no such metric");
}

struct ThresholdGoal {
  ThresholdMetric metric;
  double beta = 1;
  std::vector<std::pair<ThresholdMetric, double>> at_least{};
};

// A case with a truth: what it costs if it is assigned to the class, and if it is not.
struct ThresholdCase {
  double p;
  bool own;
  double cost_in, cost_out;
  double weight = 1;
};

struct ThresholdChoice {
  double threshold =
      kNaN;  // NaN: none reaches the goal; infinite: no case is assigned to the class
  ThresholdCounts counts;
};

// Visits the thresholds of a probability, at or above which a case is assigned to the class: from
// infinity down to the smallest probability of the cases, each with its counts.
template <class Visit>
void visit_thresholds(std::vector<ThresholdCase> cases, const Visit& visit) {
  std::sort(cases.begin(), cases.end(),
            [](const ThresholdCase& a, const ThresholdCase& b) { return a.p > b.p; });
  ThresholdCounts counts;
  // Added in the order of the hits, so that all hits are all cases of the class, to the last bit.
  for (const ThresholdCase& c : cases) (c.own ? counts.own : counts.others) += c.weight;
  double in = 0, out = 0;  // costs on both sides; no sum is subtracted from
  Vector out_below(cases.size() + 1, 0.0);
  for (std::size_t i = cases.size(); i-- > 0;) {
    out += cases[i].weight * cases[i].cost_out;
    out_below[i] = out;
  }
  counts.cost = out;
  visit(kInfinity, counts);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    (cases[i].own ? counts.hits : counts.alarms) += cases[i].weight;
    in += cases[i].weight * cases[i].cost_in;
    if (i + 1 < cases.size() && cases[i + 1].p == cases[i].p) continue;
    counts.cost = in + out_below[i + 1];
    visit(cases[i].p, counts);
  }
}

// The threshold that is best for a goal; of equally good ones the largest.
inline ThresholdChoice find_threshold(std::vector<ThresholdCase> cases, const ThresholdGoal& goal,
                                      const Context& context) {
  context.check();
  ThresholdChoice best;
  double most = kNegativeInfinity;
  visit_thresholds(std::move(cases), [&](double threshold, const ThresholdCounts& counts) {
    for (const auto& [metric, least] : goal.at_least) {
      if (!(value_of(metric, counts, goal.beta) >= least)) return;
    }
    const double value = value_of(goal.metric, counts, goal.beta);
    const double rounding = std::isfinite(most) ? 1e-12 * std::abs(most) : 0;
    if (std::isnan(value) || (!std::isnan(best.threshold) && !(value > most + rounding))) return;
    best = {threshold, counts};
    most = value;
  });
  return best;
}

// A group of cases: its counts at the threshold of all cases, and its own threshold. This is NaN
// for a group without a case of the class.
struct GroupThreshold {
  ThresholdCounts common;
  ThresholdChoice own;
};

struct EqualSensitivity {
  ThresholdChoice common;  // of least cost
  double sensitivity = kNaN;
  std::vector<GroupThreshold> groups;
  ThresholdCounts
      equal;  // of all cases; those without a threshold of their own keep the common one
};

// The largest thresholds that give each group of cases a sensitivity, NaN: that of the threshold of
// least cost of all cases. `group`: from 1; of a case without one 0.
inline EqualSensitivity equalise_sensitivity(const std::vector<ThresholdCase>& cases,
                                             const IntVector& group, int groups, double sensitivity,
                                             const Context& context) {
  EqualSensitivity found;
  found.common = find_threshold(cases, {ThresholdMetric::cost}, context);
  found.sensitivity = std::isnan(sensitivity) ? found.common.counts.sensitivity() : sensitivity;
  // Two sums of weights may have the same share but for rounding.
  const double least = found.sensitivity * (1 - 1e-12);
  std::vector<std::vector<ThresholdCase>> members(groups + 1);
  for (std::size_t i = 0; i < cases.size(); ++i) members[group[i]].push_back(cases[i]);
  for (int g = 0; g <= groups; ++g) {
    context.check();
    GroupThreshold result;
    visit_thresholds(std::move(members[g]), [&](double threshold, const ThresholdCounts& counts) {
      if (threshold >= found.common.threshold) result.common = counts;
      const bool first = g > 0 && std::isnan(result.own.threshold);
      if (first && counts.sensitivity() >= least) result.own = {threshold, counts};
    });
    found.equal.add(std::isnan(result.own.threshold) ? result.common : result.own.counts);
    if (g > 0) found.groups.push_back(result);
  }
  return found;
}

}  // namespace bayesrisk
