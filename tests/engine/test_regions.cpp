#include "helpers.hpp"

#include <engine/regions/marginal_regions.hpp>
#include <engine/risk/line_risk.hpp>
#include <engine/risk/rule_grid.hpp>

#include <doctest/doctest.h>

#include <numeric>

using namespace testing;

namespace test_regions {

namespace {

const double inf = std::numeric_limits<double>::infinity();

Normals line_of(std::initializer_list<std::pair<double, double>> normals) {
  Normals line;
  for (const auto& [mean, sd] : normals) line.classes.push_back({{0.0, mean, sd}});
  return line;
}

Cost zero_one(int classes) {
  return {Matrix(Matrix::Ones(classes, classes) - Matrix::Identity(classes, classes))};
}

Cost cost_of(std::initializer_list<Vector> rows) {
  Cost cost;
  cost.of.resize(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index a = 0;
  for (const Vector& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) cost.of(a, static_cast<Index>(k)) = row[k];
    ++a;
  }
  return cost;
}

void check_cuts(const Regions& regions, const Vector& cuts, double tolerance) {
  REQUIRE(regions.cut.size() == cuts.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    CHECK(relative_error(regions.cut[i], cuts[i]) <= tolerance);
  }
}

double risk(const Normals& world, const Vector& log_prior, const Cost& cost, const Regions& rule) {
  Matrix table = Matrix::Zero(cost.of.cols(), cost.of.rows());
  add_probabilities(world, log_prior, rule, table);
  return (table.transpose().array() * cost.of.array()).sum();
}

int decision_at(const Regions& regions, double x) {
  const auto at = std::upper_bound(regions.cut.begin(), regions.cut.end(), x);
  return regions.decision[static_cast<std::size_t>(at - regions.cut.begin())];
}

// Expected costs in 113 bits, relative to the largest log density, and the decision
// by them; -1 where the two cheapest are nearer to each other than `band`.
int reference_decision(const Normals& line, const Vector& log_prior, const Cost& cost, double x,
                       double band) {
  const std::size_t classes = line.classes.size();
  std::vector<Quad> density(classes, 0), size(static_cast<std::size_t>(cost.of.rows()), 0);
  double largest = -inf;
  auto log_term = [&](std::size_t k, const NormalComponent& t) {
    const double z = (x - t.mean) / t.sd;
    return log_prior[k] + t.log_weight - std::log(t.sd) - 0.5 * z * z;
  };
  for (std::size_t k = 0; k < classes; ++k) {
    for (const NormalComponent& t : line.classes[k]) largest = std::max(largest, log_term(k, t));
  }
  for (std::size_t k = 0; k < classes; ++k) {
    for (const NormalComponent& t : line.classes[k])
      density[k] += std::exp(log_term(k, t) - largest);
  }
  std::vector<Quad> expected;
  for (Index a = 0; a < cost.of.rows(); ++a) {
    Quad sum = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      sum += density[k] * static_cast<Quad>(cost.of(a, static_cast<Index>(k)));
    }
    expected.push_back(sum);
  }
  std::size_t best = 0;
  for (std::size_t a = 1; a < expected.size(); ++a) {
    if (expected[a] < expected[best]) best = a;
  }
  for (std::size_t a = 0; a < expected.size(); ++a) {
    if (a != best && expected[a] - expected[best] <= static_cast<Quad>(band)) return -1;
  }
  return static_cast<int>(best);
}

struct Case {
  Normals line;
  Vector log_prior;
  Cost cost;
};

// Few or many classes and components, wide and narrow, far apart or on top of each
// other; costs of any shape, with equal ones among them.
Case random_problem(Random& random) {
  Case problem;
  const int classes = 2 + random.below(5), actions = 2 + random.below(4);
  const double spread = std::pow(10, 4 * random.uniform() - 2);
  const double range = random.below(2) ? 1 : 3;
  for (int k = 0; k < classes; ++k) {
    std::vector<NormalComponent> terms(static_cast<std::size_t>(1 + random.below(3)));
    double total = 0;
    for (NormalComponent& t : terms) {
      const double weight = 0.05 + random.uniform();
      total += weight;
      t = {weight, spread * random.normal(), std::pow(10, range * (random.uniform() - 0.5))};
      if (random.below(4) == 0) t.sd = 1;
      if (random.below(6) == 0) t.mean = 0;
    }
    for (NormalComponent& t : terms) t.log_weight = std::log(t.log_weight / total);
    problem.line.classes.push_back(terms);
    problem.log_prior.push_back(std::log(random.uniform() + 1e-9) * (random.below(5) ? 1 : 5));
  }
  problem.cost.of.resize(actions, classes);
  for (Index i = 0; i < problem.cost.of.size(); ++i) {
    problem.cost.of.data()[i] = random.below(3) ? 10 * random.uniform() : random.below(3);
  }
  if (random.below(3) == 0) problem.cost.of.row(actions - 1).setConstant(random.uniform());
  if (random.below(3) == 0) problem.cost = zero_one(classes);
  return problem;
}

Vector points_to_try(const Case& problem, const Regions& regions, Random& random) {
  Vector points;
  for (const auto& terms : problem.line.classes) {
    for (const NormalComponent& t : terms) {
      for (int i = 0; i < 100; ++i) points.push_back(t.mean + 8 * t.sd * (random.uniform() - 0.5));
      for (int i = 0; i < 20; ++i) {
        points.push_back(t.mean + t.sd * random.normal() * std::pow(10, 4 * random.uniform()));
      }
    }
  }
  for (double cut : regions.cut) {
    for (double step : {1e-3, 1e-5, 1e-7}) {
      points.push_back(cut + step * (1 + std::abs(cut)));
      points.push_back(cut - step * (1 + std::abs(cut)));
    }
  }
  return points;
}

}  // namespace

