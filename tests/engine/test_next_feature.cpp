#include "helpers.hpp"

#include <engine/search/next_feature.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_next_feature {

namespace {

const double inf = std::numeric_limits<double>::infinity();

Eigen::VectorXd vector_of(const Vector& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Index>(x.size()));
}

Cost two_by_two(double aa, double ab, double ba, double bb) {
  Cost cost{Matrix(2, 2)};
  cost.of << aa, ab, ba, bb;
  return cost;
}

NextFeature search(const View& view, const Cost& cost, const Frame& frame,
                   const IntVector& features, const Matrix& joint, const Context& context = {}) {
  const CaseCost costs{cost, {}};
  return FeatureSearch(view, costs, frame, features, joint).run(context);
}

Matrix one_row(const Vector& p) { return vector_of(p).array().log().matrix().transpose(); }

}  // namespace

TEST_SUITE_BEGIN("next feature");

TEST_CASE("the letters: seeing the pixels is worth .163622023") {
  const ModelPlan plan = gaussian_plan(2, 1);
  Gaussian::Parameters p{Matrix(2, 1), Matrix::Zero(2, 1), Matrix::Constant(2, 1, 4.0)};
  p.mean << 15, 25;
  const std::vector<AnyParameters> banks{p};
  const Vector prior{.75, .25}, x{kNaN, 17};
  const View view = view_of(plan, banks, prior, 1);
  Matrix joint(2, 2);
  joint << one_row(prior), one_row(prior);
  const NextFeature next = search(view, two_by_two(0, 1, 1, 0), frame_of(x), {0}, joint);
  CHECK(next.unknown(0, 0) == 1);
  CHECK(next.unknown(1, 0) == 0);
  CHECK(digits(next.now(0, 0), .25) > 14);
  CHECK(digits(next.value(0, 0), .163622023) > 8);
  CHECK(digits(next.after(0, 0), .086377977) > 8);
  CHECK(std::isnan(next.value(1, 0)));
}

TEST_CASE("a level that decides: enumerated, with a reject action") {
  const ModelPlan plan = categorical_plan(3, {2, 3});
  Matrix probability(3, 5);
  probability << .3, .7, .2, .5, .3,  //
      .6, .4, .1, .1, .8,             //
      .5, .5, 1, 0, 0;
  const std::vector<AnyParameters> banks{Categorical::Parameters{probability.array().log()}};
  const Vector prior{.2, .5, .3};
  const View view = view_of(plan, banks, prior, 2);
  Cost cost{Matrix(4, 3)};
  cost.of << 0, 1, 8, 2, 0, 1, 1, 5, 0, .9, .9, .9;
  const IntVector first{1}, second{kMissingInteger};
  const Frame frame = frame_of({factor(first, 2), factor(second, 3)}, 1);
  const Vector known{.2 * .3, .5 * .6, .3 * .5};
  const NextFeature next = search(view, cost, frame, {0, 1}, one_row(known));
  CHECK(next.unknown(0, 0) == 0);
  const double evidence = .2 * .3 + .5 * .6 + .3 * .5;
  const Eigen::Vector3d now = vector_of(known) / evidence;
  double after = 0;
  for (int level = 0; level < 3; ++level) {
    const Eigen::Vector3d joint = now.array() * probability.col(2 + level).array();
    after += (cost.of * joint).minCoeff();
  }
  CHECK(digits(next.now(0, 1), (cost.of * now).minCoeff()) > 14);
  CHECK(digits(next.after(0, 1), after) > 14);
  CHECK(digits(next.value(0, 1), (cost.of * now).minCoeff() - after) > 13);
}

TEST_CASE("what is saved: exactly nothing, or what is infinite now") {
  const ModelPlan plan = categorical_plan(2, {2});
  Matrix probability(2, 2);
  probability << 1, 0, 0, 1;
  const std::vector<AnyParameters> banks{Categorical::Parameters{probability.array().log()}};
  const Vector prior{.5, .5};
  const View view = view_of(plan, banks, prior, 1);
  const IntVector code{kMissingInteger};
  const Frame frame = frame_of({factor(code, 2)}, 1);
  const auto worth = [&](const Cost& cost) {
    return search(view, cost, frame, {0}, one_row(prior));
  };
  CHECK(worth(two_by_two(1, 1, 2, 3)).value(0, 0) == 0);
  const NextFeature rescued = worth(two_by_two(1, inf, inf, 2));
  CHECK(rescued.now(0, 0) == inf);
  CHECK(rescued.after(0, 0) == 1.5);
  CHECK(rescued.value(0, 0) == inf);
  CHECK(worth(two_by_two(inf, inf, inf, 2)).value(0, 0) == 0);
}

TEST_CASE("each case has its own costs; an unknown one has no answer") {
  const ModelPlan plan = gaussian_plan(2, 1);
  Gaussian::Parameters p{Matrix(2, 1), Matrix::Zero(2, 1), Matrix::Constant(2, 1, 4.0)};
  p.mean << 15, 25;
  const std::vector<AnyParameters> banks{p};
  const Vector prior{.75, .25}, x{kNaN, kNaN, kNaN}, miss{1, 7, kNaN};
  const View view = view_of(plan, banks, prior, 1);
  const CaseCost cost{two_by_two(0, 0, 1, 0), {{0, 1, miss.data()}}};
  const Frame frame = frame_of(x);
  const Matrix joint = one_row(prior).replicate(3, 1);
  const NextFeature next = FeatureSearch(view, cost, frame, {0}, joint).run(threads(2));
  const Vector one{kNaN};
  for (Index i = 0; i < 2; ++i) {
    const NextFeature alone =
        search(view, two_by_two(0, miss[i], 1, 0), frame_of(one), {0}, one_row(prior));
    CHECK(next.now(i, 0) == alone.now(0, 0));
    CHECK(next.value(i, 0) == alone.value(0, 0));
  }
  CHECK(next.unpriced == 1);
  CHECK(std::isnan(next.after(2, 0)));
  // Unless the class is impossible.
  Matrix sure = joint;
  sure(2, 1) = kNegativeInfinity;
  const NextFeature known = FeatureSearch(view, cost, frame, {0}, sure).run(Context());
  CHECK(known.unpriced == 0);
  CHECK(known.now(2, 0) == 0);
  CHECK(known.value(2, 0) == 0);
}

