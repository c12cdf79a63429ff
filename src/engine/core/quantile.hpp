#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace bayesrisk {

// `share` of the way from one number to a higher one: never beyond either, by rounding or where
// doubles do not go as far as from one to the other.
inline double between(double low, double high, double share) {
  const double apart = high - low;
  return std::min(high, std::isinf(apart) ? (1 - share) * low + share * high : low + share * apart);
}

// The quantile of `share` among `count` values in order, of rows that were copied as often as
// they weigh, `total` in all, interpolated between its neighbours (type 7 of Hyndman and Fan
// 1996).
inline double weighted_quantile(const double* value, const double* weight, Index count,
                                double total, double share) {
  const double place = std::max(0.0, (total - 1) * share), whole = std::floor(place);
  // The value whose copies are in order those from `below` up to `below` + weight.
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
