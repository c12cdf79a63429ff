#pragma once

#include <engine/core/log_math.hpp>

namespace bayesrisk {

// Whether a finite number can be a count.
inline bool is_count(double x) { return x >= 0 && x == std::floor(x); }

// Beyond it doubles leave out whole numbers. No mean of counts is larger.
constexpr double kMostCount = 0x1p53;

// The neighbours of a count among the doubles.
inline double next_count(double x) { return x < kMostCount ? x + 1 : std::nextafter(x, kInfinity); }
inline double previous_count(double x) {
  return x <= kMostCount ? x - 1 : std::nextafter(x, kNegativeInfinity);
}

// log n! - log(sqrt(2 pi n) (n / e)^n). The error is at most 1e-16 if n >= kStirlingFrom.
constexpr double kStirlingFrom = 16;
inline double stirling_error(double n) {
  const double s = 1 / (n * n);
  return (1 / 12.0 -
          s * (1 / 360.0 - s * (1 / 1260.0 - s * (1 / 1680.0 - s * (1 / 1188.0 - s / 524.25))))) /
         n;
}

// Below 18 a factorial is exact.
inline double log_factorial(double n) {
  if (n >= kStirlingFrom) {
    return n * (std::log(n) - 1) + 0.5 * std::log(n) + kHalfLogTwoPi + stirling_error(n);
  }
  double product = 1;
  for (int i = 2; i <= static_cast<int>(n); ++i) product *= i;
  return std::log(product);
}

// x log(x / rate) + rate - x for positive numbers. Close numbers do not cancel (Loader 2000, Fast
// and Accurate Computation of Binomial Probabilities). Both numbers are halved before they are
// added, because their sum may overflow.
double poisson_deviance(double x, double rate, double difference);

inline double poisson_deviance(double x, double rate) {
  return poisson_deviance(x, rate, x - rate);
}

// The log probability of a count, in two parts: the part that all rates share, and the rest.
class LogPoisson {
 public:
  explicit LogPoisson(double x)
      : x_(x),
        shared_(x < kStirlingFrom ? log_factorial(x)
                                  : stirling_error(x) + kHalfLogTwoPi + 0.5 * std::log(x)) {}

  double at(double rate, double log_rate) const {
    if (rate == 0) return x_ == 0 ? 0.0 : kNegativeInfinity;
    if (x_ < kStirlingFrom) return (times_log(x_, log_rate) - rate) - shared_;
    return -poisson_deviance(x_, rate) - shared_;
  }

 private:
  double x_, shared_;
};

}  // namespace bayesrisk
