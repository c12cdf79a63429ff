#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_categorical {

namespace {

// Two features of 3 and 2 levels, two classes.
struct Example {
  IntVector colour{1, 2, 3, 1, 1, 3, kMissingInteger, 2};
  IntVector shape{1, 1, 2, 2, 1, 2, 2, kMissingInteger};
  IntVector group{1, 1, 1, 2, 2, 2, 2, 1};
  ModelPlan plan = categorical_plan(2, {3, 2});
  Frame frame() const { return frame_of({factor(colour, 3), factor(shape, 2)}, colour.size()); }
};

}  // namespace

TEST_SUITE_BEGIN("categorical");

TEST_CASE("counts, estimates and posterior in fractions") {
  const Example e;
  const Model model = fit(e.plan, e.frame(), e.group, {Categorical::Options{Vector(5, 1.0)}});
  Matrix count(2, 5);
  count << 1, 2, 1, 2, 1, 2, 0, 1, 1, 3;
  CHECK(statistics<Categorical>(model.statistics).count == count);
  const Matrix p = parameters<Categorical>(model).log_probability.array().exp();
  CHECK(p(0, 1) == doctest::Approx(3 / 7.0).epsilon(1e-15));
  CHECK(p(1, 1) == doctest::Approx(1 / 6.0).epsilon(1e-15));
  CHECK(p(1, 4) == doctest::Approx(4 / 6.0).epsilon(1e-15));
  // (colour 2, shape 2): 3/7 * 2/5 against 1/6 * 4/6.
  const IntVector colour{2}, shape{2};
  const Frame one = frame_of({factor(colour, 3), factor(shape, 2)}, 1);
  const Matrix posterior = score_numbers(model, one, Output::prob);
  CHECK(posterior(0, 0) == doctest::Approx((6 / 35.0) / (6 / 35.0 + 1 / 9.0)).epsilon(1e-14));
}

TEST_CASE("a level never seen is impossible, exactly; crossed ones leave no answer") {
  const Example e;
  const Model model = fit(e.plan, e.frame(), e.group, {Categorical::Options{Vector(5, 0.0)}});
  CHECK(model.problems.empty());
  const IntVector colour{2, 1}, shape{1, 1};
  const Frame rows = frame_of({factor(colour, 3), factor(shape, 2)}, 2);
  const Matrix p = score_numbers(model, rows, Output::prob);
  CHECK(p(0, 0) == 1);
  CHECK(p(0, 1) == 0);
  CHECK(score_numbers(model, rows, Output::log_prob)(0, 1) == kNegativeInfinity);
  Matrix impossible(2, 4);
  impossible << 1, 0, 1, 0, 0, 1, 0, 1;
  const std::vector<AnyParameters> known{
      Categorical::Parameters{impossible.array().log().matrix()}};
  const IntVector first{1, 1, 2}, second{2, 1, 2};
  ScoreReport report;
  const Matrix q = score_numbers(categorical_plan(2, {2, 2}), known, {0.5, 0.5},
                                 frame_of({factor(first, 2), factor(second, 2)}, 3), Output::prob,
                                 nullptr, 1, &report);
  CHECK((std::isnan(q(0, 0)) && std::isnan(q(0, 1))));
  CHECK((q(1, 0) == 1 && q(1, 1) == 0 && q(2, 0) == 0 && q(2, 1) == 1));
  CHECK(report.impossible == 1);
}

TEST_CASE("Titanic, as weighted frequencies") {
  // R's datasets::Titanic: Class x Sex x Age x Survived.
  const int frequency[] = {0, 0,  35, 0, 0, 0,  17, 0, 118, 154, 387, 670, 4,   13, 89, 3,
                           5, 11, 13, 0, 1, 13, 14, 0, 57,  14,  75,  192, 140, 80, 76, 20};
  IntVector klass, sex, age, group;
  Vector weight;
  for (int i = 0; i < 32; ++i) {
    klass.push_back(1 + i % 4);
    sex.push_back(1 + i / 4 % 2);
    age.push_back(1 + i / 8 % 2);
    group.push_back(1 + i / 16);
    weight.push_back(frequency[i]);
  }
  const ModelPlan plan = categorical_plan(2, {4, 2, 2});
  const Frame frame = frame_of({factor(klass, 4), factor(sex, 2), factor(age, 2)}, 32);
  const Model model = fit(plan, frame, group, {Categorical::Options{Vector(8, 0.0)}}, {}, weight);
  const Model smooth = fit(plan, frame, group, {Categorical::Options{Vector(8, 1.0)}}, {}, weight);
  CHECK(model.statistics.classes.weight == Vector{1490, 711});
  const IntVector a{1, 3}, b{2, 1}, c{1, 2};
  const Frame at = frame_of({factor(a, 4), factor(b, 2), factor(c, 2)}, 2);
  const Matrix p = score_numbers(model, at, Output::prob);
  CHECK(digits(p(0, 1), 0.95627268619440256) >= 14);
  CHECK(digits(p(1, 1), 0.15338291877237057) >= 13.8);
  CHECK(digits(score_numbers(smooth, at, Output::prob)(0, 1), 0.95560838715699344) >= 13.8);
}

