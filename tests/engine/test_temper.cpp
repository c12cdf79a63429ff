#include "helpers.hpp"

#include <engine/core/random.hpp>
#include <engine/evaluation/isotonic.hpp>
#include <engine/evaluation/temper.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_temper {

namespace {

// Log priors and scores of a part that says too much, twice the log likelihood ratio, and of a part
// of noise; see contributions().
struct Numbers {
  static constexpr int kClasses = 3, kParts = 2;
  Index rows;
  Vector number, weight;
  IntVector truth;

  explicit Numbers(Index count) : rows(count), number(count * kClasses * (kParts + 1)) {
    Random random(3);
    for (Index i = 0; i < rows; ++i) {
      const int t = static_cast<int>(random.uniform() * kClasses);
      const double x = random.normal() + t;
      truth.push_back(t + 1);
      weight.push_back(1 + random.uniform());
      for (int k = 0; k < kClasses; ++k) {
        at(i, 0, k) = 0.1 * k;
        at(i, 1, k) = -(x - k) * (x - k);
        at(i, 2, k) = 0.3 * random.normal();
      }
    }
  }

  double& at(Index row, int column, int k) {
    return number[(static_cast<Index>(k) * (kParts + 1) + column) * rows + row];
  }
  TemperCases cases(bool weighted = true) const {
    return read_temper_cases(number.data(), rows, kClasses, kParts, truth.data(),
                             weighted ? weight.data() : nullptr);
  }
};

TemperCases overlapping(Index rows) { return Numbers(rows).cases(); }

using Information = LogPosteriorSummer::Information;

LogLikelihood sum(const TemperCases& cases, const Eigen::VectorXd& at, bool offsets = true,
                  Information information = Information::kMatrix) {
  LogPosteriorSummer summer(cases, at, offsets, information);
  for (const TemperSlice& slice : cases.slices) summer.add(slice, slice.rows);
  return summer.sum();
}

}  // namespace

TEST_SUITE_BEGIN("temper");

TEST_CASE("gradient and information are those of the log posterior") {
  const TemperCases cases = overlapping(300);
  Eigen::VectorXd at(5);
  at << 0.7, 0.2, 0.1, -0.3, 0.2;
  const LogLikelihood here = sum(cases, at);
  CHECK(sum(cases, at, true, Information::kNone).gradient == here.gradient);
  for (int i = 0; i < 5; ++i) {
    Eigen::VectorXd above = at, below = at;
    above[i] += 1e-5;
    below[i] -= 1e-5;
    const LogLikelihood up = sum(cases, above), down = sum(cases, below);
    CHECK(here.gradient[i] == doctest::Approx((up.value - down.value) / 2e-5).epsilon(1e-6));
    for (int j = 0; j < 5; ++j) {
      const double slope = (up.gradient[j] - down.gradient[j]) / 2e-5;
      CHECK(std::abs(here.information(i, j) + slope) < 1e-4 * (1 + std::abs(slope)));
    }
  }
}

TEST_CASE("the terms of the information give its matrix, also where posteriors are 0") {
  Numbers numbers(300);
  for (Index i = 0; i < 300; i += 7) numbers.at(i, 1, i % 3) -= 1e4;
  Eigen::VectorXd at(5);
  at << 0.7, 0.2, 0.1, -0.3, 0.2;
  for (bool weighted : {false, true}) {
    const TemperCases cases = numbers.cases(weighted);
    const LogLikelihood by_matrix = sum(cases, at);
    const Matrix root = sum(cases, at, true, Information::kTerms).terms.root;
    CHECK(root.rows() == 600);
    CHECK((root.transpose() * root).isApprox(by_matrix.information, 1e-12));
  }
}

