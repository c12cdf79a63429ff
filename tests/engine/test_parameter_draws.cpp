#include "helpers.hpp"

#include <engine/core/random_laws.hpp>
#include <engine/evaluation/data_value.hpp>
#include <engine/evaluation/stability.hpp>
#include <engine/likelihood/posterior/draws.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_parameter_draws {

TEST_SUITE_BEGIN("parameter draws");

TEST_CASE("gamma numbers have their mean and variance, also for small shapes") {
  for (double shape : {0.05, 0.7, 1.0, 6.0, 1e4}) {
    RandomLaws random(1, 2);
    const int draws = 40000;
    double sum = 0, square = 0;
    for (int i = 0; i < draws; ++i) {
      const double x = std::exp(random.log_gamma(shape));
      sum += x;
      square += x * x;
    }
    const double mean = sum / draws, variance = square / draws - mean * mean;
    CHECK(std::abs(mean - shape) < 5 * std::sqrt(shape / draws));
    CHECK(variance == doctest::Approx(shape).epsilon(0.1));
  }
  RandomLaws random(1, 2);
  CHECK(random.log_gamma(0) == kNegativeInfinity);
}

TEST_CASE("the rise of log gamma is exact for large numbers") {
  CHECK(log_gamma_rise(3, 2) == doctest::Approx(std::log(12.0)).epsilon(1e-14));
  CHECK(log_gamma_rise(1e9, 1) == doctest::Approx(std::log(1e9)).epsilon(1e-15));
  CHECK(log_gamma_rise(0.25, 0.5) ==
        doctest::Approx(std::lgamma(0.75) - std::lgamma(0.25)).epsilon(1e-13));
  // Cauchy and normal distributions
  CHECK(log_student_peak(1, 1) == doctest::Approx(-std::log(std::acos(-1.0))).epsilon(1e-14));
  CHECK(log_student_peak(1e12, 3) == doctest::Approx(-3 * kHalfLogTwoPi).epsilon(1e-10));
}

TEST_CASE("covariances are inverse Wishart, and stay triangles") {
  Matrix factor(3, 3);
  factor << 2, 0.5, -1, 0, 1, 0.3, 0, 0, 0.5;
  const double freedom = 9;
  const Matrix scatter = freedom * factor.transpose() * factor;
  RandomLaws random(4, 1);
  Matrix mean = Matrix::Zero(3, 3), precision = Matrix::Zero(3, 3);
  const int draws = 40000;
  for (int i = 0; i < draws; ++i) {
    const Matrix u = draw_factor(factor, freedom, random);
    REQUIRE(u.isUpperTriangular(0));
    const Matrix covariance = u.transpose() * u;
    mean += covariance / draws;
    precision += covariance.inverse() / draws;
  }
  const Matrix expected = scatter / (freedom - 3 - 1);
  const Matrix inverse = freedom * scatter.inverse();
  CHECK((mean - expected).norm() < 0.03 * expected.norm());
  CHECK((precision - inverse).norm() < 0.03 * inverse.norm());
}

TEST_CASE("a draw of a distribution sums to 1, has its mean, and keeps zeros") {
  RandomLaws random(2, 3);
  Vector mean(3, 0.0);
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    // The last number stands for four cells.
    Vector logs{std::log(0.5), kNegativeInfinity, std::log(0.125)};
    draw_distribution(logs, {1, 1, 4}, 6, random);
    CHECK(std::exp(logs[0]) + 4 * std::exp(logs[2]) == doctest::Approx(1));
    CHECK(logs[1] == kNegativeInfinity);
    for (int l = 0; l < 3; ++l) mean[l] += std::exp(logs[l]) / draws;
  }
  CHECK(mean[0] == doctest::Approx(0.5).epsilon(0.02));
  CHECK(mean[2] == doctest::Approx(0.125).epsilon(0.02));
}

TEST_CASE("an infinite weight is that of a known distribution") {
  RandomLaws random(1, 2);
  CHECK(random.log_gamma(kInfinity) == kInfinity);
  const Vector known{std::log(.25), std::log(.75)};
  Vector logs = known;
  draw_distribution(logs, {1, 1}, kInfinity, random);
  CHECK(logs == known);
}

namespace {

// Two classes, one Gaussian feature and one rate.
struct Small {
  ModelPlan plan;
  ModelStatistics statistics;
  std::vector<AnyOptions> options;
  Diagnostics problems;

