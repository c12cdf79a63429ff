#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// weight * a normal of two features; factor is upper, factor'factor the covariance.
struct PlaneTerm {
  double log_weight;
  Eigen::Vector2d mean;
  Eigen::Matrix2d factor;
};

// Two numeric features as each class has them.
struct Plane {
  std::vector<std::vector<PlaneTerm>> classes;
};

}  // namespace bayesrisk
