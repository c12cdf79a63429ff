#pragma once

#include <engine/core/gamma_functions.hpp>

namespace bayesrisk {

// A negative binomial distribution, given by its mean and its size, mean^2 / (variance - mean);
// with an infinite size it is a Poisson distribution.
struct CountLaw {
  static constexpr double kPoisson = std::numeric_limits<double>::infinity();

  double mean, size, log_mean, size_error = 0;

  // A size larger than all counts becomes infinite; an invalid size or mean becomes NaN.
  CountLaw(double of_mean, double of_size = kPoisson)
      : mean(of_mean >= 0 ? of_mean : kNaN),
        size(of_size > 1e290 ? kPoisson
             : of_size > 0   ? of_size
                             : kNaN),
        log_mean(std::log(mean)) {
    if (!is_poisson()) size_error = gamma_error(size);
  }

  bool is_poisson() const { return size == kPoisson; }

  bool sound() const { return mean >= 0 && mean <= kMostCount && size > 0; }

  double sd() const { return std::sqrt(mean) * std::sqrt(1 + mean / size); }

  // The log probability of a count x >= 0, without terms that all distributions share; mean > 0.
  //
  // Let n = x + size, u = (x - mean) / (mean + size), and D the deviance of x from
  // n mean / (mean + size). The terms are the errors of Stirling's formula for n and size, half of
  // log(size / n), - size (u - log(1 + u)) and - D (Loader 2000). No term cancels another.
  double log_kernel(double x) const {
    if (is_poisson()) return x > 0 ? -poisson_deviance(x, mean) : -mean;
    const double n = x + size, whole = mean + size, u = (x - mean) / whole, ratio = n / whole;
    const double expected = mean * ratio;
    const double deviance = x > 0 ? poisson_deviance(x, expected, size * u) : expected;
    return (gamma_error(n) - size_error - 0.5 * log_of_ratio(n, size, x)) -
           size * log_excess(u, ratio) - deviance;
  }

  // The derivative of log_kernel(), without terms that all distributions share.
  double slope(double x) const {
    if (is_poisson()) return log_mean;
    const double n = x + size;
    return log_mean + log_of_ratio(n, mean + size, x - mean) - digamma_gap(n);
  }

  double log_probability(double x) const { return log_probability(x, LogPoisson(x)); }

  // `poisson` holds the precomputed parts that do not depend on the distribution.
  double log_probability(double x, const LogPoisson& poisson) const {
    if (mean == 0) return x == 0 ? 0.0 : kNegativeInfinity;
    if (is_poisson()) return poisson.at(mean, log_mean);
    if (x == 0) return -size * log_of_ratio(mean + size, size, mean);
    return log_kernel(x) - (gamma_error(x) + kHalfLogTwoPi + 0.5 * std::log(x));
  }

 private:
  // log(a / b), given the exact difference a - b.
  static double log_of_ratio(double a, double b, double difference) {
    const double part = difference / b;
    if (std::abs(part) < 0.5) return std::log1p(part);
    return std::log(a) - std::log(b);
  }
};

}  // namespace bayesrisk
