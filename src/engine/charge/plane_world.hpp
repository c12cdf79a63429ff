#pragma once

#include <engine/charge/plane_risk.hpp>
#include <engine/core/context.hpp>
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
inline PlaneRisk plane_risk(const PlaneWorld& world, const View& rule, const Cost& cost,
                            double tolerance, int most_evaluations, const Context& context) {
  const Plane plane = world.plane_of(world.view), decider = world.plane_of(rule);
  const auto count = static_cast<Index>(world.combinations.count());
  const Matrix log_joint = CombinationScorer(world.view, world.combinations).log_joint(0, count);
  const Matrix believed = CombinationScorer(rule, world.combinations).log_joint(0, count);
  const auto column = [](const Matrix& m, Index i) {
    return Vector(m.col(i).data(), m.col(i).data() + m.rows());
  };
  // A tolerance below the rounding error cannot be reached.
  const double attainable = std::max(tolerance, 1e-15);
  std::vector<PlaneRisk> parts(static_cast<std::size_t>(count));
  context.run(count, [&](Index i) {
    PlaneRule decides(decider, column(believed, i), cost);
    const double share = log_joint.col(i).array().exp().sum();
    parts[static_cast<std::size_t>(i)] =
        plane_risk(plane, column(log_joint, i), decides, share * attainable, most_evaluations);
  });
  PlaneRisk total = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    total.table += parts[i].table;
    total.error += parts[i].error;
    total.evaluations += parts[i].evaluations;
  }
  return total;
}

}  // namespace bayesrisk
