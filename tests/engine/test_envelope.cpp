#include "helpers.hpp"

#include <engine/search/sweep.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_envelope {

namespace {

const double inf = std::numeric_limits<double>::infinity();

Cost cost_of(std::initializer_list<std::initializer_list<double>> rows) {
  Cost cost;
  cost.of.resize(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index a = 0;
  for (const auto& row : rows) {
    Index k = 0;
    for (double value : row) cost.of(a, k++) = value;
    ++a;
  }
  return cost;
}

Eigen::VectorXd vector_of(const Vector& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Index>(x.size()));
}

std::vector<Segment> sweep(const Vary& vary, double prior, const Cost& cost,
                           const Vector& log_joint) {
  CaseSweep one(vary, prior);
  CHECK(one.set(cost, vector_of(log_joint)));
  return one.segments();
}

IntVector actions_of(const std::vector<Segment>& segments) {
  IntVector result;
  for (const Segment& segment : segments) result.push_back(segment.action);
  return result;
}

// A pencil of lines intercept + slope x.
Pencil lines(const Vector& intercept, const Vector& slope, bool positive) {
  Pencil pencil;
  pencil.fixed = vector_of(intercept);
  pencil.weight = Eigen::VectorXd::Ones(1);
  pencil.slope = vector_of(slope);
  for (std::size_t a = 0; a < slope.size(); ++a) pencil.actions.push_back(static_cast<int>(a));
  pencil.positive = positive;
  return pencil;
}

}  // namespace

TEST_SUITE_BEGIN("envelope");

TEST_CASE("the envelope is the cheapest action everywhere, by brute force") {
  Random random(61);
  for (int trial = 0; trial < 300; ++trial) {
    const int actions = 1 + random.below(7);
    Vector intercept(actions), slope(actions);
    for (double& x : intercept) x = std::floor(20 * random.uniform()) - 10;
    for (double& x : slope) x = std::floor(8 * random.uniform()) - 3;
    const bool positive = random.below(2) == 1;
    const std::vector<Segment> segments =
        LowerEnvelope(lines(intercept, slope, positive)).segments();
    CHECK(segments.front().from == (positive ? 0 : -inf));
    CHECK(segments.back().to == inf);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment& segment = segments[i];
      CHECK(segment.from < segment.to);
      if (i > 0) {
        CHECK(segment.from == segments[i - 1].to);
        CHECK(segment.action != segments[i - 1].action);
      }
      const double low = std::max(segment.from, -1e3), high = std::min(segment.to, 1e3);
      const double x = low + (high - low) * 0.37;
      int expected = 0;
      for (int a = 1; a < actions; ++a) {
        const double best = intercept[expected] + slope[expected] * x;
        if (intercept[a] + slope[a] * x < best - 1e-9) expected = a;
      }
      CHECK(segment.action == expected);
    }
  }
}

TEST_CASE("ties: the first of equal lines, no segment where three lines meet") {
  CHECK(actions_of(LowerEnvelope(lines({1, 1, 0}, {2, 2, 3}, true)).segments()) == IntVector{2, 0});
  CHECK(actions_of(LowerEnvelope(lines({0, 0}, {1, 0}, true)).segments()) == IntVector{1});
  const auto meeting = LowerEnvelope(lines({.3, .1 + .2, 0.6}, {1, 2, 0}, true)).segments();
  CHECK(actions_of(meeting) == IntVector{0, 2});
  CHECK(meeting[0].to == doctest::Approx(.3).epsilon(1e-15));
  // Through one point at x = 1, up to rounding.
  const auto point = LowerEnvelope(lines({0, .1, .3}, {.3, .2, .0}, false)).segments();
  CHECK(actions_of(point) == IntVector{0, 2});
  for (double scale : {1e9, 1e-9}) {
    const Pencil scaled =
        lines({0, .1 * (1 - 1e-15) * scale, .3 * scale}, {.3 * scale, .2 * scale, 0}, false);
    CHECK(actions_of(LowerEnvelope(scaled).segments()) == IntVector{0, 2});
  }
}

