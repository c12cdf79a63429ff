#include "helpers.hpp"

#include <engine/core/random.hpp>
#include <engine/evaluation/isotonic.hpp>
#include <engine/evaluation/temper.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_temper {

namespace {

// Scores of a part that says too much: twice the log likelihood ratio, and a part of noise.
TemperCases overlapping(Index rows) {
  Random random(3);
  TemperCases cases{rows, 3, 2, {}, {}, {}, {}};
  cases.base.assign(rows * 3, 0.0);
  cases.score.assign(rows * 6, 0.0);
  for (Index i = 0; i < rows; ++i) {
    const int truth = static_cast<int>(random.uniform() * 3);
    const double x = random.normal() + truth;
    cases.truth.push_back(truth);
    cases.weight.push_back(1 + random.uniform());
    for (int k = 0; k < 3; ++k) {
      cases.base_of(k)[i] = 0.1 * (k - truth);
      cases.score_of(0, k)[i] = (x - truth) * (x - truth) - (x - k) * (x - k);
      cases.score_of(1, k)[i] = k == truth ? 0 : 0.3 * random.normal();
    }
  }
  return cases;
}

}  // namespace

TEST_SUITE_BEGIN("temper");

TEST_CASE("gradient and Hessian are those of the log loss") {
  const TemperCases cases = overlapping(300);
  Eigen::VectorXd at(5);
  at << 0.7, 0.2, 0.1, -0.3, 0.2;
  const auto sum = [&](const Eigen::VectorXd& x) {
    return LogLossSummer(cases, x, true).sum(0, cases.rows, true);
  };
  const LogLoss loss = sum(at);
  for (int i = 0; i < 5; ++i) {
    Eigen::VectorXd above = at, below = at;
    above[i] += 1e-5;
    below[i] -= 1e-5;
    const LogLoss up = sum(above), down = sum(below);
    CHECK(loss.gradient[i] == doctest::Approx((up.value - down.value) / 2e-5).epsilon(1e-6));
    for (int j = 0; j < 5; ++j) {
      const double slope = (up.gradient[j] - down.gradient[j]) / 2e-5;
      CHECK(std::abs(loss.hessian(i, j) - slope) < 1e-4 * (1 + std::abs(slope)));
    }
  }
}

TEST_CASE("a log likelihood that counts twice gets half the weight, and noise none") {
  const Context context;
  const TemperFit fit = temper(overlapping(20000), false, 0, context);
  CHECK(fit.power[0] == doctest::Approx(0.5).epsilon(0.05));
  CHECK(fit.power[1] < 0.1);
  CHECK(fit.loss < fit.before);
  CHECK(fit.decrement < 1e-5);
}

TEST_CASE("many cases start from a few of them and end in the same place") {
  const Context context;
  const TemperCases cases = overlapping(150000);
  const TemperFit fit = temper(cases, true, 1, context);
  const TemperSolver solver(cases, true, 1, fit.common, context);
  Eigen::VectorXd at(5);
  at << fit.power[0], fit.power[1], fit.offset[0], fit.offset[1], fit.offset[2];
  for (int i = 0; i < 2; ++i) {
    for (double step : {-1e-3, 1e-3}) {
      Eigen::VectorXd near = at;
      near[i] = std::max(0.0, near[i] + step);
      CHECK(solver.mean_loss(near) >= solver.mean_loss(at) - 1e-9);
    }
  }
  CHECK(fit.iterations < 5);
}

TEST_CASE("classes that do not overlap have no best exponent") {
  TemperCases cases{4, 2, 1, {0, 1, 0, 1}, {}, Vector(8, 0.0), Vector(8, 0.0)};
  for (Index i = 0; i < 4; ++i) cases.score_of(0, 1 - cases.truth[i])[i] = -50;
  CHECK(temper(cases, false, 0, Context()).separated);
}

TEST_CASE("cases without a score, or with an impossible truth, are left out") {
  const double low = kNegativeInfinity;
  // Row x (prior, part) x class.
  const Vector numbers{0, 0, 0, 0, -1, kNaN, low, -2, 0, 0, 0, 0, low, -1, -1, -3};
  const IntVector truth{1, 1, 1, kMissingInteger};
  const TemperCases cases = TemperCaseReader(numbers.data(), 4, 2, 1, truth.data(), nullptr).read();
  CHECK(cases.rows == 1);
  CHECK(cases.unread == 1);
  CHECK(cases.lost == 1);
  CHECK(cases.score_of(0, 0)[0] == 0);
  CHECK(cases.score_of(0, 1)[0] == TemperCaseReader::kImpossible);
}

TEST_CASE("isotonic regression pools neighbours that fall, and equal numbers") {
  const IsotonicFit fit = isotonic({0.5, 0.1, 0.3, 0.3, 0.9}, {0, 0, 1, 0, 1}, {1, 1, 1, 1, 2});
  CHECK(fit.x == Vector{0.1, 0.3, 0.5, 0.9});
  CHECK(fit.y[0] == 0);
  CHECK(fit.y[1] == doctest::Approx(1.0 / 3));
  CHECK(fit.y[2] == fit.y[1]);
  CHECK(fit.y[3] == 1);
  CHECK(isotonic({0.2}, {1}, {0}).x.empty());
}

TEST_SUITE_END();

}  // namespace test_temper
