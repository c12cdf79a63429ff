#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_mixture {

namespace {

// Two classes: .7 N(3, .9^2) + .3 N(5.8, .8^2), and N(5.8, .95^2).
ModelPlan humps_plan() {
  ModelPlan plan;
  plan.groups = 2;
  plan.banks.push_back(Mixture::Plan{{0}});
  return plan;
}

Mixture::Parameters humps(double offset = 0) {
  Mixture::Parameters p;
  p.components.resize(2, 1);
  p.components << 2, 1;
  p.log_weight = {std::log(.7), std::log(.3), 0};
  p.mean = {offset + 3, offset + 5.8, offset + 5.8};
  p.sd = {.9, .8, .95};
  return p;
}

}  // namespace

TEST_SUITE_BEGIN("mixture");

TEST_CASE("far out the largest term is the sum") {
  const Vector x{-1e6, -47, 3, 5, 60, 1e9};
  const Matrix score =
      score_numbers(humps_plan(), {humps()}, {.6, .4}, frame_of(x), Output::log_likelihood);
  for (std::size_t r = 0; r < x.size(); ++r) {
    const double a = (x[r] - 3) / .9, b = (x[r] - 5.8) / .8;
    const double first = std::log(.7) - std::log(.9) - kHalfLogTwoPi - a * a / 2;
    const double second = std::log(.3) - std::log(.8) - kHalfLogTwoPi - b * b / 2;
    CHECK(digits(score(r, 0), log_add(first, second)) >= 14);
  }
}

TEST_CASE("terms are found class by class, feature by feature") {
  Mixture::Parameters p;
  p.components.resize(2, 2);
  p.components << 2, 1, 1, 3;
  IntMatrix expected(2, 2);
  expected << 0, 3, 2, 4;
  CHECK(p.first_terms() == expected);
}

TEST_CASE("missing numbers add nothing, infinite ones are marked") {
  const Vector x{kNaN, std::numeric_limits<double>::infinity(), 1e200};
  ScoreReport report;
  const Matrix score = score_numbers(humps_plan(), {humps()}, {.6, .4}, frame_of(x), Output::prob,
                                     nullptr, 1, &report);
  CHECK(score(0, 0) == .6);
  CHECK(std::isnan(score(1, 0)));
  CHECK(std::isnan(score(2, 0)));
  CHECK(report.infinite == 1);
  CHECK(report.impossible == 1);
}

TEST_CASE("parameters that contradict themselves are refused") {
  const Mixture::Plan plan{{0}};
  Mixture::Parameters p = humps();
  p.check(plan, 2);
  CHECK(p.sound(0));
  CHECK_THROWS_AS(p.check(plan, 3), InvalidState);
  p.sd.pop_back();
  CHECK_THROWS_AS(p.check(plan, 2), InvalidState);
  p = humps();
  p.sd[1] = 0;
  CHECK_FALSE(p.sound(0));
  CHECK(p.sound(1));
  p = humps();
  p.components(0, 0) = 0;
  CHECK_THROWS_AS(p.check(plan, 2), InvalidState);
  Diagnostics diagnostics;
  CHECK_THROWS_AS(Mixture::estimate(plan, {}, {}, {Vector{1, 1}}, diagnostics), InvalidState);
}

TEST_SUITE_END();

}  // namespace test_mixture
