#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_decision {

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

// No features: the posterior is the prior.
Vector expected_costs(const Cost& cost, const Vector& p) {
  const ModelPlan plan{static_cast<int>(p.size()), {}};
  const Matrix value = score_numbers(plan, {}, p, frame_of({}, 1), Output::decision, &cost);
  return Vector(value.data(), value.data() + value.size());
}

int decision(const Cost& cost, const Vector& p) {
  const ModelPlan plan{static_cast<int>(p.size()), {}};
  return score_choices(plan, {}, p, frame_of({}, 1), Output::decision, &cost)[0];
}

// A table of log likelihoods as a model: feature value i has row i.
IntVector decide_log(const Matrix& log_likelihood, Output output, const Cost* cost = nullptr) {
  const int rows = static_cast<int>(log_likelihood.rows());
  const int classes = static_cast<int>(log_likelihood.cols());
  IntVector code(rows);
  for (int i = 0; i < rows; ++i) code[i] = i + 1;
  const std::vector<AnyParameters> known{Categorical::Parameters{log_likelihood.transpose()}};
  return score_choices(categorical_plan(classes, {rows}), known, Vector(classes, 1.0 / classes),
                       frame_of({factor(code, rows)}, rows), output, cost);
}

}  // namespace

TEST_SUITE_BEGIN("decision");

TEST_CASE("expected cost of three actions, not of the transposed matrix") {
  const Cost cost = cost_of({{0, 1, 8}, {2, 0, 1}, {1, 5, 0}});
  const Vector p{0.5, 0.25, 0.25};
  CHECK(expected_costs(cost, p) == Vector{9 / 4.0, 5 / 4.0, 7 / 4.0});
  CHECK(decision(cost, p) == 2);
}

TEST_CASE("false alarm 1, miss 10: the threshold is 1/11") {
  const Cost cost = cost_of({{0, 10}, {1, 0}});
  const IntVector expected{1, 1, 1, 2, 2, 2, 2, 2};
  const Vector p{.02, .05, .08, .10, .15, .30, .60, .95};
  for (int i = 0; i < 8; ++i) CHECK(decision(cost, {1 - p[i], p[i]}) == expected[i]);
}

TEST_CASE("more actions than classes, fewer, one") {
  const Cost reject = cost_of({{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {.2, .2, .2}});
  CHECK(decision(reject, {.85, .1, .05}) == 1);
  CHECK(decision(reject, {.75, .2, .05}) == 4);
  CHECK(decision(reject, {.8, .15, .05}) == 1);  // a tie: the first action
  CHECK(decision(cost_of({{5, 1, 2}, {1, 1, 1}}), {.1, .2, .7}) == 2);
  CHECK(decision(cost_of({{5, 1, 2}}), {.1, .2, .7}) == 1);
}

TEST_CASE("ties: the first within the band, the cheaper one outside it") {
  const Cost cost = cost_of({{0, 3}, {1, 0}});
  CHECK(decision(cost, {.75, .25}) == 1);
  const Cost near = cost_of({{1 + 4e-13, 1}, {1, 1}}), apart = cost_of({{1 + 9e-12, 1}, {1, 1}});
  CHECK(decision(near, {.5, .5}) == 1);
  CHECK(decision(apart, {.5, .5}) == 2);
  // The band of a tie is relative to the weighed costs, not to their difference.
  const Cost large = cost_of({{1e6 + 1e-7, -1e6}, {1e6, -1e6}});
  CHECK(decision(large, {.5, .5}) == 1);
}

TEST_CASE("ties of classes: the band is relative to the log joint, at least 1e-12") {
  Matrix l(6, 3);
  l << -3, -3, -3,              //
      -1 - 5e-13, -1, -9,       //
      -1 - 5e-12, -1, -9,       //
      -1e6 - 5e-7, -1e6, -1e6,  //
      -1e6 - 5e-6, -1e6, -1e6,  //
      kNegativeInfinity, -2, -2;
  CHECK(decide_log(l, Output::class_) == IntVector{1, 1, 2, 1, 2, 2});
}

TEST_CASE("0-1 cost decides as the class rule, on ties too") {
  Random random(31);
  const int rows = 700;
  Matrix l(rows, 4);
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < 4; ++k) {
      l(i, k) = -std::floor(4 * random.uniform()) - 2e-12 * random.uniform() -
                5e3 * random.uniform() * (i % 2);
    }
  }
  const Cost cost = cost_of({{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}});
  CHECK(cost.is_zero_one());
  CHECK_FALSE(cost_of({{0, 1}, {1, 0}, {1, 1}}).is_zero_one());
  CHECK_FALSE(cost_of({{1, 0}, {0, 1}}).is_zero_one());
  CHECK(decide_log(l, Output::decision, &cost) == decide_log(l, Output::class_));
}

