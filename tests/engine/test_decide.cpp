#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_decide {

namespace {

const double inf = std::numeric_limits<double>::infinity();

// Three classes, four actions, the last of which is no class; two costs differ by case.
struct ByCase {
  Matrix p;
  Vector amount, price;
  CaseCost cost;
  IntVector class_of{0, 1, 2, -1};

  explicit ByCase(int rows) : p(rows, 3), amount(rows), price(rows) {
    Random random(21);
    for (int r = 0; r < rows; ++r) {
      for (int k = 0; k < 3; ++k) p(r, k) = random.below(8) == 0 ? 0 : random.uniform() + 0.01;
      p(r, 0) += 0.01;
      p.row(r) /= p.row(r).sum();
      amount[r] = random.below(5) == 0 ? inf : 4 * random.uniform();
      price[r] = 1.2 * random.uniform() - 0.1;
    }
    cost.fixed.of.resize(4, 3);
    cost.fixed.of << 0, 2, 0, 1, 0, 3, 5, 1, 0, 0, 0.75, 1.5;
    cost.varying = {{0, 2, amount.data()}, {3, 0, price.data()}};
  }

  Frame frame() const {
    std::vector<Column> columns(3);
    for (int k = 0; k < 3; ++k) columns[k].real = p.col(k).data();
    return frame_of(columns, p.rows());
  }
};

// Every column that a decision can have.
struct Decisions {
  IntVector decision, runner_up, tie;
  Vector cost, margin;
  Matrix cost_of;
  DecisionColumns columns;

  Decisions(Index rows, int actions)
      : decision(rows), runner_up(rows), tie(rows), cost(rows), margin(rows) {
    cost_of.resize(rows, actions);
    columns.decision = decision.data();
    for (int a = 0; a < actions; ++a) columns.cost_of.push_back(cost_of.col(a).data());
    columns.cost = cost.data();
    columns.runner_up = runner_up.data();
    columns.margin = margin.data();
    columns.tie = tie.data();
  }
};

// By the definition, without infinity times 0.
double expected_cost(const Cost& cost, const Eigen::VectorXd& p, int action) {
  double sum = 0;
  for (Index k = 0; k < p.size(); ++k) {
    if (p[k] > 0) sum += p[k] * cost.of(action, k);
  }
  return sum;
}

}  // namespace

TEST_SUITE_BEGIN("decide");

// As many rows as are read in several runs and tiles, the last of them not whole.
TEST_CASE("costs that differ by case: what is decided about probabilities, by the definition") {
  const int rows = 1301;
  const ByCase given(rows);
  for (const Vector& factor : {Vector{}, Vector{0.5, 2, 1.25}}) {
    Decisions found(rows, 4);
    const PosteriorReport report = decide_posterior(given.frame(), factor, given.cost,
                                                    found.columns, given.class_of, Context());
    Vector error(4, 0.0);
    for (int r = 0; r < rows; ++r) {
      Eigen::VectorXd p = given.p.row(r).transpose();
      if (!factor.empty()) p.array() *= Eigen::Array3d(factor[0], factor[1], factor[2]);
      p /= p.sum();
      Vector cost(4);
      for (int a = 0; a < 4; ++a) {
        cost[a] = expected_cost(given.cost.at(r), p, a);
        CHECK((found.cost_of(r, a) == cost[a] || digits(found.cost_of(r, a), cost[a]) > 13));
      }
      const auto first = std::min_element(cost.begin(), cost.end()) - cost.begin();
      CHECK(found.decision[r] == first + 1);
      CHECK(found.cost[r] == found.cost_of(r, first));
      const double least = cost[first];
      cost[first] = inf;
      const auto second = std::min_element(cost.begin(), cost.end()) - cost.begin();
      CHECK(found.runner_up[r] == second + 1);
      CHECK(found.tie[r] == 0);
      CHECK(found.margin[r] == doctest::Approx(cost[second] - least).epsilon(1e-12));
      if (given.class_of[first] >= 0) error[first] += 1 - p[given.class_of[first]];
    }
    for (int a = 0; a < 4; ++a) CHECK(report.decision.error[a] == doctest::Approx(error[a]));
    CHECK(error[3] == 0);
    CHECK(report.decision.unpriced + report.impossible + report.sum.count == 0);
  }
}

