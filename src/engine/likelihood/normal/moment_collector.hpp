#pragma once

#include <engine/likelihood/normal/moments.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Collects the moments of one chunk, slice by slice, several columns side by side. The running mean
// of each group is the shift. The shift of a new group is its first number; if this number is too
// far from the mean, the slice is read again with the mean as the shift.
class MomentCollector {
 public:
  MomentCollector(const Frame& frame, const IntVector& features, const Chunk& chunk,
                  Moments& moments, Diagnostics& diagnostics);

  void collect();

 private:
  static constexpr int kMostLanes = 8;
  // Each pass brings the shift 16 digits nearer to the mean. Few passes are enough, because only a
  // number of little weight can be many standard deviations away from the mean.
  static constexpr int kMostPasses = 3;

  void count_slice();

  // Unused lanes read the last column again. If numbers are missing, the slice is read again,
  // without the missing numbers.
  void collect_columns(int first_feature, int count);

  void load(int first_feature, int count, const double** x);

  // Shifts by the running means. A new group is shifted by its first number.
  bool prepare_shift(const double* const* x, int first_feature, int count);

  // The first finite number of a group that has rows in the slice; NaN if there is none.
  double first_number(const double* x, int g);

  void find_first_rows(const int* group) {
    first_row_.assign(slots(), rows_);
    for (int r = 0, found = 0; r < rows_ && found < chunk_.groups; ++r) {
      if (first_row_[group[r]] < rows_) continue;
      first_row_[group[r]] = r;
      found += group[r] < chunk_.groups;
    }
  }

  int slots() const { return chunk_.groups + 1; }

  // With few groups successive rows often add to the same sum. Several banks of sums let these
  // additions run at the same time.
  int banks() const { return chunk_.groups <= 32 ? 4 : chunk_.groups <= 128 ? 2 : 1; }

  // Sums all numbers.
  void sum_up(const double* const* x);

  // Sums only the known numbers.
  void sum_up_known(const double* const* x);

  void add(const double* const* x, const int* group, const double* weight, int rows, int banks,
           bool known) {
    loops_.add_moments(x, lanes_, group, weight, rows, slots(), banks, sums_.data(), known);
  }

  bool all_finite();

  void report_infinite(const double* x, int feature);

  // Moves the shifts of groups to their means where the scatter, computed from deviations from the
  // shift, would lose more than four bits. The sums of these groups begin again. Returns whether
  // there are such groups.
  bool recentre();

  // Sums the rows of the loose groups, side by side. Their weights are known.
  void sum_again(const double* const* x, bool incomplete);

  int slot_size() const { return simd::kMomentParts * lanes_; }

  // The shifts, or one of the sums, of a group in the first bank: a number for each lane.
  double* sum_of(simd::MomentPart part, int g) {
    return sums_.data() + static_cast<std::size_t>(g) * slot_size() + part * lanes_;
  }

  const Frame& frame_;
  const IntVector& features_;
  const Chunk& chunk_;
  Moments& moments_;
  Diagnostics& diagnostics_;
  const simd::TileLoops& loops_ = simd::tile_loops();
  const int slice_;
  int first_ = 0;
  int rows_ = 0;
  int lanes_ = kMostLanes;   // columns that are read side by side
  IntVector first_row_;      // the first row of each group in the slice; empty: not needed yet
  std::vector<char> loose_;  // per group: whether its sums begin again
  Vector slice_weight_, buffer_;
  Vector sums_;  // per bank, slot, part (see simd::MomentPart) and lane
};

}  // namespace bayesrisk
