#include "helpers.hpp"

#include <engine/core/quotient.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_symmetric_loops {

namespace {

constexpr int kPanel = simd::kPanel;

Matrix random_matrix(Random& random, Index rows, Index columns) {
  Matrix x(rows, columns);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  return x;
}

Matrix random_triangle(Random& random, Index size) {
  Matrix u = random_matrix(random, size, size).triangularView<Eigen::Upper>();
  u.diagonal().array() += 2 * std::sqrt(static_cast<double>(size));
  return u;
}

}  // namespace

TEST_SUITE_BEGIN("symmetric loops");

TEST_CASE("rows divided by a triangle, multiplied by it again") {
  Random random(81);
  for (int size : {1, 2, 3, 7, 30}) {
    const Matrix u = random_triangle(random, size);
    const Vector zeros(size, 0.0);
    const Eigen::VectorXd inverse = u.diagonal().cwiseInverse();
    for (int rows : {8, 16, 40}) {
      Matrix x = random_matrix(random, rows, size);
      x.topLeftCorner(std::min(8, rows), size / 2).setZero();
      for (const simd::TileLoops& loops : all_loops()) {
        Vector scratch(size * simd::kSolveScratch), panels(rows * size, kNaN);
        loops.divide_rows(x.data(), size, u.data(), inverse.data(), zeros.data(), rows,
                          scratch.data(), panels.data());
        Matrix quotient(rows, size);
        for (int r = 0; r < rows; ++r) {
          for (int i = 0; i < size; ++i) {
            quotient(r, i) = panels[(r / kPanel * size + i) * kPanel + r % kPanel];
          }
        }
        CHECK((quotient * u - x).cwiseAbs().maxCoeff() < 1e-13);
      }
    }
  }
}

TEST_CASE("products of a quotient") {
  Random random(82);
  for (int size : {1, 5, 33}) {
    for (int rows : {1, 4, 13, 50}) {
      const Matrix u = random_triangle(random, size);
      Matrix x = Matrix::Zero(simd::whole_vectors(rows), size);
      x.topRows(rows) = random_matrix(random, rows, size);
      const Matrix quotient = x * u.inverse();
      const Matrix product = products_of_quotient(x, u) - quotient * quotient.transpose();
      const Matrix lower = product.triangularView<Eigen::Lower>();
      CHECK(lower.cwiseAbs().maxCoeff() < 1e-13);
    }
  }
}

TEST_CASE("a symmetric matrix minus vw' + wv', times a vector") {
  Random random(83);
  for (int size : {4, 8, 20}) {
    for (int first = 0; first < size; first += kPanel) {
      const Matrix root = random_matrix(random, size, size), full = root + root.transpose();
      const Vector v = random_numbers(random, size), w = random_numbers(random, size),
                   x = random_numbers(random, size);
      const Index rest = size - first;
      const auto left = [&](const Vector& y) {
        return Eigen::Map<const Eigen::VectorXd>(y.data() + first, rest);
      };
      const Matrix expected = full.bottomRightCorner(rest, rest) - left(v) * left(w).transpose() -
                              left(w) * left(v).transpose();
      for (const simd::TileLoops& loops : all_loops()) {
        Matrix a = full;
        for (int j = 0; j < size; ++j) a.col(j).head(j / kPanel * kPanel).setConstant(kNaN);
        Vector y(size, 7.0);
        loops.reflect_symmetric(a.data(), size, first, v.data(), w.data(), x.data(), y.data());
        const Matrix gap = a.bottomRightCorner(rest, rest) - expected;
        CHECK(Matrix(gap.triangularView<Eigen::Lower>()).cwiseAbs().maxCoeff() < 1e-13);
        CHECK((left(y) - expected * left(x)).cwiseAbs().maxCoeff() < 1e-12);
        CHECK(std::all_of(y.begin(), y.begin() + first, [](double value) { return value == 7; }));
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace test_symmetric_loops
