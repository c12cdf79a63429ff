#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_conic {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

PlaneTerm normal(double weight, double x, double y, double xx, double xy, double yy) {
  Matrix2d covariance;
  covariance << xx, xy, xy, yy;
  return {std::log(weight), Vector2d(x, y), Matrix2d(covariance.llt().matrixU())};
}

// The two classes of the lecture's bivariate example, as the full and the naive rule see them.
const PlaneTerm full_a = normal(.5, 0, 0, 2, 2.2, 2.5), full_b = normal(.5, .5, .5, 2.5, -2.2, 2);
const PlaneTerm naive_a = normal(.5, 0, 0, 2, 0, 2.5), naive_b = normal(.5, .5, .5, 2.5, 0, 2);

void check_conic(const Conic& f, const Vector& expected) {
  const Vector found{f.xx, f.xy, f.yy, f.x, f.y, f.constant};
  for (int i = 0; i < 6; ++i) {
    CHECK(std::abs(found[i] - expected[i]) <= 1e-12 * std::max(1.0, std::abs(expected[i])));
  }
}

double log_density(const PlaneTerm& term, const Vector2d& z) {
  const Vector2d u = term.factor.transpose().triangularView<Eigen::Lower>().solve(z - term.mean);
  return term.log_weight - 0.5 * u.squaredNorm() -
         std::log(std::abs(term.factor.diagonal().prod()));
}

// The densities are equal at the points at which the conic and its lines are 0.
void check_curve(const PlaneTerm& first, const PlaneTerm& second) {
  const Boundary boundary(first, second);
  const auto check = [&](const Vector2d& z) {
    const double l = log_density(first, z);
    CHECK(std::abs(l - log_density(second, z)) < 1e-10 * std::max(1.0, std::abs(l)));
  };
  const Conic& f = boundary.conic();
  for (double x : {-2.5, -.3, 0.01, 1.2, 2.4}) {
    for (double y : real_roots(f.yy, f.xy * x + f.y, (f.xx * x + f.x) * x + f.constant)) {
      check({x, y});
    }
    for (const StraightLine& line : boundary.lines()) {
      CHECK(std::abs(line.normal.norm() - 1) < 1e-14);
      check(-line.constant * line.normal + x * Vector2d(-line.normal[1], line.normal[0]));
    }
  }
}

ConicKind kind_of(const PlaneTerm& first, const PlaneTerm& second) {
  return Boundary(first, second).kind();
}

}  // namespace

TEST_SUITE_BEGIN("conic");

TEST_CASE("the rules of the lecture's bivariate example") {
  const Boundary full(full_a, full_b);
  check_conic(full.conic(), {3.125, -55, -3.125, 26.25, 29.375, -13.90625});
  CHECK(full.kind() == ConicKind::hyperbola);
  const Boundary naive(naive_a, naive_b);
  check_conic(naive.conic(), {.1, 0, -.1, .4, .5, -.225});
  CHECK(naive.kind() == ConicKind::crossing_lines);
  // y = x + 4.5 and y = 0.5 - x.
  int rising = 0, falling = 0;
  for (const StraightLine& line : naive.lines()) {
    const double slope = -line.normal[0] / line.normal[1];
    const double intercept = -line.constant / line.normal[1];
    rising += std::abs(slope - 1) < 1e-12 && std::abs(intercept - 4.5) < 1e-12;
    falling += std::abs(slope + 1) < 1e-12 && std::abs(intercept - 0.5) < 1e-12;
  }
  CHECK(rising == 1);
  CHECK(falling == 1);
}

TEST_CASE("its variation: the second mean farther up") {
  PlaneTerm b = full_b;
  b.mean[1] = 6;
  check_conic(Boundary(full_a, b).conic(), {3.125, -55, -3.125, 177.5, 201.25, -648.125});
  PlaneTerm naive = naive_b;
  naive.mean[1] = 6;
  const Boundary variation(naive_a, naive);
  CHECK(variation.kind() == ConicKind::hyperbola);
  // (x + 2)^2 - (y - 30)^2 + 715 < 0.
  check_conic(variation.conic(), {.1, 0, -.1, .4, 6, .1 * (4 - 900 + 715)});
}

