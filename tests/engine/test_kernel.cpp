#include "helpers.hpp"

#include <engine/likelihood/points/pair_counts.hpp>
#include <engine/regions/marginal_regions.hpp>
#include <engine/world/world.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_kernel {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ModelPlan kernel_plan(int groups, double points = kInfinity) {
  return {groups, {Kernel::Plan{{0}, points}}};
}

const Kernel::Options kRule{{}, 0.9};

// The log density by its definition, with 113 binary digits.
double log_density(const Vector& values, const Vector& weights, double h, double x) {
  double nearest = kInfinity, total = 0;
  for (double value : values) nearest = std::min(nearest, std::abs(x - value));
  Quad sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Quad z = (Quad(x) - values[i]) / h, z0 = Quad(nearest) / h;
    sum += weights[i] * std::exp(static_cast<double>(-(z * z - z0 * z0) / 2));
    total += weights[i];
  }
  const Quad z0 = Quad(nearest) / h;
  return static_cast<double>(std::log(static_cast<double>(sum / total)) - std::log(h) -
                             kHalfLogTwoPi - z0 * z0 / 2);
}

struct Sample {
  Vector x, w;
  IntVector group;
  Sample(int rows, int groups) {
    Random random(11);
    for (int i = 0; i < rows; ++i) {
      group.push_back(1 + i % groups);
      x.push_back(random.normal() * group.back() + 100 * (i % 7 == 0));
      w.push_back(1 + random.below(3));
    }
  }
  std::pair<Vector, Vector> of(int g) const {
    std::pair<Vector, Vector> result;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (group[i] != g) continue;
      result.first.push_back(x[i]);
      result.second.push_back(w[i]);
    }
    return result;
  }
};

// Values of one class in 3000 rows, of which a model with 256 points keeps a grid.
struct GridCase {
  std::string name;
  double (*value)(Random&, int row);
  double bandwidth, unit = 1, offset = 0;
  bool weighted = false;

  Model fit_grid(double points = 256) const {
    Random random(5);
    Vector x, w;
    for (int i = 0; i < 3000; ++i) {
      x.push_back(offset + unit * value(random, i));
      if (weighted) w.push_back(std::exp(40 * random.uniform() - 20));
    }
    return fit(kernel_plan(1, points), frame_of(x), IntVector(x.size(), 1),
               {Kernel::Options{{bandwidth * unit}, 0}}, {}, w);
  }
};

double normal_value(Random& random, int) { return random.normal(); }
double cubed_value(Random& random, int) { return 20 * std::pow(random.normal(), 3); }
double distant_value(Random& random, int row) { return random.normal() + 60 * (row % 3); }
double rounded_value(Random& random, int) { return std::round(200 * random.normal()); }

const std::vector<GridCase> kGrids{{"smooth", normal_value, .2},
                                   {"narrow", normal_value, .06},
                                   {"two bandwidths wide", normal_value, 4},
                                   {"wide", normal_value, 1e7},
                                   {"long tails", cubed_value, 5},
                                   {"gaps", distant_value, .7},
                                   {"gaps of few bandwidths", distant_value, 5},
                                   {"ties", rounded_value, 20},
                                   {"weights", normal_value, .2, 1, 0, true},
                                   {"offset", normal_value, .2, 1, 1e9},
                                   {"tiny", normal_value, .2, 1e-290},
                                   {"huge", normal_value, .2, 1e290}};

// From 1000 bandwidths below the points to 1000 above.
Vector around_points(const Points& points, double h) {
  Vector at;
  Random random(7);
  const double first = points(0, 0), last = points(points.rows() - 1, 0);
  for (int i = 0; i < 20000; ++i) {
    const auto p = static_cast<Index>(random.uniform() * static_cast<double>(points.rows()));
    at.push_back(points(p, 0) + h * (8 * random.uniform() - 4));
  }
  for (double z : {0.0, 1e-3, .5, 3.0, 9.0, 40.0, 300.0, 1e3}) {
    at.push_back(first - z * h);
    at.push_back(last + z * h);
  }
  return at;
}

}  // namespace

