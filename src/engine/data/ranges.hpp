#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/quantile.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>

#include <utility>

namespace bayesrisk {

// The range of the finite numbers of a feature in all rows that count. Some plans need the range
// before statistics are collected.
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
  Vector value, weight;
  for (const auto& [x, w] : values) {
    value.push_back(x);
    weight.push_back(w);
  }
  const auto quantile = [&](double share) {
    return weighted_quantile(value.data(), weight.data(), static_cast<Index>(value.size()),
                             range.weight, share);
  };
  range.lower_quartile = quantile(0.25);
  range.upper_quartile = quantile(0.75);
  return range;
}

}  // namespace bayesrisk
