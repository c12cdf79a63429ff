#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_multivariate_gaussian {

namespace {

using Block = MultivariateGaussian;

Block::Options options(bool unbiased = true, bool pooled = false, double shrinkage = 0,
                       double identity = 0) {
  Block::Options result;
  result.unbiased = unbiased;
  result.pooled = pooled;
  result.shrinkage = shrinkage;
  result.identity = identity;
  return result;
}

struct Sample {
  std::vector<Vector> x;
  IntVector group;

  Sample(int n, int p, int groups, int seed) : x(p, Vector(n)), group(n) {
    Random random(seed);
    for (int i = 0; i < n; ++i) {
      group[i] = 1 + random.below(groups);
      double before = 0;
      for (int j = 0; j < p; ++j) {
        before = 0.6 * before + random.normal() * (1 + j % 3);
        x[j][i] = before + j * group[i];
      }
    }
  }
};

// The scatter of rows of a group, in 113-bit arithmetic; `divisor` less rows.
Matrix covariance_of(const std::vector<Vector>& x, const IntVector& group, int g, double divisor) {
  const int p = static_cast<int>(x.size());
  double n = 0;
  std::vector<Quad> mean(p, 0);
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] != g) continue;
    ++n;
    for (int j = 0; j < p; ++j) mean[j] += x[j][i];
  }
  for (Quad& m : mean) m /= n;
  Matrix result(p, p);
  for (int a = 0; a < p; ++a) {
    for (int b = 0; b < p; ++b) {
      Quad sum = 0;
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (group[i] == g) sum += (x[a][i] - mean[a]) * (x[b][i] - mean[b]);
      }
      result(a, b) = static_cast<double>(sum / (n - divisor));
    }
  }
  return result;
}

Matrix covariance(const Model& model, int k) {
  const Matrix& u = parameters<Block>(model).factor_of(k);
  return u.transpose() * u;
}

double relative(const Matrix& value, const Matrix& reference) {
  return largest_difference(value, reference) / reference.cwiseAbs().maxCoeff();
}

// log density by the textbook formula, of the features that are there.
double log_density(const Vector& x, const Eigen::RowVectorXd& mean, const Matrix& s) {
  IntVector members;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (!std::isnan(x[j])) members.push_back(static_cast<int>(j));
  }
  const int m = static_cast<int>(members.size());
  Matrix sub(m, m);
  Eigen::VectorXd d(m);
  for (int a = 0; a < m; ++a) {
    d[a] = x[members[a]] - mean[members[a]];
    for (int b = 0; b < m; ++b) sub(a, b) = s(members[a], members[b]);
  }
  if (m == 0) return 0;
  const Eigen::FullPivLU<Matrix> lu(sub);
  return -0.5 * (d.dot(lu.solve(d)) + std::log(lu.determinant())) - m * kHalfLogTwoPi;
}

}  // namespace

TEST_SUITE_BEGIN("multivariate gaussian");

TEST_CASE("two classes in fractions") {
  const std::vector<Vector> x{{0, -2, -2, -1, -1, 1, 1, 2, 2}, {0, -2, -1, -1, -2, 3, 2, 1, 2}};
  const IntVector group{1, 1, 1, 1, 1, 2, 2, 2, 2};
  const Model model = fit(block_plan(2, 2), frame_of(x), group, {options()}, {0.5, 0.5});
  Matrix first(2, 2), second(2, 2);
  first << .7, .45, .45, .7;
  second << 1 / 3.0, -1 / 3.0, -1 / 3.0, 2 / 3.0;
  CHECK(relative(covariance(model, 0), first) <= 1e-15);
  CHECK(relative(covariance(model, 1), second) <= 1e-15);
  const std::vector<Vector> at{{0, 1}, {0, 0}};
  const Matrix l = score_numbers(model, frame_of(at), Output::log_likelihood);
  CHECK(l(0, 0) == doctest::Approx(-0.5 * (288 / 115.0 + std::log(23 / 80.0)) - 2 * kHalfLogTwoPi)
                       .epsilon(1e-14));
  CHECK(l(0, 1) ==
        doctest::Approx(-0.5 * (87 / 2.0 + std::log(1 / 9.0)) - 2 * kHalfLogTwoPi).epsilon(1e-14));
  // Equal priors or shares 5/9 and 4/9: the reference says which.
  const Matrix p = score_numbers(fit(block_plan(2, 2), frame_of(x), group, {options()}),
                                 frame_of(at), Output::prob);
  CHECK(digits(p(0, 0), 0.99999999838773137) >= 14);
  CHECK(digits(p(1, 0), 0.99748948574571098) >= 13);
}

