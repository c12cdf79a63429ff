#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_monte_carlo {

namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x * kSqrtHalf); }

// Two normal classes in p dimensions, sd 1, `distance` apart along the diagonal.
Known two_normals(int p, double distance, const Vector& prior, double offset = 0) {
  Known known{block_plan(2, p), {}, prior, p};
  MultivariateGaussian::Parameters parameters;
  parameters.mean = Matrix::Constant(2, p, offset);
  parameters.mean.row(1).array() += distance / std::sqrt(static_cast<double>(p));
  parameters.mean_low = Matrix::Zero(2, p);
  parameters.factor = {Matrix::Identity(p, p)};
  known.parameters = {parameters};
  return known;
}

MonteCarloRisk risk_of(const Known& world, const std::vector<const RowDecisions*>& rules,
                       const Cost& cost, double tolerance, int count = 1, std::uint64_t seed = 1) {
  const View view = world.view();
  MonteCarloOptions options;
  options.tolerance = tolerance;
  options.seed = seed;
  const Context context = count == 1 ? Context() : threads(count);
  return MonteCarlo(view, rules, cost, options, context).run();
}

double expected_cost(const Matrix& table, const Cost& cost) {
  return table.cwiseProduct(cost.of.transpose()).sum();
}

}  // namespace

TEST_SUITE_BEGIN("monte_carlo");

TEST_CASE("lattice points are uniform in every coordinate, whatever the shift") {
  for (int dimension : {1, 5, 40}) {
    const ShiftedLattice lattice(dimension, 7, 3);
    Vector u(static_cast<std::size_t>(dimension)), sum(u.size(), 0.0), square(u.size(), 0.0);
    constexpr int kPoints = 4096;
    for (int i = 0; i < kPoints; ++i) {
      lattice.point(static_cast<std::uint64_t>(i), u.data());
      for (int j = 0; j < dimension; ++j) {
        CHECK_MESSAGE((u[j] > 0 && u[j] < 1), j);
        sum[j] += u[j];
        square[j] += u[j] * u[j];
      }
    }
    for (int j = 0; j < dimension; ++j) {
      const double room = j < 32 ? 1e-3 : 0.02;
      CHECK(std::abs(sum[j] / kPoints - 0.5) < room);
      CHECK(std::abs(square[j] / kPoints - 1.0 / 3) < room);
    }
  }
}

TEST_CASE("two normal classes in five dimensions: the closed form") {
  const Cost cost = zero_one(2);
  const BayesDecisions bayes(cost);
  for (double distance : {0.5, 4.0}) {
    const Known world = two_normals(5, distance, {.5, .5});
    const MonteCarloRisk found = risk_of(world, {&bayes}, cost, 1e-4);
    const double truth = normal_cdf(-distance / 2);
    CHECK(std::abs(expected_cost(found.table[0], cost) - truth) < 4 * found.error[0]);
    CHECK(found.error[0] <= 1e-4);
    CHECK(std::abs(found.table[0].sum() - 1) < 1e-12);
  }
}

TEST_CASE("an error that is too rare to be seen is within the standard error") {
  const Cost cost = zero_one(2);
  const BayesDecisions bayes(cost);
  const MonteCarloRisk found = risk_of(two_normals(3, 12, {.5, .5}), {&bayes}, cost, 1e-4);
  CHECK(std::abs(expected_cost(found.table[0], cost) - normal_cdf(-6)) < 4 * found.error[0]);
}

TEST_CASE("unequal priors and costs, also far from 0") {
  Cost cost;
  cost.of.resize(3, 2);
  cost.of << 0, 8, 1, 0, .3, .6;
  const BayesDecisions bayes(cost);
  // On the discriminant t ~ N(0, 1) or N(2, 1), the cuts are where two actions cost the
  // same: l = p2/p1 at .3 = (8 - .6) l and .7 = .6 l.
  const double d = 2, ratio = std::log(.3 / .7);
  const auto cut = [&](double l) { return (std::log(l) - ratio) / d + d / 2; };
  const double first = cut(.3 / 7.4), second = cut(.7 / .6);
  const double truth =
      .7 * (.3 * (normal_cdf(second) - normal_cdf(first)) + normal_cdf(-second)) +
      .3 * (8 * normal_cdf(first - d) + .6 * (normal_cdf(second - d) - normal_cdf(first - d)));
  for (double offset : {0.0, 1e9}) {
    const Known world = two_normals(4, d, {.7, .3}, offset);
    const MonteCarloRisk found = risk_of(world, {&bayes}, cost, 1e-4);
    CHECK(std::abs(expected_cost(found.table[0], cost) - truth) < 4 * found.error[0]);
    CHECK(found.error[0] <= 1e-4);
  }
}

