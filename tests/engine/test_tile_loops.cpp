#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_tile_loops {

namespace {

const double inf = std::numeric_limits<double>::infinity();

// exp(x) of each, through sums that start at 1.
Vector exponentials(const simd::TileLoops& loops, const Vector& x, Vector* sums = nullptr) {
  Vector padded(Tile::padded(static_cast<int>(x.size())), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) padded[i] = -x[i];
  Vector top(padded.size(), 0.0), y(padded.size(), 7.0), sum(padded.size(), 1.0);
  loops.add_exponentials(top.data(), padded.data(), static_cast<int>(padded.size()), y.data(),
                         sum.data());
  y.resize(x.size());
  if (sums) *sums = sum;
  return y;
}

double ulps(double value, double reference) {
  return std::abs(value - reference) / (std::nextafter(reference, inf) - reference);
}

// The error of exp(x), from more digits than a double has.
double error_in_ulp(double value, double x) {
  using More = long double;
  const More exact = std::exp(static_cast<More>(x));
  const int exponent = std::max(std::ilogb(static_cast<double>(exact)), -1022);
  return static_cast<double>(std::abs(value - exact) / std::ldexp(More(1), exponent - 52));
}

// Few different numbers, so that they are equal often; some infinite.
Vector coarse_columns(Random& random, int count, int stride) {
  Vector x(static_cast<std::size_t>(count) * stride);
  for (double& value : x) value = random.below(12) == 0 ? inf : random.below(4) / 4.0;
  return x;
}

}  // namespace

TEST_SUITE_BEGIN("tile loops");

// exp(x) has two roundings below the normal doubles.
TEST_CASE("exponentials are within 0.8 ulp, and within 1.5 ulp below the normal doubles") {
  constexpr int kDraws = 20;
  Random random(41);
  for (const simd::TileLoops& loops : all_loops()) {
    for (double scale : {1e-12, 0.35, 1.0, 40.0, 708.0}) {
      double worst = 0, faint = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        Vector x(4096), below(64);
        for (double& value : x) value = -scale * random.uniform();
        for (double& value : below) value = -708 - 37 * random.uniform();
        const Vector y = exponentials(loops, x), z = exponentials(loops, below);
        for (std::size_t i = 0; i < x.size(); ++i)
          worst = std::max(worst, error_in_ulp(y[i], x[i]));
        for (std::size_t i = 0; i < below.size(); ++i) {
          faint = std::max(faint, error_in_ulp(z[i], below[i]));
        }
      }
      CHECK(worst < 0.8);
      CHECK(faint < 1.5);
    }
  }
}

TEST_CASE("exponentials at the ends of their range") {
  for (const simd::TileLoops& loops : all_loops()) {
    const Vector x{0,      -0.0, -708, std::nextafter(-708.0, -inf), -745.13, -745.14, -746, -1e6,
                   -1e300, -inf, -1};
    Vector sums;
    const Vector y = exponentials(loops, x, &sums);
    CHECK(y[0] == 1);
    CHECK(y[1] == 1);
    CHECK(ulps(y[2], std::exp(-708)) < 1.5);
    CHECK(ulps(y[3], std::exp(x[3])) < 1.5);
    CHECK(y[4] == std::numeric_limits<double>::denorm_min());
    for (int i = 5; i < 10; ++i) CHECK(y[i] == 0);
    CHECK(ulps(y[10], std::exp(-1)) < 1.5);
    CHECK(sums[0] == 2);
    CHECK(sums[9] == 1);
  }
}

TEST_CASE("the least of a row, and NaN where a column is") {
  Random random(42);
  for (const simd::TileLoops& loops : all_loops()) {
    for (int count : {1, 2, 3, 7}) {
      Vector x = coarse_columns(random, count, 40), least(40);
      x[static_cast<std::size_t>(count - 1) * 40 + 5] = kNaN;
      x[6] = kNaN;
      loops.find_least(x.data(), count, 40, 40, least.data());
      for (int r = 0; r < 40; ++r) {
        double low = inf;
        bool unknown = false;
        for (int c = 0; c < count; ++c) {
          unknown |= std::isnan(x[c * 40 + r]);
          low = std::min(low, x[c * 40 + r]);
        }
        if (unknown) {
          CHECK(std::isnan(least[r]));
        } else {
          CHECK(least[r] == low);
        }
      }
    }
  }
}