TEST_CASE("nearly singular classes: digits as promised, or an error") {
  for (const auto& [power, wanted] : {std::pair{10, 11}, {20, 8}, {26, 6}}) {
    const double e = std::pow(2.0, -power);
    const std::vector<Vector> x{{0, 1, 2, 3, 0, 1, 2, 3}, {0, 1, 2, 3 + e, 1, 0, 3, 2}};
    const IntVector group{1, 1, 1, 1, 2, 2, 2, 2};
    const Model model = fit(block_plan(2, 2), frame_of(x), group, {options()});
    if (power == 26 && !model.problems.empty()) continue;
    REQUIRE(model.problems.empty());
    const std::vector<Vector> at{{1}, {1 + e}};
    const double expected = power == 10   ? 0.016567583156950522
                            : power == 20 ? 1.6448575369815221e-05
                                          : 2.5701310635954619e-07;
    CHECK(digits(score_numbers(model, frame_of(at), Output::prob)(0, 1), expected) >= wanted);
  }
}

TEST_CASE("200 features: a determinant of 1e-1260 is no trouble") {
  const int p = 200;
  std::vector<Vector> x(p, Vector(2 * p, 0.0));
  for (int j = 0; j < p; ++j) {
    x[j][2 * j] = 0.01;
    x[j][2 * j + 1] = -0.01;
  }
  const Model model = fit(block_plan(1, p), frame_of(x), IntVector(2 * p, 1), {options()});
  REQUIRE(model.problems.empty());
  const Matrix s = covariance(model, 0);
  CHECK(largest_difference(s, Matrix::Identity(p, p) / 1995000) <= 1e-14 / 1995000);
  CHECK(2 * half_log_determinant(parameters<Block>(model).factor[0]) ==
        doctest::Approx(-2901.2309216612202).epsilon(1e-14));
  CHECK(score_numbers(model, frame_of(x), Output::log_likelihood).allFinite());
}

TEST_CASE("moderate collinearity keeps the digits that QR of the rows would keep") {
  // x2 = x1 + e z: the product of the rows has condition 1/e^2.
  for (double e : {1e-2, 1e-3, 1e-4}) {
    CAPTURE(e);
    const int n = 1000;
    Random random(41);
    std::vector<Vector> x(2, Vector(n));
    for (int i = 0; i < n; ++i) {
      x[0][i] = random.normal();
      x[1][i] = x[0][i] + e * random.normal();
    }
    const IntVector group(n, 1);
    const Model model = fit(block_plan(1, 2), frame_of(x), group, {options()});
    // The residual variance s22 - s12^2 / s11, in 113-bit arithmetic.
    Quad m[2] = {0, 0}, s[3] = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
      m[0] += x[0][i];
      m[1] += x[1][i];
    }
    for (int i = 0; i < n; ++i) {
      const Quad a = x[0][i] - m[0] / n, b = x[1][i] - m[1] / n;
      s[0] += a * a;
      s[1] += a * b;
      s[2] += b * b;
    }
    const double residual = static_cast<double>((s[2] - s[1] * s[1] / s[0]) / (n - 1));
    const double u = parameters<Block>(model).factor[0](1, 1);
    // 1e-12 of the parameter's scale, the standard deviation of x2.
    CHECK(std::abs(u - std::sqrt(residual)) <= 1e-12);
    CHECK(digits(u * u, residual) >= 10);
  }
}

TEST_CASE("covariances at offsets, against direct sums") {
  for (double offset : {0.0, 1e8, 0x1p30, 1e12}) {
    CAPTURE(offset);
    Sample s(5000, 4, 2, 42);
    for (Vector& column : s.x) {
      for (double& value : column) value = std::round(value * 1024) / 1024 + offset;
    }
    const Model model = fit(block_plan(2, 4), frame_of(s.x), s.group, {options()});
    for (int k = 0; k < 2; ++k)
      CHECK(relative(covariance(model, k), covariance_of(s.x, s.group, k + 1, 1)) <= 1e-12);
  }
}

