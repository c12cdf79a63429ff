#include "helpers.hpp"

#include <engine/core/share.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_core {

TEST_SUITE_BEGIN("core");

TEST_CASE("log_add is exact far from 0 and at -Inf") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(log_add(0, 0) == std::log(2.0));
  CHECK(log_add(-1e300, -1e300) == -1e300);
  CHECK(log_add(-1050, -1051) == doctest::Approx(-1050 + std::log1p(std::exp(-1))).epsilon(1e-15));
  CHECK(log_add(5000, 4999) == log_add(4999, 5000));
  CHECK(log_add(700, -700) == 700);
  CHECK(log_add(-inf, -3.25) == -3.25);
  CHECK(log_add(-3.25, -inf) == -3.25);
  CHECK(log_add(-inf, -inf) == -inf);
  CHECK(std::isnan(log_add(kNaN, -inf)));
  CHECK(std::isnan(log_add(1, kNaN)));
}

TEST_CASE("two_sum loses nothing") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double a = random.normal() * std::pow(2.0, random.below(20));
    const double b = random.normal() * std::pow(2.0, random.below(20) - 20);
    for (const DoubleDouble s : {two_sum(a, b), two_sum(b, a)}) {
      CHECK(s.high == a + b);
      // Few enough binary digits apart for 113 of them to hold the sum.
      const Quad whole = static_cast<Quad>(a) + b;
      CHECK(static_cast<double>(whole - s.high) == s.low);
    }
  }
  const DoubleDouble s = two_sum(1e15, 0x1p-20);
  CHECK(s.high == 1e15);
  CHECK(s.low == 0x1p-20);
}

TEST_CASE("what never happened costs nothing") {
  CHECK(times_log(0, kNegativeInfinity) == 0);
  CHECK(times_log(2, kNegativeInfinity) == kNegativeInfinity);
  CHECK(times_log(2, -0.5) == -1);
}

TEST_CASE("a triangle keeps rows'rows") {
  Random random(2);
  for (const auto& [n, p] : {std::pair{1, 1}, {1, 4}, {3, 4}, {4, 4}, {9, 4}, {200, 33}}) {
    Matrix rows(n, p);
    for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = random.normal();
    const Matrix r = triangle_of_rows(rows);
    REQUIRE(r.rows() == p);
    REQUIRE(r.cols() == p);
    CHECK(largest_difference(r.transpose() * r, rows.transpose() * rows) < 1e-12 * n);
    CHECK(r.isUpperTriangular(0));
    CHECK(r.diagonal().minCoeff() >= 0);
  }
}

TEST_CASE("merged triangles are the triangle of their rows") {
  Random random(3);
  for (const int p : {1, 2, 5, 40}) {
    Matrix rows(2 * p + 1, p);
    for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = random.normal();
    // Columns of a very different scale, and one that depends on another.
    if (p > 2) {
      rows.col(1) *= 1e-160;
      rows.col(p - 1) = 1e120 * rows.col(0);
    }
    const Matrix a = triangle_of_rows(rows.topRows(p)), b = triangle_of_rows(rows.middleRows(p, p));
    const Matrix expected = triangle_of_rows(rows),
                 found = merge_triangles(a, b, rows.bottomRows(1));
    CHECK(found.isUpperTriangular(0));
    CHECK(found.diagonal().minCoeff() >= 0);
    for (Index j = 0; j < p; ++j) {
      CHECK((found - expected).col(j).norm() <= 1e-13 * p * expected.col(j).norm());
    }
    const Matrix zero = Matrix::Zero(p, p);
    CHECK((merge_triangles(a, zero) - a).isZero(0));
    CHECK(largest_difference(equilibrate(merge_triangles(zero, b)), equilibrate(b)) < 1e-14);
  }
}

TEST_CASE("triangles of fewer rows than columns have as many rows, and so have their sums") {
  Random random(5);
  constexpr Index kColumns = 30;
  Matrix rows(10, kColumns);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = random.normal();
  const Matrix a = triangle_of_rows(rows.topRows(4)), b = triangle_of_rows(rows.middleRows(4, 5));
  const Matrix found = merge_triangles(a, b, rows.bottomRows(1));
  CHECK(found.bottomRows(kColumns - 10).isZero(0));
  CHECK(largest_difference(found.transpose() * found, rows.transpose() * rows) < 1e-12);
  CHECK(rank_of_triangle(found) == 10);
  const Matrix one = Matrix::Identity(kColumns, kColumns), zero = 0 * one;
  const Matrix regular = merge_triangles(found, one);
  CHECK(largest_difference(regular.transpose() * regular, rows.transpose() * rows + one) < 1e-12);
  CHECK(regular.isUpperTriangular(0));
  CHECK(rank_of_triangle(regular) == kColumns);
  CHECK(merge_triangles(zero, zero).isZero(0));
  CHECK(rank_of_triangle(zero) == 0);
  CHECK(triangle_of_rows(Matrix(0, kColumns)).isZero(0));
}

