#include <engine/evaluation/assessment.hpp>
#include <engine/evaluation/case_weights.hpp>
#include <engine/evaluation/proper_scores.hpp>

#include <doctest/doctest.h>

using namespace bayesrisk;

namespace test_assessment {

namespace {

const int na = kMissingInteger;
const double inf = std::numeric_limits<double>::infinity();

// Three actions (the third is for no class), two classes; one cell differs by case.
struct Decided {
  IntVector truth{1, 2, 2, 1, na, 2, 1, 2}, decision{1, 1, 3, na, 1, 2, 2, 1};
  Vector expected{1, 4, 2, 9, 3, 0.5, 2.5, 4.5};
  Vector amount{1, 10, 1, 1, 1, 1, 1, kNaN};  // of deciding 1 when 2 is true
  IntVector class_of{1, 2, 0};
  CaseCost cost;

  Decided() {
    cost.fixed.of.resize(3, 2);
    cost.fixed.of << 0, 0, 4, 1, 2, 2;
    cost.varying = {{0, 1, amount.data()}};
  }
  Assessment assess(Resampling by = Resampling::bayes) const {
    const Cases cases{static_cast<Index>(truth.size()), truth.data(), nullptr};
    const CostTable table(cost);
    return Assessor(cases, table, decision.data(), expected.data(), class_of)
        .run({by, 0.95, 1}, Context());
  }
};

Column reals_of(const Vector& values) {
  Column column;
  column.real = values.data();
  return column;
}

}  // namespace

TEST_SUITE_BEGIN("assessment");

TEST_CASE("counts, costs and what was left out, by hand") {
  const Assessment a = Decided().assess();
  Matrix count(2, 3), cost(2, 3);
  count << 1, 1, 0, 1, 1, 1;
  cost << 0, 4, 0, 10, 1, 2;
  CHECK(a.count == count);
  CHECK(a.cost == cost);
  CHECK(a.wrong == Vector{1, 1});
  CHECK(a.truth == IntVector{1, 2, 2, na, na, 2, 1, na});
  CHECK(a.unknown == 1);
  CHECK(a.undecided == 1);
  CHECK(a.unpriced == 1);
  CHECK(a.limits.least == 0);
  CHECK(a.limits.greatest == 10);
  CHECK(a.limits.spread == 9);
  CHECK(a.realised == 17.0 / 5);
  CHECK(a.best == (0 + 1 + 1 + 1 + 0) / 5.0);
  CHECK(a.believed == (1 + 4 + 2 + 0.5 + 2.5) / 5);
  CHECK(a.interval.lower <= a.realised);
  CHECK(a.interval.upper >= a.realised);
  CHECK(std::isnan(Decided().assess(Resampling::none).interval.lower));
}

TEST_CASE("a case counts if every action's cost under its truth is known") {
  Decided decided;
  decided.amount[2] = kNaN;  // decided for the third action
  const Assessment a = decided.assess();
  CHECK(a.unpriced == 2);
  CHECK(a.truth[2] == na);
  CHECK(a.count.sum() == 4);
  CHECK(a.realised == 15.0 / 4);
  CHECK(a.best == (0 + 1 + 1 + 0) / 4.0);
  CHECK(a.believed == (1 + 4 + 0.5 + 2.5) / 4);
  CHECK(a.coverage.back().decided == 4);
}

TEST_CASE("coverage: the dearest cases are given back first") {
  const std::vector<CoveragePoint> curve = Decided().assess().coverage;
  REQUIRE(curve.size() == 5);
  const Vector reject{0.5, 1, 2, 2.5, 4}, wrong{0, 0, 0, 1, 2}, cost{1, 1, 3, 7, 17};
  for (int i = 0; i < 5; ++i) {
    CHECK(curve[i].reject == reject[i]);
    CHECK(curve[i].decided == i + 1);
    CHECK(curve[i].wrong == wrong[i]);
    CHECK(curve[i].cost == cost[i]);
  }
  // Equal expected costs go together, and a long curve is thinned but ends with all.
  const Vector same(100, 2.0), loss(100, 1.0);
  CHECK(
      coverage_curve(same.data(), loss, std::vector<char>(100, 0), nullptr, 10, Context()).size() ==
      1);
  // So do those that differ by rounding, but not a finite one and an infinite one.
  const Vector near{0.1 + 0.2, 0.3, 0.3 + 1e-9, inf, inf};
  const auto steps =
      coverage_curve(near.data(), Vector(5, 1.0), std::vector<char>(5), nullptr, 10, Context());
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].reject == 0.1 + 0.2);
  CHECK(steps[0].decided == 2);
  CHECK(steps[1].decided == 3);
  Vector rising(1000);
  for (int i = 0; i < 1000; ++i) rising[i] = i;
  const auto thin = coverage_curve(rising.data(), Vector(1000, 1.0), std::vector<char>(1000),
                                   nullptr, 10, Context());
  CHECK(thin.size() == 11);
  CHECK(thin.front().decided == 1);
  CHECK(thin.back().decided == 1000);
}

