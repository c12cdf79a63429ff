#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_score_kernels {

namespace {

const double inf = std::numeric_limits<double>::infinity();

std::vector<const double*> columns_of(const Vector& x, int count, int stride) {
  std::vector<const double*> result;
  for (int c = 0; c < count; ++c) result.push_back(x.data() + c * stride);
  return result;
}

}  // namespace

TEST_SUITE_BEGIN("score loops");

TEST_CASE("all_finite sees what is not, in every place") {
  for (const simd::TileLoops& loops : all_loops()) {
    for (int rows : {8, 16, 24, 40}) {
      Vector x(static_cast<std::size_t>(rows), 1e308);
      CHECK(loops.all_finite(x.data(), rows));
      for (int at = 0; at < rows; ++at) {
        for (double bad : {inf, -inf, kNaN}) {
          x[at] = bad;
          CHECK_FALSE(loops.all_finite(x.data(), rows));
        }
        x[at] = -1e308;
      }
    }
    CHECK(loops.all_finite(nullptr, 0));
  }
}

TEST_CASE("standardized squares, any number of columns and classes") {
  Random random(51);
  const int rows = 24;
  for (const simd::TileLoops& loops : all_loops()) {
    for (int columns : {1, 2, 4, 5, 9}) {
      for (int classes : {1, 3}) {
        const Vector x = random_numbers(random, static_cast<std::size_t>(columns) * rows);
        const Vector mean = random_numbers(random, static_cast<std::size_t>(columns) * classes);
        const Vector low = random_numbers(random, mean.size());
        Vector inverse(mean.size());
        for (double& value : inverse) value = 0.5 + random.uniform();
        Vector together(static_cast<std::size_t>(classes) * rows, 1.0), one_by_one(together),
            known(together), constants(together);
        const auto at = columns_of(x, columns, rows);
        loops.add_standardized_squares(at.data(), columns, classes, rows, rows, mean.data(),
                                       low.data(), inverse.data(), false, together.data());
        for (int c = 0; c < columns; ++c) {
          const int first = c * classes;
          loops.add_standardized_squares(&at[c], 1, classes, rows, rows, mean.data() + first,
                                         low.data() + first, inverse.data() + first, false,
                                         one_by_one.data());
          loops.add_known_squares(at[c], classes, rows, rows, mean.data() + first,
                                  low.data() + first, inverse.data() + first, low.data() + first,
                                  known.data(), constants.data());
        }
        Vector fresh(together.size(), kNaN), from_zero(together.size(), 0.0);
        loops.add_standardized_squares(at.data(), columns, classes, rows, rows, mean.data(),
                                       low.data(), inverse.data(), true, fresh.data());
        loops.add_standardized_squares(at.data(), columns, classes, rows, rows, mean.data(),
                                       low.data(), inverse.data(), false, from_zero.data());
        CHECK(fresh == from_zero);
        CHECK(together == one_by_one);
        CHECK(together == known);
        for (int k = 0; k < classes; ++k) {
          for (int r = 0; r < rows; ++r) {
            double expected = 1, constant = 1;
            for (int c = 0; c < columns; ++c) {
              const int i = c * classes + k;
              constant += low[i];
              expected += std::pow((mean[i] - x[c * rows + r]) * inverse[i] + low[i], 2);
            }
            CHECK(together[k * rows + r] == doctest::Approx(expected).epsilon(1e-14));
            CHECK(constants[k * rows + r] == constant);
          }
        }
      }
    }
  }
}

TEST_CASE("a number that is not finite adds nothing to known squares") {
  for (const simd::TileLoops& loops : all_loops()) {
    const Vector x{1, kNaN, inf, -inf, 2, 3, 4, 5};
    const double mean = 0, low = 0, inverse = 2, constant = 3;
    Vector square(8, 0.5), constants(8, 0.0);
    loops.add_known_squares(x.data(), 1, 8, 8, &mean, &low, &inverse, &constant, square.data(),
                            constants.data());
    CHECK(square == Vector{4.5, 0.5, 0.5, 0.5, 16.5, 36.5, 64.5, 100.5});
    CHECK(constants == Vector{3, 0, 0, 0, 3, 3, 3, 3});
    Vector sum(8, 1.0), known_sum(sum);
    loops.add_known_half_squares(square.data(), constants.data(), 8, known_sum.data());
    CHECK(known_sum[0] == 1.75);
    CHECK(known_sum[1] == 0.75);
    CHECK(known_sum[7] == -46.25);
    loops.add_half_squares(square.data(), 3, 8, sum.data());
    CHECK(sum[0] == 1.75);
    CHECK(sum[7] == -46.25);
  }
}

