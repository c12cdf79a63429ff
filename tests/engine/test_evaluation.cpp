#include "helpers.hpp"

#include <engine/core/share.hpp>
#include <engine/evaluation/comparison.hpp>
#include <engine/evaluation/cross_validation.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_evaluation {

namespace {

// Two numbers and two categories of three classes, some missing, in folds.
struct Data {
  Vector x, z, weight;
  IntVector g, h, group, fold;
  Frame frame;

  Data(int rows, int folds, std::uint64_t seed) {
    Random random(seed);
    for (int r = 0; r < rows; ++r) {
      const int k = random.below(3);
      group.push_back(k + 1);
      fold.push_back(random.below(folds) + 1);
      x.push_back(random.below(20) == 0 ? kNaN : random.normal() + k);
      z.push_back(1e6 + random.normal() * (1 + k) + (x.back() > 0));
      g.push_back(random.below(15) == 0 ? kMissingInteger : 1 + random.below(2 + k));
      h.push_back(1 + random.below(3));
      weight.push_back(random.below(4) / 2.0);
    }
    frame = frame_of({reals(x), factor(g, 4), reals(z), factor(h, 3)}, x.size());
  }
};

ModelPlan all_banks(int groups) {
  return {groups,
          {Gaussian::Plan{{0, 2}}, Categorical::Plan{{1, 3}, {4, 3}},
           MultivariateGaussian::Plan{{0, 2}}, JointTable::Plan{{1, 3}, {4, 3}}}};
}

Candidate naive_candidate(int groups) {
  Candidate naive;
  naive.plan = {groups, {Gaussian::Plan{{0, 2}}, Categorical::Plan{{3}, {3}}}};
  naive.bank = {0, 1, -1, -1};
  naive.options = {gaussian_options(2), Categorical::Options{Vector(3, 1.0)}};
  return naive;
}

Candidate full_candidate(int groups) {
  Candidate full;
  full.plan = {groups, {JointTable::Plan{{1, 3}, {4, 3}}, MultivariateGaussian::Plan{{0, 2}}}};
  full.bank = {-1, -1, 1, 0};
  full.options = {JointTable::Options{0.5}, MultivariateGaussian::Options{true, false, 0.25}};
  full.uniform = true;
  return full;
}

struct Held {
  std::vector<Matrix> posterior;
  std::vector<FoldProblem> problems;
};

Held held_out(const Data& data, int folds, const std::vector<Candidate>& candidates,
              bool weighted = false, int thread_count = 1) {
  Held held;
  HeldOut wanted;
  wanted.rows = data.frame.rows;
  held.posterior.assign(candidates.size(), Matrix::Constant(data.frame.rows, 3, kNaN));
  for (Matrix& m : held.posterior) wanted.numbers.push_back(m.data());
  FoldedRows rows{data.frame, data.group.data(), weighted ? data.weight.data() : nullptr,
                  data.fold.data(), nullptr};
  Diagnostics problems;
  const ModelPlan shared = all_banks(3);
  const Context context = thread_count == 1 ? Context() : threads(thread_count);
  held.problems = CrossValidation(shared, candidates, wanted, context).run(rows, folds, problems);
  CHECK(problems.empty());
  return held;
}

// The definition: a model of the other rows, collected anew.
Matrix refit(const Data& data, int folds, const Candidate& candidate, bool weighted = false) {
  Matrix result = Matrix::Constant(data.frame.rows, 3, kNaN);
  for (int f = 1; f <= folds; ++f) {
    IntVector group(data.group);
    for (std::size_t r = 0; r < group.size(); ++r) {
      if (data.fold[r] == f) group[r] = kMissingInteger;
    }
    const Model model =
        fit(candidate.plan, data.frame, group, candidate.options,
            candidate.uniform ? Vector(3, 1.0 / 3) : Vector(), weighted ? data.weight : Vector());
    const Matrix all = score_numbers(model, data.frame, Output::prob);
    for (Index r = 0; r < data.frame.rows; ++r) {
      if (data.fold[r] == f) result.row(r) = all.row(r);
    }
  }
  return result;
}

}  // namespace

TEST_SUITE_BEGIN("evaluation");

TEST_CASE("counted random numbers: reproducible, even, their streams apart") {
  CounterRandom a(7), b(7), other(7, 1);
  CHECK(a.bits() == b.bits());
  CHECK(a.bits() != other.bits());
  Vector count(7, 0.0);
  double sum = 0;
  for (int i = 0; i < 70000; ++i) {
    ++count[a.below(7)];
    sum += a.uniform();
  }
  double chi_square = 0;
  for (double n : count) chi_square += (n - 10000) * (n - 10000) / 10000;
  CHECK(chi_square < 30);  // 6 degrees of freedom: p about 4e-5
  CHECK(std::abs(sum / 70000 - 0.5) < 0.005);
  CHECK(a.below(1) == 0);
}

