#include "helpers.hpp"

#include <engine/model/checks.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_checks {

namespace {

constexpr int kMost = std::numeric_limits<int>::max();

// Maps two features of two levels to themselves and swaps the levels of the second feature.
struct Moved {
  ModelPlan plan = categorical_plan(2, {2, 2}), target = plan;
  Mapping mapping{2, {0, 1}, {0, 1}, {{0, 1}, {1, 0}}};
  IntVector bank{0};

  void check() const {
    check_mapping(mapping, plan.groups, 2);
    check_moved_banks(plan, target, mapping, bank);
  }
};

template <class Change>
void refuse(const Change& change) {
  Moved moved;
  change(moved);
  CHECK_THROWS_AS(moved.check(), InvalidState);
}

}  // namespace

TEST_SUITE_BEGIN("checks");

TEST_CASE("a plan names features that are there, and no more levels than can be counted") {
  CHECK_NOTHROW(check_plan(gaussian_plan(1, 2), 2));
  CHECK_THROWS_AS(check_plan(gaussian_plan(0, 2), 2), InvalidState);
  CHECK_THROWS_AS(check_plan(gaussian_plan(1, 2), 1), InvalidState);
  CHECK_THROWS_AS(check_plan(gaussian_plan(1, 0), 2), InvalidState);
  CHECK_THROWS_AS(check_plan({1, {Gaussian::Plan{{-1}}}}, 2), InvalidState);
  CHECK_NOTHROW(check_plan(categorical_plan(1, {kMost - 1}), 1));
  CHECK_THROWS_AS(check_plan(categorical_plan(1, {kMost}), 1), InvalidState);
  CHECK_THROWS_AS(check_plan(categorical_plan(1, {kMost / 2, kMost / 2 + 1}), 2), InvalidState);
  CHECK_THROWS_AS(check_plan(joint_plan(1, {kMost}), 1), InvalidState);
}

TEST_CASE("codes are integers, classes are counted") {
  const Vector x{1};
  CHECK_THROWS_AS(require_codes(categorical_plan(1, {2}), frame_of(x)), InvalidState);
  CHECK_NOTHROW(require_codes(gaussian_plan(1, 1), frame_of(x)));
  CHECK_NOTHROW(check_classes(gaussian_plan(2, 1), ClassStatistics(2)));
  CHECK_THROWS_AS(check_classes(gaussian_plan(2, 1), ClassStatistics(3)), InvalidState);
}

TEST_CASE("a class that can be chosen has parameters that are numbers") {
  const Matrix mean = Matrix::Zero(2, 1);
  const Eigen::Vector2d sd(1, 0);
  const std::vector<AnyParameters> banks{Gaussian::Parameters{mean, mean, sd}};
  CHECK_NOTHROW(require_sound(gaussian_plan(2, 1), banks, {1, 0}));
  CHECK_THROWS_AS(require_sound(gaussian_plan(2, 1), banks, {.5, .5}), InvalidState);
  CHECK_THROWS_AS(check_prior({2, 0}), InvalidState);
  CHECK_THROWS_AS(check_prior({1, kNaN}), InvalidState);
}

TEST_CASE("what moves has a place") {
  CHECK_NOTHROW(Moved().check());
  refuse([](Moved& m) { m.mapping.group = {0}; });
  refuse([](Moved& m) { m.mapping.group = {0, 2}; });
  refuse([](Moved& m) { m.mapping.feature = {0, 2}; });
  refuse([](Moved& m) { m.mapping.level.pop_back(); });
  refuse([](Moved& m) { m.mapping.level[1] = {1}; });
  refuse([](Moved& m) { m.mapping.level[1] = {1, 2}; });
  refuse([](Moved& m) { m.bank = {}; });
  refuse([](Moved& m) { m.bank = {1}; });
  refuse([](Moved& m) { m.target = joint_plan(2, {2, 2}); });
}

TEST_SUITE_END();

}  // namespace test_checks
