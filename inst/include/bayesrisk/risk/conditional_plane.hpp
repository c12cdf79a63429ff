#pragma once

#include <bayesrisk/risk/conditional.hpp>

namespace bayesrisk {

// Two members of a block given the known ones, in class k: with the known columns
// first, the last two of their triangle hold the regression and what is left.
inline PlaneTerm conditional_term(const MultivariateGaussian::Parameters& p, int k,
                                  const std::array<int, 2>& members, const KnownMembers& known,
                                  const Eigen::Vector2d& origin) {
  const Matrix& u = p.factor_of(k);
  const auto m = static_cast<Index>(known.member.size());
  Matrix columns(u.rows(), m + 2);
  Eigen::VectorXd z(m);
  for (Index i = 0; i < m; ++i) {
    const int j = known.member[static_cast<std::size_t>(i)];
    columns.col(i) = u.col(j);
    z[i] = (known.value[static_cast<std::size_t>(i)] - p.mean(k, j)) - p.mean_low(k, j);
  }
  Eigen::Vector2d mean;
  for (int i : {0, 1}) {
    columns.col(m + i) = u.col(members[i]);
    mean[i] = (p.mean(k, members[i]) - origin[i]) + p.mean_low(k, members[i]);
  }
  const Matrix r = triangle_of_rows(columns);
  r.topLeftCorner(m, m).transpose().triangularView<Eigen::Lower>().solveInPlace(z);
  return {0, mean + r.topRightCorner(m, 2).transpose() * z, r.bottomRightCorner(2, 2)};
}

// Two numeric features given what is known of a row in which both are missing; see
// conditional_line().
inline Plane conditional_plane(const View& view, const Frame& frame, Index row, int first,
                               int second, const Eigen::Vector2d& origin) {
  const Place at = place_of(view.plan, view.feature[static_cast<std::size_t>(first)]);
  const Place beside = place_of(view.plan, view.feature[static_cast<std::size_t>(second)]);
  const auto* plan = std::get_if<MultivariateGaussian::Plan>(&view.plan.banks[at.bank]);
  if (!plan || at.bank != beside.bank) {
    return plane_of_lines(conditional_line(view, frame, row, first, origin[0]),
                          conditional_line(view, frame, row, second, origin[1]));
  }
  const auto& parameters = std::get<MultivariateGaussian::Parameters>(view.parameters[at.bank]);
  const KnownMembers known(*plan, frame, row, at.member);
  Plane plane = plane_of(view, first, second, origin);
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    plane.classes[k] = {conditional_term(parameters, static_cast<int>(k),
                                         {at.member, beside.member}, known, origin)};
  }
  return plane;
}

}  // namespace bayesrisk
