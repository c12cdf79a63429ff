#include "helpers.hpp"

#include <engine/risk/bounds.hpp>
#include <engine/risk/decision_table.hpp>
#include <engine/risk/monte_carlo.hpp>
#include <engine/risk/rule_grid.hpp>

#include <doctest/doctest.h>

using namespace testing;

// Reference values are those of mpmath with 50 digits.
namespace test_negative_binomial {

namespace {

ModelPlan count_plan(int groups) { return {groups, {NegativeBinomial::Plan{{0}}}}; }

Model fit_one(const Vector& x) {
  return fit(count_plan(1), frame_of(x), IntVector(x.size(), 1), {NegativeBinomial::Options{}});
}

NegativeBinomial::Parameters laws(const std::vector<CountLaw>& of) {
  const auto count = static_cast<Index>(of.size());
  NegativeBinomial::Parameters p{Matrix(count, 1), Matrix(count, 1)};
  for (Index k = 0; k < count; ++k) {
    p.size(k, 0) = of[static_cast<std::size_t>(k)].size;
    p.mean(k, 0) = of[static_cast<std::size_t>(k)].mean;
  }
  return p;
}

// Term by term, with digits to spare.
double exact_sum(const CountLaw& law, int low, int high) {
  Quad term = std::exp(law.log_probability(0)), sum = 0;
  const Quad growth = static_cast<Quad>(law.mean) / (static_cast<Quad>(law.mean) + law.size);
  for (int n = 0; n <= high; ++n) {
    if (n > 0) term *= (n - 1 + static_cast<Quad>(law.size)) / n * growth;
    if (n >= low) sum += term;
  }
  return static_cast<double>(sum);
}

}  // namespace

TEST_SUITE_BEGIN("negative binomial");

TEST_CASE("log probabilities have their digits, whatever size and count") {
  struct Case {
    double mean, size, x, value;
  };
  for (const Case& c : {Case{5, .5, 0, -1.198947636399185272},
                        {5, .5, 7, -3.4292809622608407244},
                        {200, 3, 1000, -14.407032684471602374},
                        {1e6, .25, 3e6, -17.024065889443415165},
                        {50, 1e9, 61, -4.105643926727995182},
                        {12, 1e15, 3, -6.3370395198640150701}}) {
    CHECK(digits(CountLaw(c.mean, c.size).log_probability(c.x), c.value) > 13.5);
  }
  // The limit is Poisson's, to the last digit.
  for (double x : {0.0, 3.0, 15.0, 16.0, 400.0}) {
    const double poisson = LogPoisson(x).at(7, std::log(7.0));
    CHECK(CountLaw(7).log_probability(x) == poisson);
    CHECK(CountLaw(7, 1e300).log_probability(x) == poisson);
    CHECK(digits(CountLaw(7, 1e18).log_probability(x), poisson) > 13.5);
  }
  CHECK(CountLaw(0, 3).log_probability(0) == 0);
  CHECK(CountLaw(0, 3).log_probability(1) == kNegativeInfinity);
  for (const CountLaw& law :
       {CountLaw(-1, 1), {1, 0}, {1, -1}, {kNaN, 1}, {1, kNaN}, {kInfinity}}) {
    CHECK_FALSE(law.sound());
  }
}

TEST_CASE("probabilities of runs keep their digits in the tails") {
  for (const CountLaw& law : {CountLaw(.3, 2), {7.5, .4}, {7.5, 30}, {40, 5}, {40, 1e7}}) {
    const CountTails tails(law);
    for (int low : {0, 1, 5, 30, 90, 300}) {
      for (int width : {0, 1, 20}) {
        CHECK(relative_error(tails.between(low, low + width), exact_sum(law, low, low + width)) <
              1e-12);
      }
      CHECK(relative_error(tails.between(low, kInfinity), exact_sum(law, low, low + 4000)) < 1e-12);
      if (low == 0) continue;
      CHECK(relative_error(tails.tails(low).upper, exact_sum(law, low, low + 4000)) < 1e-11);
      CHECK(relative_error(tails.tails(low).lower, exact_sum(law, 0, low - 1)) < 1e-11);
    }
    CHECK(relative_error(tails.between(-5, kInfinity), 1) < 1e-13);
    CHECK(tails.between(3, 2) == 0);
  }
  // Many counts: by tails.
  const CountTails wide(CountLaw(1e6, .5));
  CHECK(relative_error(wide.between(0, kInfinity), 1) < 1e-15);
  const double sum = wide.between(2e6, 2e6 + 9e4) + wide.between(2e6 + 9e4 + 1, 2e6 + 3e5);
  CHECK(relative_error(sum, wide.between(2e6, 2e6 + 3e5)) < 1e-11);
}

TEST_CASE("the size is the most likely one") {
  struct Case {
    Vector x;
    double size, mean, log_likelihood;
  };
  Vector rare(20, 0.0);
  rare.push_back(300);
  for (const Case& c :
       {Case{{0, 0, 1, 3, 7, 2, 12, 0, 5}, .66997652069488183941, 10 / 3.0, -20.888760166349653676},
        {{3, 5, 4, 6, 2, 4, 9, 0, 1}, 4.0184879645839074522, 34 / 9.0, -20.846614556341537293},
        {{1000000, 1002000, 998500, 1001234, 999999},
         2305104.7694864403938,
         1000346.6,
         -42.535546118491699866},
        {rare, .0064277791385018957478, 300 / 21.0, -11.88582796823031207}}) {
    const Model model = fit_one(c.x);
    CHECK(model.problems.empty());
    CHECK(relative_error(parameters<NegativeBinomial>(model).size(0, 0), c.size) < 1e-12);
    CHECK(relative_error(parameters<NegativeBinomial>(model).mean(0, 0), c.mean) < 1e-15);
    CHECK(relative_error(model.estimate.log_likelihood, c.log_likelihood) < 1e-13);
  }
}

TEST_CASE("counts that are not overdispersed are Poisson's") {
  for (const Vector& x : {Vector{4, 4, 4}, {0, 0, 0}, {3, 4, 5, 3, 4}, {7}}) {
    const Model model = fit_one(x);
    CHECK(model.problems.empty());
    CHECK(parameters<NegativeBinomial>(model).size(0, 0) == kInfinity);
    const Model poisson =
        fit({1, {Poisson::Plan{{0}}}}, frame_of(x), IntVector(x.size(), 1), {Poisson::Options{}});
    CHECK(std::abs(model.estimate.log_likelihood - poisson.estimate.log_likelihood) < 1e-13);
    CHECK(model.estimate.parameter_count == 2);
  }
}

TEST_CASE("what is no count is reported by class, and impossible to a model") {
  const Vector x{1, 2.5, -1, 3, -2, std::numeric_limits<double>::infinity(), .5, kNaN};
  const IntVector group{1, 1, 2, 2, 2, 1, kMissingInteger, 1};
  Diagnostics problems;
  collect(count_plan(2), frame_of(x), group, problems);
  CHECK(problems.items().size() == 3);
  CHECK(found(problems, Problem::no_count, 0, 0, 1));
  CHECK(found(problems, Problem::no_count, 1, 0, 2));
  CHECK(found(problems, Problem::infinite, kAll, 0, 1));
  ScoreReport report;
  const Matrix p = score_numbers(count_plan(2), {laws({{1, 2}, {3, 2}})}, {.5, .5}, frame_of(x),
                                 Output::prob, nullptr, 1, &report);
  for (Index r : {1, 2, 4, 5, 6}) CHECK(std::isnan(p(r, 0)));
  CHECK(p(3, 1) > .5);
  CHECK(p(7, 0) == .5);
  CHECK(report.impossible == 4);
}

TEST_CASE("an empty class and counts beyond a double are problems") {
  const Vector x{kNaN, 1e308, 1e308, 5};
  const Model model = fit(count_plan(2), frame_of(x), {1, 2, 2, 2}, {NegativeBinomial::Options{}});
  CHECK(found(model.problems, Problem::empty, 0, 0));
  CHECK(found(model.problems, Problem::overflow, 1, 0));
}

TEST_CASE("merged parts, chunks, threads and weights count the same") {
  Random random(3);
  const std::size_t n = 150000;
  Vector x(n), weight(n);
  IntVector group(n);
  for (std::size_t r = 0; r < n; ++r) {
    x[r] = random.below(4) ? random.below(40) : random.below(2000);
    weight[r] = 1 + random.below(3);
    group[r] = 1 + random.below(3);
  }
  const ModelPlan plan = count_plan(3);
  const auto all = collect(plan, frame_of(x), group, weight);
  const auto threaded = collect(plan, frame_of(x), group, weight, 3);
  ModelStatistics merged = collect(plan, part_of(frame_of(x), 0, 1000), group, weight);
  const IntVector rest(group.begin() + 1000, group.end());
  const Vector rest_weight(weight.begin() + 1000, weight.end());
  merged.merge(plan, collect(plan, part_of(frame_of(x), 1000, static_cast<Index>(n) - 1000), rest,
                             rest_weight));
  for (std::size_t g = 0; g < 3; ++g) {
    const Points& one = statistics<NegativeBinomial>(all).points[g];
    CHECK(one == statistics<NegativeBinomial>(threaded).points[g]);
    CHECK(one == statistics<NegativeBinomial>(merged).points[g]);
  }
  NegativeBinomial::Statistics part = statistics<NegativeBinomial>(all);
  part.check({{0}}, 3);
  CHECK(part.of_groups(NegativeBinomial::Plan{{0}}, 1, 1).points[0] == part.points[1]);
  const Mapping mapping{4, {3, 0, 1}, {0}, {{}}};
  CHECK(part.realign(NegativeBinomial::Plan{{0}}, NegativeBinomial::Plan{{0}}, mapping).points[3] ==
        part.points[0]);
  part.points[0](0, 0) = -1;
  CHECK_THROWS_AS(part.check({{0}}, 3), InvalidState);
  CHECK_THROWS_AS((NegativeBinomial::Plan{{0, 1}}).check(), InvalidState);
  CHECK_THROWS_AS(laws({{1, 1}}).check({{0}}, 2), InvalidState);
}

TEST_CASE("counts of a table and beyond it, one by one") {
  const std::vector<AnyParameters> known{laws({{0, 2}, {.3, .1}, {20, 5}, {300, kInfinity}})};
  Vector x{kNaN, 2.5, -1, -0.0, 1e300, 255.5};
  for (int count = 0; count < 600; ++count) x.push_back(count);
  const Matrix scores =
      score_numbers(count_plan(4), known, Vector(4, .25), frame_of(x), Output::log_likelihood);
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (int k = 0; k < 4; ++k) {
      const double expected =
          std::isnan(x[r]) ? 0
                           : log_density(known[0].as<NegativeBinomial::Parameters>().law(k), x[r]);
      CHECK(scores(static_cast<Index>(r), k) == expected);
    }
  }
}

