#include "helpers.hpp"

#include <engine/evaluation/prior_check.hpp>
#include <engine/evaluation/prior_cost.hpp>
#include <engine/evaluation/prior_interval.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_prior {

namespace {

// Relative likelihoods of rows, with their weights.
struct Rows {
  int classes;
  Vector likelihood, evidence;

  Index count() const { return static_cast<Index>(evidence.size()); }
  PriorPiece piece() const {
    return {count(), likelihood.data(), evidence.data(), evidence.data()};
  }
};

// Normals with means 0, distance, 2 distance, ..., and equal shares.
Rows normal_rows(Index count, int classes, double distance) {
  Random random(5);
  Rows rows{classes, Vector(count * classes), Vector(count, 1.0)};
  for (Index i = 0; i < count; ++i) {
    const double x = random.normal() + distance * std::floor(random.uniform() * classes);
    double most = 0;
    for (int k = 0; k < classes; ++k) {
      const double z = x - distance * k;
      rows.likelihood[k * count + i] = std::exp(-z * z / 2);
      most = std::max(most, rows.likelihood[k * count + i]);
    }
    for (int k = 0; k < classes; ++k) rows.likelihood[k * count + i] /= most;
  }
  return rows;
}

// A feature that is 1 with probability 0.8 and 0.3 under the two classes.
Rows binary_rows(double zeros, double ones) {
  return {2, {0.2 / 0.7, 1, 1, 0.3 / 0.8}, {zeros, ones}};
}

Eigen::VectorXd even(int classes) { return Eigen::VectorXd::Constant(classes, 1.0 / classes); }

PriorFit fitted(const Rows& rows, const Context& context) {
  return PriorSolver(PriorEvidence({rows.piece()}, rows.classes, context))
      .solve(even(rows.classes));
}

}  // namespace

TEST_SUITE_BEGIN("prior");

TEST_CASE("gradient and information are those of the log likelihood") {
  const Context context;
  Rows rows = normal_rows(700, 3, 0.8);
  for (Index i = 0; i < 700; i += 3) rows.evidence[static_cast<std::size_t>(i)] = 0.1 * (i % 7);
  const PriorEvidence evidence({rows.piece()}, 3, context);
  Eigen::VectorXd at(3);
  at << 0.2, 0.3, 0.5;
  const LogLikelihood here = evidence.at(at);
  double value = 0;
  for (Index i = 0; i < 700; ++i) {
    double mixture = 0;
    for (int k = 0; k < 3; ++k) mixture += at[k] * rows.likelihood[k * 700 + i];
    value += rows.evidence[static_cast<std::size_t>(i)] * std::log(mixture);
  }
  CHECK(here.value == doctest::Approx(value).epsilon(1e-13));
  for (int i = 0; i < 3; ++i) {
    Eigen::VectorXd above = at, below = at;
    above[i] += 1e-5;
    below[i] -= 1e-5;
    const LogLikelihood up = evidence.at(above), down = evidence.at(below);
    CHECK(here.gradient[i] == doctest::Approx((up.value - down.value) / 2e-5).epsilon(1e-7));
    for (int j = 0; j < 3; ++j) {
      const double slope = (down.gradient[j] - up.gradient[j]) / 2e-5;
      CHECK(here.information(i, j) == doctest::Approx(slope).epsilon(1e-6));
    }
  }
}

TEST_CASE("the gradient alone is that with the information") {
  const Context context;
  const Rows rows = normal_rows(700, 3, 0.8);
  const PriorEvidence evidence({rows.piece()}, 3, context);
  const LogLikelihood all = evidence.at(even(3)), slope = evidence.at(even(3), false);
  CHECK(slope.value == all.value);
  CHECK(slope.information.size() == 0);
  CHECK((slope.gradient - all.gradient).norm() < 1e-12 * all.gradient.norm());
}

TEST_CASE("with many classes, where steps share a curvature, intervals have their deviance") {
  const Context context;
  const Rows rows = normal_rows(2000, 12, 1.5);
  const PriorEvidence evidence({rows.piece()}, 12, context);
  const PriorFit fit = PriorSolver(evidence).solve(even(12));
  const Vector most(static_cast<std::size_t>(evidence.classes()), 3.84);
  const PriorInterval interval(evidence, fit, most);
  for (int k : {0, 5, 11}) {
    for (double end : {interval.lower(k), interval.upper(k)}) {
      if (end == 0) continue;
      // The maximum over the other classes, by EM.
      Eigen::VectorXd prior = even(12);
      for (int i = 0; i < 3000; ++i) {
        prior = prior.cwiseProduct(evidence.at(prior, false).gradient);
        prior[k] = 0;
        prior *= (1 - end) / prior.sum();
        prior[k] = end;
      }
      const double deviance = 2 * (fit.at.value - evidence.at(prior, false).value);
      CHECK(deviance == doctest::Approx(3.84).epsilon(1e-3));
    }
  }
}

