#pragma once

#include <engine/core/quadrature.hpp>
#include <engine/marginal/comparison.hpp>

namespace bayesrisk {

// weight * N(mean, sd^2).
struct NormalComponent {
  double log_weight, mean, sd;
};

// One numeric feature. In each class its density is a sum of normals whose weights sum to 1.
struct Normals {
  static constexpr double kStep = 0;
  using OfClass = std::vector<NormalComponent>;
  std::vector<OfClass> classes;

  static OfClass unknown() { return {{0, 0, 1}}; }
};

// Coordinates relative to a mean keep the digits of data at a large offset.
inline double origin_of(const Normals::OfClass& terms) { return terms[0].mean; }

double log_density(const Normals::OfClass& terms, double x);

MeanAndSd moments_of(const Normals::OfClass& terms);

constexpr double kSqrtHalf = 0.70710678118654752440;

// P(low < Z < high) of a standard normal. Below 0 lower tails are subtracted, above 0 upper tails,
// because small tails keep their digits.
double normal_probability(double low, double high);

template <class Totals>
void add_probabilities(const Normals::OfClass& terms, double log_weight, const Vector& cut,
                       const Totals& to) {
  for (const NormalComponent& term : terms) {
    const double weight = std::exp(log_weight + term.log_weight);
    double low = kNegativeInfinity;
    for (std::size_t i = 0; i <= cut.size(); ++i) {
      const double high = i < cut.size() ? (cut[i] - term.mean) / term.sd : kInfinity;
      to[i] += weight * normal_probability(low, high);
      low = high;
    }
  }
}

// Leaves out each normal that is close to another one of its width: both need the same points.
// There must be a normal.
Normals::OfClass spread_out(Normals::OfClass terms);

inline std::size_t parts_of(const Normals::OfClass& terms) { return spread_out(terms).size(); }

// Adds evenly spaced values in the middle of each of these normals, and a few values in its tails.
// The tails end where their probability underflows.
void add_points(const Normals::OfClass& terms, int each, Vector& x);

// The normals of two classes, in units in which the first one is N(0, 1).
struct NormalPair {
  double distance, sd;

  double log_at(double s) const;
};

// Two sums of normals, integrated numerically.
struct MixturePair {
  std::vector<NormalComponent> first, second;

  // The integral is computed relative to the largest known value of the integrand, so that a small
  // integral keeps its digits. NaN if there are thousands of terms, which would take minutes.
  double log_at(double s) const;

 private:
  static constexpr std::size_t kMostTerms = 1000;

  // Points between which the integrand is smooth. A sum over pairs of terms bounds the integrand,
  // and each pair gives a normal. The landmarks are points of these normals; of several close ones
  // only one is kept.
  Vector landmarks(double s) const;
};

LogOverlap log_overlap(const Normals::OfClass& first, const Normals::OfClass& second);

}  // namespace bayesrisk
