#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_joint_table {

namespace {

struct Example {
  IntVector levels{3, 2, 4};
  std::vector<IntVector> x{3};
  IntVector group;
  ModelPlan plan = joint_plan(2, levels);

  explicit Example(int n, int seed = 21) {
    Random random(seed);
    for (int i = 0; i < n; ++i) {
      group.push_back(1 + random.below(2));
      for (int j = 0; j < 3; ++j)
        x[j].push_back(random.below(15) ? 1 + random.below(levels[j]) : kMissingInteger);
    }
  }
  Frame frame() const {
    return frame_of({factor(x[0], 3), factor(x[1], 2), factor(x[2], 4)}, x[0].size());
  }
};

}  // namespace

TEST_SUITE_BEGIN("joint table");

TEST_CASE("every pattern of missing values against the sum over all cells") {
  const Example e(40);
  for (double pseudo_count : {0.0, 0.7}) {
    CAPTURE(pseudo_count);
    const Model model = fit(e.plan, e.frame(), e.group, {JointTable::Options{pseudo_count}});
    // The whole table, by hand.
    std::vector<Vector> table(2, Vector(24, pseudo_count));
    Vector total(2, 24 * pseudo_count);
    for (std::size_t i = 0; i < e.group.size(); ++i) {
      bool whole = true;
      for (int j = 0; j < 3; ++j) whole = whole && e.x[j][i] != kMissingInteger;
      if (!whole) continue;
      const int g = e.group[i] - 1;
      ++table[g][(e.x[0][i] - 1) * 8 + (e.x[1][i] - 1) * 4 + e.x[2][i] - 1];
      ++total[g];
    }
    std::vector<IntVector> at(3);
    for (int a = 0; a <= 3; ++a) {
      for (int b = 0; b <= 2; ++b) {
        for (int c = 0; c <= 4; ++c) {
          at[0].push_back(a ? a : kMissingInteger);
          at[1].push_back(b ? b : kMissingInteger);
          at[2].push_back(c ? c : kMissingInteger);
        }
      }
    }
    const Frame frame =
        frame_of({factor(at[0], 3), factor(at[1], 2), factor(at[2], 4)}, at[0].size());
    const Matrix l = score_numbers(model, frame, Output::log_likelihood);
    for (std::size_t i = 0; i < at[0].size(); ++i) {
      for (int k = 0; k < 2; ++k) {
        double sum = 0;
        for (int cell = 0; cell < 24; ++cell) {
          const int code[] = {cell / 8 + 1, cell / 4 % 2 + 1, cell % 4 + 1};
          bool matches = true;
          for (int j = 0; j < 3; ++j)
            matches = matches && (at[j][i] == kMissingInteger || at[j][i] == code[j]);
          if (matches) sum += table[k][cell];
        }
        const double value = l(static_cast<Index>(i), k);
        if (sum == 0) {
          CHECK(value == kNegativeInfinity);
        } else {
          CHECK(std::exp(value) == doctest::Approx(sum / total[k]).epsilon(1e-13));
        }
      }
    }
  }
}

TEST_CASE("merging in any order and by any threads is exact; cells come sorted") {
  const Example e(150000);
  const ModelStatistics one = collect(e.plan, e.frame(), e.group);
  const JointTable::Statistics& whole = statistics<JointTable>(one);
  for (int count : {2, 3}) {
    const ModelStatistics other = collect(e.plan, e.frame(), e.group, {}, count);
    CHECK(statistics<JointTable>(other).cells == whole.cells);
    CHECK(statistics<JointTable>(other).count == whole.count);
  }
  ModelStatistics total = collect(e.plan, part_of(e.frame(), 70000, 80000),
                                  IntVector(e.group.begin() + 70000, e.group.end()));
  total.merge(e.plan, collect(e.plan, part_of(e.frame(), 0, 70000), e.group));
  const JointTable::Statistics& parts = statistics<JointTable>(total);
  CHECK(parts.cells == whole.cells);
  CHECK(parts.count == whole.count);
  CHECK(parts.missing == whole.missing);
  CHECK(parts.skipped == whole.skipped);
  CHECK(whole.count.sum() + whole.skipped == 150000);
  for (Index c = 1; c < whole.cells.rows(); ++c) {
    const auto key = [&](Index row) {
      return (whole.cells(row, 0) * 2 + whole.cells(row, 1)) * 4 + whole.cells(row, 2);
    };
    CHECK(key(c - 1) < key(c));
  }
}