TEST_CASE("pooled and shrunk covariances, weights") {
  Sample s(300, 3, 3, 43);
  Vector n(4, 0.0);
  for (int g : s.group) ++n[g];
  for (bool unbiased : {true, false}) {
    const double less = unbiased ? 1 : 0;
    Matrix pooled = Matrix::Zero(3, 3);
    for (int g = 1; g <= 3; ++g) pooled += covariance_of(s.x, s.group, g, less) * (n[g] - less);
    pooled /= 300 - 3 * less;
    const ModelPlan plan = block_plan(3, 3);
    const ModelStatistics all = collect(plan, frame_of(s.x), s.group);
    const Model one = estimate(plan, all, {options(unbiased, true)});
    CHECK(parameters<Block>(one).factor.size() == 1);
    CHECK(relative(covariance(one, 2), pooled) <= 1e-13);
    CHECK(one.estimate.parameter_count == 2 + 9 + 6);
    for (double g : {0.25, 1.0}) {
      const Model shrunk = estimate(plan, all, {options(unbiased, false, g)});
      for (int k = 0; k < 3; ++k) {
        const Matrix expected = (1 - g) * covariance_of(s.x, s.group, k + 1, less) + g * pooled;
        CHECK(relative(covariance(shrunk, k), expected) <= 1e-13);
      }
    }
  }
}

TEST_CASE("classes that share a factor are scored as if each had its own, near or far") {
  for (double distance : {1.0, 60.0, 1e5}) {
    Sample s(400, 4, 4, 46);
    for (std::size_t i = 0; i < s.group.size(); ++i) {
      for (Vector& column : s.x) column[i] += 1e6 + distance * s.group[i];
      if (i % 9 == 0) s.x[i % 4][i] = kNaN;
    }
    const ModelPlan plan = block_plan(4, 4);
    const Model pooled = fit(plan, frame_of(s.x), s.group, {options(true, true)});
    Model apiece = pooled;
    auto& factor = apiece.estimate.banks[0].as<Block::Parameters>().factor;
    factor.assign(4, factor[0]);
    const Matrix one = score_numbers(pooled, frame_of(s.x), Output::log_joint);
    const Matrix other = score_numbers(apiece, frame_of(s.x), Output::log_joint);
    CHECK(((one - other).array().abs() / other.array().abs().max(1)).maxCoeff() <= 1e-12);
  }
}

TEST_CASE("fewer rows than features: an error that shrinkage mends, by its formula") {
  Sample s(9, 4, 1, 44);
  s.group = {1, 1, 1, 2, 2, 2, 2, 2, 2};
  const ModelPlan plan = block_plan(2, 4);
  const ModelStatistics all = collect(plan, frame_of(s.x), s.group);
  CHECK(found(estimate(plan, all, {options()}).problems, Problem::too_small, 0, kAll, 3));
  const Model shrunk = estimate(plan, all, {options(true, false, 0.4)});
  CHECK(shrunk.problems.empty());
  const Matrix a = covariance_of(s.x, s.group, 1, 1), b = covariance_of(s.x, s.group, 2, 1);
  CHECK(relative(covariance(shrunk, 0), 0.6 * a + 0.4 * (2 * a + 5 * b) / 7) <= 1e-13);
  // One row more than features is enough.
  s.group = {1, 1, 1, 1, 1, 2, 2, 2, kMissingInteger};
  const Model enough = fit(plan, frame_of(s.x), s.group, {options()});
  CHECK(enough.problems.items().size() == 1);
  CHECK(found(enough.problems, Problem::too_small, 1, kAll, 3));
}

// (1 - g) S + g trace(S) / p I
Matrix towards_identity(const Matrix& s, double g) {
  const Index p = s.rows();
  return (1 - g) * s + Matrix::Identity(p, p) * (g * s.trace() / static_cast<double>(p));
}

