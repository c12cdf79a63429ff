#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// A weighted normal of two features. `factor` is an upper triangle; factor'factor is the
// covariance.
struct PlaneTerm {
  double log_weight;
  Eigen::Vector2d mean;
  Eigen::Matrix2d factor;
};

// The density of two numeric features in each class.
struct Plane {
  std::vector<std::vector<PlaneTerm>> classes;
};

}  // namespace bayesrisk