TEST_SUITE_BEGIN("kernel");

TEST_CASE("on a grid, series are within a hundredth of its bound") {
  for (const GridCase& grid : kGrids) {
    INFO(grid.name);
    const Model model = grid.fit_grid();
    REQUIRE(model.problems.empty());
    const auto& p = parameters<Kernel>(model);
    const Points& points = p.points[0];
    const double h = p.bandwidth[0], bound = p.step[0] / h * (p.step[0] / h) / 8;
    REQUIRE(p.step[0] > 0);
    Vector values, weights;
    for (Index i = 0; i < points.rows(); ++i) {
      values.push_back(points(i, 0));
      weights.push_back(std::exp(points(i, 1)));
    }
    const Vector at = around_points(points, h);
    const Matrix score = score_numbers(model, frame_of(at), Output::log_likelihood);
    for (std::size_t r = 0; r < at.size(); r += r + 64 < at.size() ? 37 : 1) {
      const double expected = log_density(values, weights, h, at[r]);
      CHECK(std::abs(score(r, 0) - expected) <=
            bound / 100 + 1e-13 * std::max(1.0, std::abs(expected)));
    }
  }
}

TEST_CASE("on a grid, most rows are scored by series, whatever the number of rows and threads") {
  for (const GridCase& grid : kGrids) {
    INFO(grid.name);
    const Model model = grid.fit_grid();
    const auto& p = parameters<Kernel>(model);
    const KernelDensity exact(p.points[0], p.bandwidth[0]);
    const Vector at = around_points(p.points[0], p.bandwidth[0]);
    const Frame frame = frame_of(at);
    const Matrix score = score_numbers(model, frame, Output::log_likelihood);
    CHECK(same_bits(score, score_numbers(model, frame, Output::log_likelihood, nullptr, 3)));
    // Outside of the points no series is used, nor with 1e8 steps in a bandwidth. Some series give
    // the same double as the sum.
    const Points& points = p.points[0];
    int different = 0, inside = 0;
    for (std::size_t r = 0; r < at.size(); ++r) {
      different += score(r, 0) != exact.log_density(at[r]);
      inside += at[r] >= points(0, 0) && at[r] <= points(points.rows() - 1, 0);
    }
    CHECK((grid.bandwidth == 1e7 ? different == 0 : 3 * different > inside));
    for (Index r = 0; r < frame.rows; r += 97) {
      const Matrix one = score_numbers(model, part_of(frame, r, 1), Output::log_likelihood);
      CHECK(same_bits(one(0, 0), score(r, 0)));
    }
  }
}

TEST_CASE("without a grid, or outside of the data, the density is the sum") {
  for (const GridCase& grid : kGrids) {
    INFO(grid.name);
    for (double points : {256.0, kInfinity}) {
      const Model model = grid.fit_grid(points);
      const auto& p = parameters<Kernel>(model);
      const KernelDensity exact(p.points[0], p.bandwidth[0]);
      Vector at = around_points(p.points[0], p.bandwidth[0]);
      if (points == 256.0) at.erase(at.begin(), at.end() - 12);
      const Matrix score = score_numbers(model, frame_of(at), Output::log_likelihood);
      for (std::size_t r = 0; r < at.size(); ++r) {
        CHECK(same_bits(score(r, 0), exact.log_density(at[r])));
      }
    }
  }
}

TEST_CASE("series of classes far apart: each class in the rows of the other") {
  Vector x;
  IntVector group;
  Random random(8);
  for (int i = 0; i < 4000; ++i) {
    group.push_back(1 + i % 2);
    x.push_back(random.normal() + 100 * (i % 2));
  }
  const Frame frame = frame_of(x);
  const Model model = fit(kernel_plan(2, 512), frame, group, {Kernel::Options{{.2, .3}, 0}});
  const auto& p = parameters<Kernel>(model);
  const Matrix score = score_numbers(model, frame, Output::log_likelihood);
  int different = 0;
  for (int k = 0; k < 2; ++k) {
    const KernelDensity exact(p.points[k], p.bandwidth[k]);
    const double ratio = p.step[k] / p.bandwidth[k];
    for (std::size_t r = 0; r < x.size(); ++r) {
      const double expected = exact.log_density(x[r]);
      CHECK(std::abs(score(r, k) - expected) <= ratio * ratio / 800 + 1e-13 * std::abs(expected));
      different += score(r, k) != expected && group[r] != k + 1;
    }
  }
  CHECK(different > 2000);
}

