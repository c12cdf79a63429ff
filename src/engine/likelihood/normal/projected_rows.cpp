#include <engine/likelihood/normal/projected_rows.hpp>

namespace bayesrisk {

double BlockDensity::constant(std::size_t k, Index size, double half_log_determinant) const {
  const double peak = freedom.empty() ? -static_cast<double>(size) * kHalfLogTwoPi
                                      : log_student_peak(freedom[k], static_cast<double>(size));
  return peak - half_log_determinant;
}

double BlockDensity::log_density(int k, Index size, double constant, double square) const {
  if (freedom.empty()) return constant - 0.5 * square;
  const double sum = freedom[k] + static_cast<double>(size);
  return constant - 0.5 * sum * std::log1p(square / freedom[k]);
}

MissingOfRows::MissingOfRows(const std::vector<const double*>& x, const Tile& tile, int most)
    : count_(static_cast<std::size_t>(tile.rows), 0), start_(count_.size(), 0) {
  IntVector incomplete;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (simd::tile_loops().all_finite(x[j], tile.stride)) continue;
    incomplete.push_back(static_cast<int>(j));
    for (int r = 0; r < tile.rows; ++r) count_[r] += std::isfinite(x[j][r]) ? 0 : 1;
  }
  int total = 0;
  for (int r = 0; r < tile.rows; ++r) {
    start_[r] = total;
    if (count_[r] > most) continue;
    total += count_[r];
    any_ = true;
  }
  IntVector next = start_;
  members_.resize(total);
  for (int j : incomplete) {
    for (int r = 0; r < tile.rows; ++r) {
      if (count_[r] <= most && !std::isfinite(x[j][r])) members_[next[r]++] = j;
    }
  }
}

void MissingOfRows::sort(IntVector& rows) const {
  std::vector<std::pair<std::uint64_t, int>> keys;
  for (int r : rows) keys.emplace_back(key(r), r);
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].second;
}

std::uint64_t MissingOfRows::key(int row) const {
  constexpr std::uint64_t kLast = 0xffff;
  std::uint64_t key = 0, rest = 0;
  int shift = 48;
  for (const int* j = begin(row); j < end(row); ++j) {
    const std::uint64_t code = (static_cast<std::uint64_t>(*j) + 1) & kLast;
    if (shift > 0) {
      key |= code << shift;
      shift -= 16;
    } else {
      rest = 31 * rest + code;
    }
  }
  return key | (rest & kLast);
}

ProjectedRows::ProjectedRows(const MissingSpans& spans, const BlockDensity& density,
                             std::vector<simd::TriangleOfClass> triangles,
                             const std::vector<const double*>& x, MissingOfRows missing, Tile& tile)
    : spans_(spans),
      density_(density),
      triangles_(std::move(triangles)),
      x_(x),
      tile_(tile),
      missing_(std::move(missing)),
      place_(x.size(), -1),
      strip_(x.size() * simd::kStripRows),
      scratch_(x.size() * simd::kSolveScratch),
      square_(triangles_.size() * simd::kStripRows),
      pull_(square_.size() * x.size()),
      value_(triangles_.size()),
      constant_(triangles_.size()),
      factor_(spans.of_factor.size()) {
  for (int k = 0; k < classes(); ++k) triangles_[k].across = spans.of_class(k).across.data();
  for (int j = 0; j < size(); ++j) columns_.push_back(strip_.data() + j * simd::kStripRows);
  for (int r = 0; r < tile.rows; ++r) {
    const int count = missing_.count(r);
    const bool projects = count <= spans.most() && spans.project(missing_.begin(r), count);
    (projects ? rows_ : left_).push_back(r);
  }
  missing_.sort(rows_);
}

IntVector ProjectedRows::add() {
  for (std::size_t first = 0; first < rows_.size(); first += simd::kStripRows) {
    const int* rows = rows_.data() + first;
    const int count =
        static_cast<int>(std::min<std::size_t>(simd::kStripRows, rows_.size() - first));
    solve(rows, count);
    for (int at = 0; at < count; ++at) {
      if (!find_values(rows[at], at)) {
        left_.push_back(rows[at]);
        continue;
      }
      for (int k = 0; k < classes(); ++k) tile_.of_class(k)[rows[at]] += value_[k];
    }
  }
  return left_;
}

