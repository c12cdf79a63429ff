#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_scatter {

namespace {

struct Sample {
  std::vector<Vector> x;
  IntVector group;  // from 0; `groups`: left out
  int groups;
  Vector weight;

  Sample(int n, int p, int groups, int seed) : x(p, Vector(n)), group(n), groups(groups) {
    Random random(seed);
    for (int i = 0; i < n; ++i) {
      group[i] = random.below(groups + 1);
      double before = 0;
      for (Vector& column : x) column[i] = before = 0.6 * before + random.normal() + 0.1 * group[i];
    }
  }
  int rows() const { return static_cast<int>(group.size()); }

  void weigh(int seed) {
    Random random(seed);
    for (int i = 0; i < rows(); ++i) weight.push_back(0.1 + random.uniform());
  }
};

Scatter collect(const Sample& sample, const Frame& frame, Diagnostics& problems) {
  const int p = static_cast<int>(frame.columns.size());
  IntVector features(p);
  for (int j = 0; j < p; ++j) features[j] = j;
  const Chunk chunk{0, sample.rows(), sample.groups, sample.group.data(),
                    sample.weight.empty() ? nullptr : sample.weight.data()};
  Scatter scatter(sample.groups, p);
  ScatterCollector(frame, features, chunk, scatter, problems).collect();
  const IntVector unsafe = factor_products(scatter, Context());
  const std::vector<Matrix> triangles = decompose_rows(frame, features, chunk, scatter, unsafe);
  for (std::size_t i = 0; i < unsafe.size(); ++i) scatter.triangle[unsafe[i]] = triangles[i];
  return scatter;
}

Scatter collect(const Sample& sample) {
  Diagnostics problems;
  const Scatter scatter = collect(sample, frame_of(sample.x), problems);
  CHECK(problems.empty());
  return scatter;
}

Scatter collect_baseline(const Sample& sample) {
  CHECK(setenv("BAYESRISK_BASELINE", "1", 1) == 0);
  const Scatter scatter = collect(sample);
  CHECK(unsetenv("BAYESRISK_BASELINE") == 0);
  return scatter;
}

Matrix product(const Scatter& scatter, int g) {
  return scatter.triangle[g].transpose() * scatter.triangle[g];
}

// The scatter of a group by its definition.
Matrix direct(const Sample& s, int g, bool diagonal_alone = false) {
  const int p = static_cast<int>(s.x.size());
  std::vector<Quad> mean(p, 0);
  Quad total = 0;
  auto weight = [&](int i) -> Quad { return s.weight.empty() ? 1.0 : s.weight[i]; };
  for (int i = 0; i < s.rows(); ++i) {
    if (s.group[i] != g) continue;
    total += weight(i);
    for (int j = 0; j < p; ++j) mean[j] += weight(i) * s.x[j][i];
  }
  for (Quad& m : mean) m /= total;
  Matrix result = Matrix::Zero(p, p);
  for (int a = 0; a < p; ++a) {
    for (int b = diagonal_alone ? a : 0; b <= a; ++b) {
      Quad sum = 0;
      for (int i = 0; i < s.rows(); ++i) {
        if (s.group[i] == g) sum += weight(i) * (s.x[a][i] - mean[a]) * (s.x[b][i] - mean[b]);
      }
      result(a, b) = result(b, a) = static_cast<double>(sum);
    }
  }
  return result;
}

double relative(const Matrix& value, const Matrix& reference) {
  return largest_difference(value, reference) / reference.cwiseAbs().maxCoeff();
}

// The largest relative error of a variance.
double error_of_variances(const Sample& s) {
  double worst = 0;
  const Scatter fast = collect(s), plain = collect_baseline(s);
  for (int g = 0; g < s.groups; ++g) {
    const Eigen::VectorXd expected = direct(s, g, true).diagonal();
    for (const Scatter* scatter : {&fast, &plain}) {
      const Eigen::VectorXd found = scatter->triangle[g].colwise().squaredNorm();
      worst = std::max(worst, ((found - expected).array() / expected.array()).abs().maxCoeff());
    }
  }
  return worst;
}

}  // namespace

TEST_SUITE_BEGIN("scatter");

