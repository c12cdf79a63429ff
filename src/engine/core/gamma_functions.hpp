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
inline double log_gamma_rise(double b, double d) {
  const double a = b + d;
  return (b - 0.5) * std::log1p(d / b) + d * (std::log(a) - 1) + (gamma_error(a) - gamma_error(b));
}

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
inline double digamma_gap_fall(double a, double n) {
  double sum = 0;
  for (; a < kStirlingFrom && n > 0; ++a, --n) sum += log_excess(1 / a, 1 + 1 / a);
  if (n == 0) return sum;
  const double p = 1 / a, q = 1 / (a + n), fall = n * p * q, square = fall * (p + q);
  // Differences of the even powers of p and q, each from the one before.
  double high = 1, power = 0, series = 0;  // p^(2 i), and p^(2 i) - q^(2 i)
  for (double coefficient : kDigamma) {
    power = power * q * q + high * square;
    high *= p * p;
    series += coefficient * power;
  }
  return sum + (0.5 * fall + series);
}

// log Gamma(1 + a) for 0 < a < 1, with full relative accuracy near 0.
inline double log_gamma_near_one(double a) {
  if (a > 0.05) {
    return gamma_error(a) + kHalfLogTwoPi + (a + 0.5) * std::log(a) - a;
  }
  // (-1)^n zeta(n) / n
  constexpr double kCoefficient[] = {
      -0.57721566490153286061, 0.82246703342411321824,  -0.40068563438653142847,
      0.27058080842778454788,  -0.20738555102867398527, 0.16955717699740818995,
      -0.14404989676884611812, 0.12550966952474304242,  -0.11133426586956469049,
      0.10009945751278180853,  -0.09095401714582904223};
  double sum = 0;
  for (int i = 10; i >= 0; --i) sum = (sum + kCoefficient[i]) * a;
  return sum;
}

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

  Tails tails(double x) const {
    if (!(x > 0)) return {0, 1};
    if (std::isinf(x)) return {1, 0};
    if (a_ > kStirlingFrom && 0.3 * a_ < x && x < 2.35 * a_) return by_expansion(x);
    if (a_ < 1 && x < 1) return {by_series(x), near_zero(x)};
    if (x < a_ + 1) {
      const double lower = by_series(x);
      return {lower, 1 - lower};
    }
    const double upper = by_fraction(x);
    return {1 - upper, upper};
  }

  // The number with these tail probabilities, found from the smaller one.
  //
  // The log of either tail is a concave function of log x. Newton's method overshoots at most once
  // and then approaches from one side, from any start.
  double quantile(const Tails& wanted) const {
    const bool left = wanted.lower < wanted.upper;
    const double log_wanted = std::log(left ? wanted.lower : wanted.upper);
    double place = first_place(wanted);
    for (int i = 0; i < 100; ++i) {
      const double x = a_ * std::exp(place);
      if (!(x > std::numeric_limits<double>::min())) return x;
      const Tails at = tails(x);
      const double tail = left ? at.lower : at.upper;
      if (!(tail > 0)) {
        place *= 0.5;  // too far out for a step: move towards the mean
        continue;
      }
      const double step = (std::log(tail) - log_wanted) * tail / (a_ * power(x));
      place += left ? -step : step;
      if (!(std::abs(step) > 1e-9 * std::max(1e-7, std::abs(place)))) break;
    }
    return a_ * std::exp(place);
  }

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
  double by_fraction(double x) const {
    constexpr double kTiny = 1e-300;
    double b = x + 1 - a_, c = 1 / kTiny, d = 1 / b, product = d;
    for (int i = 1; i < 10000; ++i) {
      const double an = -i * (i - a_);
      b += 2;
      d = an * d + b;
      if (std::abs(d) < kTiny) d = kTiny;
      c = b + an / c;
      if (std::abs(c) < kTiny) c = kTiny;
      d = 1 / d;
      product *= d * c;
      if (std::abs(d * c - 1) < 1e-16) break;
    }
    return a_ * power(x) * product;
  }

  Tails by_expansion(double x) const {
    // eta / (x / a - 1) as a series in eta, where eta^2 / 2 = x / a - 1 - log(x / a)
    constexpr double kSeries[] = {1,
                                  -0.33333333333333333333,
                                  0.083333333333333333333,
                                  -0.014814814814814814815,
                                  0.0011574074074074074074,
                                  0.00035273368606701940035,
                                  -0.0001787551440329218107,
                                  0.000039192631785224377817,
                                  -2.1854485106799921615e-6,
                                  -1.8540622107151599607e-6,
                                  8.296711340953086005e-7,
                                  -1.7665952736826079304e-7,
                                  6.7078535434014985804e-9,
                                  1.0261809784240308043e-8,
                                  -4.3820360184533531866e-9,
                                  9.1476995822367902342e-10,
                                  -2.5514193994946249767e-11,
                                  -5.8307721325504250675e-11,
                                  2.4361948020667416244e-11,
                                  -5.0276692801141755891e-12,
                                  1.1004392031956134771e-13,
                                  3.3717632624009853788e-13,
                                  -1.3923887224181620659e-13,
                                  2.8534893807047443204e-14,
                                  -5.139111834242572619e-16,
                                  -1.9752288294349442835e-15,
                                  8.0995211567045613341e-16};
    constexpr int kLast = 25;
    const double exponent = poisson_deviance(a_, x);
    const double eta = std::copysign(std::sqrt(2 * exponent / a_), x - a_);
    double coefficient[kLast + 1];
    coefficient[kLast] = kSeries[kLast + 1];
    coefficient[kLast - 1] = kSeries[kLast];
    for (int m = kLast - 1; m > 0; --m) {
      coefficient[m - 1] = kSeries[m] + (m + 1) * coefficient[m + 1] / a_;
    }
    double series = 0;
    for (int m = kLast; m >= 0; --m) series = series * eta + coefficient[m];
    series /= 1 + coefficient[1] / a_;
    const double rest = series * std::exp(-exponent - kHalfLogTwoPi) / std::sqrt(a_);
    const double half = std::sqrt(exponent);
    if (eta > 0) {
      const double upper = 0.5 * std::erfc(half) + rest;
      return {1 - upper, upper};
    }
    const double lower = 0.5 * std::erfc(half) - rest;
    return {lower, 1 - lower};
  }

  double a_, error_;
};

}  // namespace bayesrisk
