#pragma once

#include <bayesrisk/core/diagnostics.hpp>
#include <bayesrisk/core/log_math.hpp>
#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/data/rows.hpp>
#include <bayesrisk/kernel/tile_kernels.hpp>

namespace bayesrisk {

// Weight, mean and scatter (sum of weighted squared deviations from the mean)
// of each feature in each group; the mean as two numbers, so that nothing is
// lost at a large offset. Groups in rows, features in columns.
struct Moments {
  Matrix weight, mean, mean_low, scatter;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("mean", self.mean);
    visit("mean_low", self.mean_low);
    visit("scatter", self.scatter);
  }

  Moments() = default;
  Moments(int groups, int features)
      : weight(Matrix::Zero(groups, features)), mean(weight), mean_low(weight), scatter(weight) {}

  bool consistent(int groups, int features) const {
    return has_shape(weight, groups, features) && has_shape(mean, groups, features) &&
           has_shape(mean_low, groups, features) && has_shape(scatter, groups, features);
  }

  // Adds a part whose weighted deviations from `shift` sum to `sum` and their
  // squares to `square`.
  void add(int g, int j, double part_weight, double shift, double sum, double square) {
    if (part_weight <= 0) return;
    const double offset = sum / part_weight;
    const double scatter = std::isinf(square) ? square : std::max(0.0, square - sum * offset);
    add_part(g, j, part_weight, shift, offset, scatter);
  }

  Moments of_groups(int first, int count) const {
    Moments part;
    part.weight = weight.middleRows(first, count);
    part.mean = mean.middleRows(first, count);
    part.mean_low = mean_low.middleRows(first, count);
    part.scatter = scatter.middleRows(first, count);
    return part;
  }

  void merge(const Moments& other) {
    for (int j = 0; j < weight.cols(); ++j) {
      for (int g = 0; g < weight.rows(); ++g) {
        if (other.weight(g, j) > 0) {
          add_part(g, j, other.weight(g, j), other.mean(g, j), other.mean_low(g, j),
                   other.scatter(g, j));
        }
      }
    }
  }

 private:
  void add_part(int g, int j, double part_weight, double part_mean, double part_low,
                double part_scatter) {
    const double before = weight(g, j);
    const double total = before + part_weight;
    const double delta = before > 0 ? (part_mean - mean(g, j)) + (part_low - mean_low(g, j)) : 0.0;
    const double share = part_weight / total;
    // From the heavier side, so that the step is small.
    const TwoPart moved = before >= part_weight
                              ? two_sum(mean(g, j), mean_low(g, j) + delta * share)
                              : two_sum(part_mean, part_low - delta * (before / total));
    mean(g, j) = moved.high;
    mean_low(g, j) = moved.low;
    scatter(g, j) += part_scatter + delta * delta * before * share;
    weight(g, j) = total;
  }
};

// Collects the moments of one chunk, block by block, several columns side by
// side, with the running mean of each group as the shift. Where a group is new
// the block is read twice: first for its mean, then for its scatter.
class MomentCollector {
 public:
  MomentCollector(const Frame& frame, const IntVector& features, const Chunk& chunk,
                  Moments& moments, Diagnostics& diagnostics)
      : frame_(frame),
        features_(features),
        chunk_(chunk),
        moments_(moments),
        diagnostics_(diagnostics),
        block_weight_(chunk.groups + 1) {}

  void collect() {
    for (int first = 0; first < chunk_.rows; first += kBlock) {
      first_ = first;
      rows_ = std::min(kBlock, chunk_.rows - first);
      count_block();
      const int features = static_cast<int>(features_.size());
      for (int j = 0; j < features; j += lanes_) {
        lanes_ = features - j > 4 ? 8 : 4;
        collect_columns(j, std::min(lanes_, features - j));
      }
    }
  }

 private:
  static constexpr int kBlock = 4096;
  static constexpr int kMostLanes = 8;

  void count_block() {
    const int* group = chunk_.group + first_;
    if (!chunk_.weight) {
      const std::vector<int> rows = count_groups(group, rows_, chunk_.groups);
      block_weight_.assign(rows.begin(), rows.end());
      return;
    }
    std::fill(block_weight_.begin(), block_weight_.end(), 0.0);
    for (int r = 0; r < rows_; ++r) block_weight_[group[r]] += chunk_.weight[first_ + r];
  }

  // Lanes that are left over read the last column again.
  void collect_columns(int first_feature, int count) {
    const double* x[kMostLanes];
    buffer_.resize(static_cast<std::size_t>(kMostLanes) * kBlock);
    for (int lane = 0; lane < lanes_; ++lane) {
      if (lane >= count) {
        x[lane] = x[count - 1];
        continue;
      }
      const Column& column = frame_.columns[features_[first_feature + lane]];
      x[lane] = load_numbers(column, chunk_.begin + first_, rows_, rows_,
                             buffer_.data() + static_cast<std::size_t>(lane) * kBlock);
    }
    const bool fresh = prepare_shift(x, first_feature, count);
    sum_up(x);
    if (fresh) {
      recentre();
      sum_up(x);
    }
    for (int lane = 0; lane < count; ++lane) add_lane(x[lane], first_feature + lane, lane);
  }

