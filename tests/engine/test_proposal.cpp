#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_proposal {

namespace {

double normal_tail(double x) { return 0.5 * std::erfc(x * kSqrtHalf); }

MonteCarloRisk risk_of(const Known& world, const std::vector<const RowDecisions*>& rules,
                       const Cost& cost, std::uint64_t seed = 1, int count = 1) {
  const View view = world.view();
  MonteCarloOptions options;
  options.tolerance = 1e-5;
  options.relative = 0.01;
  options.seed = seed;
  const Context context = count == 1 ? Context() : threads(count);
  return MonteCarlo(view, rules, cost, options, context).run();
}

MonteCarloRisk best_risk(const Known& world, const Cost& cost, std::uint64_t seed = 1) {
  const BayesDecisions best(cost);
  return risk_of(world, {&best}, cost, seed);
}

// Within four standard errors, which are at most `most` of the risk.
void check_risk(const MonteCarloRisk& found, const Cost& cost, double truth, double most = 0.01) {
  const double risk = cost_of_table(found.table[0], cost);
  CHECK_MESSAGE(std::abs(risk - truth) < 4 * found.error[0], risk << " " << truth);
  CHECK_MESSAGE(found.error[0] <= most * truth, found.error[0] << " " << truth);
}

// Normal classes, each `distance` from all others, in as many dimensions.
Known simplex(int classes, double distance, double offset = 0) {
  Known known{block_plan(classes, classes), {}, Vector(classes, 1.0 / classes), classes};
  MultivariateGaussian::Parameters p;
  p.mean = offset + distance * kSqrtHalf * Matrix::Identity(classes, classes).array();
  p.mean_low = Matrix::Zero(classes, classes);
  p.factor = {Matrix::Identity(classes, classes)};
  known.parameters = {p};
  return known;
}

// The decision is right if the coordinate of the class is larger than all others: the integral of
// phi(z) Phi(z + d / sqrt 2)^(k - 1). The complement is integrated, so that small risks are exact.
double simplex_risk(int classes, double distance) {
  constexpr double kStep = 1e-3, kReach = 40;
  double risk = 0;
  for (double z = -kReach; z < kReach; z += kStep) {
    const double beyond = normal_tail(z + distance * kSqrtHalf);
    const double wrong = -std::expm1((classes - 1) * std::log1p(-beyond));
    risk += kStep * std::exp(-0.5 * z * z - kHalfLogTwoPi) * wrong;
  }
  return risk;
}

// The exact risk along one numeric feature.
double line_risk(const Known& world, const Cost& cost) {
  const View view = world.view();
  const LineWorld line{view, {}, 0, origin_of(view, 0)};
  return cost_of_table(decision_table(line, ModelRule(view, line, cost), cost.actions(), Context()),
                       cost);
}

template <class L>
Known one_feature(typename L::Plan plan, typename L::Parameters parameters, const Vector& prior) {
  return {{static_cast<int>(prior.size()), {plan}}, {parameters}, prior, 1};
}

Matrix column(const Vector& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Index>(values.size()));
}

Known counts(const Vector& rates) {
  return one_feature<Poisson>(Poisson::Plan{{0}}, {column(rates)},
                              Vector(rates.size(), 1.0 / static_cast<double>(rates.size())));
}

// The density of a third class, which the tilt writes, is that of its definition in every row.
template <class Plan, class Parameters>
void check_tilt(const Plan& plan, const Parameters& parameters, int features) {
  const AnyPlan bank(plan);
  const AnyParameters known(parameters);
  const AnyTilt tilt = bank->tilt(known, 0, 1);
  REQUIRE(tilt != nullptr);
  const ModelPlan model{3, {plan}};
  for (double s : {.1, .5, .8}) {
    std::vector<AnyParameters> banks{parameters};
    resize_classes(banks[0], 3);
    tilt->write(s, banks[0], 2);
    CHECK(banks[0].as<Parameters>().sound(2));
    const Drawer drawer(model, banks);
    DrawnRows rows(drawer.levels(), 100);
    Random random(3);
    Vector u(static_cast<std::size_t>(drawer.uniforms()));
    for (Index r = 0; r < 100; ++r) {
      for (double& number : u) number = random.uniform();
      drawer.draw(2, u.data(), r, rows);
    }
    const Matrix log = score_numbers(model, banks, {1, 1, 1}, rows.frame(), Output::log_joint);
    const Eigen::VectorXd expected = (1 - s) * log.col(0) + s * log.col(1) -
                                     Eigen::VectorXd::Constant(log.rows(), tilt->log_normaliser(s));
    CHECK_MESSAGE((log.col(2) - expected).cwiseAbs().maxCoeff() < 1e-9, features);
  }
}

