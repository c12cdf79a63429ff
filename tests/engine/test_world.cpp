#include "helpers.hpp"

#include <engine/risk/decision_table.hpp>
#include <engine/world/conditional.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_world {

namespace {

// Two classes; a Gaussian block of three features with the covariance factor'factor.
struct Block {
  ModelPlan plan = block_plan(2, 3);
  std::vector<AnyParameters> parameters;
  Vector prior{.25, .75};

  Block() {
    Matrix mean(2, 3), a(3, 3), b(3, 3);
    mean << 1, 2, 3, -1, 0, 5;
    a << 2, .5, -1, 0, 1, .3, 0, 0, .7;
    b << 1, -.2, .4, 0, 3, 1, 0, 0, .2;
    parameters.push_back(MultivariateGaussian::Parameters{mean, Matrix::Zero(2, 3), {a, b}});
  }
  View view() const { return view_of(plan, parameters, prior, 3); }
  Matrix covariance(int k) const {
    const Matrix& u = parameters[0].as<MultivariateGaussian::Parameters>().factor_of(k);
    return u.transpose() * u;
  }
};

// Three classes; a table of two features of 2 and 3 levels, one single feature of 2,
// and a number. Its features in this order: number, single, joint, joint.
struct Mixed {
  ModelPlan plan{
      3, {Gaussian::Plan{{0}}, Categorical::Plan{{1}, {2}}, JointTable::Plan{{2, 3}, {2, 3}}}};
  std::vector<AnyParameters> parameters;
  Vector prior{.5, .3, .2};

  Mixed() {
    parameters.push_back(Gaussian::Parameters{Eigen::Vector3d(0, 1, 4), Matrix::Zero(3, 1),
                                              Eigen::Vector3d(1, 2, .5)});
    Matrix single(3, 2);
    single << .2, .8, .5, .5, 1, 0;
    parameters.push_back(Categorical::Parameters{single.array().log()});
    IntMatrix cells(4, 2);
    cells << 1, 1, 1, 3, 2, 1, 2, 2;
    Matrix joint(3, 4);
    joint << .1, .2, .3, .4, .4, .3, .2, .1, .25, .25, .25, .15;
    parameters.push_back(JointTable::Parameters{
        cells, joint.array().log(), {kNegativeInfinity, kNegativeInfinity, std::log(.05)}});
  }
  View view() const { return view_of(plan, parameters, prior, 4); }
};

Cost zero_one(int classes) {
  return {Matrix(Matrix::Ones(classes, classes) - Matrix::Identity(classes, classes))};
}

}  // namespace

TEST_SUITE_BEGIN("world");

TEST_CASE("lines and planes of a Gaussian block are its marginals") {
  const Block block;
  const View view = block.view();
  CHECK(origin_of(view, 2) == 3);
  const Normals line = normals_of(view, 2, 3);
  const Plane plane = plane_of(view, 2, 0, {3, 1});
  for (int k = 0; k < 2; ++k) {
    const Matrix s = block.covariance(k);
    const NormalComponent& term = line.classes[k][0];
    CHECK(term.mean == (k == 0 ? 0 : 2));
    CHECK(relative_error(term.sd, std::sqrt(s(2, 2))) < 1e-14);
    Matrix expected(2, 2);
    expected << s(2, 2), s(2, 0), s(0, 2), s(0, 0);
    const Eigen::Matrix2d& u = plane.classes[k][0].factor;
    CHECK(largest_difference(u.transpose() * u, expected) < 1e-14);
    CHECK(u(1, 0) == 0);
    CHECK(plane.classes[k][0].mean == Eigen::Vector2d(k == 0 ? 0 : 2, k == 0 ? 0 : -2));
  }
}

TEST_CASE("a mean in two parts keeps its digits at a large offset") {
  const ModelPlan plan = gaussian_plan(2, 1);
  const std::vector<AnyParameters> parameters{Gaussian::Parameters{
      Eigen::Vector2d(1e9, 1e9 + 2), Eigen::Vector2d(1e-9, 3e-9), Eigen::Vector2d(1, 2)}};
  const Vector prior{.5, .5};
  const View view = view_of(plan, parameters, prior, 1);
  const Normals line = normals_of(view, 0, origin_of(view, 0));
  CHECK(line.classes[0][0].mean == 1e-9);
  CHECK(line.classes[1][0].mean == 2 + 3e-9);
}

