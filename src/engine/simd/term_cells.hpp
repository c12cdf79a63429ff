#pragma once

namespace bayesrisk {
namespace simd {

// Numbers from `low` to `high`: whole ones if `rounder` is 2^52, all if it is 0.
struct NumberRange {
  double low, high, rounder;
};

// The cells of one term of a sparse matrix, from the row `first` on and up to the first row that
// is `stop` or more. `presence`: a value that is not 0 stands for 1. `model`: of each row from
// `first` on, which of several rows of coefficients is its own; null: there is one.
struct TermCells {
  const int* row;
  const double* value;
  int count, first, stop;
  NumberRange range;
  bool presence;
  const unsigned short* model;
};

}  // namespace simd
}  // namespace bayesrisk