TEST_CASE("X19: log densities, near and far") {
  const Vector x{0, 1, 10, 11};
  const Model model = fit(kernel_plan(2), frame_of(x), {1, 1, 2, 2}, {Kernel::Options{{1, 1}, 0}});
  const Vector at{5, 5.5, -60, kInfinity, kNaN, 1e155, -1e9};
  const Frame frame = frame_of(at);
  const Matrix score = score_numbers(model, frame, Output::log_likelihood);
  CHECK(digits(score(0, 0), -9.6010379689160242) >= 15);
  CHECK(digits(score(0, 1), -14.108007270494047) >= 15);
  CHECK(digits(score(2, 0) - score(2, 1), 650) >= 14);
  ScoreReport report;
  const Matrix p = score_numbers(model, frame, Output::prob, nullptr, 1, &report);
  CHECK(p(1, 0) == .5);
  CHECK(p(4, 0) == .5);
  CHECK(p(6, 0) == 1);
  CHECK(report.infinite == 1);
  CHECK(report.impossible == 1);
}

TEST_CASE("values so far apart that of each pair only the nearer one counts") {
  const Vector x{0, 1000};
  const Model model = fit(kernel_plan(1), frame_of(x), {1, 1}, {Kernel::Options{{1}, 0}});
  const Vector at{10, 990};
  const Matrix score = score_numbers(model, frame_of(at), Output::log_likelihood);
  for (int i = 0; i < 2; ++i) CHECK(digits(score(i, 0), std::log(.5) - 50 - kHalfLogTwoPi) >= 14);
}

TEST_CASE("densities are those of the definition, wherever they are taken") {
  const Sample sample(3000, 3);
  const Vector h{.05, .5, 20};
  const Model model =
      fit(kernel_plan(3), frame_of(sample.x), sample.group, {Kernel::Options{h, 0}}, {}, sample.w);
  REQUIRE(model.problems.empty());
  Vector at{-1e6, -40, 50.0, 99, 1e4};
  for (int i = 0; i < 40; ++i) at.push_back(sample.x[31 * i] + .013 * i);
  const Frame frame = frame_of(at);
  const Matrix score = score_numbers(model, frame, Output::log_likelihood);
  for (int k = 0; k < 3; ++k) {
    const auto [values, weights] = sample.of(k + 1);
    for (std::size_t r = 0; r < at.size(); ++r) {
      const double expected = log_density(values, weights, h[k], at[r]);
      CHECK(std::abs(score(r, k) - expected) <= 1e-13 * std::max(1.0, std::abs(expected)));
    }
  }
  const Matrix again = score_numbers(model, frame, Output::log_likelihood, nullptr, 3);
  CHECK(same_bits(score, again));
}

TEST_CASE("a heavy kernel far away beside a light one nearby") {
  const Vector x{0, 40}, w{1, 1e250};
  const Model model = fit(kernel_plan(1), frame_of(x), {1, 1}, {Kernel::Options{{1}, 0}}, {}, w);
  const Vector at{15, 10, 0};
  const Matrix score = score_numbers(model, frame_of(at), Output::log_likelihood);
  for (int r = 0; r < 3; ++r) {
    const double near = std::log(1e-250) - .5 * at[r] * at[r];
    const double far = -.5 * (40 - at[r]) * (40 - at[r]);
    CHECK(digits(score(r, 0), log_add(near, far) - kHalfLogTwoPi) >= 13);
  }
}