// Expected numbers: a second implementation, in Python's whole numbers.
TEST_CASE(
    "counted random numbers are SplitMix64's; those below a bound are drawn again if uneven") {
  CounterRandom random(42, 7);
  for (std::uint64_t bits : {0xe4e28608b50ef46dull, 0x8879c4a96eecac2dull, 0xc076aa37a85dd21full}) {
    CHECK(random.bits() == bits);
  }
  CounterRandom uneven(1);
  for (std::uint32_t drawn :
       {824263933u, 284511057u, 1824125901u, 2227280995u, 684034267u, 1320568361u, 20026170u,
        1590906177u, 1854131660u, 18666116u, 2802574392u, 1892207190u}) {
    CHECK(uneven.below(3u << 30) == drawn);
  }
}

TEST_CASE("folds are of one size, within each group too, and rows without a group have none") {
  IntVector group, fold(1003);
  for (int r = 0; r < 1003; ++r) group.push_back(r % 10 == 0 ? kMissingInteger : 1 + (r % 7) / 3);
  draw_folds(group.data(), 1003, 3, 8, 5, fold.data());
  IntMatrix count = IntMatrix::Zero(3, 8);
  for (int r = 0; r < 1003; ++r) {
    CHECK((fold[r] == kMissingInteger) == (group[r] == kMissingInteger));
    if (fold[r] != kMissingInteger) ++count(group[r] - 1, fold[r] - 1);
  }
  for (int g = 0; g < 3; ++g) CHECK(count.row(g).maxCoeff() - count.row(g).minCoeff() <= 1);
  const IntMatrix total = count.colwise().sum();
  CHECK(total.maxCoeff() - total.minCoeff() <= 1);
}

TEST_CASE("rows by part keep their order; parts may be empty") {
  const IntVector part{2, kMissingInteger, 1, 2, 4};
  const RowsByPart by(part.data(), 0, 5, 4);
  CHECK(by.count(0) == 1);
  CHECK(by.count(1) == 2);
  CHECK(by.of(1)[1] == 3);
  CHECK(by.count(2) == 0);
  CHECK(RowsByPart(part.data(), 3, 5, 4).count(0) == 0);
}

TEST_CASE("chosen rows of a frame, numbers and codes alike") {
  const Data data(50, 2, 3);
  Gather gather(data.frame);
  const std::vector<Index> rows{7, 3, 3, 49};
  const Frame& part = gather.take(rows.data(), 4);
  CHECK(part.rows == 4);
  for (int i = 0; i < 4; ++i) {
    CHECK(same_bits(part.columns[0].real[i], data.x[rows[i]]));
    CHECK(part.columns[1].integer[i] == data.g[rows[i]]);
    CHECK(part.columns[3].integer[i] == data.h[rows[i]]);
  }
  CHECK(part.columns[1].stored_levels == 4);
  CHECK(gather.take(rows.data(), 0).rows == 0);
}

TEST_CASE("statistics of some groups are those of their rows alone") {
  const Data data(700, 1, 4);
  const ModelPlan plan = all_banks(3);
  const ModelStatistics all = collect(plan, data.frame, data.group, data.weight);
  for (int g = 0; g < 3; ++g) {
    IntVector alone(data.group);
    for (int& k : alone) k = k == g + 1 ? 1 : kMissingInteger;
    ModelPlan one = plan;
    one.groups = 1;
    const ModelStatistics direct = collect(one, data.frame, alone, data.weight);
    const ModelStatistics part = all.of_groups(plan, g, 1);
    CHECK(part.classes.weight == direct.classes.weight);
    CHECK(part.classes.rows == direct.classes.rows);
    const auto& moments = statistics<Gaussian>(part).moments;
    CHECK(largest_difference(moments.mean, statistics<Gaussian>(direct).moments.mean) < 1e-9);
    CHECK(statistics<Categorical>(part, 1).count == statistics<Categorical>(direct, 1).count);
    const auto& scatter = statistics<MultivariateGaussian>(part, 2).scatter;
    const auto& expected = statistics<MultivariateGaussian>(direct, 2).scatter;
    CHECK(scatter.rows == expected.rows);
    CHECK(largest_difference(scatter.triangle[0], expected.triangle[0]) < 1e-9);
    CHECK(statistics<JointTable>(part, 3).cells == statistics<JointTable>(direct, 3).cells);
    CHECK(statistics<JointTable>(part, 3).count == statistics<JointTable>(direct, 3).count);
  }
}

