#pragma once

#include <engine/core/types.hpp>

#include <cmath>

namespace bayesrisk {

constexpr double kNegativeInfinity = -std::numeric_limits<double>::infinity();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLogOne = 1e-12;  // log 1, with room for rounding
constexpr double kLogPi = 1.1447298858494001741;
constexpr double kHalfLogTwoPi = 0.91893853320467274178;

// log(exp(a) + exp(b)) without leaving the log scale.
inline double log_add(double a, double b) {
  const double high = a > b ? a : b;
  const double low = a > b ? b : a;
  if (low == kNegativeInfinity) return high;
  return high + std::log1p(std::exp(low - high));
}

// log of the sum of exp(x), without leaving the log scale.
inline double log_sum(const Eigen::VectorXd& x) {
  const double largest = x.maxCoeff();
  if (std::isinf(largest)) return largest;
  return largest + std::log((x.array() - largest).exp().sum());
}

// The same for each row.
inline Eigen::VectorXd log_sum_of_rows(const Matrix& x) {
  const Eigen::VectorXd largest = x.rowwise().maxCoeff();
  const Matrix shares = (x.colwise() - largest).array().exp();
  return largest.array() + shares.rowwise().sum().array().log();
}

// The probabilities of classes whose log joint is known; NaN if none is possible.
inline void posterior_of(const Eigen::VectorXd& log_joint, Eigen::VectorXd& posterior) {
  posterior = (log_joint.array() - log_joint.maxCoeff()).exp();
  posterior /= posterior.sum();
}

// A number as an unevaluated sum of doubles: high is the nearest double, low the rest.
struct DoubleDouble {
  double high, low;
};

inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

inline double difference(const DoubleDouble& a, const DoubleDouble& b) {
  return (a.high - b.high) + (a.low - b.low);
}

// The mean of two parts. The second part has a positive weight, and its mean is `delta` above the
// mean of the first part. The result is computed from the mean of the heavier part, because the
// step from there is small.
inline DoubleDouble merged_mean(double weight, const DoubleDouble& mean, double part_weight,
                                const DoubleDouble& part_mean, double delta) {
  const double total = weight + part_weight;
  return weight >= part_weight ? two_sum(mean.high, mean.low + delta * (part_weight / total))
                               : two_sum(part_mean.high, part_mean.low - delta * (weight / total));
}

// x log y; 0 at x = 0, even where y = 0.
inline double times_log(double x, double log_y) { return x == 0 ? 0.0 : x * log_y; }

// The weighted sum of the logarithms of numbers, about 1 or less; `weight` may be null. Logarithms
// are slow, so numbers of weight 1 share the logarithm of their product. A number of weight 0
// counts nothing, even if it is 0.
double sum_of_logs(const double* x, const double* weight, Index count);

}  // namespace bayesrisk
