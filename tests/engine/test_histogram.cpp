#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_histogram {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ModelPlan bins_plan(int groups, const Vector& edges) {
  return {groups, {Histogram::Plan{{0}, {static_cast<int>(edges.size()) - 1}, edges}}};
}

// Four numbers of each of two classes, in bins of width 1.
struct Example {
  Vector x{.5, 1.5, 1.6, 2.5, 2.5, 2.6, .1, 2.9};
  IntVector group{1, 1, 1, 1, 2, 2, 2, 2};
  ModelPlan plan = bins_plan(2, {0, 1, 2, 3});
  Model fitted(double laplace) const {
    return fit(plan, frame_of(x), group, {Histogram::Options{laplace}});
  }
};

}  // namespace

TEST_SUITE_BEGIN("histogram");

TEST_CASE("bins are closed on the left, the last one on both sides") {
  const Vector edges{0, 1, 2.5, 3};
  const Bins bins{edges.data(), 3};
  CHECK(bins.find(0) == 0);
  CHECK(bins.find(std::nextafter(1, 0)) == 0);
  CHECK(bins.find(1) == 1);
  CHECK(bins.find(2.5) == 2);
  CHECK(bins.find(3) == 2);
  for (double x : {-1.0, std::nextafter(3, 4), kNaN, kInfinity, -kInfinity}) {
    CHECK(bins.find(x) == -1);
  }
  CHECK(Bins{edges.data(), 0}.find(0) == -1);
}

TEST_CASE("shares, smoothed and not; what is outside has no answer") {
  const Example e;
  const Vector at{1.2, 1, 2.1, 0, 3, 3.5, -1, kInfinity, kNaN};
  const Frame frame = frame_of(at);
  for (double laplace : {0.0, 1.0}) {
    ScoreReport report;
    const Matrix p = score_numbers(e.fitted(laplace), frame, Output::prob, nullptr, 1, &report);
    const double second = laplace / (2 + 2 * laplace), third = (1 + laplace) / (4 + 2 * laplace);
    for (int r : {0, 1}) CHECK(p(r, 1) == doctest::Approx(second).epsilon(1e-15));
    for (int r : {2, 4}) CHECK(p(r, 0) == doctest::Approx(third).epsilon(1e-15));
    CHECK(p(3, 0) == .5);
    for (int r : {5, 6, 7}) CHECK(std::isnan(p(r, 0)));
    CHECK(p(8, 0) == .5);
    CHECK(report.impossible == 2);
    CHECK(report.infinite == 1);
  }
  const Model model = e.fitted(0);
  CHECK(model.estimate.parameter_count == 1 + 4);
  CHECK(digits(model.estimate.log_likelihood, 8 * std::log(.5) + 4 * std::log(.25) +
                                                  2 * std::log(.5) + 3 * std::log(.75) +
                                                  std::log(.25) - 2 * std::log(.25)) >= 14);
}

TEST_CASE("a density is the share by the width; shared widths do not matter to the posterior") {
  const Vector x{0, .5, 2, 1, 2, 3};
  const Model model =
      fit(bins_plan(2, {0, 1, 3}), frame_of(x), {1, 1, 1, 2, 2, 2}, {Histogram::Options{}});
  const Vector at{2};
  const Frame frame = frame_of(at);
  const Matrix score = score_numbers(model, frame, Output::log_likelihood);
  CHECK(digits(std::exp(score(0, 0)), 1 / 3.0 / 2) >= 15);
  CHECK(digits(std::exp(score(0, 1)), 1 / 2.0) >= 15);
  CHECK(score_numbers(model, frame, Output::prob)(0, 0) == doctest::Approx(.25).epsilon(1e-15));
}

TEST_CASE("each class may have its own bins") {
  const Histogram::Plan own{{0}, {2, 1}, {0, 1, 2, 1, 4}};
  own.check();
  CHECK(own.by_class());
  CHECK(own.most_bins() == 2);
  CHECK(own.of_group(3).edges[0] == 1);
  const ModelPlan plan{2, {own}};
  const Vector x{.5, 1.5, 1.7, 1, 2, 4};
  const Model model = fit(plan, frame_of(x), {1, 1, 1, 2, 2, 2}, {Histogram::Options{}});
  CHECK(model.problems.empty());
  CHECK(model.estimate.parameter_count == 1 + 1);
  const Vector at{.5, 1.5, 3};
  const Frame frame = frame_of(at);
  const Matrix score = score_numbers(model, frame, Output::log_likelihood);
  CHECK(digits(std::exp(score(1, 0)), 2 / 3.0) >= 15);
  CHECK(digits(std::exp(score(1, 1)), 1 / 3.0) >= 15);
  CHECK(score(0, 1) == kNegativeInfinity);
  CHECK(score(2, 0) == kNegativeInfinity);
  // Two folds of both classes have the classes' bins twice.
  const ModelPlan folds{4, {own}};
  const auto all = collect(folds, frame_of(x), {1, 1, 3, 2, 4, 4});
  CHECK(statistics<Histogram>(all).count(2, 1) == 1);
  CHECK(statistics<Histogram>(all).count(3, 0) == 2);
  Diagnostics problems;
  const Vector out{3, 0, .5};
  collect(plan, frame_of(out), {1, 2, 2}, problems);
  CHECK(found(problems, Problem::outside, 0, 0, 1));
  CHECK(found(problems, Problem::outside, 1, 0, 2));
}

