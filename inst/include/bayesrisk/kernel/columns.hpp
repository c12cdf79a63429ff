#pragma once

#include <bayesrisk/kernel/lanes.hpp>

namespace bayesrisk {
namespace kernel {

// Columns side by side, `stride` numbers each, their rows padded to whole vectors.

inline void negate(double* x, int rows) {
  for (int r = 0; r < rows; r += 2) lanes(x + r) = -lanes(x + r);
}

inline void scale(double* x, double factor, int rows) {
  for (int r = 0; r < rows; r += 2) lanes(x + r) *= factor;
}

// x[r] /= by[r].
inline void divide(double* x, const double* by, int rows) {
  for (int r = 0; r < rows; r += 2) lanes(x + r) /= lanes(by + r);
}

// y[r] = x[r], sum[r] += x[r], least[r] = min(least[r], x[r]). x may be y.
inline void take(const double* x, int rows, double* y, double* sum, double* least) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes v = lanes(x + r), low = lanes(least + r);
    lanes(y + r) = v;
    lanes(sum + r) += v;
    lanes(least + r) = v < low ? v : low;
  }
}

// sum = for each action the sum over classes of cost * x, a column each, and largest[r] the
// largest of them, or 0. `cost` holds each cost twice, those of an action side by side.
inline void weigh_actions(const double* x, int classes, int stride, const double* cost, int actions,
                          int rows, double* sum, double* largest) {
  for (int r = 0; r < rows; r += 4) {
    const double* next = cost;
    Lanes high0 = {0, 0}, high1 = {0, 0};
    for (int a = 0; a < actions; ++a) {
      Lanes sum0 = {0, 0}, sum1 = {0, 0};
      for (int k = 0; k < classes; ++k) {
        const double* column = x + k * stride + r;
        sum0 += lanes(column) * lanes(next);
        sum1 += lanes(column + 2) * lanes(next);
        next += 2;
      }
      lanes(sum + a * stride + r) = sum0;
      lanes(sum + a * stride + r + 2) = sum1;
      high0 = sum0 > high0 ? sum0 : high0;
      high1 = sum1 > high1 ? sum1 : high1;
    }
    lanes(largest + r) = high0;
    lanes(largest + r + 2) = high1;
  }
}

// The least of each row; NaN where a column is.
inline void find_least(const double* x, int count, int stride, int rows, double* least) {
  for (int r = 0; r < rows; r += 2) {
    Lanes low = lanes(x + r);
    auto unknown = low != low;
    for (int c = 1; c < count; ++c) {
      const Lanes v = lanes(x + c * stride + r);
      low = v < low ? v : low;
      unknown |= v != v;
    }
    lanes(least + r) = unknown ? Lanes{} * low / Lanes{} : low;
  }
}

// Below, `first` columns count from 0, and are 0 where none qualifies: a key, negative
// and rising from column to column, is least for the first.
inline Lanes first_of(Lanes key, int count) {
  return key < 0.0 ? key + static_cast<double>(count) : Lanes{};
}

template <class Mask>
inline Lanes least_key(Lanes least, Mask qualifies, Lanes key) {
  const Lanes candidate = (Lanes)((LaneBits)qualifies & (LaneBits)key);
  return candidate < least ? candidate : least;
}

// The first column that exceeds the least by at most the band, `share` of the size;
// limit = least + band.
inline void find_first(const double* x, int count, int stride, int rows, const double* least,
                       const double* size, double share, double* band, double* limit,
                       double* first) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes width = lanes(size + r) * share, most = lanes(least + r) + width;
    lanes(band + r) = width;
    lanes(limit + r) = most;
    Lanes found = {0, 0}, key = Lanes{} - static_cast<double>(count);
    for (int c = 0; c < count; ++c) {
      found = least_key(found, lanes(x + c * stride + r) <= most, key);
      key += 1.0;
    }
    lanes(first + r) = first_of(found, count);
  }
}

// The same without the column `taken`, of two columns or more.
inline void find_second(const double* x, int count, int stride, int rows, const double* taken,
                        const double* band, double* least, double* first) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes best = lanes(taken + r);
    Lanes low = Lanes{} + __builtin_inf(), column = {0, 0};
    for (int c = 0; c < count; ++c) {
      const Lanes v = lanes(x + c * stride + r);
      low = (best != column) & (v < low) ? v : low;
      column += 1.0;
    }
    lanes(least + r) = low;
    const Lanes most = low + lanes(band + r);
    Lanes found = {0, 0}, key = Lanes{} - static_cast<double>(count);
    const Lanes own = best + key;
    for (int c = 0; c < count; ++c) {
      found = least_key(found, (own != key) & (lanes(x + c * stride + r) <= most), key);
      key += 1.0;
    }
    lanes(first + r) = first_of(found, count);
  }
}

// size[r] = max(|x[r]|, floor).
inline void size_at_least(const double* x, double floor, int rows, double* size) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes v = lanes(x + r), low = Lanes{} + floor, positive = v < 0.0 ? -v : v;
    lanes(size + r) = positive > low ? positive : low;
  }
}

// Whether each row is a distribution over the classes: none below 0, a sum of 1.
inline bool all_distributions(const double* least, const double* sum, double tolerance, int rows) {
  auto good = Lanes{} == Lanes{};
  for (int r = 0; r < rows; r += 2) {
    const Lanes off = lanes(sum + r) - 1.0;
    good &= (lanes(least + r) >= 0.0) & (off <= tolerance) & (off >= -tolerance);
  }
  return good[0] & good[1];
}

// code[r] = column[r] + 1; rows: any number, as below.
inline void write_codes(const double* column, int rows, int* code) {
  for (int r = 0; r < rows; ++r) code[r] = static_cast<int>(column[r]) + 1;
}

// value[r] = x[r] of the column chosen for it.
inline void pick(const double* x, int stride, const double* column, int rows, double* value) {
  for (int r = 0; r < rows; ++r) value[r] = x[static_cast<int>(column[r]) * stride + r];
}

}  // namespace kernel
}  // namespace bayesrisk
