#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_gaussian_em {

namespace {

using Block = MultivariateGaussian;

ModelPlan plan_of(int groups, int features, bool em = true) {
  return {groups, {Block::Plan{first_features(features), em}}};
}

Block::Options options(bool unbiased = false, bool pooled = false) {
  Block::Options result;
  result.unbiased = unbiased;
  result.pooled = pooled;
  return result;
}

// Rows in which each number is missing with a probability; `rest` is the part of a number that the
// number before does not explain.
struct Sample {
  std::vector<Vector> x;
  IntVector group;

  Sample(int n, int p, int groups, double missing, int seed, double rest = 1)
      : x(p, Vector(n)), group(n) {
    Random random(seed);
    for (int i = 0; i < n; ++i) {
      group[i] = 1 + i % groups;
      double before = random.normal();
      for (int j = 0; j < p; ++j) {
        before += (j % 2 == 0 ? 1 : rest) * random.normal();
        x[j][i] = random.uniform() < missing ? kNaN : before + j * group[i];
      }
    }
  }
};

Model fit_em(const std::vector<Vector>& x, const IntVector& group, int groups,
             const Block::Options& with = options(), const Vector& weight = {}) {
  return fit(plan_of(groups, static_cast<int>(x.size())), frame_of(x), group, {with}, {}, weight);
}

Matrix covariance(const Model& model, int k) {
  const Matrix& u = parameters<Block>(model).factor_of(k);
  return u.transpose() * u;
}

// The largest difference of means and covariances, in standard deviations.
double distance(const Block::Parameters& a, const Block::Parameters& b) {
  double worst = 0;
  for (int k = 0; k < a.mean.rows(); ++k) {
    const Matrix s = a.factor_of(k).transpose() * a.factor_of(k);
    const Matrix t = b.factor_of(k).transpose() * b.factor_of(k);
    const Eigen::VectorXd sd = s.diagonal().array().sqrt();
    for (int j = 0; j < s.cols(); ++j) {
      const double moved = (a.mean(k, j) - b.mean(k, j)) + (a.mean_low(k, j) - b.mean_low(k, j));
      worst = std::max(worst, std::abs(moved) / sd[j]);
      for (int i = 0; i < s.cols(); ++i) {
        worst = std::max(worst, std::abs(s(i, j) - t(i, j)) / sd[i] / sd[j]);
      }
    }
  }
  return worst;
}

double log_likelihood(const Model& model, const Block::Parameters& p) {
  return Block::log_likelihood(model.plan.banks[0].as<Block::Plan>(),
                               statistics<Block>(model.statistics), p);
}

Vector path_of(const Model& model) {
  const auto& known = statistics<Block>(model.statistics);
  const IntVector groups{0}, members = first_features(static_cast<int>(known.scatter.mean.cols()));
  const Context context;
  EmRows rows(known, groups, members);
  EmClimb climb(rows, context);
  climb.climb(climb.start());
  return climb.path();
}

std::vector<Vector> reordered(const std::vector<Vector>& x) {
  std::vector<Vector> result = x;
  for (Vector& column : result) std::reverse(column.begin(), column.end());
  return result;
}

}  // namespace

TEST_SUITE_BEGIN("gaussian em");

// Anderson (1957): the second feature is missing in the last rows, so its regression on the first
// and the moments of the first are the estimate.
TEST_CASE("monotone missing values: the closed form") {
  const int n = 40, both = 25;
  Sample sample(n, 2, 1, 0, 1);
  for (int i = both; i < n; ++i) sample.x[1][i] = kNaN;
  const Model model = fit_em(sample.x, sample.group, 1);
  REQUIRE(model.problems.empty());
  Quad all = 0, first = 0, second = 0;
  for (int i = 0; i < n; ++i) all += sample.x[0][i] / n;
  for (int i = 0; i < both; ++i) {
    first += Quad(sample.x[0][i]) / both;
    second += Quad(sample.x[1][i]) / both;
  }
  Quad s11 = 0, s12 = 0, s22 = 0, whole = 0;
  for (int i = 0; i < both; ++i) {
    const Quad a = sample.x[0][i] - first, b = sample.x[1][i] - second;
    s11 += a * a / both;
    s12 += a * b / both;
    s22 += b * b / both;
  }
  for (int i = 0; i < n; ++i) whole += (sample.x[0][i] - all) * (sample.x[0][i] - all) / n;
  const Quad slope = s12 / s11;
  const auto near = [](double found, Quad expected) {
    return std::abs(found - static_cast<double>(expected)) <= 1e-11;
  };
  const Matrix s = covariance(model, 0);
  const auto& p = parameters<Block>(model);
  CHECK(near(p.mean(0, 0), all));
  CHECK(near(p.mean(0, 1), second + slope * (all - first)));
  CHECK(near(s(0, 0), whole));
  CHECK(near(s(0, 1), slope * whole));
  CHECK(near(s(1, 1), s22 - slope * s12 + slope * slope * whole));
}

