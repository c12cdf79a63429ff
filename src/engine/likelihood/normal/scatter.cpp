#include <engine/core/decompositions.hpp>
#include <engine/likelihood/normal/row_packer.hpp>
#include <engine/likelihood/normal/scatter.hpp>
#include <engine/likelihood/normal/scatter_collector.hpp>
#include <engine/likelihood/normal/scatter_factor.hpp>
#include <engine/likelihood/normal/scatter_products.hpp>

#include <Eigen/Cholesky>

namespace bayesrisk {

Scatter::Scatter(int groups, int p)
    : weight(Matrix::Zero(groups, 1)),
      rows(weight),
      mean(Matrix::Zero(groups, p)),
      mean_low(mean),
      triangle(groups),
      missing(p, 0.0) {
  for (Matrix& r : triangle) r.setZero(p, p);
}

void Scatter::clear() {
  for (Matrix* m : {&weight, &rows, &mean, &mean_low}) m->setZero();
  for (Matrix& r : triangle) r.setZero();
  std::fill(missing.begin(), missing.end(), 0.0);
  skipped = 0;
  summed = false;
}

bool Scatter::consistent(int groups, int p) const {
  bool good = has_shape(weight, groups, 1) && has_shape(rows, groups, 1) &&
              has_shape(mean, groups, p) && has_shape(mean_low, groups, p) &&
              static_cast<int>(triangle.size()) == groups && static_cast<int>(missing.size()) == p;
  for (const Matrix& r : triangle) good = good && has_shape(r, p, p);
  return good;
}

void Scatter::merge(const Scatter& other) {
  for (int g = 0; g < weight.rows(); ++g) merge_group(other, g);
  for (std::size_t j = 0; j < missing.size(); ++j) missing[j] += other.missing[j];
  skipped += other.skipped;
}

Scatter Scatter::of_groups(int first, int count) const {
  Scatter part(0, static_cast<int>(mean.cols()));
  part.weight = weight.middleRows(first, count);
  part.rows = rows.middleRows(first, count);
  part.mean = mean.middleRows(first, count);
  part.mean_low = mean_low.middleRows(first, count);
  part.triangle.assign(triangle.begin() + first, triangle.begin() + first + count);
  return part;
}

void Scatter::copy_group(const Scatter& from, int group, int to) {
  weight.row(to) = from.weight.row(group);
  rows.row(to) = from.rows.row(group);
  mean.row(to) = from.mean.row(group);
  mean_low.row(to) = from.mean_low.row(group);
  triangle[to] = from.triangle[group];
}

void Scatter::copy_columns(const Scatter& other, const IntVector& from, const IntVector& group) {
  const int p = static_cast<int>(from.size());
  for (std::size_t g = 0; g < group.size(); ++g) {
    const int to = group[g];
    weight(to, 0) = other.weight(g, 0);
    rows(to, 0) = other.rows(g, 0);
    Matrix columns(other.mean.cols(), p);
    for (int j = 0; j < p; ++j) {
      mean(to, j) = other.mean(g, from[j]);
      mean_low(to, j) = other.mean_low(g, from[j]);
      columns.col(j) = other.triangle[g].col(from[j]);
    }
    triangle[to] =
        columns.isUpperTriangular(0) && columns.rows() == p ? columns : triangle_of_rows(columns);
  }
  for (int j = 0; j < p; ++j) missing[j] = other.missing[from[j]];
  skipped = other.skipped;
}

void Scatter::merge_group(const Scatter& other, int g) {
  const double before = weight(g, 0), added = other.weight(g, 0);
  if (added <= 0) return;
  rows(g, 0) += other.rows(g, 0);
  weight(g, 0) = before + added;
  if (before <= 0) {
    mean.row(g) = other.mean.row(g);
    mean_low.row(g) = other.mean_low.row(g);
    triangle[g] = other.triangle[g];
    return;
  }
  const double share = added / (before + added);
  Eigen::VectorXd delta(mean.cols());
  for (Index j = 0; j < mean.cols(); ++j) {
    const TwoPart old{mean(g, j), mean_low(g, j)}, part{other.mean(g, j), other.mean_low(g, j)};
    delta[j] = difference(part, old);
    const TwoPart moved = merged_mean(before, old, added, part, delta[j]);
    mean(g, j) = moved.high;
    mean_low(g, j) = moved.low;
  }
  if (summed) {
    triangle[g] += other.triangle[g];
    triangle[g].selfadjointView<Eigen::Lower>().rankUpdate(delta, before * share);
  } else {
    const Matrix apart = std::sqrt(before * share) * delta.transpose();
    triangle[g] = triangle_of_rows(stack(stack(triangle[g], other.triangle[g]), apart));
  }
}

Dependences find_dependences(const Scatter& scatter, int group) {
  if (group != kAll) return find_dependences(scatter.triangle[group]);
  Matrix all = scatter.triangle[0];
  for (std::size_t g = 1; g < scatter.triangle.size(); ++g) {
    all = triangle_of_rows(stack(all, scatter.triangle[g]));
  }
  return find_dependences(all);
}

ScatterCollector::ScatterCollector(const Frame& frame, const IntVector& features,
                                   const Chunk& chunk, Scatter& scatter, Diagnostics& diagnostics)
    : features_(features),
      chunk_(chunk),
      scatter_(scatter),
      diagnostics_(diagnostics),
      packed_(frame, features, chunk),
      mean_(Matrix::Zero(packed_.columns(), chunk.groups + 1)),
      low_(mean_),
      moved_(mean_) {}

void ScatterCollector::collect() {
  for (int first = 0; first < chunk_.rows; first += packed_.capacity()) {
    chunk_.check();
    packed_.load(first, mean_, low_);
    renew_means();
    for (int g = 0; g < chunk_.groups; ++g) {
      if (packed_.rows_of(g) > 0) add_group(g);
    }
  }
  report_incomplete();
  scatter_.mean = mean_.topLeftCorner(p(), chunk_.groups).transpose();
  scatter_.mean_low = low_.topLeftCorner(p(), chunk_.groups).transpose();
  scatter_.summed = true;
  for (Matrix& product : scatter_.triangle) {
    if (product.cols() != p()) product.conservativeResize(p(), p());
  }
}

void ScatterCollector::renew_means() {
  IntVector groups;
  for (int g = 0; g < chunk_.groups; ++g) {
    const bool known = scatter_.weight(g, 0) >= packed_.weight_of(g) / 2;
    if (packed_.rows_of(g) > 0 && !known) groups.push_back(g);
  }
  if (groups.empty()) return;
  const Matrix mean = mean_, low = low_;
  const IntVector first = packed_.first_rows();
  for (int g : groups) {
    for (int j = 0; j < packed_.columns(); ++j) mean_(j, g) = packed_.number(first[g], j);
    low_.col(g).setZero();
  }
  packed_.pack(mean_, low_);
  for (int g : groups) {
    const Eigen::VectorXd offset = packed_.sums(g) / packed_.weight_of(g);
    if (offset.allFinite()) mean_.col(g) += offset;
    moved_.col(g) = (mean.col(g) - mean_.col(g)) + (low.col(g) - low_.col(g));
  }
  packed_.pack(mean_, low_);
}

void ScatterCollector::add_group(int g) {
  const double before = scatter_.weight(g, 0), total = before + packed_.weight_of(g);
  Matrix& product = padded_product(g);
  packed_.add_products(g, product);
  Eigen::VectorXd sum = packed_.sums(g);
  if (before > 0 && !moved_.col(g).isZero(0)) {
    add_outer(moved_.col(g), before, product);
    sum += before * moved_.col(g);
  }
  moved_.col(g).setZero();
  add_outer(sum, -1 / total, product);
  for (int j = 0; j < p(); ++j) {
    const TwoPart mean = two_sum(mean_(j, g), low_(j, g) + sum[j] / total);
    mean_(j, g) = mean.high;
    low_(j, g) = mean.low;
  }
  scatter_.weight(g, 0) = total;
  scatter_.rows(g, 0) += packed_.rows_of(g);
}

Matrix& ScatterCollector::padded_product(int g) {
  Matrix& product = scatter_.triangle[g];
  if (product.cols() != packed_.columns()) {
    product.resize(0, 0);  // Eigen would free the old memory twice if there is no new memory
    product.setZero(packed_.columns(), packed_.columns());
  }
  return product;
}

void ScatterCollector::report_incomplete() {
  const Incomplete& incomplete = packed_.incomplete();
  scatter_.missing = incomplete.missing;
  scatter_.skipped = incomplete.rows;
  for (int j = 0; j < p(); ++j) {
    if (incomplete.infinite[j] > 0) {
      diagnostics_.add(Problem::infinite, kAll, features_[j], incomplete.infinite[j]);
    }
  }
}

bool factor_products(Matrix& triangle, double rows) {
  if (rows == 0) return true;
  if (rows > static_cast<double>(2 * triangle.cols())) {
    const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> llt(triangle);
    triangle.transposeInPlace();
    triangle.triangularView<Eigen::StrictlyLower>().setZero();
    if (llt.info() == Eigen::Success && is_conditioned(triangle, kSafeCholesky)) return true;
  }
  triangle.setZero();
  return false;
}

IntVector factor_products(Scatter& scatter, const Context& context) {
  const auto groups = static_cast<Index>(scatter.triangle.size());
  std::vector<char> safe(scatter.triangle.size());
  context.run(groups, [&](Index g) {
    context.check();
    const auto at = static_cast<std::size_t>(g);
    safe[at] = factor_products(scatter.triangle[at], scatter.rows(g, 0));
  });
  scatter.summed = false;
  IntVector unsafe;
  for (std::size_t g = 0; g < safe.size(); ++g) {
    if (!safe[g]) unsafe.push_back(static_cast<int>(g));
  }
  return unsafe;
}

std::vector<Matrix> decompose_rows(const Frame& frame, const IntVector& features,
                                   const Chunk& chunk, const Scatter& scatter,
                                   const IntVector& groups) {
  const auto p = static_cast<Index>(features.size());
  RowPacker packed(frame, features, chunk);
  Matrix mean = Matrix::Zero(packed.columns(), chunk.groups + 1), low = mean;
  mean.topLeftCorner(p, chunk.groups) = scatter.mean.transpose();
  low.topLeftCorner(p, chunk.groups) = scatter.mean_low.transpose();
  std::vector<Matrix> triangles(groups.size(), Matrix::Zero(p, p));
  for (int first = 0; first < chunk.rows; first += packed.capacity()) {
    chunk.check();
    packed.load(first, mean, low);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (packed.rows_of(groups[i]) == 0) continue;
      triangles[i] = triangle_of_rows(stack(triangles[i], packed.rows(groups[i])));
    }
  }
  return triangles;
}