TEST_CASE("each place has the merge of the others, and of what is outside") {
  const ModelPlan plan = categorical_plan(1, {3});
  for (int parts : {1, 2, 3, 7}) {
    std::vector<ModelStatistics> all;
    Vector total(3, 100.0);
    for (int p = 0; p < parts; ++p) {
      ModelStatistics part(plan);
      for (int l = 0; l < 3; ++l) {
        part.banks[0].as<Categorical::Statistics>().count(0, l) = p * p + l;
        total[l] += p * p + l;
      }
      all.push_back(part);
    }
    ModelStatistics outside(plan);
    outside.banks[0].as<Categorical::Statistics>().count.setConstant(100);
    merge_others(plan, all, 0, all.size(), outside, Context());
    for (int p = 0; p < parts; ++p) {
      for (int l = 0; l < 3; ++l) {
        CHECK(statistics<Categorical>(all[p]).count(0, l) == total[l] - (p * p + l));
      }
    }
  }
}

TEST_CASE("held-out posteriors are those of models collected anew") {
  const std::vector<Candidate> candidates{naive_candidate(3), full_candidate(3)};
  for (const auto& [rows, folds] : {std::pair(900, 5), std::pair(600, 130)}) {
    const Data data(rows, folds, 11);
    for (bool weighted : {false, true}) {
      const Held held = held_out(data, folds, candidates, weighted);
      for (std::size_t c = 0; c < 2; ++c) {
        CHECK(largest_difference(held.posterior[c], refit(data, folds, candidates[c], weighted)) <
              1e-12);
      }
      CHECK(held.problems.empty());
    }
  }
}

TEST_CASE("threads and the other candidates change no bit") {
  const Data data(20000, 6, 12);
  const std::vector<Candidate> both{naive_candidate(3), full_candidate(3)};
  const Held one = held_out(data, 6, both, true, 1), four = held_out(data, 6, both, true, 4);
  CHECK(one.posterior[0].allFinite());
  CHECK(same_bits(one.posterior[0], four.posterior[0]));
  CHECK(same_bits(one.posterior[1], four.posterior[1]));
  CHECK(same_bits(held_out(data, 6, {both[1]}, true).posterior[0], one.posterior[1]));
}

TEST_CASE("as many tasks come as were told, so the share rises evenly") {
  // The second number is above kMostParts. All batches have the same number of folds.
  for (const int folds : {6, 121}) {
    const Data data(9000, folds, 12);
    Share share;
    double done = 0, most = 0;
    Context context;
    context.expect = [&](Index tasks) { share.expect(tasks); };
    context.run = [&](Index tasks, const std::function<void(Index)>& task) {
      share.start(tasks);
      for (Index i = 0; i < tasks; ++i) {
        task(i);
        share.done();
        const double whole = ++done / share.reached();
        CHECK((most == 0 || whole == doctest::Approx(most)));
        most = whole;
      }
    };
    Matrix posterior(9000, 3);
    HeldOut wanted;
    wanted.rows = 9000;
    wanted.numbers = {posterior.data()};
    Diagnostics problems;
    const ModelPlan shared = all_banks(3);
    const std::vector<Candidate> candidates{naive_candidate(3)};
    CrossValidation(shared, candidates, wanted, context)
        .run({data.frame, data.group.data(), nullptr, data.fold.data(), nullptr}, folds, problems);
    CHECK(share.reached() == 1);
  }
}

// Cross-validation writes the held-out scores into the cases of these parts.
void fill(TemperedParts& parts, const std::vector<Candidate>& candidates, const FoldedRows& read,
          int rows, int folds, const Context& context) {
  HeldOut wanted;
  wanted.parts = &parts;
  wanted.rows = rows;
  Diagnostics problems;
  CrossValidation(all_banks(3), candidates, wanted, context).run(read, folds, problems);
  parts.cases.finish();
}

// Three folds of 30 rows; the second has all rows of the third class.
Data third_class_in_one_fold() {
  Data data(90, 3, 14);
  for (int r = 0; r < 90; ++r) {
    if (data.group[r] == 3) data.fold[r] = 2;
  }
  return data;
}