TEST_CASE("terms of a mixture, and of a plane of one and a normal") {
  const ModelPlan plan{1, {Mixture::Plan{{1}}, Gaussian::Plan{{0}}}};
  Mixture::Parameters humps;
  humps.components = {2};
  humps.log_weight = log_of({.7, .3});
  humps.mean = {3, 5.8};
  humps.sd = {.9, .8};
  const std::vector<AnyParameters> parameters{
      humps, Gaussian::Parameters{Matrix::Constant(1, 1, 2), Matrix::Zero(1, 1),
                                  Matrix::Constant(1, 1, 4)}};
  const Vector prior{1};
  const View view = view_of(plan, parameters, prior, 2);
  CHECK(origin_of(view, 1) == 3);
  const Normals line = normals_of(view, 1, 3);
  REQUIRE(line.classes[0].size() == 2);
  CHECK(line.classes[0][1].mean == 5.8 - 3);
  const Plane plane = plane_of(view, 0, 1, {2, 3});
  REQUIRE(plane.classes[0].size() == 2);
  CHECK(plane.classes[0][1].log_weight == std::log(.3));
  CHECK(plane.classes[0][1].factor == Eigen::Matrix2d(Eigen::Vector2d(4, .8).asDiagonal()));
}

TEST_CASE("cells are scored as rows are, the numbers missing") {
  const Mixed mixed;
  const View view = mixed.view();
  const Combinations cells{{3, 1, 2}, {3, 2, 2}};
  REQUIRE(cells.count() == 12);
  const Matrix joint = CombinationScorer(view, cells).log_joint(0, 12);
  CHECK(std::abs(joint.array().exp().sum() - 1) < 1e-14);
  IntVector single(12), a(12), b(12);
  for (int i = 0; i < 12; ++i) {
    b[i] = i % 3;
    single[i] = i / 3 % 2;
    a[i] = i / 6;
  }
  const Vector numbers(12 + simd::kVectorWidth, kNaN);
  Frame frame = frame_of({reals(numbers), factor(single, 2), factor(a, 2), factor(b, 3)}, 12);
  for (Column& column : frame.columns) column.first_code = 0;
  const Matrix expected =
      score_numbers(mixed.plan, mixed.parameters, mixed.prior, frame, Output::log_joint);
  for (int i = 0; i < 12; ++i) {
    for (int k = 0; k < 3; ++k) CHECK(same_bits(joint(k, i), expected(i, k)));
  }
  const Matrix part = CombinationScorer(view, cells).log_joint(5, 3);
  for (int i = 0; i < 3; ++i) CHECK(same_bits(Matrix(part.col(i)), Matrix(joint.col(5 + i))));
}

TEST_CASE("a rule's features and levels are found by their places") {
  const Mixed mixed;
  View view = mixed.view();
  // A world of two features: `b` with its levels in another order and one more, and
  // one that the rule does not know.
  view.feature = {3, -1};
  view.level = {{2, -1, 0, 1}, {}};
  const Combinations cells{{0, 1}, {4, 2}};
  const Matrix joint = CombinationScorer(view, cells).log_joint(0, 8);
  // P(b | class), summed over the other feature of its table.
  const double third[] = {.2, .3, .3};
  for (int k = 0; k < 3; ++k) {
    CHECK(std::abs(std::exp(joint(k, 0)) - mixed.prior[k] * third[k]) < 1e-15);
    CHECK(std::abs(std::exp(joint(k, 1)) - mixed.prior[k]) < 1e-15);
    CHECK(joint(k, 4) == joint(k, 0));
  }
  // A feature that the rule lacks has the same density in all classes.
  view.feature = {-1, -1};
  const Normals line = normals_of(view, 1, 7);
  for (int k = 0; k < 3; ++k) CHECK(line.classes[k][0].mean == line.classes[0][0].mean);
}

TEST_CASE("tables of the decision, cell by cell, for any number of threads") {
  const Mixed mixed;
  LineWorld world{mixed.view(), {{1, 2, 3}, {2, 2, 3}}, 0, 0};
  const Cost cost = zero_one(3);
  const ModelRule rule(world.view, world, cost);
  const Matrix table = decision_table(world, rule, 3, Context());
  CHECK(same_bits(table, decision_table(world, rule, 3, threads(4))));
  CHECK(std::abs(table.sum() - 1) < 1e-14);
  for (int k = 0; k < 3; ++k) CHECK(std::abs(table.row(k).sum() - mixed.prior[k]) < 1e-14);
  // By a sum over cells and a fine grid of the number.
  double right = 0;
  const Matrix joint = CombinationScorer(world.view, world.combinations).log_joint(0, 12);
  const Normals line = normals_of(world.view, 0, 0);
  const double step = 1e-3;
  for (double x = -20; x < 20; x += step) {
    for (int i = 0; i < 12; ++i) {
      double best = 0;
      for (int k = 0; k < 3; ++k) {
        const NormalComponent& t = line.classes[k][0];
        const double z = (x - t.mean) / t.sd;
        best = std::max(best, std::exp(joint(k, i) - z * z / 2 - kHalfLogTwoPi) / t.sd);
      }
      right += best * step;
    }
  }
  CHECK(std::abs(table.trace() - right) < 1e-6);
}

