#pragma once

#include <engine/decision/expected_cost.hpp>

namespace bayesrisk {

// The decision of predict() about one row, from its log joint. A row that is impossible under every
// class gets the first action.
class RowRule {
 public:
  explicit RowRule(const Cost& cost) : expected_rule_(cost), class_rule_(cost.is_zero_one()) {}

  // The action, from 0.
  int decide(const Eigen::VectorXd& log_joint);

 private:
  ExpectedCost expected_rule_;
  bool class_rule_;
  Eigen::VectorXd posterior_, expected_;
};

}  // namespace bayesrisk
