#include "helpers.hpp"

#include <engine/risk/bounds.hpp>
#include <engine/risk/decision_table.hpp>
#include <engine/risk/monte_carlo.hpp>
#include <engine/risk/rule_grid.hpp>
#include <engine/search/next_feature.hpp>

#include <doctest/doctest.h>

using namespace testing;

// Reference values are those of mpmath with 50 digits.
namespace test_gamma {

namespace {

ModelPlan gamma_plan(int groups, int features = 1) {
  return {groups, {Gamma::Plan{first_features(features)}}};
}

Model fit_one(const Vector& x, const Vector& weight = {}) {
  return fit(gamma_plan(1), frame_of(x), IntVector(x.size(), 1), {Gamma::Options{}}, {}, weight);
}

Gamma::Parameters laws(std::initializer_list<GammaLaw> of) {
  Gamma::Parameters p{Matrix(of.size(), 1), Matrix(of.size(), 1)};
  Index k = 0;
  for (const GammaLaw& law : of) {
    p.shape(k, 0) = law.shape;
    p.rate(k++, 0) = law.rate;
  }
  return p;
}

Cost random_cost(Random& random, int actions, int classes) {
  Cost cost{Matrix(actions, classes)};
  for (Index i = 0; i < cost.of.size(); ++i) cost.of.data()[i] = 8 * random.uniform();
  return cost;
}

}  // namespace

TEST_SUITE_BEGIN("gamma");

TEST_CASE("tails have their digits, on both sides") {
  struct Case {
    double a, x, lower, upper;
  };
  for (const Case& c : {Case{.5, 1e-10, 1.1283791670578999555e-5, .999988716208329421},
                        {.5, 30, .99999999999999051426, 9.4857375710738483885e-15},
                        {3, .01, 1.6542165280748768657e-7, .99999983457834719251},
                        {3, 80, 1, 5.9217174035208071804e-32},
                        {40, 10, 7.3416363145604714222e-13, .99999999999926583637},
                        {40, 120, 1, 6.7819748529759827248e-18},
                        {1e4, 1e4, .50132980833995520038, .49867019166004479962},
                        {1e4, 1.1e4, 1, 1.6928531496469327577e-22},
                        {.01, 5, .99998824648058724915, 1.175351941275084887e-5}}) {
    const Tails tails = IncompleteGamma(c.a).tails(c.x);
    CHECK(relative_error(tails.lower, c.lower) < 1e-12);
    CHECK(relative_error(tails.upper, c.upper) < 1e-12);
  }
}

TEST_CASE("a quantile has the tails that it was asked for") {
  for (double a : {1e-3, .1, .9, 1.0, 4.5, 17.0, 1e3, 1e7, 1e13}) {
    const IncompleteGamma gamma(a);
    for (double p : {1e-300, 1e-16, 1e-5, .1, .5}) {
      const double low = gamma.quantile({p, 1 - p}), high = gamma.quantile({1 - p, p});
      // A tail is not accurate at a number that is not normal.
      const double room = 1e-11 + 1e-14 * std::sqrt(a) * std::abs(std::log(p));
      if (low > 1e-300) CHECK(relative_error(gamma.tails(low).lower, p) < room);
      CHECK(relative_error(gamma.tails(high).upper, p) < room);
    }
  }
}

TEST_CASE("log densities have their digits, whatever the shape") {
  CHECK(digits(GammaLaw(.1, 2).log_density(1e-5), 8.1782149847949940733) > 13.5);
  CHECK(digits(GammaLaw(2.5, .75).log_density(3), -1.6059696186002069411) > 13.5);
  CHECK(digits(GammaLaw(100, .5).log_density(180), -4.3461951874391024714) > 13.5);
  CHECK(digits(GammaLaw(1e12, 1e6).log_density(1000000.5), -1.0439389915379800335) > 12);
  CHECK(digits(GammaLaw(3, 1e-200).log_density(2e200), -461.82387141824919151) > 13.5);
  CHECK(digits(GammaLaw(.5, 3).log_density(40), -121.86749852564761339) > 13.5);
  CHECK(GammaLaw(2, 3).log_density(0) == kNegativeInfinity);
}

TEST_CASE("shape and rate are the most likely ones") {
  struct Case {
    Vector x, weight;
    double shape, rate, log_likelihood, tolerance;
  };
  for (const Case& c :
       {Case{{1.5, 2.25, .5, 4, 3.125},
             {},
             2.5105538441411478695,
             1.1035401512708342284,
             -8.1710406644880580345,
             1e-14},
        {{1.5, 2.25, .5, 4, 3.125},
         {1, 2, .5, 1, 3},
         5.3057100720829830154,
         2.0276599001591017893,
         -11.104495114132329068,
         1e-13},
        {{1e6 + .5, 1e6 - 1.25, 1e6 + .75, 1e6 + 2, 1e6 - .25, 1e6 - 1.5, 1e6 + .125},
         {},
         806169864124.24452318,
         806169.82093657554444,
         -10.686682939441749601,
         1e-12},
        {{1e-9, 1e-3, 1, 5, 1e4},
         {},
         .076472645673018981282,
         .00003821339098057822431,
         -1.4028452545447376408,
         1e-13},
        {{1e-300, 2e-300, 5e-301},
         {},
         3.4012005878998462742,
         2.9153147896284395906e300,
         2069.7597720860258208,
         1e-13}}) {
    const Model model = fit_one(c.x, c.weight);
    CHECK(model.problems.empty());
    CHECK(relative_error(parameters<Gamma>(model).shape(0, 0), c.shape) < c.tolerance);
    CHECK(relative_error(parameters<Gamma>(model).rate(0, 0), c.rate) < c.tolerance);
    CHECK(relative_error(model.estimate.log_likelihood, c.log_likelihood) < c.tolerance);
  }
  CHECK(fit_one({1, 2}).estimate.parameter_count == 2);
}

TEST_CASE("merged parts, chunks and threads make the same model, at a large offset too") {
  Random random(5);
  const std::size_t n = 150000;
  for (double offset : {0.0, 1e6}) {
    Vector x(n), weight(n, 1.0);
    IntVector group(n);
    for (std::size_t r = 0; r < n; ++r) {
      x[r] = offset + (offset > 0 ? random.normal() : std::exp(random.normal()));
      group[r] = 1 + random.below(3);
    }
    x[7] = kNaN;
    const ModelPlan plan = gamma_plan(3);
    const auto all = collect(plan, frame_of(x), group);
    const auto& one = statistics<Gamma>(all);
    const auto threaded = collect(plan, frame_of(x), group, weight, 3);
    CHECK(same_bits(one.deviance, statistics<Gamma>(threaded).deviance));
    ModelStatistics merged = collect(plan, part_of(frame_of(x), 0, 1000), group);
    const IntVector rest(group.begin() + 1000, group.end());
    merged.merge(plan,
                 collect(plan, part_of(frame_of(x), 1000, static_cast<Index>(n) - 1000), rest));
    for (int g = 0; g < 3; ++g) {
      const auto& other = statistics<Gamma>(merged);
      CHECK(one.weight(g, 0) == other.weight(g, 0));
      CHECK(relative_error(other.mean(g, 0), one.mean(g, 0)) < 1e-15);
      CHECK(relative_error(other.deviance(g, 0), one.deviance(g, 0)) < 1e-11);
    }
  }
}

TEST_CASE("what is not positive is reported by class, and impossible to a model") {
  const Vector x{1, 0, -1, 3, -2, std::numeric_limits<double>::infinity(), kNaN, -0.0};
  const IntVector group{1, 1, 2, 2, 2, 1, 1, kMissingInteger};
  Diagnostics problems;
  collect(gamma_plan(2), frame_of(x), group, problems);
  CHECK(problems.items().size() == 3);
  CHECK(found(problems, Gamma::not_positive, 0, 0, 1));
  CHECK(found(problems, Gamma::not_positive, 1, 0, 2));
  CHECK(found(problems, Problem::infinite, kAll, 0, 1));
  CHECK(std::string(Gamma::not_positive.text) == "not_positive");
  ScoreReport report;
  const Matrix p = score_numbers(gamma_plan(2), {laws({{2, 1}, {2, 3}})}, {.5, .5}, frame_of(x),
                                 Output::prob, nullptr, 1, &report);
  for (Index r : {1, 2, 4, 5, 7}) CHECK(std::isnan(p(r, 0)));
  CHECK(p(6, 0) == .5);
  CHECK(report.infinite == 1);
  CHECK(report.impossible == 4);
}

TEST_CASE("no value, no spread and too much of it are problems") {
  const Vector x{kNaN, .1, .1, .1, 1e308, 1.5e308, 1e-308, 7};
  const Model model = fit(gamma_plan(4), frame_of(x), {1, 2, 2, 2, 3, 3, 3, 4}, {Gamma::Options{}});
  CHECK(found(model.problems, Problem::empty, 0, 0));
  CHECK(found(model.problems, Problem::constant, 1, 0));
  CHECK(found(model.problems, Problem::overflow, 2, 0));
  CHECK(found(model.problems, Problem::constant, 3, 0));
  const Vector tiny{1e-310, 3e-310};
  const Model small = fit(gamma_plan(1), frame_of(tiny), {1, 1}, {Gamma::Options{}});
  CHECK(found(small.problems, Gamma::underflow, 0, 0));
}

TEST_CASE("scores are the log densities, whatever stands beside them in a tile") {
  const std::vector<AnyParameters> known{laws({{.3, 2}, {5, 1}, {1e12, 1e12}, {300, 1e-5}})};
  Random random(9);
  Vector x{1, 1 + 1e-6, 1e-300, 1e300, kNaN, 0, -3, 5e-324};
  for (int i = 0; i < 600; ++i) x.push_back(std::exp(20 * random.normal()));
  for (std::size_t rows : {x.size(), std::size_t{3}}) {
    const Vector some(x.begin(), x.begin() + static_cast<Index>(rows));
    const Matrix score =
        score_numbers(gamma_plan(4), known, Vector(4, .25), frame_of(some), Output::log_likelihood);
    for (std::size_t r = 0; r < rows; ++r) {
      for (int k = 0; k < 4; ++k) {
        const double expected =
            std::isnan(some[r]) ? 0
                                : known[0].as<Gamma::Parameters>().law(k, 0).log_density(some[r]);
        const double off = score(static_cast<Index>(r), k) - expected;
        CHECK((score(static_cast<Index>(r), k) == expected ||
               std::abs(off) <= 2e-14 * std::max(1.0, std::abs(expected))));
      }
    }
  }
}

TEST_CASE("statistics move with their classes and features, and know when they are damaged") {
  Gamma::Plan plan{{0, 1}}, target{{0}};
  Gamma::Statistics s(plan, 2);
  s.weight << 1, 2, 3, 4;
  s.deviance << 5, 6, 7, 8;
  const Mapping mapping{3, {2, 0}, {-1, 0}, {{}, {}}};
  const Gamma::Statistics moved = s.realign(plan, target, mapping);
  CHECK(moved.weight(2, 0) == 2);
  CHECK(moved.deviance(0, 0) == 8);
  CHECK(s.of_groups(plan, 1, 1).deviance(0, 1) == 8);
  s.check(plan, 2);
  s.deviance(0, 0) = -1;
  CHECK_THROWS_AS(s.check(plan, 2), InvalidState);
  CHECK_THROWS_AS(laws({{1, 1}}).check({{0}}, 2), InvalidState);
  for (const GammaLaw& law : {GammaLaw(0, 1),
                              {1, 0},
                              {kNaN, 1},
                              {1, kInfinity},
                              {-2, -3},
                              {1e-200, 1e200},
                              {1e200, 1e-200}}) {
    CHECK_FALSE(law.sound());
  }
}

TEST_CASE("draws invert the distribution function") {
  const ModelPlan plan = gamma_plan(3);
  const std::vector<AnyParameters> banks{laws({{.2, 3}, {1, 2}, {50, .1}})};
  const Drawer drawer(plan, banks);
  DrawnRows rows(drawer.levels(), 1);
  for (int k = 0; k < 3; ++k) {
    const GammaLaw law = banks[0].as<Gamma::Parameters>().law(k, 0);
    for (double u : {0x1p-53, 1e-5, .3, .5, .7, 1 - 0x1p-53}) {
      drawer.draw(k, &u, 0, rows);
      const Tails tails = IncompleteGamma(law.shape).tails(rows.number(0, 0) * law.rate);
      CHECK(relative_error(tails.lower, u) < 1e-12);
      CHECK(relative_error(tails.upper, 1 - u) < 1e-12);
    }
  }
}

TEST_CASE("two classes: the cut is where their densities are equal") {
  const Regions one = find_regions(Gammas{{{2, 1}, {2, 3}}}, log_of({.5, .5}), zero_one(2));
  // Equal shapes: shape log(rate ratio) / difference of the rates.
  CHECK(one.decision == IntVector{kNoDecision, 1, 0});
  CHECK(digits(one.cut[1], 2 * std::log(3.0) / 2) > 14);
  // Equal rates: a power of x.
  const Regions power = find_regions(Gammas{{{2, 3}, {4, 3}}}, log_of({.5, .5}), zero_one(2));
  CHECK(power.decision == IntVector{kNoDecision, 0, 1});
  CHECK(digits(power.cut[1], std::sqrt(6.0) / 3) > 14);
  // The same mean: the flatter class wins on both sides.
  const Regions both = find_regions(Gammas{{{2, 1}, {20, 10}}}, log_of({.5, .5}), zero_one(2));
  REQUIRE(both.decision == IntVector{kNoDecision, 0, 1, 0});
  for (double x : {both.cut[1], both.cut[2]}) {
    CHECK(std::abs(GammaLaw(2, 1).log_density(x) - GammaLaw(20, 10).log_density(x)) < 1e-13);
  }
  // At an offset of 1e6 spreads.
  const GammaLaw low(1e12, 1e6), high(1e12, 1e6 - 3);
  const Regions far = find_regions(Gammas{{low, high}}, log_of({.5, .5}), zero_one(2));
  REQUIRE(far.decision == IntVector{kNoDecision, 0, 1});
  CHECK(std::abs(low.log_density(far.cut[1]) - high.log_density(far.cut[1])) < 1e-8);
}

TEST_CASE("regions of many classes and actions: the cheapest action everywhere") {
  Random random(12);
  for (int round = 0; round < 150; ++round) {
    const int classes = 2 + random.below(4);
    Gammas world;
    Vector prior;
    for (int k = 0; k < classes; ++k) {
      const double shape = std::exp(4 * random.uniform() - 1);
      world.classes.emplace_back(random.below(4) ? shape : 2.0,
                                 shape / std::exp(2 * random.normal()));
      prior.push_back(random.below(8) ? random.uniform() : 0);
    }
    if (std::count(prior.begin(), prior.end(), 0.0) == classes) continue;
    const Vector log_prior = log_of(prior);
    const Cost cost = random_cost(random, 2 + random.below(4), classes);
    const Regions regions = find_regions(world, log_prior, cost);
    PointRule rule(log_prior, cost);
    for (double z = -40; z <= 12; z += .13) {
      const double x = std::exp(z);
      const auto i = std::upper_bound(regions.cut.begin(), regions.cut.end(), x);
      const auto at = static_cast<std::size_t>(i - regions.cut.begin());
      const bool near =
          (i != regions.cut.end() && *i < x * (1 + 1e-9)) || (at > 0 && *(i - 1) > x * (1 - 1e-9));
      if (!near) CHECK(regions.decision[at] == rule.decide_at(world, x));
    }
    // Probabilities of the regions of a class are 1.
    Matrix table = Matrix::Zero(classes, cost.actions());
    add_probabilities(world, log_prior, regions, table);
    for (int k = 0; k < classes; ++k) {
      CHECK(std::abs(table.row(k).sum() - prior[static_cast<std::size_t>(k)]) < 1e-14);
    }
  }
}

TEST_CASE("the risk of two exponential classes in closed form") {
  // Rates 1 and 4, cut log(4) / 3: both errors are powers of 4.
  const Gammas world{{{1, 1}, {1, 4}}};
  const Vector even = log_of({.5, .5});
  Matrix table = Matrix::Zero(2, 2);
  add_probabilities(world, even, regions_in(world, world, even, zero_one(2)), table);
  CHECK(digits(table(0, 1), .5 * (1 - std::pow(4, -1 / 3.0))) > 14);
  CHECK(digits(table(1, 0), .5 * std::pow(4, -4 / 3.0)) > 14);
}

TEST_CASE("a rule of one kind is evaluated in a world of any other") {
  const Vector even = log_of({.5, .5});
  const Cost cost = zero_one(2);
  const Gammas gammas{{{1, 1}, {9, 2}}};
  const Normals normals{{{{0, 1, 1}}, {{0, 4, 1.5}}}};
  const Counts counts{{{1}, {5, 2}}};
  const Atoms atoms{{{{-1, 2}, log_of({.5, .5})}, {{2, 5}, log_of({.5, .5})}}};
  PointRule point(even, cost);
  for (const Marginal& rule : {Marginal(gammas), Marginal(normals), Marginal(counts)}) {
    Matrix table = Matrix::Zero(2, 2), expected = table;
    add_probabilities(counts, even, regions_in(counts, rule, even, cost), table);
    for (int n = 0; n < 500; ++n) {
      const int decision = std::max(0, point.decide_at(rule, n));
      for (Index k = 0; k < 2; ++k) {
        expected(k, decision) +=
            .5 * std::exp(log_density(counts.classes[static_cast<std::size_t>(k)], n));
      }
    }
    CHECK(largest_difference(table, expected) < 1e-14);
  }
  Matrix table = Matrix::Zero(2, 2);
  add_probabilities(atoms, even, regions_in(atoms, gammas, even, cost), table);
  CHECK(std::abs(table.sum() - 1) < 1e-15);
  // Among numbers a rule of counts decides nothing: the first action.
  CHECK(regions_in(gammas, counts, even, cost).decision == IntVector{kNoDecision});
  const Regions ours = regions_in(normals, gammas, even, cost);
  CHECK(ours.cut[0] == 0);
  CHECK(ours.decision[0] == kNoDecision);
  const RuleGrid grid = rule_grid(gammas, even, 2000);
  CHECK(grid.gap < 5e-3);
  CHECK(grid.x.front() > 0);
}

TEST_CASE("bounds in closed form hold the risk") {
  const GammaLaw first(2.5, .75), second(4, 3);
  CHECK(digits(log_overlap(first, second)(.3), -.21794762880223192911) > 13);
  CHECK(std::abs(log_overlap(GammaLaw(1e12, 1e6), GammaLaw(1e12, 1e6))(.5)) < 1e-12);
  const std::vector<AnyParameters> banks{laws({first, second})};
  const RiskBounds bounds = bound_risk(compare_classes(gamma_plan(2), banks), .5, .5);
  Matrix table = Matrix::Zero(2, 2);
  const Gammas world{{first, second}};
  const Vector even = log_of({.5, .5});
  add_probabilities(world, even, find_regions(world, even, zero_one(2)), table);
  const double risk = table(0, 1) + table(1, 0);
  CHECK(bounds.lower < risk);
  CHECK(risk < bounds.chernoff);
  CHECK(bounds.chernoff <= bounds.bhattacharyya);
}

TEST_CASE("cells, drawn rows and one feature more give the same risk") {
  const ModelPlan plan = gamma_plan(2);
  const std::vector<AnyParameters> banks{laws({{2, 1}, {6, 1}})};
  const Vector prior{.4, .6};
  const Cost cost{(Matrix(2, 2) << 0, 5, 1, 0).finished()};
  const View view = view_of(plan, banks, prior, 1);
  const LineWorld world{view, {}, 0, origin_of(view, 0)};
  const Matrix table = decision_table(world, ModelRule(view, world, cost), 2, Context());
  const double risk = cost_of_table(table, cost);
  const BayesDecisions decisions(cost);
  const MonteCarloRisk drawn =
      MonteCarlo(view, {&decisions}, cost, {1, 0, 1 << 16}, Context()).run();
  CHECK(std::abs(cost_of_table(drawn.table[0], cost) - risk) < 5 * drawn.error[0] + 1e-6);
  const Vector missing{kNaN};
  const Matrix known = (Matrix(1, 2) << std::log(.4), std::log(.6)).finished();
  CaseCost costs;
  costs.fixed = cost;
  const Frame frame = frame_of(missing);
  const NextFeature next = FeatureSearch(view, costs, frame, {0}, known).run(Context());
  CHECK(std::abs(next.after(0, 0) - risk) < 1e-14);
}

TEST_SUITE_END();

}  // namespace test_gamma