TEST_CASE("scatter by its definition, any number of columns, weighted or not") {
  for (int p = 1; p <= 70; p += p < 20 ? 1 : 7) {
    CAPTURE(p);
    Sample s(p < 20 ? 500 : 1100, p, 2, 80 + p);
    for (bool weighted : {false, true}) {
      if (weighted) s.weigh(p);
      const Scatter fast = collect(s), plain = collect_baseline(s);
      for (int g = 0; g < 2; ++g) {
        const Matrix expected = direct(s, g);
        CHECK(relative(product(fast, g), expected) < 1e-13);
        CHECK(relative(product(plain, g), expected) < 1e-13);
        CHECK(relative(fast.triangle[g], plain.triangle[g]) < 1e-12);
        CHECK(fast.rows(g, 0) == std::count(s.group.begin(), s.group.end(), g));
      }
    }
  }
}

TEST_CASE("variances keep their digits: offsets, trends, sorted groups, outliers first") {
  for (double offset : {0.0, 1e8, -0x1p30}) {
    CAPTURE(offset);
    Sample s(30000, 3, 2, 81);
    for (int i = 0; i < s.rows(); ++i) {
      s.x[0][i] += offset;
      s.x[1][i] += 1e-3 * i + offset;
      s.x[2][i] += i == 0 ? 1e12 : offset;
    }
    CHECK(error_of_variances(s) < 1e-13);
    std::sort(s.group.begin(), s.group.end());
    CHECK(error_of_variances(s) < 1e-13);
    std::fill(s.group.begin(), s.group.begin() + 20000, 1);
    s.weigh(82);
    std::fill(s.weight.begin(), s.weight.begin() + 8192, 1e-9);
    CHECK(error_of_variances(s) < 1e-13);
  }
}

TEST_CASE("a hundred groups, some of them of a few rows") {
  Sample s(40000, 3, 100, 83);
  for (int i = 0; i < s.rows(); ++i) {
    if (s.group[i] < 5 && i % 16 > 0) s.group[i] = 99;
  }
  CHECK(error_of_variances(s) < 1e-13);
}

TEST_CASE("rows that are not finite change nothing; whole numbers are numbers") {
  Sample s(20001, 5, 3, 84);
  s.group[9000] = 0;
  Sample complete = s;
  IntVector whole(s.rows());
  for (int i = 0; i < s.rows(); ++i) {
    s.x[4][i] = whole[i] = static_cast<int>(10 * s.x[4][i]);
    if (i % 7 == 0) s.x[i % 4][i] = kNaN;
  }
  s.x[3][9000] = kNegativeInfinity;
  for (int i = 0; i < s.rows(); ++i) {
    complete.x[4][i] = whole[i];
    if (i % 7 == 0 || std::isinf(s.x[3][i])) complete.group[i] = 3;
  }
  Frame frame = frame_of(s.x);
  frame.columns[4] = whole_numbers(whole);
  Diagnostics problems;
  const Scatter found = collect(s, frame, problems), expected = collect(complete);
  for (int g = 0; g < 3; ++g) {
    CHECK(found.rows(g, 0) == expected.rows(g, 0));
    CHECK(relative(found.triangle[g], expected.triangle[g]) < 1e-14);
    CHECK(relative(found.mean.row(g), expected.mean.row(g)) < 1e-14);
  }
  int missing = 0;
  for (int i = 0; i < s.rows(); i += 7) missing += s.group[i] < 3;
  CHECK(found.missing[0] + found.missing[1] + found.missing[2] + found.missing[3] == missing);
  CHECK(found.skipped == missing + 1);
  CHECK(found.missing[4] == 0);
  CHECK(problems.items().size() == 1);
}

// As a model collects it, chunk by chunk.
Scatter collect_chunks(const Sample& s, int count) {
  const int p = static_cast<int>(s.x.size());
  IntVector group(s.group);
  for (int& g : group) g = g == s.groups ? kMissingInteger : g + 1;
  return statistics<MultivariateGaussian>(
             testing::collect(block_plan(s.groups, p), frame_of(s.x), group, s.weight, count))
      .scatter;
}

