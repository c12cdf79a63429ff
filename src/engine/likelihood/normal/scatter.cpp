#include <engine/core/decompositions.hpp>
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
    const DoubleDouble old{mean(g, j), mean_low(g, j)},
        part{other.mean(g, j), other.mean_low(g, j)};
    delta[j] = difference(part, old);
    const DoubleDouble moved = merged_mean(before, old, added, part, delta[j]);
    mean(g, j) = moved.high;
    mean_low(g, j) = moved.low;
  }
  if (summed) {
    triangle[g] += other.triangle[g];
    triangle[g].selfadjointView<Eigen::Lower>().rankUpdate(delta, before * share);
  } else {
    triangle[g] = merge_triangles(std::move(triangle[g]), other.triangle[g],
                                  std::sqrt(before * share) * delta.transpose());
  }
}

Dependences find_dependences(const Scatter& scatter, int group) {
  if (group != kAll) return find_dependences(scatter.triangle[group]);
  Matrix all = scatter.triangle[0];
  for (std::size_t g = 1; g < scatter.triangle.size(); ++g) {
    all = merge_triangles(std::move(all), scatter.triangle[g]);
  }
  return find_dependences(all);
}

bool factor_products(Matrix& triangle, double rows) {
  if (rows == 0) return true;
  if (needs_products(rows, triangle.cols())) {
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
  std::vector<Matrix> triangles(groups.size(), Matrix(0, p));
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
    const DoubleDouble mean = two_sum(sums.shift[j], offset);
    scatter.mean(g, j) = mean.high;
    scatter.mean_low(g, j) = mean.low;
  }
  const ProductTriangle product(sums.scatter());
  scatter.triangle[g] = unscaled_triangle(product.triangle(), sums.scale);
  return product.safe();
}

}  // namespace bayesrisk