TEST_CASE("weights, missing and malformed codes, rows of no class") {
  const IntVector a{1, 2, 2, 3, kMissingInteger, 1}, b{1, 1, 2, 1, 2, 2};
  const IntVector group{1, 1, 2, 1, 2, kMissingInteger};
  const Vector weight{1.5, 2, 1, 1, 1, 1};
  Diagnostics problems;
  const Frame frame = frame_of({factor(a, 2), factor(b, 2)}, 6);
  const ModelStatistics all = collect(joint_plan(2, {2, 2}), frame, group, problems, weight);
  const JointTable::Statistics& s = statistics<JointTable>(all);
  CHECK(found(problems, Problem::malformed, kAll, 0, 1));
  CHECK(s.missing == Vector{2, 0});
  CHECK(s.skipped == 2);
  REQUIRE(s.cells.rows() == 3);
  Matrix count(2, 3);
  count << 1.5, 2, 0, 0, 0, 1;
  CHECK(s.count == count);
}

TEST_CASE("2^62 cells: keys do not collide, what is unseen keeps its share") {
  const int features = 62;
  std::vector<IntVector> x(features);
  std::vector<Column> columns;
  for (int j = 0; j < features; ++j) {
    x[j] = {2, 1, j == 0 ? 1 : 2, j == 61 ? 1 : 2, 2};
    columns.push_back(factor(x[j], 2));
  }
  const ModelPlan plan = joint_plan(1, IntVector(features, 2));
  const Frame frame = frame_of(columns, 5);
  const Model model = fit(plan, frame, IntVector(5, 1), {JointTable::Options{1}});
  CHECK(statistics<JointTable>(model.statistics).cells.rows() == 4);
  const double cells = 0x1p62;
  const Matrix l = score_numbers(model, frame, Output::log_likelihood);
  CHECK(l(0, 0) == doctest::Approx(std::log(3) - std::log(cells)).epsilon(1e-15));
  // All but the first missing: half the cells, nearly.
  for (int j = 1; j < features; ++j) x[j][0] = kMissingInteger;
  CHECK(score_numbers(model, frame, Output::log_likelihood)(0, 0) ==
        doctest::Approx(std::log(0.5)).epsilon(1e-14));
}

TEST_CASE("pseudo-counts beyond measure give equal shares, not nothing") {
  const int features = 40;
  std::vector<IntVector> x(features, IntVector{1});
  std::vector<Column> columns;
  for (const IntVector& column : x) columns.push_back(factor(column, 2));
  const Model model = fit(joint_plan(1, IntVector(features, 2)), frame_of(columns, 1), {1},
                          {JointTable::Options{1e300}});
  CHECK(parameters<JointTable>(model).log_unseen[0] ==
        doctest::Approx(-40 * std::log(2.0)).epsilon(1e-13));
}

TEST_CASE("realigned: classes and levels move, a feature is summed out") {
  const Example e(60);
  const ModelStatistics all = collect(e.plan, e.frame(), e.group);
  const Mapping mapping{3, {2, 0}, {1, -1, 0}, {{2, 0, 1}, {0, 1}, {0, 1, 2, 3}}};
  const ModelPlan target = joint_plan(3, {4, 3});
  const ModelStatistics moved = realign(e.plan, all, target, mapping, {0});
  const JointTable::Statistics &from = statistics<JointTable>(all),
                               &to = statistics<JointTable>(moved);
  const IntVector colour{2, 0, 1};
  Matrix expected = Matrix::Zero(3, 12), found_count = Matrix::Zero(3, 12);
  for (Index c = 0; c < from.cells.rows(); ++c) {
    const int cell = (from.cells(c, 2) - 1) * 3 + colour[from.cells(c, 0) - 1];
    expected(2, cell) += from.count(0, c);
    expected(0, cell) += from.count(1, c);
  }
  for (Index c = 0; c < to.cells.rows(); ++c)
    found_count.col((to.cells(c, 0) - 1) * 3 + to.cells(c, 1) - 1) += to.count.col(c);
  CHECK(expected == found_count);
  CHECK(to.skipped == from.skipped);
}