Matrix table_of(const std::vector<Vector>& rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.row(static_cast<Index>(i)) = column(rows[i]).transpose();
  }
  return result;
}

}  // namespace

TEST_SUITE_BEGIN("proposal");

TEST_CASE("the tilted density of normals") {
  Gaussian::Parameters single{table_of({{0, 1e9}, {3, 1e9 + 2}}), table_of({{.1, 0}, {0, -.2}}),
                              table_of({{1, 2}, {.5, 3}})};
  check_tilt(Gaussian::Plan{{0, 1}}, single, 2);
  single.left_out.set(1, 2);
  single.mean.col(1).setConstant(5);  // as the estimate leaves it
  single.mean_low.col(1).setZero();
  single.sd.col(1).setOnes();
  check_tilt(Gaussian::Plan{{0, 1}}, single, 2);
  MultivariateGaussian::Parameters joint;
  joint.mean = table_of({{0, 1, 2}, {3, 0, 1}});
  joint.mean_low = table_of({{.1, 0, 0}, {0, .2, 0}});
  Matrix u(3, 3), v(3, 3);
  u << 1, .5, -.3, 0, 2, .7, 0, 0, .5;
  v << .7, -.5, .3, 0, 1, 0, 0, 0, 3;
  joint.factor = {u, v};
  check_tilt(MultivariateGaussian::Plan{{0, 1, 2}}, joint, 3);
  joint.factor = {u};
  check_tilt(MultivariateGaussian::Plan{{0, 1, 2}}, joint, 3);
}

TEST_CASE("the tilted density of tables, with impossible cells") {
  const Matrix p = table_of({{.5, .5, .2, .3, .5}, {.9, .1, .4, .6, 0}});
  check_tilt(Categorical::Plan{{0, 1}, {2, 3}}, Categorical::Parameters{p.array().log().matrix()},
             2);
  JointTable::Parameters joint;
  joint.cells.resize(3, 2);
  joint.cells << 1, 1, 2, 3, 1, 2;
  joint.log_probability = table_of({{.5, .2, .15}, {.1, .3, 0}}).array().log();
  joint.log_unseen = {std::log(.05), std::log(.2)};
  check_tilt(JointTable::Plan{{0, 1}, {2, 3}}, joint, 2);
  const Matrix bins = table_of({{.2, .3, .5}, {.6, 0, .4}}).array().log();
  check_tilt(Histogram::Plan{{0}, {3}, {0, 1, 3, 4}}, Histogram::Parameters{bins}, 1);
  JointHistogram::Parameters cells;
  static_cast<JointTable::Parameters&>(cells) = joint;
  check_tilt(JointHistogram::Plan{{{0, 1}, {2, 3}}, {0, 1, 2, 0, 2, 3, 7}}, cells, 2);
}

TEST_CASE("the tilted density of counts and gamma densities") {
  check_tilt(Poisson::Plan{{0, 1}}, Poisson::Parameters{table_of({{1, 20}, {4, 5}})}, 2);
  check_tilt(Gamma::Plan{{0, 1}},
             Gamma::Parameters{table_of({{2, 3}, {5, 3}}), table_of({{1, .5}, {.4, 2}})}, 2);
  check_tilt(NegativeBinomial::Plan{{0}},
             NegativeBinomial::Parameters{table_of({{3}, {3}}), table_of({{2}, {9}})}, 1);
}

