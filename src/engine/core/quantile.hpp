#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace bayesrisk {

// The number at `share` of the way from `low` to `high`. The result always lies between the two,
// even if the difference overflows or is rounded.
inline double between(double low, double high, double share) {
  const double apart = high - low;
  return std::min(high, std::isinf(apart) ? (1 - share) * low + share * high : low + share * apart);
}

// The quantile at `share` of `count` sorted values whose weights sum to `total`. A value of weight
// w counts as w copies. Neighbours are interpolated (type 7 of Hyndman and Fan 1996).
inline double weighted_quantile(const double* value, const double* weight, Index count,
                                double total, double share) {
  const double place = std::max(0.0, (total - 1) * share), whole = std::floor(place);
  // The value whose copies have the ranks from `below` up to `below` + weight.
  const auto in_order = [&](double at) {
    double below = 0;
    for (Index i = 0; i + 1 < count; ++i) {
      below += weight[i];
      if (below > at) return value[i];
    }
    return value[count - 1];
  };
  const double low = in_order(whole);
  return place == whole ? low : between(low, in_order(whole + 1), place - whole);
}

}  // namespace bayesrisk
