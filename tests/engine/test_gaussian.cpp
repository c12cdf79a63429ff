#include "helpers.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

using namespace testing;

namespace test_gaussian {

namespace {

// One class, one feature.
Moments moments_of(const Vector& x, const Vector& weight = {}) {
  const ModelStatistics all =
      collect(gaussian_plan(1, 1), frame_of(x), IntVector(x.size(), 1), weight);
  return statistics<Gaussian>(all).moments;
}

double sd_of(const Moments& m) { return std::sqrt(m.scatter(0, 0) / (m.weight(0, 0) - 1)); }

Vector alternating(double first, double low, double high, int pairs) {
  Vector x{first};
  for (int i = 0; i < pairs; ++i) {
    x.push_back(low);
    x.push_back(high);
  }
  return x;
}

// Mean and scatter in 113-bit arithmetic.
void exact_moments(const Vector& x, double& mean, double& scatter) {
  Quad sum = 0, square = 0;
  for (double value : x) sum += value;
  const Quad centre = sum / static_cast<double>(x.size());
  for (double value : x) square += (value - centre) * (value - centre);
  mean = static_cast<double>(centre);
  scatter = static_cast<double>(square);
}

double through_text(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f", value);
  return std::strtod(text, nullptr);
}

}  // namespace

TEST_SUITE_BEGIN("gaussian");

TEST_CASE("NIST NumAcc1-4, against the doubles that are stored") {
  struct Set {
    Vector x;
    double mean, sd;
  };
  const Set sets[] = {
      {{10000001, 10000003, 10000002}, 10000002, 1},
      {alternating(1.2, 1.1, 1.3, 500), 1.2000000000000000665, 0.099999999999999977796},
      {alternating(1000000.2, 1000000.1, 1000000.3, 500), 1000000.2000000000116,
       0.10000000003492459655},
      {alternating(10000000.2, 10000000.1, 10000000.3, 500), 10000000.200000000185,
       0.10000000055879354477}};
  for (const Set& set : sets) {
    const Moments m = moments_of(set.x);
    CHECK(digits(m.mean(0, 0), set.mean) >= 14);
    CHECK(digits(sd_of(m), set.sd) >= 13);
  }
}

TEST_CASE("NIST SmLs07 as nine classes") {
  const double offset[] = {.4, .3, .5, .3, .5, .3, .5, .3, .5};
  Vector x;
  IntVector group;
  for (int k = 0; k < 9; ++k) {
    const double m = 1e12 + offset[k];
    for (double value : alternating(m, m - .1, m + .1, 10)) {
      x.push_back(through_text(value));
      group.push_back(k + 1);
    }
  }
  const Model model = fit(gaussian_plan(9, 1), frame_of(x), group, {gaussian_options(1)});
  const Gaussian::Parameters& p = parameters<Gaussian>(model);
  CHECK(p.sd(0, 0) == 0.0999755859375);
  CHECK(digits(p.sd(1, 0), 0.10003662198039917602) >= 13);
  // The second part of the mean holds the digits that rounding removes from the first.
  CHECK((p.mean(0, 0) - 1e12) + p.mean_low(0, 0) == doctest::Approx(0.4000244).epsilon(1e-6));
  CHECK((p.mean(1, 0) - 1e12) + p.mean_low(1, 0) == doctest::Approx(0.2999906994).epsilon(1e-9));
}

TEST_CASE("NumAcc4 in parts, in any order, is NumAcc4") {
  const Vector x = alternating(10000000.2, 10000000.1, 10000000.3, 500);
  const ModelPlan plan = gaussian_plan(1, 1);
  const IntVector group(x.size(), 1);
  const Frame frame = frame_of(x);
  const Index cuts[] = {0, 1, 500, 1000, 1001};
  for (const IntVector& order : {IntVector{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}}) {
    ModelStatistics total(plan);
    for (int part : order) {
      const Frame piece = part_of(frame, cuts[part], cuts[part + 1] - cuts[part]);
      total.merge(plan, collect(plan, piece, group));
    }
    const Moments& m = statistics<Gaussian>(total).moments;
    CHECK(digits(m.mean(0, 0), 10000000.200000000185) >= 14);
    CHECK(digits(sd_of(m), 0.10000000055879354477) >= 12);
  }
}

TEST_CASE("hard data: offsets, trends, an outlier first") {
  Random random(4);
  const int n = 150000;
  for (int kind = 0; kind < 7; ++kind) {
    CAPTURE(kind);
    Vector x(n);
    for (int i = 0; i < n; ++i) {
      const double z = random.normal();
      switch (kind) {
        case 0: x[i] = 0x1p30 + z; break;
        case 1: x[i] = 1e8 + z; break;
        case 2: x[i] = 1e15 + std::round(8 * z) / 8; break;
        case 3: x[i] = 1e6 + 1e-3 * i; break;
        case 4: x[i] = -1e9 + i + z; break;
        case 5: x[i] = i == 0 ? 1e12 : z; break;
        case 6: x[i] = i == 4096 ? 1e12 : z; break;
      }
    }
    double mean, scatter;
    exact_moments(x, mean, scatter);
    const Moments m = moments_of(x);
    CHECK(digits(m.mean(0, 0), mean) >= 14);
    CHECK(digits(m.scatter(0, 0), scatter) >= 12);
  }
}

TEST_CASE("hard data in many groups, sorted and not: all banks, blocks and first shifts") {
  Random random(5);
  const int n = 140000;
  for (int groups : {3, 40, 200}) {
    for (bool sorted : {false, true}) {
      CAPTURE(groups);
      CAPTURE(sorted);
      IntVector group(n);
      for (int& g : group) g = 1 + static_cast<int>(random.uniform() * groups);
      if (sorted) std::sort(group.begin(), group.end());
      // Five columns: near, far from 0, drifting, an outlier first in each group, with gaps.
      std::vector<Vector> x(5, Vector(n));
      std::vector<bool> seen(static_cast<std::size_t>(groups), false);
      for (int i = 0; i < n; ++i) {
        const double z = random.normal();
        const auto g = static_cast<std::size_t>(group[i] - 1);
        x[0][i] = z;
        x[1][i] = 1e8 * (1 + static_cast<double>(g)) + z;
        x[2][i] = -1e9 + i + z;
        x[3][i] = seen[g] ? z : 1e9;
        x[4][i] = !seen[g] || i % 3 == 0 ? kNaN : 1e6 + z;
        seen[g] = true;
      }
      Frame frame = frame_of(x[0]);
      for (int j = 1; j < 5; ++j) frame.columns.push_back(frame_of(x[j]).columns[0]);
      const ModelStatistics all = collect(gaussian_plan(groups, 5), frame, group);
      const Moments& m = statistics<Gaussian>(all).moments;
      for (int g : {0, 1, groups - 1}) {
        for (int j = 0; j < 5; ++j) {
          Vector own;
          for (int i = 0; i < n; ++i) {
            if (group[i] == g + 1 && !std::isnan(x[j][i])) own.push_back(x[j][i]);
          }
          double mean, scatter;
          exact_moments(own, mean, scatter);
          CHECK(m.weight(g, j) == static_cast<double>(own.size()));
          CHECK(digits(m.mean(g, j), mean) >= 13.5);
          CHECK(digits(m.scatter(g, j), scatter) >= 13);
        }
      }
    }
  }
}

TEST_CASE("a million copies of 0.1 and 0.3") {
  Vector x(1000000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? 0.3 : 0.1;
  double mean, scatter;
  exact_moments(x, mean, scatter);
  const Moments m = moments_of(x);
  CHECK(digits(m.mean(0, 0), mean) >= 14);
  CHECK(digits(m.scatter(0, 0), scatter) >= 12);
}

TEST_CASE("a first row that hardly counts does not spoil those that do") {
  // The running mean of a group with almost no weight is a bad shift.
  Random random(5);
  Vector x(9000), rest;
  for (double& value : x) value = random.normal();
  x[0] = 1e7;
  IntVector group(9000, 1);
  for (int i = 1; i < 4096; ++i) group[i] = kMissingInteger;
  for (int i = 4096; i < 9000; ++i) rest.push_back(x[i]);
  double mean, scatter;
  exact_moments(rest, mean, scatter);
  const double n = static_cast<double>(rest.size());
  for (double first : {1e-16, 1e-6}) {
    Vector weight(9000, 1.0);
    weight[0] = first;
    const double added = first * n / (first + n) * (1e7 - mean) * (1e7 - mean);
    const ModelStatistics all = collect(gaussian_plan(1, 1), frame_of(x), group, weight);
    CHECK(digits(statistics<Gaussian>(all).moments.scatter(0, 0), scatter + added) >= 12);
  }
}

TEST_CASE("a first row farther out than all digits of the others, and next to no weight") {
  Random random(6);
  Vector x(3000);
  for (double& value : x) value = 3 + random.normal();
  double mean, scatter;
  exact_moments(Vector(x.begin() + 1, x.end()), mean, scatter);
  Vector weight(x.size(), 1.0);
  weight[0] = 1e-200;  // adds less than 1e-100 to either
  for (double far : {1e12, 1e17, -1e25, 1e40}) {
    x[0] = far;
    const ModelStatistics all =
        collect(gaussian_plan(1, 1), frame_of(x), IntVector(x.size(), 1), weight);
    const Moments& m = statistics<Gaussian>(all).moments;
    CHECK(digits(m.mean(0, 0), mean) >= 14);
    CHECK(digits(m.scatter(0, 0), scatter) >= 12);
  }
}

TEST_CASE("any chunking within 1e-12, any number of threads bit for bit") {
  Random random(6);
  const int n = 200000, features = 11, groups = 3;
  std::vector<Vector> x(features, Vector(n));
  IntVector group(n);
  for (int i = 0; i < n; ++i) {
    group[i] = random.below(50) ? 1 + random.below(groups) : kMissingInteger;
    for (int j = 0; j < features; ++j)
      x[j][i] = random.below(97) ? 100.0 * j + random.normal() : kNaN;
  }
  const ModelPlan plan = gaussian_plan(groups, features);
  const Frame frame = frame_of(x);
  const ModelStatistics whole = collect(plan, frame, group);
  const Moments& m = statistics<Gaussian>(whole).moments;
  for (int count : {2, 3, 7}) {
    const ModelStatistics other = collect(plan, frame, group, {}, count);
    const Moments& o = statistics<Gaussian>(other).moments;
    CHECK(same_bits(m.weight, o.weight));
    CHECK(same_bits(m.mean, o.mean));
    CHECK(same_bits(m.mean_low, o.mean_low));
    CHECK(same_bits(m.scatter, o.scatter));
    CHECK(other.classes.weight == whole.classes.weight);
  }
  for (Index size : {Index{5003}, Index{65536}, Index{70001}}) {
    ModelStatistics total(plan);
    for (Index begin = 0; begin < n; begin += size) {
      const IntVector part(group.begin() + begin, group.end());
      total.merge(plan,
                  collect(plan, part_of(frame, begin, std::min<Index>(size, n - begin)), part));
    }
    const Moments& o = statistics<Gaussian>(total).moments;
    CHECK(same_bits(m.weight, o.weight));
    CHECK(largest_difference(m.mean, o.mean) <= 1e-12);
    CHECK((m.scatter - o.scatter).cwiseQuotient(m.scatter).cwiseAbs().maxCoeff() <= 1e-12);
  }
}

TEST_CASE("an exception in a task reaches the caller") {
  const Vector x(200000, 1.0);
  const IntVector group(x.size(), 1);
  const ModelPlan plan = gaussian_plan(1, 1);
  const Frame frame = frame_of(x);
  Rows rows;
  rows.group = group.data();
  rows.groups = 1;
  Context context = threads(3);
  const auto run = context.run;
  context.run = [&](Index tasks, const std::function<void(Index)>& task) {
    run(tasks, [&](Index i) {
      if (i == 1) throw InvalidState("stop");
      task(i);
    });
  };
  Diagnostics problems;
  CHECK_THROWS_AS(StatisticsCollector(plan, frame, rows).collect(context, problems), InvalidState);
}

TEST_CASE("no threads at all is one thread, not for ever") {
  const Vector x{1, 2, 4};
  const IntVector group(3, 1);
  const ModelPlan plan = gaussian_plan(1, 1);
  const Frame frame = frame_of(x);
  Rows rows;
  rows.group = group.data();
  rows.groups = 1;
  Context context;
  context.threads = 0;
  int calls = 0;
  context.run = [&](Index tasks, const std::function<void(Index)>& task) {
    if (++calls > 3) throw InvalidState("for ever");
    for (Index i = 0; i < tasks; ++i) task(i);
  };
  Diagnostics problems;
  ModelStatistics all;
  CHECK_NOTHROW(all = StatisticsCollector(plan, frame, rows).collect(context, problems));
  CHECK(all.classes.rows == Vector{3});
}

TEST_CASE("weights are copies, no weight is no row") {
  const Vector x{1, 2, 4}, weight{1, 2, 1};
  const Moments m = moments_of(x, weight), copies = moments_of({1, 2, 2, 4});
  CHECK(m.mean(0, 0) == 2.25);
  CHECK(m.scatter(0, 0) / 3 == doctest::Approx(19 / 12.0).epsilon(1e-15));
  CHECK(m.scatter(0, 0) == doctest::Approx(copies.scatter(0, 0)).epsilon(1e-15));
  const Moments with = moments_of({1, 1e300, 2, kNaN, 4}, {1, 0, 2, 0, 1});
  CHECK(with.mean(0, 0) == 2.25);
  CHECK(with.scatter(0, 0) == doctest::Approx(m.scatter(0, 0)).epsilon(1e-15));
  const Model ml =
      fit(gaussian_plan(1, 1), frame_of(x), {1, 1, 1}, {gaussian_options(1, false)}, {}, weight);
  CHECK(parameters<Gaussian>(ml).sd(0, 0) == doctest::Approx(std::sqrt(19 / 16.0)).epsilon(1e-15));
}

TEST_CASE("missing values, infinite values, integer columns") {
  const double inf = std::numeric_limits<double>::infinity();
  const Vector with{1, kNaN, 2, inf, 4, -inf, 100};
  const IntVector whole{1, kMissingInteger, 2, 7, 4, 7, 7};
  const IntVector group{1, 1, 1, 1, 1, 2, kMissingInteger};
  const Frame frame = frame_of({reals(with), whole_numbers(whole)}, 7);
  Diagnostics problems;
  const ModelStatistics all = collect(gaussian_plan(2, 2), frame, group, problems);
  const Moments& m = statistics<Gaussian>(all).moments;
  CHECK(found(problems, Problem::infinite, kAll, 0, 2));
  CHECK_FALSE(found(problems, Problem::infinite, kAll, 1));
  CHECK(m.weight(0, 0) == 3);
  CHECK(m.mean(0, 0) == doctest::Approx(7 / 3.0).epsilon(1e-15));
  CHECK(m.weight(1, 0) == 0);
  CHECK(m.weight(0, 1) == 4);
  CHECK(m.mean(0, 1) == 3.5);
  CHECK(m.scatter(0, 1) == doctest::Approx(21.0).epsilon(1e-15));
  CHECK(all.classes.rows == Vector{5, 1});
}

TEST_CASE("copies are recognised as constant, whatever they are") {
  for (const auto& [value, n] : {std::pair{150494407424305.47, 12},
                                 {1e15 + 0.3, 7},
                                 {0.1, 10},
                                 {-1e-300, 5},
                                 {0.1, 70000},
                                 {5e-324, 3}}) {
    CAPTURE(value);
    for (double hole : {0.0, 1.0}) {
      Vector x(n, value);
      if (hole > 0) x[1] = kNaN;
      const Model model =
          fit(gaussian_plan(1, 1), frame_of(x), IntVector(n, 1), {gaussian_options(1)});
      CHECK(statistics<Gaussian>(model.statistics).moments.scatter(0, 0) == 0);
      CHECK(found(model.problems, Problem::constant, 0, 0));
      const Model floored =
          fit(gaussian_plan(1, 1), frame_of(x), IntVector(n, 1), {gaussian_options(1, true, .25)});
      CHECK(floored.problems.empty());
      CHECK(parameters<Gaussian>(floored).sd(0, 0) == 0.5);
    }
  }
}

TEST_CASE("what cannot be estimated is said") {
  const Vector x{1, 2, 5, kNaN, 1e200, -1e200, 1e-200, -1e-200, 3};
  const IntVector group{1, 1, 2, 3, 4, 4, 5, 5, 6};
  const Vector weight{1, 1, 1, 1, 1, 1, 1, 1, 0.5};
  const Model model =
      fit(gaussian_plan(7, 1), frame_of(x), group, {gaussian_options(1)}, {}, weight);
  CHECK(found(model.problems, Problem::too_light, 1, 0, 1));
  CHECK(found(model.problems, Problem::empty, 2, 0));
  CHECK(found(model.problems, Problem::overflow, 3, 0));
  CHECK(found(model.problems, Problem::constant, 4, 0));
  CHECK(found(model.problems, Problem::too_light, 5, 0, 0.5));
  CHECK(model.problems.items().size() == 5);  // the class without rows is none
  CHECK(model.problems.items()[0].bank == 0);
}

TEST_CASE("numbers near the largest double overflow, they do not pass as constant") {
  for (const Vector& x : {Vector{1.7e308, -1.7e308, 1.7e308, -1.7e308}, {1e308, 1.2e308, 1e308}}) {
    for (double minimum : {0.0, 1.0}) {
      const Model model = fit(gaussian_plan(1, 1), frame_of(x), IntVector(x.size(), 1),
                              {gaussian_options(1, true, minimum)});
      CHECK(found(model.problems, Problem::overflow, 0, 0));
    }
  }
}

TEST_CASE("parts further apart than the largest double scatter beyond it, however many there are") {
  Moments all = moments_of({1.7e308, 1.6e308});
  for (double middle : {-1.7e308, 0.0, 1.7e308}) all.merge(moments_of({middle, middle}));
  CHECK(all.weight(0, 0) == 8);
  CHECK(all.scatter(0, 0) == -kNegativeInfinity);
}

TEST_CASE("posterior of two normals in closed form, far out in the tails too") {
  const Vector x{-1, 0, 1, 9, 10, 11};
  const Model model =
      fit(gaussian_plan(2, 1), frame_of(x), {1, 1, 1, 2, 2, 2}, {gaussian_options(1)});
  const Vector at{5, 0, -29, -100, 1e3, 40};
  const Frame frame = frame_of(at);
  const Matrix prob = score_numbers(model, frame, Output::prob);
  const Matrix log_prob = score_numbers(model, frame, Output::log_prob);
  CHECK(prob(0, 0) == 0.5);
  CHECK(digits(prob(1, 1), 1.9287498479639178e-22) >= 13);
  CHECK(digits(prob(2, 1), 2.1871378321977184e-148) >= 12);
  CHECK(prob(3, 0) == 1);
  CHECK(log_prob(3, 1) == -1050);
  CHECK(log_prob(4, 0) == -9950);
  CHECK(score_choices(model, frame, Output::class_) == IntVector{1, 1, 1, 1, 2, 2});
  Model rare = model;
  rare.estimate.prior = {1, 1e-300};
  const Vector far{40, 80};
  const Matrix l = score_numbers(rare, frame_of(far), Output::log_joint);
  CHECK(digits(l(0, 1) - l(0, 0), -340.77552789821371) >= 13);
  CHECK(digits(l(1, 1) - l(1, 0), 59.224472101786295) >= 12);
}

TEST_CASE("an offset of 2^30 changes no posterior, even where a mean is no double") {
  Random random(7);
  const int n = 150;  // 50 a class: means end in .02, .04, ...
  Vector x(n), shifted(n);
  IntVector group(n);
  for (int i = 0; i < n; ++i) {
    group[i] = 1 + i / 50;
    x[i] = std::round(40 + 8 * (i / 50) + 5 * random.normal());
    shifted[i] = x[i] + 0x1p30;
  }
  const Model a = fit(gaussian_plan(3, 1), frame_of(x), group, {gaussian_options(1)});
  const Model b = fit(gaussian_plan(3, 1), frame_of(shifted), group, {gaussian_options(1)});
  const Matrix p = score_numbers(a, frame_of(x), Output::prob);
  const Matrix q = score_numbers(b, frame_of(shifted), Output::prob);
  CHECK((p - q).cwiseQuotient(p).cwiseAbs().maxCoeff() <= 1e-12);
}

TEST_CASE("a scale of 2^200 changes no posterior; 2^600 is an error") {
  const Vector x{1, 2, 4, 3, 6, 9};
  const IntVector group{1, 1, 1, 2, 2, 2};
  auto scaled = [&](double by) {
    Vector result(x);
    for (double& value : result) value *= by;
    return result;
  };
  const Model plain = fit(gaussian_plan(2, 1), frame_of(x), group, {gaussian_options(1)});
  const Matrix p = score_numbers(plain, frame_of(x), Output::prob);
  for (double by : {0x1p200, 0x1p-200}) {
    const Vector y = scaled(by);
    const Model model = fit(gaussian_plan(2, 1), frame_of(y), group, {gaussian_options(1)});
    CHECK(model.problems.empty());
    CHECK(largest_difference(p, score_numbers(model, frame_of(y), Output::prob)) <= 1e-12);
  }
  const Vector tiny = scaled(0x1p-600), huge = scaled(0x1p600);
  CHECK(found(fit(gaussian_plan(2, 1), frame_of(tiny), group, {gaussian_options(1)}).problems,
              Problem::constant, 1, 0));
  CHECK(found(fit(gaussian_plan(2, 1), frame_of(huge), group, {gaussian_options(1)}).problems,
              Problem::overflow, 1, 0));
}

TEST_CASE("a missing feature is left out, an infinite one leaves the row without answer") {
  const std::vector<Vector> x{{-1, 0, 1, 9, 10, 12}, {3, 5, 4, 1, 1.5, 7}};
  const IntVector group{1, 1, 1, 2, 2, 2};
  const Model both = fit(gaussian_plan(2, 2), frame_of(x), group, {gaussian_options(2)});
  const Model first = fit(gaussian_plan(2, 1), frame_of(x[0]), group, {gaussian_options(1)});
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Vector> rows{{4.5, kNaN, inf, 4.5}, {kNaN, kNaN, 3, 3}};
  ScoreReport report;
  const Matrix p = score_numbers(both, frame_of(rows), Output::prob, nullptr, 1, &report);
  const Matrix expected = score_numbers(first, frame_of(rows), Output::prob);
  CHECK(p(0, 1) == expected(0, 1));
  CHECK(p(1, 0) == 0.5);
  CHECK(std::isnan(p(2, 0)));
  CHECK(std::isnan(p(2, 1)));
  CHECK(std::isfinite(p(3, 0)));
  CHECK(report.infinite == 1);
  CHECK(report.impossible == 0);
  const IntVector choice = score_choices(both, frame_of(rows), Output::class_);
  CHECK(choice[2] == kMissingInteger);
  CHECK(choice[0] == 2);
  for (Output output :
       {Output::log_prob, Output::log_joint, Output::log_likelihood, Output::log_evidence}) {
    const Matrix value = score_numbers(both, frame_of(rows), output);
    CHECK(std::isnan(value(2, 0)));
    CHECK(std::isfinite(value(3, 0)));
  }
}

TEST_CASE("finite, but farther out than the logarithm reaches: impossible, never a wrong class") {
  const Vector x{-1, 0, 1, 9, 10, 12};
  const Model model =
      fit(gaussian_plan(2, 1), frame_of(x), {1, 1, 1, 2, 2, 2}, {gaussian_options(1)});
  const Vector far{1e200, -1.7e308, 1e150};
  ScoreReport report;
  const IntVector choice = score_choices(model, frame_of(far), Output::class_, nullptr, 1, &report);
  CHECK(choice == IntVector{kMissingInteger, kMissingInteger, 2});
  CHECK(report.impossible == 2);
}

TEST_CASE("the log likelihood is the sum over the rows of log p(x, y)") {
  const std::vector<Vector> x{{-1, 0, 1, 9, 10, 12, 5}, {3, 5, kNaN, 1, 1.5, 7, 2}};
  const IntVector group{1, 1, 1, 2, 2, 2, 2};
  const Model model = fit(gaussian_plan(2, 2), frame_of(x), group, {gaussian_options(2)});
  const Matrix joint = score_numbers(model, frame_of(x), Output::log_joint);
  double total = 0;
  for (int i = 0; i < 7; ++i) total += joint(i, group[i] - 1);
  CHECK(model.estimate.log_likelihood == doctest::Approx(total).epsilon(1e-13));
  CHECK(model.estimate.parameter_count == 1 + 8);
}

TEST_CASE("2000 features, three classes: no NaN, rows sum to 1") {
  Random random(8);
  const int features = 2000, n = 80;
  std::vector<Vector> x(features, Vector(n));
  IntVector group(n);
  for (int i = 0; i < n; ++i) group[i] = 1 + i % 3;
  for (Vector& column : x) {
    for (int i = 0; i < n; ++i) column[i] = random.normal() + 0.1 * group[i];
  }
  const Model model =
      fit(gaussian_plan(3, features), frame_of(x), group, {gaussian_options(features)});
  const Matrix p = score_numbers(model, frame_of(x), Output::prob);
  CHECK(p.allFinite());
  CHECK((p.rowwise().sum().array() - 1).abs().maxCoeff() <= 1e-12);
}

TEST_SUITE_END();

}  // namespace test_gaussian
