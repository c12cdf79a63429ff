#pragma once

#include <engine/decision/cost.hpp>
#include <engine/regions/conic.hpp>

#include <optional>

namespace bayesrisk {

// The points at which two actions, first < second, have the same expected cost.
struct ActionPair {
  enum class Contest {
    settled,  // none: one action is cheaper everywhere
    tied,     // all points
    conic,    // points where two normals are equal: see `terms`
    contour   // points where a sum of more normals is 0
  };

  int first, second;
  Contest contest;
  // The first action is cheaper where terms[0] is larger.
  std::vector<PlaneTerm> terms;

  std::optional<Boundary> boundary() const {
    if (contest != Contest::conic) return std::nullopt;
    return Boundary(terms[0], terms[1]);
  }
};

// One sum holds the classes under which the first action is cheaper, the other sum the classes
// under which the second is cheaper. Classes under which both cost the same cancel.
inline ActionPair compare_actions(const Plane& plane, const Vector& log_prior, const Cost& cost,
                                  int first, int second) {
  std::vector<PlaneTerm> sides[2];
  bool infinite[2] = {false, false};
  for (std::size_t k = 0; k < plane.classes.size(); ++k) {
    if (log_prior[k] == kNegativeInfinity) continue;
    const double costs[2] = {cost.of(first, static_cast<Index>(k)),
                             cost.of(second, static_cast<Index>(k))};
    for (int i : {0, 1}) infinite[i] = infinite[i] || std::isinf(costs[i]);
    const double saved = costs[1] - costs[0];
    if (!(std::abs(saved) > 0) || std::isinf(saved)) continue;
    for (PlaneTerm term : plane.classes[k]) {
      term.log_weight += log_prior[k] + std::log(std::abs(saved));
      sides[saved > 0 ? 0 : 1].push_back(term);
    }
  }
  using Contest = ActionPair::Contest;
  if (infinite[0] || infinite[1]) {
    return {first, second, infinite[0] && infinite[1] ? Contest::tied : Contest::settled, {}};
  }
  if (sides[0].empty() && sides[1].empty()) return {first, second, Contest::tied, {}};
  if (sides[0].empty() || sides[1].empty()) return {first, second, Contest::settled, {}};
  if (sides[0].size() > 1 || sides[1].size() > 1) return {first, second, Contest::contour, {}};
  return {first, second, Contest::conic, {sides[0][0], sides[1][0]}};
}

inline std::vector<ActionPair> compare_actions(const Plane& plane, const Vector& log_prior,
                                               const Cost& cost) {
  std::vector<ActionPair> pairs;
  for (int a = 0; a < cost.actions(); ++a) {
    for (int b = a + 1; b < cost.actions(); ++b) {
      pairs.push_back(compare_actions(plane, log_prior, cost, a, b));
    }
  }
  return pairs;
}

// The origin of the coordinates in which coefficients are reported: 0, or the mean `origin` of a
// feature so far from 0 that coefficients about 0 would lose their digits.
inline Eigen::Vector2d reported_origin(const Plane& plane, const Vector& log_prior,
                                       const Eigen::Vector2d& origin) {
  constexpr double kFar = 1e4;
  Eigen::Vector2d spread = Eigen::Vector2d::Zero();
  for (std::size_t k = 0; k < plane.classes.size(); ++k) {
    if (log_prior[k] == kNegativeInfinity) continue;
    for (const PlaneTerm& term : plane.classes[k]) {
      spread = spread.cwiseMax(term.factor.colwise().norm().transpose());
    }
  }
  return (origin.cwiseAbs().array() > kFar * spread.array()).select(origin, 0.0);
}

}  // namespace bayesrisk
