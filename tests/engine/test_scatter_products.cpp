#include "helpers.hpp"

#include <engine/likelihood/normal/scatter_products.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_scatter_products {

namespace {

// Two columns are alike but for a part of the size 1 / condition.
Matrix rows_of_condition(double condition, int n = 2000) {
  Random random(7);
  Matrix x(n, 3);
  for (int i = 0; i < n; ++i) {
    x(i, 0) = random.normal();
    x(i, 1) = x(i, 0) + random.normal() / condition;
    x(i, 2) = random.normal() - x(i, 0);
  }
  return x;
}

Matrix centred(const Matrix& x) {
  const Eigen::RowVectorXd mean = x.colwise().mean();
  return x.rowwise() - mean;
}

ProductSums sums_of(const Matrix& d, const Eigen::VectorXd& shift, const Eigen::VectorXd& scale) {
  const Matrix scaled = d * scale.asDiagonal();
  return {static_cast<double>(d.rows()),      static_cast<double>(d.rows()), shift, scale,
          scaled.colwise().sum().transpose(), scaled.transpose() * scaled};
}

// The triangle after a second sum, where the first one is poor.
Matrix triangle_of(const Matrix& d, const ProductSums& sums) {
  Scatter scatter(1, 3);
  if (store_products(sums, 0, scatter)) return scatter.triangle[0];
  const Whitening whitening = whitening_of(sums.scatter());
  const Matrix u = d * sums.scale.asDiagonal() * whitening.to;
  const ProductSums again = sums_of(u, Eigen::VectorXd::Zero(3), Eigen::VectorXd::Ones(3));
  return whitened_triangle(again.scatter(), whitening.back) *
         sums.scale.cwiseInverse().asDiagonal();
}

double largest_error_of_pivots(const Matrix& triangle, const Matrix& expected) {
  return (triangle.diagonal().array() / expected.diagonal().array() - 1).abs().maxCoeff();
}

}  // namespace

TEST_CASE("products about any shift give the triangle of the rows") {
  for (double condition : {1.0, 1e2, 1e4, 1e6}) {
    const Matrix x = rows_of_condition(condition);
    const Matrix expected = triangle_of_rows(centred(x));
    const Eigen::VectorXd shift = x.colwise().mean().transpose() * 1.01;
    for (double size : {1.0, 0x1p-600, 0x1p+300}) {
      const Matrix d = (x.rowwise() - shift.transpose()) * size;
      const Eigen::VectorXd scale = Eigen::VectorXd::Constant(3, 1 / size);
      const Matrix found = triangle_of(d, sums_of(d, shift * size, scale)) / size;
      CHECK(largest_error_of_pivots(found, expected) < 1e-11);
      CHECK((found - expected).colwise().norm().maxCoeff() < 1e-11 * expected.norm());
    }
  }
}

TEST_CASE("the mean has two parts, and a group without rows is empty") {
  const Matrix x = rows_of_condition(1).array() + 1e9;
  const Eigen::VectorXd shift = Eigen::VectorXd::Constant(3, 1e9);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(3);
  const Matrix d = x.rowwise() - shift.transpose();
  Scatter scatter(2, 3);
  CHECK(store_products(sums_of(d, shift, one), 0, scatter));
  const ProductSums none{0, 0, shift, one, Eigen::VectorXd::Zero(3), Matrix::Zero(3, 3)};
  CHECK(store_products(none, 1, scatter));
  for (int j = 0; j < 3; ++j) {
    const double mean = d.col(j).mean();
    CHECK(std::abs((scatter.mean(0, j) - 1e9) + scatter.mean_low(0, j) - mean) < 1e-15);
  }
  CHECK(scatter.rows(1, 0) == 0);
  CHECK(scatter.triangle[1].isZero(0));
}

TEST_CASE("a column that is a combination of others stays one") {
  Matrix x = rows_of_condition(10);
  x.col(2) = 2 * x.col(0) - x.col(1);
  const Matrix d = centred(x);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3), one = Eigen::VectorXd::Ones(3);
  CHECK(rank_of_triangle(triangle_of(d, sums_of(d, zero, one))) == 2);
  x.col(2).setConstant(5);
  const Matrix flat = centred(x);
  CHECK(rank_of_triangle(triangle_of(flat, sums_of(flat, zero, one))) == 2);
}

TEST_CASE("products beyond a double are no crash") {
  const Matrix d = centred(rows_of_condition(1)) * 1e200;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3), one = Eigen::VectorXd::Ones(3);
  Scatter scatter(1, 3);
  CHECK_FALSE(store_products(sums_of(d, zero, one), 0, scatter));
  CHECK(std::isinf(scatter.triangle[0](0, 0)));
  const Eigen::VectorXd scale = Eigen::VectorXd::Constant(3, 0x1p-660);
  store_products(sums_of(d, zero, scale), 0, scatter);
  CHECK(std::isinf(scatter.triangle[0](0, 0)));
}

}  // namespace test_scatter_products