  // The running means; for a group that is new, its first number.
  bool prepare_shift(const double* const* x, int first_feature, int count) {
    bool fresh = false;
    shift_.assign(static_cast<std::size_t>(slots()) * lanes_, 0.0);
    for (int lane = 0; lane < count; ++lane) {
      int waiting = 0;
      for (int g = 0; g < chunk_.groups; ++g) {
        // A mean of next to nothing is no shift: the deviations would cancel.
        const double before = moments_.weight(g, first_feature + lane);
        const bool known = before > 0 && before >= block_weight_[g] / 16;
        shift_[g * lanes_ + lane] = known ? moments_.mean(g, first_feature + lane) : kNaN;
        if (!known && block_weight_[g] > 0) ++waiting;
      }
      fresh = fresh || waiting > 0;
      const int* group = chunk_.group + first_;
      for (int r = 0; r < rows_ && waiting > 0; ++r) {
        double& shift = shift_[group[r] * lanes_ + lane];
        if (std::isnan(shift) && std::isfinite(x[lane][r])) {
          shift = x[lane][r];
          --waiting;
        }
      }
    }
    return fresh;
  }

  int slots() const { return chunk_.groups + 1; }

  // Few groups meet again and again: their sums are kept in several banks.
  int banks() const { return chunk_.groups <= 32 ? 4 : 1; }

  void sum_up(const double* const* x) {
    sum_.assign(shift_.size() * banks(), 0.0);
    square_.assign(sum_.size(), 0.0);
    kernels_.add_moments(x, lanes_, chunk_.group + first_,
                         chunk_.weight ? chunk_.weight + first_ : nullptr, rows_, slots(), banks(),
                         shift_.data(), sum_.data(), square_.data());
  }

  void recentre() {
    for (int g = 0; g < chunk_.groups; ++g) {
      for (int lane = 0; lane < lanes_; ++lane) {
        const double offset = sum_[g * lanes_ + lane] / block_weight_[g];
        if (std::isfinite(offset)) shift_[g * lanes_ + lane] += offset;
      }
    }
  }

  void add_lane(const double* x, int feature, int lane) {
    for (int g = 0; g < chunk_.groups; ++g) {
      if (block_weight_[g] > 0 && !std::isfinite(sum_[g * lanes_ + lane])) {
        return add_incomplete(x, feature);
      }
    }
    for (int g = 0; g < chunk_.groups; ++g) {
      const int at = g * lanes_ + lane;
      moments_.add(g, feature, block_weight_[g], shift_[at], sum_[at], square_[at]);
    }
  }

  // The slow path of a column with missing or infinite numbers: the same two
  // readings, over the numbers that are there.
  void add_incomplete(const double* x, int feature) {
    const int* group = chunk_.group + first_;
    Vector weight(chunk_.groups + 1, 0.0), shift(weight), sum(weight), square(weight);
    double infinite = 0;
    for (int r = 0; r < rows_; ++r) {
      const int g = group[r];
      if (g == chunk_.groups || std::isnan(x[r])) continue;
      if (std::isinf(x[r])) {
        ++infinite;
        continue;
      }
      const double w = chunk_.weight ? chunk_.weight[first_ + r] : 1.0;
      if (weight[g] == 0) shift[g] = x[r];
      weight[g] += w;
      sum[g] += w * (x[r] - shift[g]);
    }
    if (infinite > 0) diagnostics_.add(Problem::infinite, kAll, features_[feature], infinite);
    for (int g = 0; g < chunk_.groups; ++g) {
      if (weight[g] > 0) shift[g] += sum[g] / weight[g];
    }
    std::fill(sum.begin(), sum.end(), 0.0);
    for (int r = 0; r < rows_; ++r) {
      const int g = group[r];
      if (g == chunk_.groups || !std::isfinite(x[r])) continue;
      const double w = chunk_.weight ? chunk_.weight[first_ + r] : 1.0;
      const double d = x[r] - shift[g];
      sum[g] += w * d;
      square[g] += w * d * d;
    }
    for (int g = 0; g < chunk_.groups; ++g) {
      moments_.add(g, feature, weight[g], shift[g], sum[g], square[g]);
    }
  }

  const Frame& frame_;
  const IntVector& features_;
  const Chunk& chunk_;
  Moments& moments_;
  Diagnostics& diagnostics_;
  const kernel::TileKernels& kernels_ = kernel::tile_kernels();
  int first_ = 0;
  int rows_ = 0;
  int lanes_ = kMostLanes;  // columns that are read side by side
  Vector block_weight_, buffer_, shift_, sum_, square_;
};

}  // namespace bayesrisk