TEST_CASE("sorting many cases ends when it is told to") {
  const Index n = 100000;
  Vector mixed(n);
  CounterRandom random(5);
  for (double& x : mixed) x = random.uniform();
  Context stopping;
  stopping.check = [] { throw std::runtime_error("stop"); };
  CHECK_THROWS_AS(
      coverage_curve(mixed.data(), Vector(n, 1.0), std::vector<char>(n), nullptr, 10, stopping),
      std::runtime_error);
}

// Cases of one class with costs, each in the only cell.
TableDraws drawn(const Vector& costs, const IntervalPlan& plan, const Context& context) {
  const IntVector truth(costs.size(), 1);
  const Cases cases{static_cast<Index>(costs.size()), truth.data(), nullptr};
  TableCases table;
  table.cell.assign(costs.size(), 0);
  table.cost = costs;
  table.classes = table.columns = 1;
  table.stake = {1};
  table.imagine = [](int, CounterRandom&) { return ImaginedCase{}; };
  return TableDrawer(cases, table, plan).run({}, context);
}

TEST_CASE("draws: reproducible, the same for any order of tasks, of the right width") {
  Context backwards;
  backwards.run = [](Index tasks, const std::function<void(Index)>& task) {
    for (Index i = tasks; i-- > 0;) task(i);
  };
  // The last numbers are so many that groups of them are drawn.
  for (const int n : {400, 15000}) {
    Vector values(n, 0.0);
    std::fill(values.begin(), values.begin() + 3 * n / 10, 5.0);
    const double error = 5 * std::sqrt(0.3 * 0.7 / n);
    for (Resampling by : {Resampling::bayes, Resampling::bootstrap}) {
      const IntervalPlan plan{by, 0.95, 7};
      const TableDraws found = drawn(values, plan, Context());
      CHECK(found.cost == drawn(values, plan, backwards).cost);
      CHECK(found.cost != drawn(values, {by, 0.95, 8}, Context()).cost);
      const Range range = range_of(found.cost, plan, 1.5);
      CHECK(std::abs(range.upper - (1.5 + 1.96 * error)) < 0.2 * error);
      CHECK(std::abs(range.lower - (1.5 - 1.96 * error)) < 0.2 * error);
    }
  }
}

TEST_CASE("what did not occur is imagined, and known shares of classes stay") {
  const IntVector truth(20, 1);
  Cases cases{20, truth.data(), nullptr};
  TableCases table;
  table.cell.assign(20, 0);
  table.cost.assign(20, 0.0);
  table.classes = table.columns = 2;
  table.stake = {1, 1};
  table.imagine = [](int truth, CounterRandom&) { return ImaginedCase{1 - truth, 8}; };
  const TableLayout at(2, 2);
  const TableDraws open = TableDrawer(cases, table, {}).run({{0, 1}, {}}, Context());
  CHECK(open.sums.row(at.truth(1)).minCoeff() > 0);
  cases.fixed = true;
  const TableDraws known = TableDrawer(cases, table, {}).run({{0, 1}, {}}, Context());
  CHECK(known.sums.row(at.truth(1)).maxCoeff() == 0);
  CHECK(known.sums.row(at.truth(0)).minCoeff() == 1);
  double mean = 0;
  for (double cost : known.cost) mean += cost / TableDrawer::kReplicates;
  // One case of 21 costs 8.
  CHECK(std::abs(mean - 8.0 / 21) < 0.03);
  const Vector sums = {known.sums(at.right(0), 0), known.sums(at.column(1), 0)};
  CHECK(std::abs(sums[0] + sums[1] - 1) < 1e-12);
}