TEST_CASE("every kind, and points on it") {
  const PlaneTerm a = normal(.5, 1, -1, 1, .3, 2);
  const auto like_a = [](double weight, double x, double y) {
    return normal(weight, x, y, 1, .3, 2);
  };
  CHECK(kind_of(a, like_a(.3, 4, 2)) == ConicKind::line);
  CHECK(kind_of(a, like_a(.5, 1, -1)) == ConicKind::everywhere);
  CHECK(kind_of(a, like_a(.4, 1, -1)) == ConicKind::none);
  CHECK(kind_of(a, normal(.5, 2, -1, 2, .6, 4)) == ConicKind::ellipse);
  CHECK(kind_of(a, normal(1e-9, 2, -1, .5, .15, 1)) == ConicKind::none);
  CHECK(kind_of(normal(.5, 0, 0, 1, 0, 1), normal(.5, 1, 1, 3, 0, 3)) == ConicKind::circle);
  CHECK(kind_of(normal(.5, 0, 0, 1, 0, 1), normal(.5, 1, 0, 3, 0, 1)) == ConicKind::parallel_lines);
  CHECK(kind_of(normal(.5, 0, 0, 1, 0, 1), normal(.5, 1, 2, 3, 0, 1)) == ConicKind::parabola);
  CHECK(kind_of(normal(.9, 0, 0, 1, 0, 1), normal(1e-9, 0, 0, .5, 0, 1)) == ConicKind::none);
  check_curve(full_a, full_b);
  check_curve(naive_a, naive_b);
  check_curve(a, like_a(.3, 4, 2));
  check_curve(a, normal(.5, 2, -1, 2, .6, 4));
  check_curve(normal(.5, 2, -1, 2, .6, 4), a);
  check_curve(normal(.5, 0, 0, 1, 0, 1), normal(.5, 1, 0, 3, 0, 1));
  check_curve(normal(.5, 0, 0, 1, 0, 1), normal(.5, 1, 2, 3, 0, 1));
  check_curve(normal(.5, 0, 0, 1, 0, 1), normal(.5, 1, 2, 1, 0, 3));
}

TEST_CASE("the kind does not depend on units, offsets and turns") {
  Matrix2d turn;
  turn << 1e-7, 3e-7, -2e3, 4e3;
  const Vector2d by(3e-7, -1e4);
  const auto turned = [&](const PlaneTerm& term) {
    const Matrix2d rows = term.factor * turn.transpose();
    const Matrix triangle = triangle_of_rows(rows);
    return PlaneTerm{term.log_weight, turn * term.mean + by, Matrix2d(triangle)};
  };
  const PlaneTerm i = normal(.5, 0, 0, 1, 0, 1);
  const std::vector<PlaneTerm> others{naive_b,
                                      normal(.5, 1, 2, 1, 0, 1),
                                      normal(.5, 1, 0, 3, 0, 1),
                                      normal(.5, 1, 2, 3, 0, 1),
                                      normal(.5, 1, 2, 3, 0, 2),
                                      i};
  CHECK(kind_of(turned(naive_a), turned(naive_b)) == ConicKind::crossing_lines);
  for (const PlaneTerm& other : others)
    CHECK(kind_of(turned(i), turned(other)) == kind_of(i, other));
  // A feature that one class knows a million times better.
  CHECK(kind_of(normal(.5, 0, 0, 1e-12, 0, 1), normal(.5, 1, 0, 1, 0, 1.2)) == ConicKind::ellipse);
  CHECK(kind_of(normal(.5, 0, 0, 1e-12, 0, 1), normal(.5, 1, 0, 1, 0, .9)) == ConicKind::hyperbola);
}

TEST_CASE("roots of quadratics that are nearly none, and turns") {
  CHECK(real_roots(0, 0, 1).empty());
  CHECK(real_roots(0, 2, -1) == Vector{.5});
  CHECK(real_roots(1, 0, 1).empty());
  CHECK(real_roots(1, 0, 0) == Vector{0, 0});
  CHECK(real_roots(1, -1e9, 1)[0] == doctest::Approx(1e-9).epsilon(1e-14));
  const Conic circle{1, 0, 1, 0, 0, -4};
  CHECK(x_of_turns(circle) == Vector{-2, 2});
  const Conic upright{0, 0, 0, 2, 0, -6};
  CHECK(x_of_turns(upright) == Vector{3});
  // A pole: y = 1 / (x - 3).
  CHECK(x_of_turns({0, 1, 0, 0, -3, -1})[0] == 3);
  CHECK(moved(circle, Vector2d(1, 2)).at(Vector2d(.5, -1)) == circle.at(Vector2d(1.5, 1)));
}

TEST_SUITE_END();

}  // namespace test_conic
