#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_poisson {

namespace {

ModelPlan counts_plan(int groups, int features = 1) {
  return {groups, {Poisson::Plan{first_features(features)}}};
}

Poisson::Parameters rates(std::initializer_list<double> values) {
  Poisson::Parameters p;
  p.rate = Eigen::Map<const Eigen::VectorXd>(values.begin(), static_cast<Index>(values.size()));
  return p;
}

double log_poisson(double x, double rate) { return LogPoisson(x).at(rate, std::log(rate)); }

// The logarithm in 113 binary digits: Newton steps from that of a double.
Quad logarithm(Quad x) {
  Quad y = std::log(static_cast<double>(x));
  for (int i = 0; i < 2; ++i) {
    Quad term = 1, sum = 1;
    const Quad minus = -y;
    for (int j = 1; j < 200; ++j) {
      term *= minus / 256 / j;
      sum += term;
    }
    for (int j = 0; j < 8; ++j) sum *= sum;
    y += x * sum - 1;
  }
  return y;
}

double exact_log_poisson(int x, double rate) {
  Quad sum = x * logarithm(rate) - rate;
  for (int i = 2; i <= x; ++i) sum -= logarithm(i);
  return static_cast<double>(sum);
}

}  // namespace

TEST_SUITE_BEGIN("poisson");

TEST_CASE("log probabilities have their digits, near the mean and far from it") {
  for (double rate : {1e-3, .7, 3.25, 15.5, 100.0, 900.0}) {
    for (int x : {0, 1, 2, 5, 15, 16, 17, 40, 100, 103, 900, 1500}) {
      CHECK(std::abs(log_poisson(x, rate) - exact_log_poisson(x, rate)) <=
            4e-15 * std::max(10.0, std::abs(exact_log_poisson(x, rate))));
    }
  }
  // A large count at its mean: -log(2 pi x) / 2 - 1 / (12 x).
  const double x = 1e12;
  CHECK(digits(log_poisson(x, x), -kHalfLogTwoPi - .5 * std::log(x) - 1 / (12 * x)) >= 14.5);
  CHECK(log_poisson(0, 1e9) == -1e9);
  CHECK(std::isfinite(log_poisson(1e300, 1e-300)));
  CHECK(digits(log_poisson(3, 1e-300), 3 * std::log(1e-300) - std::log(6.0)) >= 14.5);
}

TEST_CASE("a count and a rate whose sum is more than a double holds") {
  const double x = 0x1.8p1023, rate = 0x1.7p1023;
  const double exact = static_cast<double>(Quad(x) - rate - x * logarithm(Quad(x) / rate));
  CHECK(digits(log_poisson(x, rate), exact) > 13);
  CHECK(digits(log_poisson(x, x), -kHalfLogTwoPi - 0.5 * std::log(x)) > 14);
}

TEST_CASE("factorials join where the series begins") {
  CHECK(log_factorial(0) == 0);
  CHECK(log_factorial(1) == 0);
  CHECK(digits(log_factorial(15), std::log(1307674368000.0)) == 15);
  CHECK(digits(log_factorial(16), std::log(20922789888000.0)) >= 14.9);
  CHECK(digits(log_factorial(18), std::log(6402373705728000.0)) >= 14.9);
}

TEST_CASE("the rate is the weighted mean of the counts that are there") {
  const Vector x{0, 3, kNaN, 4, 1, 2, 7};
  const IntVector group{1, 1, 1, 2, 2, 2, kMissingInteger};
  const Vector weight{1, 2, 5, 1, 0, .5, 1};
  const Model model = fit(counts_plan(2), frame_of(x), group, {Poisson::Options{}}, {}, weight);
  CHECK(model.problems.empty());
  const auto& of = statistics<Poisson>(model.statistics);
  CHECK(of.weight(0, 0) == 3);
  CHECK(of.sum(1, 0) == 5);
  CHECK(parameters<Poisson>(model).rate(0, 0) == 2);
  CHECK(parameters<Poisson>(model).rate(1, 0) == 5 / 1.5);
  CHECK(model.estimate.parameter_count == 1 + 2);
  double expected = 8 * std::log(8 / 9.5) + 1.5 * std::log(1.5 / 9.5);
  expected += log_poisson(0, 2) + 2 * log_poisson(3, 2);
  expected += log_poisson(4, 5 / 1.5) + .5 * log_poisson(2, 5 / 1.5);
  CHECK(digits(model.estimate.log_likelihood, expected) >= 14);
}

