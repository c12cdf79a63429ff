#pragma once

namespace bayesrisk {
namespace simd {

// Tables of counts or weights. Successive rows add to two tables in turn, `cells` apart, because
// additions to one table would have to wait for each other.
constexpr int kCountBanks = 2;

inline void count_cells(const int* cell, int rows, int cells, int* count) {
  int r = 0;
  for (; r + 2 <= rows; r += 2) {
    ++count[cell[r]];
    ++count[cells + cell[r + 1]];
  }
  if (r < rows) ++count[cell[r]];
}

inline void add_weights(const int* cell, const double* weight, int rows, int cells, double* sum) {
  int r = 0;
  for (; r + 2 <= rows; r += 2) {
    sum[cell[r]] += weight[r];
    sum[cells + cell[r + 1]] += weight[r + 1];
  }
  if (r < rows) sum[cell[r]] += weight[r];
}

// first[i] += second[i]
template <class Count>
inline void add_cells(const Count* second, int cells, Count* first) {
  for (int i = 0; i < cells; ++i) first[i] += second[i];
}

}  // namespace simd
}  // namespace bayesrisk
