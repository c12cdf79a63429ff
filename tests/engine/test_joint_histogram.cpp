#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_joint_histogram {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Three features with 3, 2 and 4 bins of different widths.
const JointHistogram::Plan kBins{{{0, 1, 2}, {3, 2, 4}},
                                 {0, 1, 1.5, 4, -1, 0, 7, 10, 11, 13, 14, 20}};

// The bin of x by a plain search; -1: outside.
int bin_of(const Bins& bins, double x) {
  if (x == bins.edges[bins.count]) return bins.count - 1;
  for (int b = 0; b < bins.count; ++b) {
    if (x >= bins.edges[b] && x < bins.edges[b + 1]) return b;
  }
  return -1;
}

struct Example {
  std::vector<Vector> x{3};
  IntVector group;
  Vector weight;
  ModelPlan plan{2, {kBins}};

  explicit Example(int n, int missing = 15) {
    Random random(31);
    for (int i = 0; i < n; ++i) {
      group.push_back(1 + random.below(2));
      weight.push_back(random.below(4) / 2.0);
      for (int j = 0; j < 3; ++j) {
        const Bins bins = kBins.of_member(j);
        const double low = bins.edges[0], high = bins.edges[bins.count];
        x[j].push_back(random.below(missing) ? low + random.uniform() * (high - low) : kNaN);
      }
    }
  }
  Frame frame() const { return frame_of(x); }

  // The smoothed counts of all cells by class, and their totals.
  std::vector<Vector> table(double laplace, const Vector& weight, Vector& total) const {
    std::vector<Vector> result(2, Vector(24, laplace));
    total.assign(2, 24 * laplace);
    for (std::size_t i = 0; i < group.size(); ++i) {
      int cell = 0;
      bool complete = true;
      for (int j = 0; j < 3; ++j) {
        const int bin = bin_of(kBins.of_member(j), x[j][i]);
        complete = complete && bin >= 0;
        cell = cell * kBins.levels[j] + bin;
      }
      if (!complete) continue;
      const double w = weight.empty() ? 1 : weight[i];
      result[group[i] - 1][cell] += w;
      total[group[i] - 1] += w;
    }
    return result;
  }
};

IntVector bins_of_cell(int cell) { return {cell / 8, cell / 4 % 2, cell % 4}; }

bool matches(int cell, const IntVector& bin) {
  const IntVector own = bins_of_cell(cell);
  for (int j = 0; j < 3; ++j) {
    if (bin[j] >= 0 && bin[j] != own[j]) return false;
  }
  return true;
}

}  // namespace

TEST_SUITE_BEGIN("joint histogram");

TEST_CASE("every pattern of missing values against the sum over all cells") {
  const Example e(60);
  // The middle of each bin, the last edge, a value outside, and a missing value.
  std::vector<Vector> values(3);
  for (int j = 0; j < 3; ++j) {
    const Bins bins = kBins.of_member(j);
    for (int b = 0; b < bins.count; ++b) values[j].push_back(bins.edges[b]);
    for (double x : {bins.edges[bins.count], bins.edges[bins.count] + 1, kNaN}) {
      values[j].push_back(x);
    }
  }
  std::vector<Vector> at(3);
  for (double a : values[0]) {
    for (double b : values[1]) {
      for (double c : values[2]) {
        at[0].push_back(a);
        at[1].push_back(b);
        at[2].push_back(c);
      }
    }
  }
  for (double laplace : {0.0, 0.7}) {
    for (const Vector& weight : {Vector(), e.weight}) {
      const Model model =
          fit(e.plan, e.frame(), e.group, {JointHistogram::Options{laplace}}, {}, weight);
      Vector total;
      const std::vector<Vector> table = e.table(laplace, weight, total);
      const Matrix l = score_numbers(model, frame_of(at), Output::log_likelihood);
      for (std::size_t i = 0; i < at[0].size(); ++i) {
        IntVector bin;
        double volume = 1;
        bool outside = false;
        for (int j = 0; j < 3; ++j) {
          const Bins bins = kBins.of_member(j);
          const bool missing = std::isnan(at[j][i]);
          bin.push_back(missing ? -1 : bin_of(bins, at[j][i]));
          outside = outside || (!missing && bin[j] < 0);
          if (bin[j] >= 0) volume *= bins.width(bin[j]);
        }
        for (int k = 0; k < 2; ++k) {
          double sum = 0;
          for (int cell = 0; cell < 24; ++cell) sum += matches(cell, bin) ? table[k][cell] : 0;
          if (outside) sum = 0;
          const double value = l(static_cast<Index>(i), k);
          if (sum == 0) {
            CHECK(value == kNegativeInfinity);
          } else {
            CHECK(std::exp(value) == doctest::Approx(sum / total[k] / volume).epsilon(1e-13));
          }
        }
      }
    }
  }
}

