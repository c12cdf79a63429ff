#pragma once

namespace bayesrisk {
namespace kernel {

// Sums of d = x - shift and of d^2 per group, for `Lanes` columns side by side.
// shift, sum and square hold Lanes numbers per group. Several columns at once,
// because each group's accumulator is a chain of dependent additions.
template <int Lanes>
inline void add_moments(const double* const* x, const int* group, int rows, const double* shift,
                        double* sum, double* square) {
  for (int r = 0; r < rows; ++r) {
    const int at = group[r] * Lanes;
    for (int lane = 0; lane < Lanes; ++lane) {
      const double d = x[lane][r] - shift[at + lane];
      sum[at + lane] += d;
      square[at + lane] += d * d;
    }
  }
}

template <int Lanes>
inline void add_weighted_moments(const double* const* x, const int* group, const double* weight,
                                 int rows, const double* shift, double* sum, double* square) {
  for (int r = 0; r < rows; ++r) {
    const int at = group[r] * Lanes;
    for (int lane = 0; lane < Lanes; ++lane) {
      const double d = x[lane][r] - shift[at + lane];
      const double wd = weight[r] * d;
      sum[at + lane] += wd;
      square[at + lane] += wd * d;
    }
  }
}

}  // namespace kernel
}  // namespace bayesrisk