TEST_CASE("densities of other families have no tilt") {
  const NegativeBinomial::Parameters sizes{table_of({{3}, {4}}), table_of({{2}, {9}})};
  CHECK(NegativeBinomial::tilt({{0}}, sizes, 0, 1) == nullptr);
  const Histogram::Plan by_class{{0}, {2, 2}, {0, 1, 3, 0, 2, 3}};
  const Histogram::Parameters halves{Matrix::Constant(2, 2, std::log(.5))};
  CHECK(Histogram::tilt(by_class, halves, 0, 1) == nullptr);
}

TEST_CASE("equidistant normals: risks down to 1e-16") {
  for (int classes : {2, 3, 5}) {
    const Cost cost = zero_one(classes);
    for (double distance : {6.0, 10.0, 14.0, 16.5}) {
      for (double offset : {0.0, 1e7}) {
        check_risk(best_risk(simplex(classes, distance, offset), cost), cost,
                   simplex_risk(classes, distance));
      }
    }
  }
}

TEST_CASE("standard errors are honest") {
  for (double distance : {1.0, 3.0, 8.0, 14.0}) {
    const Cost cost = zero_one(3);
    const Known world = simplex(3, distance);
    const View view = world.view();
    const BayesDecisions best(cost);
    const std::vector<const RowDecisions*> rules{&best};
    const double truth = simplex_risk(3, distance);
    double square = 0;
    constexpr int kSeeds = 100;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      MonteCarloOptions options;
      options.seed = static_cast<std::uint64_t>(seed);
      options.tolerance = 1;
      options.most_rows = 1 << 14;
      const MonteCarloRisk found = MonteCarlo(view, rules, cost, options, Context()).run();
      const double z = (cost_of_table(found.table[0], cost) - truth) / found.error[0];
      square += z * z / kSeeds;
    }
    // The lower bound is low, because the error has a least value.
    CHECK_MESSAGE(square < 1.5, distance << " " << square);
    CHECK_MESSAGE(square > 0.3, distance << " " << square);
  }
}

TEST_CASE("classes of different covariances, and levels: the exact risk of two classes") {
  Known world{
      {2, {MultivariateGaussian::Plan{{0, 1}}, Categorical::Plan{{2}, {3}}}}, {}, {.999, .001}, 3};
  MultivariateGaussian::Parameters joint;
  joint.mean = table_of({{0, 0}, {9, 5}});
  joint.mean_low = Matrix::Zero(2, 2);
  Matrix u(2, 2), v(2, 2);
  u << 1, .6, 0, .8;
  v << 1.5, -.5, 0, .5;
  joint.factor = {u, v};
  const Matrix levels = table_of({{.7, .29, .01}, {0, .1, .9}});
  world.parameters = {joint, Categorical::Parameters{levels.array().log().matrix()}};
  Cost cost{(Matrix(3, 2) << 0, 10, 1, 0, .2, .1).finished()};
  const View view = world.view();
  const Combinations combinations{{2}, {3}};
  for (double apart : {.3, .7, 1.0}) {
    world.parameters[0].as<MultivariateGaussian::Parameters>().mean.row(1) << 9 * apart, 5 * apart;
    const double truth = cost_of_table(ratio_risk(view, combinations, view, cost).table, cost);
    check_risk(best_risk(world, cost), cost, truth);
  }
}

