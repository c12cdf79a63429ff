#pragma once

#include <bayesrisk/decision/expected_cost.hpp>

namespace bayesrisk {

// What predict() decides about one row, from its log joint. A row that is impossible
// under every class gets the first action.
class RowRule {
 public:
  explicit RowRule(const Cost& cost) : expected_rule_(cost), class_rule_(cost.is_zero_one()) {}

  // The action, from 0. `posterior` is set too, to NaN for an impossible row.
  int decide(const Eigen::VectorXd& log_joint, Eigen::VectorXd& posterior) {
    const double largest = log_joint.maxCoeff();
    posterior = (log_joint.array() - largest).exp();
    posterior /= posterior.sum();
    if (largest == kNegativeInfinity) return 0;
    if (class_rule_) {
      int best = 0;
      while (log_joint[best] < largest - kTie * std::max(1.0, std::abs(largest))) ++best;
      return best;
    }
    expected_rule_.evaluate(posterior, log_joint, expected_);
    return expected_rule_.choose(posterior, expected_);
  }

 private:
  ExpectedCost expected_rule_;
  bool class_rule_;
  Eigen::VectorXd expected_;
};

}  // namespace bayesrisk
