#pragma once

#include "bytes.hpp"

#include <engine/data/ranges.hpp>

namespace fuzz {

// Without a number that counts there is no range. Quartiles that were not requested are not
// computed.
inline void check_nothing(const FeatureRange& range) {
  hold(range.weight == 0, "a weight of nothing");
  hold(range.lowest == kInfinity && range.highest == kNegativeInfinity, "a range of nothing");
}

inline void check_quartiles(const FeatureRange& range) {
  hold(range.lowest <= range.lower_quartile, "a quartile below the lowest number");
  hold(range.lower_quartile <= range.upper_quartile, "quartiles out of order");
  hold(range.upper_quartile <= range.highest, "a quartile above the highest number");
}

// No number that counts is outside of the range, and both ends are such numbers.
inline void check_ends(const FeatureRange& range, const Column& column, Index rows,
                       const Rows& counted) {
  bool lowest = false, highest = false;
  for (Index r = 0; r < rows; ++r) {
    const double x = column.real ? column.real[r] : as_number(column.integer[r]);
    const bool out = counted.weight && counted.weight[r] == 0;
    if (counted.group[r] == kMissingInteger || out || !std::isfinite(x)) continue;
    hold(range.lowest <= x && x <= range.highest, "a number outside of its range");
    lowest |= x == range.lowest;
    highest |= x == range.highest;
  }
  hold(lowest && highest, "an end that is no number of the data");
}

// Checks the range of a numeric feature, which a plan may need.
inline void check_range(const Column& column, Index rows, const Rows& counted) {
  const FeatureRange range = find_range(column, rows, counted, true);
  const FeatureRange ends = find_range(column, rows, counted, false);
  hold(std::isnan(ends.lower_quartile) && std::isnan(ends.upper_quartile),
       "a quartile that nobody asked for");
  hold(ends.weight == range.weight && ends.lowest == range.lowest && ends.highest == range.highest,
       "a range that quartiles change");
  if (range.weight == 0) {
    hold(std::isnan(range.lower_quartile) && std::isnan(range.upper_quartile),
         "a quartile of nothing");
    return check_nothing(range);
  }
  check_ends(range, column, rows, counted);
  check_quartiles(range);
}

}  // namespace fuzz