TEST_CASE("first and second columns, as a scan of each row finds them") {
  Random random(43);
  for (const simd::TileLoops& loops : all_loops()) {
    for (int count : {2, 3, 4, 9}) {
      const Vector x = coarse_columns(random, count, 64);
      const Vector size(64, 0.5);
      Vector least(64), band(64), limit(64), first(64), low(64), second(64);
      loops.find_least(x.data(), count, 64, 64, least.data());
      loops.find_first(x.data(), count, 64, 64, least.data(), size.data(), 0.5, band.data(),
                       limit.data(), first.data());
      loops.find_second(x.data(), count, 64, 64, first.data(), band.data(), low.data(),
                        second.data());
      for (int r = 0; r < 64; ++r) {
        auto at = [&](int c) { return x[c * 64 + r]; };
        CHECK(band[r] == 0.25);
        CHECK(limit[r] == least[r] + 0.25);
        int expected = 0;
        while (!(at(expected) <= limit[r])) ++expected;
        CHECK(first[r] == expected);
        double next = inf;
        for (int c = 0; c < count; ++c) {
          if (c != expected) next = std::min(next, at(c));
        }
        CHECK(low[r] == next);
        int other = 0;
        while (other == expected || !(at(other) <= next + 0.25)) ++other;
        CHECK(second[r] == other);
      }
    }
  }
}

TEST_CASE("a row without any number names a column that exists") {
  const Vector x(24, kNaN), least(8, kNaN);
  for (const simd::TileLoops& loops : all_loops()) {
    Vector band(8, 1), limit(8), first(8, 9), low(8), second(8, 9);
    loops.find_first(x.data(), 3, 8, 8, least.data(), band.data(), 1, band.data(), limit.data(),
                     first.data());
    CHECK(first == Vector(8, 0));
    loops.find_second(x.data(), 3, 8, 8, first.data(), band.data(), low.data(), second.data());
    CHECK(second == Vector(8, 0));
  }
}

TEST_CASE("weighted sums by action") {
  Random random(44);
  for (const simd::TileLoops& loops : all_loops()) {
    for (int classes : {1, 2, 5}) {
      Vector x(static_cast<std::size_t>(classes) * 16), cost(static_cast<std::size_t>(classes) * 3);
      for (double& value : x) value = random.uniform();
      for (double& value : cost) value = random.normal();
      Vector sum(48), largest(16);
      loops.weigh_actions(x.data(), classes, 16, cost.data(), 3, 16, sum.data(), largest.data());
      for (int r = 0; r < 16; ++r) {
        double high = 0;
        for (int a = 0; a < 3; ++a) {
          double expected = 0;
          for (int k = 0; k < classes; ++k) expected += cost[a * classes + k] * x[k * 16 + r];
          CHECK(std::abs(sum[a * 16 + r] - expected) < 1e-15 * classes * 4);
          high = std::max(high, sum[a * 16 + r]);
        }
        CHECK(largest[r] == high);
      }
    }
  }
}

TEST_CASE("quotients of any number of rows, and none beyond them") {
  const Vector x{1, 2, 3, 4, 5, 6, 7, 8, 9}, by{3, 0, 7, 3, 3, 9, 1, 5, 2};
  for (const simd::TileLoops& loops : all_loops()) {
    for (int rows = 0; rows <= 9; ++rows) {
      Vector y(9, -1), own(x);
      loops.write_quotients(x.data(), by.data(), rows, y.data());
      loops.write_quotients(own.data(), by.data(), rows, own.data());
      for (int r = 0; r < 9; ++r) {
        CHECK(y[r] == (r < rows ? x[r] / by[r] : -1));
        CHECK(own[r] == (r < rows ? x[r] / by[r] : x[r]));
      }
    }
  }
}