TEST_CASE("classes are chosen as a scan of each row chooses them") {
  Random random(53);
  const int rows = 24;
  const double share = 1e-12;
  for (const simd::TileLoops& loops : all_loops()) {
    for (int classes : {1, 2, 3, 7}) {
      Vector l = random_numbers(random, static_cast<std::size_t>(classes) * rows);
      Vector prior = random_numbers(random, classes);
      // Ties, exact and within the band of a large and of a small number; classes that are out.
      for (int k = 0; k < classes; ++k) {
        l[k * rows + 1] = 5 - prior[k];
        l[k * rows + 2] = 1e6 + 1e-7 * k - prior[k];
        l[k * rows + 3] = -1e6 + 1e-5 * k;
        l[k * rows + 4] = k == 0 ? -inf : -1e300;
      }
      for (bool out : {false, true}) {
        if (out && classes > 1) prior[1] = -inf;
        Vector first(rows, -1);
        CHECK(loops.choose_classes(l.data(), prior.data(), classes, rows, rows, share,
                                   first.data()) == (classes > 1 + out));
        for (int r = 0; r < rows && classes > 1 + out; ++r) {
          const auto joint = [&](int k) {
            return std::isinf(prior[k]) ? prior[k] : l[k * rows + r] + prior[k];
          };
          double top = -inf;
          for (int k = 0; k < classes; ++k) top = std::max(top, joint(k));
          int best = 0;
          while (joint(best) < top - share * std::max(1.0, std::abs(top))) ++best;
          CHECK(first[r] == best);
        }
      }
      for (double bad : {kNaN, inf}) {
        Vector spoilt(l);
        spoilt[rows - 1] = bad;
        Vector first(rows);
        CHECK_FALSE(loops.choose_classes(spoilt.data(), prior.data(), classes, rows, rows, share,
                                         first.data()));
      }
    }
  }
}

TEST_CASE("log joints are negated; the least of a row is NaN where one is") {
  Random random(54);
  const int rows = 16;
  for (const simd::TileLoops& loops : all_loops()) {
    for (int classes : {1, 2, 5}) {
      const Vector l = random_numbers(random, static_cast<std::size_t>(classes) * rows);
      Vector prior = random_numbers(random, classes);
      if (classes == 5) prior[2] = -inf;
      Vector loss(l), least(rows);
      CHECK(loops.negate_log_joints(loss.data(), prior.data(), classes, rows, rows, least.data()));
      for (int r = 0; r < rows; ++r) {
        double expected = inf;
        for (int k = 0; k < classes; ++k) {
          CHECK(loss[k * rows + r] == -(l[k * rows + r] + prior[k]));
          expected = std::min(expected, loss[k * rows + r]);
        }
        CHECK(least[r] == expected);
      }
      for (double bad : {kNaN, -inf}) {
        Vector spoilt(l);
        for (int k = 0; k < classes; ++k) spoilt[k * rows + 7] = bad;
        CHECK_FALSE(loops.negate_log_joints(spoilt.data(), prior.data(), classes, rows, rows,
                                            least.data()));
        CHECK(std::isnan(bad) == std::isnan(least[7]));
        CHECK(std::isfinite(least[6]));
      }
    }
  }
}

