#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_plane {

namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

PlaneTerm normal(double x, double y, double xx, double xy, double yy, double weight = 1) {
  Matrix2d covariance;
  covariance << xx, xy, xy, yy;
  return {std::log(weight), Vector2d(x, y), Matrix2d(covariance.llt().matrixU())};
}

Plane swapped(Plane plane) {
  for (auto& terms : plane.classes) {
    for (PlaneTerm& term : terms) {
      const Matrix2d covariance =
          (term.factor.transpose() * term.factor).colwise().reverse().rowwise().reverse();
      term = {term.log_weight, term.mean.reverse(), Matrix2d(covariance.llt().matrixU())};
    }
  }
  return plane;
}

Cost zero_one(int classes, double reject = -1) {
  Cost cost{Matrix::Ones(classes + (reject >= 0), classes)};
  for (int k = 0; k < classes; ++k) cost.of(k, k) = 0;
  if (reject >= 0) cost.of.row(classes).setConstant(reject);
  return cost;
}

Vector logs(Vector p) {
  for (double& value : p) value = std::log(value);
  return p;
}

PlaneRisk risk_of(const Plane& world, const Plane& rule, const Vector& prior, const Cost& cost,
                  double tolerance = 1e-8, const Vector& rule_prior = {}) {
  PlaneRule decides(rule, logs(rule_prior.empty() ? prior : rule_prior), cost);
  return plane_risk(world, logs(prior), decides, tolerance, 1000000, [] {});
}

// The lecture's bivariate example, the second mean at (.5, y).
Plane lecture_full(double y) {
  return {{{normal(0, 0, 2, 2.2, 2.5)}, {normal(.5, y, 2.5, -2.2, 2)}}};
}
Plane lecture_naive(double y) { return {{{normal(0, 0, 2, 0, 2.5)}, {normal(.5, y, 2.5, 0, 2)}}}; }

void check_lecture(const Plane& world, const Plane& rule, double a, double b, double error) {
  for (double tolerance : {1e-8, 1e-11}) {
    const PlaneRisk risk = risk_of(world, rule, {.5, .5}, zero_one(2), tolerance);
    // The printed numbers end after ten digits.
    const double most = risk.error + 5e-11;
    CHECK(risk.error <= tolerance);
    CHECK(risk.evaluations < 2000);
    CHECK(std::abs(risk.table(0, 0) - a / 2) < most);
    CHECK(std::abs(risk.table(1, 0) - b / 2) < most);
    CHECK(std::abs(risk.table(0, 1) + risk.table(1, 0) - error) < most + 1e-9);
  }
}

double density(const PlaneTerm& term, const Vector2d& z) {
  const Matrix2d covariance = term.factor.transpose() * term.factor;
  const Vector2d d = z - term.mean;
  return std::exp(term.log_weight - 0.5 * d.dot(covariance.inverse() * d)) /
         (6.283185307179586 * std::sqrt(covariance.determinant()));
}

Vector densities(const Plane& plane, const Vector& prior, const Vector2d& z) {
  Vector result(prior.size());
  for (std::size_t k = 0; k < prior.size(); ++k) {
    for (const PlaneTerm& term : plane.classes[k]) result[k] += prior[k] * density(term, z);
  }
  return result;
}

// The definition, on a grid: right to about one part in its size.
Matrix brute_force(const Plane& world, const Plane& rule, const Vector& prior, const Cost& cost,
                   double reach, int size) {
  Matrix table = Matrix::Zero(static_cast<Index>(prior.size()), cost.actions());
  const double step = 2 * reach / size;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      const Vector2d z(-reach + (i + .5) * step, -reach + (j + .5) * step);
      const Vector truth = densities(world, prior, z), believed = densities(rule, prior, z);
      Index action = 0;
      (cost.of * Eigen::Map<const Eigen::VectorXd>(believed.data(), cost.of.cols()))
          .minCoeff(&action);
      for (std::size_t k = 0; k < prior.size(); ++k) {
        table(static_cast<Index>(k), action) += truth[k] * step * step;
      }
    }
  }
  return table;
}

Plane random_plane(Random& random, int classes, int terms) {
  Plane plane;
  for (int k = 0; k < classes; ++k) {
    plane.classes.emplace_back();
    for (int t = 0; t < terms; ++t) {
      const double sd_x = .3 + random.uniform(), sd_y = .3 + random.uniform();
      const double correlation = 1.8 * random.uniform() - .9;
      plane.classes[k].push_back(normal(1.5 * random.normal(), 1.5 * random.normal(), sd_x * sd_x,
                                        correlation * sd_x * sd_y, sd_y * sd_y, 1.0 / terms));
    }
  }
  return plane;
}

