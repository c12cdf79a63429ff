#include <engine/core/count_tails.hpp>
#include <engine/core/counts.hpp>
#include <engine/core/gamma_functions.hpp>

namespace bayesrisk {

double digamma_gap_fall(double a, double n) {
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

double log_gamma_near_one(double a) {
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

Tails IncompleteGamma::tails(double x) const {
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

double IncompleteGamma::quantile(const Tails& wanted) const {
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

double IncompleteGamma::by_fraction(double x) const {
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

Tails IncompleteGamma::by_expansion(double x) const {
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

double poisson_deviance(double x, double rate, double difference) {
  const double middle = 0.5 * x + 0.5 * rate;
  if (!(std::abs(difference) < 0.2 * middle)) {
    const double ratio = x / rate;
    const double log_ratio = std::isfinite(ratio) ? std::log(ratio) : std::log(x) - std::log(rate);
    return x * log_ratio - difference;
  }
  double v = 0.5 * difference / middle;
  double sum = difference * v, term = x * (2 * v);
  v *= v;
  for (int i = 3;; i += 2) {
    term *= v;
    const double next = sum + term / i;
    if (next == sum) return sum;
    sum = next;
  }
}

Tails CountTails::tails(double n) const {
  if (!(n > 0)) return {0, 1};
  if (std::isinf(n)) return {1, 0};
  if (law_.is_poisson()) {
    const Tails of_mean = IncompleteGamma(n).tails(law_.mean);
    return {of_mean.upper, of_mean.lower};
  }
  // The error of the fraction grows with the spread, that of the gamma distribution falls.
  if (std::min(n, size_) > kHuge || std::min(n, law_.sd()) > kWide) return like_numbers(n);
  const double p = std::exp(law_.log_probability(n));
  if (growth_ * (n + size_ + 2) < n + 1) {
    const double upper = p * fraction(n, size_, growth_);
    return {1 - upper, upper};
  }
  const double lower = p * (n / size_) * below(n);
  return {lower, 1 - lower};
}

double CountTails::fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away(1 - (a + b) / (a + 1) * x), product = d;
  for (double m = 1; m < 3e5; ++m) {
    const double even = m / (a + 2 * m - 1) * ((b - m) / (a + 2 * m)) * x;
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    product *= d * c;
    const double odd = -((a + m) / (a + 2 * m)) * ((a + b + m) / (a + 2 * m + 1)) * x;
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    product *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return product;
}

}  // namespace bayesrisk
