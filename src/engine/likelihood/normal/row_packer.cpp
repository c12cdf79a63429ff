#include <engine/likelihood/normal/row_packer.hpp>

namespace bayesrisk {

RowPacker::RowPacker(const Frame& frame, const IntVector& features, const Chunk& chunk)
    : frame_(frame),
      features_(features),
      chunk_(chunk),
      size_(static_cast<int>(features.size())),
      panels_((size_ + simd::kPanel - 1) / simd::kPanel),
      capacity_(fitting_rows(columns(), chunk)),
      x_(columns()),
      group_(capacity_),
      place_(capacity_),
      start_(chunk.groups + 2),
      weight_(chunk.groups + 1),
      incomplete_{Vector(size_, 0.0), Vector(size_, 0.0)} {
  if (chunk.memory) packed_.swap(*chunk.memory);
  packed_.resize(x_.size() * capacity_);
}

void RowPacker::load(int first, const Matrix& centre, const Matrix& low) {
  first_ = first;
  rows_ = std::min(capacity_, chunk_.rows - first);
  padded_ = Tile::padded(rows_);
  std::copy_n(chunk_.group + first, rows_, group_.begin());
  std::fill(group_.begin() + rows_, group_.begin() + padded_, chunk_.groups);
  load_columns();
  sort();
  if (pack(centre, low) || !leave_out_incomplete()) return;
  sort();
  pack(centre, low);
}

IntVector RowPacker::first_rows() const {
  IntVector first(weight_.size());
  for (int r = rows_ - 1; r >= 0; --r) first[group_[r]] = r;
  return first;
}

bool RowPacker::pack(const Matrix& centre, const Matrix& low) {
  // After the last panel comes the first one of the next slice.
  const double* next_slice[simd::kPanel];
  for (int c = 0; c < simd::kPanel; ++c) next_slice[c] = x_[c] + padded_;
  bool finite = true;
  for (int i = 0; i < panels_; ++i) {
    const int at = i * simd::kPanel;
    const double* const* next =
        i + 1 < panels_ ? x_.data() + at + simd::kPanel : static_cast<const double**>(next_slice);
    finite &= loops_.pack_panel(x_.data() + at, next, padded_, group_.data(), place_.data(),
                                chunk_.weight ? root_.data() : nullptr, centre.data() + at,
                                low.data() + at, columns(), packed_.data() + i * distance());
  }
  return finite;
}

Eigen::VectorXd RowPacker::sums(int g) const {
  const simd::PackedRows rows = packed(g);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(columns());
  for (int i = 0; i < panels_; ++i) {
    loops_.add_rows(rows.numbers + i * rows.distance,
                    chunk_.weight ? packed_root_.data() + start_[g] : nullptr, rows.rows,
                    sum.data() + i * simd::kPanel);
  }
  return sum;
}

Matrix RowPacker::rows(int g) const {
  const simd::PackedRows rows = packed(g);
  Matrix result(rows.rows, size_);
  for (int j = 0; j < size_; ++j) {
    const double* column = rows.numbers + j / simd::kPanel * rows.distance + j % simd::kPanel;
    for (int r = 0; r < rows.rows; ++r) result(r, j) = column[r * simd::kPanel];
  }
  return result;
}

int RowPacker::fitting_rows(int columns, const Chunk& chunk) {
  constexpr int kCached = 1 << 16, kMost = 1 << 20, kRowsOfGroup = 256;
  const int wanted = std::clamp(kRowsOfGroup * chunk.groups, kCached / columns, kMost / columns);
  return std::min(Tile::padded(std::clamp(wanted, 256, 8192)), Tile::padded(chunk.rows));
}

void RowPacker::load_columns() {
  for (int j = 0; j < size_; ++j) {
    const Column& column = frame_.columns[features_[j]];
    const bool in_place = column.real && rows_ == padded_;
    if (!in_place) buffer_.resize(x_.size() * capacity_);
    x_[j] = load_numbers(column, chunk_.begin + first_, rows_, padded_,
                         in_place ? nullptr : buffer_.data() + j * capacity_);
  }
  std::fill(x_.begin() + size_, x_.end(), x_[size_ - 1]);
}

bool RowPacker::leave_out_incomplete() {
  bool found = false;
  for (int j = 0; j < size_; ++j) {
    if (loops_.all_finite(x_[j], padded_)) continue;
    for (int r = 0; r < rows_; ++r) {
      if (std::isfinite(x_[j][r]) || chunk_.group[first_ + r] == chunk_.groups) continue;
      (std::isnan(x_[j][r]) ? incomplete_.missing : incomplete_.infinite)[j] += 1;
      incomplete_.rows += group_[r] != chunk_.groups;
      group_[r] = chunk_.groups;
      found = true;
    }
  }
  return found;
}

void RowPacker::sort() {
  const IntVector rows = count_groups(padded_, chunk_.groups, [&](int r) { return group_[r]; });
  std::partial_sum(rows.begin(), rows.end(), start_.begin() + 1);
  IntVector next(start_);
  for (int r = 0; r < padded_; ++r) place_[r] = next[group_[r]]++;
  weight_.assign(rows.begin(), rows.end());
  if (chunk_.weight) sort_weights();
}

void RowPacker::sort_weights() {
  root_.resize(capacity_);
  packed_root_.resize(capacity_);
  std::fill(weight_.begin(), weight_.end(), 0.0);
  for (int r = 0; r < rows_; ++r) {
    const double weight = chunk_.weight[first_ + r];
    weight_[group_[r]] += weight;
    packed_root_[place_[r]] = root_[r] = std::sqrt(weight);
  }
}

}  // namespace bayesrisk
