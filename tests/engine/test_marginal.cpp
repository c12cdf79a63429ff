#include "helpers.hpp"

#include <engine/risk/rule_grid.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_marginal {

namespace {

// Term by term, with digits to spare.
double poisson_sum(double rate, int low, int high) {
  Quad sum = 0;
  for (int n = low; n <= high; ++n) {
    Quad term = 1;
    for (int i = 1; i <= n; ++i) term *= static_cast<Quad>(rate) / i;
    sum += term;
  }
  return static_cast<double>(sum) * std::exp(-rate);
}

// The table of a rule that decides about each count as predict() does.
Matrix enumerate(const Counts& world, const Marginal& rule, const Vector& prior,
                 const Vector& log_belief, const Cost& cost) {
  Matrix table = Matrix::Zero(static_cast<Index>(prior.size()), cost.actions());
  PointRule point(log_belief, cost);
  for (int n = 0; n <= 400; ++n) {
    const int action = std::max(0, point.decide_at(rule, n));
    for (std::size_t k = 0; k < prior.size(); ++k) {
      table(static_cast<Index>(k), action) +=
          prior[k] *
          std::exp(LogPoisson(n).at(world.classes[k].mean, std::log(world.classes[k].mean)));
    }
  }
  return table;
}

Matrix table_of(const Marginal& world, const Marginal& rule, const Vector& prior,
                const Vector& log_belief, const Cost& cost) {
  Matrix table = Matrix::Zero(static_cast<Index>(prior.size()), cost.actions());
  add_probabilities(world, log_of(prior), regions_in(world, rule, log_belief, cost), table);
  return table;
}

Cost random_cost(Random& random, int actions, int classes) {
  Cost cost{Matrix(actions, classes)};
  for (Index i = 0; i < cost.of.size(); ++i) cost.of.data()[i] = 8 * random.uniform();
  return cost;
}

Vector random_prior(Random& random, int classes) {
  Vector prior;
  double sum = 0;
  for (int k = 0; k < classes; ++k) sum += prior.emplace_back(0.05 + random.uniform());
  for (double& p : prior) p /= sum;
  return prior;
}

Steps random_steps(Random& random, int classes) {
  Steps steps;
  for (int k = 0; k < classes; ++k) {
    Steps::OfClass of;
    double edge = random.below(4), total = 0;
    Vector share;
    for (int b = 0; b < 2 + random.below(6); ++b) {
      of.edges.push_back(edge);
      edge += 1 + random.below(6) * 0.5;
      total += share.emplace_back(random.below(4) * 0.25 + (b == 0));
    }
    of.edges.push_back(edge);
    for (double s : share) of.log_probability.push_back(std::log(s / total));
    steps.classes.push_back(of);
  }
  return steps;
}

}  // namespace

TEST_SUITE_BEGIN("marginals");

TEST_CASE("probabilities of counts keep their digits in the tails") {
  const double infinity = kInfinity;
  for (double rate : {0.1, 0.3, 1.0, 7.5, 40.0}) {
    const PoissonProbability p(rate);
    for (int low : {0, 1, 5, 30, 90}) {
      for (int width : {0, 1, 20}) {
        CHECK(relative_error(p.between(low, low + width), poisson_sum(rate, low, low + width)) <
              1e-13);
      }
      CHECK(relative_error(p.between(low, infinity), poisson_sum(rate, low, low + 150)) < 1e-13);
    }
    CHECK(relative_error(p.between(-5, infinity), 1) < 1e-13);
    CHECK(p.between(3, 2) == 0);
  }
  CHECK(PoissonProbability(0).between(0, 5) == 1);
  CHECK(PoissonProbability(0).between(1, infinity) == 0);
}

TEST_CASE("negative binomial counts of any mean: P(X < mean), as R's pnbinom()") {
  const double known[][3] = {
      {.5, 1e3, .682568521899256},  {.5, 1e6, .682689371151739},   {.5, 1e9, .682689492016100},
      {.5, 1e12, .682689492136965}, {.5, 1e15, .682689492137086},  {30, 1e3, .523211950615596},
      {30, 1e6, .524281924394668},  {30, 1e9, .524283012804163},   {30, 1e12, .524283013892591},
      {30, 1e15, .524283013893677}, {1e4, 1e3, .496391367382194},  {1e4, 1e6, .501309976839569},
      {1e4, 1e9, .501329788393124}, {1e4, 1e12, .501329808320008}, {1e4, 1e15, .501329808339935}};
  for (const auto& [size, mean, lower] : known) {
    const CountTails tails(CountLaw(mean, size));
    CHECK(std::abs(tails.tails(mean).lower - lower) <= tails.error());
  }
}

