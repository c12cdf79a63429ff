#include "helpers.hpp"

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
  Measures measure(const double* weight = nullptr, const IntVector& rank = {}) const {
    std::vector<Column> columns(2);
    columns[0].real = first.data();
    columns[1].real = second.data();
    const Cases cases{static_cast<Index>(truth.size()), truth.data(), weight};
    const CostTable table(cost);
    const PosteriorScores scores(frame_of(columns, cases.rows), false, truth.data(), weight);
    return Measurer(cases, table, decision.data(), class_of, &scores, rank)
        .run({Resampling::bayes, 0.95, 1}, Context());
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
  CHECK(m.npv[0].value == doctest::Approx(2.0 / 4));
  CHECK(m.npv[0].number == 4);
  CHECK(m.f1[0].value == doctest::Approx(4.0 / 7));
  CHECK(m.kappa.value == doctest::Approx((28.0 - 21) / (49 - 21)));
  // 9 of 12 pairs are in order, one is tied.
  CHECK(m.auc.value == doctest::Approx(9.5 / 12));
  CHECK(m.auc_of[0].value == doctest::Approx(9.5 / 12));
  CHECK(m.auc_of[1].value == doctest::Approx(9.5 / 12));
  // From the largest probability on: 1, 1, 0, 1, then one of both classes at .4.
  CHECK(m.average_precision[0] == doctest::Approx((1 + 1 + 3.0 / 4 + 4.0 / 6) / 4));
  CHECK(m.constant == Vector{12.0 / 7, 4.0 / 7, 2});
  CHECK(m.accuracy.number == 7);
  CHECK(m.precision[0].number == 3);
  CHECK(m.kappa.interval.lower <= m.kappa.value);
  CHECK(m.kappa.interval.upper >= m.kappa.value);
  CHECK(m.curves[0].front().hits == 0);
  CHECK(m.curves[0].back().hits == 4);
  CHECK(m.curves[0].back().alarms == 3);
}

TEST_CASE("of two classes weighted kappa is kappa; classes without an order have none") {
  CHECK(std::isnan(Assessed().measure().kappa_linear.value));
  for (const IntVector& rank : {IntVector{1, 2}, IntVector{2, 1}, IntVector{2, 5}}) {
    const Measures m = Assessed().measure(nullptr, rank);
    for (const Measure& weighted : {m.kappa_linear, m.kappa_quadratic}) {
      CHECK(weighted.value == doctest::Approx(m.kappa.value));
      CHECK(weighted.interval.lower == doctest::Approx(m.kappa.interval.lower));
      CHECK(weighted.interval.upper == doctest::Approx(m.kappa.interval.upper));
    }
  }
}

TEST_CASE("whole-number weights are copies of the cases") {
  Assessed weighted, copied;
  const Vector weight{2, 1, 3, 1, 1, 2, 1, 1, 1};
  IntVector truth, decision;
  Vector first;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    for (int copy = 0; copy < weight[i]; ++copy) {
      truth.push_back(copied.truth[i]);
      decision.push_back(copied.decision[i]);
      first.push_back(copied.first[i]);
    }
  }
  copied.truth = truth;
  copied.decision = decision;
  copied.first = first;
  copied.second.clear();
  for (double p : first) copied.second.push_back(1 - p);
  const Measures a = weighted.measure(weight.data()), b = copied.measure();
  CHECK(a.accuracy.value == b.accuracy.value);
  CHECK(a.kappa.value == b.kappa.value);
  CHECK(a.auc.value == doctest::Approx(b.auc.value));
  CHECK(a.ks_of[1].value == doctest::Approx(b.ks_of[1].value));
  CHECK(a.constant == b.constant);
  CHECK(a.accuracy.number == doctest::Approx(11 * 11 / 21.0));
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

TEST_SUITE_END();

}  // namespace test_measures