TEST_CASE("pseudo-counts are events and cases of every class") {
  const Vector x{0, 0, kNaN, 5, 1, kNaN};
  const IntVector group{1, 1, 1, 2, 2, 3};
  const Poisson::Options options{{0.5}, {2}};
  const Model model = fit(counts_plan(3), frame_of(x), group, {options});
  CHECK(model.problems.empty());
  CHECK(parameters<Poisson>(model).rate(0, 0) == 0.5 / 4);
  CHECK(parameters<Poisson>(model).rate(1, 0) == 6.5 / 4);
  CHECK(parameters<Poisson>(model).rate(2, 0) == 0.25);
  double expected = 3 * std::log(0.5) + 2 * std::log(1 / 3.0) + std::log(1 / 6.0);
  expected += 2 * log_poisson(0, 0.125) + log_poisson(5, 1.625) + log_poisson(1, 1.625);
  CHECK(digits(model.estimate.log_likelihood, expected) >= 14);
  const Poisson::Plan plan{{0}};
  const Poisson::Options wrong{{0.5, 1}, {2}}, negative{{-1}, {0}};
  CHECK_THROWS_AS(wrong.check(plan, 3), InvalidState);
  CHECK_THROWS_AS(negative.check(plan, 3), InvalidState);
}

TEST_CASE("a class of zeros is certain of 0") {
  const Vector x{0, 0, 1, 2};
  const Model model = fit(counts_plan(2), frame_of(x), {1, 1, 2, 2}, {Poisson::Options{}});
  CHECK(model.problems.empty());
  CHECK(std::isfinite(model.estimate.log_likelihood));
  const Vector at{0, 1};
  const Frame frame = frame_of(at);
  const Matrix score = score_numbers(model, frame, Output::log_likelihood);
  CHECK(score(0, 0) == 0);
  CHECK(score(1, 0) == kNegativeInfinity);
  CHECK(score_numbers(model, frame, Output::prob)(1, 0) == 0);
}

TEST_CASE("what is no count is reported by class, and impossible to a model") {
  const Vector x{1, 2.5, -1, 3, -2, std::numeric_limits<double>::infinity(), .5};
  Diagnostics problems;
  collect(counts_plan(2), frame_of(x), {1, 1, 2, 2, 2, 1, kMissingInteger}, problems);
  CHECK(problems.items().size() == 3);
  CHECK(found(problems, Problem::no_count, 0, 0, 1));
  CHECK(found(problems, Problem::no_count, 1, 0, 2));
  CHECK(found(problems, Problem::infinite, kAll, 0, 1));
  ScoreReport report;
  const Matrix p = score_numbers(counts_plan(2), {rates({1, 3})}, {.5, .5}, frame_of(x),
                                 Output::prob, nullptr, 1, &report);
  CHECK(std::isnan(p(1, 0)));
  CHECK(std::isnan(p(2, 0)));
  CHECK(p(3, 1) > .5);
  CHECK(report.infinite == 1);
  CHECK(report.impossible == 4);
}

TEST_CASE("an empty class and sums beyond a double are problems") {
  const Vector x{kNaN, 1e308, 1e308};
  const Model model = fit(counts_plan(2), frame_of(x), {1, 2, 2}, {Poisson::Options{}});
  CHECK(found(model.problems, Problem::empty, 0, 0));
  CHECK(found(model.problems, Problem::overflow, 1, 0));
}

TEST_CASE("merged parts, chunks and threads count the same") {
  Random random(3);
  const std::size_t n = 150000;
  Vector x(n), weight(n, 1.0);
  IntVector group(n), whole(n);
  for (std::size_t r = 0; r < n; ++r) {
    whole[r] = random.below(40);
    x[r] = whole[r];
    group[r] = 1 + random.below(3);
  }
  const ModelPlan plan = counts_plan(3);
  const auto all = collect(plan, frame_of(x), group);
  const auto& one = statistics<Poisson>(all);
  const auto threaded = collect(plan, frame_of({whole_numbers(whole)}, n), group, weight, 3);
  CHECK(one.sum == statistics<Poisson>(threaded).sum);
  CHECK(one.weight == statistics<Poisson>(threaded).weight);
  CHECK(same_bits(one.log_factorial, statistics<Poisson>(threaded).log_factorial));
  const Frame frame = frame_of(x);
  ModelStatistics merged = collect(plan, part_of(frame, 0, 1000), group);
  const IntVector rest(group.begin() + 1000, group.end());
  merged.merge(plan, collect(plan, part_of(frame, 1000, static_cast<Index>(n) - 1000), rest));
  CHECK(one.sum == statistics<Poisson>(merged).sum);
  CHECK(largest_difference(one.log_factorial, statistics<Poisson>(merged).log_factorial) < 1e-6);
}

TEST_CASE("statistics move with their classes and features") {
  Poisson::Plan plan{{0, 1}}, target{{0}};
  Poisson::Statistics s(plan, 2);
  s.weight << 1, 2, 3, 4;
  s.sum << 5, 6, 7, 8;
  const Mapping mapping{3, {2, 0}, {-1, 0}, {{}, {}}};
  const Poisson::Statistics moved = s.realign(plan, target, mapping);
  CHECK(moved.weight(2, 0) == 2);
  CHECK(moved.sum(0, 0) == 8);
  CHECK(moved.sum(1, 0) == 0);
  CHECK(s.of_groups(plan, 1, 1).sum(0, 1) == 8);
}

