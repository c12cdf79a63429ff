#pragma once

#include <engine/decision/expected_cost.hpp>

namespace bayesrisk {

// The decision of predict() about one row, from its log joint. A row that is impossible under every
// class gets the first action.
class RowRule {
 public:
  explicit RowRule(const Cost& cost) : expected_rule_(cost), class_rule_(cost.is_zero_one()) {}

  // The action, from 0.
  int decide(const Eigen::VectorXd& log_joint) {
    const double largest = log_joint.maxCoeff();
    if (largest == kNegativeInfinity) return 0;
    if (class_rule_) {
      int best = 0;
      while (log_joint[best] < largest - kTie * std::max(1.0, std::abs(largest))) ++best;
      return best;
    }
    posterior_of(log_joint, posterior_);
    expected_rule_.evaluate(posterior_, log_joint, expected_);
    return expected_rule_.choose(posterior_, expected_);
  }

 private:
  ExpectedCost expected_rule_;
  bool class_rule_;
  Eigen::VectorXd posterior_, expected_;
};

}  // namespace bayesrisk
