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

inline double log_density(const Atoms::OfClass& atoms, double x) {
  const auto found = std::lower_bound(atoms.value.begin(), atoms.value.end(), x);
  if (found == atoms.value.end() || *found != x) return kNegativeInfinity;
  return atoms.log_probability[static_cast<std::size_t>(found - atoms.value.begin())];
}

inline MeanAndSd moments_of(const Atoms::OfClass& atoms) {
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    mean += std::exp(atoms.log_probability[i]) * atoms.value[i];
  }
  for (std::size_t i = 0; i < atoms.value.size(); ++i) {
    const double off = atoms.value[i] - mean;
    variance += std::exp(atoms.log_probability[i]) * off * off;
  }
  return {mean, std::sqrt(variance)};
}

inline Vector values_of(const Atoms& atoms) {
  return unite(atoms.classes, [](const auto& of) -> const Vector& { return of.value; });
}

inline LogOverlap log_overlap(const Atoms::OfClass& first, const Atoms::OfClass& second) {
  std::vector<EventPair> values;
  for (double x : values_of(Atoms{{first, second}})) {
    values.push_back({log_density(first, x), log_density(second, x)});
  }
  return log_overlap(std::move(values));
}

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
