#pragma once

#include <engine/marginal/comparison.hpp>
#include <engine/marginal/poisson_probability.hpp>

namespace bayesrisk {

// One count, Poisson in each class.
struct Counts {
  static constexpr double kStep = 1;
  struct OfClass {
    double rate;
  };
  std::vector<OfClass> classes;

  static OfClass unknown() { return {0}; }
};

inline double log_density(const Counts::OfClass& count, double x) {
  if (!is_count(x)) return kNegativeInfinity;
  return LogPoisson(x).at(count.rate, std::log(count.rate));
}

inline MeanAndSd moments_of(const Counts::OfClass& count) {
  return {count.rate, std::sqrt(count.rate)};
}

// -s p - (1 - s) q + p^s q^(1 - s) of the rates p and q, in steps from q.
inline LogOverlap log_overlap(const Counts::OfClass& first, const Counts::OfClass& second) {
  return [p = first.rate, q = second.rate](double s) {
    if (p == 0 || q == 0) return -(s * p + (1 - s) * q);
    const double step = std::log(p) - std::log(q);
    return q * (std::expm1(s * step) - s * std::expm1(step));
  };
}

template <class Totals>
void add_probabilities(const Counts::OfClass& count, double log_weight, const Vector& cut,
                       const Totals& to) {
  const PoissonProbability probability(count.rate);
  const double weight = std::exp(log_weight);
  double low = 0;
  for (std::size_t i = 0; i <= cut.size(); ++i) {
    const double end = i < cut.size() ? std::ceil(cut[i]) : kInfinity;
    to[i] += weight * probability.between(low, end - 1);
    low = std::max(low, end);
  }
}

inline std::size_t parts_of(const Counts::OfClass&) { return 1; }

// All counts that a class has, unless there are too many.
inline void add_points(const Counts::OfClass& count, int each, Vector& x) {
  const double reach = 10 * std::sqrt(count.rate) + 40;
  const double first = std::max(0.0, std::floor(count.rate - reach));
  const double step = std::ceil((count.rate + reach - first) / each);
  for (double at = first; at <= count.rate + reach; at += step) x.push_back(at);
}

}  // namespace bayesrisk
