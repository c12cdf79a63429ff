#pragma once

#include <engine/core/gamma_law.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// One positive number, of a gamma distribution in each class.
struct Gammas {
  // A rule may be looked at in the coordinates of a world of normals, relative to its origin.
  struct OfClass : GammaLaw {
    double origin = 0;

    OfClass(double of_shape, double of_rate) : GammaLaw(of_shape, of_rate) {}
    OfClass(const GammaLaw& law, double at = 0) : GammaLaw(law), origin(at) {}
  };

  static constexpr double kStep = 0;
  std::vector<OfClass> classes;

  static OfClass unknown() { return {1, 1}; }
};

inline double log_density(const Gammas::OfClass& law, double x) {
  return law.log_density(x + law.origin);
}

inline MeanAndSd moments_of(const Gammas::OfClass& law) {
  return {law.mean - law.origin, law.mean / std::sqrt(law.shape)};
}

// p^s q^(1 - s) is a gamma density but for its size. With the mean m of that, the logs of the sizes
// at the means do all but cancel; what is left of the rest are the deviances of m from the means.
inline LogOverlap log_overlap(const GammaLaw& first, const GammaLaw& second) {
  return [first, second](double s) {
    const double shape = s * first.shape + (1 - s) * second.shape;
    const double rate = s * first.rate + (1 - s) * second.rate, mean = shape / rate;
    const auto loss = [mean](const GammaLaw& law) {
      const double away = (mean - law.mean) - law.mean_low;
      return law.shape * relative_deviance(mean, law.mean, away) - law.peak;
    };
    return -(s * loss(first) + (1 - s) * loss(second) + log_gamma_peak(shape));
  };
}

// Tails are taken on their own side of the mean, where they keep their digits.
template <class Totals>
void add_probabilities(const Gammas::OfClass& law, double log_weight, const Vector& cut,
                       const Totals& to) {
  const IncompleteGamma standard(law.shape);
  const double weight = std::exp(log_weight);
  double low = 0;
  Tails at_low{0, 1};
  for (std::size_t i = 0; i <= cut.size(); ++i) {
    const double high = i < cut.size() ? std::max(0.0, cut[i] + law.origin) : kInfinity;
    const Tails at_high = standard.tails(high * law.rate);
    const double within = low > law.mean    ? at_low.upper - at_high.upper
                          : high < law.mean ? at_high.lower - at_low.lower
                                            : 1 - at_low.lower - at_high.upper;
    to[i] += weight * std::max(0.0, within);
    low = high;
    at_low = at_high;
  }
}

inline std::size_t parts_of(const Gammas::OfClass&) { return 1; }

// The quantiles of numbers evenly along the middle of a standard normal, and a few in its tails,
// as far as a double tells their probability from 0.
inline void add_points(const Gammas::OfClass& law, int each, Vector& x) {
  constexpr double kBody = 4, kFarthest = 37;
  const IncompleteGamma standard(law.shape);
  const auto add = [&](double z) {
    const Tails tails{0.5 * std::erfc(-z * kSqrtHalf), 0.5 * std::erfc(z * kSqrtHalf)};
    const double at = standard.quantile(tails) / law.rate;
    if (at > 0 && at < kInfinity) x.push_back(at - law.origin);
  };
  for (int i = 0; i <= each; ++i) add(kBody * (2.0 * i / each - 1));
  for (double z = kBody + 0.5; z <= kFarthest; z += 0.5) {
    add(z);
    add(-z);
  }
}

}  // namespace bayesrisk