TEST_CASE("quadrature of powers: two equal halves of a normal are the normal") {
  const Vector prior{.6, .4};
  Cost cost = two_by_two(0, 5, 2, 0);
  const auto table = [&](const Marginal& marginal, double power) {
    Matrix found = Matrix::Zero(2, 2);
    PoweredFeature(marginal, prior, power).add_table(vector_of(prior).array().log(), cost, found);
    return found;
  };
  const double half = std::log(.5);
  const Normals halves{{{{half, 0, 1}, {half, 0, 1}}, {{half, 1, 2}, {half, 1, 2}}}};
  for (double power : {.05, .5, 1.0, 3.0}) {
    Marginal whole = Normals{{{{0, 0, 1}}, {{0, 1, 2}}}};
    REQUIRE(to_power(whole, power));
    Matrix expected = Matrix::Zero(2, 2);
    const Vector weight{std::log(.6), std::log(.4)};
    add_probabilities(whole, weight, regions_in(whole, whole, weight, cost), expected);
    CHECK((table(halves, power) - expected).cwiseAbs().maxCoeff() < 1e-8);
  }
}

TEST_CASE("powers of counts are sums over the counts") {
  const Vector prior{.5, .5};
  const Counts counts{{CountLaw(3), CountLaw(6, 2.5)}};
  const Cost cost = two_by_two(0, 1, 1, 0);
  for (double power : {.02, .5, 2.0}) {
    Matrix found = Matrix::Zero(2, 2), expected = found;
    PoweredFeature(counts, prior, power).add_table(vector_of(prior).array().log(), cost, found);
    std::array<double, 2> total{0, 0};
    for (int turn = 0; turn < 2; ++turn) {
      for (int x = 0; x < 20000; ++x) {
        std::array<double, 2> p{};
        for (int k = 0; k < 2; ++k) p[k] = std::exp(power * log_density(counts.classes[k], x));
        if (turn == 0) {
          for (int k = 0; k < 2; ++k) total[k] += p[k];
          continue;
        }
        const int action = p[1] / total[1] > p[0] / total[0];
        for (int k = 0; k < 2; ++k) expected(k, action) += .5 * p[k] / total[k];
      }
    }
    CHECK((found - expected).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("powers of counts that are too many to be points") {
  const Vector prior{.5, .5};
  const Cost cost = two_by_two(0, 1, 1, 0);
  const auto table = [&](const CountLaw& first, const CountLaw& second, double power) {
    Matrix found = Matrix::Zero(2, 2);
    PoweredFeature(Counts{{first, second}}, prior, power)
        .add_table(vector_of(prior).array().log(), cost, found);
    return found;
  };
  // A power of a geometric distribution is geometric.
  for (double mean : {1e5, 1e6, 1e9}) {
    for (double power : {.5, 2.0}) {
      const auto log_ratio = [&](double m) { return -power * std::log1p(1 / m); };
      const double first = log_ratio(mean), second = log_ratio(4 * mean);
      const double cut =
          std::floor(std::log(std::expm1(first) / std::expm1(second)) / (second - first));
      const Matrix found = table({mean, 1}, {4 * mean, 1}, power);
      CHECK(std::abs(found(0, 1) - .5 * std::exp(first * (cut + 1))) < 2e-4);
      CHECK(std::abs(found(1, 0) + .5 * std::expm1(second * (cut + 1))) < 2e-4);
    }
  }
  // A Poisson distribution of a large mean is normal, and so is its power.
  for (double power : {.25, 1.0}) {
    const double wrong = .25 * std::erfc(std::sqrt(power / 2));
    for (const auto& [a, b] : {std::pair(0, 1), {1, 0}}) {
      CHECK(std::abs(table({1e12}, {1e12 + 2e6}, power)(a, b) - wrong) < 3e-4);
    }
  }
}

TEST_CASE("a feature without a bank is an error") {
  CHECK(levels_of(categorical_plan(2, {2, 3}), 1) == 3);
  CHECK_THROWS_AS(levels_of(gaussian_plan(2, 1), 1), InvalidState);
}

TEST_CASE("a case without an answer, and no case") {
  const ModelPlan plan = gaussian_plan(2, 1);
  const std::vector<AnyParameters> banks{
      Gaussian::Parameters{Matrix::Zero(2, 1), Matrix::Zero(2, 1), Matrix::Ones(2, 1)}};
  const Vector prior{.5, .5}, x{kNaN, kNaN}, none;
  const View view = view_of(plan, banks, prior, 1);
  Matrix joint(2, 2);
  joint << kNaN, kNaN, kNegativeInfinity, kNegativeInfinity;
  const Cost cost = two_by_two(0, 1, 1, 0);
  const NextFeature next = search(view, cost, frame_of(x), {0}, joint, threads(2));
  CHECK(next.impossible == 1);
  CHECK(next.unknown.sum() == 2);
  CHECK(std::isnan(next.value(0, 0)));
  CHECK(std::isnan(next.value(1, 0)));
  CHECK(search(view, cost, frame_of(none), {0}, Matrix(0, 2)).now.rows() == 0);
}

TEST_SUITE_END();

}  // namespace test_next_feature
