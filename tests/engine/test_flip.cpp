#include "helpers.hpp"

#include <engine/search/flip_pairs.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_flip {

namespace {

const Regions three{{-1, 2}, {0, 1, 0}, {true, false}};

Cost two_by_two(double aa, double ab, double ba, double bb) {
  Cost cost{Matrix(2, 2)};
  cost.of << aa, ab, ba, bb;
  return cost;
}

}  // namespace

TEST_SUITE_BEGIN("flip");

TEST_CASE("the nearest region of another decision") {
  const Normals line{{{{0, 0, 1}}, {{0, 1, 1}}}};
  const Flip left = nearest_flip(line, three, 0, 1);
  CHECK(left.value == -1);
  CHECK(left.distance == -1);
  CHECK(left.decision == 0);
  CHECK(left.exact);
  const Flip right = nearest_flip(line, three, 1.5, 1);
  CHECK(right.value == 2);
  CHECK_FALSE(right.exact);
  CHECK(nearest_flip(line, three, 2, 1).distance == 0);
  CHECK(nearest_flip(line, three, 5, 0).value == 2);
  // A decision of a tie, inside the region of the other action.
  CHECK(nearest_flip(line, three, 0, 0).distance == 0);
  const Regions none{{0}, {kNoDecision, 1}, {true}};
  CHECK(nearest_flip(line, none, 3, 1).decision == kNoDecision);
}

TEST_CASE("values out of reach are not proposed; a case outside may move towards the range") {
  const Normals line{{{{0, 0, 1}}, {{0, 1, 1}}}};
  CHECK(nearest_flip(line, three, 1.5, 1, {-1.5, 1.9}).value == -1);
  CHECK(nearest_flip(line, three, 1.5, 1, {0, 2}).value == 2);
  CHECK(nearest_flip(line, three, 1.5, 1, {0, 1.9}).decision == kNoDecision);
  CHECK(nearest_flip(line, three, 4, 0, {0, 1.9}).value == 2);
}

TEST_CASE("counts and single values: the nearest possible value") {
  const Counts counts{{{1}, {4}}};
  const Regions at{{2.5, 6.5}, {0, 1, 0}, {true, true}};
  CHECK(nearest_flip(counts, at, 0, 0).value == 3);
  CHECK(nearest_flip(counts, at, 9, 0).value == 6);
  CHECK(nearest_flip(counts, at, 4, 1).value == 2);
  const Atoms atoms{{{{1, 5, 9, 20}, {0, 0, 0, 0}}}};
  const Regions of{{9, 20}, {0, 1, 0}, {true, true}};
  CHECK(nearest_flip(atoms, of, 1, 0).value == 9);
  CHECK(nearest_flip(atoms, of, 20, 0).value == 9);
  CHECK(nearest_flip(atoms, of, 9, 1).value == 5);
}

TEST_CASE("cases: a threshold in closed form, missing values, levels") {
  const ModelPlan number = gaussian_plan(2, 1);
  Gaussian::Parameters p{Matrix(2, 1), Matrix::Zero(2, 1), Matrix::Constant(2, 1, 2.0)};
  p.mean << 1, 3;
  const std::vector<AnyParameters> banks{p};
  const Vector prior{.8, .2}, x{2, kNaN, kInfinity};
  const View view = view_of(number, banks, prior, 1);
  const CaseCost cost{two_by_two(0, 50, 4, 1), {}};
  const Frame frame = frame_of(x);
  const Scorer scorer(number, banks, prior, 3);
  const Context context;
  const FlipCases cases(view, scorer, cost, frame, context);
  const FlipFeature feature(view, 0, {});
  const FlipSearch::OfCases flips = FlipSearch(cases).run(feature);
  const double expected = 2 + (std::log(4.0 / 49) - std::log(.2 / .8)) / .5;
  REQUIRE(flips[0].size() == 1);
  CHECK(digits(flips[0][0].value, expected) > 13);
  CHECK(flips[1].empty());
  CHECK(flips[2].empty());
  CHECK(cases.now[2] == kNoDecision);
  CHECK(digits(feature.sd, 2) > 14);
}

TEST_CASE("two numbers: the nearest point of a line") {
  const ModelPlan plan = gaussian_plan(2, 2);
  Gaussian::Parameters p{Matrix(2, 2), Matrix::Zero(2, 2), Matrix(2, 2)};
  p.mean << 1, 1, 3, 0;
  p.sd << 2, .5, 2, .5;
  const std::vector<AnyParameters> banks{p};
  const Vector prior{.8, .2};
  const std::vector<Vector> columns{{2, kNaN}, {.4, .4}};
  const View view = view_of(plan, banks, prior, 2);
  const CaseCost cost{two_by_two(0, 50, 4, 1), {}};
  const Frame frame = frame_of(columns);
  const Scorer scorer(plan, banks, prior, 2);
  const Context context;
  const FlipCases cases(view, scorer, cost, frame, context);
  const Reach reach{-20, 20};
  const auto pairs = PairSearch(cases).run({view, 0, reach}, {view, 1, reach});
  const double lack = std::log(4.0 / 49) - std::log(.2 / .8) + 4 * (.4 - .5);
  REQUIRE(pairs[0].size() == 1);
  CHECK(digits(pairs[0][0].distance, std::abs(lack) / std::sqrt(5)) > 12);
  CHECK(pairs[1].empty());
}

TEST_SUITE_END();

}  // namespace test_flip
