#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace bayesrisk {

// Counts the numbers of an increasing sequence that are at most x. For many x, buckets of equal
// width are faster than a search. One monotone formula gives the buckets of x and of the numbers.
// So x is compared only with the numbers in its own bucket.
class Ranks {
 public:
  // `asked`: the number of calls of up_to() to come.
  Ranks(const double* values, Index count, Index asked) : values_(values), count_(count) {
    first_ = {0, static_cast<int>(count)};
    if (asked < count / kValuesPerSearch) return;
    const double range = count > 0 ? values[count - 1] - values[0] : 0;
    const auto buckets = static_cast<double>(kFewestBuckets + 4 * count);
    const double scale = buckets / range;
    if (std::isfinite(range) && std::isfinite(scale)) scale_ = scale;
    first_.assign(static_cast<std::size_t>(buckets) + 3, 0);
    for (Index i = 0; i < count; ++i) ++first_[bucket(values[i]) + 1];
    for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
  }

  // For any number but NaN.
  Index up_to(double x) const {
    if (count_ == 0 || x < values_[0]) return 0;
    if (x >= values_[count_ - 1]) return count_;
    const std::size_t b = bucket(x);
    const double *first = values_ + first_[b], *last = values_ + first_[b + 1];
    if (last - first > kFewInBucket) return std::upper_bound(first, last, x) - values_;
    while (first < last && *first <= x) ++first;
    return first - values_;
  }

 private:
  static constexpr int kFewestBuckets = 256, kFewInBucket = 8;
  static constexpr int kValuesPerSearch = 16;  // values put into buckets in the time of a search

  std::size_t bucket(double x) const {
    return scale_ > 0 ? static_cast<std::size_t>((x - values_[0]) * scale_) : 0;
  }

  const double* values_;
  Index count_;
  double scale_ = 0;  // 0: one bucket
  IntVector first_;   // of the numbers in each bucket
};

}  // namespace bayesrisk