TEST_CASE("a wide block has several chunks, whose sums do not depend on the threads") {
  const int p = 40;
  Sample s(12001, p, 2, 85);
  for (bool weighted : {false, true}) {
    if (weighted) s.weigh(86);
    for (double offset : {0.0, 1e9}) {
      CAPTURE(offset);
      for (int i = 0; i < s.rows(); ++i) {
        s.x[0][i] += offset;
        s.x[1][i] += 1e-3 * i;  // the chunks differ in their means
      }
      const Scatter found = collect_chunks(s, 1), whole = collect(s);
      for (int g = 0; g < 2; ++g) {
        CHECK(relative(product(found, g), direct(s, g)) < 1e-12);
        CHECK(relative(found.mean.row(g), whole.mean.row(g)) < 1e-15);
        CHECK(found.rows(g, 0) == whole.rows(g, 0));
        CHECK(digits(found.weight(g, 0), whole.weight(g, 0)) > 14);
        CHECK_FALSE(same_bits(found.triangle[g], whole.triangle[g]));
        for (int threads : {2, 3}) {
          const Scatter other = collect_chunks(s, threads);
          CHECK(same_bits(found.triangle[g], other.triangle[g]));
          CHECK(same_bits(found.mean_low, other.mean_low));
        }
      }
    }
  }
}

TEST_CASE("a chunk forgets the rows of the chunk whose memory it gets") {
  const int chunk = static_cast<int>(kChunkRows);
  for (int p : {4, 5}) {
    Sample s(3 * chunk + 100, p, 2, 89);
    s.x[1][chunk + 5] = kNaN;
    // Only the first two chunks have rows of group 1.
    for (int i = 2 * chunk; i < s.rows(); ++i) s.group[i] = 0;
    const Scatter found = collect_chunks(s, 1);
    CHECK(found.skipped == (s.group[chunk + 5] < 2));
    CHECK(found.missing[1] == found.skipped);
    s.group[chunk + 5] = 2;
    for (int g = 0; g < 2; ++g) {
      CHECK(found.rows(g, 0) == std::count(s.group.begin(), s.group.end(), g));
      CHECK(relative(product(found, g), direct(s, g)) < 1e-12);
    }
    for (int threads : {2, 3}) {
      const Scatter other = collect_chunks(s, threads);
      for (int g = 0; g < 2; ++g) CHECK(same_bits(found.triangle[g], other.triangle[g]));
    }
  }
}

TEST_CASE("rows of a bad condition are decomposed in every chunk, about the mean of all") {
  const int p = 33, last = p - 1;
  Sample s(10500, p, 2, 87);
  Random random(88);
  for (int i = 0; i < s.rows(); ++i) {
    s.x[0][i] += 1e-3 * i;
    s.x[last][i] = s.x[0][i] + (s.group[i] == 0 ? 1e-7 : 1) * random.normal();
  }
  const Scatter found = collect_chunks(s, 1), other = collect_chunks(s, 2);
  for (int g = 0; g < 2; ++g) {
    std::vector<int> rows;
    for (int i = 0; i < s.rows(); ++i) {
      if (s.group[i] == g) rows.push_back(i);
    }
    Matrix centred(rows.size(), p);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (int j = 0; j < p; ++j) {
        centred(i, j) = (s.x[j][rows[i]] - found.mean(g, j)) - found.mean_low(g, j);
      }
    }
    const Matrix expected = triangle_of_rows(centred);
    // A Cholesky factor would lose the part of the last column that the others do not explain.
    CHECK(digits(found.triangle[g](last, last), expected(last, last)) > 8);
    CHECK(relative(found.triangle[g], expected) < 1e-12);
    CHECK(same_bits(found.triangle[g], other.triangle[g]));
  }
}

TEST_CASE("statistics of a block whose parts differ in shape are not consistent") {
  const Scatter whole(2, 3);
  CHECK(whole.consistent(2, 3));
  std::vector<Scatter> damaged(7, whole);
  damaged[0].weight.resize(1, 1);
  damaged[1].rows.resize(2, 2);
  damaged[2].mean.resize(2, 2);
  damaged[3].mean_low.resize(3, 3);
  damaged[4].triangle.pop_back();
  damaged[5].missing.push_back(0);
  damaged[6].triangle[1].resize(3, 2);
  for (const Scatter& scatter : damaged) CHECK_FALSE(scatter.consistent(2, 3));
}

TEST_SUITE_END();

}  // namespace test_scatter
