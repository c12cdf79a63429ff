#pragma once

#include <engine/likelihood/moments.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Collects the moments of one chunk, slice by slice, several columns side by side. The running mean
// of each group is the shift. The shift of a new group is its first number; if this number is too
// far from the mean, the slice is read again with the mean as the shift.
class MomentCollector {
 public:
  MomentCollector(const Frame& frame, const IntVector& features, const Chunk& chunk,
                  Moments& moments, Diagnostics& diagnostics)
      : frame_(frame),
        features_(features),
        chunk_(chunk),
        moments_(moments),
        diagnostics_(diagnostics),
        slice_(slice_size(chunk.groups)),
        slice_weight_(chunk.groups + 1) {}

  void collect() {
    for (int first = 0; first < chunk_.rows; first += slice_) {
      chunk_.check();
      first_ = first;
      rows_ = std::min(slice_, chunk_.rows - first);
      count_slice();
      first_row_.clear();
      const int features = static_cast<int>(features_.size());
      for (int j = 0; j < features; j += lanes_) {
        lanes_ = features - j > 4 ? 8 : 4;
        collect_columns(j, std::min(lanes_, features - j));
      }
    }
  }

 private:
  static constexpr int kMostLanes = 8;
  // Each pass brings the shift 16 digits nearer to the mean. Few passes are enough, because only a
  // number of little weight can be many standard deviations away from the mean.
  static constexpr int kMostPasses = 3;

  void count_slice() {
    if (!chunk_.weight && chunk_.slice_rows) {
      const int* rows = chunk_.slice_rows + static_cast<Index>(first_ / slice_) * slots();
      slice_weight_.assign(rows, rows + slots());
      return;
    }
    std::fill(slice_weight_.begin(), slice_weight_.end(), 0.0);
    for (int r = first_; r < first_ + rows_; ++r) {
      slice_weight_[chunk_.group[r]] += chunk_.weight ? chunk_.weight[r] : 1.0;
    }
  }

  // Unused lanes read the last column again. If numbers are missing, the slice is read again,
  // without the missing numbers.
  void collect_columns(int first_feature, int count) {
    const double* x[kMostLanes];
    load(first_feature, count, x);
    const bool fresh = prepare_shift(x, first_feature, count);
    sum_up(x);
    const bool incomplete = !all_finite();
    if (incomplete) {
      for (int lane = 0; lane < count; ++lane) report_infinite(x[lane], first_feature + lane);
      sum_up_known(x);
    }
    for (int pass = 0; fresh && pass < kMostPasses && recentre(); ++pass) {
      sum_again(x, incomplete);
    }
    for (int lane = 0; lane < count; ++lane) {
      for (int g = 0; g < chunk_.groups; ++g) {
        moments_.add(g, first_feature + lane, sum_of(simd::kKnown, g)[lane],
                     sum_of(simd::kShift, g)[lane], sum_of(simd::kSum, g)[lane],
                     sum_of(simd::kSquare, g)[lane]);
      }
    }
  }

  void load(int first_feature, int count, const double** x) {
    for (int lane = 0; lane < lanes_; ++lane) {
      if (lane >= count) {
        x[lane] = x[count - 1];
        continue;
      }
      const Column& column = frame_.columns[features_[first_feature + lane]];
      double* buffer = nullptr;
      if (!column.real) {
        buffer_.resize(static_cast<std::size_t>(kMostLanes) * slice_);
        buffer = buffer_.data() + static_cast<std::size_t>(lane) * slice_;
      }
      x[lane] = load_numbers(column, chunk_.begin + first_, rows_, rows_, buffer);
    }
  }

  // Shifts by the running means. A new group is shifted by its first number.
  bool prepare_shift(const double* const* x, int first_feature, int count) {
    bool fresh = false;
    sums_.assign(static_cast<std::size_t>(banks()) * slots() * slot_size(), 0.0);
    for (int lane = 0; lane < lanes_; ++lane) {
      const int feature = first_feature + std::min(lane, count - 1);
      for (int g = 0; g < chunk_.groups; ++g) {
        // A mean of very little weight is not used as a shift, because the deviations would cancel.
        const double before = moments_.weight(g, feature);
        double& shift = sum_of(simd::kShift, g)[lane];
        if (before > 0 && before >= slice_weight_[g] / 16) {
          shift = moments_.mean(g, feature);
        } else if (slice_weight_[g] > 0) {
          shift = first_number(x[lane], g);
          fresh = true;
        }
      }
    }
    return fresh;
  }

