#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_points {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Points points(const std::vector<ValueAndWeight>& of) { return points_of(of); }

// Weighted points of a heavy tail, in order.
Points heavy(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<ValueAndWeight> values;
  for (int i = 0; i < count; ++i) {
    values.emplace_back(random.normal() / random.normal(), 1 + random.below(3));
  }
  std::sort(values.begin(), values.end());
  return points_of(values);
}

double mean(const Points& p) { return p.col(0).dot(p.col(1)) / p.col(1).sum(); }

ModelPlan exact_plan(int groups) { return {groups, {Empirical::Plan{{0}}}}; }

}  // namespace

TEST_SUITE_BEGIN("points");

TEST_CASE("equal values are one point, in order") {
  const Points a = points({{1, 1}, {1, 2}, {3, .5}}), b = points({{0, 1}, {3, 1}, {4, 2}});
  Matrix expected(4, 2);
  expected << 0, 1, 1, 3, 3, 1.5, 4, 2;
  CHECK(unite_points(a, b) == expected);
  CHECK(unite_points(b, a) == expected);
  CHECK(unite_points(a, Points(0, 2)) == a);
  CHECK(points({}).rows() == 0);
}

TEST_CASE("shares of exact values; -0 is 0; what no class has is impossible") {
  const Vector x{0.0, -0.0, .3, 5, 5, kNaN, 7};
  const IntVector group{1, 1, 1, 2, 2, 2, kMissingInteger};
  const Model model = fit(exact_plan(2), frame_of(x), group, {Empirical::Options{}});
  CHECK(model.problems.empty());
  const Vector at{-0.0, .3, std::nextafter(.3, 1), 5, kInfinity, kNaN, 7};
  const Frame frame = frame_of(at);
  ScoreReport report;
  const Matrix p = score_numbers(model, frame, Output::prob, nullptr, 1, &report);
  for (int r : {0, 1}) CHECK(p(r, 0) == 1);
  CHECK(p(3, 1) == 1);
  for (int r : {2, 4, 6}) CHECK(std::isnan(p(r, 0)));
  CHECK(p(5, 0) == .5);
  CHECK(report.impossible == 2);
  CHECK(report.infinite == 1);
  const Matrix score = score_numbers(model, frame, Output::log_likelihood);
  CHECK(digits(score(0, 0), std::log(2 / 3.0)) >= 15);
  CHECK(score(3, 1) == 0);
  CHECK(digits(model.estimate.log_likelihood,
               6 * std::log(.5) + 2 * std::log(2 / 3.0) + std::log(1 / 3.0)) >= 14);
  CHECK(std::isnan(model.estimate.parameter_count));
}

TEST_CASE("exact values: parts, weights, empty classes and problems") {
  const Vector x{3, 1, 3, 2, 1, 3}, w{1, 2, 3, 1, 0, 4};
  const IntVector group{1, 1, 1, 2, 2, 2};
  const ModelPlan plan = exact_plan(3);
  const auto all = collect(plan, frame_of(x), group, w);
  const auto& s = statistics<Empirical>(all);
  CHECK(s.points[0] == points({{1, 2}, {3, 4}}));
  CHECK(s.points[1] == points({{2, 1}, {3, 4}}));
  CHECK(s.points[2].rows() == 0);
  CHECK(s.of_groups(plan.banks[0].as<Empirical::Plan>(), 1, 2).points[0] == s.points[1]);
  Mapping mapping;
  mapping.groups = 4;
  mapping.group = {3, 1, 0};
  mapping.feature = {2};
  CHECK(s.realign(Empirical::Plan{{0}}, Empirical::Plan{{2}}, mapping).points[3] == s.points[0]);
  const Model model = estimate(plan, all, {Empirical::Options{}});
  CHECK(model.problems.empty());
  CHECK(parameters<Empirical>(model).sound(0));
  CHECK_FALSE(parameters<Empirical>(model).sound(2));
  const Vector bad{1, kInfinity, 2, kNaN, kNaN, kNaN};
  Diagnostics problems;
  const auto some = collect(plan, frame_of(bad), group, problems);
  CHECK(found(problems, Problem::infinite, kAll, 0, 1));
  CHECK(found(estimate(plan, some, {Empirical::Options{}}).problems, Problem::empty, 1, 0));
  const auto heavy = collect(plan, frame_of(x), group, {1e308, 1e308, 1, 1, 1, 1});
  CHECK(found(estimate(plan, heavy, {Empirical::Options{}}).problems, Problem::overflow, 0, 0));
}

TEST_CASE("draws of exact values are in proportion") {
  const std::vector<AnyParameters> banks{Empirical::Parameters{
      {with_log_shares(points({{-1, 1}, {2, 3}})), with_log_shares(points({{9, 1}}))}}};
  const ModelPlan plan = exact_plan(2);
  const Drawer drawer(plan, banks);
  REQUIRE(drawer.uniforms() == 1);
  DrawnRows rows(drawer.levels(), 1);
  for (const auto& [u, expected] : std::vector<ValueAndWeight>{{.2, -1}, {.3, 2}, {1 - 1e-16, 2}}) {
    drawer.draw(0, &u, 0, rows);
    CHECK(rows.number(0, 0) == expected);
    drawer.draw(1, &u, 0, rows);
    CHECK(rows.number(0, 0) == 9);
  }
}

