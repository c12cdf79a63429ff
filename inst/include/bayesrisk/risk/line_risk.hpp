#pragma once

#include <bayesrisk/core/log_math.hpp>
#include <bayesrisk/risk/density.hpp>

namespace bayesrisk {

constexpr double kSqrtHalf = 0.70710678118654752440;

// P(low < Z < high) of a standard normal. Tails are taken on their own side, where
// they keep their digits.
inline double normal_probability(double low, double high) {
  if (low > 0) return 0.5 * (std::erfc(low * kSqrtHalf) - std::erfc(high * kSqrtHalf));
  if (high < 0) return 0.5 * (std::erfc(-high * kSqrtHalf) - std::erfc(-low * kSqrtHalf));
  return 0.5 * (std::erf(high * kSqrtHalf) - std::erf(low * kSqrtHalf));
}

// table (classes x actions) += exp(log_prior of the class) * P(decided on | class).
inline void add_probabilities(const Line& world, const Vector& log_prior, const Regions& rule,
                              Matrix& table) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::size_t regions = rule.decision.size();
  for (std::size_t k = 0; k < world.classes.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity)) continue;
    for (const NormalTerm& term : world.classes[k]) {
      const double weight = std::exp(log_prior[k] + term.log_weight);
      double low = -infinity;
      for (std::size_t i = 0; i < regions; ++i) {
        const double high = i + 1 < regions ? (rule.cut[i] - term.mean) / term.sd : infinity;
        table(static_cast<Index>(k), rule.decision[i]) += weight * normal_probability(low, high);
        low = high;
      }
    }
  }
}

}  // namespace bayesrisk