void check_against_definition(const Plane& world, const Plane& rule, const Vector& prior,
                              const Cost& cost) {
  const PlaneRisk risk = risk_of(world, rule, prior, cost, 1e-9);
  CHECK(risk.error <= 1e-9);
  for (std::size_t k = 0; k < prior.size(); ++k) {
    CHECK(std::abs(risk.table.row(static_cast<Index>(k)).sum() - prior[k]) < 1e-12);
  }
  CHECK(largest_difference(risk.table, brute_force(world, rule, prior, cost, 8, 300)) < 3e-3);
  const PlaneRisk other = risk_of(swapped(world), swapped(rule), prior, cost, 1e-9);
  CHECK(largest_difference(risk.table, other.table) <= risk.error + other.error);
  CHECK(risk.evaluations + other.evaluations < 5000);
}

}  // namespace

TEST_SUITE_BEGIN("plane");

TEST_CASE("the lecture's bivariate example") {
  check_lecture(lecture_full(.5), lecture_full(.5), .9390162477, .0494646088, .0552241805);
  check_lecture(lecture_full(.5), lecture_naive(.5), .5665511642, .0880148579, .2607318469);
  check_lecture(lecture_naive(.5), lecture_naive(.5), .5937113757, .4062886243, .4062886243);
  check_lecture(lecture_full(6), lecture_full(6), .9906344035, .0026031846, .0059843906);
  check_lecture(lecture_full(6), lecture_naive(6), .9656068942, .0070132500, .0207031779);
  check_lecture(lecture_naive(6), lecture_naive(6), .9764649206, .0206640471, .0220995636);
}

TEST_CASE("random models: the definition, and the other axis outside") {
  Random random(81);
  const Vector prior{.5, .2, .3};
  const Cost odd{(Matrix(2, 3) << 0, 3, 1, 2, 0, 4).finished()};
  for (int i = 0; i < 3; ++i) {
    const Plane plane = random_plane(random, 3, 1);
    check_against_definition(plane, plane, prior, zero_one(3));
    check_against_definition(plane, plane, prior, zero_one(3, .15));
    check_against_definition(plane, random_plane(random, 3, 1), prior, odd);
  }
}

TEST_CASE("mixtures") {
  Random random(82);
  const Plane plane = random_plane(random, 2, 3);
  check_against_definition(plane, plane, {.6, .4}, zero_one(2, .2));
}

TEST_CASE("boundaries that stand upright, and islands") {
  // The second feature tells nothing.
  const Plane upright{{{normal(0, 0, 1, 0, 1)}, {normal(2, 0, 1, 0, 1)}, {normal(4, 0, 1, 0, 1)}}};
  const double error = 4.0 / 3 * 0.5 * std::erfc(1 / std::sqrt(2.0));
  for (const Plane& plane : {upright, swapped(upright)}) {
    const PlaneRisk risk = risk_of(plane, plane, {1 / 3.0, 1 / 3.0, 1 / 3.0}, zero_one(3));
    CHECK(std::abs(1 - risk.table.trace() - error) < 1e-12);
    const PlaneRisk reject = risk_of(plane, plane, {1 / 3.0, 1 / 3.0, 1 / 3.0}, zero_one(3, .3));
    CHECK(reject.error <= 1e-8);
    CHECK(reject.evaluations < 3000);
  }
  // A class that is decided for within a small circle.
  const Plane island{{{normal(0, 0, 4, 0, 4)}, {normal(1.234, -.5, 1e-4, 0, 1e-4)}}};
  const PlaneRisk small = risk_of(island, island, {.999, .001}, zero_one(2));
  CHECK(largest_difference(
            small.table,
            risk_of(swapped(island), swapped(island), {.999, .001}, zero_one(2)).table) < 1e-9);
  CHECK(small.table(1, 1) > 0.0009);
}

TEST_CASE("classes without a prior, and nothing to decide") {
  const Plane plane = lecture_full(.5);
  const PlaneRisk one = risk_of(plane, plane, {1, 0}, zero_one(2));
  CHECK(std::abs(one.table(0, 0) - 1) < 1e-14);
  CHECK(one.table.sum() == one.table(0, 0));
  // The rule expects another prior than the world has.
  const PlaneRisk other = risk_of(plane, plane, {.9, .1}, zero_one(2), 1e-8, {.5, .5});
  CHECK(std::abs(other.table(0, 0) - .9 * .9390162477) < 1e-10);
  CHECK(std::abs(other.table(1, 0) - .1 * .0494646088) < 1e-10);
}

