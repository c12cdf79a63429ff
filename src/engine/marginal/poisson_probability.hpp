#pragma once

#include <engine/core/counts.hpp>

#include <algorithm>

namespace bayesrisk {

// P(low <= X <= high) of a Poisson count; the bounds are whole numbers or infinite. Terms are added
// from the largest one on, and no probabilities are subtracted, so small results keep their digits.
class PoissonProbability {
 public:
  explicit PoissonProbability(double rate) : rate_(rate), log_rate_(std::log(rate)) {}

  double between(double low, double high) const;

 private:
  static constexpr double kLarge = 1e8, kFew = 1e5, kNear = 1e-3;
  static constexpr double kNegligible = 1e-17;

  // The sum of the probabilities of the counts above `from`, relative to the probability of `from`.
  // Beyond the rate the ratio of successive terms falls, so the rest is at most a geometric series.
  double sum_above(double from, double high) const;

  double sum_below(double from, double low) const;

  double by_tails(double low, double high) const;

  double at_most(double n) const { return n < 0 ? 0.0 : incomplete_gamma(n + 1, 1); }
  double at_least(double n) const { return std::isinf(n) ? 0.0 : incomplete_gamma(n, -1); }

  // The regularised incomplete gamma function of `a` at the rate, upper (side 1) or lower (-1), for
  // large and nearly equal numbers (Temme 1979, The asymptotic expansion of the incomplete gamma
  // functions).
  double incomplete_gamma(double a, double side) const;

  double rate_, log_rate_;
};

}  // namespace bayesrisk
