#pragma once

#include <engine/core/log_math.hpp>

namespace bayesrisk {

// A generalised chi-square: constant + sum of square z^2 + linear z over independent N(0, 1) z.
struct QuadraticForm {
  double constant = 0;
  Vector square, linear;

  void add(double of_square, double of_linear) {
    if (of_square == 0 && of_linear == 0) return;
    square.push_back(of_square);
    linear.push_back(of_linear);
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