TEST_CASE("a prior: 2/19 for the tall player, and its complement") {
  const Vector base{std::log(.85), std::log(.1)};
  const Cost cost = cost_of({{0, 1}, {1, 0}});
  const auto first = sweep({kAll, 0}, .5, cost, base);
  CHECK(actions_of(first) == IntVector{1, 0});
  CHECK(digits(first[0].to, 2 / 19.0) > 14);
  CHECK(first[0].from == 0);
  CHECK(first[1].to == 1);
  const auto second = sweep({kAll, 1}, .5, cost, base);
  CHECK(digits(second[0].to, 17 / 19.0) > 14);
}

TEST_CASE("far in the tails a prior of 1e-300 keeps its digits") {
  const double ratio = 690.5;
  const auto segments =
      sweep({kAll, 0}, .5, cost_of({{0, 4}, {9, 0}, {5, 5}}), {-3000, -3000 - ratio});
  CHECK(actions_of(segments) == IntVector{1, 0});
  CHECK(digits(segments[0].to, 4.0 / 9 * std::exp(-ratio)) > 12);
  // A break-even outside the range of doubles does not count.
  const auto gone = sweep({kAll, 0}, .5, cost_of({{0, 4}, {9, 0}}), {-3000, -3800});
  CHECK(actions_of(clip(gone, 0, 1)) == IntVector{0});
}

TEST_CASE("lines are expected costs: at the prior, and for any cost") {
  Random random(62);
  for (int trial = 0; trial < 200; ++trial) {
    const int classes = 2 + random.below(3), actions = 1 + random.below(4);
    Cost cost;
    cost.of = Matrix::Zero(actions, classes);
    Vector prior(classes), likelihood(classes), base(classes), joint(classes);
    double sum = 0, evidence = 0;
    for (double& p : prior) sum += p = .1 + random.uniform();
    for (int k = 0; k < classes; ++k) {
      prior[k] /= sum;
      likelihood[k] = std::exp(3 * random.normal() - 50);
      evidence += prior[k] * likelihood[k];
      joint[k] = std::log(prior[k] * likelihood[k]);
      for (int a = 0; a < actions; ++a) cost.of(a, k) = std::floor(9 * random.uniform()) - 3;
    }
    const int own = random.below(classes);
    for (int k = 0; k < classes; ++k) {
      base[k] = std::log((k == own ? 1 : prior[k] / (1 - prior[own])) * likelihood[k]);
    }
    CaseSweep by_prior({kAll, own}, prior[own]);
    REQUIRE(by_prior.set(cost, vector_of(base)));
    const CostLines lines = by_prior.lines();
    const double t = random.uniform();
    for (int a = 0; a < actions; ++a) {
      double expected = 0;
      for (int k = 0; k < classes; ++k) {
        const double p = k == own ? t : prior[k] / (1 - prior[own]) * (1 - t);
        expected += p * likelihood[k] * cost.of(a, k) / evidence;
      }
      CHECK(lines.intercept[a] + t * lines.slope[a] == doctest::Approx(expected).epsilon(1e-12));
    }
    const Vary cell{random.below(actions), random.below(classes + 1) - 1};
    CaseSweep by_cost(cell, 0);
    REQUIRE(by_cost.set(cost, vector_of(joint)));
    const CostLines of_cost = by_cost.lines();
    const double v = 10 * random.normal();
    for (int a = 0; a < actions; ++a) {
      double expected = 0;
      for (int k = 0; k < classes; ++k) {
        expected += std::exp(joint[k]) / evidence * (cell.covers(a, k) ? v : cost.of(a, k));
      }
      CHECK(of_cost.intercept[a] + v * of_cost.slope[a] ==
            doctest::Approx(expected).epsilon(1e-12));
    }
  }
}