TEST_CASE("geometric counts of any mean: P(X < n) = 1 - q^n; tails rise and add up to 1") {
  for (double mean = 1e3; mean < 2e15; mean *= 10) {
    const CountTails tails(CountLaw(mean, 1));
    double last = 0;
    for (double share : {1e-3, .1, .5, 1.0, 2.0, 5.0}) {
      const double n = std::floor(share * mean);
      const Tails found = tails.tails(n);
      CHECK(std::abs(found.lower + std::expm1(-n * std::log1p(1 / mean))) <= tails.error());
      CHECK(std::abs(found.lower + found.upper - 1) < 1e-14);
      CHECK(found.lower > last);
      CHECK(tails.between(n, n + 1e6) >= 0);
      last = found.lower;
    }
  }
}

TEST_CASE("sums of large rates and expansions agree") {
  for (double rate : {2e8, 1.7e10}) {
    const PoissonProbability p(rate);
    const double sd = std::sqrt(rate), middle = std::floor(rate);
    CHECK(relative_error(p.between(0, kInfinity), 1) < 1e-15);
    for (double z : {-6.0, -2.0, 0.5, 3.0, 8.0}) {
      // Few enough to be added one by one, and a difference of tails.
      const double low = std::floor(middle + z * sd), high = low + 90000;
      const double sum = p.between(low, high);
      const double tails = p.between(low, low + 400000) - p.between(high + 1, low + 400000);
      CHECK(std::abs(sum - tails) < 1e-9 * p.between(low, low + 400000) + 1e-16);
    }
  }
}

TEST_CASE("counts beyond 2^53, where x + 1 is x") {
  const double first = 0x1p53;
  CHECK(next_count(first - 1) == first);
  CHECK(next_count(first) == first + 2);
  CHECK(previous_count(first) == first - 1);
  CHECK(previous_count(first + 2) == first);
  for (double mean : {1e16, 1.7e18}) {
    for (double size : {CountLaw::kPoisson, 1e4, 1.0}) {
      const CountLaw law(mean, size), other(1.01 * mean, size);
      CHECK(log_overlap(law, other)(.5) <= 0);
      CHECK(probability_between(law, 0, kInfinity) == doctest::Approx(1));
      for (double low : {mean, 1.005 * mean}) {
        for (double high : {low, low + 4096}) {
          const double p = probability_between(law, low, high);
          CHECK(p >= 0);
          CHECK(p < 1e-4);
        }
      }
      Vector points;
      add_points(law, 100, points);
      CHECK(points.size() < 4000);
      for (std::size_t i = 1; i < points.size(); ++i) CHECK(points[i] > points[i - 1]);
    }
  }
}

TEST_CASE("any rule in a world of counts: as predict() decides, count by count") {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const int classes = 2 + random.below(3);
    Counts world, other;
    Normals line;
    Atoms atoms;
    for (int k = 0; k < classes; ++k) {
      world.classes.push_back({std::exp(5 * random.uniform() - 1)});
      other.classes.push_back({random.below(4) == 0 ? 0.0 : std::exp(5 * random.uniform() - 1)});
      line.classes.push_back({{0, 1.0 * random.below(9), 1.0 + random.below(2)}});
      const double first = random.below(5);
      atoms.classes.push_back({{first, first + 2.5, first + 3}, log_of({.25, .25, .5})});
    }
    const Vector prior = random_prior(random, classes);
    const Vector belief = log_of(random_prior(random, classes));
    const Cost cost = random_cost(random, 2 + random.below(3), classes);
    const std::vector<Marginal> rules{world, other, line, random_steps(random, classes), atoms};
    for (const Marginal& rule : rules) {
      const Matrix found = table_of(world, rule, prior, belief, cost);
      const Matrix expected = enumerate(world, rule, prior, belief, cost);
      CAPTURE(rule.index());
      CHECK(largest_difference(found, expected) < 1e-12);
    }
  }
}

TEST_CASE("between edges the shares of bins, wherever cuts are") {
  const Steps steps{{{{0, 1, 3}, log_of({.25, .75})}, {{2, 4}, {0}}}};
  Matrix table = Matrix::Zero(2, 3);
  add_probabilities(Marginal(steps), log_of({.5, .5}), {{.5, 2, 3.5}, {0, 1, 2, 0}, {}}, table);
  Matrix expected(2, 3);
  expected << .0625, .0625 + .1875, .1875 + .375 / 2 - .1875, .125, 0, .375;
  expected(0, 1) = .5 * (.125 + .375);
  expected(0, 2) = .5 * .375;
  CHECK(largest_difference(table, expected) < 1e-15);
  const Cost cost{Matrix(Matrix::Ones(2, 2) - Matrix::Identity(2, 2))};
  const Regions regions = find_regions(Marginal(steps), log_of({.5, .5}), cost);
  CHECK(regions.cut == Vector{0, 2, 4});
  CHECK(regions.decision == IntVector{kNoDecision, 0, 1, kNoDecision});
}

