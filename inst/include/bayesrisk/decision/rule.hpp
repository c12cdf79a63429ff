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
    for (int r = 0; r < stride; r += 2) {
      kernel::lanes(&band_[r]) = kernel::lanes(size + r) * kTie;
    }
    find_first(values, count, stride);
  }

  // Relative to the least itself, or to `floor` where that is more.
  void rank_losses(const double* losses, int count, int stride, double floor) {
    kernel::find_least(losses, count, stride, stride, least_.data());
    for (int r = 0; r < stride; ++r) band_[r] = kTie * std::max(floor, std::abs(least_[r]));
    find_first(losses, count, stride);
  }

  void rank_second(const double* values, int count, int stride) {
    kernel::find_second(values, count, stride, stride, first_.data(), band_.data(),
                        second_least_.data(), second_.data());
  }

  const double* least() const { return least_.data(); }
  bool unknown(int r) const { return std::isnan(least_[r]); }
  int first(int r) const { return static_cast<int>(first_[r]); }
  int second(int r) const { return static_cast<int>(second_[r]); }
  bool tie(int r) const { return second_least_[r] <= limit_[r]; }

 private:
  void find_first(const double* values, int count, int stride) {
    for (int r = 0; r < stride; r += 2) {
      kernel::lanes(&limit_[r]) = kernel::lanes(&least_[r]) + kernel::lanes(&band_[r]);
    }
    kernel::find_first(values, count, stride, stride, limit_.data(), first_.data());
  }

  Vector least_, band_, limit_, first_, second_least_, second_;
};

}  // namespace bayesrisk