TEST_CASE("shrinkage towards the identity: its formula, for class and pooled covariances") {
  const Sample s(60, 4, 2, 50);
  const ModelPlan plan = block_plan(2, 4);
  const Matrix a = covariance_of(s.x, s.group, 1, 1), b = covariance_of(s.x, s.group, 2, 1);
  const double n = static_cast<double>(std::count(s.group.begin(), s.group.end(), 1));
  const Matrix pooled = ((n - 1) * a + (60 - n - 1) * b) / 58;
  for (double g : {1e-12, 0.25, 1.0}) {
    CAPTURE(g);
    const Model own = fit(plan, frame_of(s.x), s.group, {options(true, false, 0, g)});
    CHECK(own.problems.empty());
    CHECK(relative(covariance(own, 0), towards_identity(a, g)) <= 1e-14);
    CHECK(relative(covariance(own, 1), towards_identity(b, g)) <= 1e-14);
    const Model both = fit(plan, frame_of(s.x), s.group, {options(true, false, 0.3, g)});
    CHECK(relative(covariance(both, 1), towards_identity(0.7 * b + 0.3 * pooled, g)) <= 1e-14);
    const Model one = fit(plan, frame_of(s.x), s.group, {options(true, true, 0, g)});
    CHECK(parameters<Block>(one).factor.size() == 1);
    CHECK(relative(covariance(one, 0), towards_identity(pooled, g)) <= 1e-14);
    const double each = g == 1 ? 1 : 10;
    const auto count = [&](const Model& model, const Block::Options& o) {
      return Block::parameter_count({{0, 1, 2, 3}}, o, parameters<Block>(model), 2);
    };
    CHECK(count(own, options(true, false, 0, g)) == 8 + 2 * each);
    CHECK(count(one, options(true, true, 0, g)) == 8 + each);
  }
}

TEST_CASE("the identity mends what is singular, but not a class without any spread") {
  Sample s(9, 3, 1, 51);
  s.group = {1, 1, 1, 2, 2, 2, 2, 2, 2};
  for (int i = 0; i < 9; ++i) s.x[2][i] = s.x[0][i] + s.x[1][i];
  for (int i = 0; i < 3; ++i) s.x[1][i] = 7;
  const ModelPlan plan = block_plan(2, 3);
  const Block::Options mended = options(true, false, 0, 0.1);
  const Model model = fit(plan, frame_of(s.x), s.group, {mended});
  CHECK(model.problems.empty());
  const Matrix a = covariance_of(s.x, s.group, 1, 1);
  CHECK(relative(covariance(model, 0), towards_identity(a, 0.1)) <= 1e-14);
  CHECK(fit(plan, frame_of(s.x), s.group, {options(true, true, 0, 0.1)}).problems.empty());
  // A class with one row borrows, also from a singular covariance.
  s.group = {1, 2, 2, 2, 2, 2, 2, 2, 2};
  const ModelStatistics all = collect(plan, frame_of(s.x), s.group);
  CHECK(found(estimate(plan, all, {mended}).problems, Problem::too_light, 0, kAll, 1));
  const Matrix b = covariance_of(s.x, s.group, 2, 1);
  const Vector weight{1, 8};
  Diagnostics notes;
  const auto& own = all.banks[0].as<Block::Statistics>();
  const auto borrowed = Block::estimate({{0, 1, 2}}, own, mended, {weight, true}, notes);
  CHECK(!notes.stops());
  CHECK(found(notes, Problem::borrowed, 0, kAll, 1));
  const Matrix& u = borrowed.factor_of(0);
  CHECK(relative(u.transpose() * u, towards_identity(b, 0.1)) <= 1e-14);
  for (Vector& column : s.x) column[1] = column[0];
  s.group = {1, 1, 2, 2, 2, 2, 2, 2, 2};
  const Model flat = fit(plan, frame_of(s.x), s.group, {mended});
  CHECK(flat.problems.items().size() == 3);
  for (int j = 0; j < 3; ++j) CHECK(found(flat.problems, Problem::constant, 0, j, 2));
}

TEST_CASE("constant, dependent and repeated columns are said, with the rank") {
  Sample s(200, 3, 2, 45);
  const ModelPlan plan = block_plan(2, 3);
  std::vector<Vector> constant = s.x, twice = s.x, sum = s.x, same = s.x;
  for (int i = 0; i < 200; ++i) {
    constant[1][i] = s.group[i] == 1 ? 0.1 : s.x[1][i];
    twice[2][i] = 2 * s.x[0][i];
    sum[1][i] = 3 * s.x[0][i] - 0.7 * s.x[2][i] + 11;
    same[2][i] = s.x[1][i];
  }
  const Model c = fit(plan, frame_of(constant), s.group, {options()});
  CHECK(c.problems.items().size() == 1);
  CHECK(found(c.problems, Problem::constant, 0, 1));
  for (const std::vector<Vector>& x : {twice, sum, same}) {
    const Model model = fit(plan, frame_of(x), s.group, {options()});
    CHECK(model.problems.items().size() == 2);
    CHECK(found(model.problems, Problem::singular, 0, kAll, 2));
    CHECK(found(model.problems, Problem::singular, 1, kAll, 2));
    const Model pooled = fit(plan, frame_of(x), s.group, {options(true, true)});
    CHECK(found(pooled.problems, Problem::singular, kAll, kAll, 2));
  }
}