TEST_CASE("single features of every family: the exact risk of three classes") {
  const Vector prior{.2, .3, .5};
  const Cost cost = zero_one(3);
  const Known gamma = one_feature<Gamma>(
      Gamma::Plan{{0}}, {table_of({{200}, {300}, {300}}), table_of({{1}, {.5}, {.2}})}, prior);
  const Known single = one_feature<Gaussian>(
      Gaussian::Plan{{0}},
      {table_of({{0}, {12}, {40}}), Matrix::Zero(3, 1), table_of({{1}, {.8}, {2}})}, prior);
  const Known binomial = one_feature<NegativeBinomial>(
      NegativeBinomial::Plan{{0}}, {table_of({{20}, {20}, {20}}), table_of({{1}, {90}, {3000}})},
      prior);
  const Known histogram = one_feature<Histogram>(
      Histogram::Plan{{0}, {4}, {0, 1, 2, 3, 4}},
      {table_of({{1 - 3e-9, 1e-9, 1e-9, 1e-9}, {1e-8, 1 - 3e-8, 1e-8, 1e-8}, {0, 0, .3, .7}})
           .array()
           .log()},
      prior);
  for (const Known* world : {&gamma, &single, &binomial, &histogram}) {
    const double truth = line_risk(*world, cost);
    CHECK(truth < 1e-3);
    // Chernoff's bound of a table of few cells is far above the risk, and so is the least error.
    check_risk(best_risk(*world, cost), cost, truth, world == &histogram ? .05 : .01);
  }
  const Known poisson = counts({5, 100, 400});
  check_risk(best_risk(poisson, cost), cost, line_risk(poisson, cost));
}

TEST_CASE("a rule of another model, and an error that it makes often") {
  const Known world = simplex(3, 12);
  Known rule = world;
  rule.parameters[0].as<MultivariateGaussian::Parameters>().mean.row(1) << 6, 8, 0;
  const Cost cost = zero_one(3);
  const View other = rule.view();
  const BayesDecisions best(cost);
  const ModelDecisions model(other, cost);
  const MonteCarloRisk found = risk_of(world, {&best, &model}, cost);
  CHECK(found.error[0] < 0.01 * simplex_risk(3, 12));
  // An error that no density is centred at may be missed.
  CHECK(found.error[1] > 1.0 / (1 << 21));
  CHECK(cost_of_table(found.table[1], cost) > cost_of_table(found.table[0], cost));
}

TEST_CASE("equal classes, classes that no cost tells apart, and classes that are never confused") {
  const Cost cost = zero_one(2);
  const MonteCarloRisk same = best_risk(simplex(2, 0), cost);
  CHECK(std::abs(cost_of_table(same.table[0], cost) - .5) < 1e-12);
  // Class 1 and class 2 need the same action, so only class 0 is confused with others.
  Known world = simplex(3, 12);
  world.parameters[0].as<MultivariateGaussian::Parameters>().mean.row(2) =
      world.parameters[0].as<MultivariateGaussian::Parameters>().mean.row(1);
  const Cost grouped{(Matrix(2, 3) << 0, 1, 1, 1, 0, 0).finished()};
  Known two = simplex(2, 12);
  two.prior = {1.0 / 3, 2.0 / 3};
  const View view = two.view();
  const double truth = cost_of_table(ratio_risk(view, {}, view, cost).table, cost);
  check_risk(best_risk(world, grouped), grouped, truth);
  const Known apart = one_feature<Categorical>(
      Categorical::Plan{{0}, {2}}, {table_of({{1, 0}, {0, 1}}).array().log().matrix()}, {.5, .5});
  const MonteCarloRisk never = best_risk(apart, cost);
  CHECK(cost_of_table(never.table[0], cost) == 0);
  CHECK(never.error[0] == 0);
}

TEST_CASE("rows of the table add up to the prior, and no entry is negative") {
  Known world = simplex(4, 9);
  world.prior = {.7, .2, .1 - 1e-7, 1e-7};
  const Cost cost = zero_one(4);
  const MonteCarloRisk found = best_risk(world, cost);
  for (Index k = 0; k < 4; ++k) {
    CHECK(digits(found.table[0].row(k).sum(), world.prior[static_cast<std::size_t>(k)]) > 14);
  }
  CHECK(found.table[0].minCoeff() >= 0);
}

TEST_CASE("the same bits for any number of threads") {
  const Known world = simplex(3, 12);
  const Cost cost = zero_one(3);
  const BayesDecisions best(cost);
  const MonteCarloRisk one = risk_of(world, {&best}, cost);
  const MonteCarloRisk three = risk_of(world, {&best}, cost, 1, 3);
  CHECK(same_bits(one.table[0], three.table[0]));
  CHECK(same_bits(one.error[0], three.error[0]));
}

TEST_SUITE_END();

}  // namespace test_proposal
