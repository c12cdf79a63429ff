#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_trace {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

PlaneTerm normal(double x, double y, double xx, double xy, double yy) {
  Matrix2d covariance;
  covariance << xx, xy, xy, yy;
  return {0, Vector2d(x, y), Matrix2d(covariance.llt().matrixU())};
}

Cost zero_one(int classes) {
  return {Matrix::Ones(classes, classes) - Matrix::Identity(classes, classes)};
}

std::vector<Polyline> trace(const Plane& plane, int first, int second, const Window& window,
                            int size = 50) {
  const Vector log_prior(plane.classes.size(), 0.0);
  const Cost cost = zero_one(static_cast<int>(plane.classes.size()));
  const ActionPair pair = compare_actions(plane, log_prior, cost, first, second);
  const Contenders contenders(plane, log_prior, cost);
  return BoundaryTracer(pair, contenders, window).trace(size);
}

double length(const Polyline& line) {
  double total = 0;
  for (std::size_t i = 1; i < line.size(); ++i) total += (line[i] - line[i - 1]).norm();
  return total;
}

}  // namespace

TEST_SUITE_BEGIN("trace");

TEST_CASE("two lines that cross, from frame to frame") {
  // The lecture's naive rule: y = x + 4.5 and y = 0.5 - x, which meet at (-2, 2.5).
  const Plane plane{{{normal(0, 0, 2, 0, 2.5)}, {normal(.5, .5, 2.5, 0, 2)}}};
  const std::vector<Polyline> lines = trace(plane, 0, 1, {{-5, -3}, {1, 8}});
  double total = 0;
  for (const Polyline& line : lines) {
    total += length(line);
    for (const Vector2d& z : line) {
      CHECK(std::min(std::abs(z[1] - z[0] - 4.5), std::abs(z[1] + z[0] - .5)) < 1e-10);
    }
  }
  // From (-5, -.5) to (1, 5.5), and from (-5, 5.5) to (1, -.5).
  CHECK(total == doctest::Approx(12 * std::sqrt(2.0)).epsilon(1e-10));
}

TEST_CASE("an ellipse is closed, however small; a window shows a part of it") {
  const Plane plane{{{normal(0, 0, 1e-4, 0, 1e-4)}, {normal(0, 0, 1, 0, 1)}}};
  const double radius = std::sqrt(2 * std::log(1e4) / (1e4 - 1));
  const std::vector<Polyline> all = trace(plane, 0, 1, {{-9, -9}, {9, 9}});
  REQUIRE(all.size() == 1);
  CHECK(length(all[0]) == doctest::Approx(6.283185307 * radius).epsilon(1e-3));
  CHECK((all[0].front() - all[0].back()).norm() < 1e-12);
  const std::vector<Polyline> half = trace(plane, 0, 1, {{-9, 0}, {9, 9}});
  double total = 0;
  for (const Polyline& line : half) total += length(line);
  CHECK(total == doctest::Approx(3.141592653 * radius).epsilon(1e-2));
  CHECK(trace(plane, 0, 1, {{1, 1}, {2, 2}}).empty());
}

TEST_CASE("two branches; a third class ends a boundary where all three meet") {
  const Plane two{{{normal(0, 0, 2, 2.2, 2.5)}, {normal(.5, .5, 2.5, -2.2, 2)}}};
  CHECK(trace(two, 0, 1, {{-4, -4}, {4, 4}}, 200).size() == 2);
  const Plane three{{{normal(-1, 0, 1, 0, 1)}, {normal(1, 0, 1, 0, 1)}, {normal(0, 2, 1, 0, 1)}}};
  const std::vector<Polyline> lines = trace(three, 0, 1, {{-5, -5}, {5, 5}});
  REQUIRE(lines.size() == 1);
  // x = 0 up to the point at equal distance of all three means, (0, .75).
  double top = -9;
  for (const Vector2d& z : lines[0]) top = std::max(top, z[1]);
  CHECK(std::abs(top - .75) < 1e-6);
  CHECK(length(lines[0]) == doctest::Approx(5.75).epsilon(1e-6));
}

TEST_CASE("a boundary ends where a class of another spread wins") {
  const Plane plane{{{normal(-1, 0, 1, 0, 1)}, {normal(1, 0, 1, 0, 1)}, {normal(0, 2, 4, 0, 4)}}};
  const std::vector<Polyline> lines = trace(plane, 0, 1, {{-5, -5}, {5, 5}});
  REQUIRE(lines.size() == 1);
  // x = 0, where (1 + y^2) / 2 < (y - 2)^2 / 8 + log 4.
  const double root = std::sqrt(16 + 96 * std::log(4.0));
  double bottom = 9, top = -9;
  for (const Vector2d& z : lines[0]) {
    bottom = std::min(bottom, z[1]);
    top = std::max(top, z[1]);
  }
  CHECK(std::abs(bottom - (-4 - root) / 6) < 1e-6);
  CHECK(std::abs(top - (-4 + root) / 6) < 1e-6);
}

TEST_CASE("where actions cost the same: by costs, not by classes") {
  const Plane plane{{{normal(0, 0, 1, 0, 1)}, {normal(2, 0, 1, 0, 1)}, {normal(0, 2, 1, 0, 1)}}};
  const Vector prior(3, 0.0);
  using Contest = ActionPair::Contest;
  const double inf = std::numeric_limits<double>::infinity();
  // Act, wait, reject, a copy of reject, never, and a worse way to act.
  const Cost cost{
      (Matrix(6, 3) << 0, 1, 1, 1, 0, 1, .3, .3, .3, .3, .3, .3, 0, 0, inf, 1, 2, 2).finished()};
  const auto contest = [&](int a, int b) {
    return compare_actions(plane, prior, cost, a, b).contest;
  };
  CHECK(contest(0, 1) == Contest::conic);
  CHECK(contest(0, 2) == Contest::contour);
  CHECK(contest(2, 3) == Contest::tied);
  CHECK(contest(0, 4) == Contest::settled);
  CHECK(contest(0, 5) == Contest::settled);
  CHECK(compare_actions(plane, prior, cost).size() == 15);
  // Without the third class rejecting is a matter of two normals again.
  const ActionPair pair = compare_actions(plane, {0, 0, kNegativeInfinity}, cost, 0, 2);
  REQUIRE(pair.contest == Contest::conic);
  // .3 p0 = .7 p1 on the line x = 1 + log(3 / 7) / 2.
  const StraightLine line = pair.boundary()->lines().at(0);
  CHECK(-line.constant / line.normal[0] ==
        doctest::Approx(1 + std::log(3 / 7.0) / 2).epsilon(1e-12));
}

TEST_CASE("the lead of an action: what its classes save against what they cost more") {
  const double inf = std::numeric_limits<double>::infinity();
  const Cost cost{(Matrix(2, 5) << 0, 3, 5, 1, 9, 2, 1, 5, 4, 0).finished()};
  Matrix log_joint(2, 5);
  log_joint << std::log(.5), std::log(.25), std::log(.1), std::log(.1), -inf,  //
      -inf, -inf, 0, -inf, -inf;
  const Vector leads = log_leads(log_joint, cost, 0, 1);
  CHECK(leads[0] == doctest::Approx(std::log((.5 * 2 + .1 * 3) / (.25 * 2))).epsilon(1e-14));
  CHECK(std::isnan(leads[1]));
}

TEST_SUITE_END();

}  // namespace test_trace
