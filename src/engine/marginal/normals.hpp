#pragma once

#include <engine/marginal/comparison.hpp>

namespace bayesrisk {

// weight * N(mean, sd^2).
struct NormalTerm {
  double log_weight, mean, sd;
};

// One numeric feature, in each class a sum of normals whose weights sum to 1.
struct Normals {
  static constexpr double kStep = 0;
  using OfClass = std::vector<NormalTerm>;
  std::vector<OfClass> classes;

  static OfClass unknown() { return {{0, 0, 1}}; }
};

// Coordinates relative to a mean keep the digits of data at a large offset.
inline double origin_of(const Normals::OfClass& terms) { return terms[0].mean; }

inline double log_density(const Normals::OfClass& terms, double x) {
  const auto log_term = [x](const NormalTerm& term) {
    const double z = (x - term.mean) / term.sd;
    return term.log_weight - 0.5 * z * z - std::log(term.sd);
  };
  double largest = kNegativeInfinity, sum = 0;
  for (const NormalTerm& term : terms) largest = std::max(largest, log_term(term));
  if (largest == kNegativeInfinity) return largest;
  for (const NormalTerm& term : terms) {
    const double below = log_term(term) - largest;
    if (below > -50) sum += std::exp(below);
  }
  return largest + std::log(sum) - kHalfLogTwoPi;
}

inline MeanAndSd moments_of(const Normals::OfClass& terms) {
  if (terms.size() == 1) return {terms[0].mean, terms[0].sd};
  double mean = 0, variance = 0;
  for (const NormalTerm& term : terms) mean += std::exp(term.log_weight) * term.mean;
  for (const NormalTerm& term : terms) {
    const double off = term.mean - mean;
    variance += std::exp(term.log_weight) * (term.sd * term.sd + off * off);
  }
  return {mean, std::sqrt(variance)};
}

constexpr double kSqrtHalf = 0.70710678118654752440;

// P(low < Z < high) of a standard normal. Tails are taken on their own side, where they keep
// their digits.
inline double normal_probability(double low, double high) {
  if (low > 0) return 0.5 * (std::erfc(low * kSqrtHalf) - std::erfc(high * kSqrtHalf));
  if (high < 0) return 0.5 * (std::erfc(-high * kSqrtHalf) - std::erfc(-low * kSqrtHalf));
  return 0.5 * (std::erf(high * kSqrtHalf) - std::erf(low * kSqrtHalf));
}

template <class Totals>
void add_probabilities(const Normals::OfClass& terms, double log_weight, const Vector& cut,
                       const Totals& to) {
  for (const NormalTerm& term : terms) {
    const double weight = std::exp(log_weight + term.log_weight);
    double low = kNegativeInfinity;
    for (std::size_t i = 0; i <= cut.size(); ++i) {
      const double high = i < cut.size() ? (cut[i] - term.mean) / term.sd : kInfinity;
      to[i] += weight * normal_probability(low, high);
      low = high;
    }
  }
}

inline std::size_t parts_of(const Normals::OfClass& terms) { return terms.size(); }

// Evenly along the middle of each normal, and a few in its tails, as far as a double tells their
// probability from 0.
inline void add_points(const Normals::OfClass& terms, int each, Vector& x) {
  constexpr double kBody = 4, kFarthest = 38;
  for (const NormalTerm& term : terms) {
    for (int i = 0; i <= each; ++i) x.push_back(term.mean + kBody * (2.0 * i / each - 1) * term.sd);
    for (double z = kBody + 0.5; z <= kFarthest; z += 0.5) {
      x.push_back(term.mean + z * term.sd);
      x.push_back(term.mean - z * term.sd);
    }
  }
}

}  // namespace bayesrisk
