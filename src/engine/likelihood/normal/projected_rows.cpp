#include <engine/likelihood/normal/missing_span.hpp>
#include <engine/likelihood/normal/multivariate_gaussian_scorer.hpp>
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

void MultivariateGaussian::Scorer::add(const Frame& frame, int, int, Tile& tile) const {
  Matrix buffer;
  std::vector<const double*> x;
  const bool finite = read(frame, tile, buffer, x);
  const std::vector<const double*> columns = columns_of(complete_, x);
  if (finite) return add_whole(columns, tile);
  flag_infinite(x, tile);
  for (const auto& [members, rows] : patterns(x, project(columns, tile))) {
    if (members.empty()) continue;
    if (members.size() == complete_.members.size()) {
      add_rows(complete_, x, rows, tile);
    } else if (const Marginal* known = remembered(members)) {
      add_rows(*known, x, rows, tile);
    } else {
      add_rows(marginal(members), x, rows, tile);
    }
  }
}

std::vector<simd::TriangleOfClass> MultivariateGaussian::Scorer::Marginal::classes() const {
  std::vector<simd::TriangleOfClass> result;
  for (Index k = 0; k < mean.cols(); ++k) {
    const std::size_t at = factor.size() == 1 ? 0 : k;
    result.push_back({factor[at].data(), inverse_diagonal[at].data(), mean.col(k).data(),
                      low.col(k).data(), apart[k].empty() ? nullptr : apart[k].data()});
  }
  return result;
}

MultivariateGaussian::Scorer::Marginal MultivariateGaussian::Scorer::marginal(
    const IntVector& members) const {
  const int m = static_cast<int>(members.size());
  const Index classes = parameters_.mean.rows();
  Marginal result{members, {}, {}, Matrix(m, classes), Matrix(m, classes), {}, {}};
  for (int i = 0; i < m; ++i) {
    result.mean.row(i) = parameters_.mean.col(members[i]).transpose();
    result.low.row(i) = parameters_.mean_low.col(members[i]).transpose();
  }
  for (const Matrix& u : parameters_.factor) {
    Matrix columns(u.rows(), m);
    for (int i = 0; i < m; ++i) columns.col(i) = u.col(members[i]);
    result.factor.push_back(m == u.cols() ? u : triangle_of_rows(columns));
    const Matrix& factor = result.factor.back();
    Vector inverse;
    for (int i = 0; i < m; ++i) inverse.push_back(1 / factor(i, i));
    result.inverse_diagonal.push_back(inverse);
    result.constant.push_back(
        density_.constant(result.constant.size(), m, half_log_determinant(factor)));
  }
  result.apart.resize(static_cast<std::size_t>(classes));
  if (result.factor.size() == 1) find_near(result);
  return result;
}

void MultivariateGaussian::Scorer::find_near(Marginal& marginal) {
  const Matrix &mean = marginal.mean, &low = marginal.low;
  const auto transposed = marginal.factor[0].triangularView<Eigen::Upper>().transpose();
  Index solved = 0;
  for (Index k = 1; k < mean.cols(); ++k) {
    const Eigen::VectorXd apart =
        transposed.solve((mean.col(k) - mean.col(solved)) + (low.col(k) - low.col(solved)));
    if (apart.norm() <= kNear) {
      marginal.apart[k].assign(apart.data(), apart.data() + apart.size());
    } else {
      solved = k;
    }
  }
}

const MultivariateGaussian::Scorer::Marginal* MultivariateGaussian::Scorer::remembered(
    const IntVector& members) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto found = marginals_.find(members);
  if (found != marginals_.end()) return &found->second;
  if (marginals_.size() >= kRemembered) return nullptr;
  return &marginals_.emplace(members, marginal(members)).first->second;
}

bool MultivariateGaussian::Scorer::read(const Frame& frame, const Tile& tile, Matrix& buffer,
                                        std::vector<const double*>& x) const {
  bool finite = true;
  if (tile.rows < tile.stride) buffer.resize(tile.stride, plan_.size());
  for (int j = 0; j < plan_.size(); ++j) {
    const Column& column = frame.columns[plan_.features[j]];
    if (!column.real && buffer.size() == 0) buffer.resize(tile.stride, plan_.size());
    x.push_back(load_numbers(column, tile.begin, tile.rows, tile.stride,
                             buffer.size() ? buffer.col(j).data() : nullptr));
    const bool counts = !parameters_.left_out[j];
    finite = finite && (!counts || loops_.all_finite(x.back(), tile.stride));
  }
  return finite;
}

