#pragma once

#include <engine/marginal/comparison.hpp>

namespace bayesrisk {

// One numeric feature with single values in each class, in increasing order.
struct Atoms {
  static constexpr double kStep = kInfinity;
  struct OfClass {
    Vector value, log_probability;
  };
  std::vector<OfClass> classes;

  static OfClass unknown() { return {}; }
};

double log_density(const Atoms::OfClass& atoms, double x);

MeanAndSd moments_of(const Atoms::OfClass& atoms);

inline Vector values_of(const Atoms& atoms) {
  return unite(atoms.classes, [](const auto& of) -> const Vector& { return of.value; });
}

LogOverlap log_overlap(const Atoms::OfClass& first, const Atoms::OfClass& second);

template <class Totals>
void add_probabilities(const Atoms::OfClass& atoms, double log_weight, const Vector& cut,
                       const Totals& to) {
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    const auto next = std::upper_bound(cut.begin(), cut.end(), atoms.value[i]);
    to[static_cast<std::size_t>(next - cut.begin())] +=
        std::exp(log_weight + atoms.log_probability[i]);
  }
}

inline std::size_t parts_of(const Atoms::OfClass&) { return 1; }

inline void add_points(const Atoms::OfClass& atoms, int, Vector& x) {
  x.insert(x.end(), atoms.value.begin(), atoms.value.end());
}

}  // namespace bayesrisk