TEST_CASE("a factorised curvature serves other open classes and sums") {
  Random random(4);
  Matrix root(6, 6);
  for (int i = 0; i < 36; ++i) root.data()[i] = random.normal();
  Curvature shared(root * root.transpose());
  for (const IntVector& open : {IntVector{0, 1, 2, 3, 4, 5}, IntVector{1, 2, 4}, IntVector{0, 5}}) {
    for (double total : {0.0, -1.0}) {
      Eigen::VectorXd right(static_cast<Index>(open.size()));
      for (Index i = 0; i < right.size(); ++i) right[i] = random.normal();
      const Eigen::VectorXd x = shared.solve(open, right, total);
      CHECK(x.sum() == doctest::Approx(total).epsilon(1e-9));
      Eigen::VectorXd left = -right;
      for (Index i = 0; i < x.size(); ++i) {
        for (Index j = 0; j < x.size(); ++j)
          left[i] += shared.information()(open[i], open[j]) * x[j];
      }
      CHECK((left.array() - left[0]).abs().maxCoeff() < 1e-8);
    }
  }
}

TEST_CASE("small likelihoods do not underflow in a product") {
  const Context context;
  const Rows rows{2, {1e-290, 1e-280, 1e-99, 1e-60, 1, 1, 1, 1}, {1, 1, 1, 1}};
  Eigen::VectorXd at(2);
  at << 1, 0;
  const double value = PriorEvidence({rows.piece()}, 2, context).at(at).value;
  CHECK(value == doctest::Approx(-729 * std::log(10)).epsilon(1e-14));
}

TEST_CASE("a binary feature has a closed form, and its interval the deviance asked for") {
  const Context context;
  const Rows rows = binary_rows(45, 55);
  const PriorEvidence evidence({rows.piece()}, 2, context);
  const PriorFit fit = PriorSolver(evidence).solve(even(2));
  CHECK(fit.prior[0] == doctest::Approx(0.5).epsilon(1e-9));
  CHECK(fit.gap <= 1e-7);
  const Vector most(static_cast<std::size_t>(evidence.classes()), 3.84);
  const PriorInterval interval(evidence, fit, most);
  const auto value = [](double share) { return 55 * std::log(share) + 45 * std::log(1 - share); };
  for (double end : {interval.lower(0), interval.upper(0)}) {
    CHECK(2 * (value(0.55) - value(0.3 + 0.5 * end)) == doctest::Approx(3.84).epsilon(1e-5));
  }
  CHECK(interval.lower(1) == doctest::Approx(1 - interval.upper(0)).epsilon(1e-6));
}

TEST_CASE("beyond the likelihoods of both classes the estimate is at the end") {
  const Context context;
  const Rows rows = binary_rows(90, 10);
  const PriorEvidence evidence({rows.piece()}, 2, context);
  const PriorFit fit = PriorSolver(evidence).solve(even(2));
  CHECK(fit.prior[0] == 0);
  CHECK(fit.prior[1] == 1);
  const Vector most(static_cast<std::size_t>(evidence.classes()), 3.84);
  const PriorInterval interval(evidence, fit, most);
  CHECK(interval.lower(0) == 0);
  CHECK(interval.upper(1) == 1);
  CHECK(interval.upper(0) == doctest::Approx(1 - interval.lower(1)).epsilon(1e-6));
  CHECK(interval.upper(0) < 0.05);
}

TEST_CASE("the gap bounds the distance from the maximum, and threads change nothing") {
  const Context context;
  for (double distance : {0.2, 1.0, 5.0}) {
    const Rows rows = normal_rows(40000, 4, distance);
    const PriorEvidence evidence({rows.piece()}, 4, context);
    const PriorFit fit = fitted(rows, context);
    CHECK(fit.gap < 5e-8);
    CHECK(fit.iterations < 20);
    CHECK(fit.prior.sum() == doctest::Approx(1).epsilon(1e-12));
    Eigen::VectorXd em = even(4);
    for (int i = 0; i < 300; ++i) {
      em = em.cwiseProduct(evidence.at(em).gradient);
      em /= em.sum();
    }
    CHECK(evidence.at(em).value <= fit.at.value + 1e-6);
    CHECK(fitted(rows, threads(2)).prior == fit.prior);
  }
}