TEST_CASE("one cost: where it is the only difference, and for a class that hardly occurs") {
  // Given x the posterior is (1 - e, e): v e = 1 (1 - e).
  const double e = 1e-10;
  const auto segments = sweep({0, 1}, 0, cost_of({{0, 50}, {1, 0}}), {std::log1p(-e), std::log(e)});
  CHECK(actions_of(segments) == IntVector{0, 1});
  CHECK(digits(segments[0].to, (1 - e) / e) > 14);
  // The others cost the same elsewhere: the break-even is exactly their cost.
  const auto same = sweep({0, 1}, 0, cost_of({{.1, 50}, {.1, .7}}), {std::log1p(-e), std::log(e)});
  CHECK(digits(same[0].to, .7) > 14);
  // A posterior that underflows still has its price.
  const auto far = sweep({0, 1}, 0, cost_of({{0, 50}, {1e-50, 0}}), {0, -800});
  CHECK(digits(far[0].to, std::exp(800 - 50 * std::log(10))) > 11);
}

TEST_CASE("all costs of an action: the price of rejecting") {
  const Cost cost = cost_of({{0, 10}, {1, 0}, {inf, inf}});
  const auto segments = sweep({2, kAll}, 0, cost, {std::log(.95), std::log(.05)});
  CHECK(actions_of(segments) == IntVector{2, 0});
  CHECK(segments[0].from == -inf);
  CHECK(digits(segments[0].to, .5) > 14);
}

TEST_CASE("infinite costs rule out, but not where the class is impossible") {
  const Cost cost = cost_of({{0, inf}, {3, 1}, {1, 4}});
  CHECK(actions_of(sweep({kAll, 0}, .5, cost, {-1, -900})) == IntVector{1, 2});
  CHECK(actions_of(sweep({kAll, 0}, .5, cost, {-1, kNegativeInfinity})) == IntVector{0});
  const Cost all = cost_of({{inf, inf}, {1, inf}});
  const auto none = sweep({kAll, 0}, .5, all, {-1, -2});
  CHECK(actions_of(none) == IntVector{0});
  CHECK(none[0].from == 0);
  CHECK(none[0].to == 1);
  CaseSweep one({kAll, 0}, .5);
  one.set(all, vector_of({-1, -2}));
  CHECK(one.lines().intercept[0] == inf);
}

TEST_CASE("a case that is impossible under the prior has no answer") {
  CaseSweep one({kAll, 0}, 0);
  CHECK_FALSE(one.set(cost_of({{0, 1}, {1, 0}}), vector_of({-1, kNegativeInfinity})));
  CHECK(one.set(cost_of({{0, 1}, {1, 0}}), vector_of({-1, -3})));
  Matrix joint(3, 2);
  joint << 0, 0, kNegativeInfinity, kNegativeInfinity, kNaN, kNaN;
  const Cost cost = cost_of({{0, 1}, {1, 0}});
  const CaseCost costs{cost, {}};
  const Sweep all = CasesSweep(joint, costs, {kAll, 0}, .5).run(.25, .75, Context());
  CHECK(all.impossible == 1);
  CHECK(all.segments[0].size() == 2);
  CHECK(all.segments[0][0].from == .25);
  CHECK(all.segments[1].empty());
  CHECK(all.segments[2].empty());
  CHECK(std::isnan(all.slope(2, 1)));
}

TEST_CASE("each case has its own costs; only one that counts must be known") {
  Matrix joint(3, 2);
  joint << std::log(.4), std::log(.6), std::log(.4), std::log(.6), std::log(.4), kNegativeInfinity;
  const Vector miss{3, kNaN, kNaN};
  const CaseCost cost{cost_of({{0, 0}, {1, 0}}), {{0, 1, miss.data()}}};
  const Sweep price = CasesSweep(joint, cost, {1, kAll}, 0).run(-inf, inf, threads(2));
  CHECK(digits(price.segments[0][0].to, .6 * 3) > 14);
  CHECK(price.segments[1].empty());
  CHECK(price.unpriced == 1);
  CHECK(price.segments[2][0].to == 0);
  const Sweep itself = CasesSweep(joint, cost, {0, 1}, 0).run(-inf, inf, Context());
  CHECK(digits(itself.segments[1][0].to, .4 / .6) > 14);
}

TEST_SUITE_END();

}  // namespace test_envelope