TEST_CASE("3000 features whose likelihood is below any double") {
  const int features = 3000;
  Matrix p(2, 2 * features);
  for (int j = 0; j < features; ++j) {
    p.col(2 * j) << 2 / 3.0, 1 / 3.0;
    p.col(2 * j + 1) << 1 / 3.0, 2 / 3.0;
  }
  std::vector<IntVector> x(features);
  std::vector<Column> columns;
  for (int j = 0; j < features; ++j) {
    x[j] = {j < 1500 ? 2 : 1, j < 1501 ? 2 : 1};
    columns.push_back(factor(x[j], 2));
  }
  const Matrix posterior = score_numbers(categorical_plan(2, IntVector(features, 2)),
                                         {Categorical::Parameters{p.array().log().matrix()}},
                                         {0.5, 0.5}, frame_of(columns, 2), Output::prob);
  CHECK(digits(posterior(0, 0), 0.5) >= 10);
  CHECK(digits(posterior(1, 1), 0.8) >= 10);
}

TEST_CASE("levels by name: remapped, unknown and malformed codes at prediction") {
  const Example e;
  const Model model = fit(e.plan, e.frame(), e.group, {Categorical::Options{Vector(5, 1.0)}});
  const Matrix plain = score_numbers(model, e.frame(), Output::log_joint);
  // The same data, its levels declared as new, c, b, a.
  IntVector colour;
  for (int code : e.colour) colour.push_back(code == kMissingInteger ? code : 5 - code);
  const int remap[] = {kUnknown, 2, 1, 0};
  const Frame frame = frame_of({factor(colour, 4, remap), factor(e.shape, 2)}, 8);
  CHECK(same_bits(plain, score_numbers(model, frame, Output::log_joint)));
  const IntVector odd{1, 0, 5, 2}, shape{1, 1, 1, 1};
  const IntVector left_out(4, kMissingInteger);
  ScoreReport report;
  const Matrix strange =
      score_numbers(model, frame_of({factor(odd, 4, remap), factor(shape, 2)}, 4), Output::prob,
                    nullptr, 1, &report);
  const Matrix without =
      score_numbers(model, frame_of({factor(left_out, 3), factor(shape, 2)}, 4), Output::prob);
  CHECK(same_bits(strange.topRows(3), without.topRows(3)));
  CHECK(report.unknown == 1);
  CHECK(report.unknown_by_feature == std::vector<Index>{1, 0});
  CHECK(report.malformed_by_feature == std::vector<Index>{2, 0});
  // A remap that points outside the model is no way to read outside its table.
  const int wild[] = {7, -9, kMissingInteger, 0};
  const IntVector four{1, 2, 3, 4};
  score_numbers(model, frame_of({factor(four, 4, wild), factor(shape, 2)}, 4), Output::prob,
                nullptr, 1, &report);
  CHECK(report.malformed_by_feature == std::vector<Index>{3, 0});
}

TEST_CASE("damaged codes at the fit are counted, not read") {
  const IntVector codes{1, 99, 0, -5, 2, 99, kMissingInteger};
  const IntVector group{1, 1, 1, 1, 2, kMissingInteger, 2};
  Diagnostics problems;
  const ModelStatistics all =
      collect(categorical_plan(2, {2}), frame_of({factor(codes, 2)}, 7), group, problems);
  CHECK(found(problems, Problem::malformed, kAll, 0, 3));
  Matrix count(2, 2);
  count << 1, 0, 0, 1;
  CHECK(statistics<Categorical>(all).count == count);
  Diagnostics none;
  collect(categorical_plan(2, {2}), frame_of({factor(codes, 2)}, 7), IntVector(7, kMissingInteger),
          none);
  CHECK(none.empty());
}

