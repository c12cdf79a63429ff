#pragma once

#include <bayesrisk/kernel/lanes.hpp>

namespace bayesrisk {
namespace kernel {

// square[r] += (((x[r] - mean) - mean_low) * inverse_sd)^2; rows: padded.
// The mean comes in two parts: x * inverse_sd - mean * inverse_sd would lose
// nine digits at an offset of 2^30.
inline void add_standardized_squares(const double* x, int rows, double mean, double mean_low,
                                     double inverse_sd, double* square) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes t = ((lanes(x + r) - mean) - mean_low) * inverse_sd;
    lanes(square + r) += t * t;
  }
}

// Whether all numbers are finite: x * 0 is NaN for NaN and for infinities.
inline bool all_finite(const double* x, int rows) {
  Lanes check = {0, 0};
  for (int r = 0; r < rows; r += 2) check += lanes(x + r) * 0.0;
  return check[0] + check[1] == 0.0;
}

// row -= factor * other, for whole vectors of rows.
inline void subtract_multiple(double* row, const double* other, double factor, int rows) {
  for (int r = 0; r < rows; r += 2) lanes(row + r) -= lanes(other + r) * factor;
}

}  // namespace kernel
}  // namespace bayesrisk
