#pragma once

#include <engine/evaluation/curves.hpp>
#include <engine/evaluation/decision_draws.hpp>

namespace bayesrisk {

// The cost of decisions on cases with known truth. Cases without a truth, a decision, or the costs
// of all actions under that truth do not count, nor do cases of weight 0. The other cases are
// summarised by:
struct Assessment {
  IntVector truth;       // of every case, from 1; missing where it does not count
  Matrix count, cost;    // truth x action: weights of the cases, and the sum of their costs
  Vector wrong;          // per truth: weights of the cases decided for another class
  double unknown = 0;    // cases without a truth
  double undecided = 0;  // with a truth but without a decision
  double unpriced = 0;   // with both, but without a cost of each action
  double realised = kNaN, standard_error = kNaN;  // mean cost
  double best = kNaN;      // mean cost of the best possible action of each case
  double believed = kNaN;  // mean expected cost
  Range interval;          // of the realised mean
  CostLimits limits;       // of a case
  double clusters = 0;     // that count; 0: cases are independent
  std::vector<CoveragePoint> coverage;
};

class Assessor {
 public:
  static constexpr int kCoveragePoints = 500;

  // `decision`: from 1; `expected`: the expected cost of the decision, or null; `class_of`: the
  // class that each action decides for, from 1; 0: none.
  Assessor(const Cases& cases, const CostTable& cost, const int* decision, const double* expected,
           const IntVector& class_of)
      : cases_(cases), cost_(cost), decision_(decision), expected_(expected), class_of_(class_of) {}

  Assessment run(const IntervalPlan& plan, const Context& context) {
    loss_ = realised_losses(cases_, cost_, decision_);
    count();
    cases_.truth = result_.truth.data();
    const MeanError realised = mean_and_error(cases_, loss_);
    result_.realised = realised.mean;
    result_.standard_error = realised.standard_error;
    result_.believed = mean_of([&](Index r) { return expected_ ? expected_[r] : kNaN; });
    result_.best = mean_of([&](Index r) { return cost_.least(cases_.truth[r] - 1, r); });
    if (expected_)
      result_.coverage =
          coverage_curve(expected_, loss_, wrong_, cases_.weight, kCoveragePoints, context);
    if (plan.by != Resampling::none) {
      const TableDraws drawn =
          draw_decisions(cases_, cost_, decision_, ImaginedCosts(cases_, cost_), plan, {}, context);
      result_.interval = range_of(drawn.cost, plan, result_.realised);
    }
    result_.limits = possible_costs(cases_, cost_);
    count_clusters();
    return std::move(result_);
  }

 private:
  void count() {
    result_.count = result_.cost = Matrix::Zero(cost_.classes(), cost_.actions());
    result_.wrong.assign(cost_.classes(), 0.0);
    result_.truth.assign(cases_.truth, cases_.truth + cases_.rows);
    wrong_.assign(static_cast<std::size_t>(cases_.rows), 0);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (cases_.weight_of(r) == 0 || find_gap(r)) {
        result_.truth[r] = kMissingInteger;
        loss_[r] = kNaN;
        continue;
      }
      const int a = decision_[r] - 1, truth = cases_.truth[r] - 1;
      const double weight = cases_.weight_of(r);
      result_.count(truth, a) += weight;
      result_.cost(truth, a) += weight * loss_[r];
      wrong_[r] = is_wrong(class_of_, a, cases_.truth[r]);
      result_.wrong[truth] += wrong_[r] ? weight : 0.0;
    }
  }

  void count_clusters() {
    if (!cases_.cluster) return;
    ClusterSums sums(cases_);
    for (Index r = 0; r < cases_.rows; ++r) {
      if (cases_.truth[r] != kMissingInteger) sums.add(r, 0);
    }
    result_.clusters = sums.clusters();
  }

  // Whether a case does not count. Increases the counter of the reason.
  bool find_gap(Index r) {
    double* gap = nullptr;
    if (cases_.truth[r] == kMissingInteger) {
      gap = &result_.unknown;
    } else if (decision_[r] == kMissingInteger) {
      gap = &result_.undecided;
    } else if (std::isnan(cost_.least(cases_.truth[r] - 1, r))) {
      gap = &result_.unpriced;
    }
    if (gap) ++*gap;
    return gap != nullptr;
  }

  // The mean over the cases that count.
  template <class Value>
  double mean_of(Value value) const {
    double sum = 0, cases = 0;
    for (Index r = 0; r < cases_.rows; ++r) {
      if (std::isnan(loss_[r])) continue;
      sum += cases_.weight_of(r) * value(r);
      cases += cases_.weight_of(r);
    }
    return cases > 0 ? sum / cases : kNaN;
  }

  Cases cases_;
  const CostTable& cost_;
  const int* decision_;
  const double* expected_;
  const IntVector& class_of_;
  Vector loss_;
  std::vector<char> wrong_;
  Assessment result_;
};

}  // namespace bayesrisk