TEST_CASE("categorical features around the plane; threads change nothing") {
  Matrix mean(2, 2), table(2, 3);
  mean << 0, 0, .5, .5;
  table << .2, .5, .3, .6, .4, 0;
  const Plane plane = lecture_full(.5);
  MultivariateGaussian::Parameters block{mean, 0 * mean, {}};
  for (const auto& terms : plane.classes) block.factor.push_back(terms[0].factor);
  const ModelPlan plan{2, {Categorical::Plan{{1}, {3}}, MultivariateGaussian::Plan{{0, 2}}}};
  const std::vector<AnyParameters> parameters{Categorical::Parameters{table.array().log()}, block};
  const Vector prior{.7, .3};
  const View view = view_of(plan, parameters, prior, 3);
  const PlaneWorld world{view, {{1}, {3}}, 0, 2, {0, 0}};
  const Cost cost = zero_one(2);
  const auto risk_by = [&](const Context& context) {
    return PlaneMethod(world, view, cost, 1e-10, context).risk(prior, prior);
  };
  const RiskTable risk = risk_by(Context());
  Matrix expected = Matrix::Zero(2, 2);
  for (int level = 0; level < 3; ++level) {
    const Vector weight{.7 * table(0, level), .3 * table(1, level)};
    expected += risk_of(plane, plane, weight, cost, 1e-11).table;
  }
  CHECK(risk.rest <= 1e-10);
  CHECK(risk.accuracy(Cost{3 * cost.of}) == 3 * risk.rest);
  CHECK(largest_difference(risk.table, expected) < 1e-10);
  CHECK(same_bits(risk_by(threads(3)).table, risk.table));
}

TEST_CASE("a plane given other members of the block") {
  Matrix mean(1, 4), u(4, 4);
  mean << 1, -2, 3, .5;
  u << 2, .3, -1, .4, 0, 1.5, .7, -.2, 0, 0, .8, .6, 0, 0, 0, 1.1;
  const ModelPlan plan = block_plan(1, 4);
  const std::vector<AnyParameters> parameters{
      MultivariateGaussian::Parameters{mean, 0 * mean, {u}}};
  const Vector prior{1};
  const View view = view_of(plan, parameters, prior, 4);
  const Vector none{kNaN}, first{1.7}, third{2.2};
  const Frame frame = frame_of({reals(first), reals(none), reals(third), reals(none)}, 1);
  const PlaneTerm found = conditional_plane(view, frame, 0, 3, 1, {0, 0}).classes[0][0];
  // The textbook: m + S21 S11^-1 d, S22 - S21 S11^-1 S12, with 3 and 1 in this order.
  const Matrix s = u.transpose() * u;
  Matrix s11(2, 2), s21(2, 2), s22(2, 2);
  s11 << s(0, 0), s(0, 2), s(2, 0), s(2, 2);
  s21 << s(3, 0), s(3, 2), s(1, 0), s(1, 2);
  s22 << s(3, 3), s(3, 1), s(1, 3), s(1, 1);
  const Vector2d shift = s21 * s11.inverse() * Vector2d(1.7 - 1, 2.2 - 3);
  CHECK((found.mean - Vector2d(.5, -2) - shift).norm() < 1e-13);
  CHECK(largest_difference(found.factor.transpose() * found.factor,
                           s22 - s21 * s11.inverse() * s21.transpose()) < 1e-13);
  // Nothing known: the marginal.
  const Frame empty = frame_of({reals(none), reals(none), reals(none), reals(none)}, 1);
  const PlaneTerm marginal = conditional_plane(view, empty, 0, 3, 1, {0, 0}).classes[0][0];
  CHECK(largest_difference(marginal.factor.transpose() * marginal.factor, s22) < 1e-13);
}

TEST_CASE("a plane of features that stand alone: what is known tells nothing of them") {
  const ModelPlan plan = gaussian_plan(1, 3);
  Matrix mean(1, 3), sd(1, 3);
  mean << 1, -2, 7;
  sd << .5, 2, 3;
  const std::vector<AnyParameters> parameters{Gaussian::Parameters{mean, 0 * mean, sd}};
  const Vector prior{1};
  const View view = view_of(plan, parameters, prior, 3);
  const Vector none{kNaN}, known{4};
  const Frame frame = frame_of({reals(none), reals(known), reals(none)}, 1);
  const PlaneTerm found = conditional_plane(view, frame, 0, 2, 0, {10, 5}).classes[0][0];
  CHECK(found.mean == Vector2d(7 - 10, 1 - 5));
  CHECK(found.factor == Matrix(Vector2d(3, .5).asDiagonal()));
}

TEST_SUITE_END();

}  // namespace test_plane