TEST_CASE("columns of a tile: is there a 0 or an infinite number") {
  const Vector x{1, -1, 1e-300, kNaN, 2, 3, 4, 5};
  CHECK_FALSE(simd::any_zero(x.data(), 8));
  for (double zero : {0.0, -0.0}) {
    for (int at = 0; at < 8; ++at) {
      Vector with(x);
      with[at] = zero;
      CHECK(simd::any_zero(with.data(), 8));
    }
  }
  CHECK_FALSE(simd::any_infinite(x.data(), 8));
  for (double infinite : {kNegativeInfinity, -kNegativeInfinity}) {
    for (int at = 0; at < 8; ++at) {
      Vector with(x);
      with[at] = infinite;
      CHECK(simd::any_infinite(with.data(), 8));
    }
  }
}

TEST_CASE("codes of any number of rows, and none beyond them") {
  const Vector column{0, 3, 1, 2, 7, 0, 5, 4, 6, 2, 1};
  for (const simd::TileLoops& loops : all_loops()) {
    for (int rows = 0; rows <= 11; ++rows) {
      IntVector code(11, -1);
      loops.write_codes(column.data(), rows, code.data());
      for (int r = 0; r < 11; ++r) {
        CHECK(code[r] == (r < rows ? static_cast<int>(column[r]) + 1 : -1));
      }
    }
  }
}

TEST_CASE("a variable of the environment forces what every processor can do") {
  CHECK(setenv("BAYESRISK_BASELINE", "1", 1) == 0);
  CHECK(&simd::tile_loops() == &simd::kBaseline);
  CHECK(unsetenv("BAYESRISK_BASELINE") == 0);
#ifdef BAYESRISK_AVX2
  const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  CHECK((&simd::tile_loops() != &simd::kBaseline) == wide);
#endif
}

TEST_CASE("both sets of loops give posteriors and costs that agree to 1e-12") {
  Random random(45);
  const int classes = 5, actions = 3, rows = 64;
  Vector loss(classes * rows), cost(classes * actions);
  for (double& value : loss) value = 40 * random.uniform();
  for (double& value : cost) value = random.uniform();
  std::vector<Vector> weights, sums, costs;
  for (const simd::TileLoops& loops : all_loops()) {
    Vector least(rows), sum(rows, 0.0), weight(loss.size()), expected(actions * rows), size(rows);
    loops.find_least(loss.data(), classes, rows, rows, least.data());
    for (int k = 0; k < classes; ++k) {
      loops.add_exponentials(least.data(), &loss[k * rows], rows, &weight[k * rows], sum.data());
    }
    loops.weigh_actions(weight.data(), classes, rows, cost.data(), actions, rows, expected.data(),
                        size.data());
    weights.push_back(weight);
    sums.push_back(sum);
    costs.push_back(expected);
  }
  auto agree = [](const std::vector<Vector>& of) {
    for (std::size_t i = 0; i < of[0].size(); ++i) {
      CHECK(std::abs(of[0][i] - of[1][i]) <= 1e-12 * std::abs(of[0][i]));
    }
  };
  agree(weights);
  agree(sums);
  agree(costs);
}

TEST_CASE("columns are distributions unless a number is wrong") {
  for (const simd::TileLoops& loops : all_loops()) {
    const Vector good(16, 0.25), rest(16, 0.75);
    for (int wrong = -1; wrong < 8; ++wrong) {
      for (double value : {-1e-17, 0.2501, kNaN, inf, -inf}) {
        Vector first = good;
        if (wrong >= 0) first[wrong] = value;
        const double* columns[] = {first.data(), rest.data()};
        Vector copy(16), sum(8);
        const bool all = loops.take_distributions(columns, 2, 8, 8, 1e-8, copy.data(), sum.data());
        // A number that is negative only by rounding is still invalid in a distribution.
        CHECK(all == (wrong < 0));
        for (int r = 0; r < 8; ++r) CHECK(same_bits(copy[r], first[r]));
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace test_tile_loops
