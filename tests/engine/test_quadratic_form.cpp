#include "helpers.hpp"

#include <engine/risk/ratio_risk.hpp>

#include <doctest/doctest.h>

using namespace testing;

namespace test_quadratic_form {

namespace {

double normal_above(double x) { return 0.5 * std::erfc(x * kSqrtHalf); }

// The relative error is below the bound that is reported, and the bound is small.
void check_tail(const QuadraticForm& form, double at, double truth, double digits = 1e-12) {
  const Tail tail = UpperTail(form, at).find();
  INFO("at ", at, ": ", tail.probability, ", truth ", truth, ", error ", tail.error);
  CHECK(std::abs(tail.probability - truth) <= tail.error + 4e-16 * truth);
  CHECK(tail.error <= digits * truth);
}

}  // namespace

TEST_SUITE_BEGIN("quadratic_form");

TEST_CASE("closed forms: normal, exponential, differences, one square") {
  for (double at : {-3.0, 0.0, 0.1, 5.0, 37.0}) {
    check_tail({1, {0}, {2}}, 1 + 2 * at, normal_above(at), 1e-11);
  }
  for (double at : {1e-3, 1.0, 40.0, 1300.0}) {
    check_tail({0, {1, 1}, {0, 0}}, at, std::exp(-at / 2), 1e-11);
    for (double b : {1e-4, 0.5, 1.0, 30.0, 1e4}) {
      // The bound allows for a rounding error of the largest weight in each weight.
      const double digits = 1e-11 * (1 + b);
      check_tail({0, {1, 1, -b, -b}, {0, 0, 0, 0}}, at, std::exp(-at / 2) / (1 + b), digits);
    }
  }
  // w (z + d)^2, with d on both sides of the root.
  for (double d : {0.0, 0.5, 4.0, -6.0}) {
    for (double root : {0.5, 2.0, 9.0}) {
      const double truth = normal_above(root - d) + normal_above(root + d);
      if (truth > 0.9) continue;
      check_tail({3 * d * d, {3}, {6 * d}}, 3 * root * root, truth, 1e-11);
    }
  }
}

TEST_CASE("the ratio of two squares decays slowly along the whole path") {
  const double pi = 3.14159265358979323846;
  for (double b : {1e-3, 1.0, 3.0, 1e5}) {
    check_tail({0, {1, -b}, {0, 0}}, 0, 2 / pi * std::atan(1 / std::sqrt(b)), 1e-11 * (1 + b));
  }
}

// tools/oracle/quadratic_form.py
TEST_CASE("Imhof's formula in 50 digits") {
  QuadraticForm mixed, tail, line;
  for (int i = 0; i < 24; ++i) mixed.add((i % 2 ? -1 : 1) * (i + 1) / 8.0, i % 3 / 2.0);
  check_tail(mixed, 4, 0.32061685508636180675);
  for (int i = 0; i < 32; ++i) tail.add((i + 1) / 32.0, 0.25);
  check_tail(tail, 100, 1.3431435010350251196e-16);
  for (int i = 0; i < 24; ++i) line.add(-(i + 1) / 16.0, 0.5);
  line.add(0, 0.5);
  check_tail(line, -1, 9.4387300098078507959e-6);
}

TEST_CASE("values that are never or always exceeded") {
  CHECK(UpperTail({2, {}, {}}, 1).find().probability == 1);
  CHECK(UpperTail({2, {}, {}}, 2).find().probability == 0);
  CHECK(UpperTail({0, {-1, -2}, {0, 0}}, 0).find().probability == 0);
  CHECK(UpperTail({0, {-1, -2}, {0, 0}}, 1).find().probability == 0);
  CHECK(UpperTail({0, {1}, {0}}, 1e6).find().probability == 0);
  check_tail({0, {1, 0}, {0, 1e200}}, 1, 0.5);
  const Tail unknown = UpperTail({0, {kInfinity}, {0}}, 1).find();
  CHECK((unknown.probability == 0.5 && unknown.error == 0.5));
  check_tail({0, {1e-200, 1e-200}, {0, 0}}, 2e-200, std::exp(-1.0));
}

TEST_CASE("weights of very different sizes: both tails add up to 1") {
  Random random(3);
  for (int round = 0; round < 300; ++round) {
    QuadraticForm form;
    form.constant = random.normal();
    const int terms = 2 + random.below(14);
    double spread = 0;
    for (int i = 0; i < terms; ++i) {
      const double w = random.below(4) ? std::exp(4 * random.normal()) : 0;
      form.add(random.below(2) ? w : -w, random.below(2) ? std::exp(3 * random.normal()) : 0);
    }
    if (form.square.empty()) continue;
    for (std::size_t i = 0; i < form.square.size(); ++i) {
      spread = std::hypot(spread, std::hypot(2 * form.square[i], form.linear[i]));
    }
    const double at = form.mean() + spread * random.normal();
    const Tail above = UpperTail(form, at).find(), below = UpperTail(form.negative(), -at).find();
    INFO(round, ": ", above.probability, " ", below.probability);
    CHECK(std::abs(above.probability + below.probability - 1) <= above.error + below.error + 1e-15);
    if (std::min(above.probability, below.probability) > 1e-3) {
      CHECK(std::min(above.error, below.error) < 1e-10);
    }
  }
}

TEST_CASE("a spectrum is that of the matrix") {
  Random random(5);
  for (int p : {1, 2, 3, 30, 101}) {
    Matrix root(p, p);
    for (Index i = 0; i < root.size(); ++i) root.data()[i] = random.normal();
    const Matrix symmetric = root + root.transpose();
    const Eigen::VectorXd vector = root.col(0);
    const Spectrum found = spectrum_of(symmetric, vector);
    // Moments of the vector determine values and parts.
    Eigen::VectorXd power = vector;
    for (int m = 0; m < 4; ++m) {
      const double truth = vector.dot(power);
      const double sum = (found.part.array().square() * found.value.array().pow(m)).sum();
      CHECK(std::abs(sum - truth) < 1e-11 * std::pow(symmetric.norm(), m) * vector.squaredNorm());
      power = symmetric * power;
    }
    CHECK(std::abs(found.value.sum() - symmetric.trace()) < 1e-11 * symmetric.norm());
  }
  // Equal eigenvalues, and no vector.
  const Spectrum same = spectrum_of(Matrix::Identity(5, 5) * 3, Eigen::VectorXd::Ones(5));
  CHECK((same.value.array() == 3).all());
  CHECK(std::abs(same.part.norm() - std::sqrt(5.0)) < 1e-14);
  CHECK((spectrum_of(Matrix::Zero(9, 9), Eigen::VectorXd::Ones(9)).value.array() == 0).all());
}

TEST_CASE("a spectrum of any size of numbers: second differences have known eigenvalues") {
  constexpr int p = 40;
  Matrix differences = 2 * Matrix::Identity(p, p);
  for (int i = 1; i < p; ++i) differences(i, i - 1) = -1;
  for (double unit : {1.0, 0x1p1000, 0x1p-1050}) {
    Eigen::VectorXd value = spectrum_of(unit * differences, Eigen::VectorXd::Zero(p)).value / unit;
    std::sort(value.data(), value.data() + p);
    for (int i = 0; i < p; ++i) {
      const double root = 2 * std::sin((i + 1) * std::acos(-1.0) / (2 * (p + 1)));
      CHECK(std::abs(value[i] - root * root) < (unit < 1 ? 1e-6 : 1e-14));
    }
  }
  // Blocks that are far apart, and numbers that are not finite.
  Matrix blocks = Matrix::Zero(6, 6);
  blocks.topLeftCorner(3, 3) = 1e-200 * (Matrix::Ones(3, 3) + Matrix::Identity(3, 3));
  blocks.bottomRightCorner(3, 3) = 1e100 * (Matrix::Ones(3, 3) + Matrix::Identity(3, 3));
  Eigen::VectorXd value = spectrum_of(blocks, Eigen::VectorXd::Ones(6)).value;
  std::sort(value.data(), value.data() + 6);
  CHECK((value.head(3).cwiseAbs().maxCoeff() < 1e85 && std::abs(value[5] / 4e100 - 1) < 1e-14));
  blocks(2, 1) = kInfinity;
  CHECK_FALSE(spectrum_of(blocks, Eigen::VectorXd::Ones(6)).value.allFinite());
}

TEST_CASE("many features: covariances that differ by a factor give chi-squares") {
  constexpr int p = 100;
  Random random(13);
  Matrix rows(2 * p, p);
  for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = random.normal();
  const auto above = [](double x) {  // of a chi-square with p degrees of freedom
    double term = std::exp(-x / 2), sum = 0;
    for (int j = 0; j < p / 2; ++j) {
      sum += term;
      term *= x / 2 / (j + 1);
    }
    return sum;
  };
  for (double excess : {0.3, 0x1p-10, 0x1p-30}) {
    MultivariateGaussian::Parameters block;
    block.mean = block.mean_low = Matrix::Zero(2, p);
    block.factor = {triangle_of_rows(rows), std::sqrt(1 + excess) * triangle_of_rows(rows)};
    const Known known{block_plan(2, p), {block}, {.5, .5}, p};
    const View world = known.view();
    const RiskTable found = ratio_risk(world, {}, world, zero_one(2));
    // The log ratio is excess / (1 + excess) / 2 times the squared distance, less p / 2 log factor.
    const double cut = p * std::log1p(excess) * (1 + excess) / excess;
    INFO(excess, ": ", found.error(0, 1));
    CHECK(std::abs(found.table(0, 1) - .5 * above(cut)) <= found.error(0, 1));
    CHECK(std::abs(found.table(1, 1) - .5 * above(cut / (1 + excess))) <= found.error(1, 1));
    CHECK(found.error(0, 1) < 1e-11 / excess);
  }
}

TEST_CASE("the form of the second class, from that of the first") {
  Random random(14);
  for (int rows_per_feature : {1, 6, 20}) {
    constexpr int p = 70;
    MultivariateGaussian::Parameters block;
    block.mean = block.mean_low = Matrix::Zero(2, p);
    for (int k = 0; k < 2; ++k) {
      Matrix rows(rows_per_feature * p, p);
      for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = random.normal();
      block.factor.push_back(triangle_of_rows(rows) / std::sqrt(rows.rows()));
      for (int j = 0; j < p; ++j) block.mean(k, j) = k * random.normal() / 8;
    }
    const Known known{block_plan(2, p), {block}, {.5, .5}, p};
    const View world = known.view();
    const RatioForms ratio(world, world, 0, 1);
    const QuadraticForm alone = ratio.in_classes({0, 1}, Context())[1],
                        tilted = ratio.in_classes(known.prior, Context())[1];
    // As many rows as features are too badly conditioned.
    CHECK((tilted.square == alone.square) == (rows_per_feature == 1));
    for (double at : {-5.0, 0.0, 5.0}) {
      const Tail a = UpperTail(alone.negative(), -at).find(),
                 b = UpperTail(tilted.negative(), -at).find();
      INFO(rows_per_feature, " ", at, ": ", a.probability, " ", b.probability);
      CHECK(std::abs(a.probability - b.probability) <= a.error + b.error);
      CHECK(b.error < (rows_per_feature == 1 ? 1e-8 : 1e-11) * b.probability);
    }
  }
}

TEST_CASE("errors of a form in the second class: what a small change of a weight does") {
  constexpr double kStep = 1e-6;
  for (double q : {0.1, 1.0, 10.0}) {
    const double square = (1 - q) / 2, linear = 0.7;
    const auto tilted = [](double w, double l, double of_square, double of_linear) {
      QuadraticForm form;
      form.add(w, l, of_square, of_linear);
      return form.tilted();
    };
    for (bool of_square : {true, false}) {
      const QuadraticForm errors = tilted(square, linear, of_square, !of_square);
      const double dw = of_square ? kStep : 0, dl = of_square ? 0 : kStep;
      const QuadraticForm high = tilted(square + dw, linear + dl, 0, 0),
                          low = tilted(square - dw, linear - dl, 0, 0);
      const auto slope = [&](double a, double b) { return std::abs(a - b) / (2 * kStep); };
      // Each constant also has its own rounding error.
      const double rounding = std::abs(tilted(square, linear, 0, 0).constant);
      CHECK(std::abs(slope(high.constant, low.constant) - (errors.constant_error - rounding)) <
            1e-4);
      CHECK(std::abs(slope(high.square[0], low.square[0]) - errors.square_error[0]) < 1e-4);
      CHECK(std::abs(slope(high.linear[0], low.linear[0]) - errors.linear_error[0]) < 1e-4);
    }
  }
}

TEST_CASE("regions along the log odds: the cheapest action") {
  const Cost reject{(Matrix(3, 2) << 0, 1, 1, 0, .1, .1).finished()};
  const Regions found = odds_regions(reject, 0, 1);
  REQUIRE(found.decision == IntVector{0, 2, 1});
  CHECK(std::abs(found.cut[0] - std::log(.1 / .9)) < 1e-15);
  CHECK(std::abs(found.cut[1] - std::log(.9 / .1)) < 1e-14);
  const Cost guarded{(Matrix(2, 2) << 0, kInfinity, 1, 0).finished()};
  CHECK(odds_regions(guarded, 0, 1).decision == IntVector{1});
  const Cost equal{Matrix::Ones(3, 2)};
  CHECK(odds_regions(equal, 0, 1).decision == IntVector{0});
}

TEST_CASE("a naive rule in a world of dependent features, with levels: as Monte Carlo") {
  Random random(11);
  constexpr int p = 4;
  const Cost cost{(Matrix(3, 2) << 0, 5, 2, 0, .7, .6).finished()};
  ModelPlan plan{2, {MultivariateGaussian::Plan{{0, 2, 3, 1}}, Categorical::Plan{{4}, {3}}}};
  MultivariateGaussian::Parameters block;
  block.mean = Matrix::Zero(2, p);
  block.mean_low = Matrix::Zero(2, p);
  for (int k = 0; k < 2; ++k) {
    Matrix rows(6, p);
    for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = random.normal();
    block.factor.push_back(triangle_of_rows(rows));
    for (int j = 0; j < p; ++j) block.mean(k, j) = 1e6 + random.normal();
  }
  Categorical::Parameters levels;
  levels.log_probability = (Matrix(2, 3) << .2, .3, .5, .6, .4, 0).finished().array().log();
  const Vector prior{.3, .7};
  std::vector<AnyParameters> parameters{block, levels};
  const View world = view_of(plan, parameters, prior, 5);

  ModelPlan naive_plan{2, {Gaussian::Plan{{0, 1, 2}}}};
  Gaussian::Parameters single;
  single.mean = block.mean.leftCols(3);
  single.mean_low = Matrix::Zero(2, 3);
  single.sd = (Matrix(2, 3) << 1, 2, 1.5, 2, 1, 1.5).finished();
  std::vector<AnyParameters> believed{single};
  const Vector own_prior{.5, .5};
  View naive{naive_plan, believed, own_prior, {2, 0, -1, 1, -1}, {{}, {}, {}, {}, {}}};
  Tempering tempering{{1, .5, 2}, {.1, -.1}};
  naive.tempering = &tempering;

  const BayesDecisions best(cost);
  const ModelDecisions other(naive, cost);
  MonteCarloOptions options;
  options.tolerance = 1e-3;
  const MonteCarloRisk drawn = MonteCarlo(world, {&best, &other}, cost, options, Context()).run();
  const Combinations combinations{{4}, {3}};
  const Matrix weight = cost.of.transpose();
  for (int r = 0; r < 2; ++r) {
    const View& rule = r == 0 ? world : naive;
    const RiskTable found = ratio_risk(world, combinations, rule, cost);
    CHECK(std::abs(found.table.sum() - 1) < 1e-14);
    CHECK(found.error.sum() < 1e-11);
    const double total = found.table.cwiseProduct(weight).sum();
    CHECK(std::abs(total - drawn.table[r].cwiseProduct(weight).sum()) < 5 * drawn.error[r]);
    const RiskTable threaded = ratio_risk(world, combinations, rule, cost, threads(2));
    CHECK(threaded.table == found.table);
  }
}

TEST_SUITE_END();

}  // namespace test_quadratic_form