// A decision alone is computed without exact probabilities where these cannot change it.
TEST_CASE("decisions alone are those that come with their expected costs") {
  Random random(23);
  const int rows = 3000;
  for (int classes : {1, 2, 3, 5, 33}) {
    for (double scale : {0.05, 1.0, 40.0}) {
      CAPTURE(classes);
      std::vector<Vector> x(3, Vector(rows));
      for (int r = 0; r < rows; ++r) {
        for (Vector& column : x) {
          // Whole numbers tie; the last rows are clear.
          column[r] = r < 1500 ? random.below(5) - 2 : scale * random.normal();
        }
        if (r % 700 == 9) x[r % 3][r] = kNaN;
        if (r % 900 == 9) x[1][r] = inf;
        if (r % 600 == 5) x[0][r] = x[1][r] = x[2][r] = kNaN;
      }
      Gaussian::Parameters normals{Matrix(classes, 3), Matrix::Zero(classes, 3),
                                   Matrix::Ones(classes, 3)};
      Vector prior(classes, 1.0 / classes);
      for (int k = 0; k < classes; ++k) normals.mean.row(k).setConstant(k % 2 ? k : -k);
      if (classes == 5) prior = {0.5, 0, 0.25, 0.125, 0.125};
      for (double low : {0.0, -1.0}) {
        Cost cost{Matrix(4, classes)};
        for (Index i = 0; i < cost.of.size(); ++i) {
          cost.of.data()[i] = low + random.below(4);
        }
        cost.of.row(3) = cost.of.row(1);  // never decided
        const ModelPlan plan = gaussian_plan(classes, 3);
        const Frame frame = frame_of(x);
        ScoreReport alone_report, report;
        const IntVector alone =
            score_choices(plan, {normals}, prior, frame, Output::decision, &cost, 1, &alone_report);
        CHECK(alone == score_choices(plan, {normals}, prior, frame, Output::decision, &cost, 2));
        const Matrix expected =
            score_numbers(plan, {normals}, prior, frame, Output::decision, &cost, 1, &report);
        const Cost absolute{cost.of.cwiseAbs()};
        const Matrix size =
            score_numbers(plan, {normals}, prior, frame, Output::decision, &absolute);
        CHECK(alone_report.infinite == report.infinite);
        CHECK(report.infinite > 0);
        int wrong = 0;
        for (int r = 0; r < rows; ++r) {
          int best = kMissingInteger;
          if (!std::isnan(expected(r, 0))) {
            const double limit = expected.row(r).minCoeff() + kTie * size.row(r).maxCoeff();
            for (best = 0; expected(r, best) > limit;) ++best;
            ++best;
          }
          wrong += alone[r] != best;
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("a row that rounding keeps from 1 is divided by its sum; its neighbours stay") {
  const Vector sums{1, 1 + 5e-9, 1 + 5e-6, 0.985, 1, 1.03};
  const int rows = static_cast<int>(sums.size());
  ByCase given(rows), exact(rows);
  for (int r = 0; r < rows; ++r) {
    exact.p.row(r) << 0.25, 0.125, 0.625;
    given.p.row(r) = exact.p.row(r) * sums[r];
  }
  for (const Vector& factor : {Vector{}, Vector{0.5, 2, 1.25}}) {
    Decisions found(rows, 4), wanted(rows, 4);
    const PosteriorReport report = decide_posterior(given.frame(), factor, given.cost,
                                                    found.columns, given.class_of, Context());
    decide_posterior(exact.frame(), factor, given.cost, wanted.columns, given.class_of, Context());
    CHECK(report.scaled == 2);
    CHECK(report.most_off == doctest::Approx(0.015));
    CHECK(report.rounded.first == std::vector<Index>{3});
    CHECK(report.sum.first == std::vector<Index>{5});
    for (int r : {0, 4}) CHECK(found.cost_of(r, 1) == wanted.cost_of(r, 1));
    for (int r : {2, 3}) {
      CHECK(digits(found.cost_of(r, 1), wanted.cost_of(r, 1)) > 13);
      CHECK(found.decision[r] == wanted.decision[r]);
    }
    // As it is: 5e-9 more.
    const double as_it_is = factor.empty() ? 1 + 5e-9 : 1;
    CHECK(digits(found.cost_of(1, 1), as_it_is * wanted.cost_of(1, 1)) > 13);
  }
}

TEST_CASE("rows that are no probabilities have no decision; what is wrong with them is counted") {
  ByCase given(600);
  given.p(3, 1) = kNaN;
  given.p.row(5) << -0.25, 0.75, 0.5;
  given.p.row(300) << 0.5, 0.5, 0.125;
  given.p.row(599) << 0, 0, 1;
  given.p.row(7) << 0.5, 0.5 + 5e-9, 0;
  Decisions found(600, 4);
  const PosteriorReport report = decide_posterior(given.frame(), {1, 1, 0}, given.cost,
                                                  found.columns, given.class_of, Context());
  CHECK(report.negative.first == std::vector<Index>{5});
  CHECK(report.sum.first == std::vector<Index>{300});
  CHECK(report.negative.count == 1);
  CHECK(report.sum.count == 1);
  CHECK(report.impossible == (given.p.col(2).array() == 1).count());
  for (int r : {3, 599}) {
    CHECK(found.decision[r] == kMissingInteger);
    CHECK(std::isnan(found.cost_of(r, 0)));
  }
  CHECK(found.decision[7] != kMissingInteger);
}

TEST_SUITE_END();

}  // namespace test_decide