TEST_CASE("linear binning shares a point between its nodes") {
  CHECK(bin_points(points({{1.25, 4}}), 1) == points({{1, 3}, {2, 1}}));
  CHECK(bin_points(points({{-1.25, 4}}), 1) == points({{-2, 1}, {-1, 3}}));
  CHECK(bin_points(points({{-.5, 2}, {0, 1}, {.5, 2}, {3, 1}}), 1) ==
        points({{-1, 1}, {0, 3}, {1, 1}, {3, 1}}));
  CHECK(bin_points(Points(0, 2), 1).rows() == 0);
  // Below 0 by less than rounding shows; beyond 2^53 steps; at the ends of the doubles.
  CHECK(bin_points(points({{-1e-300, 1}, {1, 1}}), 1) == points({{0, 1}, {1, 1}}));
  CHECK(bin_points(points({{1e30, 1}}), .25) == points({{1e30, 1}}));
  CHECK(bin_points(points({{-1.7e308, 1}, {1.7e308, 1}}), 0x1p1000).allFinite());
  const Points p = heavy(5000, 3);
  for (double step : {0x1p-20, .125, 8.0, 0x1p20}) {
    const Points binned = bin_points(p, step);
    CHECK(digits(binned.col(1).sum(), p.col(1).sum()) >= 13);
    CHECK(std::abs(mean(binned) - mean(p)) < 1e-12 * p.col(0).cwiseAbs().maxCoeff());
    check_weighted_points({binned}, 1);
  }
}

TEST_CASE("binning twice is binning once") {
  const Points p = heavy(4000, 5);
  const Points once = bin_points(p, 2), twice = bin_points(bin_points(bin_points(p, .5), 1), 2);
  REQUIRE(once.rows() == twice.rows());
  CHECK(once.col(0) == twice.col(0));
  CHECK(largest_difference(once, twice) < 1e-10);
}

TEST_CASE("the smallest step that will do, however the points came") {
  for (double limit : {64.0, 500.0, 3999.0}) {
    Points whole = heavy(4000, 7);
    const Points p = whole;
    const double step = limit_points(whole, 0, limit);
    CHECK(whole.rows() <= limit);
    CHECK(bin_points(p, step / 2).rows() > limit);
    CHECK(step == std::ldexp(1.0, std::ilogb(step)));
    // In two parts, of which the second is small.
    for (Index cut : {Index{2000}, Index{3990}}) {
      Points first = p.topRows(cut), second = p.bottomRows(p.rows() - cut);
      const double wider = std::max(limit_points(first, 0, limit), limit_points(second, 0, limit));
      if (wider > 0) {
        first = bin_points(first, wider);
        second = bin_points(second, wider);
      }
      Points both = unite_points(first, second);
      CHECK(limit_points(both, wider, limit) == step);
      REQUIRE(both.rows() == whole.rows());
      CHECK(both.col(0) == whole.col(0));
      CHECK(largest_difference(both, whole) < 1e-10);
    }
  }
  Points few = heavy(60, 9);
  const Points before = few;
  CHECK(limit_points(few, 0, 64) == 0);
  CHECK(few == before);
  CHECK(limit_points(few, 0, kInfinity) == 0);
}

TEST_CASE("numbers of any size have a grid") {
  std::vector<ValueAndWeight> values;
  for (int i = -1000; i < 1000; ++i) values.emplace_back(std::ldexp(i, 1013), 1);
  Points p = points_of(values);
  limit_points(p, 0, 64);
  CHECK(p.rows() <= 64);
  check_weighted_points({p}, 1);
  values.clear();
  for (int i = 0; i < 200; ++i) values.emplace_back(std::ldexp(1.0, 10 * i - 1070), 1);
  p = points_of(values);
  limit_points(p, 0, 64);
  CHECK(p.rows() <= 64);
  check_weighted_points({p}, 1);
}

TEST_CASE("points that contradict themselves are refused") {
  const auto refuse = [](const Points& p) {
    CHECK_THROWS_AS(check_weighted_points({p}, 1), InvalidState);
  };
  Matrix p(2, 2);
  p << 1, 1, 1, 1;
  refuse(p);
  p << 1, 1, 2, -1;
  refuse(p);
  p << 1, 1, kInfinity, 1;
  refuse(p);
  refuse(Matrix(1, 3));
  CHECK_THROWS_AS(check_points({}, 1), InvalidState);
  p << 1, 50, 2, -1;
  CHECK_THROWS_AS(check_shared_points({p}, 1), InvalidState);
  p << 1, kNaN, 2, kNegativeInfinity;
  check_shared_points({p}, 1);
  CHECK_THROWS_AS((Empirical::Plan{{0, 1}}.check()), InvalidState);
}

TEST_SUITE_END();

}  // namespace test_points
