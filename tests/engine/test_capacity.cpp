#include "helpers.hpp"

#include <engine/core/random.hpp>
#include <engine/decision/capacity.hpp>
#include <engine/evaluation/threshold_search.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_capacity {

namespace {

const int na = kMissingInteger;
const double inf = std::numeric_limits<double>::infinity();

// Cases decided by least cost. `cost`: of each action, then of each case.
struct Decided {
  std::vector<Vector> cost_of;
  IntVector decision, runner_up;
  Vector cost, margin;

  explicit Decided(std::vector<Vector> costs) : cost_of(std::move(costs)) {
    const auto actions = static_cast<int>(cost_of.size());
    for (std::size_t r = 0; r < cost_of[0].size(); ++r) {
      IntVector order(static_cast<std::size_t>(actions));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return cost_of[a][r] < cost_of[b][r]; });
      decision.push_back(order[0] + 1);
      runner_up.push_back(order[1] + 1);
      cost.push_back(cost_of[order[0]][r]);
      const double gap = cost_of[order[1]][r] - cost_of[order[0]][r];
      margin.push_back(std::isnan(gap) ? 0 : gap);
    }
  }

  DecisionColumns columns() {
    DecisionColumns result;
    result.decision = decision.data();
    result.runner_up = runner_up.data();
    result.cost = cost.data();
    result.margin = margin.data();
    for (Vector& of_action : cost_of) result.cost_of.push_back(of_action.data());
    return result;
  }

  CapacityReport limit(const Vector& most, const Budget& budget = {}) {
    const DecisionColumns own = columns();
    return CapacityRule(own, static_cast<Index>(cost.size()), most, budget, Context()).apply();
  }
  double total() const { return std::accumulate(cost.begin(), cost.end(), 0.0); }
};

// The least cost of all choices within limits, by enumeration.
double least_cost(const std::vector<Vector>& cost, const Vector& most, const Budget& budget = {}) {
  const std::size_t rows = cost[0].size(), actions = cost.size();
  double best = inf;
  std::vector<std::size_t> choice(rows, 0);
  for (;;) {
    Vector count(actions, 0.0);
    double total = 0, spent = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      ++count[choice[r]];
      total += cost[choice[r]][r];
      if (!budget.price.empty()) spent += budget.price[choice[r]];
    }
    bool within = spent <= budget.total;
    for (std::size_t a = 0; a < actions; ++a) within = within && count[a] <= most[a];
    if (within) best = std::min(best, total);
    std::size_t r = 0;
    while (r < rows && ++choice[r] == actions) choice[r++] = 0;
    if (r == rows) return best;
  }
}

std::vector<Vector> random_costs(std::uint64_t seed, int actions, int rows) {
  Random random(seed);
  std::vector<Vector> cost(static_cast<std::size_t>(actions));
  for (Vector& of_action : cost) {
    for (int r = 0; r < rows; ++r) of_action.push_back(std::floor(random.uniform() * 8) / 2);
  }
  return cost;
}

}  // namespace

TEST_SUITE_BEGIN("capacity");

TEST_CASE("a capacity keeps the largest margins, and the first of equal ones") {
  Decided cases({{1, 1, 6, 1, 1}, {4, 2, 1, 4, 1}});
  const CapacityReport report = cases.limit({1, inf});
  CHECK(report.cost == 4);
  CHECK(report.next == Vector{3, 0});
  CHECK(cases.decision == IntVector{1, 2, 2, 2, 2});
  CHECK(cases.runner_up == IntVector{2, 1, 1, 1, 1});
  CHECK(cases.cost == Vector{1, 2, 1, 4, 1});
  CHECK(cases.margin == Vector{3, -1, 5, -3, 0});
}

TEST_CASE("limits of several actions are optimal, with many ties") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int actions = 2 + static_cast<int>(seed % 3), rows = actions == 4 ? 6 : 7;
    const auto cost = random_costs(seed, actions, rows);
    Vector most(static_cast<std::size_t>(actions), inf);
    most[0] = static_cast<double>(seed % 4);
    if (actions > 2) most[1] = static_cast<double>(seed % 3);
    Decided cases(cost);
    const double free = cases.total();
    const CapacityReport report = cases.limit(most);
    REQUIRE(report.problem == CapacityReport::none);
    CHECK(cases.total() == doctest::Approx(least_cost(cost, most)));
    CHECK(report.cost == doctest::Approx(cases.total() - free));
    Vector more = most;
    more[0] += 1;
    CHECK(report.next[0] == doctest::Approx(cases.total() - least_cost(cost, more)));
  }
}

TEST_CASE("sums of tenths close no circle of moves") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const int actions = 4 + static_cast<int>(seed % 4);
    std::vector<Vector> cost(static_cast<std::size_t>(actions));
    for (Vector& of_action : cost) {
      for (int r = 0; r < 20; ++r) of_action.push_back(std::floor(random.uniform() * 8) / 10);
    }
    Vector most(static_cast<std::size_t>(actions), inf);
    for (int a = 0; a + 1 < actions; ++a) most[a] = std::floor(random.uniform() * 4);
    Decided cases(cost);
    REQUIRE(cases.limit(most).problem == CapacityReport::none);
    Vector count(most.size(), 0.0);
    for (int decision : cases.decision) ++count[decision - 1];
    for (int a = 0; a < actions; ++a) CHECK(count[a] <= most[a]);
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    auto cost = random_costs(seed, 4, 6);
    for (Vector& of_action : cost) {
      for (double& x : of_action) x /= 5;
    }
    const Vector most{1, 2, 1, inf};
    Decided cases(cost);
    cases.limit(most);
    CHECK(cases.total() == doctest::Approx(least_cost(cost, most)));
  }
}

