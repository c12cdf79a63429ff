#pragma once

#include <bayesrisk/core/types.hpp>

namespace bayesrisk {

// weight * N(mean, sd^2).
struct NormalTerm {
  double log_weight, mean, sd;
};

// One numeric feature as each class has it: a sum of normals whose weights sum to 1.
struct Line {
  std::vector<std::vector<NormalTerm>> classes;
};

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

// What is decided along one feature: decision[i], from 0, between cut[i - 1] and
// cut[i]. A cut is exact when it is a root in closed form.
struct Regions {
  Vector cut;
  IntVector decision;
  std::vector<char> exact;  // per cut
};

}  // namespace bayesrisk
