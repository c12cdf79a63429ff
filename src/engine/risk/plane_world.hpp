#pragma once

#include <engine/core/context.hpp>
#include <engine/risk/plane_risk.hpp>
#include <engine/world/combinations.hpp>

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

// The risk of a model as a rule, over all combinations of a world. Each combination gets a share of
// the tolerance. Combinations are added in their order: the result does not depend on the threads.
PlaneRisk plane_risk(const PlaneWorld& world, const View& rule, const Cost& cost, double tolerance,
                     int most_evaluations, const Context& context);

}  // namespace bayesrisk