TEST_SUITE_BEGIN("regions");

TEST_CASE("two normals of one sd: a threshold on the likelihood ratio") {
  const Normals line = line_of({{15, 4}, {25, 4}});
  const Vector prior = log_of({.75, .25});
  const Vector cuts{20 + 1.6 * std::log(3), 20, 20 + 1.6 * std::log(3 / 5.0),
                    20 + 1.6 * std::log(3 / 10.0)};
  const Vector risks{.086377977, .158475, .202052, .270025};
  const Vector weight{1, 3, 5, 10};
  for (std::size_t i = 0; i < 4; ++i) {
    const Cost cost = cost_of({{0, weight[i]}, {1, 0}});
    const Regions regions = find_regions(line, prior, cost);
    check_cuts(regions, {cuts[i]}, 1e-14);
    CHECK(regions.decision == IntVector{0, 1});
    CHECK(regions.exact[0]);
    CHECK(relative_error(risk(line, prior, cost, regions), risks[i]) < 4e-6);
  }
}

TEST_CASE("reject: an interval in the middle, in closed form") {
  const Normals line = line_of({{15, 4}, {25, 4}});
  const Vector prior = log_of({.75, .25});
  const Regions regions = find_regions(line, prior, cost_of({{0, 1}, {1, 0}, {.1, .1}}));
  check_cuts(regions, {20 + 1.6 * std::log(3 / 9.0), 20 + 1.6 * std::log(3 * 9.0)}, 1e-14);
  CHECK(regions.decision == IntVector{0, 2, 1});
}

TEST_CASE("iris, sepal length: the widest class wins on the far left") {
  const Normals ml = line_of(
      {{5.006, std::sqrt(.121764)}, {5.936, std::sqrt(.261104)}, {6.588, std::sqrt(.396256)}});
  const Vector prior = log_of({1 / 3.0, 1 / 3.0, 1 / 3.0});
  const Regions regions = find_regions(ml, prior, zero_one(3));
  check_cuts(regions, {2.958829123, 5.454389650, 6.327819686}, 2e-10);
  CHECK(regions.decision == IntVector{2, 0, 1, 2});
  CHECK(relative_error(risk(ml, prior, zero_one(3), regions), .277883832) < 2e-9);
}

TEST_CASE("iris with general costs: zeros of sums of exponentials") {
  const Normals line = line_of({{5.006, std::sqrt(30441 / 245000.0)},
                                {5.936, std::sqrt(16319 / 61250.0)},
                                {6.588, std::sqrt(1769 / 4375.0)}});
  const Vector prior = log_of({1 / 3.0, 1 / 3.0, 1 / 3.0});
  const Regions regions = find_regions(line, prior, cost_of({{0, 2, 9}, {1, 0, 4}, {3, 1, 0}}));
  check_cuts(regions, {3.0133138438, 3.2766694391, 5.2294303184, 5.7232816451}, 1e-10);
  CHECK(regions.decision == IntVector{2, 1, 0, 1, 2});
  for (char exact : regions.exact) CHECK_FALSE(exact);
}