TEST_CASE("missing numbers are left out, infinite ones and empty classes reported") {
  const Vector x{.5, kNaN, kInfinity, kNaN};
  Diagnostics problems;
  const ModelPlan plan = bins_plan(2, {0, 1, 2});
  const auto counted = collect(plan, frame_of(x), {1, 1, 1, 2}, problems);
  CHECK(problems.items().size() == 1);
  CHECK(found(problems, Problem::infinite, kAll, 0, 1));
  CHECK(statistics<Histogram>(counted).count.sum() == 1);
  CHECK(found(estimate(plan, counted, {Histogram::Options{}}).problems, Problem::empty, 1, 0));
  CHECK(estimate(plan, counted, {Histogram::Options{.5}}).problems.empty());
  const Vector near{.5, .7};
  const auto heavy = collect(plan, frame_of(near), {1, 1}, {1e308, 1e308});
  CHECK(found(estimate(plan, heavy, {Histogram::Options{.5}}).problems, Problem::overflow, 0, 0));
}

TEST_CASE("weights are copies; parts and threads count the same") {
  const Vector x{.5, 1.5, 2.5, 1.25};
  const auto weighted =
      collect(bins_plan(1, {0, 1, 2, 3}), frame_of(x), {1, 1, 1, 1}, {2, 0, 1, .5});
  CHECK(statistics<Histogram>(weighted).count.row(0) == Eigen::RowVector3d(2, .5, 1));
  Random random(5);
  const std::size_t n = 140000;
  Vector many(n);
  IntVector group(n);
  for (std::size_t r = 0; r < n; ++r) {
    many[r] = random.uniform() * 7;
    group[r] = 1 + random.below(2);
  }
  const ModelPlan plan = bins_plan(2, {0, 1, 2, 3, 5, 7});
  const auto one = collect(plan, frame_of(many), group);
  CHECK(statistics<Histogram>(one).count ==
        statistics<Histogram>(collect(plan, frame_of(many), group, {}, 3)).count);
  const Frame frame = frame_of(many);
  ModelStatistics merged = collect(plan, part_of(frame, 0, 500), group);
  const IntVector rest(group.begin() + 500, group.end());
  merged.merge(plan, collect(plan, part_of(frame, 500, static_cast<Index>(n) - 500), rest));
  CHECK(statistics<Histogram>(one).count == statistics<Histogram>(merged).count);
}

TEST_CASE("statistics move into a wider grid, and into no other bins") {
  const Histogram::Plan from{{1}, {2}, {1, 2, 3}}, to{{0}, {4}, {0, 1, 2, 3, 4}};
  Histogram::Statistics s(from, 2);
  s.count << 1, 2, 3, 4;
  const Mapping mapping{3, {2, 0}, {-1, 0}, {{}, {}}};
  const Histogram::Statistics moved = s.realign(from, to, mapping);
  CHECK(moved.count.row(2) == Eigen::RowVector4d(0, 1, 2, 0));
  CHECK(moved.count.row(0) == Eigen::RowVector4d(0, 3, 4, 0));
  CHECK(moved.count.row(1).isZero());
  CHECK(s.of_groups(from, 1, 1).count(0, 1) == 4);
  for (const Vector& edges : {Vector{0, 1, 2}, Vector{.5, 1.5, 3}, Vector{1, 2, 4}, Vector{4, 5}}) {
    const Histogram::Plan other{{0}, {static_cast<int>(edges.size()) - 1}, edges};
    CHECK_THROWS_AS(s.realign(from, other, mapping), InvalidState);
  }
  const Histogram::Plan none{{1}, {0}, {}};
  none.check();
  CHECK(Histogram::Statistics(none, 2).realign(none, to, mapping).count.isZero());
}

TEST_CASE("draws stay in their bins, in proportion") {
  Matrix probability(2, 3);
  probability << .25, 0, .75, 0, 1, 0;
  const std::vector<AnyParameters> banks{Histogram::Parameters{probability.array().log().matrix()}};
  const ModelPlan plan{2, {Histogram::Plan{{0}, {3}, {0, 1, 2, 4}}}};
  const Drawer drawer(plan, banks);
  REQUIRE(drawer.uniforms() == 1);
  DrawnRows rows(drawer.levels(), 1);
  const auto quantile = [&](int k, double u) {
    drawer.draw(k, &u, 0, rows);
    return rows.number(0, 0);
  };
  CHECK(quantile(0, .125) == doctest::Approx(.5).epsilon(1e-14));
  CHECK(quantile(0, .25) == 2);
  CHECK(quantile(0, .625) == doctest::Approx(3).epsilon(1e-14));
  CHECK(quantile(0, 1 - 0x1p-53) < 4);
  CHECK(quantile(0, 0x1p-53) >= 0);
  CHECK(quantile(1, .5) == doctest::Approx(1.5).epsilon(1e-14));
}

