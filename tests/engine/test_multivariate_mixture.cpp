#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_multivariate_mixture {

namespace {

using Mix = MultivariateMixture;

ModelPlan plan_of(int groups, int features) {
  return {groups, {Mix::Plan{{first_features(features)}}}};
}

Mix::Options em(IntVector components, double borrow = 0) {
  Mix::Options options;
  options.components = std::move(components);
  options.starts = 12;
  options.seed = 1;
  options.borrow = borrow;
  options.min_variance_share = 1e-4;
  return options;
}

// Two clusters along a diagonal: n rows.
std::vector<Vector> two_clusters(int n, double offset = 0, double scale = 1) {
  Random random(3);
  std::vector<Vector> x(2, Vector(n));
  for (int i = 0; i < n; ++i) {
    const double far = i % 3 == 0 ? 4 : 0, along = random.normal(), across = random.normal();
    x[0][i] = offset + scale * (far + along);
    x[1][i] = offset + scale * (far - along + 0.3 * across);
  }
  return x;
}

Model fit_one(const std::vector<Vector>& x, const Mix::Options& options, const Vector& w = {}) {
  const auto p = static_cast<int>(x.size());
  return fit(plan_of(1, p), frame_of(x), IntVector(x[0].size(), 1), {options}, {}, w);
}

// The log density of a row by the textbook formula; a NaN is left out.
double log_density(const Mix::Parameters& p, int k, const Vector& x) {
  IntVector members;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (!std::isnan(x[j])) members.push_back(static_cast<int>(j));
  }
  const int m = static_cast<int>(members.size()), first = p.first_terms()[k];
  if (m == 0) return 0;
  double sum = kNegativeInfinity;
  for (int t = first; t < first + p.components[k]; ++t) {
    const Matrix& u = p.normals.factor_of(t);
    const Matrix s = u.transpose() * u;
    Matrix sub(m, m);
    Eigen::VectorXd d(m);
    for (int a = 0; a < m; ++a) {
      d[a] = x[members[a]] - p.normals.mean(t, members[a]) - p.normals.mean_low(t, members[a]);
      for (int b = 0; b < m; ++b) sub(a, b) = s(members[a], members[b]);
    }
    const Eigen::FullPivLU<Matrix> lu(sub);
    const double of_term =
        -0.5 * (d.dot(lu.solve(d)) + std::log(lu.determinant())) - m * kHalfLogTwoPi;
    sum = log_add(sum, p.log_weight[t] + of_term);
  }
  return sum;
}

Mix::Parameters example() {
  Mix::Parameters p;
  p.components = {2, 1};
  p.log_weight = {std::log(.3), std::log(.7), 0};
  p.normals.mean.resize(3, 3);
  p.normals.mean << 0, 1, 2, 3, -1, 0, 1, 1, 1;
  p.normals.mean_low = 0 * p.normals.mean;
  for (int t = 0; t < 3; ++t) {
    Matrix u(3, 3);
    u << 1 + t, .5, -.3, 0, 1, .2 * t, 0, 0, 2;
    p.normals.factor.push_back(u);
  }
  return p;
}

}  // namespace

TEST_SUITE_BEGIN("multivariate mixture");

TEST_CASE("scores are sums of normals; missing members are integrated out") {
  std::vector<Vector> x(3);
  Random random(1);
  for (int i = 0; i < 700; ++i) {
    for (int j = 0; j < 3; ++j) x[j].push_back(i >> j & 1 ? 3 * random.normal() : kNaN);
  }
  const Mix::Parameters p = example();
  const Matrix score =
      score_numbers(plan_of(2, 3), {p}, {.5, .5}, frame_of(x), Output::log_likelihood);
  for (std::size_t r = 0; r < 700; ++r) {
    for (int k = 0; k < 2; ++k) {
      const Vector row{x[0][r], x[1][r], x[2][r]};
      CHECK(std::abs(score(r, k) - log_density(p, k, row)) <= 1e-12 * std::abs(score(r, k)));
    }
  }
  CHECK(score(0, 0) == 0);
}