TEST_CASE("a class of two humps: three regions, one cut far out") {
  Normals line = line_of({{0, 1}, {5.8, .95}});
  line.classes[0] = {{std::log(.7), 3, .9}, {std::log(.3), 5.8, .8}};
  const Vector prior = log_of({.6, .4});
  const Regions regions = find_regions(line, prior, zero_one(2));
  check_cuts(regions, {-47.4313892025, 4.534771164}, 1e-10);
  CHECK(regions.decision == IntVector{1, 0, 1});
  CHECK(relative_error(risk(line, prior, zero_one(2), regions), .224854915) < 4e-9);
  const Regions at_hump{{5.8}, {0, 1}, {1}};
  CHECK(relative_error(risk(line, prior, zero_one(2), at_hump), .290391408) < 4e-9);
}

TEST_CASE("nearly equal sds: the second root is far out, and exact") {
  const double sd = 1 + 1e-9;
  const Regions regions = find_regions(line_of({{0, 1}, {1, sd}}), log_of({.5, .5}), zero_one(2));
  REQUIRE(regions.cut.size() == 2);
  // (sd^2 - 1) x^2 + 2 x - 1 - 2 sd^2 log(sd) = 0, in 113 bits.
  const Quad a = static_cast<Quad>(sd) * sd - 1;
  for (double cut : regions.cut) {
    const Quad x = cut;
    const Quad rest = a * x * x + 2 * x - 1 - 2 * static_cast<Quad>(sd) * sd * std::log1p(sd - 1);
    CHECK(std::abs(static_cast<double>(rest / (2 * a * x + 2) / x)) < 1e-13);
  }
  CHECK(regions.cut[0] < -1e8);
  CHECK(regions.decision == IntVector{1, 0, 1});
}

TEST_CASE("a spike beside a broad class keeps its region, however narrow it is") {
  for (double sd : {1e-3, 1e-20, 1e-60}) {
    const double cut = sd * std::sqrt((3.5 * 3.5 - 2 * std::log(sd)) / ((1 - sd) * (1 + sd)));
    for (const Normals& line : {line_of({{0, sd}, {-3.5, 1}}), line_of({{-3.5, 1}, {0, sd}})}) {
      const Regions regions = find_regions(line, {0, 0}, zero_one(2));
      REQUIRE(regions.cut.size() == 2);
      CHECK(decision_at(regions, 0) != decision_at(regions, 2 * cut));
      if (sd < 1e-9) check_cuts(regions, {-cut, cut}, 1e-14);
    }
  }
}

TEST_CASE("classes of one shape, one of them impossible beside the other") {
  const Normals line = line_of({{0, 1}, {-2, 8}, {0, .5}, {0, 1}});
  const Regions regions = find_regions(line, {-4216, -966, -120, -353}, zero_one(4));
  CHECK(regions.decision == IntVector{1, 3, 2, 3, 1});
  CHECK(decision_at(regions, 0) == 2);
}

TEST_CASE("ties and impossible classes") {
  const Normals line = line_of({{0, 1}, {2, 1}, {4, 1}});
  const Vector prior = log_of({.5, .5, 0});
  CHECK(find_regions(line, prior, cost_of({{1, 1, 9}, {1, 1, 0}})).decision == IntVector{0});
  CHECK(find_regions(line, prior, cost_of({{3, 1, 9}, {0, inf, 9}, {1, 3, inf}})).decision ==
        IntVector{2, 0});
  CHECK(find_regions(line, prior, cost_of({{inf, 1, 9}, {0, inf, 9}})).decision == IntVector{0});
  CHECK(find_regions(line, prior, cost_of({{inf, 1, 9}, {5, 9, 9}})).decision == IntVector{1});
  CHECK(find_regions(line, Vector(3, -inf), zero_one(3)).decision == IntVector{0});
  // Classes of one density: the more probable one everywhere.
  CHECK(find_regions(line_of({{1, 2}, {1, 2}}), log_of({.4, .6}), zero_one(2)).decision ==
        IntVector{1});
}

TEST_CASE("a zero that touches changes nothing") {
  // The third action costs what the two others do where they meet, and no less.
  const Normals line = line_of({{-1, 1}, {1, 1}});
  const Cost cost = cost_of({{0, 1}, {1, 0}, {.5, .5}});
  const Regions regions = find_regions(line, log_of({.5, .5}), cost);
  CHECK(regions.decision == IntVector{0, 1});
  CHECK(std::abs(regions.cut[0]) < 1e-15);
}