TEST_CASE("numbers whose squares overflow are said to") {
  for (double by : {1e200, 1e155, 1e300}) {
    CAPTURE(by);
    Sample s(40, 2, 1, 46);
    for (Vector& column : s.x) {
      for (double& value : column) value *= by;
    }
    const Model model = fit(block_plan(1, 2), frame_of(s.x), s.group, {options()});
    const bool usable = model.problems.empty();
    // Either an error or a correct answer, but never a model of NaN.
    if (usable)
      CHECK(parameters<Block>(model).factor[0].allFinite());
    else
      CHECK(found(model.problems, Problem::overflow, 0, kAll));
  }
}

TEST_CASE("numbers whose squares underflow are said to, or kept") {
  for (double by : {1e-150, 1e-155, 1e-160, 1e-200}) {
    CAPTURE(by);
    Sample s(40, 2, 1, 47);
    const Matrix plain = covariance_of(s.x, s.group, 1, 1);
    for (Vector& column : s.x) {
      for (double& value : column) value *= by;
    }
    const Model model = fit(block_plan(1, 2), frame_of(s.x), s.group, {options()});
    if (!model.problems.empty()) continue;
    const Matrix u = parameters<Block>(model).factor[0] / by;
    CHECK(relative(u.transpose() * u, plain) <= 1e-9);
  }
}

TEST_CASE("missing values: the density of the rest, for every pattern") {
  Sample s(200, 4, 2, 48);
  for (bool pooled : {false, true}) {
    const Model model = fit(block_plan(2, 4), frame_of(s.x), s.group, {options(true, pooled)});
    std::vector<Vector> at(4);
    const double value[] = {0.7, -1.2, 3.1, 2.4};
    for (int pattern = 0; pattern < 16; ++pattern) {
      for (int j = 0; j < 4; ++j) at[j].push_back(pattern >> j & 1 ? value[j] : kNaN);
    }
    const Matrix l = score_numbers(model, frame_of(at), Output::log_likelihood);
    for (int i = 0; i < 16; ++i) {
      const Vector x{at[0][i], at[1][i], at[2][i], at[3][i]};
      for (int k = 0; k < 2; ++k) {
        const double expected =
            log_density(x, parameters<Block>(model).mean.row(k), covariance(model, k));
        CHECK(l(i, k) == doctest::Approx(expected).epsilon(1e-12));
      }
    }
    CHECK(score_numbers(model, frame_of(at), Output::prob)(0, 1) == model.estimate.prior[1]);
  }
}

TEST_CASE("the marginal is the integral over what is missing") {
  Sample s(100, 2, 1, 49);
  const Model model = fit(block_plan(1, 2), frame_of(s.x), s.group, {options()});
  std::vector<Vector> grid(2), one{{0.8}, {kNaN}};
  const double step = 0.01;
  for (double y = -40; y <= 40; y += step) {
    grid[0].push_back(0.8);
    grid[1].push_back(y);
  }
  const Matrix l = score_numbers(model, frame_of(grid), Output::log_likelihood);
  const double integral = l.array().exp().sum() * step;
  CHECK(std::exp(score_numbers(model, frame_of(one), Output::log_likelihood)(0, 0)) ==
        doctest::Approx(integral).epsilon(1e-9));
}

TEST_CASE("more patterns of missing values than are remembered") {
  Sample s(3000, 12, 2, 50);
  const Model model = fit(block_plan(2, 12), frame_of(s.x), s.group, {options()});
  std::vector<Vector> at = s.x;
  for (int i = 0; i < 3000; ++i) {
    for (int j = 0; j < 12; ++j) {
      if (i >> j & 1) at[j][i] = kNaN;
    }
  }
  const Matrix one = score_numbers(model, frame_of(at), Output::log_joint);
  CHECK(one.allFinite());
  CHECK(same_bits(one, score_numbers(model, frame_of(at), Output::log_joint, nullptr, 2)));
  std::vector<Vector> last(12);
  for (int j = 0; j < 12; ++j) last[j] = {at[j][2999]};
  CHECK(same_bits(one.row(2999), score_numbers(model, frame_of(last), Output::log_joint)));
}