TEST_CASE(
    "the log posterior is that of the definition, also where the truth is all but impossible") {
  Numbers numbers(700);
  for (Index i = 0; i < 700; i += 50) numbers.at(i, 1, i % 3) += 1e4;
  Eigen::VectorXd at(5);
  at << 0.7, 0.2, 0.1, -0.3, 0.2;
  for (bool weighted : {false, true}) {
    double expected = 0;
    for (Index i = 0; i < 700; ++i) {
      Eigen::VectorXd joint(3);
      for (int k = 0; k < 3; ++k) {
        joint[k] = numbers.at(i, 0, k) + at[0] * numbers.at(i, 1, k) + at[1] * numbers.at(i, 2, k) +
                   at[2 + k];
      }
      const auto row = static_cast<std::size_t>(i);
      expected +=
          (weighted ? numbers.weight[row] : 1.0) * (joint[numbers.truth[row] - 1] - log_sum(joint));
    }
    const TemperCases cases = numbers.cases(weighted);
    CHECK(sum(cases, at).value == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("one exponent has the derivatives of two equal ones") {
  const TemperCases cases = overlapping(600), one = cases.sum_parts(Context());
  const Eigen::VectorXd at = Eigen::VectorXd::Constant(1, 0.4);
  const Eigen::VectorXd two = Eigen::VectorXd::Constant(2, 0.4);
  const LogLikelihood a = sum(one, at, false), b = sum(cases, two, false);
  CHECK(a.value == doctest::Approx(b.value).epsilon(1e-13));
  CHECK(a.gradient[0] == doctest::Approx(b.gradient.sum()).epsilon(1e-12));
  CHECK(a.information(0, 0) == doctest::Approx(b.information.sum()).epsilon(1e-12));
}

TEST_CASE("a log likelihood that counts twice gets half the weight, and noise none") {
  const Context context;
  const TemperFit fit = temper(overlapping(20000), false, 0, context);
  CHECK(fit.power[0] == doctest::Approx(0.5).epsilon(0.05));
  CHECK(fit.power[1] < 0.1);
  CHECK(fit.loss < fit.before);
  CHECK(fit.decrement < 1e-5);
}

// The largest violation of the conditions of a minimum: the gradient is 0 in an exponent above 0,
// and not negative in one that is 0. Relative to the sizes of what is subtracted.
double violation(const TemperCases& cases, const TemperFit& fit, bool offsets) {
  const int parts = cases.parts, size = parts + (offsets ? cases.classes : 0);
  Eigen::VectorXd at(size), goal = Eigen::VectorXd::Zero(size);
  at.head(parts) = Eigen::Map<const Eigen::VectorXd>(fit.power.data(), parts);
  at.tail(size - parts) = Eigen::Map<const Eigen::VectorXd>(fit.offset.data(), size - parts);
  goal.head(parts).setConstant(fit.common);
  const LogLikelihood here = sum(cases, at, offsets, Information::kNone);
  const Eigen::VectorXd gradient = fit.penalty * (at - goal) - here.gradient;
  double most = 0;
  for (int c = 0; c < size; ++c) {
    const bool floored = c < parts && at[c] == 0;
    most = std::max(most, floored ? -gradient[c] : std::abs(gradient[c]));
  }
  return most / (1 + here.gradient.cwiseAbs().maxCoeff());
}

// Few cases of three classes. Parts say little: some too much, some the opposite of the truth.
TemperCases few_cases(Index rows, int parts, double scale, bool weighted) {
  Random random(5);
  constexpr int kClasses = 3;
  Vector number(static_cast<std::size_t>(rows * (parts + 1) * kClasses), 0.0), weight;
  IntVector truth;
  for (Index i = 0; i < rows; ++i) {
    truth.push_back(1 + static_cast<int>(i % kClasses));
    weight.push_back(random.uniform() < 0.2 ? 0.0 : 2 * random.uniform());
    for (int c = 0; c < parts; ++c) {
      for (int k = 0; k < kClasses; ++k) {
        const double helps = k == truth.back() - 1 ? 0.1 * (c % 5) - 0.15 : 0.0;
        number[(static_cast<std::size_t>(k) * (parts + 1) + c + 1) * rows + i] =
            scale * (random.normal() + helps);
      }
    }
  }
  return read_temper_cases(number.data(), rows, kClasses, parts, truth.data(),
                           weighted ? weight.data() : nullptr);
}

TEST_CASE("with more parts than cases the exponents meet the conditions of a minimum") {
  for (double scale : {0.1, 1.0, 30.0}) {
    for (double penalty : {1e-6, 1e-3, 1.0, 300.0}) {
      for (bool offsets : {false, true}) {
        const TemperCases cases = few_cases(40, 200, scale, offsets);
        const TemperFit fit = temper(cases, offsets, penalty, Context());
        CAPTURE(scale);
        CAPTURE(penalty);
        REQUIRE_FALSE(fit.separated);
        CHECK(violation(cases, fit, offsets) < 1e-4);
        CHECK(std::abs(std::accumulate(fit.offset.begin(), fit.offset.end(), 0.0)) < 1e-9);
      }
    }
  }
}

TEST_CASE("parts that say nothing keep the common exponent, and change no other one") {
  // The terms are fewer with 100 idle parts, and not without them.
  const Context context;
  Numbers numbers(20);
  const TemperCases cases = numbers.cases();
  Vector more(20 * 3 * 103, 0.0);
  for (int k = 0; k < 3; ++k) {
    for (int c = 0; c < 3; ++c) {
      for (Index i = 0; i < 20; ++i) more[(k * 103 + c) * 20 + i] = numbers.at(i, c, k);
    }
  }
  const TemperCases padded =
      read_temper_cases(more.data(), 20, 3, 102, numbers.truth.data(), numbers.weight.data());
  for (double penalty : {0.01, 1.0}) {
    const TemperFit few = temper(cases, true, penalty, context);
    const TemperFit many = temper(padded, true, penalty, context);
    CHECK(many.common == doctest::Approx(few.common).epsilon(1e-9));
    for (int c = 0; c < 2; ++c) CHECK(std::abs(many.power[c] - few.power[c]) < 1e-6);
    for (int k = 0; k < 3; ++k) CHECK(std::abs(many.offset[k] - few.offset[k]) < 1e-6);
    CHECK(many.power[101] == doctest::Approx(few.common));
    CHECK(many.loss == doctest::Approx(few.loss).epsilon(1e-9));
  }
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

TEST_CASE("the number of threads changes nothing") {
  const TemperCases cases = overlapping(120000);
  const TemperFit one = temper(cases, true, 1, Context()), two = temper(cases, true, 1, threads(2));
  CHECK(one.power == two.power);
  CHECK(one.offset == two.offset);
  CHECK(one.loss == two.loss);
}

TEST_CASE("classes that do not overlap have no best exponent") {
  // Row x (prior, part) x class.
  const Vector numbers{0, 0, 0, 0, 0, -50, 0, -50, 0, 0, 0, 0, -50, 0, -50, 0};
  const IntVector truth{1, 2, 1, 2};
  const TemperCases cases = read_temper_cases(numbers.data(), 4, 2, 1, truth.data(), nullptr);
  CHECK(temper(cases, false, 0, Context()).separated);
}

TEST_CASE("cases without a score, or with an impossible truth, are left out") {
  const double low = kNegativeInfinity;
  // Row x (prior, part) x class.
  const Vector numbers{0, 0, 0, 0, -1, kNaN, low, -2, 0, 0, 0, 0, low, -1, -1, -3};
  const IntVector truth{1, 1, 1, kMissingInteger};
  const TemperCases cases = read_temper_cases(numbers.data(), 4, 2, 1, truth.data(), nullptr);
  CHECK(cases.rows == 1);
  CHECK(cases.slices.size() == 1);
  CHECK(cases.unread == 1);
  CHECK(cases.lost == 1);
  CHECK(cases.column(cases.slices[0], 0, 1)[0] == 0);
  CHECK(cases.column(cases.slices[0], 1, 1)[0] == TemperCases::kImpossible);
}

TEST_CASE("isotonic regression pools neighbours that fall, and equal numbers") {
  const IsotonicFit fit = isotonic({0.5, 0.1, 0.3, 0.3, 0.9}, {0, 0, 1, 0, 1}, {1, 1, 1, 1, 2});
  CHECK(fit.x == Vector{0.1, 0.3, 0.5, 0.9});
  // 0 of 1, 1 of 3 and 2 of 2, each with half a case of either kind.
  CHECK(fit.y == Vector{0.25, 0.375, 0.375, 2.5 / 3});
  // 0 of 1 below 1 of 10 becomes .25 above 1.5 / 11, so both are one.
  const IsotonicFit again = isotonic({0.1, 0.2, 0.2}, {0, 1, 0}, {1, 1, 9});
  CHECK(again.x == Vector{0.1, 0.2});
  CHECK(again.y == Vector{2.0 / 13, 2.0 / 13});
  CHECK(isotonic({0.2}, {1}, {0}).x.empty());
}

TEST_SUITE_END();

}  // namespace test_temper
