#pragma once

#include <engine/evaluation/losses.hpp>

namespace bayesrisk {

// The cost of the decisions of one candidate, in total and by fold.
struct CandidateRisk {
  MeanError cost;                              // of the cases that have a decision
  MeanError difference;                        // case by case against the first candidate
  Vector fold_decided, fold_wrong, fold_cost;  // weights, and sums of costs
  Vector fold_unpriced;                        // weights of cases of unknown cost
  Vector fold_undecided;                       // weights of other cases without a decision
};

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
    CandidateRisk risk = by_fold(decision, loss);
    risk.cost = mean_and_error(cases_, loss);
    if (first_.empty()) {
      first_ = std::move(loss);
      if (risk.cost.weight > 0) risk.difference = {risk.cost.weight, 0.0, 0.0};
      return risk;
    }
    // Equal costs have the difference 0, even if both are infinite.
    for (Index r = 0; r < cases_.rows; ++r) {
      loss[r] = loss[r] == first_[r] ? 0.0 : loss[r] - first_[r];
    }
    risk.difference = mean_and_error(cases_, loss);
    return risk;
  }

 private:
  CandidateRisk by_fold(const int* decision, const Vector& loss) const {
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
      const bool wrong = is_wrong(class_of_, decision[r] - 1, cases_.truth[r]);
      risk.fold_decided[f] += weight;
      risk.fold_wrong[f] += wrong ? weight : 0.0;
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

}  // namespace bayesrisk