TEST_CASE("single values are their own regions, and unknown to other numbers") {
  const Atoms atoms{{{{1, 2}, log_of({.5, .5})}, {{2, 5}, log_of({.75, .25})}}};
  const Cost cost{Matrix(Matrix::Ones(2, 2) - Matrix::Identity(2, 2))};
  const Vector prior{.5, .5};
  Matrix expected(2, 2);
  expected << .25, .25, 0, .5;
  CHECK(largest_difference(table_of(atoms, atoms, prior, log_of(prior), cost), expected) < 1e-15);
  const Normals line{{{{0, 0, 1}}, {{0, 3, 1}}}};
  const Regions regions = regions_in(line, atoms, log_of(prior), cost);
  CHECK(regions.cut.empty());
  CHECK(regions.decision == IntVector{kNoDecision});
  expected << .25, .25, 0, .5;
  CHECK(largest_difference(table_of(atoms, line, prior, log_of(prior), cost), expected) < 1e-15);
}

TEST_CASE("between values that are neighbours among the doubles there is nothing") {
  const double next = std::nextafter(1.0, 2.0), last = std::numeric_limits<double>::max();
  const Atoms atoms{{{{1}, {0}}, {{next, last}, log_of({.5, .5})}}};
  const Cost cost{Matrix(Matrix::Ones(2, 2) - Matrix::Identity(2, 2))};
  const Regions regions = find_regions(atoms, {0, 0}, cost);
  CHECK(regions.cut == Vector{1, next, std::nextafter(next, 2.0), last});
  CHECK(regions.decision == IntVector{kNoDecision, 0, 1, kNoDecision, 1});
}

TEST_CASE("a grid has every count and every value; nothing is missed between") {
  const RuleGrid counts = rule_grid(Counts{{{2}, {9}}}, log_of({.5, .5}), 2000);
  CHECK(counts.step == 1);
  CHECK(counts.x.front() == 0);
  CHECK(counts.gap < 1e-15);
  const RuleGrid atoms = rule_grid(Atoms{{{{1, 4}, log_of({.5, .5})}}}, {0}, 2000);
  CHECK(atoms.x == Vector{1, 4});
  CHECK(atoms.gap == 0);
  const RuleGrid steps = rule_grid(Steps{{{{0, 1, 3}, log_of({.5, .5})}}}, {0}, 2000);
  CHECK(steps.gap < 1e-3);
}

TEST_CASE("mean and spread of a density that is constant between edges") {
  // E x = .25 / 2 + .75 * 2, E x^2 = .25 / 3 + .75 * 26 / 6.
  const MeanAndSd found = moments_of(Steps::OfClass{{0, 1, 3}, log_of({.25, .75})});
  CHECK(digits(found.mean, 1.625) >= 15);
  CHECK(digits(found.sd, std::sqrt(.25 / 3 + .75 * 26 / 6 - 1.625 * 1.625)) >= 15);
}

TEST_CASE("of many close normals those half their width apart are left") {
  Normals::OfClass terms;
  for (int i = 1024; i >= 0; --i)
    terms.push_back({-std::log(1025), i / 1024.0, i % 2 ? .125 : .25});
  const Normals::OfClass left = spread_out(terms);
  CHECK(left.size() == 16 + 9);
  CHECK(parts_of(terms) == left.size());
  for (const NormalComponent& term : terms) {
    CHECK(std::any_of(left.begin(), left.end(), [&](const NormalComponent& kept) {
      return kept.sd == term.sd && std::abs(kept.mean - term.mean) <= .5 * term.sd;
    }));
  }
  Vector x;
  add_points(terms, 8, x);
  CHECK(x.size() == left.size() * (9 + 2 * 68));
}

TEST_CASE("two rates: the cut is their difference over the log of their ratio") {
  const Cost cost{Matrix::Ones(2, 2) - Matrix::Identity(2, 2)};
  const Vector even = log_of({.5, .5});
  for (const auto& [low, high] : {std::pair(2.0, 8.0), {1e8, 1e8 + 1e4}}) {
    const Regions regions = find_regions(Counts{{{low}, {high}}}, even, cost);
    REQUIRE(regions.decision == IntVector{0, 1});
    CHECK(digits(regions.cut[0], (high - low) / std::log1p((high - low) / low)) >= 13);
  }
  const Regions none = extended_regions(Counts{{{0}, {0}}}, even, cost);
  CHECK(none.decision == IntVector{kNoDecision});
}

TEST_SUITE_END();

}  // namespace test_marginal
