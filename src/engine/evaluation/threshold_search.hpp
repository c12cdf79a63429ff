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
};

struct ThresholdChoice {
  double threshold =
      kNaN;  // NaN: none reaches the goal; infinite: no case is assigned to the class
  ThresholdCounts counts;
};

// The threshold of a probability that is best for a goal: at or above it a case is assigned to the
// class. Candidates are the probabilities of the cases; of equally good ones the largest is taken.
inline ThresholdChoice find_threshold(std::vector<ThresholdCase> cases, const ThresholdGoal& goal,
                                      const Context& context) {
  context.check();
  std::sort(cases.begin(), cases.end(),
            [](const ThresholdCase& a, const ThresholdCase& b) { return a.p > b.p; });
  ThresholdCounts counts;
  double in = 0, out = 0;  // costs on both sides; no sum is subtracted from
  Vector out_below(cases.size() + 1, 0.0);
  for (std::size_t i = cases.size(); i-- > 0;) {
    (cases[i].own ? counts.own : counts.others) += 1;
    out += cases[i].cost_out;
    out_below[i] = out;
  }
  ThresholdChoice best;
  double most = kNegativeInfinity;
  const auto consider = [&](double threshold, std::size_t taken) {
    counts.cost = in + out_below[taken];
    for (const auto& [metric, least] : goal.at_least) {
      if (!(value_of(metric, counts, goal.beta) >= least)) return;
    }
    const double value = value_of(goal.metric, counts, goal.beta);
    const double rounding = std::isfinite(most) ? 1e-12 * std::abs(most) : 0;
    if (std::isnan(value) || (!std::isnan(best.threshold) && !(value > most + rounding))) return;
    best = {threshold, counts};
    most = value;
  };
  consider(kInfinity, 0);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    (cases[i].own ? counts.hits : counts.alarms) += 1;
    in += cases[i].cost_in;
    if (i + 1 == cases.size() || cases[i + 1].p != cases[i].p) consider(cases[i].p, i + 1);
  }
  return best;
}

}  // namespace bayesrisk
