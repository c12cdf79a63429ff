#include "helpers.hpp"

#include <engine/evaluation/change_processes.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_monitor {

namespace {

// The probability of a value, 0 or 1, if the odds of the centre are multiplied.
double probability(double value, double centre, double ratio) {
  const double one = centre * ratio / (1 - centre + centre * ratio);
  return value > 0 ? one : 1 - one;
}

// The mean over sequences of 0 and 1 of the Bayes factor of the first of `processes`, if the odds
// have the distribution before a change.
double mean_factor(const ChangeProcesses& start, int rows, double centre) {
  double total = 0;
  for (int sequence = 0; sequence < 1 << rows; ++sequence) {
    ChangeProcesses processes = start;
    Eigen::VectorXd product = Eigen::VectorXd::Ones(start.null.rows());
    for (int r = 0; r < rows; ++r) {
      const double value = sequence >> r & 1;
      processes.add(0, r + 1, value, centre);
      for (Index i = 0; i < product.size(); ++i) {
        product[i] *= probability(value, centre, start.before(i, 0));
      }
    }
    total += product.dot(start.null.col(0)) * std::exp(processes.last[0]);
  }
  return total;
}

ChangeProcesses one_process(const MeanLaw& law) {
  ChangeProcesses processes(16, 1);
  processes.start(0, law, 3);
  return processes;
}

// The mean and the standard deviation of the log odds before a change.
std::pair<double, double> moments(const ChangeProcesses& processes) {
  const Eigen::ArrayXd x = processes.before.col(0).array().log(), p = processes.null.col(0).array();
  const double mean = (x * p).sum() / p.sum();
  return {mean, std::sqrt(((x - mean).square() * p).sum() / p.sum())};
}

}  // namespace

TEST_SUITE_BEGIN("monitor");

TEST_CASE("the Bayes factor is a martingale under the distribution before a change") {
  for (int side : {-1, 0, 1}) {
    for (double centre : {0.02, 0.5, 0.7}) {
      CHECK(mean_factor(one_process({centre, 0.1, 0.3, side}), 7, centre) == doctest::Approx(1));
    }
  }
}

TEST_CASE("probabilities sum to 1, and a side has no changes on the other") {
  const ChangeProcesses both = one_process({0.3, 0, 0.01, 0}), up = one_process({0.3, 0, 0.01, 1});
  CHECK(both.null.sum() == doctest::Approx(1));
  CHECK(up.null.sum() == doctest::Approx(1));
  CHECK(up.fresh.sum() == doctest::Approx(1));
  CHECK(up.null(0, 0) == doctest::Approx(0.5).epsilon(0.25));
  for (Index i = 0; i < up.ratio.rows(); ++i) CHECK((up.ratio(i, 0) > 1 || up.fresh(i, 0) == 0));
}

TEST_CASE("the law has its mean and variance") {
  const auto [mean, sd] = moments(one_process({0.5, 0.2, 0.01, 0}));
  CHECK(mean == doctest::Approx(0.2));
  CHECK(sd == doctest::Approx(0.1).epsilon(0.02));
}

TEST_CASE("the points follow the distribution before a change") {
  // Two thirds of 3,000 values are 1: the log odds are those of a beta distribution.
  ChangeProcesses processes = one_process({0.5, 0, 0.5, 0});
  for (int r = 0; r < 3000; ++r) processes.add(0, r + 1, r % 3 < 2 ? 1 : 0, 0.5);
  const auto [mean, sd] = moments(processes);
  CHECK(mean == doctest::Approx(std::log(2)).epsilon(0.01));
  CHECK(sd == doctest::Approx(std::sqrt(1 / 2000.0 + 1 / 1000.0)).epsilon(0.02));
  CHECK(processes.step[0] < sd);
}

TEST_CASE("a change is found, with its row, and an alarm stays") {
  ChangeProcesses processes = one_process({0.5, 0, 0.01, 0});
  for (int r = 0; r < 400; ++r) processes.add(0, r + 1, r < 200 ? r % 2 : r % 10 > 0, 0.5);
  CHECK(processes.first[0] > 200);
  CHECK(processes.first[0] < 260);
  CHECK(processes.process(0).changed_at() == doctest::Approx(200).epsilon(0.1));
  CHECK(processes.process(0).changed_by() == doctest::Approx(std::log(9)).epsilon(0.2));
  const double first = processes.first[0];
  for (int r = 0; r < 20000; ++r) processes.add(0, r + 401, r % 2, 0.5);
  CHECK(processes.first[0] == first);
  CHECK(std::isfinite(processes.last[0]));
}

TEST_CASE("values that no point allows leave numbers") {
  ChangeProcesses processes = one_process({1e-6, 0, 1e-9, 0});
  for (int r = 0; r < 300; ++r) processes.add(0, r + 1, 1, 1e-6);
  CHECK(std::isfinite(processes.last[0]));
  CHECK(processes.first[0] > 0);
}

TEST_CASE("the strongest process of each owner is told") {
  ChangeProcesses processes(16, 3);
  for (Index i = 0; i < 3; ++i) processes.start(i, {0.5, 0, 0.01, 0}, 3);
  for (int r = 0; r < 60; ++r) {
    processes.add(0, r + 1, r % 2, 0.5);
    processes.add(1, r + 1, 1, 0.5);
    processes.add(2, r + 1, r % 2, 0.5);
  }
  const Strongest found = strongest(processes, {0, 0, 1});
  CHECK(found.process == IntVector{1, 2});
  CHECK(found.first[0] == processes.first[1]);
  CHECK(found.first[1] == 0);
  CHECK(found.peak[0] == processes.peak[1] - 3);
}

TEST_SUITE_END();

}  // namespace test_monitor