TEST_CASE("on a grid, weights of all sizes that a double has") {
  Random random(12);
  Vector x, w;
  for (int i = 0; i < 2000; ++i) {
    x.push_back(random.normal());
    w.push_back(std::exp(1400 * random.uniform() - 700));
  }
  const Model model = fit(kernel_plan(1, 256), frame_of(x), IntVector(x.size(), 1),
                          {Kernel::Options{{.2}, 0}}, {}, w);
  const auto& p = parameters<Kernel>(model);
  const KernelDensity exact(p.points[0], .2);
  const Matrix score = score_numbers(model, frame_of(x), Output::log_likelihood);
  const double bound = p.step[0] / .2 * (p.step[0] / .2) / 8;
  for (std::size_t r = 0; r < x.size(); ++r) {
    const double expected = exact.log_density(x[r]);
    CHECK(std::abs(score(r, 0) - expected) <= bound / 100 + 1e-13 * std::abs(expected));
  }
}

TEST_CASE("X20: bandwidths of the rule, of copies where rows weigh") {
  const auto bandwidth = [](const Vector& x, const Vector& w = {}) {
    const Model model = fit(kernel_plan(1), frame_of(x), IntVector(x.size(), 1), {kRule}, {}, w);
    REQUIRE(model.problems.empty());
    return parameters<Kernel>(model).bandwidth[0];
  };
  CHECK(digits(bandwidth({1, 1, 1, 1, 2}), 0.29171818740469724) >= 15);
  CHECK(digits(bandwidth({2, 1}, {1, 4}), 0.29171818740469724) >= 15);
  // R's bw.nrd0() of 1, 2, 4, 8, 9, 20: quartiles 2.5 and 8.75.
  CHECK(digits(bandwidth({8, 1, 20, 2, 9, 4}), .9 * 6.25 / 1.34 * std::pow(6, -.2)) >= 14);
  CHECK(digits(bandwidth({8, 1, 20, 2, 9, 4}, {2, 1, 1, 3, 1, 2}),
               bandwidth({8, 8, 1, 20, 2, 2, 2, 9, 4, 4})) >= 14);
}

TEST_CASE("the bandwidths of pairs: two values in closed form, and any unit") {
  Points points(2, 2);
  points << 0, 1, 1, 1;
  const PairCounts two(points);
  // One pair at 990 bins of 1.01 / 1000, from the bins 0 and 990.
  const double far = 990 * 1.01 / 1000;
  const auto error = [&](double h) {
    const double s = far / h * (far / h);
    return (0.5 + (std::exp(-s / 4) - std::sqrt(8.0) * std::exp(-s / 2)) / 2) / h;
  };
  const double h = two.cross_validated(std::sqrt(0.5));
  CHECK(error(h) <= error(h * 0.999));
  // The error falls up to the end of the interval.
  CHECK(digits(h, 1.144 * std::sqrt(0.5) * std::pow(2, -0.2)) > 6);
  points.col(0) *= 1e-200;
  const PairCounts small(points);
  CHECK(digits(small.cross_validated(std::sqrt(0.5) * 1e-200), h * 1e-200) > 6);
  CHECK(digits(small.solved(0.6e-200), two.solved(0.6) * 1e-200) > 12);
}

