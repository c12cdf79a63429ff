#include "helpers.hpp"

#include <engine/evaluation/dependence.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_dependence {

TEST_SUITE_BEGIN("dependence");

TEST_CASE("pairs of a larger scatter have the dependence of their own") {
  Random random(2);
  std::vector<Vector> columns(4);
  IntVector group;
  for (int r = 0; r < 60; ++r) {
    const double shared = random.normal();
    for (Vector& column : columns) column.push_back(1e6 + shared + random.normal());
    group.push_back(1 + r % 3);
  }
  Diagnostics problems;
  const ModelStatistics all = collect(block_plan(3, 4), frame_of(columns), group, problems);
  const std::vector<Vector> two = {columns[1], columns[3]};
  const ModelStatistics pair = collect(block_plan(3, 2), frame_of(two), group, problems);
  const PairDependence found =
      dependence_of_numbers(all.banks[0].as<MultivariateGaussian::Statistics>().scatter, 1, 3);
  const PairDependence own =
      dependence_of_numbers(pair.banks[0].as<MultivariateGaussian::Statistics>().scatter, 0, 1);
  CHECK(found.mean == doctest::Approx(own.mean).epsilon(1e-9));
  CHECK(found.pooled == doctest::Approx(own.pooled).epsilon(1e-9));
  CHECK(found.cases == 60);
  double gain = 0;
  for (int g = 0; g < 3; ++g) {
    CHECK(found.association[g] == doctest::Approx(own.association[g]).epsilon(1e-9));
    gain -= 10 * std::log(1 - own.association[g] * own.association[g]);
  }
  CHECK(own.aic == doctest::Approx(2 * 3 - 2 * gain).epsilon(1e-9));
}

TEST_CASE("constant features add nothing, and empty groups are left out") {
  Scatter scatter(3, 2);
  for (int g = 0; g < 2; ++g) {
    scatter.weight(g, 0) = scatter.rows(g, 0) = 10;
    scatter.triangle[g] << 3, 1, 0, 2;
  }
  scatter.triangle[1] << 0, 0, 0, 2;
  const PairDependence pair = dependence_of_numbers(scatter, 0, 1);
  CHECK(pair.constant(0, 1) == 1);
  CHECK(std::isnan(pair.association[1]));
  CHECK(std::isnan(pair.information[2]));
  const double information = std::log(std::sqrt(5.0) / 2);
  CHECK(pair.mean == doctest::Approx(information / 2));
  CHECK(pair.aic == doctest::Approx(4 - 20 * information));
  // R^2 = 1 / 5 in the only group that tells.
  CHECK(pair.evidence == doctest::Approx(4 * std::log(11.0) - 4.5 * std::log(9.0)));
}

TEST_SUITE_END();

}  // namespace test_dependence
