#include "helpers.hpp"

#include <engine/search/block_scores.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_block_scores {

namespace {

// Rows of three numbers in two classes, of which the first two depend.
struct Sample {
  std::vector<Vector> columns{3};
  IntVector group;

  explicit Sample(int rows, double offset = 0, double scale = 1) {
    Random random(5);
    for (int r = 0; r < rows; ++r) {
      const double x = random.normal();
      columns[0].push_back(offset + scale * x);
      columns[1].push_back(offset + x + random.normal());
      columns[2].push_back(offset + random.normal());
      group.push_back(1 + r % 2);
    }
  }
  Scatter scatter() const {
    Diagnostics problems;
    const ModelStatistics found = collect(block_plan(2, 3), frame_of(columns), group, problems);
    return found.banks[0].as<MultivariateGaussian::Statistics>().scatter;
  }
};

BlockSettings settings_of(bool bic, bool pooled = false, bool borrow = true) {
  return {bic, pooled, borrow};
}

double gain(const GaussianBlockScorer& scorer, const IntVector& one, const IntVector& other) {
  IntVector both = one;
  both.insert(both.end(), other.begin(), other.end());
  return scorer.score(both).value - scorer.score(one).value - scorer.score(other).value;
}

double log_gamma_p(double a, int p) {
  double result = 0.25 * p * (p - 1) * std::log(M_PI);
  for (int i = 0; i < p; ++i) result += std::lgamma(a - 0.5 * i);
  return result;
}

}  // namespace

TEST_SUITE_BEGIN("block scores");

TEST_CASE("log_gamma() is the log of the gamma function") {
  for (double a : {1e-18, 1e-3, 0.5, 1.0, 1.5, 2.0, 7.25, 16.0, 1e5, 1e12}) {
    const double expected = std::lgamma(a);
    CHECK(std::abs(log_gamma(a) - expected) < 4e-15 * std::max(1.0, std::abs(expected)));
  }
}

TEST_CASE("the evidence is the formula with determinants") {
  const Scatter scatter = Sample(24).scatter();
  double expected = 0;
  for (int g = 0; g < 2; ++g) {
    const Matrix s = scatter.triangle[g].transpose() * scatter.triangle[g];
    const double n = 12;
    const Matrix prior = Matrix(s.diagonal().asDiagonal()) / n;
    expected += -1.5 * n * std::log(M_PI) - 1.5 * std::log(1 + n) + log_gamma_p(0.5 * (n + 4), 3) -
                log_gamma_p(2, 3) + 2 * std::log(prior.determinant()) -
                0.5 * (n + 4) * std::log((s + prior).determinant());
  }
  const GaussianBlockScorer scorer(scatter, settings_of(false));
  CHECK(scorer.score({0, 1, 2}).value == doctest::Approx(expected).epsilon(1e-12));
}

TEST_CASE("gains depend on correlations alone, and find what depends") {
  for (bool bic : {false, true}) {
    const GaussianBlockScorer near(Sample(400).scatter(), settings_of(bic));
    const GaussianBlockScorer far(Sample(400, 1e6, 1e3).scatter(), settings_of(bic));
    CHECK(gain(near, {0}, {1}) > 50);
    CHECK(gain(near, {0}, {2}) < 0);
    CHECK(gain(far, {0}, {1}) == doctest::Approx(gain(near, {0}, {1})).epsilon(1e-7));
  }
}

TEST_CASE("constants and copies") {
  Sample odd(40);
  for (int r = 0; r < 40; ++r) {
    odd.columns[1][r] = 2 * odd.columns[0][r];
    if (odd.group[r] == 1) odd.columns[2][r] = 7;
  }
  const Scatter scatter = odd.scatter();
  for (bool bic : {false, true}) {
    const GaussianBlockScorer scorer(scatter, settings_of(bic));
    CHECK(scorer.score({0, 1}).singular);
    CHECK_FALSE(scorer.score({0, 2}).singular);
    CHECK(std::isfinite(gain(scorer, {0}, {2})));
    // A constant of one class is independent there, but the other class has it as usual.
    CHECK(std::isfinite(scorer.score({2}).value));
  }
  CHECK(GaussianBlockScorer(scatter, settings_of(false, false, false)).score({0, 1}).singular);
}

TEST_CASE("empty classes say nothing") {
  Sample sample(40);
  for (int& g : sample.group) g = 1;
  const GaussianBlockScorer scorer(sample.scatter(), settings_of(false));
  const GaussianBlockScorer pooled(sample.scatter(), settings_of(false, true));
  CHECK(scorer.score({0, 1}).value == doctest::Approx(pooled.score({0, 1}).value));
}

TEST_CASE("the evidence of a table is a product of predictions") {
  Random random(9);
  const JointTable::Plan plan{{0, 1}, {2, 3}};
  const ModelPlan model = joint_plan(1, {2, 3});
  IntVector first, second, group(30, 1);
  double expected = 0;
  double before[6] = {0, 0, 0, 0, 0, 0};
  for (int r = 0; r < 30; ++r) {
    first.push_back(1 + random.below(2));
    second.push_back(1 + random.below(3));
    double& cell = before[3 * (first[r] - 1) + second[r] - 1];
    expected += std::log((cell + 1.0 / 6) / (r + 1));
    ++cell;
  }
  Diagnostics problems;
  const Frame frame = frame_of({factor(first, 2), factor(second, 3)}, 30);
  const ModelStatistics found = collect(model, frame, group, problems);
  const auto& table = found.banks[0].as<JointTable::Statistics>();
  CHECK(score_table(JointTable::table(plan, table), settings_of(false)) ==
        doctest::Approx(expected).epsilon(1e-13));
}

TEST_SUITE_END();

}  // namespace test_block_scores
