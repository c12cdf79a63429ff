#pragma once

#include <engine/core/counts.hpp>
#include <engine/core/inverse.hpp>

#include <algorithm>

namespace bayesrisk {

// The gamma function and related functions, without cancellation between terms.

// u - log(1 + u), about u^2 / 2 for small u. The caller also passes `ratio` = 1 + u.
inline double log_excess(double u, double ratio) {
  if (!(std::abs(u) < 0.2)) return u - std::log(ratio);
  // log(1 + u) = 2 artanh(v)
  const double v = u / (2 + u), w = v * v;
  double sum = 1 / 17.0;
  for (int i = 15; i >= 3; i -= 2) sum = sum * w + 1.0 / i;
  return u * v - 2 * v * w * sum;
}

// exp(y) - 1 - y
inline double exp_excess(double y) {
  if (!(std::abs(y) < 0.5)) return std::expm1(y) - y;
  double sum = 0;
  for (int n = 16; n >= 2; --n) sum = (sum * y + 1) / n;
  return sum * y * y;
}

// x / c - 1 - log(x / c). The caller also passes the exact difference x - c.
inline double relative_deviance(double x, double c, double difference) {
  const double u = difference / c, ratio = x / c;
  if (std::abs(u) < 0.2 || ratio >= std::numeric_limits<double>::min()) return log_excess(u, ratio);
  return u - (std::log(x) - std::log(c));
}

// The error of Stirling's formula, log Gamma(a + 1) - log(sqrt(2 pi a) (a / e)^a), for a > 0;
// otherwise NaN.
inline double gamma_error(double a) {
  if (!(a > 0)) return kNaN;
  double sum = 0;
  for (; a < kStirlingFrom; ++a) sum += (a + 0.5) * std::log1p(1 / a) - 1;
  return sum + stirling_error(a);
}

// log Gamma(a) for a > 0.
inline double log_gamma(double a) {
  return gamma_error(a) + kHalfLogTwoPi + (a - 0.5) * std::log(a) - a;
}

// a log a - a - log Gamma(a): the log density of a gamma distribution of shape a and mean 1, at 1.
inline double log_gamma_peak(double a) {
  return 0.5 * std::log(a) - kHalfLogTwoPi - gamma_error(a);
}

// log Gamma(b + d) - log Gamma(b), b > 0 and d >= 0, without the difference of two large numbers.
// `error`: gamma_error(b).
inline double log_gamma_rise(double b, double d, double error) {
  const double a = b + d;
  return (b - 0.5) * std::log1p(d / b) + d * (std::log(a) - 1) + (gamma_error(a) - error);
}
inline double log_gamma_rise(double b, double d) { return log_gamma_rise(b, d, gamma_error(b)); }

// The log density of a multivariate t distribution of scale 1 at its centre.
inline double log_student_peak(double freedom, double size) {
  return log_gamma_rise(0.5 * freedom, 0.5 * size) - 0.5 * size * (std::log(freedom) + kLogPi);
}

// Asymptotic series of log a - digamma(a) and of its derivative, in 1 / a; from kStirlingFrom up.
constexpr double kDigamma[] = {1 / 12.0,   -1 / 120.0, 1 / 252.0,
                               -1 / 240.0, 1 / 132.0,  -691 / 32760.0};

// log a - digamma(a): positive, and falling from 1 / a to 1 / (2 a).
inline double digamma_gap(double a) {
  double sum = 0;
  for (; a < kStirlingFrom; ++a) sum += log_excess(1 / a, 1 + 1 / a);
  const double s = 1 / (a * a);
  double series = 0;
  for (int i = 5; i >= 0; --i) series = (series + kDigamma[i]) * s;
  return sum + (0.5 / a + series);
}

// digamma_gap(a) - digamma_gap(a + n), n a count: a sum of positive terms.
double digamma_gap_fall(double a, double n);

// log Gamma(1 + a) for 0 < a < 1, with full relative accuracy near 0.
double log_gamma_near_one(double a);

// The two tail probabilities of a number, each with full relative accuracy.
struct Tails {
  double lower, upper;
};

// The regularised incomplete gamma functions: by the series, the continued fraction or the uniform
// expansion of Temme (1994, A set of algorithms for the incomplete gamma functions). Accurate to
// 1e-12.
class IncompleteGamma {
 public:
  explicit IncompleteGamma(double a) : a_(a), error_(gamma_error(a)) {}

  Tails tails(double x) const;

  // The number with these tail probabilities, found from the smaller one.
  //
  // The log of either tail is a concave function of log x. Newton's method overshoots at most once
  // and then approaches from one side, from any start.
  double quantile(const Tails& wanted) const;

 private:
  // x^a e^-x / Gamma(a + 1)
  double power(double x) const {
    return std::exp(-poisson_deviance(a_, x) - error_ - kHalfLogTwoPi) / std::sqrt(a_);
  }

  // An approximation of log(quantile / a): by Wilson and Hilferty (1931), or, where that is NaN, a
  // bound that is close for small quantiles.
  double first_place(const Tails& wanted) const {
    const double z = wanted.lower < wanted.upper ? normal_quantile(wanted.lower)
                                                 : -normal_quantile(wanted.upper);
    const double cube_root = 1 - 1 / (9 * a_) + z / (3 * std::sqrt(a_));
    if (cube_root > 0.2) return 3 * std::log(cube_root);
    return (std::log(wanted.lower) + error_ + kHalfLogTwoPi + 0.5 * std::log(a_)) / a_ - 1;
  }

  double by_series(double x) const {
    double sum = 1, term = 1;
    for (double n = a_ + 1; term > 1e-17 * sum; ++n) {
      term *= x / n;
      sum += term;
    }
    return power(x) * sum;
  }

  // The upper tail near 0, where the lower tail may be close to 1.
  double near_zero(double x) const {
    const double log_power = a_ * std::log(x) - log_gamma_near_one(a_);
    double sum = 0, term = -1;
    for (int n = 1; n < 25; ++n) {
      term *= -x / n;
      sum += term / (a_ + n);
    }
    return -std::expm1(log_power) + std::exp(log_power) * a_ * sum;
  }

  // The upper tail (Lentz's evaluation).
  double by_fraction(double x) const;

  Tails by_expansion(double x) const;

  double a_, error_;
};

}  // namespace bayesrisk
