#pragma once

#include <engine/core/context.hpp>
#include <engine/risk/method.hpp>
#include <engine/risk/plane_risk.hpp>

namespace bayesrisk {

// A world of categorical features and two numeric ones.
struct PlaneWorld {
  View view;
  Combinations combinations;
  int first, second;
  Eigen::Vector2d origin;  // of the coordinates of the numeric features

  Plane plane_of(const View& model) const {
    return bayesrisk::plane_of(model, first, second, origin);
  }
};

// Quadrature in each combination of a world. Each combination gets a share of the tolerance.
// Combinations are added in their order: the result does not depend on the threads.
class PlaneMethod : public RiskMethod {
 public:
  static constexpr int kMostEvaluations = 200000;

  PlaneMethod(const PlaneWorld& world, const View& rule, const Cost& cost, double tolerance,
              const Context& context)
      : world_(world), rule_(rule), cost_(cost), tolerance_(tolerance), context_(context) {}

  RiskTable risk(const Vector& world, const Vector& rule) const override;

 private:
  PlaneWorld world_;
  View rule_;
  const Cost& cost_;
  double tolerance_;
  const Context& context_;
};

}  // namespace bayesrisk
