#include <engine/likelihood/normal/moment_collector.hpp>
#include <engine/likelihood/normal/moments.hpp>

namespace bayesrisk {

void Moments::add(int g, int j, double part_weight, double shift, double sum, double square) {
  if (part_weight <= 0) return;
  const double offset = sum / part_weight;
  const double scatter = std::isinf(square) ? square : std::max(0.0, square - sum * offset);
  add_part(g, j, part_weight, shift, offset, scatter);
}

void Moments::merge(const Moments& other) {
  for (int j = 0; j < weight.cols(); ++j) {
    for (int g = 0; g < weight.rows(); ++g) {
      if (other.weight(g, j) > 0) {
        add_part(g, j, other.weight(g, j), other.mean(g, j), other.mean_low(g, j),
                 other.scatter(g, j));
      }
    }
  }
}

void Moments::add_part(int g, int j, double part_weight, double part_mean, double part_low,
                       double part_scatter) {
  const double before = weight(g, j);
  const double total = before + part_weight;
  const DoubleDouble old{mean(g, j), mean_low(g, j)}, part{part_mean, part_low};
  const double delta = before > 0 ? difference(part, old) : 0.0;
  const DoubleDouble moved = merged_mean(before, old, part_weight, part, delta);
  mean(g, j) = moved.high;
  mean_low(g, j) = moved.low;
  scatter(g, j) += part_scatter + delta * delta * before * (part_weight / total);
  // The difference of the means overflows, and so does the scatter.
  if (std::isnan(scatter(g, j))) scatter(g, j) = -kNegativeInfinity;
  weight(g, j) = total;
}

Spread::Spread(const Moments& moments, Index feature, bool unbiased)
    : moments_(moments), j_(feature), unbiased_(unbiased) {
  double scatter = 0, divisors = 0, all_scatter = 0, all_divisors = 0;
  for (int g = 0; g < moments.weight.rows(); ++g) {
    mean_.add(moments.weight(g, j_), {moments.mean(g, j_), moments.mean_low(g, j_)});
    spreads_ = spreads_ || moments.scatter(g, j_) > 0;
    if (moments.weight(g, j_) > 0) {
      all_scatter += moments.scatter(g, j_);
      all_divisors += divisor(g);
    }
    if (!(divisor(g) > 0)) continue;
    scatter += moments.scatter(g, j_);
    divisors += divisor(g);
  }
  if (divisors > 0) pooled_ = scatter / divisors;
  shared_ = all_divisors > 0 ? all_scatter / all_divisors : kNaN;
}

MomentCollector::MomentCollector(const Frame& frame, const IntVector& features, const Chunk& chunk,
                                 Moments& moments, Diagnostics& diagnostics)
    : frame_(frame),
      features_(features),
      chunk_(chunk),
      moments_(moments),
      diagnostics_(diagnostics),
      slice_(slice_size(chunk.groups)),
      slice_weight_(chunk.groups + 1) {}

void MomentCollector::collect() {
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

void MomentCollector::count_slice() {
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

void MomentCollector::collect_columns(int first_feature, int count) {
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

void MomentCollector::load(int first_feature, int count, const double** x) {
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

bool MomentCollector::prepare_shift(const double* const* x, int first_feature, int count) {
  bool fresh = false;
  sums_.assign(static_cast<std::size_t>(banks()) * slots() * slot_size(), 0.0);
  // Group by group: its first numbers are then fetched from all columns at the same time.
  for (int g = 0; g < chunk_.groups; ++g) {
    for (int lane = 0; lane < lanes_; ++lane) {
      const int feature = first_feature + std::min(lane, count - 1);
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

double MomentCollector::first_number(const double* x, int g) {
  const int* group = chunk_.group + first_;
  if (first_row_.empty()) find_first_rows(group);
  for (int r = first_row_[g]; r < rows_; ++r) {
    if (group[r] == g && std::isfinite(x[r])) return x[r];
  }
  return kNaN;
}

void MomentCollector::sum_up(const double* const* x) {
  add(x, chunk_.group + first_, chunk_.weight ? chunk_.weight + first_ : nullptr, rows_, banks(),
      false);
  for (int g = 0; g < slots(); ++g) {
    std::fill_n(sum_of(simd::kKnown, g), lanes_, slice_weight_[g]);
  }
}

void MomentCollector::sum_up_known(const double* const* x) {
  for (double* at = sums_.data(); at != sums_.data() + sums_.size(); at += slot_size()) {
    std::fill(at + simd::kSum * lanes_, at + slot_size(), 0.0);
  }
  add(x, chunk_.group + first_, chunk_.weight ? chunk_.weight + first_ : nullptr, rows_, banks(),
      true);
}

bool MomentCollector::all_finite() {
  for (int g = 0; g < chunk_.groups; ++g) {
    const double* sum = sum_of(simd::kSum, g);
    if (!std::all_of(sum, sum + lanes_, [](double s) { return std::isfinite(s); })) return false;
  }
  return true;
}

void MomentCollector::report_infinite(const double* x, int feature) {
  double infinite = 0;
  for (int r = 0; r < rows_; ++r) {
    infinite += std::isinf(x[r]) && chunk_.group[first_ + r] < chunk_.groups;
  }
  if (infinite > 0) diagnostics_.add(Problem::infinite, kAll, features_[feature], infinite);
}

bool MomentCollector::recentre() {
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

void MomentCollector::sum_again(const double* const* x, bool incomplete) {
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
  add(columns, group_of.data(), chunk_.weight ? weight.data() : nullptr, static_cast<int>(count), 1,
      incomplete);
}

}  // namespace bayesrisk
