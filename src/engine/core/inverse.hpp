#pragma once

#include <engine/core/log_math.hpp>

#include <algorithm>
#include <cstdint>

namespace bayesrisk {

// Inverse transforms: quantiles of distributions at uniform numbers.

// Bits as a number between 0 and 1, both ends excluded: (j + 1/2) 2^-52.
inline double open_unit(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

inline double polynomial(const double (&coefficient)[8], double x) {
  double value = 0;
  for (int i = 7; i >= 0; --i) value = value * x + coefficient[i];
  return value;
}

// The quantile of the standard normal, with a relative error of 1e-15: algorithm AS 241, PPND16
// (Wichura 1988, Applied Statistics 37, 477-484).
double normal_quantile(double p);

// The first index whose cumulative weight exceeds u times the total: an index without weight is
// never chosen.
inline int index_of_weight(const double* cumulative, int count, double u) {
  const double whole = cumulative[count - 1];
  const double* end = cumulative + count;
  const double* found = std::upper_bound(cumulative, end, u * whole);
  if (found == end) found = std::lower_bound(cumulative, end, whole);
  return static_cast<int>(found - cumulative);
}

}  // namespace bayesrisk
