#pragma once

#include <engine/core/gamma_functions.hpp>

namespace bayesrisk {

// A gamma distribution, by its mean and the distance of numbers from the mean: with d(x) = x / mean
// - 1 - log(x / mean), the log density is peak - log x - shape d(x). No term cancels another,
// however large the shape is. The mean is stored in two parts.
struct GammaLaw {
  double shape, rate, mean, mean_low, peak;

  GammaLaw(double of_shape, double of_rate)
      : shape(of_shape),
        rate(of_rate),
        mean(of_shape / of_rate),
        mean_low(std::fma(-mean, of_rate, of_shape) / of_rate),
        peak(sound() ? log_gamma_peak(of_shape) : kNaN) {}

  // Whether the parameters are those of a distribution whose mean is a normal number.
  bool sound() const {
    return shape > 0 && rate > 0 && std::isfinite(shape) && std::isfinite(rate) &&
           std::isfinite(mean) && mean >= std::numeric_limits<double>::min();
  }

  double log_density(double x) const {
    if (!(x > 0)) return kNegativeInfinity;
    const double deviance = relative_deviance(x, mean, (x - mean) - mean_low);
    return (peak - std::log(x)) - shape * deviance;
  }
};

}  // namespace bayesrisk
