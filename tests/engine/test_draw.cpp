#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_draw {

namespace {

// Quantiles of the standard normal, from 60-digit arithmetic (mpmath).
struct Quantile {
  double p, z;
};

Gaussian::Parameters gaussian(const Matrix& mean, const Matrix& sd) {
  return {mean, Matrix::Zero(mean.rows(), mean.cols()), sd};
}

}  // namespace

TEST_SUITE_BEGIN("draw");

TEST_CASE("normal quantiles have fifteen digits") {
  const Quantile known[] = {
      {1e-300, -37.04709629936119923655}, {1e-100, -21.27345356096532429418},
      {1e-20, -9.262340089798407579572},  {1e-10, -6.3613409024040561991},
      {1e-05, -4.264890793922824610234},  {0.001, -3.090232306167813535358},
      {0.02, -2.053748910631823044339},   {0.074, -1.446632067158978509863},
      {0.0751, -1.438825392752539982436}, {0.2, -0.8416212335729141655225},
      {0.4, -0.2533471031357997413247},   {0.49999, -0.00002506628274896000852685}};
  for (const Quantile& q : known) {
    CHECK(relative_error(normal_quantile(q.p), q.z) < 1e-15);
    if (q.p > 1e-10) CHECK(std::abs(normal_quantile(1 - q.p) + q.z) < 1e-6 * std::abs(q.z));
  }
  CHECK(normal_quantile(0.5) == 0);
}

TEST_CASE("bits become numbers inside (0, 1)") {
  CHECK(open_unit(0) == 0x1p-53);
  CHECK(open_unit(~0ull) == 1 - 0x1p-53);
}

TEST_CASE("an index without weight is never taken") {
  const double cumulative[] = {0, .25, .25, 1, 1};
  CHECK(index_of_weight(cumulative, 5, 0x1p-53) == 1);
  CHECK(index_of_weight(cumulative, 5, .2499) == 1);
  CHECK(index_of_weight(cumulative, 5, .25) == 3);
  CHECK(index_of_weight(cumulative, 5, 1 - 0x1p-53) == 3);
  const double tiny[] = {5e-324, 5e-324};
  CHECK(index_of_weight(tiny, 2, 1 - 0x1p-53) == 0);
}

TEST_CASE("drawn rows: a feature has codes if it has levels, be it one, and numbers otherwise") {
  DrawnRows rows({0, 1, 3}, 2);
  rows.number(0, 1) = .5;
  const std::vector<Column> columns = rows.frame().columns;
  CHECK(columns[0].real[1] == .5);
  CHECK(columns[0].integer == nullptr);
  for (int j : {1, 2}) {
    CHECK(columns[j].real == nullptr);
    CHECK(columns[j].integer == &rows.code(j, 0));
    CHECK(columns[j].stored_levels == 2 * j - 1);
  }
}

TEST_CASE("cases: a class by its prior, then its row") {
  ModelPlan plan;
  plan.groups = 3;
  plan.banks = {Gaussian::Plan{{0}}};
  Matrix mean(3, 1), sd(3, 1);
  mean << -5, 0, 5;
  sd.setOnes();
  const std::vector<AnyParameters> parameters{gaussian(mean, sd)};
  const Drawer drawer(plan, parameters);
  DrawnRows rows(drawer.levels(), 3);
  // By turns the number for the class and that for the feature.
  const double numbers[] = {.29, .5, .31, .5, .999, .5};
  int next = 0;
  const IntVector group = draw_cases(
      drawer, {.3, 0, .7}, 3, [&] { return numbers[next++]; }, rows);
  CHECK(group == IntVector{0, 2, 2});
  CHECK(rows.number(0, 0) == -5);
  CHECK(rows.number(0, 1) == 5);
  CHECK(next == 6);
}

TEST_CASE("single features: quantiles, levels, components") {
  ModelPlan plan;
  plan.groups = 2;
  plan.banks = {Gaussian::Plan{{2, 0}}, Categorical::Plan{{1, 3}, {2, 3}}, Mixture::Plan{{4}},
                Mixture::Plan{{5}}};
  Matrix mean(2, 2), sd(2, 2), probability(2, 5);
  mean << 1, 10, 2, 20;
  sd << 1, 2, 3, 4;
  probability << .5, .5, .2, .3, .5, .1, .9, 1, 0, 0;
  const Mixture::Parameters first{
      {{1, 2}, {0, std::log(.25), std::log(.75)}}, {1, 2, 3}, {.1, .2, .3}};
  const Mixture::Parameters second{{{1, 1}, {0, 0}}, {4, 5}, {.4, .5}};
  const Matrix log_probability = probability.array().log();
  const std::vector<AnyParameters> banks{gaussian(mean, sd),
                                         Categorical::Parameters{log_probability}, first, second};
  const Drawer drawer(plan, banks);
  CHECK(drawer.uniforms() == 7);
  CHECK(drawer.levels() == IntVector{0, 2, 0, 3, 0, 0});
  DrawnRows rows(drawer.levels(), 2);
  const double z = normal_quantile(.9);
  const double u[] = {.9, .5, .6, .45, .7, .9, .9};
  drawer.draw(0, u, 0, rows);
  CHECK(rows.number(2, 0) == 1 + z);
  CHECK(rows.number(0, 0) == 10);
  CHECK(rows.code(1, 0) == 1);
  CHECK(rows.code(3, 0) == 1);
  CHECK(rows.number(4, 0) == 1 + .1 * z);
  CHECK(rows.number(5, 0) == 4 + .4 * z);
  drawer.draw(1, u, 1, rows);
  CHECK(rows.number(2, 1) == 2 + 3 * z);
  CHECK(rows.code(1, 1) == 1);
  CHECK(rows.code(3, 1) == 0);
  CHECK(rows.number(4, 1) == 3 + .3 * z);
  CHECK(rows.number(5, 1) == 5 + .5 * z);
  const Frame frame = rows.frame();
  CHECK(frame.rows == 2);
  CHECK(frame.columns[3].stored_levels == 3);
  CHECK(level_of(frame.columns[3], frame.columns[3].integer[0]) == 1);
}