TEST_CASE("cases for tempering hold the scores of the same models, in any number of folds") {
  for (const auto& [rows, folds] : {std::pair(2000, 4), std::pair(300, 120)}) {
    Data data(rows, folds, 17);
    data.group[5] = data.fold[7] = kMissingInteger;
    const std::vector<Candidate> candidates{naive_candidate(3)};
    for (bool weighted : {false, true}) {
      const Matrix posterior = held_out(data, folds, candidates, weighted).posterior[0];
      const FoldedRows read{data.frame, data.group.data(), weighted ? data.weight.data() : nullptr,
                            data.fold.data(), nullptr};
      double expected = 0, weight = 0;
      Index unread = 0;
      for (int r = 0; r < rows; ++r) {
        const double w = weighted ? data.weight[r] : 1.0;
        if (data.group[r] == kMissingInteger || w == 0) continue;
        unread += data.fold[r] == kMissingInteger;
        if (data.fold[r] == kMissingInteger) continue;
        expected -= w * std::log(posterior(r, data.group[r] - 1));
        weight += w;
      }
      double first = 0;
      for (int count : {1, 2}) {
        TemperedParts parts(candidates[0].plan, {0, 1, 1}, 2, read);
        const Context context = count == 1 ? Context() : threads(count);
        fill(parts, candidates, read, rows, folds, context);
        CHECK(parts.cases.lost == 0);
        CHECK(parts.cases.unread == unread);
        const TemperSolver solver(parts.cases, false, 0, 1, context);
        const double loss = solver.mean_loss(solver.start(1));
        CHECK(loss == doctest::Approx(expected / weight).epsilon(1e-11));
        if (count == 1) first = loss;
        CHECK(same_bits(loss, first));
      }
    }
  }
}

TEST_CASE("cases that no model scores are left out") {
  const Data data = third_class_in_one_fold();
  Candidate candidate = naive_candidate(3);
  candidate.prior = {0.3, 0.3, 0.4};
  const std::vector<Candidate> candidates{candidate};
  const FoldedRows read{data.frame, data.group.data(), nullptr, data.fold.data(), nullptr};
  TemperedParts parts(candidates[0].plan, {0, 0, 0}, 1, read);
  fill(parts, candidates, read, 90, 3, Context());
  const auto failed = std::count(data.fold.begin(), data.fold.end(), 2);
  CHECK(parts.cases.unread == failed);
  CHECK(parts.cases.rows == 90 - failed);
}

TEST_CASE("decisions by costs that differ by case, in blocks of folds too") {
  for (const auto& [rows, folds] : {std::pair(300, 4), std::pair(300, 120)}) {
    const Data data(rows, folds, 16);
    const std::vector<Candidate> candidates{naive_candidate(3)};
    const Matrix posterior = held_out(data, folds, candidates).posterior[0];
    Vector price;
    for (int r = 0; r < rows; ++r) price.push_back(0.1 + (r * 7 % 11) / 13.0);
    CaseCost cost;
    cost.fixed.of.resize(2, 3);
    cost.fixed.of << 0, 1, 2, 0, 0.5, 0.25;
    cost.varying = {{1, 0, price.data()}};
    IntVector decision(rows, kMissingInteger);
    HeldOut wanted;
    wanted.cost = &cost;
    wanted.choices = {decision.data()};
    Diagnostics problems;
    const ModelPlan shared = all_banks(3);
    const Context context;
    CrossValidation(shared, candidates, wanted, context)
        .run({data.frame, data.group.data(), nullptr, data.fold.data(), nullptr}, folds, problems);
    for (int r = 0; r < rows; ++r) {
      const double first = posterior(r, 1) + 2 * posterior(r, 2);
      const double second =
          price[r] * posterior(r, 0) + 0.5 * posterior(r, 1) + 0.25 * posterior(r, 2);
      CHECK(decision[r] == (first <= second ? 1 : 2));
    }
  }
}

TEST_CASE("rows without a fold train nothing and have no result") {
  Data data(300, 4, 13);
  const Held whole = held_out(data, 4, {naive_candidate(3)});
  Data less(300, 4, 13);
  for (int r = 0; r < 300; r += 3) less.fold[r] = kMissingInteger;
  const Held part = held_out(less, 4, {naive_candidate(3)});
  for (int r = 0; r < 300; ++r) CHECK(std::isnan(part.posterior[0](r, 0)) == (r % 3 == 0));
  CHECK_FALSE(same_bits(part.posterior[0](1, 0), whole.posterior[0](1, 0)));
}