TEST_CASE("a damaged table is an error") {
  JointTable::Parameters p{IntMatrix::Constant(1, 2, 3), Matrix::Zero(1, 1), {0}};
  const JointTable::Plan plan{{0, 1}, {3, 2}};
  CHECK_THROWS_AS(p.check(plan, 1), InvalidState);
  p.cells << 3, 2;
  CHECK_NOTHROW(p.check(plan, 1));
  CHECK_THROWS_AS(p.check(plan, 2), InvalidState);
  p.cells << 0, 2;
  CHECK_THROWS_AS(p.check(plan, 1), InvalidState);
  const JointTable::Parameters twice{IntMatrix::Ones(2, 2), Matrix::Zero(1, 2), {0}};
  CHECK_THROWS_AS(twice.check(plan, 1), InvalidState);
}

TEST_CASE("the log likelihood is the sum over the rows that were counted") {
  const Example e(50);
  const Model model = fit(e.plan, e.frame(), e.group, {JointTable::Options{0.3}});
  const Matrix l = score_numbers(model, e.frame(), Output::log_likelihood);
  double total = 0;
  for (int i = 0; i < 50; ++i) {
    const int g = e.group[i] - 1;
    total += std::log(model.estimate.prior[g]);
    if (e.x[0][i] > 0 && e.x[1][i] > 0 && e.x[2][i] > 0) total += l(i, g);
  }
  CHECK(model.estimate.log_likelihood == doctest::Approx(total).epsilon(1e-13));
  CHECK(model.estimate.parameter_count == 1 + 2 * 23);
}

TEST_CASE("many cells, of which few are seen, as few cells") {
  Random random(24);
  const int n = 3000;
  std::vector<IntVector> x(2, IntVector(n));
  IntVector group(n);
  Vector weight(n);
  for (int i = 0; i < n; ++i) {
    for (IntVector& column : x)
      column[i] = random.below(20) ? 1 + random.below(5) : random.below(2) ? kMissingInteger : -7;
    group[i] = random.below(3) ? 1 + random.below(2) : kMissingInteger;
    weight[i] = random.below(3) / 2.0;
  }
  const Frame few = frame_of({factor(x[0], 5), factor(x[1], 5)}, n);
  const Frame many = frame_of({factor(x[0], 300), factor(x[1], 300)}, n);
  for (const Vector& used : {Vector(), weight}) {
    Diagnostics problems, others;
    const ModelPlan plan = joint_plan(2, {5, 5}), wide = joint_plan(2, {300, 300});
    const ModelStatistics a = collect(plan, few, group, problems, used);
    const ModelStatistics b = collect(wide, many, group, others, used);
    const auto &p = statistics<JointTable>(a), &q = statistics<JointTable>(b);
    CHECK((p.cells == q.cells && p.count == q.count));
    CHECK((p.missing == q.missing && p.skipped == q.skipped));
    CHECK(problems.items().size() == 2);
    for (int j : {0, 1})
      CHECK(found(others, Problem::malformed, kAll, j, problems.items()[j].count));
    const JointTable::Options none{0.0};
    CHECK(same_bits(score_numbers(estimate(plan, a, {none}), few, Output::log_likelihood),
                    score_numbers(estimate(wide, b, {none}), many, Output::log_likelihood)));
  }
}

TEST_SUITE_END();

}  // namespace test_joint_table
