#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_projected_rows {

namespace {

using Block = MultivariateGaussian;

// Parameters of classes whose last member is `noise` from the sum of the first two.
Block::Parameters parameters_of(int size, int classes, bool pooled, double noise, int seed) {
  Random random(seed);
  Block::Parameters p;
  p.mean = Matrix::Zero(classes, size);
  p.mean_low = p.mean;
  for (Index i = 0; i < p.mean.size(); ++i) p.mean.data()[i] = random.normal();
  for (int k = 0; k < (pooled ? 1 : classes); ++k) {
    Matrix rows(3 * size, size);
    for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = random.normal();
    rows.col(size - 1) = rows.col(0) + rows.col(1) + noise * rows.col(size - 1);
    p.factor.push_back(triangle_of_rows(rows) / std::sqrt(3 * size));
  }
  return p;
}

std::vector<Vector> rows_near(const Block::Parameters& p, int count, double noise, int seed) {
  Random random(seed);
  const Index size = p.mean.cols();
  std::vector<Vector> x(static_cast<std::size_t>(size), Vector(static_cast<std::size_t>(count)));
  for (Vector& column : x) {
    for (double& value : column) value = random.normal();
  }
  for (int i = 0; i < count; ++i) x[size - 1][i] = x[0][i] + x[1][i] + noise * x[size - 1][i];
  return x;
}

Matrix scores(const Block::Parameters& p, const std::vector<Vector>& x, Vector freedom = {}) {
  Block::Plan plan;
  for (int j = 0; j < static_cast<int>(x.size()); ++j) plan.features.push_back(j);
  const Block::Scorer scorer(plan, p, std::move(freedom));
  const Frame frame = frame_of(x);
  const int classes = static_cast<int>(p.mean.rows());
  Tile tile(classes, plan.size());
  Matrix result(frame.rows, classes);
  for (Index begin = 0; begin < frame.rows; begin += tile.rows) {
    tile.start(begin, frame.rows);
    scorer.add(frame, 0, plan.size(), tile);
    for (int k = 0; k < classes; ++k) {
      for (int r = 0; r < tile.rows; ++r) result(begin + r, k) = tile.of_class(k)[r];
    }
  }
  return result;
}

// The squared distance and the log determinant of the known members, in 113-bit arithmetic.
struct Reference {
  int size = 0;
  double square = 0, log_determinant = 0;

  Reference(const Block::Parameters& p, int k, const std::vector<Vector>& x, int row) {
    IntVector known;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (std::isfinite(x[j][row])) known.push_back(static_cast<int>(j));
    }
    size = static_cast<int>(known.size());
    const Matrix& u = p.factor_of(k);
    std::vector<std::vector<Quad>> s(size, std::vector<Quad>(size + 1));
    for (int a = 0; a < size; ++a) {
      for (int b = 0; b < size; ++b) {
        Quad sum = 0;
        for (Index i = 0; i < u.rows(); ++i) sum += Quad(u(i, known[a])) * Quad(u(i, known[b]));
        s[a][b] = sum;
      }
      s[a][size] = Quad(x[known[a]][row]) - Quad(p.mean(k, known[a]));
    }
    Quad total = 0;
    for (int i = 0; i < size; ++i) {
      total += s[i][size] * s[i][size] / s[i][i];
      log_determinant += std::log(static_cast<double>(s[i][i]));
      for (int a = i + 1; a < size; ++a) {
        const Quad factor = s[a][i] / s[i][i];
        for (int b = i; b <= size; ++b) s[a][b] -= factor * s[i][b];
      }
    }
    square = static_cast<double>(total);
  }

  double log_density() const { return -size * kHalfLogTwoPi - 0.5 * (square + log_determinant); }
  double log_density(double freedom) const {
    return log_student_peak(freedom, size) - 0.5 * log_determinant -
           0.5 * (freedom + size) * std::log1p(square / freedom);
  }
};

// Row i misses each member with a probability that grows with i: from no member to all but one.
void punch(std::vector<Vector>& x, int seed) {
  Random random(seed);
  const int size = static_cast<int>(x.size()), count = static_cast<int>(x[0].size());
  for (int i = 0; i < count; ++i) {
    const int kept = static_cast<int>(random.below(size));
    for (int j = 0; j < size; ++j) {
      if (j != kept && random.uniform() < static_cast<double>(i) / count) x[j][i] = kNaN;
    }
  }
  for (int j = 0; j < size; ++j) {
    if (j != 3) x[j][count - 1] = kNaN;
  }
}

double off(double found, double expected) {
  return std::abs(found - expected) / std::max(1.0, std::abs(expected));
}

}  // namespace

TEST_SUITE_BEGIN("projected rows");

TEST_CASE("every number of missing members: normal and t, own and shared covariances") {
  for (int size : {11, 12, 24}) {
    for (bool pooled : {false, true}) {
      const Block::Parameters p = parameters_of(size, 3, pooled, 1, size);
      std::vector<Vector> x = rows_near(p, 700, 1, 7);
      punch(x, 8);
      const Matrix normal = scores(p, x);
      Block::Parameters apiece = p;
      apiece.factor.resize(3, p.factor[0]);
      const Vector freedom{3, 7.5, 40};
      const Matrix student = scores(apiece, x, freedom);
      double worst = 0, worst_t = 0;
      for (int i = 0; i < 700; ++i) {
        for (int k = 0; k < 3; ++k) {
          const Reference r(p, k, x, i);
          worst = std::max(worst, off(normal(i, k), r.log_density()));
          worst_t = std::max(worst_t, off(student(i, k), r.log_density(freedom[k])));
        }
      }
      CAPTURE(size);
      CAPTURE(pooled);
      CHECK(worst <= 1e-13);
      CHECK(worst_t <= 1e-13);
    }
  }
}