void ProjectedRows::solve(const int* rows, int count) {
  for (int j : in_strip_) place_[j] = -1;
  in_strip_.clear();
  for (int at = 0; at < count; ++at) {
    for (const int* j = missing_.begin(rows[at]); j < missing_.end(rows[at]); ++j) {
      if (place_[*j] >= 0) continue;
      place_[*j] = static_cast<int>(in_strip_.size());
      in_strip_.push_back(*j);
    }
  }
  for (int j = 0; j < size(); ++j) {
    double* to = strip_.data() + j * simd::kStripRows;
    for (int at = 0; at < count; ++at) to[at] = x_[j][rows[at]];
  }
  loops_.solve_known(columns_.data(), size(), triangles_.data(), classes(),
                     {in_strip_.data(), static_cast<int>(in_strip_.size())}, Tile::padded(count),
                     scratch_.data(), square_.data(), pull_.data());
}

bool ProjectedRows::find_values(int row, int at) {
  const int count = missing_.count(row);
  if (row_ < 0 || !missing_.equal(row, row_)) set_pattern(row);
  for (int k = 0; k < classes(); ++k) {
    double square = square_[k * simd::kStripRows + at];
    if (count > 0) square -= explained(k, row, at);
    if (square < 0) square = 0;  // by rounding
    // A square may have overflowed.
    if (!std::isfinite(square) && spans_.of_class(k).exists()) return false;
    value_[k] = density_.log_density(k, size() - count, constant_[k], square);
  }
  return true;
}

void ProjectedRows::set_pattern(int row) {
  row_ = row;
  const int count = missing_.count(row);
  for (std::size_t f = 0; f < factor_.size(); ++f) {
    factor_[f].set(spans_.of_factor[f], missing_.begin(row), count);
  }
  for (int k = 0; k < classes(); ++k) {
    constant_[k] = density_.constant(k, size() - count, factor_of(k).half_log_determinant());
  }
}

double ProjectedRows::explained(int k, int row, int at) {
  const double* pull = pull_.data() + k * in_strip_.size() * simd::kStripRows + at;
  g_.clear();
  for (const int* j = missing_.begin(row); j < missing_.end(row); ++j) {
    g_.push_back(pull[place_[*j] * simd::kStripRows]);
  }
  return factor_of(k).square(g_.data());
}

MissingSpan::MissingSpan(const Matrix& factor)
    : across(Matrix::Identity(factor.rows(), factor.rows())),
      half_log_determinant(bayesrisk::half_log_determinant(factor)) {
  factor.triangularView<Eigen::Upper>().transpose().solveInPlace(across);
  for (Index j = 0; j < factor.cols(); ++j) {
    const double sd = factor.col(j).stableNorm();
    across.col(j) *= sd;
    log_sd.push_back(std::log(sd));
    length.push_back(across.col(j).norm());
  }
  products = Matrix::Zero(factor.rows(), factor.rows());
  products.selfadjointView<Eigen::Lower>().rankUpdate(across.transpose());
}

MissingSpans::MissingSpans(const std::vector<Matrix>& factors) {
  for (const Matrix& u : factors) {
    of_factor.emplace_back(u);
    length.resize(static_cast<std::size_t>(u.cols()), 0.0);
    for (std::size_t j = 0; j < length.size(); ++j) {
      // A class without rows has NaN, which is not greater.
      if (of_factor.back().length[j] > length[j]) length[j] = of_factor.back().length[j];
    }
  }
}

bool MissingSpans::project(const int* missing, int count) const {
  constexpr double kLongest = 100;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += length[static_cast<std::size_t>(missing[i])];
  return sum <= kLongest;
}

void MissingFactor::set(const MissingSpan& span, const int* missing, int count) {
  count_ = count;
  lower_.resize(static_cast<std::size_t>(count) * count);
  half_log_determinant_ = span.half_log_determinant;
  for (int i = 0; i < count; ++i) {
    double* row = row_of(i);
    for (int j = 0; j <= i; ++j) {
      const double rest = span.products(missing[i], missing[j]) - product(row, row_of(j), j);
      row[j] = i == j ? std::sqrt(rest) : rest / row_of(j)[j];
    }
    half_log_determinant_ += std::log(row[i]) - span.log_sd[static_cast<std::size_t>(missing[i])];
  }
}

double MissingFactor::square(double* g) const {
  double sum = 0;
  for (int i = 0; i < count_; ++i) {
    g[i] = (g[i] - product(row_of(i), g, i)) / row_of(i)[i];
    sum += g[i] * g[i];
  }
  return sum;
}

double MissingFactor::product(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace bayesrisk
