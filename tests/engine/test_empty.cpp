// Empty inputs of every kind: no rows, no classes, no features. Empty vectors have null pointers,
// and UBSan reports their use.

#include "likelihoods.hpp"

#include <engine/evaluation/assessment.hpp>
#include <engine/evaluation/comparison.hpp>
#include <engine/evaluation/cross_validation.hpp>
#include <engine/evaluation/proper_scores.hpp>
#include <engine/model/checks.hpp>
#include <engine/model/draw.hpp>
#include <engine/risk/bounds.hpp>
#include <engine/search/minimax.hpp>
#include <engine/search/next_feature.hpp>
#include <engine/search/sweep.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_empty {

namespace {

Frame no_rows(const ExampleModel& model) {
  static const Vector real;
  static const IntVector code;
  std::vector<Column> codes;
  for (int levels : {2, 3}) codes.push_back(factor(code, levels));
  static const Bag bag(Matrix(0, BagExample<Multinomial>::kTerms));
  return frame_of(model.columns({reals(real)}, codes, bag.column()), 0);
}

// A normal feature, known of both classes.
struct Known {
  ModelPlan plan = gaussian_plan(2, 1);
  std::vector<AnyParameters> banks{
      Gaussian::Parameters{Matrix::Identity(2, 1), Matrix::Zero(2, 1), Matrix::Ones(2, 1)}};
  Vector prior{0.5, 0.5}, none;
  Frame frame = frame_of({reals(none)}, 0);
};

// Classes without features. The first class is the more probable one.
struct Featureless {
  ModelPlan plan;
  std::vector<AnyParameters> banks{};
  Vector prior;
  View view;
  LineWorld world;

  explicit Featureless(int groups)
      : plan{groups, {}},
        prior(groups == 1 ? Vector{1} : Vector{0.75, 0.25}),
        view(view_of(plan, banks, prior, 0)),
        world{view, {}} {}
};

}  // namespace

TEST_SUITE_BEGIN("empty");

TEST_CASE("the tests know every likelihood of the engine by its name") {
  CHECK(likelihood_names() == AllLikelihoods::names());
  for (const std::string& name : likelihood_names()) CHECK(empty_plan(name)->name() == name);
  CHECK_THROWS_AS(empty_plan("none"), InvalidState);
}

TEST_CASE("R12: no rows, of no class or of some, by every bank") {
  for (int groups : {0, 1, 2}) {
    const ExampleModel every = ExampleModel::of_all(groups);
    const ModelPlan& plan = every.plan;
    ModelStatistics all = collect(plan, no_rows(every), {});
    const ModelStatistics other = collect(plan, no_rows(every), {}, {}, 2);
    all.merge(plan, other);
    CHECK(all.classes.rows == Vector(groups, 0.0));
    const Model model = estimate(plan, all, every.options);
    CHECK(model.estimate.prior.size() == static_cast<std::size_t>(groups));
    CHECK(model.problems.empty());  // classes without rows are no problem
  }
}

TEST_CASE("R12: no features and no rows give empty answers of every kind") {
  Cost cost;
  for (int groups : {1, 2}) {
    const ModelPlan plan{groups, {}};
    const Vector prior(groups, 1.0 / groups);
    cost.of = Matrix::Ones(3, groups);
    for (Output output : {Output::prob, Output::log_prob, Output::log_joint, Output::log_likelihood,
                          Output::log_evidence, Output::decision}) {
      CHECK(score_numbers(plan, {}, prior, frame_of({}, 0), output, &cost).rows() == 0);
      CHECK(score_numbers(plan, {}, prior, frame_of({}, 2), output, &cost).rows() == 2);
    }
    for (Output output : {Output::class_, Output::decision}) {
      CHECK(score_choices(plan, {}, prior, frame_of({}, 0), output, &cost).empty());
      CHECK(score_choices(plan, {}, prior, frame_of({}, 2), output, &cost) == IntVector{1, 1});
    }
    const Scorer scorer(plan, {}, prior, 2);
    contributions(plan, scorer, frame_of({}, 0), kNaN, nullptr, {});
    Vector out(static_cast<std::size_t>(2 * groups));
    contributions(plan, scorer, frame_of({}, 2), kNaN, out.data(), {});
    CHECK(out == Vector(static_cast<std::size_t>(2 * groups), std::log(1.0 / groups)));
  }
}