TEST_CASE("complete rows have the estimate that they had before") {
  const Sample sample(60, 3, 2, 0, 2);
  for (bool pooled : {false, true}) {
    const Model em = fit_em(sample.x, sample.group, 2, options(true, pooled));
    const Model complete =
        fit(plan_of(2, 3, false), frame_of(sample.x), sample.group, {options(true, pooled)});
    CHECK(largest_difference(covariance(em, 1), covariance(complete, 1)) == 0);
    CHECK(parameters<Block>(em).mean == parameters<Block>(complete).mean);
    CHECK(digits(em.estimate.log_likelihood, complete.estimate.log_likelihood) >= 13);
  }
}

TEST_CASE("the log likelihood never falls, and its slope at the end is 0") {
  for (double missing : {0.1, 0.4}) {
    const Sample sample(150, 4, 1, missing, 3);
    const Model model = fit_em(sample.x, sample.group, 1);
    REQUIRE(model.problems.empty());
    const Vector path = path_of(model);
    REQUIRE(path.size() >= 4);
    for (std::size_t i = 1; i < path.size(); ++i) CHECK(path[i] >= path[i - 1] - 1e-10);
    const auto& best = parameters<Block>(model);
    CHECK(digits(log_likelihood(model, best), path.back()) >= 13);
    const auto slope = [&](const std::function<void(Block::Parameters&, double)>& move) {
      Block::Parameters low = best, high = best;
      move(low, -1e-4);
      move(high, 1e-4);
      const double below = log_likelihood(model, low), above = log_likelihood(model, high);
      CHECK(std::max(below, above) < log_likelihood(model, best));
      return (above - below) / 2e-4;
    };
    for (int j = 0; j < 4; ++j) {
      CHECK(std::abs(slope([j](auto& p, double h) { p.mean(0, j) += h; })) <= 1e-4);
      for (int i = 0; i <= j; ++i) {
        CHECK(std::abs(slope([&](auto& p, double h) { p.factor[0](i, j) += h; })) <= 1e-4);
      }
    }
  }
}

TEST_CASE("units, order, chunks and threads") {
  const Sample sample(80, 3, 2, 0.25, 4);
  const Model model = fit_em(sample.x, sample.group, 2);
  REQUIRE(model.problems.empty());
  const auto& p = parameters<Block>(model);
  SUBCASE("order") {
    IntVector group = sample.group;
    std::reverse(group.begin(), group.end());
    const std::vector<Vector> x = reordered(sample.x);
    CHECK(distance(p, parameters<Block>(fit_em(x, group, 2))) <= 1e-10);
  }
  SUBCASE("an offset of 2^30 and a scale of 2^-20 are exact") {
    std::vector<Vector> x = sample.x;
    // 20 binary digits, so that the sums are exact.
    for (Vector& column : x) {
      for (double& value : column) value = std::round(value * 0x1p10) * 0x1p-10;
    }
    const Block::Parameters before = parameters<Block>(fit_em(x, sample.group, 2));
    for (double& value : x[1]) value = (value + 0x1p30) * 0x1p-20;
    Block::Parameters after = parameters<Block>(fit_em(x, sample.group, 2));
    for (int k = 0; k < 2; ++k) {
      after.mean(k, 1) = after.mean(k, 1) * 0x1p20 - 0x1p30;
      after.mean_low(k, 1) *= 0x1p20;
      after.factor[k].col(1) *= 0x1p20;
    }
    CHECK(distance(before, after) <= 1e-10);
  }
  SUBCASE("merged parts") {
    const Frame frame = frame_of(sample.x);
    IntVector first = sample.group, second = sample.group;
    for (int i = 0; i < 80; ++i) (i % 3 == 0 ? first : second)[i] = kMissingInteger;
    ModelStatistics merged = collect(model.plan, frame, second);
    merged.merge(model.plan, collect(model.plan, frame, first));
    const Model both = estimate(model.plan, merged, {options()});
    CHECK(distance(p, parameters<Block>(both)) <= 1e-10);
  }
  SUBCASE("a weight of 2 is two rows") {
    std::vector<Vector> x = sample.x;
    IntVector group = sample.group;
    for (Vector& column : x) column.insert(column.end(), column.begin(), column.begin() + 20);
    group.insert(group.end(), group.begin(), group.begin() + 20);
    Vector weight(80, 1.0);
    std::fill_n(weight.begin(), 20, 2.0);
    CHECK(distance(parameters<Block>(fit_em(x, group, 2, options(true))),
                   parameters<Block>(fit_em(sample.x, sample.group, 2, options(true), weight))) <=
          1e-10);
  }
}

TEST_CASE("any number of threads gives the same bits") {
  const Sample sample(6000, 8, 2, 0.2, 5);
  const Model model = fit_em(sample.x, sample.group, 2, options(true, true));
  const Context context = threads(3);
  Diagnostics problems;
  const Estimate again =
      Estimator(model.plan, model.statistics, {options(true, true)}, false, context)
          .estimate({}, problems);
  const auto& p = parameters<Block>(model);
  const auto& q = again.banks[0].as<Block::Parameters>();
  CHECK(p.mean == q.mean);
  CHECK(p.mean_low == q.mean_low);
  CHECK(p.factor[0] == q.factor[0]);
  CHECK(model.estimate.log_likelihood == again.log_likelihood);
}

