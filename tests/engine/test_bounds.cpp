#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_bounds {

namespace {

// The sum of a smooth function that dies out: exact to rounding.
template <class Function>
double integrate_line(const Function& f, double low, double high) {
  const int steps = 20000;
  double sum = 0;
  for (int i = 0; i <= steps; ++i) sum += f(low + (high - low) * i / steps);
  return sum * (high - low) / steps;
}

double density(double x, double mean, double sd) {
  return std::exp(-0.5 * (x - mean) * (x - mean) / (sd * sd) - std::log(sd) - kHalfLogTwoPi);
}

MultivariateGaussian::Parameters block(const Matrix& mean, const std::vector<Matrix>& covariance) {
  MultivariateGaussian::Parameters p{mean, 0 * mean, {}};
  for (const Matrix& s : covariance) p.factor.push_back(s.llt().matrixU());
  return p;
}

}  // namespace

TEST_SUITE_BEGIN("bounds");

TEST_CASE("two normals: the integral at any exponent") {
  const Normals::OfClass first{{0, 1, 0.6}}, second{{0, 2.5, 2}};
  const LogOverlap overlap = log_overlap(first, second);
  for (double s : {0.05, 0.3, 0.5, 0.9}) {
    const auto both = [s](double x) {
      return std::pow(density(x, 1, 0.6), s) * std::pow(density(x, 2.5, 2), 1 - s);
    };
    CHECK(relative_error(std::exp(overlap(s)), integrate_line(both, -60, 60)) < 1e-12);
  }
  CHECK(overlap(0) == 0);
  CHECK(std::abs(overlap(1)) < 1e-15);
}

TEST_CASE("mixtures: the integral, small or not; one term is a normal") {
  const MixturePair one{{{0, 1, .6}}, {{0, 2.5, 2}}};
  const NormalPair normal{1.5 / .6, 2 / .6};
  for (double s : {.05, .3, .5, .9}) CHECK(std::abs(one.log_at(s) - normal.log_at(s)) < 1e-12);
  const MixturePair far{{{0, 0, 1}}, {{0, 1000, 1}}};
  CHECK(relative_error(far.log_at(.5), -125000) < 1e-13);
  const MixturePair two{{{std::log(.7), 3, .9}, {std::log(.3), 5.8, .8}}, {{0, 5.8, .95}}};
  const auto both = [](double x) {
    return std::sqrt((.7 * density(x, 3, .9) + .3 * density(x, 5.8, .8)) * density(x, 5.8, .95));
  };
  CHECK(relative_error(std::exp(two.log_at(.5)), integrate_line(both, -9, 16)) < 1e-12);
  const double mean = .7 * 3 + .3 * 5.8;
  const double variance = .7 * (.81 + 9) + .3 * (.64 + 5.8 * 5.8) - mean * mean;
  const MomentPair moments = compare_moments(moments_of(two.first), moments_of(two.second));
  CHECK(relative_error(moments.distance, (5.8 - mean) / std::sqrt(variance)) < 1e-13);
  CHECK(moments.first == 1);
  CHECK(relative_error(moments.second, .95 * .95 / variance) < 1e-13);
}

TEST_CASE("a block: its coordinates do not matter") {
  Matrix a(2, 2), b(2, 2), mean(2, 2), turn(2, 2);
  a << 2, 2.2, 2.2, 2.5;
  b << 2.5, -2.2, -2.2, 2;
  mean << 0, 0, .5, .5;
  turn << 3, -1, 1e-3, 2;
  const auto bounds_of = [](const MultivariateGaussian::Parameters& p) {
    return bound_risk(compare_classes(block_plan(2, 2), {p}), .5, .5);
  };
  const RiskBounds bounds = bounds_of(block(mean, {a, b}));
  const RiskBounds turned = bounds_of(
      block(mean * turn.transpose(), {turn * a * turn.transpose(), turn * b * turn.transpose()}));
  CHECK(std::abs(bounds.bhattacharyya - .086453731) < 5e-10);
  CHECK(std::abs(bounds.chernoff - .086420882) < 5e-10);
  CHECK(std::abs(bounds.exponent - .513986) < 5e-7);
  CHECK(std::abs(bounds.lower - .007530963) < 5e-10);
  CHECK(digits(turned.chernoff, bounds.chernoff) > 12);
  CHECK(digits(turned.mahalanobis, bounds.mahalanobis) > 12);
}

TEST_CASE("counts of two rates, one of them perhaps 0") {
  const auto overlap = [](double first, double second, double s) {
    return log_overlap(Counts::OfClass{first}, Counts::OfClass{second})(s);
  };
  CHECK(overlap(0, 3, .25) == -.75 * 3);
  CHECK(overlap(3, 0, .25) == -.25 * 3);
  CHECK(digits(overlap(2, 8, .5), std::sqrt(2 * 8.0) - .5 * 2 - .5 * 8) > 14);
  // A rate of 0 has no spread to measure in.
  const MomentPair moments = compare_moments({0, 0}, {4, 2});
  CHECK(moments.distance == 4);
  CHECK(moments.first == 0);
  CHECK(moments.second == 4);
}

TEST_CASE("the least of a convex function, at an end, in the middle") {
  CHECK(std::abs(least_on_unit_interval([](double s) { return (s - .2) * (s - .2); }) - .2) < 1e-7);
  CHECK(least_on_unit_interval([](double s) { return s; }) == 0);
  CHECK(least_on_unit_interval([](double s) { return -s; }) == 1);
  CHECK(least_on_unit_interval([](double) { return -40.0; }) == .5);
  // A value that is smaller only by rounding does not count as smaller.
  const double below = std::nextafter(-4000.0, -5000.0);
  CHECK(least_on_unit_interval([&](double s) { return s == .5 ? -4000.0 : below; }) == .5);
}

TEST_CASE("tables: only what both classes can show") {
  const double none = kNegativeInfinity;
  Overlap overlap{
      {log_overlap({{std::log(.5), std::log(.2)}, {std::log(.5), none}, {none, std::log(.8)}})}};
  CHECK(relative_error(std::exp(overlap.log_at(.5)), std::sqrt(.1)) < 1e-14);
  CHECK(relative_error(std::exp(overlap.log_at(0)), .2) < 1e-14);
  CHECK(std::isnan(overlap.squared_distance(.5)));
  overlap.parts.push_back(log_overlap({{none, 0}, {0, none}}));
  const RiskBounds bounds = bound_risk(overlap, .5, .5);
  CHECK(bounds.chernoff == 0);
  CHECK(bounds.lower == 0);
  // A thousand cells that were never seen, as one.
  const double unseen = std::log(1e-3);
  CHECK(std::abs(log_overlap({{unseen, unseen, std::log(1000.0)}})(.3)) < 1e-13);
}

TEST_SUITE_END();

}  // namespace test_bounds