TEST_CASE("a block of one feature is a histogram") {
  const Vector x{.5, 1.5, 1.6, 2.5, 2.5, 2.6, .1, kNaN}, edges{0, 1, 2.5, 3};
  const IntVector group{1, 1, 1, 1, 2, 2, 2, 2};
  const Frame frame = frame_of(x);
  const Vector at{0, .3, 1, 2.4, 2.5, 3, 3.5, -1, kNaN, kInfinity};
  for (double laplace : {0.0, 0.3}) {
    const Model one =
        fit({2, {Histogram::Plan{{0}, {3}, edges}}}, frame, group, {Histogram::Options{laplace}});
    const Model block = fit({2, {JointHistogram::Plan{{{0}, {3}}, edges}}}, frame, group,
                            {JointHistogram::Options{laplace}});
    ScoreReport first, second;
    const Matrix a = score_numbers(one, frame_of(at), Output::log_joint, nullptr, 1, &first);
    const Matrix b = score_numbers(block, frame_of(at), Output::log_joint, nullptr, 1, &second);
    for (Index i = 0; i < a.size(); ++i) {
      const double p = a.data()[i], q = b.data()[i];
      CHECK((p == q || (std::isnan(p) && std::isnan(q)) || std::abs(p - q) < 1e-14));
    }
    CHECK(first.infinite == second.infinite);
    CHECK(first.impossible == second.impossible);
    CHECK(one.estimate.log_likelihood ==
          doctest::Approx(block.estimate.log_likelihood).epsilon(1e-14));
    CHECK(one.estimate.parameter_count == block.estimate.parameter_count);
  }
}

TEST_CASE("the log likelihood is the sum over the rows that were counted") {
  const Example e(50);
  const Model model = fit(e.plan, e.frame(), e.group, {JointHistogram::Options{0.3}});
  const Matrix l = score_numbers(model, e.frame(), Output::log_likelihood);
  double total = 0;
  for (int i = 0; i < 50; ++i) {
    const int g = e.group[i] - 1;
    total += std::log(model.estimate.prior[g]);
    if (!std::isnan(e.x[0][i] + e.x[1][i] + e.x[2][i])) total += l(i, g);
  }
  CHECK(model.estimate.log_likelihood == doctest::Approx(total).epsilon(1e-13));
  CHECK(model.estimate.parameter_count == 1 + 2 * 23);
}

TEST_CASE("merging in any order and by any threads is exact; bins are added, a feature dropped") {
  const Example e(150000);
  const ModelStatistics one = collect(e.plan, e.frame(), e.group);
  const JointHistogram::Statistics& whole = statistics<JointHistogram>(one);
  for (int count : {2, 3}) {
    const ModelStatistics other = collect(e.plan, e.frame(), e.group, {}, count);
    CHECK(statistics<JointHistogram>(other).cells == whole.cells);
    CHECK(statistics<JointHistogram>(other).count == whole.count);
  }
  ModelStatistics total = collect(e.plan, part_of(e.frame(), 70000, 80000),
                                  IntVector(e.group.begin() + 70000, e.group.end()));
  total.merge(e.plan, collect(e.plan, part_of(e.frame(), 0, 70000), e.group));
  CHECK(statistics<JointHistogram>(total).cells == whole.cells);
  CHECK(statistics<JointHistogram>(total).count == whole.count);
  CHECK(statistics<JointHistogram>(total).missing == whole.missing);
  // The third feature comes first and has a bin more on the left; the second one is summed out.
  const JointHistogram::Plan wider{{{0, 1}, {5, 4}}, {8, 10, 11, 13, 14, 20, 0, 1, 1.5, 4, 9}};
  const Mapping mapping{2, {0, 1}, {1, -1, 0}, {{}, {}, {}}};
  const ModelStatistics moved = realign(e.plan, one, {2, {wider}}, mapping, {0});
  const JointHistogram::Statistics& to = statistics<JointHistogram>(moved);
  Matrix expected = Matrix::Zero(2, 20), counted = Matrix::Zero(2, 20);
  for (Index c = 0; c < whole.cells.rows(); ++c) {
    expected.col(whole.cells(c, 2) * 4 + whole.cells(c, 0) - 1) += whole.count.col(c);
  }
  for (Index c = 0; c < to.cells.rows(); ++c) {
    counted.col((to.cells(c, 0) - 1) * 4 + to.cells(c, 1) - 1) += to.count.col(c);
  }
  CHECK(expected == counted);
  const JointHistogram::Plan other{{{0, 1}, {4, 3}}, {10, 11, 13, 14.5, 20, 0, 1, 1.5, 4}};
  CHECK_THROWS_AS(realign(e.plan, one, {2, {other}}, mapping, {0}), InvalidState);
}

