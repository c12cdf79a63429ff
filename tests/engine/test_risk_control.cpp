#include "helpers.hpp"

#include <engine/core/binomial.hpp>
#include <engine/decision/changes.hpp>
#include <engine/evaluation/risk_control.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_risk_control {

TEST_CASE("binomial_at_most() is the sum of the probabilities") {
  for (int n : {1, 2, 7, 30}) {
    for (double p : {0.01, 0.3, 0.5, 0.97}) {
      double term = std::pow(1 - p, n), sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += term;
        CHECK(binomial_at_most(n, p, k) == doctest::Approx(sum).epsilon(1e-12));
        term *= (n - k) * p / ((k + 1) * (1 - p));
      }
    }
  }
  CHECK(binomial_at_most(10, 0.2, -1) == 0);
  CHECK(binomial_at_most(10, 0.2, 10) == 1);
  CHECK(binomial_at_most(1e6, 0.5, 5e5) == doctest::Approx(0.5).epsilon(2e-3));
}

TEST_CASE("the action in place of a referral is the first within the band of the least cost") {
  Vector cost{1, 1 - .9e-12, 1 - 1.8e-12, 0};
  int decision = 4;
  DecisionColumns columns;
  columns.decision = &decision;
  for (double& of : cost) columns.cost_of.push_back(&of);
  CHECK(prefer(columns, 0, 4).action == 2);
  CHECK(prefer(columns, 0, 4).cost == cost[1]);
  cost = {kInfinity, kInfinity, kInfinity, 0};
  CHECK(prefer(columns, 0, 4).action == 1);
  decision = kMissingInteger;
  CHECK(prefer(columns, 0, 4).action == kMissingInteger);
}

TEST_CASE("p values are at most delta from the fewest cases on") {
  for (bool all_or_none : {true, false}) {
    const Promise promise{0.16, 2, 0.05, all_or_none};
    for (double cases : {20.0, 60.0, 500.0}) {
      const double errors = promise.most_errors(cases);
      CHECK(promise.p_value(cases, (errors + 1) * 2) > 0.05);
      if (errors < 0) continue;
      CHECK(promise.p_value(cases, errors * 2) <= 0.05);
      const double fewest = promise.fewest_cases(errors, cases);
      CHECK(promise.p_value(fewest, errors * 2) <= 0.05);
      CHECK((fewest == 1 || promise.p_value(fewest - 1, errors * 2) > 0.05));
    }
  }
  CHECK(Promise{0.1, 1, 0.05, true}.p_value(0, 0) == 1);
  CHECK(Promise{0.1, 1, 0.05, true}.p_value(100, kInfinity) == 1);
}

TEST_CASE("cases without a cost are all decided, and cases of the largest cost are not") {
  std::vector<ScoredCost> free, dear;
  for (int i = 0; i < 200; ++i) {
    free.push_back({0.01 * i, 0.0});
    dear.push_back({0.01 * i, 1.0});
  }
  const Promise promise{0.1, 1, 0.05, true};
  CHECK(control_risk(free, promise, {}, {}).threshold == doctest::Approx(1.99));
  CHECK(control_risk(dear, promise, {}, {}).threshold == kNegativeInfinity);
  CHECK(control_risk({}, promise, {}, {}).points.empty());
  CHECK(control_risk(free, promise, {1.0, 5.0}, {}).threshold == 5.0);
  CHECK(control_risk(free, promise, {}, {kNaN, 7.0, 3.0}).threshold == 7.0);
}

TEST_CASE("a threshold decides all cases of its score") {
  std::vector<ScoredCost> tied;
  for (int i = 0; i < 300; ++i) tied.push_back({i < 150 ? 0.0 : 1.0, i < 150 ? 0.0 : 1.0});
  const ControlledRule rule = control_risk(tied, {0.1, 1, 0.05, true}, {}, {});
  CHECK(rule.threshold == 0);
  for (const ControlPoint& point : rule.points) {
    CHECK(point.decided == (point.threshold == 0 ? 150 : 300));
  }
}

}  // namespace test_risk_control
