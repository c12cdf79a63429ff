#pragma once

#include <engine/core/types.hpp>
#include <engine/simd/columns.hpp>
#include <engine/simd/tile_loops.hpp>

#include <cmath>

namespace bayesrisk {

constexpr double kTie = 1e-12;

// Finds the column with the least number in each row of a tile, and the first one among tied
// columns. Columns are actions, by expected cost, or classes, by improbability. Columns are
// `stride` long.
class Ranking {
 public:
  explicit Ranking(int capacity);

  // The tolerance of a tie is relative to `size`.
  void rank(const double* values, int count, int stride, const double* size) {
    loops_.find_least(values, count, stride, stride, least_.data());
    find_first(values, count, stride, size);
  }

  // The tolerance of a tie is relative to the least number, or to `floor` if that is larger.
  void rank_classes(const double* improbabilities, int count, int stride, double floor);

  // The second least, after rank() or rank_classes(); for two columns or more.
  void rank_second(const double* values, int count, int stride) {
    loops_.find_second(values, count, stride, stride, first_.data(), band_.data(),
                       second_least_.data(), second_.data());
  }

  // Writes the first actions, counted from 1.
  void write_first(int rows, int* codes) const { loops_.write_codes(first(), rows, codes); }
  void write_second(int rows, int* codes) const { loops_.write_codes(second(), rows, codes); }

  const double* first() const { return first_.data(); }
  const double* second() const { return second_.data(); }
  bool unknown(int r) const { return std::isnan(least_[r]); }
  // Clears the chosen columns of these rows.
  void forget(int from, int to) { std::fill(first_.begin() + from, first_.begin() + to, -1.0); }

  // If the second least is at most the limit, it ties with the least.
  const double* second_least() const { return second_least_.data(); }
  const double* limit() const { return limit_.data(); }

 private:
  void find_first(const double* values, int count, int stride, const double* size) {
    loops_.find_first(values, count, stride, stride, least_.data(), size, kTie, band_.data(),
                      limit_.data(), first_.data());
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  Vector least_, band_, limit_, first_, second_least_, second_;
};

}  // namespace bayesrisk