TEST_CASE("the range of what counts, quartiles as of copies") {
  const Vector x{5, 1, kNaN, 9, 2, -kInfinity, 7, 100};
  const IntVector group{1, 2, 1, 1, 1, 1, 2, kMissingInteger};
  const Rows all{group.data(), nullptr, 2};
  const FeatureRange range = find_range(reals(x), 8, all, true);
  CHECK(range.weight == 5);
  CHECK(range.lowest == 1);
  CHECK(range.highest == 9);
  CHECK(range.lower_quartile == 2);
  CHECK(range.upper_quartile == 7);
  const Vector weight{1, 5, 1, 0, 1, 1, 1, 1};
  const FeatureRange weighted = find_range(reals(x), 8, {group.data(), weight.data(), 2}, true);
  CHECK(weighted.weight == 8);
  CHECK(weighted.highest == 7);
  CHECK(weighted.lower_quartile == 1);
  CHECK(weighted.upper_quartile == 2.75);
  const IntVector whole{3, kMissingInteger, -2};
  CHECK(find_range(whole_numbers(whole), 3, all, false).lowest == -2);
  const IntVector nobody(8, kMissingInteger);
  const FeatureRange none = find_range(reals(x), 8, {nobody.data(), nullptr, 2}, true);
  CHECK(none.weight == 0);
  CHECK(std::isinf(none.lowest));
}

TEST_CASE("quartiles of numbers that are farther apart than doubles go") {
  const double most = std::numeric_limits<double>::max();
  const Vector x{-most, most};
  const IntVector group{1, 1};
  const FeatureRange range = find_range(reals(x), 2, {group.data(), nullptr, 1}, true);
  CHECK(relative_error(range.lower_quartile, -most / 2) < 1e-15);
  CHECK(relative_error(range.upper_quartile, most / 2) < 1e-15);
}

TEST_CASE("plans and parameters that contradict themselves are refused") {
  const auto refuse = [](const Histogram::Plan& plan) {
    CHECK_THROWS_AS(plan.check(), InvalidState);
  };
  refuse({{0, 1}, {1}, {0, 1}});
  refuse({{0}, {}, {}});
  refuse({{0}, {-1}, {}});
  refuse({{0}, {2}, {0, 1}});
  refuse({{0}, {1}, {0, 1, 2}});
  refuse({{0}, {2}, {0, 1, 1}});
  refuse({{0}, {1}, {0, kInfinity}});
  refuse({{0}, {1000000000}, {0, 1}});
  refuse({{0}, {std::numeric_limits<int>::max()}, {0, 1}});
  const Histogram::Plan plan{{0}, {1, 1}, {0, 1, 0, 2}};
  CHECK_THROWS_AS(Histogram::Options{}.check(plan, 3), InvalidState);
  Histogram::Parameters p{Matrix::Zero(2, 1)};
  p.check(plan, 2);
  CHECK(p.sound(0));
  CHECK_THROWS_AS(p.check(plan, 4), InvalidState);
  p.log_probability(1, 0) = kNaN;
  CHECK_FALSE(p.sound(1));
}

TEST_CASE("many numbers find their bins as each alone does; counts one by one") {
  Random random(83);
  const int n = 4000;
  Vector x(n), weight(n);
  IntVector group(n);
  for (int i = 0; i < n; ++i) {
    x[i] = random.below(20) ? random.below(80) / 8.0 - 0.5 : kNaN;
    weight[i] = random.below(5) / 4.0;
    group[i] = random.below(9) ? 1 + random.below(2) : kMissingInteger;
  }
  const Vector shared{0, 0.5, 0.625, 3, 9}, own{0, 4, 9, 1, 2, 2.5, 7};
  for (const Histogram::Plan& bins :
       {Histogram::Plan{{0}, {4}, shared}, Histogram::Plan{{0}, {2, 3}, own}}) {
    for (const Vector& used : {Vector(), weight}) {
      Matrix expected = Matrix::Zero(2, bins.most_bins());
      for (int i = 0; i < n; ++i) {
        if (group[i] < 0) continue;
        const Bins of_group = bins.of_group(group[i] - 1);
        const int bin = of_group.find(x[i]);
        if (bin >= 0) expected(group[i] - 1, bin) += used.empty() ? 1 : used[i];
        if (!std::isnan(x[i])) CHECK(BinFinder(of_group, n).find(x[i]) == bin);
      }
      const ModelStatistics all = collect({2, {bins}}, frame_of(x), group, used);
      CHECK(statistics<Histogram>(all).count == expected);
    }
  }
}

TEST_SUITE_END();

}  // namespace test_histogram