TEST_CASE("a triangle of rows keeps columns of very different scale") {
  Matrix rows(4, 3);
  rows << 1, 2e-120, 3e120, 2, -1e-120, 1e120, 0, 5e-120, -2e120, 1, 1e-120, 1e120;
  const Matrix r = triangle_of_rows(rows);
  Matrix plain = rows;
  plain.col(1) *= 1e120;
  plain.col(2) /= 1e120;
  const Matrix expected = triangle_of_rows(plain);
  CHECK(r(1, 1) * 1e120 == doctest::Approx(expected(1, 1)).epsilon(1e-13));
  CHECK(r(2, 2) / 1e120 == doctest::Approx(expected(2, 2)).epsilon(1e-13));
}

TEST_CASE("a triangle of rows keeps parts of which the squares are no normal doubles") {
  Matrix rows(4, 2);
  rows << 2, 4e-154, 1, 2e-154, 0.5, 1e-154, 0, 3e-155;
  Matrix plain = rows;
  plain.col(1) *= 0x1p+500;
  const Matrix r = triangle_of_rows(rows), expected = triangle_of_rows(plain);
  CHECK(r(0, 0) == expected(0, 0));
  CHECK(r(0, 1) * 0x1p+500 == expected(0, 1));
  CHECK(r(1, 1) * 0x1p+500 == expected(1, 1));
  CHECK(r(1, 1) == doctest::Approx(3e-155).epsilon(1e-14));
}

TEST_CASE("rank knows nearly dependent columns, whatever their scale") {
  Matrix r = Matrix::Identity(3, 3);
  CHECK(rank_of_triangle(r) == 3);
  r(0, 2) = 1;
  r(1, 2) = 1;
  r(2, 2) = 1e-7;
  CHECK(rank_of_triangle(r) == 3);
  r(2, 2) = 1e-13;
  CHECK(rank_of_triangle(r) == 2);
  r.col(2) *= 1e150;
  r.col(0) *= 1e-150;
  CHECK(rank_of_triangle(r) == 2);
  r(2, 2) = 0;
  CHECK(rank_of_triangle(r) == 2);
  CHECK(rank_of_triangle(Matrix::Zero(3, 3)) == 0);
}

TEST_CASE("the condition of a triangle does not see the scale of columns") {
  Matrix r(2, 2);
  r << 1, 1, 0, 1e-4;
  const double condition = equilibrated_condition(r);
  CHECK(condition > 1e4);
  CHECK(condition < 1e5);
  r.col(1) *= 1e9;
  CHECK(equilibrated_condition(r) == doctest::Approx(condition).epsilon(1e-12));
  r(1, 1) = 0;
  CHECK(std::isinf(equilibrated_condition(r)));
}

TEST_CASE("conditions of large triangles, by their inverses; a bound never decides wrongly") {
  Random random(61);
  for (int p : {1, 5, 47, 48, 49, 100}) {
    for (double spread : {0.0, 0.05, 0.5}) {
      Matrix r = Matrix::Zero(p, p);
      for (int j = 0; j < p; ++j) {
        for (int i = 0; i < j; ++i) r(i, j) = spread * random.normal();
        r(j, j) = 0.5 + random.uniform();
      }
      const Matrix scaled = equilibrate(r), inverse = scaled.inverse();
      const auto norm = [](const Matrix& m) { return m.cwiseAbs().colwise().sum().maxCoeff(); };
      const double condition = norm(scaled) * norm(inverse);
      CHECK(digits(equilibrated_condition(r), condition) > 10);
      for (double limit : {1e-3, 0.9, 1.1, 1e3}) {
        CHECK(is_conditioned(r, limit * condition) == (limit > 1));
      }
      Matrix bad = r;
      for (double value : {0.0, kNaN, kInfinity}) {
        bad(0, 0) = value;
        CHECK_FALSE(is_conditioned(bad, 1e300));
      }
      const Matrix other = r.transpose() * r + Matrix::Identity(p, p);
      const Matrix u = Eigen::LLT<Matrix>(other).matrixU();
      CHECK(digits(squared_norm_of_ratio(r, u), (r * u.inverse()).squaredNorm()) > 10);
      CHECK(digits(squared_norm_of_ratio(r, r / 7), 49.0 * p) > 14);
    }
  }
}

TEST_CASE("a triangle that is nearly singular has the rank that pivots find") {
  Matrix r = Matrix::Identity(3, 3);
  for (double rest : {1e-7, 1e-9, 2e-10, 1e-11}) {
    r.col(2) = Eigen::Vector3d(1, 0, rest);
    CHECK(rank_of_triangle(r) == (rest > 1e-10 ? 3 : 2));
  }
}

TEST_CASE("half the log determinant does not underflow") {
  CHECK(half_log_determinant(Matrix::Identity(400, 400) * 1e-100) ==
        doctest::Approx(-400 * 100 * std::log(10.0)).epsilon(1e-14));
}

