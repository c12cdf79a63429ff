#pragma once

#include <engine/simd/lanes.hpp>

namespace bayesrisk {
namespace simd {

// Columns of a tile, their rows padded to whole vectors.

inline void negate(double* x, int rows) {
  for (int r = 0; r < rows; r += 2) *lanes(x + r) = -*lanes(x + r);
}

inline void add_constant(double* x, double constant, int rows) {
  for (int r = 0; r < rows; r += 2) *lanes(x + r) += constant;
}

inline void scale(double* x, double factor, int rows) {
  for (int r = 0; r < rows; r += 2) *lanes(x + r) *= factor;
}

inline bool any_infinite(const double* x, int rows) {
  auto infinite = Lanes{} != 0.0;
  for (int r = 0; r < rows; r += 2) {
    const Lanes v = *lanes(x + r), difference = v - v;
    infinite |= (v == v) & (difference != difference);
  }
  return infinite[0] || infinite[1];
}

inline bool any_zero(const double* x, int rows) {
  auto zero = Lanes{} != 0.0;
  for (int r = 0; r < rows; r += 2) zero |= *lanes(x + r) == 0.0;
  return zero[0] || zero[1];
}

// sum[r] += x[r].
inline void add(const double* x, int rows, double* sum) {
  for (int r = 0; r < rows; r += 2) *lanes(sum + r) += *lanes(x + r);
}

// size[r] = max(|x[r]|, floor).
inline void size_at_least(const double* x, double floor, int rows, double* size) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes v = *lanes(x + r), low = Lanes{} + floor, positive = v < 0.0 ? -v : v;
    *lanes(size + r) = positive > low ? positive : low;
  }
}

// y[r] = 1 / x[r].
inline void invert(const double* x, int rows, double* y) {
  for (int r = 0; r < rows; r += 2) *lanes(y + r) = 1.0 / *lanes(x + r);
}

// y[r] = x[r] factor[r]; any number of rows.
inline void write_products(const double* x, const double* factor, int rows, double* y) {
  int r = 0;
  for (; r + 2 <= rows; r += 2) *lanes(y + r) = *lanes(x + r) * *lanes(factor + r);
  if (r < rows) y[r] = x[r] * factor[r];
}

// sum[r] += x[r], unless column[r] is `own`.
inline void add_unless(const double* x, const double* column, double own, int rows, double* sum) {
  for (int r = 0; r < rows; r += 2) {
    *lanes(sum + r) += *lanes(column + r) == own ? Lanes{} : *lanes(x + r);
  }
}

// The sum of x[r] factor[r] over the rows whose column[r] is `chosen`.
inline double sum_where(const double* x, const double* factor, const double* column, double chosen,
                        int rows) {
  Lanes sum = {0, 0};
  for (int r = 0; r < rows; r += 2) {
    const Lanes product = *lanes(x + r) * *lanes(factor + r);
    sum += *lanes(column + r) == chosen ? product : Lanes{};
  }
  return sum[0] + sum[1];
}

// value[r] = x[r] in the column column[r]. Any number of rows, as below.
inline void pick(const double* x, int stride, const double* column, int rows, double* value) {
  for (int r = 0; r < rows; ++r) value[r] = x[static_cast<int>(column[r]) * stride + r];
}

inline void write_at_most(const double* x, const double* limit, int rows, int* is_so) {
  for (int r = 0; r < rows; ++r) is_so[r] = x[r] <= limit[r];
}

// y[r] -= x[r]; y[r] = 0 if equal[r] is not 0.
inline void subtract_unless(const double* x, const int* equal, int rows, double* y) {
  for (int r = 0; r < rows; ++r) y[r] = equal[r] ? 0.0 : y[r] - x[r];
}

}  // namespace simd
}  // namespace bayesrisk