TEST_CASE("numbers outside the bins and infinite numbers are found at the fit") {
  const Vector x{0.5, 9, kInfinity, kNaN}, y{0, 0, 0, 0}, z{10, 10, 10, 10};
  Diagnostics problems;
  collect({2, {kBins}}, frame_of(std::vector<Column>{reals(x), reals(y), reals(z)}, 4),
          {1, 2, 2, 1}, problems);
  CHECK(found(problems, Problem::outside, 1, 0, 1));
  CHECK(found(problems, Problem::infinite, kAll, 0, 1));
}

TEST_CASE("a member alone, and given the bins of others") {
  const Example e(40);
  for (double laplace : {0.0, 0.4}) {
    const Model model = fit(e.plan, e.frame(), e.group, {JointHistogram::Options{laplace}});
    Vector total;
    const std::vector<Vector> table = e.table(laplace, {}, total);
    const auto& p = parameters<JointHistogram>(model);
    const View view = view_of(e.plan, model.estimate.banks, model.estimate.prior, 3);
    for (const Vector& row : {Vector{kNaN, kNaN, kNaN}, Vector{.5, kNaN, 15}, Vector{kNaN, 3, 0}}) {
      const std::vector<Vector> columns{{row[0]}, {row[1]}, {row[2]}};
      const Frame one = frame_of(columns);
      for (int j = 0; j < 3; ++j) {
        const Marginal line = conditional_marginal(view, one, 0, j, 0.25);
        const Steps& steps = std::get<Steps>(line);
        IntVector bin;
        for (int i = 0; i < 3; ++i) {
          bin.push_back(i == j ? -1 : bin_of(kBins.of_member(i), row[i]));
        }
        for (int k = 0; k < 2; ++k) {
          const Bins bins = kBins.of_member(j);
          Vector share(bins.count, 0.0);
          double all = 0;
          for (int cell = 0; cell < 24; ++cell) {
            if (!matches(cell, bin)) continue;
            share[bins_of_cell(cell)[j]] += table[k][cell];
            all += table[k][cell];
          }
          if (all == 0) continue;  // the class is impossible
          for (int s = 0; s < bins.count; ++s) {
            CHECK(steps.classes[k].edges[s] == bins.edges[s] - 0.25);
            CHECK(std::exp(steps.classes[k].log_probability[s]) ==
                  doctest::Approx(share[s] / all).epsilon(1e-13));
          }
        }
      }
    }
    const Steps::OfClass alone = JointHistogram::marginal(kBins, p, 0, 1, 0);
    double sum = 0;
    for (double log_probability : alone.log_probability) sum += std::exp(log_probability);
    CHECK(sum == doctest::Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("rows are drawn from the cells, uniformly within each") {
  const Example e(30);
  const Model model = fit(e.plan, e.frame(), e.group, {JointHistogram::Options{0.2}});
  const JointHistogram::Drawer drawer(kBins, parameters<JointHistogram>(model));
  REQUIRE(drawer.uniforms() == 4);
  Vector total;
  const std::vector<Vector> table = e.table(0.2, {}, total);
  constexpr int n = 100000;
  for (int k = 0; k < 2; ++k) {
    DrawnRows rows({0, 0, 0}, n);
    Vector count(24, 0.0), place(3, 0.0);
    Random random(5);
    for (int i = 0; i < n; ++i) {
      const Vector u{(i + 0.5) / n, random.uniform(), random.uniform(), random.uniform()};
      drawer.draw(k, u.data(), i, rows);
      int cell = 0;
      for (int j = 0; j < 3; ++j) {
        const Bins bins = kBins.of_member(j);
        const double x = rows.number(j, i);
        const int bin = bin_of(bins, x);
        cell = cell * kBins.levels[j] + bin;
        place[j] += (x - bins.edges[bin]) / bins.width(bin);
      }
      ++count[cell];
    }
    for (int cell = 0; cell < 24; ++cell) {
      CHECK(std::abs(count[cell] / n - table[k][cell] / total[k]) < 2.0 / n);
    }
    for (double sum : place) CHECK(std::abs(sum / n - 0.5) < 0.005);
  }
}

TEST_CASE("bounds: the overlap is a sum over cells, the distance that of means and covariances") {
  const Example e(40);
  for (double laplace : {0.3, 0.0}) {
    const Model model = fit(e.plan, e.frame(), e.group, {JointHistogram::Options{laplace}});
    Vector total;
    const std::vector<Vector> table = e.table(laplace, {}, total);
    const Overlap overlap = compare_classes(e.plan, model.estimate.banks);
    double sum = 0;
    std::vector<Eigen::Vector3d> mean(2, Eigen::Vector3d::Zero());
    std::vector<Eigen::Matrix3d> square(2, Eigen::Matrix3d::Zero());
    for (int cell = 0; cell < 24; ++cell) {
      sum += std::pow(table[0][cell] / total[0], .3) * std::pow(table[1][cell] / total[1], .7);
      Eigen::Vector3d middle, width;
      for (int j = 0; j < 3; ++j) {
        const Bins bins = kBins.of_member(j);
        width[j] = bins.width(bins_of_cell(cell)[j]);
        middle[j] = bins.edges[bins_of_cell(cell)[j]] + width[j] / 2;
      }
      for (int k = 0; k < 2; ++k) {
        const double share = table[k][cell] / total[k];
        mean[k] += share * middle;
        square[k] += share * middle * middle.transpose();
        square[k].diagonal() += share / 12 * width.cwiseProduct(width);
      }
    }
    CHECK(std::exp(overlap.log_at(.3)) == doctest::Approx(sum).epsilon(1e-13));
    Eigen::Matrix3d mixed = Eigen::Matrix3d::Zero();
    for (int k = 0; k < 2; ++k) {
      mixed += (k == 0 ? .4 : .6) * (square[k] - mean[k] * mean[k].transpose());
    }
    const Eigen::Vector3d between = mean[1] - mean[0];
    CHECK(overlap.squared_distance(.4) ==
          doctest::Approx(between.dot(mixed.ldlt().solve(between))).epsilon(1e-10));
  }
}

TEST_CASE("a damaged histogram is an error") {
  const auto refuse = [](const JointHistogram::Plan& plan) {
    CHECK_THROWS_AS(plan.check(), InvalidState);
  };
  CHECK_NOTHROW(kBins.check());
  refuse({{{0, 1}, {1}}, {0, 1}});
  refuse({{{0, 1}, {1, 1}}, {0, 1, 0}});
  refuse({{{0, 1}, {1, 1}}, {0, 1, 1, 0}});
  refuse({{first_features(63), IntVector(63, 0)}, {}});
  JointHistogram::Plan large{{first_features(4), {}}, {}};
  for (int j = 0; j < 4; ++j) {
    large.levels.push_back(1 << 16);
    for (int edge = 0; edge <= 1 << 16; ++edge) large.edges.push_back(edge);
  }
  refuse(large);
  JointHistogram::Parameters p{IntMatrix::Constant(1, 3, 2), Matrix::Zero(2, 1), {0, 0}};
  CHECK_NOTHROW(p.check(kBins, 2));
  CHECK_THROWS_AS(p.check(kBins, 3), InvalidState);
  p.cells << 1, 3, 1;
  CHECK_THROWS_AS(p.check(kBins, 2), InvalidState);
}

TEST_SUITE_END();

}  // namespace test_joint_histogram
