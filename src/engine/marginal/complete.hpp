#pragma once

#include <engine/marginal/comparison.hpp>

#include <type_traits>

namespace bayesrisk {

// The origin of the coordinates of a density. It is 0, except for the kinds of densities that
// overload this function, as normals.hpp does.
template <class OfClass>
double origin_of(const OfClass&) {
  return 0;
}

// The parts of a marginal M, checked below. A marginal is the density of one numeric feature in
// each class; `of` is the density in one class.
//   M::OfClass, M::classes   the density in one class; one for each class
//   M::kStep                 the least distance of two values: 0 for a density, 1 for counts;
//                            infinite for single values, because there is nothing between them
//   M::unknown()             an OfClass for a class that is impossible; it is never evaluated
//   log_density(of, x)
//   moments_of(of)           mean and standard deviation
//   log_overlap(of, of)      see LogOverlap
//   add_probabilities(of, log_weight, cut, to)
//                            to[i] += exp(log_weight) P(cut[i - 1] <= X < cut[i]), for an
//                            increasing `cut`; i runs from 0 to the number of cuts
//   parts_of(of), add_points(of, each, x)
//                            the number of parts of the density; adds about `each` values per part,
//                            at which a rule given as a function is evaluated
// If M has a type M::Line, its regions are found along this line:
//   M::Line(M, log_prior)        the possible classes, as terms along a line
//   Line::Term, Line::classes    the kind of terms (see Difference); the terms of each class
//   Line::low(), Line::at(t)     the least possible value, and the value at t
// Otherwise regions/marginal_regions.hpp has find_regions(M, ...), and extended_regions(M, ...) if
// the regions of all numbers differ from those of the feature's values.
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

}  // namespace bayesrisk