TEST_CASE("prices whose sums round") {
  Decided cases({{0, 0, 0}, {1, 1, 1}});
  CHECK(cases.limit({inf, inf}, {{.1, 0}, .3}).cost == 0);
}

TEST_CASE("the gap of a budget bounds what a better choice saves") {
  int exact = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto cost = random_costs(seed, 3, 7);
    const Budget budget{{3, 1, 0}, static_cast<double>(seed % 9)};
    const Vector most{inf, inf, seed % 2 ? inf : 5};
    const double best = least_cost(cost, most, budget);
    Decided cases(cost);
    const CapacityReport report = cases.limit(most, budget);
    if (best == inf) {
      CHECK(report.problem != CapacityReport::none);
      continue;
    }
    REQUIRE(report.problem == CapacityReport::none);
    CHECK(report.spent <= budget.total);
    CHECK(cases.total() >= best - 1e-12);
    CHECK(cases.total() - report.gap <= best + 1e-12);
    exact += cases.total() < best + 1e-12;
  }
  CHECK(exact > 100);
}

TEST_CASE("limits that leave no action, and costs that exclude one") {
  Decided cases({{1, 2, 1}, {2, 1, 2}});
  CHECK(cases.limit({1, 1}).problem == CapacityReport::capacity);
  Decided excluded({{1, 1, 1}, {inf, 2, inf}});
  CHECK(excluded.limit({1, inf}).problem == CapacityReport::capacity);
  Decided dear({{1, 1, 1}, {2, 2, 2}});
  CHECK(dear.limit({inf, inf}, {{2, 1}, 2}).problem == CapacityReport::budget);
  Decided hopeless({{inf, inf}, {inf, inf}});
  CHECK(hopeless.limit({1, 1}).problem == CapacityReport::none);
  CHECK(hopeless.decision[0] != hopeless.decision[1]);
  Decided undecided({{1, 1, 1}, {3, 2, 3}});
  undecided.decision[1] = na;
  CHECK(undecided.limit({1, inf}).cost == 2);
  CHECK(undecided.decision == IntVector{1, na, 2});
}

TEST_CASE("the largest of equally good thresholds, and levels that must be kept") {
  const std::vector<ThresholdCase> cases{
      {.9, true, 0, 1}, {.7, false, 1, 0}, {.7, true, 0, 1}, {.4, false, 1, 0}, {.2, true, 0, 1}};
  const auto best = [&](const ThresholdGoal& goal) {
    return find_threshold(cases, goal, Context()).threshold;
  };
  CHECK(best({ThresholdMetric::cost}) == .9);
  CHECK(best({ThresholdMetric::sensitivity}) == .2);
  CHECK(best({ThresholdMetric::specificity}) == inf);
  CHECK(best({ThresholdMetric::precision}) == .9);
  const std::vector<ThresholdCase> dear{{.9, true, 0, inf}, {.7, false, 1, 0}, {.2, true, 0, inf}};
  CHECK(find_threshold(dear, {ThresholdMetric::cost}, Context()).threshold == .2);
  CHECK(best({ThresholdMetric::precision, 1, {{ThresholdMetric::sensitivity, .6}}}) == .7);
  CHECK(std::isnan(best({ThresholdMetric::cost, 1, {{ThresholdMetric::precision, 2}}})));
  const ThresholdCounts c = find_threshold(cases, {ThresholdMetric::f1}, Context()).counts;
  CHECK(c.f(1) == doctest::Approx(.75));
  CHECK(c.hits == 3);
}

TEST_CASE("groups reach the sensitivity of the threshold of least cost") {
  const std::vector<ThresholdCase> cases{
      {.9, true, 0, 5},  {.8, false, 1, 0},    {.4, true, 0, 5, 2},  // group 1
      {.7, true, 0, 5},  {.6, false, 1, 0, 3}, {.1, false, 1, 0},    // group 2
      {.5, false, 1, 0}, {.3, true, 0, 5}};  // a group without the class, none
  const IntVector group{1, 1, 1, 2, 2, 2, 3, 0};
  const auto equal = [&](double sensitivity) {
    return equalise_sensitivity(cases, group, 3, sensitivity, Context());
  };
  const EqualSensitivity found = equal(kNaN);
  CHECK(found.common.threshold == .3);
  CHECK(found.sensitivity == 1);
  CHECK(found.groups[0].own.threshold == .4);
  CHECK(found.groups[1].own.threshold == .7);
  CHECK(std::isnan(found.groups[2].own.threshold));
  CHECK(found.groups[1].common.cost == 3);
  CHECK(found.groups[1].own.counts.cost == 0);
  CHECK(found.common.counts.cost == 5);
  // One false alarm of group 1 and one of group 3, which keeps the common threshold.
  CHECK(found.equal.cost == 2);
  CHECK(found.equal.own == 5);
  CHECK(equal(.3).groups[0].own.threshold == .9);
  CHECK(equal(.34).groups[0].own.threshold == .4);
  CHECK(equal(0).groups[0].own.threshold == inf);
}

TEST_SUITE_END();

}  // namespace test_capacity
