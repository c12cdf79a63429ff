#include "helpers.hpp"

#include <engine/strategy/marginal_test.hpp>
#include <engine/strategy/ratio_test.hpp>
#include <engine/strategy/test_plan.hpp>

#include <doctest/doctest.h>

#include <random>

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
std::shared_ptr<const NumberTest> normals(double distance, double sd = 1) {
  return std::make_shared<MarginalTest>(Normals{{{{0, 0, 1}}, {{0, distance, sd}}}},
                                        std::vector<char>{1, 1});
}

// Two sums of many normals, as of kernels.
std::shared_ptr<const NumberTest> sums(int terms, double sd) {
  Normals of;
  of.classes.resize(2);
  for (int i = 0; i < terms; ++i) {
    const double part = (i + .5) / terms;
    of.classes[0].push_back({-std::log(terms), part * part, sd});
    of.classes[1].push_back({-std::log(terms), .5 + part, sd});
  }
  return std::make_shared<MarginalTest>(of, std::vector<char>{1, 1});
}

// Independent normals about `mean`.
Conditional panel(const Eigen::VectorXd& mean, double sd = 1) {
  Conditional given;
  given.mean = mean;
  given.factor = Matrix::Identity(mean.size(), mean.size()) * sd;
  return given;
}

std::shared_ptr<const NumberTest> ratio(const Conditional& first, const Conditional& second) {
  return std::make_shared<RatioTest>(first, second, 0, 1, 2);
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
  TestPlanner planner(two_tests(), untested(two_tests(), .1), tolerance(1e-3), context);
  const TestPlan plan = planner.plan();
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
      PolicyCosts policies(problem, at, {divisions, 1, {1, 1}});
      REQUIRE(policies.solve({at.state}, at.possible, grid, always, context));
      const double lower = grid.at(at.state, at.weight, at.possible);
      const double closer = grid.two_steps_ahead(at.state, at.weight, at.possible);
      CHECK(closer <= exact + 1e-12);
      CHECK(closer >= lower - 1e-12);
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

TEST_CASE("finer answers add up to 1 in each class, and say more than the number and intervals") {
  const auto counts = [](const CountLaw& first, const CountLaw& second) {
    return std::shared_ptr<const NumberTest>(
        std::make_shared<MarginalTest>(Counts{{first, second}}, std::vector<char>{1, 1}));
  };
  const Cost cost{two_by_two(0, 10, 5, 0)};
  const Eigen::Vector2d at(0, 0), beside(1, .5);
  for (const auto& pointer : {normals(1), normals(2, .5), ratio(panel(at), panel(beside)),
                              ratio(panel(at), panel(beside, 2)), counts(CountLaw{2}, CountLaw{5}),
                              counts({2, 1}, {5, 3}), counts({2, 8}, {5, 3}),
                              counts({1e8, 1}, {2e8, 3}), sums(400, .1), sums(1000, .01)}) {
    const NumberTest& number = *pointer;
    const auto cost_of = [&](const Matrix& answers) {
      double total = 0;
      for (Index a = 0; a < answers.cols(); ++a) {
        total += StopCost(cost, answers.col(a) * .5, {1, 1}).cost;
      }
      return total;
    };
    const Regions regions = number.regions(Eigen::Vector2d(.5, .5), cost);
    const double exact = cost_of(number.probabilities(regions.cut));
    double last = kNegativeInfinity;
    for (int count : {10, 40, 160}) {
      const Matrix finer = number.finer_answers(count);
      const Matrix coarse = number.probabilities(number.cuts(count));
      CHECK((finer.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
      CHECK((coarse.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
      CHECK(finer.minCoeff() >= 0);
      CHECK(cost_of(finer) <= exact + 1e-12);
      CHECK(exact <= cost_of(coarse) + 1e-12);
      CHECK(cost_of(finer) >= last - 1e-12);
      last = cost_of(finer);
    }
    CHECK(last > .98 * exact);
  }
}

TEST_CASE("single values and bins say what they say") {
  const Atoms atoms{{{{0, 1, 3.5}, log_of({.2, .3, .5})}, {{1, 3.5, 4}, log_of({.6, .1, .3})}}};
  const Steps steps{{{{0, 1, 3}, log_of({.25, .75})}, {{0, 2, 3}, log_of({.5, .5})}}};
  for (const Marginal& marginal : {Marginal(atoms), Marginal(steps)}) {
    const MarginalTest number(marginal, {1, 1});
    const Matrix all = number.probabilities(number.cuts(10)), finer = number.finer_answers(10);
    Index answer = 0;
    for (Index i = 0; i < all.cols(); ++i) {
      if (all.col(i).maxCoeff() > 0) CHECK(finer.col(answer++) == all.col(i));
    }
    CHECK(answer == finer.cols());
    CHECK(number.intervals(10) == all);
    CHECK(number.has_gaps(0));
  }
}

TEST_CASE("finer answers of several classes bound all costs from below, and closely") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto draw = [&](Index rows, Index columns) {
    return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  for (int turn = 0; turn < 60; ++turn) {
    const Index classes = 3 + turn % 3;
    Normals normals;
    Gammas gammas;
    for (Index k = 0; k < classes; ++k) {
      const double sd = turn % 2 == 0 ? 1 : std::exp(.4 * normal(random));
      normals.classes.push_back({{0, normal(random), sd}});
      gammas.classes.emplace_back(std::exp(normal(random)), std::exp(normal(random)));
    }
    if (turn % 5 == 0) normals.classes[2] = normals.classes[0];
    const std::vector<char> possible(static_cast<std::size_t>(classes), 1);
    const MarginalTest number =
        turn % 4 == 3 ? MarginalTest(gammas, possible) : MarginalTest(normals, possible);
    const Matrix fine = number.probabilities(number.cuts(1000));
    for (int count : {3, 10, 60}) {
      const Matrix finer = number.finer_answers(count);
      CHECK((finer.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-11);
      CHECK(finer.minCoeff() >= 0);
      for (int i = 0; i < 20; ++i) {
        const Matrix cost = draw(6, classes), weight = draw(classes, 1).array().exp();
        const auto cost_of = [&](const Matrix& answers) {
          return (cost * weight.col(0).asDiagonal() * answers).colwise().minCoeff().sum();
        };
        CHECK(cost_of(finer) <= cost_of(fine) + 1e-12);
        if (count == 60) CHECK(cost_of(finer) >= cost_of(fine) - 1e-2 * weight.sum());
      }
    }
  }
}

TEST_CASE("the log ratio of normals with one covariance is normal") {
  const Eigen::Vector2d at(1, 2), beside(1.6, 2.8);  // 1 apart
  const auto number = ratio(panel(at), panel(beside));
  const Vector cuts{-2, -.5, 0, .5, 2};
  const Matrix mass = number->probabilities(cuts);
  const auto below = [](double x) { return .5 * std::erfc(-x / std::sqrt(2)); };
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    const auto column = static_cast<Index>(i);
    CHECK(digits(mass(0, column), below(cuts[i] + .5) - below(cuts[i - 1] + .5)) > 11);
    CHECK(digits(mass(1, column), below(cuts[i] - .5) - below(cuts[i - 1] - .5)) > 11);
  }
  CHECK(digits(number->log_densities(1)[0], -1) > 14);
  // Costs 10 (1 - p) and 5 p of the probability p of the second class meet at log odds log(2).
  const Regions regions = number->regions(Eigen::Vector2d(.7, .3), Cost{two_by_two(0, 10, 5, 0)});
  REQUIRE(regions.cut.size() == 1);
  CHECK(digits(regions.cut[0], std::log(.5) + std::log(.7 / .3)) > 13);
}

TEST_CASE("equal laws tell nothing") {
  const Eigen::Vector2d at(1, 2);
  const auto number = ratio(panel(at), panel(at));
  const Matrix answers = number->finer_answers(40);
  CHECK((answers.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
  CHECK((answers.row(0) - answers.row(1)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(normals(0)->finer_answers(40).cols() == 1);
}

TEST_CASE("panels of three classes: draws, and the standard error of the tree") {
  const Context context;
  std::vector<std::vector<ConditionalTerm>> terms;
  for (int k = 0; k < 3; ++k) terms.push_back({{0, panel(Eigen::Vector2d(1.5 * k, .5 * k * k))}});
  TestProblem problem;
  problem.cost.of = Matrix::Ones(3, 3) - Matrix::Identity(3, 3);
  problem.draws.emplace_back(terms, 1);
  Unit unit = single(0, .05, problem.draws[0].given());
  unit.steps[0][0].draws = 0;
  problem.units.push_back(unit);
  for (const Matrix& batch : problem.draws[0].batches()) {
    CHECK((batch.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
  }
  const KnownBelief start{{{0}, problem.most_steps}, Eigen::Vector3d(.3, .3, .4), {1, 1, 1}};
  TestPlanner planner(problem, start, tolerance(1e-3), context);
  const TestPlan plan = planner.plan();
  CHECK(!plan.exact);
  CHECK(plan.error > 0);
  CHECK(plan.error < .01);
  CHECK(plan.lower <= plan.value);
  // The Bayes error by 2e6 draws of a program in R, with a standard error of 3e-4.
  CHECK(std::abs(plan.value - .05 - .2283) < 4 * plan.error + 1e-3);
  CHECK(plan.tree->branches.size() == 3);
}

TEST_CASE("numbers: the tolerance is kept, and threads change nothing") {
  TestPlan first;
  for (int count : {1, 2}) {
    const Context context = threads(count);
    TestPlanner planner(two_numbers(), untested(two_numbers(), .7), tolerance(1e-3), context);
    const TestPlan plan = planner.plan();
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

TEST_CASE("four classes: the tolerance is kept within few rounds") {
  const Context context;
  TestProblem problem;
  problem.cost.of = Matrix::Ones(4, 4) - Matrix::Identity(4, 4);
  for (int j = 0; j < 3; ++j) {
    Normals classes;
    for (int k = 0; k < 4; ++k) classes.classes.push_back({{0, 2 * std::sin(3 * j + k), 1}});
    problem.numbers.push_back(std::make_shared<MarginalTest>(classes, std::vector<char>(4, 1)));
    problem.units.push_back(single(j, .1, Matrix(), j));
  }
  const KnownBelief start{
      {{0, 0, 0}, problem.most_steps}, Eigen::Vector4d::Constant(.25), {1, 1, 1, 1}};
  TestPlanner planner(problem, start, tolerance(1e-3), context);
  const TestPlan plan = planner.plan();
  CHECK(plan.value - plan.lower <= 1e-3 * .75);
  CHECK(plan.lower <= plan.value);
  CHECK(plan.round <= 2);
}

TEST_CASE("without time there is a plan, and its bounds hold") {
  const Context context;
  TestPlanner::Settings settings = tolerance(1e-3);
  settings.seconds = 0;
  TestPlanner planner(two_numbers(), untested(two_numbers(), .7), settings, context);
  const TestPlan plan = planner.plan();
  CHECK(plan.lower <= plan.value);
  CHECK(std::isnan(plan.myopic));
  REQUIRE(plan.tree);
}

TEST_CASE("weights near the least double are interpolated") {
  const BeliefGrid grid(Eigen::Vector3d(1, 1, 1), 7);
  const Vector values(static_cast<std::size_t>(grid.points()), 1);
  for (double weight : {1e-300, 1e-311}) {
    const double found = grid.interpolate(values.data(), Eigen::Vector3d(weight, weight, 0));
    CHECK(std::abs(found / weight - 2) < 1e-3);
  }
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
