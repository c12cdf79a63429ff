#pragma once

#include <engine/core/quadrature.hpp>
#include <engine/marginal/comparison.hpp>

namespace bayesrisk {

// weight * N(mean, sd^2).
struct NormalTerm {
  double log_weight, mean, sd;
};

// One numeric feature. In each class its density is a sum of normals whose weights sum to 1.
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

// P(low < Z < high) of a standard normal. Below 0 lower tails are subtracted, above 0 upper tails,
// because small tails keep their digits.
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

// Adds evenly spaced values in the middle of each normal, and a few values in its tails. The tails
// end where their probability underflows.
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

// The normals of two classes, in units in which the first one is N(0, 1).
struct NormalPair {
  double distance, sd;

  double log_at(double s) const {
    const double spread = s * (sd - 1) * (sd + 1);
    return s * std::log(sd) - 0.5 * std::log1p(spread) -
           0.5 * s * (1 - s) * distance * distance / (1 + spread);
  }
};

// Two sums of normals, integrated numerically.
struct MixturePair {
  std::vector<NormalTerm> first, second;

  // The integral is computed relative to the largest known value of the integrand, so that a small
  // integral keeps its digits. NaN if there are thousands of terms, which would take minutes.
  double log_at(double s) const {
    if (std::max(first.size(), second.size()) > kMostTerms) return kNaN;
    const auto log_value = [&](double x) {
      return s * log_density(first, x) + (1 - s) * log_density(second, x);
    };
    const Vector breaks = landmarks(s);
    double largest = kNegativeInfinity;
    for (double x : breaks) largest = std::max(largest, log_value(x));
    const auto add = [&](double x, Eigen::ArrayXd& value) {
      value[0] += std::exp(log_value(x) - largest);
    };
    Quadrature quadrature(add, 1);
    const double width = breaks.back() - breaks.front();
    return largest + std::log(quadrature.integrate(breaks, 1e-13 * width, 100000).value[0]);
  }

 private:
  static constexpr std::size_t kMostTerms = 1000;

  // Points between which the integrand is smooth. A sum over pairs of terms bounds the integrand,
  // and each pair gives a normal. The landmarks are points of these normals. Of several terms that
  // are close to each other only one is used, and of several close landmarks only one is kept.
  Vector landmarks(double s) const {
    Vector result;
    double narrowest = -kNegativeInfinity;
    for (const NormalTerm& f : spread_out(first)) {
      for (const NormalTerm& g : spread_out(second)) {
        const double a = s / (f.sd * f.sd), b = (1 - s) / (g.sd * g.sd);
        const double mean = f.mean + b / (a + b) * (g.mean - f.mean), sd = 1 / std::sqrt(a + b);
        narrowest = std::min(narrowest, sd);
        for (double z : {-9.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 9.0}) {
          result.push_back(mean + z * sd);
        }
      }
    }
    std::sort(result.begin(), result.end());
    const double near = 0.5 * narrowest;
    result.erase(keep_apart(result.begin(), result.end(),
                            [near](double x, double y) { return y - x < near; }),
                 result.end());
    return result;
  }

  static std::vector<NormalTerm> spread_out(std::vector<NormalTerm> terms) {
    std::sort(terms.begin(), terms.end(), [](const NormalTerm& a, const NormalTerm& b) {
      return a.sd < b.sd || (a.sd == b.sd && a.mean < b.mean);
    });
    terms.erase(keep_apart(terms.begin(), terms.end(),
                           [](const NormalTerm& a, const NormalTerm& b) {
                             return a.sd == b.sd && b.mean - a.mean < 0.5 * a.sd;
                           }),
                terms.end());
    return terms;
  }

  // Moves each item that is not close to the last kept one to the front. Returns their end.
  template <class Iterator, class Close>
  static Iterator keep_apart(Iterator begin, Iterator end, const Close& close) {
    Iterator kept = begin;
    for (Iterator next = begin + 1; next < end; ++next) {
      if (!close(*kept, *next)) *++kept = *next;
    }
    return kept + 1;
  }
};

inline LogOverlap log_overlap(const Normals::OfClass& first, const Normals::OfClass& second) {
  if (first.size() == 1 && second.size() == 1) {
    const NormalPair pair{(second[0].mean - first[0].mean) / first[0].sd,
                          second[0].sd / first[0].sd};
    return [pair](double s) { return pair.log_at(s); };
  }
  const MixturePair pair{first, second};
  return [pair](double s) { return pair.log_at(s); };
}

}  // namespace bayesrisk
