#pragma once

#include <engine/core/counts.hpp>

#include <algorithm>

namespace bayesrisk {

// P(low <= X <= high) of a Poisson count; the bounds are whole numbers or infinite. Terms are added
// from the largest one on, and no probabilities are subtracted, so small results keep their digits.
class PoissonProbability {
 public:
  explicit PoissonProbability(double rate) : rate_(rate), log_rate_(std::log(rate)) {}

  double between(double low, double high) const {
    low = std::max(low, 0.0);
    if (!(low <= high)) return 0;
    if (rate_ == 0) return low == 0 ? 1 : 0;
    const double largest = std::clamp(std::floor(rate_), low, high);
    const bool many = rate_ > kLarge && high - low > kFew;
    if (many && std::abs(largest - rate_) <= kNear * rate_) return by_tails(low, high);
    return std::exp(LogPoisson(largest).at(rate_, log_rate_)) *
           (1 + sum_above(largest, high) + sum_below(largest, low));
  }

 private:
  static constexpr double kLarge = 1e8, kFew = 1e5, kNear = 1e-3;
  static constexpr double kNegligible = 1e-17;

  // The sum of the probabilities of the counts above `from`, relative to the probability of `from`.
  // Beyond the rate the ratio of successive terms falls, so the rest is at most a geometric series.
  double sum_above(double from, double high) const {
    double sum = 0, term = 1;
    for (double n = from + 1; n <= high; ++n) {
      term *= rate_ / n;
      sum += term;
      if (n > rate_ && term * rate_ <= kNegligible * (1 + sum) * (n - rate_)) break;
    }
    return sum;
  }

  double sum_below(double from, double low) const {
    double sum = 0, term = 1;
    for (double n = from; n > low; --n) {
      term *= n / rate_;
      sum += term;
      if (n < rate_ && term * n <= kNegligible * (1 + sum) * (rate_ - n)) break;
    }
    return sum;
  }

  double by_tails(double low, double high) const {
    if (low > rate_) return at_least(low) - at_least(high + 1);
    if (high < rate_) return at_most(high) - at_most(low - 1);
    return 1 - at_most(low - 1) - at_least(high + 1);
  }

  double at_most(double n) const { return n < 0 ? 0.0 : incomplete_gamma(n + 1, 1); }
  double at_least(double n) const { return std::isinf(n) ? 0.0 : incomplete_gamma(n, -1); }

  // The regularised incomplete gamma function of `a` at the rate, upper (side 1) or lower (-1), for
  // large and nearly equal numbers (Temme 1979, The asymptotic expansion of the incomplete gamma
  // functions).
  double incomplete_gamma(double a, double side) const {
    const double exponent = poisson_deviance(a, rate_);
    const double eta = std::copysign(std::sqrt(2 * exponent / a), rate_ - a);
    const double series = -1 / 3.0 + eta * (1 / 12.0 - eta * 2 / 135.0) - 1 / (540 * a);
    return 0.5 * std::erfc(side * eta * std::sqrt(0.5 * a)) +
           side * series * std::exp(-exponent - kHalfLogTwoPi) / std::sqrt(a);
  }

  double rate_, log_rate_;
};

}  // namespace bayesrisk