TEST_CASE("a row far out and an infinite number") {
  const std::vector<Vector> x{{1e9, kInfinity}, {-1e9, 0}, {1e9, 0}};
  ScoreReport report;
  const Matrix score = score_numbers(plan_of(2, 3), {example()}, {.5, .5}, frame_of(x),
                                     Output::prob, nullptr, 1, &report);
  CHECK(report.infinite == 1);
  CHECK(std::isnan(score(1, 0)));
  const Matrix log_likelihood =
      score_numbers(plan_of(2, 3), {example()}, {.5, .5}, frame_of(x), Output::log_likelihood);
  const double expected = log_density(example(), 0, {1e9, -1e9, 1e9});
  CHECK(digits(log_likelihood(0, 0), expected) >= 12);
}

TEST_CASE("one component is the Gaussian of largest likelihood") {
  const auto x = two_clusters(100);
  const Model mixture = fit_one(x, em({1}));
  MultivariateGaussian::Options ml;
  ml.unbiased = false;
  const Model gaussian = fit(block_plan(1, 2), frame_of(x), IntVector(100, 1), {ml});
  const auto& own = parameters<Mix>(mixture).normals;
  const auto& other = parameters<MultivariateGaussian>(gaussian);
  CHECK(largest_difference(own.factor[0], other.factor[0]) <= 1e-14);
  CHECK(largest_difference(own.mean, other.mean) <= 1e-14);
  CHECK(digits(mixture.estimate.log_likelihood, gaussian.estimate.log_likelihood) >= 12);
  CHECK(mixture.estimate.parameter_count == 5);
}

TEST_CASE("EM finds clusters; at the estimate no step moves a parameter") {
  const auto x = two_clusters(3000);
  const Model model = fit_one(x, em({1, 2, 3}));
  const Mix::Parameters& p = parameters<Mix>(model);
  REQUIRE(p.components == IntVector{2});
  CHECK(std::exp(p.log_weight[1]) == doctest::Approx(1. / 3).epsilon(.02));
  CHECK(p.normals.mean(0, 0) == doctest::Approx(0).epsilon(.1));
  CHECK(p.normals.mean(1, 1) == doctest::Approx(4).epsilon(.1));
  CHECK(model.estimate.parameter_count == 11);
  double total = 0;
  std::vector<Eigen::Vector3d> own(2, Eigen::Vector3d::Zero());
  for (std::size_t i = 0; i < 3000; ++i) {
    const Vector row{x[0][i], x[1][i]};
    const double log_sum = log_density(p, 0, row);
    total += log_sum;
    for (int t = 0; t < 2; ++t) {
      Mix::Parameters one = p;
      one.components = {1};
      one.log_weight = {p.log_weight[t]};
      one.normals.mean.row(0) = p.normals.mean.row(t);
      one.normals.mean_low.row(0) = p.normals.mean_low.row(t);
      one.normals.factor[0] = p.normals.factor[t];
      const double share = std::exp(log_density(one, 0, row) - log_sum);
      own[t] += share * Eigen::Vector3d(1, row[0], row[1]);
    }
  }
  CHECK(digits(model.estimate.log_likelihood, total) >= 12);
  for (int t = 0; t < 2; ++t) {
    CHECK(own[t][0] / 3000 == doctest::Approx(std::exp(p.log_weight[t])).epsilon(1e-4));
    CHECK(own[t][1] / own[t][0] == doctest::Approx(p.normals.mean(t, 0)).epsilon(1e-4));
    CHECK(own[t][2] / own[t][0] == doctest::Approx(p.normals.mean(t, 1)).epsilon(1e-4));
  }
}

