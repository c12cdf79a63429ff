#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_mixture {

namespace {

// Two classes: .7 N(3, .9^2) + .3 N(5.8, .8^2), and N(5.8, .95^2).
ModelPlan humps_plan() {
  ModelPlan plan;
  plan.groups = 2;
  plan.banks.push_back(Mixture::Plan{{0}});
  return plan;
}

Mixture::Parameters humps(double offset = 0) {
  Mixture::Parameters p;
  p.components = {2, 1};
  p.log_weight = {std::log(.7), std::log(.3), 0};
  p.mean = {offset + 3, offset + 5.8, offset + 5.8};
  p.sd = {.9, .8, .95};
  return p;
}

}  // namespace

TEST_SUITE_BEGIN("mixture");

TEST_CASE("far out the largest term is the sum") {
  const Vector x{-1e6, -47, 3, 5, 60, 1e9};
  const Matrix score =
      score_numbers(humps_plan(), {humps()}, {.6, .4}, frame_of(x), Output::log_likelihood);
  for (std::size_t r = 0; r < x.size(); ++r) {
    const double a = (x[r] - 3) / .9, b = (x[r] - 5.8) / .8;
    const double first = std::log(.7) - std::log(.9) - kHalfLogTwoPi - a * a / 2;
    const double second = std::log(.3) - std::log(.8) - kHalfLogTwoPi - b * b / 2;
    CHECK(digits(score(r, 0), log_add(first, second)) >= 14);
  }
}

TEST_CASE("terms are found class by class") {
  Mixture::Parameters p;
  p.components = {2, 1, 3};
  CHECK(p.first_terms() == IntVector{0, 2, 3});
}

TEST_CASE("missing numbers add nothing, infinite ones are marked") {
  const Vector x{kNaN, std::numeric_limits<double>::infinity(), 1e200};
  ScoreReport report;
  const Matrix score = score_numbers(humps_plan(), {humps()}, {.6, .4}, frame_of(x), Output::prob,
                                     nullptr, 1, &report);
  CHECK(score(0, 0) == .6);
  CHECK(std::isnan(score(1, 0)));
  CHECK(std::isnan(score(2, 0)));
  CHECK(report.infinite == 1);
  CHECK(report.impossible == 1);
}

TEST_CASE("parameters that contradict themselves are refused") {
  const Mixture::Plan plan{{0}};
  Mixture::Parameters p = humps();
  p.check(plan, 2);
  CHECK(p.sound(0));
  CHECK_THROWS_AS(p.check(plan, 3), InvalidState);
  p.sd.pop_back();
  CHECK_THROWS_AS(p.check(plan, 2), InvalidState);
  p = humps();
  p.sd[1] = 0;
  CHECK_FALSE(p.sound(0));
  CHECK(p.sound(1));
  p = humps();
  p.components[0] = 0;
  CHECK_THROWS_AS(p.check(plan, 2), InvalidState);
  Mixture::Options options;
  options.check(plan, 2);
  options.components = {0};
  CHECK_THROWS_AS(options.check(plan, 2), InvalidState);
  options = {};
  options.starts = 0;
  CHECK_THROWS_AS(options.check(plan, 2), InvalidState);
}

namespace {

double log_density(const Mixture::Parameters& p, double x) {
  return log_density(Mixture::marginal({{0}}, p, 0, 0, 0), x);
}

// Quantiles of .4 N(-2, .5^2) + .6 N(1, 1): `count` values.
Vector two_humps(int count) {
  Vector x;
  for (int i = 0; i < count; ++i) {
    const double u = (i + .5) / count;
    double low = -10, high = 10;
    for (int step = 0; step < 60; ++step) {
      const double middle = (low + high) / 2;
      const double below = .2 * std::erfc(-(middle + 2) / .5 / std::sqrt(2)) +
                           .3 * std::erfc((1 - middle) / std::sqrt(2));
      (below < u ? low : high) = middle;
    }
    x.push_back(low);
  }
  return x;
}

Mixture::Options em_options(IntVector components) {
  Mixture::Options options;
  options.components = std::move(components);
  options.starts = 5;
  options.min_variance_share = 1e-4;
  return options;
}

Model fit_mixture(const Vector& x, const Mixture::Options& options, const Vector& w = {},
                  double points = kInfinity) {
  return fit({1, {Mixture::Plan{{0}, points}}}, frame_of(x), IntVector(x.size(), 1), {options}, {},
             w);
}

}  // namespace

TEST_CASE("EM finds the mixture that the values are quantiles of") {
  const Vector x = two_humps(4000);
  const Model model = fit_mixture(x, em_options({2}));
  const Mixture::Parameters& p = parameters<Mixture>(model);
  REQUIRE(p.components == IntVector{2});
  CHECK(std::exp(p.log_weight[0]) == doctest::Approx(.4).epsilon(1e-3));
  CHECK(p.mean[0] == doctest::Approx(-2).epsilon(1e-3));
  CHECK(p.mean[1] == doctest::Approx(1).epsilon(3e-3));
  CHECK(p.sd[0] == doctest::Approx(.5).epsilon(3e-3));
  CHECK(p.sd[1] == doctest::Approx(1).epsilon(3e-3));
  CHECK(model.estimate.parameter_count == 5);
  double sum = 0;
  for (double value : x) sum += log_density(p, value);
  CHECK(digits(model.estimate.log_likelihood, sum) >= 12);
}

