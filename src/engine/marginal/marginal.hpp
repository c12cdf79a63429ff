#pragma once

#include <engine/marginal/atoms.hpp>
#include <engine/marginal/counts.hpp>
#include <engine/marginal/gammas.hpp>
#include <engine/marginal/normals.hpp>
#include <engine/marginal/normals_overlap.hpp>
#include <engine/marginal/steps.hpp>

#include <variant>

namespace bayesrisk {

// The density of one numeric feature in each class, of one of these kinds.
using Marginal = std::variant<Normals, Steps, Counts, Atoms, Gammas>;

// The coordinates of other kinds are not moved.
template <class OfClass>
double origin_of(const OfClass&) {
  return 0;
}

// What each kind of marginal M brings, checked below. `of` is the density in one class.
//   M::OfClass, M::classes   the density in one class; one for each class
//   M::kStep                 the least distance of two values: 0 for a density, 1 for counts,
//                            infinite where there is nothing between the values
//   M::unknown()             an OfClass for a class that is impossible; it is never evaluated
//   log_density(of, x)
//   moments_of(of)           mean and standard deviation
//   log_overlap(of, of)      see LogOverlap
//   add_probabilities(of, log_weight, cut, to)
//                            to[i] += exp(log_weight) P(cut[i - 1] <= X < cut[i]), for an
//                            increasing `cut`; i runs from 0 to the number of cuts
//   parts_of(of), add_points(of, each, x)
//                            of how many parts the density consists; adds about `each` values per
//                            part at which an unknown rule is asked
// and in regions/marginal_regions.hpp find_regions(M, ...), with extended_regions(M, ...) where
// the regions of any numbers differ from those of the feature's values.
template <class M>
struct CompleteMarginal {
  using OfClass = typename M::OfClass;
  template <class... Arguments, class Function>
  static constexpr bool accepts(Function) {
    return std::is_invocable_v<Function, Arguments...>;
  }

  static constexpr auto density = [](auto& of) -> decltype(log_density(of, 0.0)) { return 0; };
  static constexpr auto moments = [](auto& of) -> decltype(moments_of(of)) { return {}; };
  static constexpr auto overlap = [](auto& of) -> decltype(log_overlap(of, of)) { return {}; };
  static constexpr auto probabilities =
      [](auto& of, const Vector& cut, double* to) -> decltype(add_probabilities(of, 0.0, cut, to)) {
  };
  static constexpr auto points =
      [](auto& of, Vector& x) -> decltype(add_points(of, static_cast<int>(parts_of(of)), x)) {};

  static_assert(std::is_same_v<decltype(M::classes), std::vector<OfClass>>,
                "a marginal needs `std::vector<OfClass> classes`");
  static_assert(M::kStep >= 0, "a marginal needs kStep, the least distance of two values");
  static_assert(std::is_same_v<decltype(M::unknown()), OfClass>, "a marginal needs unknown()");
  static_assert(accepts<const OfClass&>(density), "a marginal needs log_density(of, x)");
  static_assert(accepts<const OfClass&>(moments), "a marginal needs moments_of(of)");
  static_assert(accepts<const OfClass&>(overlap), "a marginal needs log_overlap(of, of)");
  static_assert(accepts<const OfClass&, const Vector&, double*>(probabilities),
                "a marginal needs add_probabilities(of, log_weight, cut, to)");
  static_assert(accepts<const OfClass&, Vector&>(points),
                "a marginal needs parts_of(of) and add_points(of, each, x)");
  static constexpr bool value = true;
};

template <class... M>
constexpr bool are_complete(const std::variant<M...>*) {
  return (CompleteMarginal<M>::value && ...);
}
static_assert(are_complete(static_cast<const Marginal*>(nullptr)));

}  // namespace bayesrisk
