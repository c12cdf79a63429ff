#pragma once

#include <engine/likelihood/scatter.hpp>

#include <Eigen/Eigenvalues>

namespace bayesrisk {

// Sums that another system computed over the complete rows of one group: of the weights, of the
// deviations from a shift, and of their products. Deviations are multiplied by `scale`, powers
// of 2.
struct ProductSums {
  double rows = 0, weight = 0;
  Eigen::VectorXd shift, scale, sum;
  Matrix product;

  // The products about the mean.
  Matrix scatter() const { return product - sum * (sum.transpose() / weight); }
};

// Coordinates in which a scatter matrix is near the identity: u = to'd, d = back'u.
struct Whitening {
  Matrix to, back;
};

// Triangles of scatter matrices that are known as sums of products. A Cholesky factor of products
// loses the square of the condition number. So a poor triangle only serves to find coordinates of a
// good condition, in which the products are summed again.
class ProductTriangle {
 public:
  static constexpr double kSafeCondition = 30;

  explicit ProductTriangle(const Matrix& scatter) {
    const Eigen::LLT<Matrix, Eigen::Lower> llt(scatter);
    if (llt.info() == Eigen::Success) triangle_ = llt.matrixU();
    safe_ = triangle_.size() > 0 && equilibrated_condition(triangle_) <= kSafeCondition;
    if (!safe_) triangle_ = semidefinite_triangle(scatter);
  }

  bool safe() const { return safe_; }
  const Matrix& triangle() const { return triangle_; }

 private:
  // Of a matrix that may have lost its rank.
  static Matrix semidefinite_triangle(const Matrix& scatter) {
    if (!scatter.allFinite()) return scatter;
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(scatter);
    const Eigen::VectorXd root = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    return triangle_of_rows(root.asDiagonal() * solver.eigenvectors().transpose());
  }

  Matrix triangle_;
  bool safe_ = false;
};

// Columns have length 1 first. Directions without digits are kept from growing without bound.
inline Whitening whitening_of(const Matrix& scatter) {
  constexpr double kLeast = 1e-13;
  const Eigen::VectorXd length =
      scatter.diagonal().cwiseMax(std::numeric_limits<double>::min()).cwiseSqrt();
  const Eigen::VectorXd inverse = length.cwiseInverse();
  Matrix equal = inverse.asDiagonal() * scatter * inverse.asDiagonal();
  equal.diagonal().array() += kLeast;
  const Eigen::LLT<Matrix, Eigen::Lower> llt(equal);
  const Index p = scatter.rows();
  const Matrix r = llt.info() == Eigen::Success ? Matrix(llt.matrixU()) : Matrix::Identity(p, p);
  return {
      inverse.asDiagonal() * Matrix(r.triangularView<Eigen::Upper>().solve(Matrix::Identity(p, p))),
      r * length.asDiagonal()};
}

// The triangle of d from the scatter of u.
inline Matrix whitened_triangle(const Matrix& scatter, const Matrix& back) {
  return triangle_of_rows(ProductTriangle(scatter).triangle() * back);
}

// A triangle in the units of the data. A column whose squares overflow is infinite, as it is if the
// rows themselves are factored.
inline Matrix unscaled_triangle(const Matrix& triangle, const Eigen::VectorXd& scale) {
  Matrix result = triangle * scale.cwiseInverse().asDiagonal();
  for (Index j = 0; j < result.cols(); ++j) {
    if (!std::isfinite(result.col(j).squaredNorm())) {
      result.col(j).head(j + 1).setConstant(std::numeric_limits<double>::infinity());
    }
  }
  return result;
}

// Stores the sums of group g. Returns whether the triangle has kept its digits.
inline bool store_products(const ProductSums& sums, int g, Scatter& scatter) {
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

}  // namespace bayesrisk