TEST_CASE("R12: no class is no model, and no row makes one") {
  const ExampleModel no_class = ExampleModel::of_all(0);
  CHECK_THROWS_AS(check_plan(no_class.plan, no_class.features), InvalidState);
  CHECK_THROWS_AS(check_plan({0, {}}, 0), InvalidState);
  for (int groups : {0, 1, 2}) {
    const ExampleModel every = ExampleModel::of_all(groups);
    const ModelPlan& plan = every.plan;
    const ModelStatistics all = collect(plan, no_rows(every), {});
    CHECK(all.of_groups(plan, 0, groups).classes.rows == all.classes.rows);
    CHECK(all.of_groups(plan, 0, 0).classes.rows.empty());
    IntVector same(plan.banks.size());
    std::iota(same.begin(), same.end(), 0);
    const ModelStatistics moved =
        realign(plan, all, plan, identity_mapping(plan, every.features), same);
    CHECK(moved.classes.rows == all.classes.rows);
    const Model model = estimate(plan, all, every.options);
    if (groups > 0) {
      CHECK_THROWS_AS(check_prior(model.estimate.prior), InvalidState);
      CHECK_THROWS_AS(require_sound(model.plan, model.estimate.banks, Vector(groups, 1.0)),
                      InvalidState);
    }
    CHECK_THROWS_AS(compare_classes({groups == 2 ? 3 : groups, {}}, {}), InvalidState);
  }
  const FeatureRange range = find_range(reals({}), 0, {nullptr, nullptr, 2}, true);
  CHECK(range.weight == 0);
  CHECK(std::isnan(range.upper_quartile));
}

TEST_CASE("R12: no rows are scored, decided, swept and searched for") {
  const Known known;
  const Cost cost = zero_one(2);
  for (Output output : {Output::prob, Output::log_prob, Output::log_joint, Output::log_likelihood,
                        Output::log_evidence, Output::decision}) {
    CHECK(score_numbers(known.plan, known.banks, known.prior, known.frame, output, &cost).size() ==
          0);
  }
  CHECK(score_choices(known.plan, known.banks, known.prior, known.frame, Output::class_).empty());
  const CaseCost costs{cost, {}};
  const Matrix joint(0, 2);
  CHECK(CasesSweep(joint, costs, {kAll, 0}, 0.5).run(0, 1, threads(2)).segments.empty());
  const View view = view_of(known.plan, known.banks, known.prior, 1);
  CHECK(FeatureSearch(view, costs, known.frame, {0}, joint).run(threads(2)).value.size() == 0);
  const Drawer drawer(known.plan, known.banks);
  DrawnRows rows(drawer.levels(), 0);
  CHECK(draw_cases(
            drawer, known.prior, 0, [] { return 0.5; }, rows)
            .empty());
  CHECK(rows.frame().rows == 0);
}

TEST_CASE("R12: a posterior of no rows") {
  const Vector none;
  for (int classes : {1, 2}) {
    const Frame posterior = frame_of(std::vector<Column>(classes, reals(none)), 0);
    const CaseCost costs{zero_one(classes), {}};
    IntVector choice;
    DecisionColumns out;
    out.decision = out.runner_up = out.tie = choice.data();
    for (const Vector& factor : {Vector(), Vector(classes, 1.0)}) {
      const PosteriorReport report =
          decide_posterior(posterior, factor, costs, out, first_features(classes), threads(2));
      CHECK(report.impossible + report.negative.count + report.sum.count == 0);
    }
    for (bool logarithms : {false, true}) {
      const ProperScores scores = ProperScorer(posterior, logarithms, Cases(), {}, {1}).run();
      CHECK(scores.cases == 0);
      CHECK(std::isnan(scores.brier));
      CHECK(scores.benefit[0].curve.threshold.empty());
    }
  }
}

TEST_CASE("R12: no cases are assessed and compared") {
  const CaseCost costs{zero_one(2), {}};
  const CostTable table(costs);
  const Cases cases;
  const IntVector class_of{1, 2};
  const Vector none;
  for (const double* expected : {static_cast<const double*>(nullptr), none.data()}) {
    const Assessment a = Assessor(cases, table, nullptr, expected, class_of).run({}, threads(2));
    CHECK(a.count.sum() == 0);
    CHECK(std::isnan(a.realised));
    CHECK(std::isnan(a.interval.upper));
    CHECK(a.coverage.empty());
  }
  Comparison comparison(cases, table, class_of, nullptr, 2);
  for (const char* candidate : {"first", "second"}) {
    INFO(std::string(candidate));
    const CandidateRisk risk = comparison.add(nullptr);
    CHECK(risk.cost.weight == 0);
    CHECK(std::isnan(risk.difference.mean));
    CHECK(risk.fold_decided == Vector{0, 0});
  }
}

