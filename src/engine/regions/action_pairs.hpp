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
ActionPair compare_actions(const Plane& plane, const Vector& log_prior, const Cost& cost, int first,
                           int second);

std::vector<ActionPair> compare_actions(const Plane& plane, const Vector& log_prior,
                                        const Cost& cost);

// The origin of the coordinates in which coefficients are reported: 0, or the mean `origin` of a
// feature so far from 0 that coefficients about 0 would lose their digits.
Eigen::Vector2d reported_origin(const Plane& plane, const Vector& log_prior,
                                const Eigen::Vector2d& origin);

}  // namespace bayesrisk
