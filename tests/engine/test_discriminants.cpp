#include "helpers.hpp"

#include <engine/model/discriminants.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_discriminants {

namespace {

// A block of two features of unit variances and correlation .6, and a single feature of
// deviation 2.
struct Example {
  ModelPlan plan{3, {MultivariateGaussian::Plan{{0, 2}}, Gaussian::Plan{{1}}}};
  MultivariateGaussian::Parameters block;
  Gaussian::Parameters single;
  Vector prior{.5, .25, .25};

  Example() {
    block.mean = Matrix(3, 2);
    block.mean << 0, 1, 2, 0, 1, 5;
    block.mean_low = Matrix::Zero(3, 2);
    block.factor = {Matrix(2, 2)};
    block.factor[0] << 1, .6, 0, .8;
    single = {Matrix(3, 1), Matrix::Zero(3, 1), Matrix::Constant(3, 1, 2.0)};
    single.mean << 3, -1, 0;
  }

  Discriminants find(double tolerance = 0) const {
    return find_discriminants(plan, {block, single}, prior, tolerance);
  }
};

Matrix within() {
  Matrix s(3, 3);
  s << 1, 0, .6, 0, 4, 0, .6, 0, 1;
  return s;
}

}  // namespace

TEST_SUITE_BEGIN("discriminants");

TEST_CASE("the covariance within a class is the identity, between the classes diagonal") {
  const Example example;
  const Discriminants found = example.find();
  CHECK(found.features == IntVector{0, 1, 2});
  CHECK(found.directions == 3);
  REQUIRE(found.scaling.cols() == 2);
  const Matrix identity = found.scaling.transpose() * within() * found.scaling;
  CHECK((identity - Matrix::Identity(2, 2)).cwiseAbs().maxCoeff() < 1e-14);
  Matrix between = Matrix::Zero(2, 2);
  Eigen::VectorXd centre = Eigen::VectorXd::Zero(2);
  for (Index k = 0; k < 3; ++k) {
    const Eigen::VectorXd mean = found.mean.row(k);
    between += example.prior[k] * mean * mean.transpose();
    centre += example.prior[k] * mean;
  }
  CHECK(centre.cwiseAbs().maxCoeff() < 1e-14);
  CHECK(std::abs(between(0, 1)) < 1e-14);
  for (Index c = 0; c < 2; ++c) {
    CHECK(relative_error(between(c, c), found.between[c] * found.between[c]) < 1e-14);
    CHECK(found.mean(2, c) > found.mean(0, c));
  }
}

TEST_CASE("the axes of a tolerance give the coordinates of the triangle if none is left out") {
  Example example;
  const Discriminants all = example.find(), found = example.find(.5);
  CHECK(found.directions == 3);
  CHECK((found.scaling.col(0) - all.scaling.col(0)).cwiseAbs().maxCoeff() < 1e-14);
  // The correlation .6 has the deviations sqrt(1.6) and sqrt(.4).
  CHECK(example.find(.7).directions == 2);
  example.block.factor[0].setIdentity();
  CHECK(example.find(1).directions == 1);
  CHECK(example.find(1).scaling.topRows(1).isZero());
}

TEST_CASE("a covariance of each class has no coordinates: its features are told") {
  Example example;
  example.single.sd(1, 0) = 3;
  Discriminants found = example.find();
  CHECK(found.unpooled == IntVector{1});
  CHECK(found.features.empty());
  example.block.factor.assign(3, example.block.factor[0]);
  example.block.factor[2](0, 0) = 2;
  CHECK(example.find().unpooled == IntVector{0, 1, 2});
  example.block.factor[2](0, 0) = 1;
  example.single.sd(1, 0) = 2;
  CHECK(same_bits(example.find().scaling, Example().find().scaling));
}

TEST_CASE("scores do not depend on threads; rows with a missing or infinite number have none") {
  const Example example;
  const Discriminants found = example.find();
  const Index rows = 3000;
  Random random(4);
  std::vector<Vector> numbers(3, Vector(rows));
  for (Vector& column : numbers) {
    for (double& x : column) x = random.normal();
  }
  numbers[1][7] = kNaN;
  numbers[2][2999] = std::numeric_limits<double>::infinity();
  Frame frame{rows, {reals(numbers[0]), reals(numbers[1]), reals(numbers[2])}};
  Matrix one(rows, 2), two(rows, 2);
  const ScoreReport report = discriminant_scores(found, frame, -1, one.data(), threads(1));
  discriminant_scores(found, frame, -1, two.data(), threads(2));
  CHECK(same_bits(one, two));
  CHECK(report.infinite == 1);
  CHECK((one.row(7).array() == -1).all());
  CHECK((one.row(2999).array() == -1).all());
  for (Index c = 0; c < 2; ++c) {
    double expected = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double away = (numbers[j][5] - found.centre[j]) - found.centre_low[j];
      expected += away * found.scaling(static_cast<Index>(j), c);
    }
    CHECK(std::abs(one(5, c) - expected) < 1e-14);
  }
}

TEST_SUITE_END();

}  // namespace test_discriminants
