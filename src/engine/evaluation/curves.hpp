#pragma once

#include <engine/core/context.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/decision/ranking.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// The cases of largest expected cost are rejected, all others are decided: a point for each share
// of decided cases.
struct CoveragePoint {
  double reject = 0;   // the largest expected cost that is still decided
  double decided = 0;  // weights of the cases
  double wrong = 0;    // of the decided cases that are wrong
  double cost = 0;     // the sum of their costs
};

// `expected`: the expected cost of each case; `loss`: its realised cost (NaN: the case does not
// count); `wrong`: whether its decision was wrong; `weight`: null if all are 1. Cases whose
// expected costs are equal, or differ only by rounding, are one step; at most `points` steps are
// kept.
inline std::vector<CoveragePoint> coverage_curve(const double* expected, const Vector& loss,
                                                 const std::vector<char>& wrong,
                                                 const double* weight, int points,
                                                 const Context& context) {
  std::vector<Index> order;
  for (std::size_t r = 0; r < loss.size(); ++r) {
    if (!std::isnan(loss[r]) && !std::isnan(expected[r])) order.push_back(r);
  }
  Index compared = 0;
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    if ((++compared & 0xffff) == 0) context.check();  // sorting may take seconds
    return expected[a] != expected[b] ? expected[a] < expected[b] : a < b;
  });
  std::vector<CoveragePoint> curve;
  CoveragePoint sum;
  double next = 0;        // the number of cases from which on a point is kept
  std::size_t first = 0;  // of a step
  const auto ends = [&](std::size_t i) {
    if (i + 1 == order.size()) return true;
    const double from = expected[order[first]], to = expected[order[i + 1]];
    const double tie = kTie * std::max(std::abs(from), std::abs(to));
    return from != to && (std::isinf(to) || to - from > tie);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double w = weight ? weight[order[i]] : 1.0;
    sum.reject = expected[order[i]];
    sum.wrong += wrong[order[i]] ? w : 0.0;
    sum.cost += w * loss[order[i]];
    sum.decided += w;
    if (!ends(i)) continue;
    first = i + 1;
    const double taken = static_cast<double>(i + 1);
    if (taken < next && i + 1 < order.size()) continue;
    curve.push_back(sum);
    next = taken + static_cast<double>(order.size()) / points;
  }
  return curve;
}

// The cost of decisions between two classes at other priors or costs. The product of a class is its
// prior times the cost of missing it. `weight` is the product of the second class divided by the
// sum of both products. Costs are divided by this sum (Drummond and Holte's normalised expected
// cost).
struct CostCurve {
  Vector weight;
  Vector cost;  // deciding by the posterior at that weight
  Vector best;  // deciding by the cut that was best in hindsight
};

// The net benefit of deciding for a class at a probability of `threshold` or more: true positives
// minus false positives times the odds of the threshold, per case.
struct BenefitCurve {
  Vector threshold, benefit, all;  // all: deciding for the class always
  Vector hits, alarms;             // the shares of the class, and of the others, that are decided
  Vector wider;                    // the factor of the standard error due to clusters
};

// The weights of the cases of each class that have a score up to 0, 1/steps, ..., 1.
class ScoreCounts {
 public:
  explicit ScoreCounts(int steps) : steps_(steps), first_(steps + 1, 0.0), second_(first_) {}

  void add(int truth, double score, double weight = 1) {
    require(!std::isnan(score), "a score that is no number");
    (truth == 1 ? first_ : second_)[step_of(score)] += weight;
  }
  // A score that differs from a step only by rounding counts as on the step.
  int step_of(double score) const {
    return std::clamp(static_cast<int>(std::ceil(score * steps_ * (1 - 1e-12))), 0, steps_);
  }
  void sum_up() {
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::partial_sum(second_.begin(), second_.end(), second_.begin());
  }
  double first(int at) const { return first_[at]; }
  double second(int at) const { return second_[at]; }
  double first() const { return first_.back(); }
  double second() const { return second_.back(); }

 private:
  int steps_;
  Vector first_, second_;
};

// A case and its log likelihood ratio, of the second class to the first.
struct ScoredCase {
  double log_ratio = 0;
  bool second = false;
  double weight = 1;
};

// The error rates of a cut in the likelihood ratio: the share of the second class that is assigned
// to the first, and the share of the first class that is assigned to the second.
struct CutRates {
  double missed = 1, alarms = 0;

  double cost(double weight) const { return weight * missed + (1 - weight) * alarms; }
};

// The cuts that are best at some weight: the lower convex hull of all cuts. The first cut assigns
// no case to the second class, the last cut assigns every case to it.
inline std::vector<CutRates> best_cuts(std::vector<ScoredCase> cases) {
  std::sort(cases.begin(), cases.end(),
            [](const ScoredCase& a, const ScoredCase& b) { return a.log_ratio > b.log_ratio; });
  double first = 0, second = 0, taken = 0, alarms = 0;
  for (const ScoredCase& c : cases) (c.second ? second : first) += c.weight;
  std::vector<CutRates> hull{CutRates{}};
  const auto above = [](const CutRates& a, const CutRates& b, const CutRates& c) {
    return (b.alarms - a.alarms) * (c.missed - a.missed) <=
           (c.alarms - a.alarms) * (b.missed - a.missed);
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    (cases[i].second ? taken : alarms) += cases[i].weight;
    if (i + 1 < cases.size() && cases[i + 1].log_ratio == cases[i].log_ratio) continue;
    const CutRates cut{1 - taken / second, alarms / first};
    while (hull.size() > 1 && above(hull[hull.size() - 2], hull.back(), cut)) hull.pop_back();
    hull.push_back(cut);
  }
  return hull;
}

// `called` counts cases by the least weight at which they are assigned to the second class.
inline CostCurve cost_curve(const ScoreCounts& called, std::vector<ScoredCase> cases, int steps) {
  CostCurve curve;
  const std::vector<CutRates> cuts = best_cuts(std::move(cases));
  for (int i = 0; i <= steps; ++i) {
    const double w = static_cast<double>(i) / steps;
    const CutRates own{1 - called.second(i) / called.second(), called.first(i) / called.first()};
    double best = own.cost(w);
    for (const CutRates& cut : cuts) best = std::min(best, cut.cost(w));
    curve.weight.push_back(w);
    curve.cost.push_back(own.cost(w));
    curve.best.push_back(best);
  }
  return curve;
}

// `called` counts cases by the probability of the other classes, which are its first class.
inline BenefitCurve benefit_curve(const ScoreCounts& called, int steps) {
  BenefitCurve curve;
  const double cases = called.first() + called.second();
  for (int i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) / steps, odds = t / (1 - t);
    const int at = steps - i;
    curve.threshold.push_back(t);
    curve.benefit.push_back((called.second(at) - odds * called.first(at)) / cases);
    curve.all.push_back((called.second() - odds * called.first()) / cases);
    curve.hits.push_back(called.second(at) / called.second());
    curve.alarms.push_back(called.first(at) / called.first());
    curve.wider.push_back(1);
  }
  return curve;
}

}  // namespace bayesrisk
