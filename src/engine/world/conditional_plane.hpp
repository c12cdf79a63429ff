#pragma once

#include <engine/world/conditional.hpp>

namespace bayesrisk {

// Two numeric features given the known values of a row in which both are missing; see
// conditional_marginal().
inline Plane conditional_plane(const View& view, const Frame& frame, Index row, int first,
                               int second, const Eigen::Vector2d& origin) {
  const Place at = place_of(view.plan, view.feature[static_cast<std::size_t>(first)]);
  const Place beside = place_of(view.plan, view.feature[static_cast<std::size_t>(second)]);
  const NormalView block = view.plan.banks[at.bank]->normals(view.parameters[at.bank]);
  if (!block.is_block() || at.bank != beside.bank) {
    const auto line = [&](int feature, double from) {
      return std::get<Normals>(conditional_marginal(view, frame, row, feature, from));
    };
    return plane_of_normals(line(first, origin[0]), line(second, origin[1]));
  }
  const KnownMembers known(*block.features, frame, row, at.member);
  Plane plane = plane_of(view, first, second, origin);
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    plane.classes[k].clear();
    for (const ConditionalTerm& term :
         conditional_terms(block, static_cast<int>(k), {at.member, beside.member}, known, origin)) {
      plane.classes[k].push_back({term.log_weight, term.given.mean, term.given.factor});
    }
    if (view.tempering) raise(plane.classes[k], power_at(view, at));
  }
  return plane;
}

}  // namespace bayesrisk
