// Nothing, of every kind: no rows, no classes, no features. The vectors are empty, and so are
// their pointers: under UBSan nothing may look behind them.

#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_empty {

namespace {

// A bank of every kind that is estimated.
ModelPlan every_bank(int groups) {
  return {
      groups,
      {Gaussian::Plan{{0, 1}}, Categorical::Plan{{8, 9}, {2, 3}},
       MultivariateGaussian::Plan{{2, 3}}, JointTable::Plan{{10, 11}, {2, 2}}, Poisson::Plan{{4}},
       Histogram::Plan{{5}, {2}, {0, 1, 2}}, Empirical::Plan{{6}}, Kernel::Plan{{7}, 64}}};
}

std::vector<AnyOptions> every_option() {
  return {gaussian_options(2),
          Categorical::Options{Vector(5, 1.0)},
          MultivariateGaussian::Options(),
          JointTable::Options{1},
          Poisson::Options(),
          Histogram::Options{1},
          Empirical::Options(),
          Kernel::Options{{}, 0.9}};
}

Frame no_rows() {
  static const Vector real;
  static const IntVector code;
  std::vector<Column> columns(8, reals(real));
  for (int levels : {2, 3, 2, 2}) columns.push_back(factor(code, levels));
  return frame_of(columns, 0);
}

}  // namespace

TEST_SUITE_BEGIN("empty");

TEST_CASE("R12: no rows, of no class or of some, by every bank") {
  for (int groups : {0, 1, 2}) {
    const ModelPlan plan = every_bank(groups);
    ModelStatistics all = collect(plan, no_rows(), {});
    const ModelStatistics other = collect(plan, no_rows(), {}, {}, 2);
    all.merge(plan, other);
    CHECK(all.classes.rows == Vector(groups, 0.0));
    const Model model = estimate(plan, all, every_option());
    CHECK(model.estimate.prior.size() == static_cast<std::size_t>(groups));
    CHECK(model.problems.empty());  // classes without rows stand in nobody's way
  }
}

TEST_CASE("R12: no features and no rows give empty answers of every kind") {
  Cost cost;
  for (int groups : {1, 2}) {
    const ModelPlan plan{groups, {}};
    const Vector prior(groups, 1.0 / groups);
    cost.of = Matrix::Ones(3, groups);
    for (Output output : {Output::prob, Output::log_prob, Output::log_joint, Output::log_likelihood,
                          Output::log_evidence, Output::decision}) {
      CHECK(score_numbers(plan, {}, prior, frame_of({}, 0), output, &cost).rows() == 0);
      CHECK(score_numbers(plan, {}, prior, frame_of({}, 2), output, &cost).rows() == 2);
    }
    for (Output output : {Output::class_, Output::decision}) {
      CHECK(score_choices(plan, {}, prior, frame_of({}, 0), output, &cost).empty());
      CHECK(score_choices(plan, {}, prior, frame_of({}, 2), output, &cost) == IntVector{1, 1});
    }
    const Scorer scorer(plan, {}, prior, 2);
    contributions(plan, scorer, frame_of({}, 0), kNaN, nullptr);
    Vector out(static_cast<std::size_t>(2 * groups));
    contributions(plan, scorer, frame_of({}, 2), kNaN, out.data());
    CHECK(out == Vector(static_cast<std::size_t>(2 * groups), std::log(1.0 / groups)));
  }
}

TEST_SUITE_END();

}  // namespace test_empty