void MultivariateGaussian::Scorer::flag_infinite(const std::vector<const double*>& x,
                                                 Tile& tile) const {
  for (const double* column : x) {
    if (loops_.all_finite(column, tile.stride)) continue;
    for (int r = 0; r < tile.rows; ++r) {
      if (std::isinf(column[r])) tile.flag(r, kInfinite);
    }
  }
}

IntVector MultivariateGaussian::Scorer::project(const std::vector<const double*>& x,
                                                Tile& tile) const {
  IntVector rows(static_cast<std::size_t>(tile.rows));
  std::iota(rows.begin(), rows.end(), 0);
  if (x.size() < 64 && std::size_t{1} << x.size() <= kRemembered) return rows;
  MissingOfRows missing(x, tile, MissingSpans::most_of(x.size()));
  if (!missing.any()) return rows;
  std::call_once(spans_found_, [&] { spans_ = MissingSpans(complete_.factor); });
  return ProjectedRows(spans_, density_, complete_.classes(), x, std::move(missing), tile).add();
}

std::map<IntVector, IntVector> MultivariateGaussian::Scorer::patterns(
    const std::vector<const double*>& x, const IntVector& among) const {
  std::map<IntVector, IntVector> rows;
  IntVector members;
  for (int r : among) {
    members.clear();
    for (int j : complete_.members) {
      if (std::isfinite(x[j][r])) members.push_back(j);
    }
    rows[members].push_back(r);
  }
  return rows;
}

std::vector<const double*> MultivariateGaussian::Scorer::columns_of(const Marginal& marginal,
                                                                    std::vector<const double*> x) {
  if (marginal.members.size() == x.size()) return x;
  std::vector<const double*> columns;
  for (int j : marginal.members) columns.push_back(x[j]);
  return columns;
}

void MultivariateGaussian::Scorer::add_whole(const std::vector<const double*>& x,
                                             Tile& tile) const {
  const LineVector squares = solve(complete_, x, tile.classes, tile.stride);
  for (int k = 0; k < tile.classes; ++k) {
    const double* square = squares.data() + static_cast<std::size_t>(k) * tile.stride;
    if (density_.freedom.empty() && loops_.all_finite(square, tile.stride)) {
      loops_.add_half_squares(square, constant(complete_, k), tile.stride, tile.of_class(k));
    } else {
      for (int r = 0; r < tile.rows; ++r) {
        tile.of_class(k)[r] += log_density(complete_, k, square[r]);
      }
    }
  }
}

void MultivariateGaussian::Scorer::add_rows(const Marginal& marginal,
                                            const std::vector<const double*>& x,
                                            const IntVector& rows, Tile& tile) const {
  const int count = static_cast<int>(rows.size()), padded = Tile::padded(count);
  Matrix gathered = Matrix::Zero(padded, static_cast<Index>(marginal.members.size()));
  std::vector<const double*> columns;
  for (std::size_t i = 0; i < marginal.members.size(); ++i) {
    double* column = gathered.col(static_cast<Index>(i)).data();
    for (int r = 0; r < count; ++r) column[r] = x[marginal.members[i]][rows[r]];
    columns.push_back(column);
  }
  const LineVector squares = solve(marginal, columns, tile.classes, padded);
  for (int k = 0; k < tile.classes; ++k) {
    const double* square = squares.data() + static_cast<std::size_t>(k) * padded;
    for (int r = 0; r < count; ++r) {
      tile.of_class(k)[rows[r]] += log_density(marginal, k, square[r]);
    }
  }
}

LineVector MultivariateGaussian::Scorer::solve(const Marginal& marginal,
                                               const std::vector<const double*>& x, int classes,
                                               int rows) const {
  const int size = static_cast<int>(x.size());
  LineVector square(static_cast<std::size_t>(classes) * rows);
  LineVector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
  loops_.solve_triangles(x.data(), size, marginal.classes().data(), classes, rows, rows,
                         scratch.data(), square.data());
  return square;
}

double MultivariateGaussian::Scorer::log_density(const Marginal& marginal, int k,
                                                 double square) const {
  const Matrix& factor = marginal.factor[marginal.factor.size() == 1 ? 0 : k];
  if (std::isnan(square) && !std::isnan(factor(0, 0))) return kNegativeInfinity;
  return density_.log_density(k, static_cast<Index>(marginal.members.size()), constant(marginal, k),
                              square);
}

}  // namespace bayesrisk