TEST_CASE("weights count rows; the order of rows, parts, shift and scale change nothing") {
  auto x = two_clusters(300);
  const Mix::Parameters p = parameters<Mix>(fit_one(x, em({2})));
  auto reversed = x, twice = x;
  for (int j = 0; j < 2; ++j) {
    std::reverse(reversed[j].begin(), reversed[j].end());
    twice[j].insert(twice[j].end(), x[j].begin(), x[j].end());
  }
  const Mix::Parameters q = parameters<Mix>(fit_one(reversed, em({2})));
  CHECK(same_bits(p.normals.mean, q.normals.mean));
  CHECK(same_bits(p.normals.factor[1], q.normals.factor[1]));
  const Mix::Parameters twofold = parameters<Mix>(fit_one(twice, em({2})));
  const Mix::Parameters weighted = parameters<Mix>(fit_one(x, em({2}), Vector(300, 2.0)));
  CHECK(same_bits(twofold.normals.mean, weighted.normals.mean));
  const Mix::Parameters moved = parameters<Mix>(fit_one(two_clusters(300, 1e6, 1024), em({2})));
  for (int t = 0; t < 2; ++t) {
    const Matrix mean = (moved.normals.mean.row(t).array() - 1e6) / 1024;
    CHECK(largest_difference(mean, p.normals.mean.row(t)) <= 1e-5);
    CHECK(largest_difference(moved.normals.factor[t] / 1024, p.normals.factor[t]) <= 1e-5);
  }
}

TEST_CASE("a class without a covariance of its own has the normal of a Gaussian block") {
  std::vector<Vector> x = two_clusters(60);
  IntVector group(60, 1);
  for (std::size_t i = 40; i < 60; ++i) {
    group[i] = 2;
    x[1][i] = 2 * x[0][i];
  }
  const Vector weight{40, 20};
  const ModelStatistics both = collect(plan_of(2, 2), frame_of(x), group);
  const auto& statistics = both.banks[0].as<Mix::Statistics>();
  Diagnostics strict, pool;
  Mix::estimate({{{0, 1}}}, statistics, em({1, 2}), {weight}, strict);
  REQUIRE(strict.items().size() == 1);
  CHECK(strict.items()[0].problem == Problem::singular);
  CHECK(strict.items()[0].group == 1);
  const Mix::Parameters p = Mix::estimate({{{0, 1}}}, statistics, em({1, 2}), {weight, true}, pool);
  CHECK_FALSE(pool.stops());
  CHECK(p.components[1] == 1);
  MultivariateGaussian::Options ml;
  ml.unbiased = false;
  Diagnostics same;
  const auto gaussian =
      MultivariateGaussian::estimate({{0, 1}}, statistics, ml, {weight, true}, same);
  CHECK(same_bits(p.normals.factor.back(), gaussian.factor[1]));
}

TEST_CASE("a component without spread is given up, or borrows") {
  const std::vector<Vector> x{{0, 0, 1, 1, 0, 1}, {0, 1, 0, 1, 0, 1}};
  const Model strict = fit_one(x, em({4}));
  REQUIRE(strict.problems.items().size() == 1);
  CHECK(strict.problems.items()[0].problem == Mix::spike);
  Diagnostics diagnostics;
  const Vector weight{6};
  const auto& statistics = strict.statistics.banks[0].as<Mix::Statistics>();
  const Mix::Parameters p =
      Mix::estimate({{{0, 1}}}, statistics, em({4}), {weight, true}, diagnostics);
  CHECK_FALSE(diagnostics.stops());
  CHECK(p.components[0] == 4);
  CHECK(p.sound(0));
  const Model borrowed = fit_one(x, em({4}, 2));
  CHECK(borrowed.problems.empty());
  CHECK(same_bits(parameters<Mix>(borrowed).normals.mean, p.normals.mean));
}

