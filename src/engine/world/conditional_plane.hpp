#pragma once

#include <engine/world/conditional.hpp>

namespace bayesrisk {

// Two numeric features given the known values of a row in which both are missing; see
// conditional_marginal().
inline Plane conditional_plane(const View& view, const Frame& frame, Index row, int first,
                               int second, const Eigen::Vector2d& origin) {
  const Place at = place_of(view.plan, view.feature[static_cast<std::size_t>(first)]);
  const Place beside = place_of(view.plan, view.feature[static_cast<std::size_t>(second)]);
  const auto* plan = std::get_if<MultivariateGaussian::Plan>(&view.plan.banks[at.bank]);
  if (!plan || at.bank != beside.bank) {
    const auto line = [&](int feature, double from) {
      return std::get<Normals>(conditional_marginal(view, frame, row, feature, from));
    };
    return plane_of_normals(line(first, origin[0]), line(second, origin[1]));
  }
  const auto& parameters = std::get<MultivariateGaussian::Parameters>(view.parameters[at.bank]);
  const KnownMembers known(*plan, frame, row, at.member);
  Plane plane = plane_of(view, first, second, origin);
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    const Conditional given(parameters, static_cast<int>(k), {at.member, beside.member}, known,
                            origin);
    plane.classes[k] = {{0, given.mean, given.factor}};
  }
  return plane;
}

}  // namespace bayesrisk
