#include "helpers.hpp"

#include <engine/core/triangle.hpp>
#include <engine/likelihood/posterior/pooling.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_pooling {

namespace {

struct Case {
  double cases, table, one, two, rate;
};

// tools/oracle/pooling.py
const Case kCases[] = {
    {1.25, -8.9957048733023813949, -9.7589004690883269081, -17.166438812050551898,
     -7.4301680441948384696},
    {20, -10.324704997073922389, -9.0617387717557453653, -15.066267541016943943,
     -6.6953997342962486018},
    {4194304, -11.090349405345380497, -8.9883249677663099819, -15.042309971060838473,
     -6.6070935396577690928},
};

void check(double found, double truth) {
  CHECK(found == doctest::Approx(truth).epsilon(1e-14).scale(1));
}

}  // namespace

TEST_SUITE_BEGIN("pooling");

TEST_CASE("marginal likelihoods in 50 digits, up to millions of cases") {
  Matrix count(1, 3), log_p(1, 3), variance(2, 2), squares(2, 2), u, r;
  count << 3, 0, 7;
  log_p << std::log(0.125), std::log(0.375), std::log(0.5);
  variance << 2, 0.5, 0.5, 1;
  squares << 11, -3, -3, 4;
  REQUIRE(cholesky(variance, u));
  REQUIRE(cholesky(squares, r));
  const Vector added(3, 0.25);
  for (const Case& c : kCases) {
    const double m = c.cases;
    check(TableMarginal(with_level_cases(added.data(), 3, log_p, 0, 0, m)).of(count, 0, 0),
          c.table);
    NormalMarginal one(m, m, 1), two(m, m, 2);
    check(one.of_scatter(9, 0.5 * std::log(2), 0.5 * std::log1p(11 / (m * 2))), c.one);
    const Matrix scale = std::sqrt(m) * u;
    const double ratio =
        half_log_determinant(merge_triangles(scale, r)) - half_log_determinant(scale);
    // The ratio is a difference of two logs, and counts once for each case.
    CHECK(two.of_scatter(9, half_log_determinant(u), ratio) ==
          doctest::Approx(c.two).epsilon(1e-15 * (1 + m)));
    check(log_rate_marginal(17, 9, m * 1.5, m), c.rate);
  }
}

// By hand: the mean is 1e9 + 3/2, the variance 19/6; in a group without rows those of the model.
TEST_CASE("cases of the merged model keep the digits of numbers far from zero") {
  const Vector x{1e9 + 1, 1e9 + 2, 1e9 + 4};
  const ModelPlan single = gaussian_plan(2, 1), block = block_plan(2, 1);
  Gaussian::Parameters numbers{Matrix(2, 1), Matrix(2, 1), Matrix(2, 1)};
  numbers.mean.setConstant(1e9);
  numbers.mean_low.setConstant(0.5);
  numbers.sd.setConstant(std::sqrt(2));
  MultivariateGaussian::Parameters joint;
  joint.mean = numbers.mean;
  joint.mean_low = numbers.mean_low;
  joint.factor.assign(2, numbers.sd.topRows(1));
  const auto pooled = [&](const ModelPlan& plan, const AnyParameters& merged,
                          const AnyOptions& options) {
    ModelStatistics own = collect(plan, frame_of(x), {1, 1, 1});
    own.banks[0] = plan.banks[0]->with_cases(own.banks[0], {own.banks[0], merged}, options, {2.5});
    own.classes.weight = {3, 1};
    return estimate(plan, own, {options});
  };
  const Model one = pooled(single, numbers, gaussian_options(1));
  const auto& p = parameters<Gaussian>(one);
  check((p.mean(0, 0) - 1e9) + p.mean_low(0, 0), 1.5);
  check(p.sd(0, 0) * p.sd(0, 0), 19 / 6.0);
  check((p.mean(1, 0) - 1e9) + p.mean_low(1, 0), 0.5);
  check(p.sd(1, 0) * p.sd(1, 0), 2);
  const Model two = pooled(block, joint, MultivariateGaussian::Options{});
  const auto& q = parameters<MultivariateGaussian>(two);
  check((q.mean(0, 0) - 1e9) + q.mean_low(0, 0), 1.5);
  check(std::pow(q.factor[0](0, 0), 2), 19 / 6.0);
  check(std::pow(q.factor[1](0, 0), 2), 2);
}

TEST_CASE("a block of p numbers has no prior of p - 1 cases or fewer") {
  CHECK(NormalMarginal(1, 1, 2).of_scatter(5, 0, 0.1) == kNegativeInfinity);
  CHECK(std::isfinite(NormalMarginal(1.001, 1.001, 2).of_scatter(5, 0, 0.1)));
}

TEST_CASE("what is kept for a weight does not stand in for another one") {
  NormalMarginal one(3, 3, 1);
  for (int round = 0; round < 2; ++round) {
    for (double weight = 0.5; weight < 4000; weight *= 1.001) {
      CHECK(one.of_mean(weight) == NormalMarginal(3, 3, 1).of_mean(weight));
      CHECK(one.of_scatter(weight, 0, 0) == NormalMarginal(3, 3, 1).of_scatter(weight, 0, 0));
    }
  }
}

TEST_CASE("nothing was seen: every number of cases is as good") {
  const Matrix none = Matrix::Zero(1, 2);
  CHECK(TableMarginal({1, 2}).of(none, 0, 0) == 0);
  CHECK(log_rate_marginal(0, 0, 3, 2) == 0);
  CHECK(most_probable_cases([](double) { return 0.0; }) == kInfinity);
}

TEST_CASE("the cases with the greatest likelihood") {
  for (double best : {0.05, 0.9, 3.0, 77.0, 12345.0, 1e6}) {
    const auto near = [&](double m) { return -std::pow(std::log(m / best), 2); };
    CHECK(most_probable_cases(near) == doctest::Approx(best).epsilon(1e-4));
  }
  CHECK(most_probable_cases([](double m) { return -1 / m; }) == kInfinity);
}

TEST_CASE("a least value, of smooth functions and of one with a corner") {
  const auto is_at = [](double found, double x, double tolerance) {
    CHECK(std::abs(found - x) <= 3 * tolerance);
  };
  int calls = 0;
  const auto wave = [&](double x) {
    ++calls;
    return -std::cos(x - 0.3);
  };
  is_at(find_minimum(wave, -2.0, 0.0, 2.0, 1e-6), 0.3, 1e-6);
  CHECK(calls < 12);
  is_at(find_minimum([](double x) { return std::abs(x - 1); }, 0.0, 0.4, 3.0, 1e-7), 1, 1e-7);
  is_at(find_minimum([](double x) { return x; }, 0.0, 0.5, 3.0, 1e-4), 0, 1e-4);
}

TEST_SUITE_END();

}  // namespace test_pooling
