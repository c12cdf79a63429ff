#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bayesrisk {

// The number at `share` of the way from `low` to `high`. The result always lies between the two,
// even if the difference overflows or is rounded.
inline double interpolate(double low, double high, double share) {
  const double apart = high - low;
  return std::min(high, std::isinf(apart) ? (1 - share) * low + share * high : low + share * apart);
}

// The quantile at `share` of values whose weights sum to `total`: type 7 of Hyndman and Fan (1996),
// the default of R. `in_order` returns the value of a rank, from 0; ranks are asked for in order.
template <class InOrder>
double quantile(double total, double share, const InOrder& in_order) {
  const double place = std::max(0.0, (total - 1) * share), whole = std::floor(place);
  const double low = in_order(whole);
  return place == whole ? low : interpolate(low, in_order(whole + 1), place - whole);
}

inline double quantile(const Vector& sorted, double share) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  return quantile(static_cast<double>(sorted.size()), share,
                  [&](double rank) { return sorted[static_cast<std::size_t>(rank)]; });
}

// A quantile of one number or more, from `begin` to `end`. Their order changes.
inline double quantile(double* begin, double* end, double share) {
  double* from = begin;
  return quantile(static_cast<double>(end - begin), share, [&](double rank) {
    double* at = begin + static_cast<Index>(rank);
    std::nth_element(from, at, end);
    from = at;
    return *at;
  });
}

// A quantile of `count` sorted values. A value of weight w counts as w copies.
inline double weighted_quantile(const double* value, const double* weight, Index count,
                                double total, double share) {
  return quantile(total, share, [&](double rank) {
    // The value whose copies have the ranks from `below` up to `below` + weight.
    double below = 0;
    for (Index i = 0; i + 1 < count; ++i) {
      below += weight[i];
      if (below > rank) return value[i];
    }
    return value[count - 1];
  });
}

}  // namespace bayesrisk