TEST_CASE("a class that only one fold has, and a model that does not exist") {
  const Data data = third_class_in_one_fold();
  Candidate given = naive_candidate(3);
  given.prior = {0.5, 0.25, 0.25};
  const Held held = held_out(data, 3, {naive_candidate(3), given});
  REQUIRE(held.problems.size() == 2);
  const FoldProblem &shares = held.problems[0], &failed = held.problems[1];
  CHECK(shares.fold == 1);
  CHECK(shares.empty == IntVector{2});
  CHECK_FALSE(shares.failed);
  CHECK(failed.candidate == 1);
  CHECK(failed.failed);
  for (int r = 0; r < 90; ++r) {
    CHECK(std::isnan(held.posterior[1](r, 0)) == (data.fold[r] == 2));
    if (data.fold[r] == 2) CHECK(held.posterior[0](r, 2) == 0);
  }
}

TEST_CASE("problems of the data stop everything, whatever the number of folds") {
  Data data(300, 150, 15);
  data.z[17] = std::numeric_limits<double>::infinity();
  for (int folds : {150, 7}) {
    for (int& f : data.fold) f = (f - 1) % folds + 1;
    HeldOut wanted;
    const CaseCost errors{{Matrix::Ones(3, 3) - Matrix::Identity(3, 3)}, {}};
    wanted.cost = &errors;
    IntVector choices(300, kMissingInteger);
    wanted.choices = {choices.data()};
    Diagnostics problems;
    const ModelPlan shared = all_banks(3);
    const std::vector<Candidate> candidates{naive_candidate(3)};
    const Context context;
    CrossValidation(shared, candidates, wanted, context)
        .run({data.frame, data.group.data(), nullptr, data.fold.data(), nullptr}, folds, problems);
    CHECK(found(problems, Problem::infinite, kAll, 2, 1));
    CHECK(choices == IntVector(300, kMissingInteger));
  }
}

TEST_CASE("losses by hand: weights, undecided cases, an action for no class") {
  const int na = kMissingInteger;
  const IntVector truth{1, 2, 2, 1, na, 2}, first{1, 1, 3, na, 1, 2}, second{2, 2, 3, 1, 1, 1};
  const IntVector fold{1, 1, 2, 2, na, 2};
  const Vector weight{1, 2, 1, 3, 5, 0.5};
  Cost cost;
  cost.of.resize(3, 2);
  cost.of << 0, 10, 4, 1, 2, 2;
  const Cases cases{6, truth.data(), weight.data()};
  const CostTable table({cost, {}});
  Comparison comparison(cases, table, {1, 2, 0}, fold.data(), 2);
  const CandidateRisk a = comparison.add(first.data()), b = comparison.add(second.data());
  CHECK(comparison.fold_weight() == Vector{3, 4.5});
  CHECK(a.fold_decided == Vector{3, 1.5});
  CHECK(a.fold_wrong == Vector{2, 0});
  CHECK(a.fold_cost == Vector{20, 2.5});
  CHECK(a.cost.mean == 5);
  CHECK(a.difference.mean == 0);
  CHECK(b.fold_wrong == Vector{1, 0.5});
  CHECK(b.cost.mean == (4 + 2 + 2 + 0 + 5) / 7.5);
  // Both decide cases 1, 2, 3 and 6: differences 4, -9, 0, 9 of weights 1, 2, 1, 0.5.
  CHECK(b.difference.weight == 4.5);
  CHECK(relative_error(b.difference.mean, (4 - 18 + 4.5) / 4.5) < 1e-15);
  const double m = -9.5 / 4.5;
  const double scatter =
      (4 - m) * (4 - m) + 2 * (9 + m) * (9 + m) + m * m + 0.5 * (9 - m) * (9 - m);
  // The effective number of cases is 4.5^2 / (1 + 4 + 1 + 0.25).
  const double number = 4.5 * 4.5 / 6.25;
  CHECK(relative_error(b.difference.standard_error, std::sqrt(scatter / 4.5 / (number - 1))) <
        1e-14);
}

TEST_CASE("cases without a decision: of unknown cost, or not") {
  const int na = kMissingInteger;
  const IntVector truth{1, 2, 2, 1, na}, decision{1, na, na, na, na}, fold{1, 1, 1, 2, na};
  const Vector weight{1, 2, 4, 8, 16}, amount{1, kNaN, 1, 1, kNaN};
  CaseCost cost;
  cost.fixed.of = Matrix::Zero(3, 2);
  cost.varying = {{2, 0, amount.data()}};
  const Cases cases{5, truth.data(), weight.data()};
  const CostTable table(cost);
  const CandidateRisk risk =
      Comparison(cases, table, {1, 2, 0}, fold.data(), 2).add(decision.data());
  CHECK(risk.fold_decided == Vector{1, 0});
  CHECK(risk.fold_unpriced == Vector{2, 0});
  CHECK(risk.fold_undecided == Vector{4, 8});
}

TEST_SUITE_END();

}  // namespace test_evaluation