TEST_CASE("a line: the exact table, for the world's own rule and for another") {
  Known world{gaussian_plan(3, 1), {}, {.5, .2, .3}, 1};
  Matrix mean(3, 1), sd(3, 1);
  mean << 0, 1.5, 2;
  sd << 1, .5, 2;
  world.parameters = {Gaussian::Parameters{mean, Matrix::Zero(3, 1), sd}};
  Known rule = world;
  rule.prior = {.1, .6, .3};
  Cost cost;
  cost.of.resize(2, 3);
  cost.of << 0, 4, 2, 3, 0, 1;
  const View view = world.view(), other = rule.view();
  const LineWorld line{view, {}, 0, 0.0};
  const Matrix exact = decision_table(line, ModelRule(view, line, cost), 2, Context());
  const Matrix exact_other = decision_table(line, ModelRule(other, line, cost), 2, Context());
  const BayesDecisions bayes(cost);
  const ModelDecisions model(other, cost);
  const MonteCarloRisk found = risk_of(world, {&bayes, &model}, cost, 3e-5);
  const double gap = expected_cost(found.table[0], cost) - expected_cost(exact, cost);
  CHECK(std::abs(gap) < 4 * found.error[0]);
  const double gap_other = expected_cost(found.table[1], cost) - expected_cost(exact_other, cost);
  CHECK(std::abs(gap_other) < 4 * found.error[1]);
  CHECK(largest_difference(found.table[0], exact) < 1e-4);
  CHECK(largest_difference(found.table[1], exact_other) < 1e-4);
  CHECK(expected_cost(found.table[1], cost) >= expected_cost(found.table[0], cost));
}

TEST_CASE("categorical features: every cell counted, missing and unknown levels too") {
  Known world{categorical_plan(2, {2, 3}), {}, {.4, .6}, 2};
  Matrix p(2, 5);
  p << .9, .1, .2, .3, .5, .25, .75, 0, .4, .6;
  world.parameters = {Categorical::Parameters{p.array().log().matrix()}};
  const Cost cost = zero_one(2);
  const View view = world.view();
  const LineWorld cells{view, {{0, 1}, {2, 3}}, -1, 0};
  // A rule that knows the second feature only, and not its last level.
  Known rule{categorical_plan(2, {2}), {}, {.5, .5}, 1};
  Matrix q(2, 2);
  q << .3, .7, .6, .4;
  rule.parameters = {Categorical::Parameters{q.array().log().matrix()}};
  const View seen{rule.plan, rule.parameters, rule.prior, {-1, 0}, {{}, {0, 1, -1}}};
  const Matrix exact = decision_table(cells, ModelRule(view, cells, cost), 2, Context());
  const Matrix exact_rule = decision_table(cells, ModelRule(seen, cells, cost), 2, Context());
  const BayesDecisions bayes(cost);
  const ModelDecisions model(seen, cost);
  const MonteCarloRisk found = risk_of(world, {&bayes, &model}, cost, 1e-5);
  for (int r = 0; r < 2; ++r) {
    const Matrix& truth = r == 0 ? exact : exact_rule;
    CHECK(std::abs(expected_cost(found.table[r] - truth, cost)) < 4 * found.error[r] + 1e-12);
    CHECK(largest_difference(found.table[r], truth) < 1e-3);
  }
}

TEST_CASE("the same bits for any number of threads, other numbers for another seed") {
  const Known world = two_normals(3, 1.5, {.3, .7});
  const Cost cost = zero_one(2);
  const BayesDecisions bayes(cost);
  const MonteCarloRisk one = risk_of(world, {&bayes}, cost, 1e-4);
  const MonteCarloRisk four = risk_of(world, {&bayes}, cost, 1e-4, 4);
  const MonteCarloRisk other = risk_of(world, {&bayes}, cost, 1e-4, 1, 2);
  CHECK(same_bits(one.table[0], four.table[0]));
  CHECK(same_bits(one.error[0], four.error[0]));
  CHECK_FALSE(same_bits(one.table[0], other.table[0]));
}

TEST_CASE("rows are doubled until the tolerance is met, or there are enough") {
  const Known world = two_normals(3, 1.5, {.3, .7});
  const Cost cost = zero_one(2);
  const BayesDecisions bayes(cost);
  const MonteCarloRisk coarse = risk_of(world, {&bayes}, cost, 1);
  CHECK(coarse.rows == 16 * 2 * 1024);
  const MonteCarloRisk most = risk_of(world, {&bayes}, cost, 0);
  CHECK(most.rows == 1 << 20);
  CHECK(most.error[0] < coarse.error[0]);
}

TEST_CASE("a class of prior 0 is neither drawn nor decided; no features, no chance") {
  Known world = two_normals(2, 1, {1, 0});
  world.parameters[0].as<MultivariateGaussian::Parameters>().mean.row(1).setConstant(kNaN);
  const Cost cost = zero_one(2);
  const BayesDecisions bayes(cost);
  const MonteCarloRisk found = risk_of(world, {&bayes}, cost, 1e-9);
  CHECK(found.table[0](0, 0) == 1);
  CHECK(found.error[0] < 1e-5);
  const Known prior_only{{2, {}}, {}, {.3, .7}, 0};
  const MonteCarloRisk nothing = risk_of(prior_only, {&bayes}, cost, 1e-9);
  CHECK(std::abs(nothing.table[0](0, 1) - .3) < 1e-12);
  CHECK(nothing.error[0] < 1e-5);
}

TEST_SUITE_END();

}  // namespace test_monte_carlo
