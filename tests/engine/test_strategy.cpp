#include "helpers.hpp"

#include <engine/strategy/test_plan.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_strategy {

namespace {

Matrix two_by_two(double a, double b, double c, double d) {
  Matrix m(2, 2);
  m << a, b, c, d;
  return m;
}

// A unit of one feature.
Unit single(int test, double price, const Matrix& given, int number = kAll) {
  Step step;
  step.test = step.feature = test;
  step.price = price;
  step.number = number;
  step.given = given;
  step.next = {1};
  return {{{step}, {}}};
}

// Two tests with P(pos | ill) = .9 and P(pos | well) = .2.
TestProblem two_tests() {
  TestProblem problem;
  problem.cost.of = two_by_two(0, 4, 8, 0);
  for (int j = 0; j < 2; ++j) problem.units.push_back(single(j, .1, two_by_two(.9, .1, .2, .8)));
  return problem;
}

// Two normals about 0 and `distance`.
NumberTest normals(double distance, double sd = 1) {
  return {Normals{{{{0, 0, 1}}, {{0, distance, sd}}}}, {1, 1}};
}

TestProblem two_numbers() {
  TestProblem problem;
  problem.cost.of = two_by_two(0, 10, 5, 0);
  for (int j = 0; j < 2; ++j) {
    problem.numbers.push_back(normals(1 + j, 1 + .5 * j));
    problem.units.push_back(single(j, .2, Matrix(), j));
  }
  return problem;
}

KnownBelief untested(const TestProblem& problem, double first) {
  return {{IntVector(problem.units.size(), 0), problem.most_steps},
          Eigen::Vector2d(first, 1 - first),
          {1, 1}};
}

TestPlanner::Settings tolerance(double share) {
  TestPlanner::Settings settings;
  settings.tolerance = share;
  return settings;
}

}  // namespace

TEST_SUITE_BEGIN("strategy");

TEST_CASE("two tests that pay only together: .423") {
  const Context context;
  TestPlanner planner(two_tests(), tolerance(1e-3), context);
  const TestPlan plan = planner.plan(untested(two_tests(), .1));
  CHECK(digits(plan.value, .423) > 12);
  CHECK(digits(plan.lower, .423) > 12);
  CHECK(digits(plan.myopic, .8) > 12);
  CHECK(plan.exact);
  CHECK(plan.tree->nodes == 5);
  CHECK(digits(plan.tree->cost_at(Eigen::Vector2d(.1, .9)), .423) > 12);
}

TEST_CASE("the grid bounds from below, policies from above, and both meet") {
  const Context context;
  const TestProblem problem = two_tests();
  const auto always = [] { return true; };
  for (double first : {.02, .1, .3, .7}) {
    const KnownBelief at = untested(problem, first);
    const double exact =
        ExactCostToCome(problem, TestRule::best, context).at(at.state, at.weight, at.possible);
    double last = kInfinity;
    for (int divisions : {10, 100, 1000}) {
      GridCostToCome grid(problem, {TestRule::best, divisions, {1, 1}});
      REQUIRE(grid.solve({at.state}, at.possible, always, context));
      PolicyCosts policies(problem, {divisions, 1, {1, 1}});
      REQUIRE(policies.solve({at.state}, at.possible, grid, always, context));
      const double lower = grid.at(at.state, at.weight, at.possible);
      const double upper = policies.choose(at.state, at.weight, at.possible).cost;
      CHECK(lower <= exact + 1e-12);
      CHECK(upper >= exact - 1e-12);
      CHECK(upper - lower <= last + 1e-12);
      last = upper - lower;
    }
    CHECK(last < 1e-4);
  }
}

TEST_CASE("units that are not tracked lower the bound, never raise it") {
  const Context context;
  const TestProblem problem = two_tests();
  const KnownBelief at = untested(problem, .1);
  for (const std::vector<char>& tracked :
       {std::vector<char>{1, 1}, std::vector<char>{1, 0}, std::vector<char>{0, 0}}) {
    GridCostToCome grid(problem, {TestRule::best, 400, tracked});
    REQUIRE(grid.solve(
        {at.state}, at.possible, [] { return true; }, context));
    CHECK(grid.at(at.state, at.weight, at.possible) <= .423 + 1e-12);
  }
}

