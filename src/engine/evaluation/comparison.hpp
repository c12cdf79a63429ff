#pragma once

#include <engine/evaluation/decision_draws.hpp>

namespace bayesrisk {

// The cost of the decisions of one candidate, in total and by fold.
struct CandidateRisk {
  MeanError error;                             // the share of wrong decisions
  MeanError cost;                              // of the cases that have a decision
  MeanError difference;                        // case by case against the first candidate
  Vector fold_decided, fold_wrong, fold_cost;  // weights, and sums of costs
  Vector fold_unpriced;                        // weights of cases of unknown cost
  Vector fold_undecided;                       // weights of other cases without a decision
};

// Equal costs have the difference 0, even if both are infinite.
inline Vector loss_difference(const Vector& loss, const Vector& first) {
  Vector difference(loss.size());
  for (std::size_t r = 0; r < loss.size(); ++r) {
    difference[r] = loss[r] == first[r] ? 0.0 : loss[r] - first[r];
  }
  return difference;
}

// Compares candidates on the same cases, pair by pair with the first one.
class Comparison {
 public:
  // fold: from 1, or missing; class_of: the class each action decides for, from 1, or 0.
  Comparison(const Cases& cases, const CostTable& cost, IntVector class_of, const int* fold,
             int folds)
      : cases_(cases),
        cost_(cost),
        class_of_(std::move(class_of)),
        fold_(fold),
        fold_weight_(folds, 0.0) {
    for (Index r = 0; r < cases_.rows; ++r) {
      if (fold_[r] != kMissingInteger) fold_weight_[fold_[r] - 1] += cases_.weight_of(r);
    }
  }

  // Per fold, the weight of all its cases, decided or not.
  const Vector& fold_weight() const { return fold_weight_; }

  CandidateRisk add(const int* decision) {
    Vector loss = realised_losses(cases_, cost_, decision);
    const Vector wrong = wrong_decisions(cases_, class_of_, decision, loss);
    CandidateRisk risk = by_fold(loss, wrong);
    risk.error = mean_and_error(cases_, wrong);
    risk.cost = mean_and_error(cases_, loss);
    if (first_.empty()) {
      first_ = std::move(loss);
      if (risk.cost.weight > 0) risk.difference = {risk.cost.weight, 0.0, 0.0};
      return risk;
    }
    risk.difference = mean_and_error(cases_, loss_difference(loss, first_));
    return risk;
  }

 private:
  CandidateRisk by_fold(const Vector& loss, const Vector& wrong) const {
    CandidateRisk risk;
    risk.fold_decided.assign(fold_weight_.size(), 0.0);
    risk.fold_wrong = risk.fold_cost = risk.fold_decided;
    risk.fold_unpriced = risk.fold_undecided = risk.fold_decided;
    for (Index r = 0; r < cases_.rows; ++r) {
      if (fold_[r] == kMissingInteger) continue;
      const int f = fold_[r] - 1;
      const double weight = cases_.weight_of(r);
      if (std::isnan(loss[r])) {
        (cost_.has_gap(r) ? risk.fold_unpriced : risk.fold_undecided)[f] += weight;
        continue;
      }
      risk.fold_decided[f] += weight;
      risk.fold_wrong[f] += weight * wrong[r];
      risk.fold_cost[f] += weight * loss[r];
    }
    return risk;
  }

  const Cases& cases_;
  const CostTable& cost_;
  IntVector class_of_;
  const int* fold_;
  Vector fold_weight_, first_;
};

// The mean cost of other decisions minus that of the first ones, on the same cases.
struct PairedDifference {
  double mean = kNaN;
  Range interval;
  double better = 0, worse = 0;  // cases that cost less, and more
  double p_value = kNaN;         // twice the smaller share of draws on one side of 0
};

// Pairs of decisions are drawn as one. `stretch`: how much further the draws lie from the mean, up
// to the greatest difference of two costs.
class PairedComparison {
 public:
  PairedComparison(const Cases& cases, const CostTable& cost, const int* first, const int* other)
      : cases_(cases),
        imagined_(cases, cost),
        most_(possible_costs(cases, cost).spread),
        first_(realised_losses(cases, cost, first)),
        loss_(loss_difference(realised_losses(cases, cost, other), first_)) {
    table_.classes = cost.classes();
    table_.columns = cost.actions() * cost.actions();
    for (Index r = 0; r < cases.rows; ++r) {
      const bool counts = cases.truth[r] != kMissingInteger && !std::isnan(loss_[r]);
      table_.cell.push_back(counts ? (first[r] - 1) * cost.actions() + other[r] - 1
                                   : kMissingInteger);
    }
    table_.cost = loss_;
    table_.stake = imagined_.stakes();
    table_.imagine = [this, &cost](int truth, CounterRandom& random) -> ImaginedCase {
      const int a = imagined_.action(truth, random), b = imagined_.action(truth, random);
      if (a < 0) return {};
      return {a * cost.actions() + b, imagined_.of(b, truth) - imagined_.of(a, truth)};
    };
  }

  PairedDifference run(const IntervalPlan& plan, double stretch, const Context& context) const {
    PairedDifference found;
    found.mean = mean_and_error(cases_, loss_).mean;
    for (double loss : loss_) {
      found.better += loss < 0;
      found.worse += loss > 0;
    }
    if (plan.by == Resampling::none) return found;
    Vector draws = TableDrawer(cases_, table_, plan).run({}, context).cost;
    double below = 0, above = 0;
    for (double& draw : draws) {
      if (draw != found.mean) {
        draw = std::clamp(found.mean + stretch * (draw - found.mean), -most_, most_);
      }
      below += draw <= 0;
      above += draw >= 0;
    }
    found.interval = range_of(draws, plan, found.mean);
    found.p_value = std::min(1.0, 2 * std::min(below, above) / static_cast<double>(draws.size()));
    return found;
  }

 private:
  const Cases& cases_;
  const ImaginedCosts imagined_;
  const double most_;
  Vector first_, loss_;
  TableCases table_;
};

}  // namespace bayesrisk
