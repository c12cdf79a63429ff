#pragma once

#include <engine/core/counts.hpp>
#include <engine/data/cells.hpp>

namespace bayesrisk {

// The log of the multinomial coefficient of each row, (sum of the counts)! / product of (count!).
// Returns whether all numbers are counts.
inline bool log_coefficients(const CellsByTerm& cells, double* out) {
  Vector total(static_cast<std::size_t>(cells.rows), 0.0);
  std::fill(out, out + cells.rows, 0.0);
  for (int c = 0; c < cells.begin[cells.terms]; ++c) {
    const double x = cells.value[c];
    if (!(x >= 0 && std::isfinite(x) && is_count(x))) return false;
    total[static_cast<std::size_t>(cells.row[c])] += x;
    if (x > 1) out[cells.row[c]] -= log_factorial(x);
  }
  for (Index r = 0; r < cells.rows; ++r)
    out[r] += log_factorial(total[static_cast<std::size_t>(r)]);
  return true;
}

}  // namespace bayesrisk