TEST_CASE("finer answers add up to 1 in each class, and say more than intervals") {
  const Cost cost{two_by_two(0, 10, 5, 0)};
  for (const NumberTest& number :
       {normals(1), normals(2, .5), NumberTest(Counts{{CountLaw{2}, CountLaw{5}}}, {1, 1})}) {
    double last = kNegativeInfinity;
    for (int count : {10, 40, 160}) {
      const Matrix finer = number.finer_answers(count);
      const Matrix coarse = number.probabilities(number.cuts(count));
      CHECK((finer.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
      CHECK((coarse.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
      CHECK(finer.minCoeff() >= 0);
      const auto cost_of = [&](const Matrix& answers) {
        double total = 0;
        for (Index a = 0; a < answers.cols(); ++a) {
          total += StopCost(cost, answers.col(a) * .5, {1, 1}).cost;
        }
        return total;
      };
      CHECK(cost_of(finer) <= cost_of(coarse) + 1e-12);
      CHECK(cost_of(finer) >= last - 1e-12);
      last = cost_of(finer);
    }
  }
}

TEST_CASE("numbers: the tolerance is kept, and threads change nothing") {
  TestPlan first;
  for (int count : {1, 2}) {
    const Context context = threads(count);
    TestPlanner planner(two_numbers(), tolerance(1e-3), context);
    const TestPlan plan = planner.plan(untested(two_numbers(), .7));
    const double now = StopCost(two_numbers().cost, Eigen::Vector2d(.7, .3), {1, 1}).cost;
    CHECK(plan.value - plan.lower <= 1e-3 * now);
    CHECK(plan.lower <= plan.value);
    CHECK(plan.value < now);
    CHECK(plan.loss >= 0);
    if (count == 2) {
      CHECK(plan.value == first.value);
      CHECK(plan.lower == first.lower);
      CHECK(plan.tree->nodes == first.tree->nodes);
    }
    first.value = plan.value;
    first.lower = plan.lower;
    first.tree = plan.tree;
  }
}

TEST_CASE("without time there is a plan, and its bounds hold") {
  const Context context;
  TestPlanner::Settings settings = tolerance(1e-3);
  settings.seconds = 0;
  TestPlanner planner(two_numbers(), settings, context);
  const TestPlan plan = planner.plan(untested(two_numbers(), .7));
  CHECK(plan.lower <= plan.value);
  CHECK(std::isnan(plan.myopic));
  REQUIRE(plan.tree);
}

TEST_CASE("a simplex of three classes: points, their order, and interpolation") {
  Eigen::Vector3d scale(1, 2, .5);
  const BeliefGrid grid(scale, 7);
  CHECK(grid.points() == 36);
  Vector linear, concave;
  const Eigen::Vector3d slope(3, -1, 2);
  for (Index i = 0; i < grid.points(); ++i) {
    const Eigen::VectorXd weight = grid.weight(i);
    CHECK(digits(weight.dot(scale), 1) > 14);
    linear.push_back(slope.dot(weight));
    concave.push_back(std::min({2 * weight[0], weight[1] + weight[2], .5 * weight.sum()}));
  }
  for (Index i = 0; i < grid.points(); ++i) {
    const double at = grid.interpolate(concave.data(), grid.weight(i));
    CHECK(std::abs(at - concave[static_cast<std::size_t>(i)]) < 1e-14);
  }
  Eigen::Vector3d weight(.2, .5, .3);
  for (int turn = 0; turn < 20; ++turn) {
    weight = Eigen::Vector3d(weight[1] * 1.1, weight[2] * .7 + .01, weight[0] + .02);
    CHECK(std::abs(grid.interpolate(linear.data(), weight) - slope.dot(weight)) < 1e-13);
    const double exact = std::min({2 * weight[0], weight[1] + weight[2], .5 * weight.sum()});
    CHECK(grid.interpolate(concave.data(), weight) <= exact + 1e-13);
  }
}

TEST_SUITE_END();

}  // namespace test_strategy
