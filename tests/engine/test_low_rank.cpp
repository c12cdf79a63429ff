#include "helpers.hpp"

#include <engine/core/random.hpp>
#include <engine/evaluation/newton.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_low_rank {

namespace {

constexpr int kTerms = 12, kVariables = 60, kFloored = 57;

LowRank random_terms(Random& random, double ridge) {
  LowRank terms;
  terms.root = Matrix::Zero(kTerms, kVariables);
  for (Index i = 0; i < terms.root.size(); ++i) terms.root.data()[i] = random.normal();
  terms.ridge = ridge;
  return terms;
}

}  // namespace

TEST_SUITE_BEGIN("low rank");

TEST_CASE("the dual step is that of the active set, which solves with the matrix") {
  Random random(11);
  for (double ridge : {1e-4, 1.0, 100.0}) {
    LowRank terms = random_terms(random, ridge);
    REQUIRE(terms.precise());
    Curvature curvature(terms.full(), kVariables);
    const Limits limits{kFloored, kVariables};
    // One object, so equations of other open variables are changed into those of the next ones.
    for (int i = 0; i < 20; ++i) {
      Eigen::VectorXd from(kVariables), gradient(kVariables);
      for (int k = 0; k < kVariables; ++k) {
        from[k] = std::max(0.0, random.normal() * std::pow(10, i % 3 - 1));
        gradient[k] = random.normal() * 3;
      }
      const auto check = [] {};
      const Eigen::VectorXd step = DualStep(from, gradient, terms, kFloored, check).find();
      const Eigen::VectorXd other = QuadraticStep(from, gradient, curvature, limits, check).find();
      CHECK((step - other).norm() < 1e-8 * (1 + other.norm()));
      CHECK((from + step).head(kFloored).minCoeff() >= 0);
      const Eigen::VectorXd slope = gradient - terms.times(step);
      for (int k = 0; k < kVariables; ++k) {
        const bool closed = k < kFloored && from[k] + step[k] == 0;
        CHECK((closed ? slope[k] : std::abs(slope[k])) < 1e-8);
      }
    }
  }
}

TEST_CASE("equations in the space of the terms are those of the open variables") {
  Random random(2);
  LowRank terms = random_terms(random, 0.5);
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(kTerms, -1, 2);
  std::vector<char> open(kVariables, true);
  for (int closed = -1; closed < kVariables; ++closed) {
    if (closed >= 0) open[closed] = false;
    Matrix system = 0.5 * Matrix::Identity(kTerms, kTerms);
    for (int k = 0; k < kVariables; ++k) {
      if (open[k]) system += terms.root.col(k) * terms.root.col(k).transpose();
    }
    CHECK((system * terms.solve(open, right) - right).norm() < 1e-10);
  }
}

TEST_CASE("a ridge that is nothing beside the terms is not precise") {
  Random random(3);
  LowRank terms = random_terms(random, 1e-12);
  CHECK_FALSE(terms.precise());
  CHECK(LowRank().empty());
  const Matrix expected =
      terms.root.transpose() * terms.root + 1e-12 * Matrix::Identity(kVariables, kVariables);
  CHECK(terms.full().isApprox(expected, 1e-14));
}

TEST_SUITE_END();

}  // namespace test_low_rank