TEST_CASE("what has no bandwidth is said") {
  const ModelPlan plan = kernel_plan(4);
  const Vector x{5, 5, 5, 1, kNaN, -1.7e308, 1.7e308};
  const IntVector group{1, 1, 1, 2, 3, 4, 4};
  const auto collected = collect(plan, frame_of(x), group);
  const Diagnostics problems = estimate(plan, collected, {kRule}).problems;
  CHECK(found(problems, Problem::constant, 0, 0));
  CHECK(found(problems, Problem::constant, 1, 0));
  CHECK(found(problems, Problem::empty, 2, 0));
  CHECK(found(problems, Problem::overflow, 3, 0));
  Kernel::Options wide = kRule;
  wide.factor = 1e300;
  const Vector apart{0, 1e100};
  CHECK(found(fit(kernel_plan(1), frame_of(apart), {1, 1}, {wide}).problems, Problem::overflow, 0,
              0));
  const Vector near{1, 2};
  const Kernel::Options one{{1}, 0};
  const Model heavy = fit(kernel_plan(1), frame_of(near), {1, 1}, {one}, {}, {1e308, 1e308});
  CHECK(found(heavy.problems, Problem::overflow, 0, 0));
  const Model light = fit(kernel_plan(1), frame_of(near), {1, 1}, {kRule}, {}, {.5, .25});
  CHECK(found(light.problems, Problem::too_light, 0, 0, .75));
  Vector many;
  for (int i = 0; i < 1000; ++i) many.push_back(i);
  const Model coarse =
      fit(kernel_plan(1, 64), frame_of(many), IntVector(1000, 1), {Kernel::Options{{1}, 0}});
  CHECK(found(coarse.problems, Problem::coarse, 0, 0, 16));
  const Model given = fit(plan, frame_of(near), {1, 2}, {Kernel::Options{{1, 2, 3, 4}, 0}});
  CHECK(given.problems.empty());
  CHECK_FALSE(parameters<Kernel>(given).sound(2));
  CHECK(std::isnan(given.estimate.log_likelihood));
}

TEST_CASE("parts of a grid are the whole, on any number of threads") {
  const Sample sample(150000, 3);
  const Frame frame = frame_of(sample.x);
  for (double points : {100.0, 4096.0}) {
    const ModelPlan plan = kernel_plan(3, points);
    const auto all = collect(plan, frame, sample.group, sample.w);
    const auto& whole = statistics<Kernel>(all);
    whole.check(plan.banks[0].as<Kernel::Plan>(), 3);
    const auto threaded = collect(plan, frame, sample.group, sample.w, 3);
    auto parts = collect(plan, part_of(frame, 0, 70), sample.group, sample.w);
    Index begin = 70;
    for (Index rows : {90, 60000, 1, 89839}) {
      const IntVector group(sample.group.begin() + begin, sample.group.begin() + begin + rows);
      const Vector w(sample.w.begin() + begin, sample.w.begin() + begin + rows);
      parts.merge(plan, collect(plan, part_of(frame, begin, rows), group, w));
      begin += rows;
    }
    REQUIRE(begin == 150000);
    for (int g = 0; g < 3; ++g) {
      CHECK(same_bits(statistics<Kernel>(threaded).points[g], whole.points[g]));
      const auto& other = statistics<Kernel>(parts);
      CHECK(other.step[g] == whole.step[g]);
      CHECK(whole.points[g].rows() <= points);
      REQUIRE(other.points[g].rows() == whole.points[g].rows());
      CHECK(other.points[g].col(0) == whole.points[g].col(0));
      CHECK(largest_difference(other.points[g], whole.points[g]) < 1e-8);
      CHECK(digits(other.moments.scatter(g, 0), whole.moments.scatter(g, 0)) >= 12);
    }
  }
}

TEST_CASE("groups move and part") {
  const Sample sample(60, 3);
  const Kernel::Plan plan{{0}, 100};
  const auto all = collect({3, {plan}}, frame_of(sample.x), sample.group);
  const auto& s = statistics<Kernel>(all);
  Mapping mapping;
  mapping.groups = 4;
  mapping.group = {2, 0, 1};
  mapping.feature = {3};
  const Kernel::Statistics moved = s.realign(plan, {{3}, 100}, mapping);
  moved.check(plan, 4);
  CHECK(moved.points[0] == s.points[1]);
  CHECK(moved.moments.mean(2, 0) == s.moments.mean(0, 0));
  CHECK(moved.moments.scatter(1, 0) == s.moments.scatter(2, 0));
  const Kernel::Statistics part = s.of_groups(plan, 1, 2);
  part.check(plan, 2);
  CHECK(part.points[1] == s.points[2]);
  CHECK(part.moments.weight(0, 0) == s.moments.weight(1, 0));
}