TEST_CASE("a block has its covariance, and keeps its digits far from 0") {
  const ModelPlan plan = block_plan(1, 3);
  MultivariateGaussian::Parameters p;
  p.mean = Matrix::Constant(1, 3, 1e9);
  p.mean_low = Matrix::Constant(1, 3, 0.25e-7);
  Matrix u(3, 3);
  u << 2, .5, -1, 0, 1, .25, 0, 0, 3;
  p.factor = {u};
  const std::vector<AnyParameters> banks{p};
  const Drawer drawer(plan, banks);
  const double uniform[] = {.2, .7, .4};
  DrawnRows rows(drawer.levels(), 1);
  drawer.draw(0, uniform, 0, rows);
  Eigen::Vector3d z(normal_quantile(.2), normal_quantile(.7), normal_quantile(.4));
  const Eigen::Vector3d expected = u.transpose() * z;
  for (int j = 0; j < 3; ++j) {
    CHECK(std::abs((rows.number(j, 0) - 1e9) - (expected[j] + 0.25e-7)) < 1.2e-7);
  }
}

TEST_CASE("a joint table: listed cells, then the others in the order of their keys") {
  const ModelPlan plan = joint_plan(2, {2, 3});
  JointTable::Parameters p;
  p.cells.resize(2, 2);
  p.cells << 2, 1, 1, 2;  // keys 3 and 1
  p.log_probability.resize(2, 2);
  p.log_probability << std::log(.5), std::log(.1), 0, kNegativeInfinity;
  p.log_unseen = {std::log(.1), kNegativeInfinity};
  const std::vector<AnyParameters> banks{p};
  const Drawer drawer(plan, banks);
  CHECK(drawer.uniforms() == 1);
  DrawnRows rows(drawer.levels(), 1);
  const auto cell = [&](int k, double u) {
    drawer.draw(k, &u, 0, rows);
    return 10 * rows.code(0, 0) + rows.code(1, 0);
  };
  CHECK(cell(0, .49) == 10);
  CHECK(cell(0, .51) == 1);
  CHECK(cell(0, .61) == 0);   // key 0
  CHECK(cell(0, .71) == 2);   // key 2
  CHECK(cell(0, .81) == 11);  // key 4
  CHECK(cell(0, .91) == 12);
  CHECK(cell(0, 1 - 0x1p-53) == 12);
  CHECK(cell(1, .999) == 10);
}

TEST_CASE("a joint table of 2^62 cells") {
  const ModelPlan plan = joint_plan(1, IntVector(62, 2));
  JointTable::Parameters p;
  p.cells = IntMatrix::Constant(1, 62, 1);
  p.log_probability = Matrix::Constant(1, 1, std::log(.5));
  p.log_unseen = {std::log(.5) - 62 * std::log(2.0)};
  const std::vector<AnyParameters> banks{p};
  const Drawer drawer(plan, banks);
  DrawnRows rows(drawer.levels(), 1);
  const double u = .76;
  drawer.draw(0, &u, 0, rows);
  double key = 0;
  for (int j = 0; j < 62; ++j) key = 2 * key + rows.code(j, 0);
  CHECK(relative_error(key, .52 * 0x1p62) < 1e-12);
}

TEST_CASE("a feature without levels cannot be drawn, nor one that is two things") {
  ModelPlan plan = categorical_plan(1, {0});
  CHECK_THROWS_AS(feature_levels(plan), InvalidState);
  plan = {1, {Categorical::Plan{{1}, {2}}, Gaussian::Plan{{1}}}};
  CHECK_THROWS_AS(feature_levels(plan), InvalidState);
  plan.banks[1] = Categorical::Plan{{1}, {3}};
  CHECK_THROWS_AS(feature_levels(plan), InvalidState);
  plan.banks[1] = JointTable::Plan{{1}, {2}};
  CHECK(feature_levels(plan) == IntVector{0, 2});
}

TEST_CASE("of a class without bins no number can be drawn") {
  const ModelPlan plan{2, {Histogram::Plan{{0}, {0, 1}, {0, 1}}}};
  Matrix log_probability(2, 1);
  log_probability << kNegativeInfinity, 0;
  const std::vector<AnyParameters> banks{Histogram::Parameters{log_probability}};
  const Drawer drawer(plan, banks);
  DrawnRows rows(drawer.levels(), 2);
  const double u = .5;
  for (int k : {0, 1}) drawer.draw(k, &u, k, rows);
  CHECK(std::isnan(rows.number(0, 0)));
  CHECK(rows.number(0, 1) == .5);
}

TEST_SUITE_END();

}  // namespace test_draw