TEST_CASE("a feature with one value is left out") {
  std::vector<Vector> x = two_clusters(100);
  x.push_back(Vector(100, 7.0));
  const ModelStatistics collected = collect(plan_of(1, 3), frame_of(x), IntVector(100, 1));
  const auto& statistics = collected.banks[0].as<Mix::Statistics>();
  Diagnostics diagnostics;
  const Vector weight{100};
  const Mix::Parameters p =
      Mix::estimate({{{0, 1, 2}}}, statistics, em({2}), {weight, true}, diagnostics);
  CHECK(p.normals.left_out[2]);
  CHECK(p.normals.mean(0, 2) == 7);
  const Mix::Parameters q = parameters<Mix>(fit_one({x[0], x[1]}, em({2})));
  CHECK(same_bits(p.normals.mean.leftCols(2), q.normals.mean));
  CHECK(Mix::parameter_count({{{0, 1, 2}}}, em({2}), p, 1) == 11);
}

TEST_CASE("equal rows become one, in order; parts are united; a feature can be dropped") {
  const std::vector<Vector> x{{2, 1, 2, 1, kNaN}, {0, 5, -0.0, 3, 1}};
  const ModelPlan plan = plan_of(1, 2);
  const auto statistics = [&](Index begin, Index rows) {
    return collect(plan, part_of(frame_of(x), begin, rows), IntVector(rows, 1));
  };
  ModelStatistics parts = statistics(0, 2);
  auto& mine = parts.banks[0].as<Mix::Statistics>();
  const ModelStatistics more = statistics(2, 3), all = statistics(0, 5);
  const auto& of_plan = plan.banks[0].as<Mix::Plan>();
  mine.merge(of_plan, more.banks[0].as<Mix::Statistics>());
  Matrix expected(3, 3);
  expected << 1, 3, 1, 1, 5, 1, 2, 0, 2;
  CHECK(mine.points[0] == expected);
  CHECK(all.banks[0].as<Mix::Statistics>().points[0] == expected);
  CHECK(mine.scatter.skipped == 1);
  Mapping mapping{1, {0}, {-1, 0}, {{}, {}}};
  const auto dropped = mine.realign(of_plan, {{{0}}}, mapping);
  Matrix one(3, 2);
  one << 0, 2, 3, 1, 5, 1;
  CHECK(dropped.points[0] == one);
  CHECK_NOTHROW(mine.check(of_plan, 1));
  std::swap(mine.points[0](0, 1), mine.points[0](1, 1));
  CHECK_THROWS_AS(mine.check(of_plan, 1), InvalidState);
}

TEST_CASE("the density of two members, and of one given others, follows from the joint density") {
  const Mix::Parameters p = example();
  const ModelPlan plan = plan_of(2, 3);
  const std::vector<AnyParameters> banks{p};
  const Vector prior{.5, .5};
  const View view = view_of(plan, banks, prior, 3);
  const Plane plane = plane_of(view, 0, 2, {0, 0});
  const Normals line = std::get<Normals>(marginal_of(view, 1, 0));
  const Eigen::Vector2d at(.7, -1.1);
  for (int k = 0; k < 2; ++k) {
    double sum = 0;
    for (const PlaneTerm& term : plane.classes[k]) {
      const Eigen::Vector2d z =
          term.factor.transpose().triangularView<Eigen::Lower>().solve(at - term.mean);
      sum += std::exp(term.log_weight - 0.5 * z.squaredNorm() - 2 * kHalfLogTwoPi) /
             std::abs(term.factor.determinant());
    }
    CHECK(digits(std::log(sum), log_density(p, k, {.7, kNaN, -1.1})) >= 13);
    CHECK(digits(log_density(line.classes[k], 2.5), log_density(p, k, {kNaN, 2.5, kNaN})) >= 13);
  }
  const std::vector<Vector> known{{.7}, {kNaN}, {-1.1}};
  const Frame frame = frame_of(known);
  const Normals given = std::get<Normals>(conditional_marginal(view, frame, 0, 1, 0));
  for (int k = 0; k < 2; ++k) {
    const double expected =
        log_density(p, k, {.7, 2.5, -1.1}) - log_density(p, k, {.7, kNaN, -1.1});
    CHECK(digits(log_density(given.classes[k], 2.5), expected) >= 12);
  }
}

TEST_SUITE_END();

}  // namespace test_multivariate_mixture