TEST_CASE("merging is exact, in any order, by any threads; weights are copies") {
  Random random(11);
  const int n = 140000;
  IntVector a(n), b(n), group(n);
  Vector weight(n);
  IntVector a_copies, b_copies, group_copies;
  for (int i = 0; i < n; ++i) {
    a[i] = random.below(20) ? 1 + random.below(7) : kMissingInteger;
    b[i] = 1 + random.below(2);
    group[i] = 1 + random.below(3);
    weight[i] = random.below(3);
    for (int w = 0; w < weight[i]; ++w) {
      a_copies.push_back(a[i]);
      b_copies.push_back(b[i]);
      group_copies.push_back(group[i]);
    }
  }
  const ModelPlan plan = categorical_plan(3, {7, 2});
  const Frame frame = frame_of({factor(a, 7), factor(b, 2)}, n);
  const Matrix whole = statistics<Categorical>(collect(plan, frame, group)).count;
  CHECK(whole.rightCols(2).sum() == n);
  for (int count : {2, 3})
    CHECK(statistics<Categorical>(collect(plan, frame, group, {}, count)).count == whole);
  ModelStatistics total = collect(plan, part_of(frame, 100001, n - 100001),
                                  IntVector(group.begin() + 100001, group.end()));
  total.merge(plan, collect(plan, part_of(frame, 0, 100001), group));
  CHECK(statistics<Categorical>(total).count == whole);
  const Frame copies = frame_of({factor(a_copies, 7), factor(b_copies, 2)}, a_copies.size());
  CHECK(statistics<Categorical>(collect(plan, frame, group, weight)).count ==
        statistics<Categorical>(collect(plan, copies, group_copies)).count);
}

TEST_CASE("a class without a value of a feature is empty, unless something is added") {
  const IntVector codes{1, 2, kMissingInteger}, group{1, 1, 2};
  const Frame frame = frame_of({factor(codes, 2)}, 3);
  const ModelPlan plan = categorical_plan(3, {2});
  const Model model = fit(plan, frame, group, {Categorical::Options{{0, 0}}});
  CHECK(model.problems.items().size() == 1);
  CHECK(found(model.problems, Problem::empty, 1, 0));
  const Model smooth = fit(plan, frame, group, {Categorical::Options{{1, 3}}});
  CHECK(smooth.problems.empty());
  CHECK(std::exp(parameters<Categorical>(smooth).log_probability(1, 1)) ==
        doctest::Approx(0.75).epsilon(1e-15));
}

TEST_CASE("counts of a billion, smoothing next to nothing and beyond measure") {
  const IntVector codes{1, 2}, group{1, 1};
  const Frame frame = frame_of({factor(codes, 2)}, 2);
  const ModelPlan plan = categorical_plan(1, {2});
  const Vector weight{3e9, 1};
  const Model model = fit(plan, frame, group, {Categorical::Options{{0, 0}}}, {}, weight);
  const Matrix p = parameters<Categorical>(model).log_probability.array().exp();
  CHECK(digits(p(0, 1), 1 / 3000000001.0) >= 14);
  for (double laplace : {1e-320, 1e300}) {
    const Model smooth = fit(plan, frame, group, {Categorical::Options{{laplace, laplace}}});
    CHECK(parameters<Categorical>(smooth).log_probability.allFinite());
  }
}

TEST_CASE("the log likelihood is the sum over the rows, whatever is missing") {
  const Example e;
  const Model model = fit(e.plan, e.frame(), e.group, {Categorical::Options{Vector(5, 0.5)}});
  const Matrix joint = score_numbers(model, e.frame(), Output::log_joint);
  double total = 0;
  for (int i = 0; i < 8; ++i) total += joint(i, e.group[i] - 1);
  CHECK(model.estimate.log_likelihood == doctest::Approx(total).epsilon(1e-14));
  CHECK(model.estimate.parameter_count == 1 + 2 * 3);
}

TEST_CASE("levels and classes united by name; a feature dropped") {
  const Example e;
  const ModelStatistics all = collect(e.plan, e.frame(), e.group);
  // Classes b, a, new; colours new, c, b, a; shape is gone.
  const Mapping mapping{3, {1, 0}, {0, -1}, {{3, 2, 1}, {0, 1}}};
  const ModelPlan target = categorical_plan(3, {4});
  const ModelStatistics moved = realign(e.plan, all, target, mapping, {0});
  Matrix count(3, 4);
  count << 0, 1, 0, 2, 0, 1, 2, 1, 0, 0, 0, 0;
  CHECK(statistics<Categorical>(moved).count == count);
  CHECK(moved.classes.rows == Vector{4, 4, 0});
}

TEST_SUITE_END();

}  // namespace test_categorical