TEST_CASE("triangles are solved as Eigen solves them, a row the same in any strip") {
  Random random(52);
  const int rows = 40, classes = 2;
  for (const simd::TileLoops& loops : all_loops()) {
    for (int size : {1, 2, 3, 7, 8}) {
      const Vector x = random_numbers(random, static_cast<std::size_t>(size) * rows);
      std::vector<Matrix> factor;
      std::vector<Vector> inverse, mean, low;
      std::vector<simd::TriangleOfClass> triangles;
      for (int k = 0; k < classes; ++k) {
        Matrix u = Matrix::Zero(size, size);
        for (int j = 0; j < size; ++j) {
          for (int i = 0; i < j; ++i) u(i, j) = random.uniform() - 0.5;
          u(j, j) = 1 + random.uniform();
        }
        factor.push_back(u);
        inverse.emplace_back();
        for (int j = 0; j < size; ++j) inverse.back().push_back(1 / u(j, j));
        mean.push_back(random_numbers(random, size));
        low.push_back(random_numbers(random, size));
      }
      for (int k = 0; k < classes; ++k) {
        triangles.push_back({factor[k].data(), inverse[k].data(), mean[k].data(), low[k].data()});
      }
      Vector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
      Vector square(static_cast<std::size_t>(classes) * rows), one(8 * classes);
      auto at = columns_of(x, size, rows);
      loops.solve_triangles(at.data(), size, triangles.data(), classes, rows, rows, scratch.data(),
                            square.data());
      for (const double*& column : at) column += 8;
      loops.solve_triangles(at.data(), size, triangles.data(), classes, 8, 8, scratch.data(),
                            one.data());
      for (int k = 0; k < classes; ++k) {
        for (int r = 0; r < rows; ++r) {
          Eigen::VectorXd d(size);
          for (int j = 0; j < size; ++j) d[j] = x[j * rows + r] - mean[k][j] - low[k][j];
          const double expected =
              factor[k].triangularView<Eigen::Upper>().transpose().solve(d).squaredNorm();
          CHECK(square[k * rows + r] == doctest::Approx(expected).epsilon(1e-12));
          if (r >= 8 && r < 16) CHECK(square[k * rows + r] == one[k * 8 + r - 8]);
        }
      }
    }
  }
}