TEST_CASE("a draw is a kernel, then a normal") {
  const std::vector<AnyParameters> banks{
      Kernel::Parameters{{with_log_shares(points_of({{-1, 1}, {2, 3}}))}, {.5}, {0}}};
  const ModelPlan plan = kernel_plan(1);
  const Drawer drawer(plan, banks);
  REQUIRE(drawer.uniforms() == 2);
  DrawnRows rows(drawer.levels(), 1);
  const double low[] = {.2, .5}, high[] = {.3, .975};
  drawer.draw(0, low, 0, rows);
  CHECK(rows.number(0, 0) == -1);
  drawer.draw(0, high, 0, rows);
  CHECK(digits(rows.number(0, 0), 2 + .5 * 1.959963984540054) >= 14);
}

TEST_CASE("as a world loops are the mixture of their normals") {
  const Sample sample(50, 2);
  const Model model = fit(kernel_plan(2), frame_of(sample.x), sample.group, {kRule});
  const Kernel::Parameters& p = parameters<Kernel>(model);
  Mixture::Parameters mixture;
  for (int k = 0; k < 2; ++k) {
    mixture.components.push_back(static_cast<int>(p.points[k].rows()));
    for (Index i = 0; i < p.points[k].rows(); ++i) {
      mixture.mean.push_back(p.points[k](i, 0));
      mixture.log_weight.push_back(p.points[k](i, 1));
      mixture.sd.push_back(p.bandwidth[k]);
    }
  }
  const ModelPlan plan{2, {Mixture::Plan{{0}}}};
  const std::vector<AnyParameters> banks{mixture};
  const Vector prior{.4, .6};
  const View first = view_of(model.plan, model.estimate.banks, prior, 1);
  const View second = view_of(plan, banks, prior, 1);
  const double origin = origin_of(first, 0);
  CHECK(origin == origin_of(second, 0));
  const Cost cost{(Matrix(3, 2) << 0, 3, 1, 0, .4, .4).finished()};
  const Regions a = find_regions(normals_of(first, 0, origin), first.log_prior(), cost);
  const Regions b = find_regions(normals_of(second, 0, origin), second.log_prior(), cost);
  CHECK(a.cut == b.cut);
  CHECK(a.decision == b.decision);
  CHECK(a.cut.size() > 2);
}

TEST_CASE("plans and parameters that contradict themselves are refused") {
  CHECK_THROWS_AS((Kernel::Plan{{0, 1}, 100}.check()), InvalidState);
  CHECK_THROWS_AS((Kernel::Plan{{0}, 63}.check()), InvalidState);
  CHECK_THROWS_AS((Kernel::Plan{{0}, kNaN}.check()), InvalidState);
  const Kernel::Plan plan{{0}, 100};
  CHECK_THROWS_AS((Kernel::Options{{1}, 0}.check(plan, 2)), InvalidState);
  Kernel::Parameters p{{with_log_shares(points_of({{1, 1}}))}, {1}, {0.5}};
  p.check(plan, 1);
  CHECK(p.sound(0));
  CHECK_THROWS_AS(p.check(plan, 2), InvalidState);
  for (const Vector& steps : {Vector{}, Vector{.3}, Vector{kNaN}, Vector{-1}, Vector{1, 1}}) {
    Kernel::Parameters other = p;
    other.step = steps;
    CHECK_THROWS_AS(other.check(plan, 1), InvalidState);
  }
  p.step[0] = 2;
  CHECK_FALSE(p.sound(0));
  p.step[0] = 0;
  for (double h : {0.0, -1.0, kNaN, kInfinity}) {
    p.bandwidth[0] = h;
    CHECK_FALSE(p.sound(0));
  }
  Kernel::Statistics s(plan, 1);
  s.check(plan, 1);
  for (double step : {.3, kNaN, kInfinity, -1.0}) {
    s.step[0] = step;
    CHECK_THROWS_AS(s.check(plan, 1), InvalidState);
  }
}

TEST_SUITE_END();

}  // namespace test_kernel