TEST_CASE("rows that miss a feature are skipped and counted; infinite ones are an error") {
  const double infinity = std::numeric_limits<double>::infinity();
  Sample s(50, 2, 2, 51);
  const ModelStatistics clean = collect(block_plan(2, 2), part_of(frame_of(s.x), 4, 46),
                                        IntVector(s.group.begin() + 4, s.group.end()));
  s.x[0][0] = kNaN;
  s.x[1][0] = kNaN;
  s.x[1][1] = kNaN;
  s.x[0][2] = infinity;
  s.x[0][3] = kNaN;
  s.group[3] = kMissingInteger;
  Diagnostics problems;
  const ModelStatistics all = collect(block_plan(2, 2), frame_of(s.x), s.group, problems);
  const Scatter& scatter = statistics<Block>(all).scatter;
  CHECK(scatter.missing == Vector{1, 2});
  CHECK(scatter.skipped == doctest::Approx(3));  // rows 0, 1, 2: that of no class does not count
  CHECK(found(problems, Problem::infinite, kAll, 0, 1));
  for (int g = 0; g < 2; ++g) {
    CHECK(scatter.rows(g, 0) == statistics<Block>(clean).scatter.rows(g, 0));
    CHECK(relative(scatter.triangle[g], statistics<Block>(clean).scatter.triangle[g]) <= 1e-14);
  }
}

TEST_CASE("an infinite value leaves its row without answer, a far one is impossible") {
  Sample s(50, 2, 2, 52);
  const Model model = fit(block_plan(2, 2), frame_of(s.x), s.group, {options()});
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Vector> at{{infinity, 1e200, 1.7e308, 0}, {kNaN, -1e200, -1.7e308, 0}};
  ScoreReport report;
  const Matrix p = score_numbers(model, frame_of(at), Output::prob, nullptr, 1, &report);
  CHECK(p.topRows(3).array().isNaN().all());
  CHECK(std::isfinite(p(3, 0)));
  CHECK(report.infinite == 1);
  CHECK(report.impossible == 2);
}

TEST_CASE("any chunking within 1e-12, any number of threads bit for bit; order of merging") {
  Sample s(150000, 3, 2, 53);
  const ModelPlan plan = block_plan(2, 3);
  const ModelStatistics whole = collect(plan, frame_of(s.x), s.group);
  const Scatter& a = statistics<Block>(whole).scatter;
  for (int count : {2, 3}) {
    const ModelStatistics other = collect(plan, frame_of(s.x), s.group, {}, count);
    const Scatter& b = statistics<Block>(other).scatter;
    CHECK(same_bits(a.mean, b.mean));
    CHECK(same_bits(a.mean_low, b.mean_low));
    for (int g = 0; g < 2; ++g) CHECK(same_bits(a.triangle[g], b.triangle[g]));
  }
  const Index cuts[] = {0, 3, 1000, 90000, 150000};
  for (const IntVector& order : {IntVector{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}}) {
    ModelStatistics total(plan);
    for (int part : order) {
      total.merge(plan,
                  collect(plan, part_of(frame_of(s.x), cuts[part], cuts[part + 1] - cuts[part]),
                          IntVector(s.group.begin() + cuts[part], s.group.end())));
    }
    const Scatter& b = statistics<Block>(total).scatter;
    CHECK(b.rows == a.rows);
    CHECK(largest_difference(a.mean, b.mean) <= 1e-12);
    for (int g = 0; g < 2; ++g) CHECK(relative(b.triangle[g], a.triangle[g]) <= 1e-12);
  }
}

TEST_CASE("weights are copies") {
  Sample s(30, 3, 2, 54);
  Random random(55);
  Vector weight(30);
  std::vector<Vector> copies(3);
  IntVector group;
  for (int i = 0; i < 30; ++i) {
    weight[i] = random.below(4);
    for (int w = 0; w < weight[i]; ++w) {
      group.push_back(s.group[i]);
      for (int j = 0; j < 3; ++j) copies[j].push_back(s.x[j][i]);
    }
  }
  const ModelPlan plan = block_plan(2, 3);
  const Model a = fit(plan, frame_of(s.x), s.group, {options()}, {}, weight);
  const Model b = fit(plan, frame_of(copies), group, {options()});
  for (int k = 0; k < 2; ++k) CHECK(relative(covariance(a, k), covariance(b, k)) <= 1e-14);
  CHECK(a.estimate.log_likelihood == doctest::Approx(b.estimate.log_likelihood).epsilon(1e-13));
}

