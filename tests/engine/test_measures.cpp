#include "helpers.hpp"

#include <engine/decision/capacity.hpp>
#include <engine/evaluation/measures.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_measures {

namespace {

const int na = kMissingInteger;

// Two classes, three actions; the third is for no class. Two cases do not count.
struct Assessed {
  IntVector truth{1, 1, 1, 1, 2, 2, 2, na, na}, decision{1, 1, 2, 3, 2, 2, 1, 1, na};
  Vector first{.9, .8, .4, .6, .4, .1, .7, .5, .5}, second;
  IntVector class_of{1, 2, 0};
  CaseCost cost;

  Assessed() {
    for (double p : first) second.push_back(1 - p);
    cost.fixed.of.resize(3, 2);
    cost.fixed.of << 0, 4, 1, 0, 2, 2;
  }
  Measures measure(std::uint64_t seed = 1) const {
    std::vector<Column> columns(2);
    columns[0].real = first.data();
    columns[1].real = second.data();
    const Cases cases{static_cast<Index>(truth.size()), truth.data(), nullptr};
    const CostTable table(cost);
    const PosteriorScores scores(frame_of(columns, cases.rows), false, truth.data());
    return Measurer(cases, table, decision.data(), class_of, &scores).run(seed, Context());
  }
};

}  // namespace

TEST_SUITE_BEGIN("measures");

TEST_CASE("measures by hand") {
  const Measures m = Assessed().measure();
  CHECK(m.accuracy.value == 4.0 / 7);
  CHECK(m.sensitivity[0].value == 2.0 / 4);
  CHECK(m.specificity[0].value == doctest::Approx(2.0 / 3));
  CHECK(m.precision[0].value == 2.0 / 3);
  CHECK(m.f1[0].value == doctest::Approx(4.0 / 7));
  CHECK(m.kappa.value == doctest::Approx((28.0 - 21) / (49 - 21)));
  // 9 of 12 pairs are in order, one is tied.
  CHECK(m.auc.value == doctest::Approx(9.5 / 12));
  CHECK(m.auc_of[0].value == doctest::Approx(9.5 / 12));
  CHECK(m.auc_of[1].value == doctest::Approx(9.5 / 12));
  CHECK(m.constant == Vector{12.0 / 7, 4.0 / 7, 2});
  CHECK(m.accuracy.lower <= m.accuracy.value);
  CHECK(m.accuracy.upper >= m.accuracy.value);
  CHECK(m.curves[0].front().hits == 0);
  CHECK(m.curves[0].back().hits == 4);
  CHECK(m.curves[0].back().alarms == 3);
}

TEST_CASE("many sums are resampled as few are") {
  Matrix units(3, 40), many(9, 40);
  for (Index u = 0; u < 40; ++u) {
    for (int j = 0; j < 3; ++j) units(j, u) = static_cast<double>((7 * u + j) % 11);
    for (int j = 0; j < 9; ++j) many(j, u) = units(j % 3, u);
  }
  const Matrix few = bootstrap_sums(units, 150, 4, Context());
  CHECK(bootstrap_sums(many, 150, 4, Context()).topRows(3) == few);
}

TEST_CASE("logarithms keep apart what probabilities round to 1") {
  const Vector log_first{-1e-30, -1e-20, -3}, log_second{std::log(1e-30), std::log(1e-20), -0.05};
  const int truth[] = {1, 2, 2};
  std::vector<Column> columns(2);
  columns[0].real = log_first.data();
  columns[1].real = log_second.data();
  const PosteriorScores scores(frame_of(columns, 3), true, truth);
  CHECK(scores.score(0, 0) > scores.score(1, 0));
  CHECK(scores.score(1, 0) > scores.score(2, 0));
  CHECK(scores.probability(0, 0) == 1);
}

TEST_CASE("a capacity keeps the largest margins, and the first of equal ones") {
  IntVector decision{1, 1, 2, 1, na, 1}, runner_up{2, 2, 1, 2, na, 2};
  Vector cost{1, 1, 1, 1, 0, 1}, margin{3, 1, 5, 3, 0, 0}, first{1, 1, 6, 1, 0, 1},
      second{4, 2, 1, 4, 0, 1};
  DecisionColumns columns;
  columns.decision = decision.data();
  columns.runner_up = runner_up.data();
  columns.cost = cost.data();
  columns.margin = margin.data();
  columns.cost_of = {first.data(), second.data()};
  const CapacityReport report = limit_action(columns, 6, 1, 1, Context());
  CHECK(report.wanted == 4);
  CHECK(report.cost == 4);
  CHECK(report.next == 3);
  CHECK(decision == IntVector{1, 2, 2, 2, na, 2});
  CHECK(runner_up == IntVector{2, 1, 1, 1, na, 1});
  CHECK(cost == Vector{1, 2, 1, 4, 0, 1});
  CHECK(margin == Vector{3, -1, 5, -3, 0, 0});
}

TEST_SUITE_END();

}  // namespace test_measures