TEST_CASE("a condition of 1e8: the regression on the others keeps its digits") {
  Sample sample(60, 2, 1, 0, 6, 1e-8);
  for (int i = 0; i < 20; ++i) sample.x[i % 2][i] = kNaN;
  const Model model = fit_em(sample.x, sample.group, 1);
  REQUIRE(model.problems.empty());
  const Matrix s = covariance(model, 0);
  // The features differ by noise of 1e-8 and a constant, so the slope is 1.
  CHECK(std::abs(s(0, 1) / s(0, 0) - 1) <= 1e-7);
  const Matrix& u = parameters<Block>(model).factor_of(0);
  CHECK(u(1, 1) > 5e-9);
  CHECK(u(1, 1) < 2e-8);
}

TEST_CASE("problems: a class without a value, a constant, a line") {
  Sample sample(40, 2, 2, 0.2, 7);
  const auto problem_of = [](const Model& model) {
    REQUIRE(!model.problems.empty());
    return model.problems.items()[0].problem;
  };
  SUBCASE("never known in a class") {
    for (int i = 0; i < 40; ++i) {
      if (sample.group[i] == 2) sample.x[1][i] = kNaN;
    }
    CHECK(problem_of(fit_em(sample.x, sample.group, 2)) == Problem::empty);
  }
  SUBCASE("constant in a class") {
    for (int i = 0; i < 40; ++i) {
      if (sample.group[i] == 2 && !std::isnan(sample.x[1][i])) sample.x[1][i] = 1e9 / 3;
    }
    CHECK(problem_of(fit_em(sample.x, sample.group, 2)) == Problem::constant);
  }
  SUBCASE("all pairs on a line") {
    for (int i = 0; i < 40; ++i) {
      if (!std::isnan(sample.x[0][i] + sample.x[1][i])) sample.x[1][i] = 3 - sample.x[0][i];
    }
    CHECK(problem_of(fit_em(sample.x, sample.group, 2)) == Problem::singular);
  }
  SUBCASE("infinite") {
    sample.x[0][3] = kInfinity;
    Diagnostics problems;
    collect(plan_of(2, 2), frame_of(sample.x), sample.group, problems);
    REQUIRE(!problems.empty());
    CHECK(problems.items()[0].problem == Problem::infinite);
  }
  SUBCASE("never known together: a point of the ridge") {
    for (int i = 0; i < 40; ++i) sample.x[i / 2 % 2][i] = kNaN;
    const Model model = fit_em(sample.x, sample.group, 2);
    CHECK(model.problems.empty());
    CHECK(std::isfinite(model.estimate.log_likelihood));
    // Means and variances are those of the known values.
    const Block::Parameters& p = parameters<Block>(model);
    for (int g = 0; g < 2; ++g) {
      for (int j = 0; j < 2; ++j) {
        double sum = 0, squares = 0, count = 0;
        for (int i = 0; i < 40; ++i) {
          if (sample.group[i] != g + 1 || std::isnan(sample.x[j][i])) continue;
          count += 1;
          sum += sample.x[j][i];
          squares += sample.x[j][i] * sample.x[j][i];
        }
        const double mean = sum / count, sd = std::sqrt(squares / count - mean * mean);
        CHECK(p.mean(g, j) + p.mean_low(g, j) == doctest::Approx(mean).epsilon(1e-7));
        CHECK(p.factor_of(g).col(j).norm() == doctest::Approx(sd).epsilon(1e-7));
      }
    }
  }
}

TEST_CASE("rows without a value add nothing; dropped features leave the rest as it was") {
  const Sample sample(60, 3, 1, 0.3, 8);
  const Model model = fit_em(sample.x, sample.group, 1);
  std::vector<Vector> longer = sample.x;
  for (Vector& column : longer) column.insert(column.end(), 5, kNaN);
  const Model more = fit_em(longer, IntVector(65, 1), 1);
  CHECK(parameters<Block>(model).factor[0] == parameters<Block>(more).factor[0]);
  CHECK(statistics<Block>(more.statistics).scatter.skipped ==
        statistics<Block>(model.statistics).scatter.skipped + 5);
  Mapping mapping;
  mapping.groups = 1;
  mapping.group = {0};
  mapping.feature = {0, -1, 1};
  mapping.level.resize(3);
  const ModelPlan target = plan_of(1, 2);
  const ModelStatistics fewer = realign(model.plan, model.statistics, target, mapping, {0});
  const Model dropped = estimate(target, fewer, {options()});
  const std::vector<Vector> rest{sample.x[0], sample.x[2]};
  const Model own = fit_em(rest, sample.group, 1);
  CHECK(distance(parameters<Block>(dropped), parameters<Block>(own)) <= 1e-10);
  CHECK(digits(dropped.estimate.log_likelihood, own.estimate.log_likelihood) >= 10);
}

TEST_SUITE_END();

}  // namespace test_gaussian_em
