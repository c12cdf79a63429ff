#pragma once

#include <engine/likelihood/normal/scatter.hpp>

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

  explicit ProductTriangle(const Matrix& scatter);

  bool safe() const { return safe_; }
  const Matrix& triangle() const { return triangle_; }

 private:
  // The scatter may have lost its rank.
  static Matrix semidefinite_triangle(const Matrix& scatter);

  Matrix triangle_;
  bool safe_ = false;
};

// Columns have length 1 first. Directions without digits are kept from growing without bound.
Whitening whitening_of(const Matrix& scatter);

// The triangle of d from the scatter of u.
inline Matrix whitened_triangle(const Matrix& scatter, const Matrix& back) {
  return triangle_of_rows(ProductTriangle(scatter).triangle() * back);
}

// A triangle in the units of the data. A column whose squares overflow is infinite, as it is if the
// rows themselves are factored.
Matrix unscaled_triangle(const Matrix& triangle, const Eigen::VectorXd& scale);

// Stores the sums of group g. Returns whether the triangle has kept its digits.
bool store_products(const ProductSums& sums, int g, Scatter& scatter);

}  // namespace bayesrisk
