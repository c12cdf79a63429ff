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
           double of_linear_error = 0);

  double mean() const;

  bool finite() const;

  // Whether the weights of tilted() keep most of their digits.
  bool tilts() const;

  // This form must be the log of a ratio of two densities, and z is N(0, I) under the density in
  // the denominator. The result is the same log ratio under the density in the numerator. There z =
  // linear / q + y / sqrt(q), where q = 1 - 2 square and y is N(0, I).
  QuadraticForm tilted() const;

  // A number is below a value `at` if the negative number is above `-at`.
  QuadraticForm negative() const;
};

}  // namespace bayesrisk
