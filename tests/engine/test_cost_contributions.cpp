#include "helpers.hpp"

#include <engine/model/cost_contributions.hpp>

#include <doctest/doctest.h>

#include <numeric>

using namespace testing;

namespace test_cost_contributions {

namespace {

const double inf = std::numeric_limits<double>::infinity();

// Log prior and log likelihoods of three blocks in three classes.
Matrix some_parts() {
  Matrix parts(4, 3);
  parts << .5, .3, .2, .9, .1, .4, .2, .7, .3, .6, .5, .05;
  return parts.array().log();
}

Cost some_cost() {
  Cost cost{Matrix(2, 3)};
  cost.of << 0, 4, 9, 2, 1, 3;
  return cost;
}

Eigen::VectorXd expected(const Matrix& parts, const IntVector& known, const Cost& cost) {
  Eigen::VectorXd joint = parts.row(0);
  for (int b : known) joint += parts.row(1 + b).transpose();
  const Eigen::VectorXd weight = joint.array().exp();
  return cost.of * weight / weight.sum();
}

Matrix divide(const Matrix& parts, const Cost& cost, StepOrder order) {
  Matrix steps(parts.rows(), cost.of.rows());
  CostSteps(order, static_cast<int>(parts.rows()) - 1).divide(parts, ExpectedCost(cost), steps);
  return steps;
}

}  // namespace

TEST_SUITE_BEGIN("contributions to the expected cost");

TEST_CASE("in the order of the model: differences of expected costs") {
  const Matrix steps = divide(some_parts(), some_cost(), StepOrder::given);
  IntVector known;
  Eigen::VectorXd before = expected(some_parts(), known, some_cost());
  CHECK((steps.row(0).transpose() - before).cwiseAbs().maxCoeff() < 1e-14);
  for (int b = 0; b < 3; ++b) {
    known.push_back(b);
    const Eigen::VectorXd after = expected(some_parts(), known, some_cost());
    CHECK((steps.row(b + 1).transpose() - (after - before)).cwiseAbs().maxCoeff() < 1e-14);
    before = after;
  }
}

TEST_CASE("Shapley values: the mean over all orders") {
  const Matrix parts = some_parts();
  Matrix mean = Matrix::Zero(4, 2);
  IntVector order{0, 1, 2};
  do {
    IntVector known;
    Eigen::VectorXd before = expected(parts, known, some_cost());
    for (int b : order) {
      known.push_back(b);
      const Eigen::VectorXd after = expected(parts, known, some_cost());
      mean.row(b + 1) += (after - before).transpose() / 6;
      before = after;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  mean.row(0) = expected(parts, {}, some_cost());
  CHECK((divide(parts, some_cost(), StepOrder::shapley) - mean).cwiseAbs().maxCoeff() < 1e-14);
}

TEST_CASE("a block that says nothing adds exactly 0, and a model without blocks has its prior") {
  Matrix parts = some_parts();
  parts.row(2).setZero();
  for (StepOrder order : {StepOrder::given, StepOrder::shapley}) {
    CHECK(divide(parts, some_cost(), order).row(2).cwiseAbs().maxCoeff() == 0);
    const Matrix prior = divide(parts.topRows(1), some_cost(), order);
    CHECK((prior.transpose() - expected(parts, {}, some_cost())).cwiseAbs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("an infinite cost counts until its class is impossible; two infinite costs are equal") {
  Cost cost = some_cost();
  cost.of(0, 2) = inf;
  Matrix parts = some_parts();
  parts(2, 2) = -inf;
  const Matrix steps = divide(parts, cost, StepOrder::given);
  CHECK(steps(0, 0) == inf);
  CHECK(steps(1, 0) == 0);
  CHECK(steps(2, 0) == -inf);
  CHECK(std::isfinite(steps(3, 0)));
  CHECK(divide(parts, cost, StepOrder::shapley)(2, 0) == -inf);
}

TEST_CASE("rows: decisions, the best alternative, unknown costs and impossible cases") {
  const ModelPlan plan = categorical_plan(2, {2});
  Matrix probability(2, 2);
  probability << .9, .1, .3, .7;
  const std::vector<AnyParameters> banks{Categorical::Parameters{probability.array().log()}};
  const Scorer scorer(plan, banks, {.5, .5}, 3);
  const IntVector levels{1, 2, kMissingInteger};
  const Frame frame = frame_of({factor(levels, 2)}, 3);
  const Vector amount{5, 5, kNaN};
  CaseCost cost{Cost{Matrix(3, 2)}, {{0, 1, amount.data()}}};
  cost.fixed.of << 0, 0, 2, 0, 1, 1;
  Vector steps(3 * 2 * 3);
  IntVector decision(3), second(3);
  const CostContributions out{steps.data(), decision.data(), second.data(), kNaN};
  const ScoreReport report =
      cost_contributions(plan, scorer, frame, cost, StepOrder::given, out, {});
  CHECK(report.decision.unpriced == 1);
  CHECK(decision == IntVector{3, 2, kMissingInteger});
  CHECK(second == IntVector{1, 3, kMissingInteger});
  CHECK(steps[0] == doctest::Approx(2.5));
  CHECK(steps[3] == doctest::Approx(5 * .25 - 2.5));
  CHECK(std::isnan(steps[2]));
}

TEST_SUITE_END();

}  // namespace test_cost_contributions
