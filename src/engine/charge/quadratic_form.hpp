#pragma once

#include <engine/core/log_math.hpp>

namespace bayesrisk {

// A generalised chi-square: constant + sum of square z^2 + linear z over independent N(0, 1) z.
struct QuadraticForm {
  double constant = 0;
  Vector square, linear;
  // Errors by rounding, in epsilons of a double. If the vectors are empty, the weights are exact.
  double constant_error = 0;
  Vector square_error = {}, linear_error = {};

  void add_constant(double more, double error) {
    constant += more;
    constant_error += error;
  }

  void add(double of_square, double of_linear, double of_square_error = 0,
           double of_linear_error = 0) {
    if (of_square == 0 && of_linear == 0) return;
    square.push_back(of_square);
    linear.push_back(of_linear);
    square_error.push_back(of_square_error);
    linear_error.push_back(of_linear_error);
  }

  double mean() const {
    double total = constant;
    for (double w : square) total += w;
    return total;
  }

  bool finite() const {
    bool all = std::isfinite(constant);
    for (double w : square) all = all && std::isfinite(w);
    for (double l : linear) all = all && std::isfinite(l);
    return all;
  }

  // Whether the weights of tilted() keep most of their digits.
  bool tilts() const {
    constexpr double kMostLoss = 50;
    for (std::size_t i = 0; i < square.size(); ++i) {
      if (!(square_error[i] <= kMostLoss * (1 - 2 * square[i]))) return false;
    }
    return true;
  }

  // This form must be the log of a ratio of two densities, and z is N(0, I) under the density in
  // the denominator. The result is the same log ratio under the density in the numerator. There z =
  // linear / q + y / sqrt(q), where q = 1 - 2 square and y is N(0, I).
  QuadraticForm tilted() const {
    QuadraticForm result;
    result.constant = constant;
    result.constant_error = constant_error;
    for (std::size_t i = 0; i < square.size(); ++i) {
      const double q = 1 - 2 * square[i], root = std::sqrt(q), shift = linear[i] / q;
      const double moved = shift * shift * (1 - square[i]);
      result.add_constant(moved, std::abs(moved));
      const double lost = square_error[i] / q, away = std::abs(shift);
      result.constant_error += away * ((1 + q) / q * linear_error[i] + away * (2 + q) * lost);
      result.add(square[i] / q, shift / root, lost / q,
                 (linear_error[i] / q + 3 * away * lost) / root);
    }
    return result;
  }

  // A number is below a value `at` if the negative number is above `-at`.
  QuadraticForm negative() const {
    QuadraticForm result = *this;
    result.constant = -constant;
    for (double& w : result.square) w = -w;
    for (double& l : result.linear) l = -l;
    return result;
  }
};

}  // namespace bayesrisk