  // The first finite number of a group that has rows in the slice; NaN if there is none.
  double first_number(const double* x, int g) {
    const int* group = chunk_.group + first_;
    if (first_row_.empty()) find_first_rows(group);
    for (int r = first_row_[g]; r < rows_; ++r) {
      if (group[r] == g && std::isfinite(x[r])) return x[r];
    }
    return kNaN;
  }

  void find_first_rows(const int* group) {
    first_row_.assign(slots(), rows_);
    for (int r = rows_ - 1; r >= 0; --r) first_row_[group[r]] = r;
  }

  int slots() const { return chunk_.groups + 1; }

  // With few groups successive rows often add to the same sum. Several banks of sums let these
  // additions run at the same time.
  int banks() const { return chunk_.groups <= 32 ? 4 : chunk_.groups <= 128 ? 2 : 1; }

  // Sums all numbers.
  void sum_up(const double* const* x) {
    add(x, chunk_.group + first_, chunk_.weight ? chunk_.weight + first_ : nullptr, rows_, banks(),
        false);
    for (int g = 0; g < slots(); ++g) {
      std::fill_n(sum_of(simd::kKnown, g), lanes_, slice_weight_[g]);
    }
  }

  // Sums only the known numbers.
  void sum_up_known(const double* const* x) {
    for (double* at = sums_.data(); at != sums_.data() + sums_.size(); at += slot_size()) {
      std::fill(at + simd::kSum * lanes_, at + slot_size(), 0.0);
    }
    add(x, chunk_.group + first_, chunk_.weight ? chunk_.weight + first_ : nullptr, rows_, banks(),
        true);
  }

  void add(const double* const* x, const int* group, const double* weight, int rows, int banks,
           bool known) {
    loops_.add_moments(x, lanes_, group, weight, rows, slots(), banks, sums_.data(), known);
  }

  bool all_finite() {
    for (int g = 0; g < chunk_.groups; ++g) {
      const double* sum = sum_of(simd::kSum, g);
      if (!std::all_of(sum, sum + lanes_, [](double s) { return std::isfinite(s); })) return false;
    }
    return true;
  }

  void report_infinite(const double* x, int feature) {
    double infinite = 0;
    for (int r = 0; r < rows_; ++r) {
      infinite += std::isinf(x[r]) && chunk_.group[first_ + r] < chunk_.groups;
    }
    if (infinite > 0) diagnostics_.add(Problem::infinite, kAll, features_[feature], infinite);
  }

  // Moves the shifts of groups to their means where the scatter, computed from deviations from the
  // shift, would lose more than four bits. The sums of these groups begin again. Returns whether
  // there are such groups.
  bool recentre() {
    loose_.assign(slots(), 0);
    bool any = false;
    for (int g = 0; g < chunk_.groups; ++g) {
      double *shift = sum_of(simd::kShift, g), *sum = sum_of(simd::kSum, g);
      double* square = sum_of(simd::kSquare, g);
      const double* weight = sum_of(simd::kKnown, g);
      for (int lane = 0; lane < lanes_ && !loose_[g]; ++lane) {
        if (weight[lane] <= 0) continue;
        const double scatter = square[lane] - sum[lane] * (sum[lane] / weight[lane]);
        loose_[g] = !(scatter >= square[lane] / 16);
      }
      if (!loose_[g]) continue;
      any = true;
      for (int lane = 0; lane < lanes_; ++lane) {
        const double offset = sum[lane] / weight[lane];
        if (std::isfinite(offset)) shift[lane] += offset;
        sum[lane] = square[lane] = 0;
      }
    }
    return any;
  }

  // Sums the rows of the loose groups, side by side. Their weights are known.
  void sum_again(const double* const* x, bool incomplete) {
    const int* group = chunk_.group + first_;
    IntVector rows, group_of;
    for (int r = 0; r < rows_; ++r) {
      if (!loose_[group[r]]) continue;
      rows.push_back(r);
      group_of.push_back(group[r]);
    }
    const std::size_t count = rows.size();
    Vector numbers(count * lanes_), weight(chunk_.weight ? count : 0);
    const double* columns[kMostLanes];
    for (int lane = 0; lane < lanes_; ++lane) {
      double* column = numbers.data() + static_cast<std::size_t>(lane) * count;
      for (std::size_t i = 0; i < count; ++i) column[i] = x[lane][rows[i]];
      columns[lane] = column;
    }
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = chunk_.weight[first_ + rows[i]];
    for (int g = 0; g < chunk_.groups && incomplete; ++g) {
      if (loose_[g]) std::fill_n(sum_of(simd::kKnown, g), lanes_, 0.0);
    }
    add(columns, group_of.data(), chunk_.weight ? weight.data() : nullptr, static_cast<int>(count),
        1, incomplete);
  }

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