TEST_CASE("without numbers: ties go to the first, as in predict()") {
  const ModelPlan plan = categorical_plan(2, {2});
  Matrix p(2, 2);
  p << .5, .5, .5, .5;
  const std::vector<AnyParameters> parameters{Categorical::Parameters{p.array().log()}};
  const Vector prior{.5, .5};
  const LineWorld world{view_of(plan, parameters, prior, 1), {{0}, {2}}, -1, 0};
  const Cost cost = zero_one(2);
  const Matrix table = decision_table(world, ModelRule(world.view, world, cost), 2, Context());
  CHECK(table.col(0).sum() == 1);
  const GivenRule given({{{}, {1}, {}}, {{}, {0}, {}}});
  CHECK(decision_table(world, given, 2, Context()) == Matrix::Constant(2, 2, .25));
}

TEST_CASE("single values: those of a class, with their probabilities") {
  Points first(2, 2), second(1, 2);
  first << 1, std::log(.25), 4, std::log(.75);
  second << 2, 0;
  const ModelPlan plan{2, {Empirical::Plan{{0}}}};
  const std::vector<AnyParameters> parameters{Empirical::Parameters{{first, second}}};
  const Vector prior{.5, 0};
  const Marginal marginal = marginal_of(view_of(plan, parameters, prior, 1), 0, 3);
  const Atoms& atoms = std::get<Atoms>(marginal);
  CHECK(atoms.classes[0].value == Vector{1, 4});
  CHECK(atoms.classes[0].log_probability == log_of({.25, .75}));
  CHECK(atoms.classes[1].value.empty());
}

TEST_CASE("a rule that was looked at has its regions, cell by cell") {
  std::vector<Regions> all(10);
  for (int i = 0; i < 10; ++i) all[i].decision = {i};
  const std::vector<Regions> part = GivenRule(all).regions(4, 3);
  REQUIRE(part.size() == 3);
  for (int i = 0; i < 3; ++i) CHECK(part[i].decision == IntVector{4 + i});
}

TEST_CASE("a number given the rest of its block: the regression on it") {
  const Block block;
  const View view = block.view();
  const Vector x{7, kNaN}, y{kNaN, 1.5}, z{kNaN, -2};
  const Frame frame = frame_of({reals(x), reals(y), reals(z)}, 2);
  for (Index row = 0; row < 2; ++row) {
    const Normals line = std::get<Normals>(conditional_marginal(view, frame, row, 1, 2));
    for (int k = 0; k < 2; ++k) {
      const Matrix s = block.covariance(k);
      const Matrix& mean = block.parameters[0].as<MultivariateGaussian::Parameters>().mean;
      // Row 0 knows the first feature; row 1 the third (and, asked for, the second).
      const int given = row == 0 ? 0 : 2;
      const double value = row == 0 ? 7 : -2, slope = s(1, given) / s(given, given);
      CHECK(std::abs(line.classes[k][0].mean -
                     (mean(k, 1) - 2 + slope * (value - mean(k, given)))) < 1e-13);
      const double left = std::sqrt(s(1, 1) - slope * s(given, 1));
      CHECK(relative_error(line.classes[k][0].sd, left) < 1e-13);
    }
  }
  const Vector none{kNaN};
  const Normals marginal = std::get<Normals>(
      conditional_marginal(view, frame_of({reals(none), reals(none), reals(none)}, 1), 0, 1, 2));
  CHECK(marginal.classes[1][0].sd == normals_of(view, 1, 2).classes[1][0].sd);
}

TEST_CASE("a category given the rest of its table") {
  const Mixed mixed;
  const View view = mixed.view();
  const Vector number{kNaN, 2};
  const IntVector single{2, 1}, a{1, kMissingInteger}, b{kMissingInteger, 3};
  const Frame frame = frame_of({reals(number), factor(single, 2), factor(a, 2), factor(b, 3)}, 2);
  const Matrix given_a = conditional_levels(view, frame, 0, 3, 3).array().exp();
  CHECK(std::abs(given_a(0, 0) - 1 / 3.0) < 1e-15);
  CHECK(given_a(1, 0) == 0);
  CHECK(std::abs(given_a(2, 1) - 3 / 7.0) < 1e-15);
  CHECK(std::abs(given_a(1, 2) - .05 / .55) < 1e-15);
  const Matrix marginal = conditional_levels(view, frame, 1, 1, 2).array().exp();
  CHECK(std::abs(marginal(0, 0) - .2) < 1e-15);
  CHECK(marginal(1, 2) == 0);
}

TEST_SUITE_END();

}  // namespace test_world