TEST_CASE("classes with equal likelihoods share their probability") {
  const Context context;
  Rows rows = normal_rows(500, 2, 2);
  rows.likelihood.insert(rows.likelihood.end(), rows.likelihood.begin(),
                         rows.likelihood.begin() + 500);
  rows.classes = 3;
  const PriorEvidence evidence({rows.piece()}, 3, context);
  const PriorFit fit = PriorSolver(evidence).solve(even(3));
  CHECK(fit.gap < 1e-7);
  const Vector most(static_cast<std::size_t>(evidence.classes()), 3.84);
  const PriorInterval interval(evidence, fit, most);
  CHECK(interval.lower(0) == 0);
  CHECK(interval.upper(0) > fit.prior[0] + fit.prior[2]);
}

TEST_CASE("rows that only one class allows keep it from 0") {
  const Context context;
  const Rows rows{3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {2, 3, 5}};
  const PriorEvidence evidence({rows.piece()}, 3, context);
  const PriorFit fit = PriorSolver(evidence).solve(even(3));
  const Vector most(static_cast<std::size_t>(evidence.classes()), 3.84);
  const PriorInterval interval(evidence, fit, most);
  const auto deviance = [](double p, double hits) {
    const double share = hits / 10;
    return 2 * (hits * std::log(share / p) + (10 - hits) * std::log((1 - share) / (1 - p)));
  };
  for (int k = 0; k < 3; ++k) {
    const double hits = rows.evidence[static_cast<std::size_t>(k)];
    CHECK(fit.prior[k] == doctest::Approx(hits / 10).epsilon(1e-9));
    CHECK(deviance(interval.lower(k), hits) == doctest::Approx(3.84).epsilon(1e-4));
    CHECK(deviance(interval.upper(k), hits) == doctest::Approx(3.84).epsilon(1e-4));
  }
}

TEST_CASE("a step on the simplex satisfies the conditions of the maximum") {
  Random random(2);
  for (int run = 0; run < 200; ++run) {
    LogLikelihood at(5);
    Matrix root(5, 5);
    for (int i = 0; i < 25; ++i) root.data()[i] = random.normal();
    at.information = root * root.transpose();
    Eigen::VectorXd from(5);
    for (int i = 0; i < 5; ++i) {
      at.gradient[i] = 3 * random.normal();
      from[i] = i == run % 5 ? 0 : random.uniform();
    }
    from /= from.sum();
    const int held = run % 2 ? -1 : (run + 1) % 5;
    Curvature curvature(at.information);
    const Eigen::VectorXd step = QuadraticStep(from, at.gradient, curvature, {5, 0, held}, [] {})
                                     .find(),
                          to = from + step;
    CHECK(std::abs(step.sum()) < 1e-12);
    CHECK(to.minCoeff() >= 0);
    if (held >= 0) CHECK(step[held] == 0);
    const Eigen::VectorXd slope = at.gradient - at.information * step;
    double level = kNegativeInfinity;
    for (int k = 0; k < 5; ++k) {
      if (k != held && to[k] > 0) level = std::max(level, slope[k]);
    }
    for (int k = 0; k < 5; ++k) {
      if (k == held) continue;
      CHECK(slope[k] <= level + 1e-8);
      if (to[k] > 0) CHECK(slope[k] == doctest::Approx(level).epsilon(1e-6));
    }
  }
}

TEST_CASE("costs of keeping a prior are those of both decisions under the new one") {
  const Context context;
  const Rows rows = binary_rows(2, 1);
  CaseCost cost;
  cost.fixed.of = Matrix(2, 2);
  cost.fixed.of << 0, 1, 1, 0;
  const PriorCosts found = prior_costs(rows.piece(), {0.9, 0.1}, {0.2, 0.8}, cost, context);
  // The old prior decides for the first class twice, the new one for the second class twice.
  const double zero = 0.2 * 0.2 / (0.2 * 0.2 + 0.8 * 0.7),
               one = 0.2 * 0.8 / (0.2 * 0.8 + 0.8 * 0.3);
  CHECK(found.weight == 3);
  CHECK(found.fresh == doctest::Approx(2 * zero + one));
  CHECK(found.kept == doctest::Approx(2 * (1 - zero) + (1 - one)));
}

TEST_SUITE_END();

}  // namespace test_prior