ProductTriangle::ProductTriangle(const Matrix& scatter) {
  safe_ = cholesky(scatter, triangle_) && triangle_.size() > 0 &&
          equilibrated_condition(triangle_) <= kSafeCondition;
  if (!safe_) triangle_ = semidefinite_triangle(scatter);
}

Matrix ProductTriangle::semidefinite_triangle(const Matrix& scatter) {
  if (!scatter.allFinite()) return scatter;
  const SymmetricEigen eigen = eigen_of_symmetric(scatter);
  const Eigen::VectorXd root = eigen.values.cwiseMax(0.0).cwiseSqrt();
  return triangle_of_rows(root.asDiagonal() * eigen.vectors.transpose());
}

Whitening whitening_of(const Matrix& scatter) {
  constexpr double kLeast = 1e-13;
  const Eigen::VectorXd length =
      scatter.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt();
  const Eigen::VectorXd inverse = length.cwiseInverse();
  Matrix equal = inverse.asDiagonal() * scatter * inverse.asDiagonal();
  equal.diagonal().array() += kLeast;
  const Index p = scatter.rows();
  Matrix r;
  if (!cholesky(equal, r)) r.setIdentity(p, p);
  return {inverse.asDiagonal() * solve_triangle(r, Matrix::Identity(p, p)),
          r * length.asDiagonal()};
}

Matrix unscaled_triangle(const Matrix& triangle, const Eigen::VectorXd& scale) {
  Matrix result = triangle * scale.cwiseInverse().asDiagonal();
  for (Index j = 0; j < result.cols(); ++j) {
    if (!std::isfinite(result.col(j).squaredNorm())) {
      result.col(j).head(j + 1).setConstant(std::numeric_limits<double>::infinity());
    }
  }
  return result;
}

bool store_products(const ProductSums& sums, int g, Scatter& scatter) {
  scatter.rows(g, 0) = sums.rows;
  scatter.weight(g, 0) = sums.weight;
  if (!(sums.weight > 0)) return true;
  for (Index j = 0; j < sums.shift.size(); ++j) {
    const double offset = sums.sum[j] / sums.weight / sums.scale[j];
    const TwoPart mean = two_sum(sums.shift[j], offset);
    scatter.mean(g, j) = mean.high;
    scatter.mean_low(g, j) = mean.low;
  }
  const ProductTriangle product(sums.scatter());
  scatter.triangle[g] = unscaled_triangle(product.triangle(), sums.scale);
  return product.safe();
}

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
