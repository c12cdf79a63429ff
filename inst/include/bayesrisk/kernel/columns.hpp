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

// sum[r] += x[r].
inline void add(const double* x, int rows, double* sum) {
  for (int r = 0; r < rows; r += 2) lanes(sum + r) += lanes(x + r);
}

// x[r] /= by[r].
inline void divide(double* x, const double* by, int rows) {
  for (int r = 0; r < rows; r += 2) lanes(x + r) /= lanes(by + r);
}

// largest[r] = max(largest[r], x[r]).
inline void raise_to(double* largest, const double* x, int rows) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes a = lanes(largest + r), b = lanes(x + r);
    lanes(largest + r) = a < b ? b : a;
  }
}

// sum[r] = the sum over columns of weight * x.
inline void weigh_columns(const double* x, int count, int stride, const double* weight, int rows,
                          double* sum) {
  for (int r = 0; r < rows; r += 2) {
    Lanes total = lanes(x + r) * weight[0];
    for (int c = 1; c < count; ++c) total += lanes(x + c * stride + r) * weight[c];
    lanes(sum + r) = total;
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

// The first column of each row, from 0, that is at most the limit; 0 if there is none.
inline void find_first(const double* x, int count, int stride, int rows, const double* limit,
                       double* first) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes most = lanes(limit + r);
    Lanes found = {0, 0};
    for (int c = count - 1; c >= 0; --c) {
      const Lanes column = Lanes{} + c;
      found = lanes(x + c * stride + r) <= most ? column : found;
    }
    lanes(first + r) = found;
  }
}

// The same without the column `taken`: the least, and the first that exceeds it by at
// most the band (of two columns or more).
inline void find_second(const double* x, int count, int stride, int rows, const double* taken,
                        const double* band, double* least, double* first) {
  for (int r = 0; r < rows; r += 2) {
    const Lanes best = lanes(taken + r);
    Lanes low = Lanes{} + __builtin_inf();
    for (int c = 0; c < count; ++c) {
      const Lanes v = lanes(x + c * stride + r);
      low = (best != Lanes{} + c) & (v < low) ? v : low;
    }
    lanes(least + r) = low;
    const Lanes most = low + lanes(band + r);
    Lanes found = {0, 0};
    for (int c = count - 1; c >= 0; --c) {
      const Lanes column = Lanes{} + c;
      found = (best != column) & (lanes(x + c * stride + r) <= most) ? column : found;
    }
    lanes(first + r) = found;
  }
}

}  // namespace kernel
}  // namespace bayesrisk