TEST_CASE("draws invert the distribution function") {
  const ModelPlan plan = count_plan(5);
  const std::vector<AnyParameters> banks{
      laws({{0, 1}, {2, .5}, {40, kInfinity}, {1e6, .7}, {3e7, 1e9}})};
  const Drawer drawer(plan, banks);
  DrawnRows rows(drawer.levels(), 1);
  for (int k = 0; k < 5; ++k) {
    const CountTails tails(banks[0].as<NegativeBinomial::Parameters>().law(k));
    for (double u : {1e-9, .1, .5, .9, 1 - 1e-9}) {
      drawer.draw(k, &u, 0, rows);
      const double x = rows.number(0, 0);
      if (k == 0) {
        CHECK(x == 0);
        continue;
      }
      CHECK(tails.tails(x).lower <= u * (1 + 1e-10));
      CHECK(tails.tails(x + 1).upper <= (1 - u) * (1 + 1e-10));
    }
  }
}

TEST_CASE("regions of counts: as predict() decides, count by count") {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    const int classes = 2 + random.below(4);
    Counts world;
    Vector prior;
    for (int k = 0; k < classes; ++k) {
      const double mean = random.below(9) ? std::exp(5 * random.uniform() - 1) : 0;
      world.classes.emplace_back(mean,
                                 random.below(4) ? std::exp(8 * random.uniform() - 3) : kInfinity);
      prior.push_back(.05 + random.uniform());
    }
    const Vector log_prior = log_of(prior);
    Cost cost{Matrix(2 + random.below(3), classes)};
    for (Index i = 0; i < cost.of.size(); ++i) cost.of.data()[i] = 8 * random.uniform();
    const Regions regions = find_regions(world, log_prior, cost);
    PointRule rule(log_prior, cost);
    for (double n = 0; n < 2e4; n = n < 600 ? n + 1 : std::floor(1.1 * n)) {
      const auto at = std::upper_bound(regions.cut.begin(), regions.cut.end(), n);
      const auto region = static_cast<std::size_t>(at - regions.cut.begin());
      const int expected = rule.decide_at(world, n);
      // If the probability of a class underflows, costs may tie.
      CAPTURE(n);
      CHECK(regions.decision[region] == expected);
    }
    Matrix table = Matrix::Zero(classes, cost.actions());
    add_probabilities(world, log_prior, regions, table);
    for (int k = 0; k < classes; ++k) {
      CHECK(std::abs(table.row(k).sum() - prior[static_cast<std::size_t>(k)]) < 1e-12);
    }
  }
}