TEST_CASE("draws invert the distribution function") {
  const ModelPlan plan = counts_plan(5);
  const std::vector<AnyParameters> banks{rates({0, .5, 40, 9e5, 1e8})};
  const Drawer drawer(plan, banks);
  REQUIRE(drawer.uniforms() == 1);
  DrawnRows rows(drawer.levels(), 1);
  const auto quantile = [&](int k, double u) {
    drawer.draw(k, &u, 0, rows);
    return rows.number(0, 0);
  };
  CHECK(quantile(0, .999) == 0);
  double below = 0;
  for (int x = 0; x < 12; ++x) {
    CHECK(quantile(1, below + 1e-15) == x);
    below += std::exp(log_poisson(x, .5));
  }
  // Quantiles of R's qpois().
  CHECK(quantile(2, .5) == 40);
  CHECK(quantile(2, .975) == 53);
  CHECK(quantile(2, 1e-6) == 14);
  CHECK(quantile(3, .025) == 898141);
  CHECK(quantile(4, .5) == 1e8);
  CHECK(quantile(4, .975) == 100019600);
}

TEST_CASE("draws do not change where the table ends") {
  const ModelPlan plan = counts_plan(2);
  const std::vector<AnyParameters> banks{rates({1e4, std::nextafter(1e4, 2e4)})};
  const Drawer drawer(plan, banks);
  DrawnRows rows(drawer.levels(), 2);
  Random random(8);
  int differ = 0;
  for (int i = 0; i < 2000; ++i) {
    const double u = open_unit(random.bits());
    for (int k = 0; k < 2; ++k) drawer.draw(k, &u, k, rows);
    differ += rows.number(0, 0) != rows.number(0, 1);
  }
  CHECK(differ == 0);
}

TEST_CASE("parameters and statistics that contradict themselves are refused") {
  const Poisson::Plan plan{{0}};
  CHECK_THROWS_AS(rates({1, 2}).check(plan, 3), InvalidState);
  CHECK_FALSE(rates({1, kNaN}).sound(1));
  CHECK_FALSE(rates({1, -1}).sound(1));
  CHECK(rates({0, 1}).sound(0));
  Poisson::Statistics s(plan, 2);
  s.check(plan, 2);
  s.sum(0, 0) = -1;
  CHECK_THROWS_AS(s.check(plan, 2), InvalidState);
}

TEST_CASE("counts of a table and beyond it, one by one") {
  const std::vector<AnyParameters> known{rates({0, 0.3, 20, 300, 1e5})};
  Vector x{kNaN, 2.5, -1, -0.0, 1e300, 255.5, kNegativeInfinity};
  for (int count = 0; count < 600; ++count) x.push_back(count);
  const Matrix scores =
      score_numbers(counts_plan(5), known, Vector(5, 0.2), frame_of(x), Output::log_likelihood);
  const Matrix& rate = known[0].as<Poisson::Parameters>().rate;
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (int k = 0; k < 5; ++k) {
      const double score = scores(static_cast<Index>(r), k);
      if (std::isinf(x[r])) {
        CHECK(std::isnan(score));
      } else if (std::isnan(x[r])) {
        CHECK(score == 0);
      } else {
        CHECK(score == (is_count(x[r]) ? log_poisson(x[r], rate(k, 0)) : kNegativeInfinity));
      }
    }
  }
}

TEST_CASE("sums of counts, small and large, one by one") {
  Random random(82);
  const int n = 5000;
  Vector x(n), weight(n);
  IntVector group(n);
  for (int i = 0; i < n; ++i) {
    x[i] = random.below(20) ? random.below(random.below(2) ? 9 : 900) : kNaN;
    weight[i] = random.below(5) / 4.0;
    group[i] = random.below(9) ? 1 + random.below(2) : kMissingInteger;
  }
  for (const Vector& used : {Vector(), weight}) {
    Poisson::Statistics expected({{0}}, 2);
    for (int i = 0; i < n; ++i) {
      if (group[i] < 0 || std::isnan(x[i])) continue;
      const double w = used.empty() ? 1 : used[i];
      expected.weight(group[i] - 1, 0) += w;
      expected.sum(group[i] - 1, 0) += w * x[i];
      expected.log_factorial(group[i] - 1, 0) += w * log_factorial(x[i]);
    }
    const ModelStatistics all = collect(counts_plan(2), frame_of(x), group, used);
    const auto& found = statistics<Poisson>(all);
    CHECK((found.weight == expected.weight && found.sum == expected.sum));
    CHECK(found.log_factorial.isApprox(expected.log_factorial, 1e-14));
  }
}

TEST_SUITE_END();

}  // namespace test_poisson
