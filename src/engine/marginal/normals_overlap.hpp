#pragma once

#include <engine/core/quadrature.hpp>
#include <engine/marginal/comparison.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// A normal of two classes in units in which the first is N(0, 1).
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

  // Relative to the largest value found of the integrand, so that a small integral keeps its
  // digits. NaN for thousands of terms, which would take minutes.
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

  // The integrand is at most a sum over pairs of terms, each a normal of its own.
  // One of several close terms is enough, and one of several close landmarks.
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