TEST_CASE("a class that shares the triangle of the one before follows from it") {
  Random random(54);
  const int rows = 40, size = 5;
  Matrix u = Matrix::Zero(size, size);
  Vector inverse;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < j; ++i) u(i, j) = random.uniform() - 0.5;
    u(j, j) = 1 + random.uniform();
    inverse.push_back(1 / u(j, j));
  }
  const Vector x = random_numbers(random, static_cast<std::size_t>(size) * rows), low(size);
  Vector first = random_numbers(random, size), other = random_numbers(random, size), apart(size);
  Eigen::Map<Eigen::VectorXd>(apart.data(), size) =
      u.triangularView<Eigen::Upper>().transpose().solve(
          Eigen::Map<Eigen::VectorXd>(other.data(), size) -
          Eigen::Map<Eigen::VectorXd>(first.data(), size));
  const simd::TriangleOfClass solved{u.data(), inverse.data(), first.data(), low.data()};
  simd::TriangleOfClass alone = solved, following = solved;
  alone.mean = other.data();
  following.apart = apart.data();
  for (const simd::TileLoops& loops : all_loops()) {
    Vector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
    Vector expected(3 * rows), square(3 * rows);
    const auto at = columns_of(x, size, rows);
    const simd::TriangleOfClass apiece[] = {solved, alone, alone};
    const simd::TriangleOfClass together[] = {solved, following, following};
    loops.solve_triangles(at.data(), size, apiece, 3, rows, rows, scratch.data(), expected.data());
    loops.solve_triangles(at.data(), size, together, 3, rows, rows, scratch.data(), square.data());
    for (int i = 0; i < 3 * rows; ++i) {
      CHECK(square[i] == doctest::Approx(expected[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("missing numbers count as the mean; the products of z with columns of members") {
  Random random(55);
  const int size = 7;
  Matrix u = Matrix::Zero(size, size), across = u;
  Vector inverse;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < j; ++i) u(i, j) = random.uniform() - 0.5;
    for (int i = j; i < size; ++i) across(i, j) = random.normal();
    u(j, j) = 1 + random.uniform();
    inverse.push_back(1 / u(j, j));
  }
  const Vector mean = random_numbers(random, size), low(size), apart = random_numbers(random, size);
  simd::TriangleOfClass solved{u.data(), inverse.data(), mean.data(), low.data()};
  solved.across = across.data();
  simd::TriangleOfClass following = solved;
  following.apart = apart.data();
  const simd::TriangleOfClass classes[] = {solved, following, following};
  const int members[] = {5, 0, 2};
  for (int rows : {8, 16}) {
    Vector x = random_numbers(random, static_cast<std::size_t>(size) * rows);
    for (std::size_t i = 0; i < x.size(); i += 3) x[i] = i % 2 == 0 ? kNaN : inf;
    for (const simd::TileLoops& loops : all_loops()) {
      Vector scratch(static_cast<std::size_t>(size) * simd::kSolveScratch);
      Vector square(3 * simd::kStripRows), pull(3 * square.size());
      loops.solve_known(columns_of(x, size, rows).data(), size, classes, 3, {members, 3}, rows,
                        scratch.data(), square.data(), pull.data());
      for (int r = 0; r < rows; ++r) {
        Eigen::VectorXd d(size);
        for (int j = 0; j < size; ++j) {
          const double value = x[j * rows + r];
          d[j] = std::isfinite(value) ? value - mean[j] : 0;
        }
        Eigen::VectorXd z = u.triangularView<Eigen::Upper>().transpose().solve(d);
        for (int k = 0; k < 3; ++k) {
          if (k == 1) z -= Eigen::Map<const Eigen::VectorXd>(apart.data(), size);
          const double* found = pull.data() + k * 3 * simd::kStripRows + r;
          CHECK(square[k * simd::kStripRows + r] ==
                doctest::Approx(z.squaredNorm()).epsilon(1e-12));
          for (int m = 0; m < 3; ++m) {
            const double off = found[m * simd::kStripRows] - across.col(members[m]).dot(z);
            CHECK(std::abs(off) <= 1e-12 * z.norm() * across.col(members[m]).norm());
          }
        }
      }
    }
  }
}

TEST_CASE("moments by group, weighted or not, with gaps or not, in one bank or more") {
  Random random(53);
  const int slots = 3;
  for (const simd::TileLoops& loops : all_loops()) {
    for (int columns : {4, 8}) {
      for (int rows : {0, 1, 5, 64, 67}) {
        for (int choice = 0; choice < 12; ++choice) {
          const int banks = 1 << (choice % 3);
          const bool weighted = choice / 3 % 2 == 1, gaps = choice >= 6;
          Vector x = random_numbers(random, static_cast<std::size_t>(columns) * rows);
          for (std::size_t i = 0; i < x.size() && gaps; i += 5) x[i] = i % 2 == 0 ? kNaN : inf;
          const Vector shift = random_numbers(random, static_cast<std::size_t>(columns) * slots);
          const Vector weight = random_numbers(random, rows);
          IntVector group(rows);
          for (int& g : group) g = static_cast<int>(random.below(slots));
          Vector moments(shift.size() * simd::kMomentParts * banks, 0.0);
          const auto moment = [&](simd::MomentPart part, std::size_t at) -> double& {
            const std::size_t slot = at / columns, column = at % columns;
            return moments[(slot * simd::kMomentParts + part) * columns + column];
          };
          for (std::size_t i = 0; i < shift.size(); ++i) moment(simd::kShift, i) = shift[i];
          loops.add_moments(columns_of(x, columns, rows).data(), columns, group.data(),
                            weighted ? weight.data() : nullptr, rows, slots, banks, moments.data(),
                            gaps);
          Vector sums(shift.size(), 0.0), squares(sums), weights(sums);
          for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
              const int at = group[r] * columns + c;
              const double d = x[c * rows + r] - shift[at], w = weighted ? weight[r] : 1;
              if (!std::isfinite(d)) continue;
              sums[at] += w * d;
              squares[at] += w * d * d;
              weights[at] += gaps ? w : 0;
            }
          }
          for (std::size_t i = 0; i < sums.size(); ++i) {
            CHECK(moment(simd::kShift, i) == shift[i]);
            CHECK(std::abs(moment(simd::kSum, i) - sums[i]) < 1e-13 * (1 + rows));
            CHECK(std::abs(moment(simd::kSquare, i) - squares[i]) < 1e-13 * (1 + 16 * rows));
            CHECK(std::abs(moment(simd::kKnown, i) - weights[i]) < 1e-13 * (1 + rows));
          }
        }
      }
    }
  }
}

TEST_CASE("moments of a sum of normals, any count, faint terms too") {
  Random random(58);
  for (const simd::TileLoops& loops : all_loops()) {
    for (int count = 1; count < 20; ++count) {
      Vector value = random_numbers(random, count), minus_log(count);
      for (double& m : minus_log) m = 3 * random.uniform();
      if (count > 2) minus_log[count - 2] = inf;
      if (count > 5) value[count - 4] = 1000;
      Vector moment(simd::kNormalMoments, 1.0);
      loops.add_normal_moments(value.data(), minus_log.data(), count, 0.25, 2, 0.25, moment.data());
      for (int m = 0; m < simd::kNormalMoments; ++m) {
        long double sum = 1;
        for (int i = 0; i < count; ++i) {
          const long double d = 2 * (value[i] - 0.25L);
          sum += std::exp(-(d * d - d / 2) / 2 - minus_log[i]) * std::pow(d, m < 7 ? m : 8);
        }
        CHECK(std::abs(moment[m] - static_cast<double>(sum)) <= 1e-12 * std::max(1.0L, sum));
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace test_score_kernels