TEST_CASE("infinite costs count unless the class is impossible") {
  const Cost cost = cost_of({{0, inf}, {1, 3}});
  CHECK(expected_costs(cost, {.75, .25}) == Vector{inf, 1.5});
  CHECK(decision(cost, {.9, .1}) == 2);
  CHECK(expected_costs(cost, {1, 0}) == Vector{0, 1});
  CHECK(decision(cost, {1, 0}) == 1);
  // A posterior that underflows does not make its class impossible.
  Matrix l(2, 2);
  l << 0, -2000, 0, kNegativeInfinity;
  CHECK(decide_log(l, Output::decision, &cost) == IntVector{2, 1});
  const Cost all = cost_of({{inf, inf}, {inf, 1}, {1, inf}});
  CHECK(decision(all, {.5, .5}) == 1);
  for (double value : expected_costs(all, {.5, .5})) CHECK(value == inf);
}

TEST_CASE("a cost that is unknown counts unless the class is impossible, as an infinite one") {
  const double unknown = kNaN;
  for (const Cost& cost : {cost_of({{0, unknown}, {1, 0}}), cost_of({{inf, unknown}, {1, 0}})}) {
    CHECK(decision(cost, {.5, .5}) == kMissingInteger);
    CHECK(std::isnan(expected_costs(cost, {.5, .5})[0]));
    CHECK(expected_costs(cost, {.5, .5})[1] == .5);
  }
  CHECK(decision(cost_of({{0, unknown}, {1, 0}}), {1, 0}) == 1);
  const Cost other_class = cost_of({{inf, 0, unknown}, {1, 1, 1}});
  CHECK(decision(other_class, {.5, 0, .5}) == kMissingInteger);
  CHECK(decision(other_class, {.5, .5, 0}) == 2);
}

TEST_CASE("gains, a constant per class, a positive factor: the same decision") {
  const Cost cost = cost_of({{0, 1, 8}, {2, 0, 1}, {1, 5, 0}, {2, 2, 2}});
  Random random(32);
  for (int i = 0; i < 200; ++i) {
    Vector p{random.uniform(), random.uniform(), random.uniform()};
    const double sum = p[0] + p[1] + p[2];
    for (double& value : p) value /= sum;
    Cost moved = cost;
    moved.of.rowwise() += Eigen::RowVector3d(-9, 4, -2);
    moved.of *= 3;
    CHECK(decision(moved, p) == decision(cost, p));
  }
}

TEST_CASE("a row without posterior has no decision and no cost") {
  Matrix l(2, 2);
  l << kNegativeInfinity, kNegativeInfinity, -1, -2;
  const Cost cost = cost_of({{0, 1}, {3, 0}, {1, 1}});
  CHECK(decide_log(l, Output::decision, &cost) == IntVector{kMissingInteger, 1});
  const IntVector code{1, 2};
  const std::vector<AnyParameters> known{Categorical::Parameters{l.transpose()}};
  const Matrix costs = score_numbers(categorical_plan(2, {2}), known, {.5, .5},
                                     frame_of({factor(code, 2)}, 2), Output::decision, &cost);
  for (int a = 0; a < 3; ++a) {
    CHECK(std::isnan(costs(0, a)));
    CHECK(std::isfinite(costs(1, a)));
  }
}

TEST_CASE("the cost of a table: what cannot happen costs nothing, be its cost infinite") {
  Matrix table(2, 2);
  table << .5, 0, .125, .375;
  CHECK(cost_of_table(table, cost_of({{0, 4}, {inf, 8}})) == 3.5);
}

TEST_CASE("a row alone: the first class within the band of a tie, the first action if impossible") {
  RowRule rule(cost_of({{0, 1}, {1, 0}}));
  for (double largest : {-0.5, 0.25, -200.0, 3.0}) {
    const double band = 1e-12 * std::max(1.0, std::abs(largest));
    CHECK(rule.decide(Eigen::Vector2d(largest - 0.995 * band, largest)) == 0);
    CHECK(rule.decide(Eigen::Vector2d(largest - 1.005 * band, largest)) == 1);
  }
  CHECK(rule.decide(Eigen::Vector2d(-inf, -inf)) == 0);
}

TEST_SUITE_END();

}  // namespace test_decision
