#include "helpers.hpp"

#include <engine/data/keys.hpp>
#include <engine/model/grouped_fit.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_grouped_fit {

namespace {

constexpr int kOut = kMissingInteger;

std::vector<ModelStatistics> split(const ModelPlan& plan, const ModelStatistics& all, int groups) {
  std::vector<ModelStatistics> parts;
  for (int g = 0; g < groups; ++g) {
    parts.push_back(all.of_groups(plan, g * plan.groups, plan.groups));
  }
  return parts;
}

}  // namespace

TEST_SUITE_BEGIN("grouped fit");

TEST_CASE("groups are the combinations of keys that rows that count have") {
  const IntVector region{2, 1, 2, 2, kOut, 1}, year{1, 3, 1, 2, 1, 1};
  const IntVector own{1, 2, kOut, 1, 2, kOut}, subset{1, 1, 1, 0, 1, 1};
  Keys keys;
  keys.code = {region.data(), year.data()};
  keys.levels = {2, 3};
  IntVector group(6);
  const KeyGroups found = KeyGrouper(keys).group(own.data(), subset.data(), 2, 6, group.data());
  REQUIRE(found.key.rows() == 2);
  CHECK((found.key.row(0).array() == Eigen::RowVector2i(1, 3).array()).all());
  CHECK((found.key.row(1).array() == Eigen::RowVector2i(2, 1).array()).all());
  CHECK(found.read == Vector{1, 2});
  CHECK(found.missing == 1);
  CHECK(found.used == 2);
  CHECK(group == IntVector{3, 2, kOut, kOut, kOut, kOut});
}

TEST_CASE("many possible combinations are sorted instead of tabulated") {
  const IntVector first{3000, 7, 3000, 1}, second{5, 2999, 5, 1}, own{1, 1, 1, kOut};
  Keys keys;
  keys.code = {first.data(), second.data()};
  keys.levels = {3000, 3000};
  IntVector group(4);
  const KeyGroups found = KeyGrouper(keys).group(own.data(), nullptr, 3, 4, group.data());
  REQUIRE(found.key.rows() == 2);
  CHECK(found.key(0, 0) == 7);
  CHECK(found.key(1, 1) == 5);
  CHECK(found.used == 3);
  CHECK(group == IntVector{4, 1, 4, kOut});
  CHECK(found.read == Vector{1, 2});
}

TEST_CASE("many groups: moments as in groups of few rows, far from zero, with weights and NaN") {
  const int groups = 600, rows = 30000;
  Random random(8);
  Vector x, weight;
  IntVector group;
  for (int r = 0; r < rows; ++r) {
    x.push_back(r % 97 == 0 ? kNaN : 1e9 + random.normal() + (r % 5 == 0 ? 20 : 0));
    weight.push_back(random.uniform());
    group.push_back(static_cast<int>(random.uniform() * groups) + 1);
  }
  for (const Vector& w : {Vector(), weight}) {
    const ModelStatistics all = collect(gaussian_plan(groups, 1), frame_of(x), group, w);
    const Moments& found = statistics<Gaussian>(all).moments;
    for (int g : {0, 299, 599}) {
      IntVector alone(group.size(), kOut);
      for (std::size_t r = 0; r < group.size(); ++r) {
        if (group[r] == g + 1) alone[r] = 1;
      }
      const ModelStatistics one = collect(gaussian_plan(1, 1), frame_of(x), alone, w);
      const Moments& expected = statistics<Gaussian>(one).moments;
      CHECK(found.weight(g, 0) == doctest::Approx(expected.weight(0, 0)).epsilon(1e-14));
      CHECK(found.mean(g, 0) == doctest::Approx(expected.mean(0, 0)).epsilon(1e-15));
      CHECK(found.scatter(g, 0) == doctest::Approx(expected.scatter(0, 0)).epsilon(1e-12));
    }
  }
}

TEST_CASE("a class without spread in its group borrows from the same class of other groups") {
  // Two classes, three groups; group 1 has no spread.
  const Vector x{1, 1, 5, 5, 2, 4, 7, 8, 3, 8, 1, 6};
  const IntVector group{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6};
  const ModelPlan plan = gaussian_plan(2, 1);
  const auto parts = split(plan, collect(gaussian_plan(6, 1), frame_of(x), group), 3);
  const std::vector<AnyOptions> options{gaussian_options(1)};
  const Context context;
  GroupedEstimator estimator(plan, parts, options, true, context);
  Diagnostics diagnostics;
  const Estimate found = estimator.estimate(0, {}, diagnostics);
  CHECK_FALSE(diagnostics.stops());
  CHECK(diagnostics.items().size() == 2);
  const auto& p = found.banks[0].as<Gaussian::Parameters>();
  // Class 1: scatters 0, 2, 12.5 with divisors 1 each; one borrowed case, own divisor 1.
  CHECK(p.sd(0, 0) == doctest::Approx(std::sqrt(14.5 / 3 / 2)).epsilon(1e-15));
  CHECK(p.sd(1, 0) == doctest::Approx(std::sqrt((0.5 + 12.5) / 3 / 2)).epsilon(1e-15));
  CHECK(p.mean(1, 0) == 5);
  CHECK(std::isfinite(found.log_likelihood));
  Diagnostics of_second;
  const Estimate second = estimator.estimate(1, {}, of_second);
  CHECK(of_second.empty());
  CHECK(second.banks[0].as<Gaussian::Parameters>().sd(0, 0) == doctest::Approx(std::sqrt(2)));
}

TEST_SUITE_END();

}  // namespace test_grouped_fit