TEST_CASE("classes of large counts are told apart without looking at each") {
  const Counts world{{{1e8, 50}, {3e8, 2}}};
  const Vector even = log_of({.5, .5});
  const Regions regions = find_regions(world, even, zero_one(2));
  REQUIRE(regions.decision == IntVector{1, 0, 1});
  for (double cut : regions.cut) {
    const double below = std::floor(cut);
    const auto lead = [&](double x) {
      return log_density(world.classes[0], x) - log_density(world.classes[1], x);
    };
    CHECK(lead(below) * lead(below + 1) <= 0);
  }
}

TEST_CASE("infinite sizes are Poisson's everywhere") {
  const Counts infinite{{{2, kInfinity}, {8, kInfinity}}}, poisson{{{2}, {8}}};
  const Vector even = log_of({.5, .5});
  CHECK(find_regions(infinite, even, zero_one(2)).cut ==
        find_regions(poisson, even, zero_one(2)).cut);
  CHECK(log_overlap(infinite.classes[0], infinite.classes[1])(.3) ==
        log_overlap(poisson.classes[0], poisson.classes[1])(.3));
}

TEST_CASE("overlaps are sums over all counts") {
  CHECK(digits(log_overlap(CountLaw(5, .5), CountLaw(9, 3))(.3), -.131135760237335128) > 13);
  CHECK(digits(log_overlap(CountLaw(2000, 40), CountLaw(15000, .7))(.3), -1.45550406297871003) >
        12);
  for (const CountLaw& law : {CountLaw(1e7, .5), {1e6, 1e5}, {3, 4}, {1e5, kInfinity}}) {
    CHECK(std::abs(log_overlap(law, CountLaw(law.mean, std::nextafter(law.size, 1)))(.5)) < 1e-10);
  }
  CHECK(log_overlap(CountLaw(0, 1), CountLaw(4, 2))(.5) == .5 * CountLaw(4, 2).log_probability(0));
}