TEST_CASE("clusters are drawn as a whole") {
  // Ten clusters of ten equal cases each.
  Vector costs;
  IntVector cluster;
  for (int i = 0; i < 100; ++i) {
    costs.push_back(i / 10 % 2);
    cluster.push_back(i / 10 + 1);
  }
  const IntVector truth(100, 1);
  Cases cases{100, truth.data(), nullptr, cluster.data()};
  CHECK(mean_and_error(cases, costs).standard_error == doctest::Approx(std::sqrt(0.25 / 9)));
  TableCases table;
  table.cell.assign(100, 0);
  table.cost = costs;
  table.classes = table.columns = 1;
  table.stake = {1};
  table.imagine = [](int, CounterRandom&) { return ImaginedCase{}; };
  const Vector found = TableDrawer(cases, table, {}).run({}, Context()).cost;
  double scatter = 0;
  for (double cost : found) scatter += (cost - 0.5) * (cost - 0.5) / TableDrawer::kReplicates;
  CHECK(std::abs(std::sqrt(scatter) / std::sqrt(0.25 / 11) - 1) < 0.06);
}

TEST_CASE("weights: of a prior, and relative to the first above 0") {
  const int truth[] = {1, 1, 1, 2, na};
  const CaseWeights plain = weigh_cases(truth, 5, nullptr, {});
  CHECK(plain.of.empty());
  const Vector equal(5, 3.0), some{0, 2, 4, 2, 1};
  CHECK(weigh_cases(truth, 5, equal.data(), {}).of.empty());
  CHECK(weigh_cases(truth, 5, equal.data(), {}).unit == 3);
  const CaseWeights own = weigh_cases(truth, 5, some.data(), {});
  CHECK(own.unit == 2);
  CHECK(own.of == Vector{0, 1, 2, 1, 0.5});
  const CaseWeights rare = weigh_cases(truth, 5, nullptr, {0.9, 0.1});
  CHECK(rare.of[0] == doctest::Approx(1.2));
  CHECK(rare.of[3] == doctest::Approx(0.4));
  CHECK(weigh_cases(truth, 5, nullptr, {0.5, 0.3, 0.2}).absent == 3);
}

TEST_CASE("quantiles between neighbours") {
  CHECK(quantile({1, 2, 4}, 0.5) == 2);
  CHECK(quantile({1, 2, 4}, 0.75) == 3);
  CHECK(quantile({1, 2, inf, inf}, 1) == inf);
  CHECK(quantile({1, 2, inf, inf}, 0.9) == inf);
  CHECK(std::isnan(quantile({}, 0.5)));
}

TEST_CASE("quantiles of sorted, unsorted and weighted numbers are the same") {
  const Vector sorted{-3, 0.5, 0.5, 2, 7, 11};
  const Vector value{-3, 0.5, 2, 7, 11}, weight{1, 2, 1, 1, 1};
  for (double share : {0.0, 0.025, 0.3, 0.5, 0.77, 0.975, 1.0}) {
    Vector mixed{7, 0.5, -3, 11, 0.5, 2};
    const double wanted = quantile(sorted, share);
    CHECK(quantile(mixed.data(), mixed.data() + mixed.size(), share) == wanted);
    CHECK(weighted_quantile(value.data(), weight.data(), 5, 6, share) == wanted);
  }
}