TEST_CASE("one feature is a single Gaussian; a linear map of the features changes nothing") {
  Sample s(400, 3, 2, 56);
  const Model block = fit(block_plan(2, 1), frame_of(s.x[1]), s.group, {options()});
  const Model single = fit(gaussian_plan(2, 1), frame_of(s.x[1]), s.group, {gaussian_options(1)});
  CHECK(largest_difference(score_numbers(block, frame_of(s.x[1]), Output::prob),
                           score_numbers(single, frame_of(s.x[1]), Output::prob)) <= 1e-13);
  const Model model = fit(block_plan(2, 3), frame_of(s.x), s.group, {options()});
  const Matrix p = score_numbers(model, frame_of(s.x), Output::prob);
  std::vector<Vector> mapped = s.x, permuted{s.x[2], s.x[0], s.x[1]};
  for (int i = 0; i < 400; ++i) {
    mapped[0][i] = 1e4 * (s.x[0][i] + 0.5 * s.x[1][i]) - 3;
    mapped[1][i] = 1e-8 * (s.x[1][i] - s.x[2][i]);
    mapped[2][i] = s.x[2][i] + 0.25 * s.x[0][i] + 100;
  }
  const Model other = fit(block_plan(2, 3), frame_of(mapped), s.group, {options()});
  CHECK(other.problems.empty());
  CHECK(largest_difference(p, score_numbers(other, frame_of(mapped), Output::prob)) <= 1e-9);
  const Model turned = fit(block_plan(2, 3), frame_of(permuted), s.group, {options()});
  CHECK(largest_difference(p, score_numbers(turned, frame_of(permuted), Output::prob)) <= 1e-12);
}

TEST_CASE("a class of one row has one problem, its size") {
  Sample s(20, 3, 1, 57);
  s.group[7] = 2;
  const Model model = fit(block_plan(2, 3), frame_of(s.x), s.group, {options()});
  CHECK(found(model.problems, Problem::too_light, 1, kAll, 1));
  CHECK(model.problems.items().size() == 1);
}

TEST_CASE("a class none of whose rows is complete has one problem") {
  Sample s(20, 3, 1, 58);
  s.group[7] = 2;
  s.x[1][7] = kNaN;
  const Model model = fit(block_plan(2, 3), frame_of(s.x), s.group, {options()});
  CHECK(found(model.problems, Problem::empty, 1, kAll));
  CHECK(model.problems.items().size() == 1);
}

TEST_CASE("the log likelihood is the sum over the rows; a feature dropped") {
  Sample s(60, 3, 2, 59);
  const ModelPlan plan = block_plan(2, 3);
  const Model model = fit(plan, frame_of(s.x), s.group, {options(true, false, 0.2)});
  const Matrix joint = score_numbers(model, frame_of(s.x), Output::log_joint);
  double total = 0;
  for (int i = 0; i < 60; ++i) total += joint(i, s.group[i] - 1);
  CHECK(model.estimate.log_likelihood == doctest::Approx(total).epsilon(1e-13));
  const Model with_empty =
      fit(block_plan(3, 3), frame_of(s.x), s.group, {options(true, false, 0.2)});
  CHECK(with_empty.estimate.log_likelihood == doctest::Approx(total).epsilon(1e-13));
  const ModelPlan target = block_plan(2, 2);
  const Mapping mapping{2, {1, 0}, {1, -1, 0}, {{}, {}, {}}};
  const Model moved =
      estimate(target, realign(plan, model.statistics, target, mapping, {0}), {options()});
  const std::vector<Vector> rest{s.x[2], s.x[0]};
  const Model direct = fit(target, frame_of(rest), s.group, {options()});
  for (int k = 0; k < 2; ++k)
    CHECK(relative(covariance(moved, 1 - k), covariance(direct, k)) <= 1e-13);
}

TEST_SUITE_END();

}  // namespace test_multivariate_gaussian
