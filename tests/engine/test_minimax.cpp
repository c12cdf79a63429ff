#include "helpers.hpp"

#include <engine/search/minimax.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_minimax {

namespace {

const double inf = std::numeric_limits<double>::infinity();

Cost cost_of(std::initializer_list<std::initializer_list<double>> rows) {
  Cost cost;
  cost.of.resize(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index a = 0;
  for (const auto& row : rows) {
    Index k = 0;
    for (double value : row) cost.of(a, k++) = value;
    ++a;
  }
  return cost;
}

// A world of one normal feature.
Minimax search_line(const Vector& mean, const Vector& sd, const Cost& cost, int* looks = nullptr) {
  const auto classes = static_cast<Index>(mean.size());
  const ModelPlan plan = gaussian_plan(static_cast<int>(classes), 1);
  Gaussian::Parameters p{Matrix(classes, 1), Matrix::Zero(classes, 1), Matrix(classes, 1)};
  for (Index k = 0; k < classes; ++k) {
    p.mean(k, 0) = mean[static_cast<std::size_t>(k)];
    p.sd(k, 0) = sd[static_cast<std::size_t>(k)];
  }
  const std::vector<AnyParameters> banks{p};
  const Vector prior(mean.size(), 1.0 / static_cast<double>(classes));
  const LineWorld world{view_of(plan, banks, prior, 1), {}, 0, mean[0]};
  const Context context;
  const LineMethod method(world, world.view, cost, context);
  const MethodClassRisks risks(
      method, EvenClasses(mean.size(), first_features(static_cast<int>(classes))), cost);
  int count = 0;
  const Minimax found = MinimaxSearch(classes,
                                      [&](const Eigen::VectorXd& at) {
                                        ++count;
                                        return risks(at);
                                      },
                                      cost, {})
                            .find();
  if (looks) *looks = count;
  return found;
}

// A world of one table: `probability` classes x levels.
Minimax search_table(const Matrix& probability, const Cost& cost) {
  const auto classes = static_cast<int>(probability.rows());
  const ModelPlan plan = categorical_plan(classes, {static_cast<int>(probability.cols())});
  const std::vector<AnyParameters> banks{Categorical::Parameters{probability.array().log()}};
  const Vector prior(static_cast<std::size_t>(classes), 1.0 / classes);
  const LineWorld world{
      view_of(plan, banks, prior, 1), {{0}, {static_cast<int>(probability.cols())}}, -1, 0};
  const Context context;
  return find_minimax(LineMethod(world, world.view, cost, context), first_features(classes), cost);
}

double bayes_risk(const Matrix& probability, const Cost& cost, const Eigen::VectorXd& prior) {
  return (cost.of * prior.asDiagonal() * probability).colwise().minCoeff().sum();
}

}  // namespace

TEST_SUITE_BEGIN("minimax");

TEST_CASE("a mixture of rules is a matrix game: rock, paper, scissors") {
  RuleMixture game(3);
  for (const Vector& v : {Vector{1, 2, 0}, Vector{0, 1, 2}, Vector{2, 0, 1}}) {
    game.add(Eigen::Vector3d(v[0], v[1], v[2]).array() + 1);
  }
  REQUIRE(game.solve());
  CHECK(game.value() == doctest::Approx(2));
  for (int k = 0; k < 3; ++k) CHECK(game.prior()[k] == doctest::Approx(1 / 3.0));
}

TEST_CASE("the margin of an action: in closed form, with infinite costs") {
  // Between (0, 10) and (10, 0) the best belief for `own` is (.5, .5), where both cost 5.
  const Matrix two = cost_of({{0, 10}, {10, 0}}).of;
  const auto margin = [](const Matrix& others, double a, double b) {
    return best_margin(others, Eigen::Vector2d(a, b));
  };
  CHECK(margin(two, 5, 5) == 0);
  CHECK(margin(two, 4, 4) == doctest::Approx(1.0 / 6));  // in units of 6
  CHECK(margin(two, 6, 6) < 0);
  // An action with an infinite cost where `own` has none is always worse.
  CHECK(margin(cost_of({{0, inf}}).of, 9, 9) == inf);
  CHECK(margin(cost_of({{0, inf}, {10, 0}}).of, 9, 9) > 0);
  // A class in which `own` has an infinite cost does not count.
  CHECK(margin(two, inf, 5) == doctest::Approx(-1));
  CHECK(margin(two, inf, -1) > 0);
  CHECK(margin(two, inf, inf) == 0);
  CHECK(margin(Matrix(0, 2), 3, 3) == inf);
  // The same costs everywhere.
  CHECK(margin(cost_of({{3, 3}}).of, 3, 3) == 0);
}

TEST_CASE("the letters: prior (.5, .5), risk .1056497737") {
  int looks = 0;
  const Minimax found = search_line({15, 25}, {4, 4}, cost_of({{0, 1}, {1, 0}}), &looks);
  CHECK(std::abs(found.prior[0] - .5) < 1e-13);
  CHECK(digits(found.risk, .5 * std::erfc(1.25 / std::sqrt(2))) > 13);
  CHECK(std::abs(found.class_risk[0] - found.class_risk[1]) < 1e-13);
  CHECK(looks < 60);
}

TEST_CASE("unequal costs and spreads: the class risks are even") {
  int looks = 0;
  const Minimax two = search_line({0, 1}, {1, 3}, cost_of({{0, 7}, {2, -1}, {1.5, 1.5}}), &looks);
  CHECK(std::abs(two.class_risk[0] - two.class_risk[1]) < 1e-12);
  CHECK(looks < 100);
  const Minimax three =
      search_line({0, 2, 5}, {1, 1, 2}, cost_of({{0, 2, 9}, {1, 0, 4}, {3, 1, 0}}), &looks);
  CHECK(three.prior.minCoeff() > .01);
  CHECK(three.class_risk.maxCoeff() - three.class_risk.minCoeff() < 1e-12);
  CHECK(looks < 200);
}

TEST_CASE("a class far from the others: its tiny prior keeps it from being given up") {
  const Cost cost = cost_of({{0, 1, 1}, {1, 0, 1}, {1, 1, 0}});
  double last = 1;
  for (double far : {5, 8, 12, 20, 30}) {
    const Minimax found = search_line({0, far, far + 1}, {1, 1, 1}, cost);
    CHECK(found.class_risk.maxCoeff() - found.class_risk.minCoeff() < 1e-12);
    CHECK(found.prior[0] < last);
    CHECK(found.prior[0] > 0);
    last = found.prior[0];
  }
}

TEST_CASE("six classes of different spread") {
  int looks = 0;
  const Minimax found = search_line({0, 1, 2.5, 4, 7, 8}, {1, 1, .5, 2, 1, 3},
                                    cost_of({{0, 2, 9, 1, 2, 4},
                                             {1, 0, 4, 8, 1, 1},
                                             {3, 1, 0, 2, 5, 3},
                                             {4, 4, 4, 0, 1, 2},
                                             {9, 7, 3, 1, 0, 1},
                                             {6, 3, 5, 2, 1, 0},
                                             {2, 2, 2, 2, 2, 2}}),
                                    &looks);
  for (int k = 0; k < 6; ++k) {
    if (found.prior[k] > 1e-9) CHECK(std::abs(found.class_risk[k] - found.risk) < 1e-11);
    CHECK(found.class_risk[k] <= found.risk + 1e-11);
  }
  CHECK(looks < 200);
}

TEST_CASE("a corner: a class that is never dear has no prior") {
  // The second class costs nothing, whatever is decided.
  const Minimax found = search_line({0, 1}, {1, 1}, cost_of({{3, 0}, {2, 0}}));
  CHECK(found.prior[0] == 1);
  CHECK(found.risk == 2);
  // The middle one of three, where its cost is small.
  const Minimax three =
      search_line({0, 1, 2}, {1, 1, 1}, cost_of({{0, .1, 5}, {5, .1, 0}, {9, 0, 9}}));
  CHECK(three.prior[1] < 1e-9);
  CHECK(std::abs(three.class_risk[0] - three.class_risk[2]) < 1e-12);
  CHECK(three.class_risk[1] <= three.risk);
}

TEST_CASE("by sampling, and on a plane: as along the line") {
  // The second feature tells nothing.
  const ModelPlan plan = gaussian_plan(3, 2);
  Gaussian::Parameters p{Matrix(3, 2), Matrix::Zero(3, 2), Matrix::Ones(3, 2)};
  p.mean << 0, 5, 2, 5, 5, 5;
  p.sd(2, 0) = 2;
  const std::vector<AnyParameters> banks{p};
  const Vector prior(3, 1 / 3.0);
  const View view = view_of(plan, banks, prior, 2);
  const Cost cost = cost_of({{0, 2, 9}, {1, 0, 4}, {3, 1, 0}});
  const Minimax exact = search_line({0, 2, 5}, {1, 1, 2}, cost);
  const Context context = threads(2);
  const PlaneWorld world{view, {}, 0, 1, {0, 5}};
  const PlaneMethod method(world, view, cost, 1e-10, context);
  const Minimax plane = find_minimax(method, {0, 1, 2}, cost, 1e-10);
  CHECK(std::abs(plane.risk - exact.risk) < 1e-8);
  CHECK((plane.prior - exact.prior).cwiseAbs().maxCoeff() < 1e-6);
  const Minimax drawn = find_minimax(view, {0, 1, 2}, cost, 1, context);
  CHECK(drawn.accuracy > 0);
  CHECK(drawn.accuracy < 1e-3);
  CHECK(std::abs(drawn.risk - exact.risk) < 10 * drawn.accuracy + 1e-6);
  CHECK((drawn.prior - exact.prior).cwiseAbs().maxCoeff() < .01);
  CHECK(drawn.gap() < 1e-3);
}

TEST_CASE("tables: the risk has a corner, found exactly") {
  Matrix p(2, 2);
  p << .85, .15, .1, .9;
  const Cost cost = cost_of({{0, 1}, {1, 0}});
  const Minimax found = search_table(p, cost);
  // Tall decides: .1 t' + .15 t, where short still says no: t in (2/19, 6/7), the top
  // at an end: .15 t + .1 (1 - t) rises to t = 6/7.
  CHECK(digits(found.prior[0], 6 / 7.0) > 13);
  CHECK(digits(found.risk, .15 * 6 / 7 + .1 / 7) > 13);
}

TEST_CASE("tables at random: no prior of a grid costs more, three and four classes") {
  Random random(63);
  for (int trial = 0; trial < 40; ++trial) {
    const int classes = 2 + random.below(3), levels = 1 + random.below(5);
    Matrix p(classes, levels);
    for (int k = 0; k < classes; ++k) {
      for (int l = 0; l < levels; ++l) p(k, l) = .01 + random.uniform();
      p.row(k) /= p.row(k).sum();
    }
    Cost cost{Matrix(1 + random.below(5), classes)};
    for (Index i = 0; i < cost.of.size(); ++i) {
      cost.of.data()[i] = std::floor(10 * random.uniform()) - 3;
    }
    const Minimax found = search_table(p, cost);
    CHECK(found.prior.sum() == doctest::Approx(1).epsilon(1e-14));
    CHECK(bayes_risk(p, cost, found.prior) == doctest::Approx(found.risk).epsilon(1e-12));
    for (int probe = 0; probe < 2000; ++probe) {
      Eigen::VectorXd other(classes);
      for (int k = 0; k < classes; ++k) other[k] = -std::log(random.uniform() + 1e-300);
      other /= other.sum();
      // Near the optimum too.
      if (probe % 2) other = .999 * found.prior + .001 * other;
      CHECK(bayes_risk(p, cost, other) <= found.risk + 1e-12);
    }
  }
}

TEST_CASE("a class that an infinite cost protects stays possible, whichever it is") {
  Matrix probability(2, 2);
  probability << .5, .5, .25, .75;
  const Minimax first = search_table(probability, cost_of({{0, 1}, {inf, 0}}));
  CHECK(first.prior[0] >= MinimaxSearch::kLeastPrior);
  CHECK(first.risk == 1);
  const Minimax second = search_table(probability, cost_of({{0, inf}, {1, 0}}));
  CHECK(second.prior[1] >= MinimaxSearch::kLeastPrior);
  CHECK(second.risk == 1);
}

TEST_SUITE_END();

}  // namespace test_minimax
