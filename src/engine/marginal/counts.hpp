#pragma once

#include <engine/core/count_tails.hpp>
#include <engine/marginal/comparison.hpp>
#include <engine/marginal/count_overlap.hpp>
#include <engine/marginal/poisson_probability.hpp>

namespace bayesrisk {

// One count with a Poisson or negative binomial distribution in each class.
struct Counts {
  static constexpr double kStep = 1;
  using OfClass = CountLaw;
  std::vector<OfClass> classes;

  static OfClass unknown() { return {0}; }
};

inline double log_density(const CountLaw& law, double x) {
  return is_count(x) ? law.log_probability(x) : kNegativeInfinity;
}

inline MeanAndSd moments_of(const CountLaw& law) { return {law.mean, law.sd()}; }

// For rates p and q the log overlap is -s p - (1 - s) q + p^s q^(1 - s), computed relative to q.
LogOverlap log_overlap(const CountLaw& first, const CountLaw& second);

// The probability of counts from low to high.
inline double probability_between(const CountLaw& law, double low, double high) {
  return law.is_poisson() ? PoissonProbability(law.mean).between(low, high)
                          : CountTails(law).between(low, high);
}

template <class Totals>
void add_probabilities(const CountLaw& law, double log_weight, const Vector& cut,
                       const Totals& to) {
  const double weight = std::exp(log_weight);
  double low = 0;
  for (std::size_t i = 0; i <= cut.size(); ++i) {
    const double end = i < cut.size() ? std::ceil(cut[i]) : kInfinity;
    to[i] += weight * probability_between(law, low, end - 1);
    low = std::max(low, end);
  }
}

inline std::size_t parts_of(const CountLaw&) { return 1; }

// Adds all counts of a class. If there are too many, the distance between the counts increases.
void add_points(const CountLaw& law, int each, Vector& x);

}  // namespace bayesrisk