TEST_CASE("log loss, Brier score and calibration, by hand and from logarithms") {
  const Vector a{0.9, 0.25, 0, 0.995, kNaN, 0.5}, b{0.1, 0.75, 1, 0.005, kNaN, 0.5};
  const IntVector truth{1, 1, 2, 2, 1, na};
  Frame frame;
  frame.rows = 6;
  frame.columns = {reals_of(a), reals_of(b)};
  const ProperScores s = ProperScorer(frame, false, {frame.rows, truth.data(), nullptr}, {}).run();
  CHECK(s.cases == 4);
  const double loss = -std::log(0.9) - std::log(0.25) - std::log(1.0) - std::log(0.005);
  CHECK(std::abs(s.log_loss - loss / 4) < 1e-14);
  CHECK(std::abs(s.brier - 2 * (0.01 + 0.5625 + 0 + 0.990025) / 4) < 1e-14);
  CHECK(s.impossible == 0);
  CHECK(s.certain.from == 0.99);
  CHECK(s.certain.cases == 2);
  CHECK(s.certain.wrong == 1);
  CHECK(std::abs(s.certain.expected - 0.005) < 1e-15);
  const std::vector<CalibrationBin>& bins = s.bins[0];
  CHECK(bins[0].cases.sum == 1);
  CHECK(bins[2].cases.sum == 1);
  CHECK(bins[2].observed == 1);
  CHECK(bins[9].cases.sum == 2);  // 0.9 is the first of its bin
  CHECK(bins[9].from == 0.9);
  CHECK(bins[9].to == 1);
  CHECK(bins[9].predicted == (0.9 + 0.995) / 2);
  CHECK(bins[9].observed == 0.5);
  CHECK(std::isnan(bins[1].observed));
  CHECK(s.bins[1][9].cases.sum == 1);

  Vector log_a(a), log_b(b);
  for (double& x : log_a) x = std::log(x);
  for (double& x : log_b) x = std::log(x);
  log_a[0] = 0;
  log_b[0] = -2000;
  frame.columns = {reals_of(log_a), reals_of(log_b)};
  const IntVector far{2, na, na, na, na, na}, never{2, na, 1, na, na, na};
  CHECK(ProperScorer(frame, true, {frame.rows, far.data(), nullptr}, {}).run().log_loss == 2000);
  const ProperScores t = ProperScorer(frame, true, {frame.rows, never.data(), nullptr}, {}).run();
  CHECK(t.log_loss == inf);
  CHECK(t.impossible == 1);
  CHECK(t.certain.wrong == 2);
}

TEST_CASE("curves of probabilities: the prior that they contain is taken out") {
  // Likelihood ratios 1/4, 1, 4 of the second class, seen under a prior of 0.2.
  Vector first, second;
  for (double ratio : {0.25, 1.0, 4.0}) {
    second.push_back(0.2 * ratio / (0.2 * ratio + 0.8));
    first.push_back(1 - second.back());
  }
  const IntVector truth{1, 2, 2};
  Frame frame;
  frame.rows = 3;
  frame.columns = {reals_of(first), reals_of(second)};
  const ProperScores s =
      ProperScorer(frame, false, {frame.rows, truth.data(), nullptr}, {0.8, 0.2}, {2}).run();
  // Decided for the second class from weights 4/5, 1/2 and 1/5 on.
  const Vector& cost = s.cost_curve.cost;
  CHECK(std::abs(cost[20] - 0.1) < 1e-12);        // 0.1: both missed
  CHECK(std::abs(cost[80] - 0.4 * 0.5) < 1e-12);  // 0.4: one missed
  CHECK(std::abs(cost[140]) < 1e-12);             // 0.7: all right
  CHECK(std::abs(cost[180] - 0.1) < 1e-12);       // 0.9: the first called second
  CHECK(s.benefit[0].curve.threshold[100] == 0.5);
  CHECK(std::abs(s.benefit[0].curve.benefit[100] - 1.0 / 3) < 1e-12);
  // With one class alone there is no trade.
  const IntVector alone{2, 2, 2};
  CHECK(ProperScorer(frame, false, {frame.rows, alone.data(), nullptr}, {0.8, 0.2})
            .run()
            .cost_curve.cost.empty());
}

TEST_CASE("a prior of 0 cannot be taken out: no cost curve, but a benefit") {
  const Vector first{1, 1, 0.3}, second{0, 0, 0.7};
  const IntVector truth{1, 2, 2};
  Frame frame;
  frame.rows = 3;
  frame.columns = {reals_of(first), reals_of(second)};
  for (const Vector& prior : {Vector{1, 0}, Vector{0, 1}}) {
    const ProperScores s =
        ProperScorer(frame, false, {frame.rows, truth.data(), nullptr}, prior, {2}).run();
    CHECK(s.cost_curve.cost.empty());
    CHECK(s.benefit[0].curve.benefit.size() == 200);
  }
  CHECK_THROWS_AS(ScoreCounts(10).add(1, kNaN), InvalidState);
}

