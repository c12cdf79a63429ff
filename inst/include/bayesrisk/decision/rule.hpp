#pragma once

#include <bayesrisk/core/types.hpp>
#include <bayesrisk/kernel/columns.hpp>

#include <cmath>

namespace bayesrisk {

constexpr double kTie = 1e-12;

// Which column of a tile is least in each row, the first within the band of a tie:
// actions by expected cost, classes by their loss. Columns are `stride` long.
class Ranking {
 public:
  explicit Ranking(int capacity)
      : least_(capacity),
        band_(capacity),
        limit_(capacity),
        first_(capacity),
        second_least_(capacity),
        second_(capacity) {}

  // `size` is what the band is relative to.
  void rank(const double* values, int count, int stride, const double* size) {
    kernel::find_least(values, count, stride, stride, least_.data());
    find_first(values, count, stride, size);
  }

  // Relative to the least itself, or to `floor` where that is more.
  void rank_losses(const double* losses, int count, int stride, double floor) {
    kernel::find_least(losses, count, stride, stride, least_.data());
    kernel::size_at_least(least_.data(), floor, stride, band_.data());
    find_first(losses, count, stride, band_.data());
  }

  void rank_second(const double* values, int count, int stride) {
    kernel::find_second(values, count, stride, stride, first_.data(), band_.data(),
                        second_least_.data(), second_.data());
  }

  const double* least() const { return least_.data(); }
  const double* first() const { return first_.data(); }
  const double* second() const { return second_.data(); }
  bool unknown(int r) const { return std::isnan(least_[r]); }
  bool tie(int r) const { return second_least_[r] <= limit_[r]; }

 private:
  void find_first(const double* values, int count, int stride, const double* size) {
    kernel::find_first(values, count, stride, stride, least_.data(), size, kTie, band_.data(),
                       limit_.data(), first_.data());
  }

  Vector least_, band_, limit_, first_, second_least_, second_;
};

}  // namespace bayesrisk