TEST_CASE("R12: folds of no rows, by every bank") {
  draw_folds(nullptr, 0, 2, 5, 1, nullptr);
  const ExampleModel every = ExampleModel::of_all(2);
  const ModelPlan& plan = every.plan;
  IntVector same(plan.banks.size());
  std::iota(same.begin(), same.end(), 0);
  const CaseCost costs{zero_one(2), {}};
  HeldOut wanted;
  wanted.cost = &costs;
  wanted.choices = {nullptr, nullptr};
  FoldedRows rows;
  rows.frame = no_rows(every);
  for (bool uniform : {false, true}) {
    const std::vector<Candidate> candidates(2, {plan, same, every.options, {}, uniform});
    for (int folds : {1, 2, 101}) {  // in one block, and in several
      Diagnostics found;
      const Context context = threads(2);
      const auto problems =
          CrossValidation(plan, candidates, wanted, context).run(rows, folds, found);
      CHECK(found.empty());
      CHECK(problems.size() == static_cast<std::size_t>(2 * folds));
      for (const FoldProblem& problem : problems) CHECK(problem.failed);
    }
  }
}

TEST_CASE("R12: folds of rows without features are decided for the class that is left") {
  const ModelPlan plan{2, {}};
  const std::vector<Candidate> candidates{{plan, {}, {}, {}, false}};
  const CaseCost costs{zero_one(2), {}};
  const IntVector group{1, 2}, fold{1, 2};
  IntVector choice(2);
  HeldOut wanted;
  wanted.cost = &costs;
  wanted.choices = {choice.data()};
  FoldedRows rows;
  rows.frame.rows = 2;
  rows.group = group.data();
  rows.fold = fold.data();
  Diagnostics found;
  const Context context;
  const auto problems = CrossValidation(plan, candidates, wanted, context).run(rows, 2, found);
  CHECK(found.empty());
  CHECK(problems.size() == 2);  // a class without rows, twice
  CHECK(choice == IntVector{2, 1});
}

TEST_CASE("R12: a world without features is decided by its prior") {
  for (int groups : {1, 2}) {
    const Featureless model(groups);
    const Cost cost = zero_one(groups);
    const double risk = 1 - model.prior[0];
    const ModelRule rule(model.view, model.world, cost);
    const Matrix table = decision_table(model.world, rule, groups, Context());
    CHECK(std::abs(cost_of_table(table, cost) - risk) < 1e-15);
    const Context context;
    const LineMethod method(model.world, model.view, cost, context);
    CHECK(bayes_risks(method, Matrix(0, groups), cost).empty());
    const Minimax worst = find_minimax(method, first_features(groups), cost);
    CHECK(std::abs(worst.risk - 0.5 * (groups - 1)) < 1e-12);
    const BayesDecisions decisions(cost);
    const std::vector<const RowDecisions*> rules{&decisions};
    const MonteCarloRisk drawn = MonteCarlo(model.view, rules, cost, {1, 0, 4096}, Context()).run();
    CHECK(std::abs(cost_of_table(drawn.table[0], cost) - risk) < 1e-12);
    const Drawer drawer(model.plan, model.banks);
    DrawnRows rows(drawer.levels(), 3);
    CHECK(draw_cases(
              drawer, model.prior, 3, [] { return 0.5; }, rows) == IntVector{0, 0, 0});
    CHECK(rows.frame().columns.empty());
  }
}

TEST_CASE("R12: what is asked of features that are not there") {
  const Featureless model(2);
  const CaseCost costs{zero_one(2), {}};
  const Matrix joint = Matrix::Constant(3, 2, std::log(0.5));
  const NextFeature next =
      FeatureSearch(model.view, costs, frame_of({}, 3), {}, joint).run(Context());
  CHECK(next.unknown.rows() == 3);
  CHECK(next.value.size() == 0);
  CHECK_THROWS_AS(FeatureSearch(model.view, costs, frame_of({}, 3), {0}, joint), InvalidState);
  CHECK_THROWS_AS(place_of(model.plan, 0), InvalidState);
  // A feature that the world has and the model has not.
  const View blind{model.plan, model.banks, model.prior, {-1}, {{}}};
  const Regions regions = find_regions(marginal_of(blind, 0, 0), blind.log_prior(), costs.fixed);
  CHECK(regions.cut.empty());
  CHECK(regions.decision == IntVector{0});
  const RiskBounds bounds = bound_risk(compare_classes(model.plan, model.banks), 0.5, 0.5);
  CHECK(std::abs(bounds.bhattacharyya - 0.5) < 1e-15);
  CHECK(std::abs(bounds.chernoff - 0.5) < 1e-15);
  CHECK(std::abs(bounds.lower - 0.5) < 1e-7);
  CHECK(std::isnan(bounds.mahalanobis));
}

TEST_SUITE_END();

}  // namespace test_empty