TEST_CASE("without a prior, the shares of the cases scored are taken out") {
  // The last case has no probabilities: it is no share of the second class.
  const Vector first{0.6, 0.4, 0.7, 0.1, kNaN}, second{0.4, 0.6, 0.3, 0.9, kNaN};
  const IntVector truth{1, 2, 2, 2, 2};
  Frame frame;
  frame.rows = 5;
  frame.columns = {reals_of(first), reals_of(second)};
  const ProperScores s = ProperScorer(frame, false, {frame.rows, truth.data(), nullptr}, {}).run();
  CHECK(s.cost_curve.cost ==
        ProperScorer(frame, false, {frame.rows, truth.data(), nullptr}, {0.25, 0.75})
            .run()
            .cost_curve.cost);
}

TEST_CASE("cost and benefit curves, by hand") {
  // Two cases of the first class at 0.2 and 0.8, three of the second at 0.1, 0.4, 0.8.
  ScoreCounts called(10);
  called.add(1, 0.2);
  called.add(1, 0.75);
  called.add(2, 0.1);
  called.add(2, 0.4);
  called.add(2, 0.8);
  called.sum_up();
  CHECK(called.first() == 2);
  CHECK(called.second(4) == 2);
  CHECK(called.first(8) == 2);
  const std::vector<ScoredCase> cases{
      {-0.2, false}, {-0.75, false}, {-0.1, true}, {-0.4, true}, {-0.8, true}};
  const CostCurve cost = cost_curve(called, cases, 10);
  CHECK(cost.cost[0] == 0);
  CHECK(cost.cost[10] == 0);
  // At 0.5: one of the first called second, one of the second missed.
  CHECK(std::abs(cost.cost[5] - (0.5 / 3 + 0.5 / 2)) < 1e-15);
  CHECK(std::abs(cost.best[5] - 0.5 * 2 / 3) < 1e-15);  // the cut at 0.1 alone
  for (int i = 0; i <= 10; ++i) CHECK(cost.best[i] <= cost.cost[i] + 1e-15);
  const BenefitCurve benefit = benefit_curve(called, 10);
  // The scores are probabilities of the first class: at a threshold of 0.6 the second is
  // decided for up to 0.4.
  CHECK(std::abs(benefit.benefit[6] - (2 - 1.5 * 1) / 5) < 1e-14);
  CHECK(std::abs(benefit.all[6] - (3 - 1.5 * 2) / 5) < 1e-14);
  CHECK(benefit.benefit[0] == benefit.all[0]);
}

TEST_CASE("the best cuts are those of all cuts, however close") {
  CounterRandom random(7);
  std::vector<ScoredCase> cases;
  for (int i = 0; i < 400; ++i) {
    const double u = random.uniform();
    cases.push_back({1e-9 * std::floor(300 * u), random.uniform() < u * u});
  }
  const std::vector<CutRates> cuts = best_cuts(cases);
  double first = 0, second = 0;
  for (const ScoredCase& c : cases) (c.second ? second : first) += 1;
  for (double w : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
    double best = 1, least = std::min(w, 1 - w);
    for (const CutRates& cut : cuts) best = std::min(best, cut.cost(w));
    for (const ScoredCase& at : cases) {
      double missed = 0, alarms = 0;
      for (const ScoredCase& c : cases) {
        missed += c.second && c.log_ratio < at.log_ratio;
        alarms += !c.second && c.log_ratio >= at.log_ratio;
      }
      least = std::min(least, w * missed / second + (1 - w) * alarms / first);
    }
    CHECK(std::abs(best - least) < 1e-15);
  }
  CHECK(best_cuts({{2, true}, {1, false}}).back().alarms == 1);
}

TEST_CASE("means and standard errors of any scale") {
  const int truth[] = {1, 1, 1};
  const Cases cases{3, truth, nullptr};
  const MeanError plain = mean_and_error(cases, {0.5, 3, 7.25});
  for (double scale : {std::ldexp(1.0, 1000), std::ldexp(1.0, -1000)}) {
    const MeanError scaled = mean_and_error(cases, {0.5 * scale, 3 * scale, 7.25 * scale});
    CHECK(scaled.mean == plain.mean * scale);
    CHECK(scaled.standard_error == plain.standard_error * scale);
  }
}

TEST_SUITE_END();

}  // namespace test_assessment