TEST_CASE("fifty classes, fifty actions") {
  Random random(5);
  Case problem;
  for (int k = 0; k < 50; ++k) {
    problem.line.classes.push_back({{0, 10 * random.normal(), 0.5 + random.uniform()}});
    problem.log_prior.push_back(std::log(random.uniform()));
  }
  problem.cost = zero_one(50);
  for (int general = 0; general < 2; ++general) {
    const Regions regions = find_regions(problem.line, problem.log_prior, problem.cost);
    for (double x : points_to_try(problem, regions, random)) {
      const int expected =
          reference_decision(problem.line, problem.log_prior, problem.cost, x, 1e-11);
      if (expected >= 0) CHECK(decision_at(regions, x) == expected);
    }
    for (Index i = 0; i < problem.cost.of.size(); ++i) {
      problem.cost.of.data()[i] *= 10 * random.uniform();
    }
  }
}

TEST_CASE("contests leave out only what cannot win") {
  Random random(29);
  for (int i = 0; i < 100; ++i) {
    const Case problem = random_problem(random);
    IntVector actions(static_cast<std::size_t>(problem.cost.of.rows()));
    std::iota(actions.begin(), actions.end(), 0);
    const auto contests =
        contests_of<SignedTerm>(problem.line.classes, problem.log_prior, problem.cost, actions);
    for (const Contest& contest : contests) {
      CHECK(contest.interval.low < contest.interval.high);
      CHECK(contest.actions.size() >= 2);
      for (int j = 0; j < 20; ++j) {
        const double low = std::max(contest.interval.low, -1e3);
        const double high = std::min(contest.interval.high, 1e3);
        if (low >= high) continue;
        const double x = low + (high - low) * random.uniform();
        const int best =
            reference_decision(problem.line, problem.log_prior, problem.cost, x, 1e-11);
        const auto& left = contest.actions;
        if (best >= 0) CHECK(std::find(left.begin(), left.end(), best) != left.end());
      }
    }
  }
}

TEST_CASE("random problems: nothing is missed") {
  Random random(17);
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const Case problem = random_problem(random);
    const Regions regions = find_regions(problem.line, problem.log_prior, problem.cost);
    REQUIRE(regions.decision.size() == regions.cut.size() + 1);
    REQUIRE(std::is_sorted(regions.cut.begin(), regions.cut.end()));
    int wrong = 0;
    for (double x : points_to_try(problem, regions, random)) {
      const int expected =
          reference_decision(problem.line, problem.log_prior, problem.cost, x, 1e-11);
      wrong += expected >= 0 && decision_at(regions, x) != expected;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("moved and stretched, the regions move and stretch along") {
  Random random(23);
  for (int i = 0; i < 60; ++i) {
    const Case problem = random_problem(random);
    const Regions regions = find_regions(problem.line, problem.log_prior, problem.cost);
    for (double scale : {0x1p-60, 8.0, 0x1p70}) {
      Normals other = problem.line;
      for (auto& terms : other.classes) {
        for (NormalComponent& t : terms) t = {t.log_weight, scale * t.mean, scale * t.sd};
      }
      const Regions stretched = find_regions(other, problem.log_prior, problem.cost);
      CHECK(stretched.decision == regions.decision);
      REQUIRE(stretched.cut.size() == regions.cut.size());
      for (std::size_t c = 0; c < regions.cut.size(); ++c) {
        CHECK(std::abs(stretched.cut[c] / scale - regions.cut[c]) <=
              1e-11 * (1 + std::abs(regions.cut[c])));
      }
    }
  }
}

TEST_CASE("probabilities of tails keep their digits") {
  CHECK(relative_error(normal_probability(10, inf), 7.619853024160526e-24) < 1e-14);
  CHECK(relative_error(normal_probability(-inf, -10), 7.619853024160526e-24) < 1e-14);
  CHECK(relative_error(normal_probability(37, 38), 5.725571222524577e-300) < 1e-12);
  CHECK(normal_probability(-inf, inf) == 1);
}

TEST_CASE("a grid to look at a rule: dense in every class, no large gap") {
  const Normals line = line_of({{0, 1}, {1000, 1e-3}});
  const RuleGrid grid = rule_grid(line, log_of({.5, .5}), 2000);
  CHECK(std::is_sorted(grid.x.begin(), grid.x.end()));
  CHECK(grid.x.front() <= -38);
  CHECK(grid.gap < 2e-3);
  CHECK(grid.gap > 5e-4);
  const auto narrow = std::count_if(grid.x.begin(), grid.x.end(),
                                    [](double x) { return std::abs(x - 1000) < 4e-3; });
  CHECK(narrow > 900);
}

TEST_SUITE_END();

}  // namespace test_regions