TEST_CASE("at the estimate no step of EM moves a parameter") {
  const Vector x = two_humps(300);
  const Model model = fit_mixture(x, em_options({3}));
  const Mixture::Parameters& p = parameters<Mixture>(model);
  for (int t = 0; t < 3; ++t) {
    double own = 0, mean = 0, square = 0;
    for (double value : x) {
      const double z = (value - p.mean[t]) / p.sd[t];
      const double share = std::exp(p.log_weight[t] - std::log(p.sd[t]) - kHalfLogTwoPi -
                                    z * z / 2 - log_density(p, value));
      own += share;
      mean += share * value;
      square += share * value * value;
    }
    CHECK(own / 300 == doctest::Approx(std::exp(p.log_weight[t])).epsilon(1e-3));
    CHECK(mean / own == doctest::Approx(p.mean[t]).epsilon(1e-2));
    CHECK(square / own - std::pow(mean / own, 2) ==
          doctest::Approx(p.sd[t] * p.sd[t]).epsilon(1e-2));
  }
}

TEST_CASE("one component is the normal of largest likelihood; BIC finds one and two") {
  const Vector x{1, 2, 4, 9};
  const Model one = fit_mixture(x, em_options({1}));
  CHECK(parameters<Mixture>(one).mean[0] == 4);
  CHECK(digits(parameters<Mixture>(one).sd[0], std::sqrt(38. / 4)) >= 14);
  CHECK(parameters<Mixture>(fit_mixture(two_humps(500), em_options({1, 2, 3}))).components ==
        IntVector{2});
  Vector normal;
  for (int i = 0; i < 500; ++i) normal.push_back(normal_quantile((i + .5) / 500));
  CHECK(parameters<Mixture>(fit_mixture(normal, em_options({1, 2, 3}))).components == IntVector{1});
}

TEST_CASE("weights count rows; shift, scale and a grid change nothing else") {
  Vector x = two_humps(200), twice = x;
  twice.insert(twice.end(), x.begin(), x.end());
  const Mixture::Options options = em_options({2});
  const Model plain = fit_mixture(twice, options);
  const Model weighted = fit_mixture(x, options, Vector(200, 2.0));
  const auto& p = parameters<Mixture>(plain);
  const auto& q = parameters<Mixture>(weighted);
  for (int t = 0; t < 2; ++t) {
    CHECK(digits(q.mean[t], p.mean[t]) >= 8);
    CHECK(digits(q.sd[t], p.sd[t]) >= 8);
  }
  Vector moved = x;
  for (double& value : moved) value = 1e6 + 1024 * value;
  const auto r = parameters<Mixture>(fit_mixture(moved, options));
  for (int t = 0; t < 2; ++t) {
    CHECK(digits((r.mean[t] - 1e6) / 1024, q.mean[t]) >= 6);
    CHECK(digits(r.sd[t] / 1024, q.sd[t]) >= 6);
  }
  const auto s = parameters<Mixture>(fit_mixture(two_humps(5000), options, {}, 512));
  CHECK(s.mean[0] == doctest::Approx(-2).epsilon(1e-2));
  CHECK(s.sd[0] == doctest::Approx(.5).epsilon(1e-2));
}

TEST_CASE("spikes: not selected, and borrowed only where nothing else is asked for") {
  Vector x = two_humps(100);
  for (int i = 0; i < 60; ++i) x.push_back(.125);
  const Model selected = fit_mixture(x, em_options({1, 2, 3, 4}));
  CHECK(selected.problems.empty());
  const Vector pairs{0, 0, 0, 0, 1, 1, 1, 1};
  const Model strict = fit_mixture(pairs, em_options({2}));
  REQUIRE(strict.problems.items().size() == 1);
  CHECK(strict.problems.items()[0].problem == MultivariateMixture::spike);
  Diagnostics diagnostics;
  const Vector weight{8};
  const auto& statistics = strict.statistics.banks[0].as<Mixture::Statistics>();
  const Mixture::Parameters p =
      Mixture::estimate({{0}}, statistics, em_options({2}), {weight, true}, diagnostics);
  CHECK_FALSE(diagnostics.stops());
  REQUIRE(diagnostics.items().size() == 1);
  CHECK(p.mean[0] == doctest::Approx(0).epsilon(1e-3));
  // Four cases without spread and one of the variance of the class, 1/4.
  CHECK(p.sd[0] * p.sd[0] == doctest::Approx(.25 / 5).epsilon(.05));
}

TEST_CASE("a class without spread or without a value, and a feature with one value") {
  const Vector x{1, 2, 3, 5, 5, 5}, weight{3, 3, 1};
  ModelPlan plan{3, {Mixture::Plan{{0}}}};
  Diagnostics diagnostics;
  const ModelStatistics collected = collect(plan, frame_of(x), IntVector{1, 1, 1, 2, 2, 2});
  const auto& statistics = collected.banks[0].as<Mixture::Statistics>();
  const Mixture::Parameters p =
      Mixture::estimate({{0}}, statistics, em_options({1}), {weight, true}, diagnostics);
  CHECK_FALSE(diagnostics.stops());
  const double pooled = 2. / 6;
  CHECK(digits(p.sd[1], std::sqrt(pooled / 4)) >= 14);
  CHECK(digits(p.mean[2], 21. / 6) >= 14);
  CHECK(digits(p.sd[2], std::sqrt(pooled)) >= 14);
  Diagnostics strict;
  Mixture::estimate({{0}}, statistics, em_options({1}), {weight}, strict);
  CHECK(strict.items().size() == 2);
  CHECK(strict.stops());
  const Vector equal{4, 4};
  const ModelStatistics same = collect({1, {Mixture::Plan{{0}}}}, frame_of(equal), {1, 1});
  Diagnostics left_out;
  const Vector two{2};
  CHECK(Mixture::estimate({{0}}, same.banks[0].as<Mixture::Statistics>(), em_options({1}),
                          {two, true}, left_out)
            .left_out[0]);
  CHECK_FALSE(left_out.stops());
}

TEST_SUITE_END();

}  // namespace test_mixture