  Small() {
    plan.groups = 2;
    plan.banks = {Gaussian::Plan{{0}}, Poisson::Plan{{1}}};
    statistics = ModelStatistics(plan);
    statistics.classes.weight = statistics.classes.rows = {8, 12};
    auto& moments = statistics.banks[0].as<Gaussian::Statistics>().moments;
    moments.weight << 8, 12;
    moments.mean << 1, 2;
    moments.scatter << 7, 22;
    auto& counts = statistics.banks[1].as<Poisson::Statistics>();
    counts.weight << 8, 12;
    counts.sum << 16, 60;
    options = {Gaussian::Options{{1}, {0}, {0}, {0}, {0}}, Poisson::Options{{1}, {0.5}}};
  }
  ParameterPosterior posterior() {
    return parameter_posterior(plan, statistics, options, {0.4, 0.6}, true, problems);
  }
};

}  // namespace

TEST_CASE("the predictive density is the mean density over draws") {
  Small model;
  ParameterPosterior posterior = model.posterior();
  REQUIRE_FALSE(model.problems.stops());
  Vector x{0.5, 4}, n{1, 7};
  Frame frame;
  frame.rows = 2;
  frame.columns.resize(2);
  frame.columns[0].real = x.data();
  frame.columns[1].real = n.data();
  const auto density = [&](const std::vector<AnyParameters>& banks,
                           const std::vector<Hyperparameters>& hyperparameters) {
    const Scorer scorer(model.plan, banks, {0.4, 0.6}, 2, {}, hyperparameters);
    Matrix result(2, 2);
    Request request;
    request.output = Output::log_likelihood;
    request.numbers = result.data();
    score(scorer, frame, request, Context());
    return Matrix(result.array().exp());
  };
  Matrix mean = Matrix::Zero(2, 2);
  const int draws = 20000;
  for (int d = 0; d < draws; ++d) {
    mean += density(posterior.draw(model.plan, 5, d).banks, {}) / draws;
  }
  const Matrix exact = density(posterior.centre.banks, posterior.hyperparameters);
  for (Index i = 0; i < 4; ++i) {
    CHECK(mean.data()[i] == doctest::Approx(exact.data()[i]).epsilon(0.05));
  }
}

TEST_CASE("a decision that costs nothing more in any draw stays") {
  Small model;
  ParameterPosterior posterior = model.posterior();
  posterior.class_weight = {8, 12};
  Vector x{3, -20}, n{3, kNaN};
  Frame frame;
  frame.rows = 2;
  frame.columns.resize(2);
  frame.columns[0].real = x.data();
  frame.columns[1].real = n.data();
  CaseCost cost;
  cost.fixed.of = Matrix::Ones(2, 2) - Matrix::Identity(2, 2);
  const IntVector decided{2, kMissingInteger};
  const Stability found = decision_stability(model.plan, posterior, {}, frame, cost, decided.data(),
                                             500, 1, 0.9, Context());
  CHECK(found.stays[0] > 0.5);
  CHECK(found.stays[0] + found.runner_up_share[0] == doctest::Approx(1));
  CHECK(found.runner_up[0] == 1);
  CHECK(found.saving[0] > 0);
  CHECK(std::isnan(found.stays[1]));
  CHECK(found.lower(0, 0) < found.upper(0, 0));
  CHECK(found.lower(0, 0) + found.upper(0, 1) == doctest::Approx(1));
}

TEST_CASE("more rows save more, and at most what knowing saves") {
  Small model;
  const ParameterPosterior posterior = model.posterior();
  Cost cost;
  cost.of = Matrix::Ones(2, 2) - Matrix::Identity(2, 2);
  const IntVector sizes{0, 20, 2000};
  const LearningModel learning{model.plan, model.statistics, model.options,     true,
                               {},         {0.4, 0.6},       {posterior.centre}};
  const DataValue value =
      DataValueSimulation(learning, posterior, cost, sizes, kAll, 500, 3).run(100, Context());
  const Eigen::RowVectorXd mean = value.saving.colwise().mean();
  double limit = 0;
  for (double of_draw : value.limit) limit += of_draw / 100;
  CHECK(std::abs(mean[0]) < 1e-12);
  CHECK(mean[1] > 0);
  CHECK(mean[2] > mean[1]);
  CHECK(mean[2] < limit);
  CHECK(mean[2] > 0.7 * limit);
}

TEST_SUITE_END();

}  // namespace test_parameter_draws