TEST_CASE("sums and shares of what is known on the log scale") {
  const double none = kNegativeInfinity;
  CHECK(log_sum(Eigen::Vector3d(-2000, none, -2000)) == -2000 + std::log(2.0));
  CHECK(log_sum(Eigen::Vector2d(none, none)) == none);
  Matrix rows(2, 3);
  rows << -2000, none, -2000, 900, 900 + std::log(2.0), none;
  const Eigen::VectorXd sums = log_sum_of_rows(rows);
  CHECK(sums[0] == -2000 + std::log(2.0));
  CHECK(digits(sums[1], 900 + std::log(3.0)) > 14);
  Eigen::VectorXd posterior;
  posterior_of(rows.row(0).transpose(), posterior);
  CHECK(posterior == Eigen::Vector3d(.5, 0, .5));
}

TEST_CASE("diagnostics add up by problem, class and feature, and keep their bank") {
  Diagnostics one, two, all;
  one.add(Problem::infinite, kAll, 3, 2);
  one.add(Problem::infinite, kAll, 4, 1);
  two.add(Problem::infinite, kAll, 3, 5);
  two.add(Problem::constant, 0, 3, 5);
  one.merge(two);
  CHECK(one.items().size() == 3);
  CHECK(found(one, Problem::infinite, kAll, 3, 7));
  CHECK(found(one, Problem::constant, 0, 3, 5));
  one.add_term(Problem::constant, 1, 3, 8, 0);
  one.add_term(Problem::constant, 1, 3, 8, 4);
  CHECK(found(one, Problem::constant, 1, 3, 8));
  all.append(one, 2);
  CHECK(all.items()[0].bank == 2);
  CHECK(all.items()[0].terms.empty());
  CHECK(all.items()[3].terms == IntVector{0, 4});
  all.keep(one.items()[3]);
  CHECK(all.items()[4].bank == kAll);
  CHECK(all.items()[4].terms == IntVector{0, 4});
  CHECK(Diagnostics().empty());
}

TEST_CASE("what two readers of the same rows found is counted once") {
  Diagnostics one, two;
  one.add(Problem::malformed, kAll, 3, 2);
  one.add(Problem::malformed, kAll, 4, 1);
  two.add(Problem::malformed, kAll, 3, 2);
  two.add(Problem::malformed, kAll, 4, 5);
  two.add(Problem::malformed, kAll, 6, 3);
  one.unite(two);
  CHECK(one.items().size() == 3);
  CHECK(found(one, Problem::malformed, kAll, 3, 2));
  CHECK(found(one, Problem::malformed, kAll, 4, 5));
  CHECK(found(one, Problem::malformed, kAll, 6, 3));
}

TEST_CASE("the share of expected work rises evenly, that of unexpected work never falls") {
  Share share;
  CHECK(share.reached() == 0);
  share.expect(8);
  share.start(2);
  share.start(6);
  for (int i = 0; i < 4; ++i) share.done();
  CHECK(share.reached() == 0.5);
  share.start(12);
  CHECK(share.reached() == 0.5);
  for (int i = 0; i < 6; ++i) share.done();
  CHECK(share.reached() == 0.5);
  share.done();
  CHECK(share.reached() == 0.55);
  // The work of the second announcement is part of the first.
  share.expect(3);
  share.expect(2);
  share.start(3);
  for (int i = 0; i < 12; ++i) share.done();
  CHECK(share.reached() == 1);
}

TEST_CASE("ranks by bucket are those by search, wherever the numbers lie") {
  Random random(71);
  const double most = std::numeric_limits<double>::max();
  std::vector<Vector> lists{{},
                            {3},
                            {-most, -1, 0, 5e-324, 1e-320, 1, most},
                            {0, 5e-324},
                            {1, std::nextafter(1, 2), 1e300}};
  for (int count : {2, 10, 1000}) {
    for (int shape = 0; shape < 3; ++shape) {
      Vector values(count);
      for (double& x : values)
        x = shape == 0   ? random.below(50)
            : shape == 1 ? random.normal()
                         : std::exp(30 * random.normal());
      std::sort(values.begin(), values.end());
      lists.push_back(values);
    }
  }
  for (const Vector& values : lists) {
    const auto count = static_cast<Index>(values.size());
    const Ranks ranks(values.data(), count, count), searched(values.data(), count, 1);
    Vector asked{-most, most, 0, -0.0, 1, kNegativeInfinity, -kNegativeInfinity};
    for (double x : values) {
      for (double at : {x, std::nextafter(x, -most), std::nextafter(x, most), x + random.normal()})
        asked.push_back(at);
    }
    for (double x : asked) {
      const Index expected = std::upper_bound(values.begin(), values.end(), x) - values.begin();
      CHECK(ranks.up_to(x) == expected);
      CHECK(searched.up_to(x) == expected);
    }
  }
}

TEST_SUITE_END();

}  // namespace test_core
