#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_decision_loops {

namespace {

constexpr int kRows = 48;

// Costs in single precision: the actions of a class stand side by side in `of`.
struct Costs {
  std::vector<float> of, most;
  int actions;
  float faint = 0;

  explicit Costs(const Matrix& cost) : actions(static_cast<int>(cost.rows())) {
    for (Index a = 0; a < cost.rows(); ++a) {
      for (Index k = 0; k < cost.cols(); ++k) of.push_back(static_cast<float>(cost(a, k)));
    }
    for (Index k = 0; k < cost.cols(); ++k) {
      most.push_back(static_cast<float>(cost.col(k).cwiseAbs().maxCoeff()));
      faint += 2 * simd::kFaintestWeight * most.back();
    }
  }
  simd::RoughCosts view() const { return {of.data(), most.data(), actions, faint}; }
};

Matrix random_costs(Random& random, int actions, int classes) {
  Matrix cost(actions, classes);
  for (Index i = 0; i < cost.size(); ++i) cost.data()[i] = 2 * random.uniform() - 1;
  return cost / cost.cwiseAbs().maxCoeff();
}

// The differences of the expected costs from the least, relative to the largest term of any action;
// in more digits.
std::vector<long double> excess(const Vector& l, const Vector& prior, const Matrix& cost, int r) {
  const auto classes = static_cast<int>(prior.size());
  long double top = kNegativeInfinity, least = kInfinity, size = 0;
  for (int k = 0; k < classes; ++k) {
    top = std::max(top, static_cast<long double>(l[k * kRows + r] + prior[k]));
  }
  std::vector<long double> expected(static_cast<std::size_t>(cost.rows()), 0.0L);
  for (int k = 0; k < classes; ++k) {
    const long double weight = std::exp((l[k * kRows + r] + prior[k]) - top);
    for (std::size_t a = 0; a < expected.size(); ++a) expected[a] += cost(a, k) * weight;
    size += cost.col(k).cwiseAbs().maxCoeff() * weight;
  }
  for (long double e : expected) least = std::min(least, e);
  for (long double& e : expected) e = (e - least) / size;
  return expected;
}

}  // namespace

TEST_SUITE_BEGIN("decision loops");

TEST_CASE("a clear action is the cheapest one; rows that are not clear are close") {
  Random random(91);
  int clear = 0, close = 0;
  for (const simd::TileLoops& loops : all_loops()) {
    for (int classes : {1, 2, 3, 4, 5, 32}) {
      for (double scale : {1e-3, 1.0, 30.0, 1000.0}) {
        const Matrix cost = random_costs(random, 1 + random.below(5), classes);
        const Costs costs(cost);
        const Vector prior = random_numbers(random, classes);
        Vector l = random_numbers(random, static_cast<std::size_t>(classes) * kRows);
        for (double& value : l) value *= scale;
        IntVector action(kRows, -1);
        const bool all_clear = loops.choose_actions(l.data(), prior.data(), classes, kRows, kRows,
                                                    costs.view(), action.data());
        long double nearest = 1;
        for (int r = 0; r < kRows; ++r) {
          const auto above = excess(l, prior, cost, r);
          for (std::size_t a = 0; a < above.size(); ++a) {
            const bool chosen = action[r] == static_cast<int>(a) + 1;
            if (all_clear) CHECK((above[a] == 0) == chosen);
            if (above[a] > 0) nearest = std::min(nearest, above[a]);
          }
        }
        ++(all_clear ? clear : close);
        if (!all_clear) CHECK(nearest < 3e-5);
        if (nearest > 3e-5) CHECK(all_clear);
      }
    }
  }
  CHECK(clear > 30);
}

TEST_CASE("ties, also of a relative difference of 1e-9, and rows without an answer are not clear") {
  Matrix cost(2, 3);
  cost << 0, 1, 0.5, 1, 0, 0.5;
  const Costs costs(cost);
  const Vector prior(3, -1.0);
  for (const simd::TileLoops& loops : all_loops()) {
    for (int r = 0; r < kRows; r += 7) {
      Vector l(3 * kRows, -5.0);
      for (int i = 0; i < kRows; ++i) l[i] = -4;
      const auto clear = [&] {
        IntVector action(kRows);
        return loops.choose_actions(l.data(), prior.data(), 3, kRows, kRows, costs.view(),
                                    action.data());
      };
      CHECK(clear());
      for (double other : {-4.0, -4.0 + 1e-9, kNaN, kInfinity}) {
        l[kRows + r] = other;
        CHECK_FALSE(clear());
      }
      l[kRows + r] = kNegativeInfinity;  // an impossible class is none of these
      CHECK(clear());
      l[r] = l[2 * kRows + r] = kNegativeInfinity;
      CHECK_FALSE(clear());
    }
  }
}

TEST_CASE("a class of a negligible weight does not decide") {
  Matrix cost(2, 2);
  cost << 0, 0, 0, 1;
  const Costs costs(cost);
  const Vector prior(2, 0.0);
  for (const simd::TileLoops& loops : all_loops()) {
    for (double gap : {-20.0, -60.0, -700.0, -800.0}) {
      Vector l(2 * kRows, 0.0);
      for (int r = 0; r < kRows; ++r) l[kRows + r] = gap;
      IntVector action(kRows, -1);
      CHECK(loops.choose_actions(l.data(), prior.data(), 2, kRows, kRows, costs.view(),
                                 action.data()) == (gap > -30));
    }
  }
}

TEST_SUITE_END();

}  // namespace test_decision_loops