// A double determines the distance from an almost dependent feature to epsilon times the
// condition. If this feature or those that it depends on are missing, the others are well apart.
TEST_CASE("digits at a condition of 1e8: as many as the known members have") {
  const double noise = 1e-8;
  const Block::Parameters p = parameters_of(16, 2, false, noise, 3);
  std::vector<Vector> x = rows_near(p, 400, noise, 4);
  Random random(5);
  for (int i = 0; i < 400; ++i) {
    for (int m = i % 4; m > 0; --m) x[random.below(16)][i] = kNaN;
    if (i >= 100) x[i < 200 ? 15 : i < 300 ? 0 : 1][i] = kNaN;
  }
  const Matrix found = scores(p, x);
  for (int k = 0; k < 2; ++k) {
    double apart = 0, near = 0;
    for (int i = 0; i < 400; ++i) {
      const bool depends = !std::isnan(x[0][i]) && !std::isnan(x[1][i]) && !std::isnan(x[15][i]);
      double& worst = depends ? near : apart;
      worst = std::max(worst, off(found(i, k), Reference(p, k, x, i).log_density()));
    }
    CHECK(apart <= 1e-13);
    CHECK(near <= 1e-8);
  }
}

// The last member has a variance inflation factor of about noise^-2.
TEST_CASE("digits on both sides of the limit of a projection") {
  for (double noise : {0.3, 0.1, 0.03, 0.012, 0.009, 0.003, 1e-3, 1e-5}) {
    const Block::Parameters p = parameters_of(20, 2, true, noise, 30);
    std::vector<Vector> x = rows_near(p, 300, 1, 31);
    for (int i = 0; i < 300; ++i) {
      x[19][i] = kNaN;
      if (i % 3 > 0) x[i % 17][i] = kNaN;
      if (i % 3 > 1) x[1][i] = kNaN;
    }
    const Matrix found = scores(p, x);
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
      for (int k = 0; k < 2; ++k) {
        worst = std::max(worst, off(found(i, k), Reference(p, k, x, i).log_density()));
      }
    }
    CAPTURE(noise);
    CHECK(worst <= 1e-12);
  }
}

TEST_CASE("a row has the same score alone, in another order and in another tile") {
  for (bool pooled : {false, true}) {
    const Block::Parameters p = parameters_of(15, 3, pooled, 0.02, 21);
    std::vector<Vector> x = rows_near(p, 1300, 0.02, 22);
    punch(x, 23);
    const Matrix all = scores(p, x);
    std::vector<Vector> turned = x;
    for (Vector& column : turned) std::reverse(column.begin(), column.end());
    CHECK(same_bits(all, scores(p, turned).colwise().reverse()));
    for (int i = 0; i < 1300; i += 37) {
      std::vector<Vector> one;
      for (const Vector& column : x) one.push_back({column[i]});
      CHECK(same_bits(all.row(i), scores(p, one)));
    }
  }
}

TEST_CASE("the order of the members does not matter beyond rounding") {
  const Block::Parameters p = parameters_of(14, 2, false, 1, 41);
  std::vector<Vector> x = rows_near(p, 200, 1, 42);
  punch(x, 43);
  Block::Parameters turned = p;
  turned.mean = p.mean.rowwise().reverse();
  for (Matrix& u : turned.factor) u = triangle_of_rows(u.rowwise().reverse());
  std::vector<Vector> other(x.rbegin(), x.rend());
  CHECK(largest_difference(scores(p, x), scores(turned, other)) <= 1e-11);
}

TEST_CASE("far rows, tiny and huge units, classes without rows, members left out") {
  Block::Parameters p = parameters_of(12, 2, false, 1, 51);
  std::vector<Vector> x = rows_near(p, 4, 1, 52);
  for (int i = 0; i < 3; ++i) x[2][i] = kNaN;
  const Matrix before = scores(p, x);
  SUBCASE("a density of 0") {
    x[4][0] = 1e200;
    x[4][1] = 1.7e308;
    const Matrix found = scores(p, x);
    CHECK((found.topRows(2).array() == kNegativeInfinity).all());
    CHECK(same_bits(found.bottomRows(2), before.bottomRows(2)));
  }
  SUBCASE("units") {
    for (double unit : {0x1p-400, 0x1p400}) {
      Block::Parameters scaled = p;
      std::vector<Vector> y = x;
      for (double& value : y[2]) value *= unit;
      for (double& value : y[7]) value /= unit;
      scaled.mean.col(2) *= unit;
      scaled.mean.col(7) /= unit;
      for (Matrix& u : scaled.factor) {
        u.col(2) *= unit;
        u.col(7) /= unit;
      }
      const Matrix found = scores(scaled, y);
      const double known = 400 * std::log(2.0) * (unit < 1 ? -1 : 1);
      CHECK(largest_difference(found.topRows(3), (before.topRows(3).array() + known).matrix()) <=
            1e-11);
    }
  }
  SUBCASE("no rows") {
    p.mean.row(1).setConstant(kNaN);
    p.factor[1].setConstant(kNaN);
    const Matrix found = scores(p, x);
    CHECK(same_bits(found.col(0), before.col(0)));
    CHECK(found.col(1).array().isNaN().all());
  }
  SUBCASE("left out") {
    for (Matrix& u : p.factor) {
      u.row(5).setZero();
      u.col(5).setZero();
      u(5, 5) = 1;
    }
    p.left_out.set(5, 12);
    const Matrix found = scores(p, x);
    for (double& value : x[5]) value = kNaN;
    CHECK(same_bits(found, scores(p, x)));
  }
}

TEST_SUITE_END();

}  // namespace test_projected_rows
