#pragma once

#include <bayesrisk/core/log_math.hpp>
#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/data/rows.hpp>

#include <utility>

namespace bayesrisk {

// What a plan needs to know of a numeric feature before its rows are counted: over all rows
// that count, the finite numbers alone. Quartiles are values of the data, those of rows that
// were copied as often as they weigh.
struct FeatureRange {
  double weight = 0;
  double lowest = -kNegativeInfinity, highest = kNegativeInfinity;
  double lower_quartile = kNaN, upper_quartile = kNaN;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("lowest", self.lowest);
    visit("highest", self.highest);
    visit("lower_quartile", self.lower_quartile);
    visit("upper_quartile", self.upper_quartile);
  }
};

// The smallest value up to which `share` of the weight lies; `values` are sorted.
inline double weighted_quantile(const std::vector<std::pair<double, double>>& values, double weight,
                                double share) {
  double below = 0;
  for (const auto& [value, w] : values) {
    below += w;
    if (below >= share * weight) return value;
  }
  return values.back().first;
}

inline FeatureRange find_range(const Column& column, Index rows, const Rows& counted,
                               bool quartiles) {
  FeatureRange range;
  std::vector<std::pair<double, double>> values;
  for (Index r = 0; r < rows; ++r) {
    double buffer;
    const double x = *load_numbers(column, r, 1, 1, &buffer);
    const double w = counted.weight ? counted.weight[r] : 1.0;
    if (counted.group[r] == kMissingInteger || w == 0 || !std::isfinite(x)) continue;
    range.weight += w;
    range.lowest = std::min(range.lowest, x);
    range.highest = std::max(range.highest, x);
    if (quartiles) values.emplace_back(x, w);
  }
  if (values.empty()) return range;
  std::sort(values.begin(), values.end());
  range.lower_quartile = weighted_quantile(values, range.weight, 0.25);
  range.upper_quartile = weighted_quantile(values, range.weight, 0.75);
  return range;
}

}  // namespace bayesrisk
