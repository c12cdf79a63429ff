#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_action_pairs {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

PlaneTerm normal(double x, double y, double xx, double xy, double yy) {
  Matrix2d covariance;
  covariance << xx, xy, xy, yy;
  return {0, Vector2d(x, y), Matrix2d(covariance.llt().matrixU())};
}

}  // namespace

TEST_SUITE_BEGIN("action pairs");

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

TEST_SUITE_END();

}  // namespace test_action_pairs