TEST_CASE("cells, drawn rows and bounds agree on the risk") {
  const ModelPlan plan = count_plan(2);
  const std::vector<AnyParameters> banks{laws({{2, 1}, {9, 3}})};
  const Vector prior{.4, .6};
  const Cost cost = zero_one(2);
  const View view = view_of(plan, banks, prior, 1);
  const LineWorld world{view, {}, 0, origin_of(view, 0)};
  const Matrix table = decision_table(world, ModelRule(view, world, cost), 2, Context());
  const double risk = cost_of_table(table, cost);
  double expected = 0;
  for (int n = 0; n < 2000; ++n) {
    expected += std::min(.4 * std::exp(CountLaw(2, 1).log_probability(n)),
                         .6 * std::exp(CountLaw(9, 3).log_probability(n)));
  }
  CHECK(digits(risk, expected) > 12);
  const BayesDecisions decisions(cost);
  const MonteCarloRisk drawn =
      MonteCarlo(view, {&decisions}, cost, {1, 0, 1 << 16}, Context()).run();
  CHECK(std::abs(cost_of_table(drawn.table[0], cost) - risk) < 5 * drawn.error[0] + 1e-6);
  const RiskBounds bounds = bound_risk(compare_classes(plan, banks), .4, .6);
  CHECK(bounds.lower < risk);
  CHECK(risk < bounds.chernoff);
  const RuleGrid grid = rule_grid(world.marginal_of(view), log_of(prior), 2000);
  CHECK(grid.step == 1);
  CHECK(grid.gap < 1e-12);
}

TEST_SUITE_END();

}  // namespace test_negative_binomial
