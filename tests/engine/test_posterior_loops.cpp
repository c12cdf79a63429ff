#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_posterior_loops {

namespace {

constexpr int kRows = 48;

}  // namespace

TEST_SUITE_BEGIN("posterior loops");

TEST_CASE("posteriors in one pass are those of the other loops, bit for bit, and sum to 1") {
  Random random(95);
  for (const simd::TileLoops& loops : all_loops()) {
    for (int classes = 2; classes <= simd::kMostAtOnce; ++classes) {
      for (double scale : {1e-9, 1.0, 30.0, 170.0, 3000.0}) {
        const auto size = static_cast<std::size_t>(classes) * kRows;
        Vector l = random_numbers(random, size), prior = random_numbers(random, classes);
        for (double& value : l) value *= scale;
        for (int k = 0; k < classes; ++k) l[k * kRows + 5] = 3 - prior[k];  // all equal
        if (classes > 2) prior[1] = kNegativeInfinity;
        const int distance = kRows + 3;
        Vector found(static_cast<std::size_t>(classes) * distance, 7.0);
        const bool plain = loops.write_posterior(l.data(), prior.data(), classes, kRows, kRows,
                                                 found.data(), distance);
        bool faint = false;
        Vector loss(l), least(kRows), weight(size), sum(kRows, 0.0);
        loops.negate_log_joints(loss.data(), prior.data(), classes, kRows, kRows, least.data());
        for (int k = 0; k < classes; ++k) {
          loops.add_exponentials(least.data(), &loss[k * kRows], kRows, &weight[k * kRows],
                                 sum.data());
        }
        for (int r = 0; r < kRows; ++r) {
          double total = 0;
          for (int k = 0; k < classes; ++k) {
            const double gap = least[r] - loss[k * kRows + r];
            faint |= gap < -708 && gap > -745.2;
            if (!plain) continue;
            CHECK(same_bits(found[k * distance + r], weight[k * kRows + r] * (1 / sum[r])));
            total += found[k * distance + r];
          }
          if (plain) CHECK(std::abs(total - 1) <= 4e-16);
        }
        CHECK(plain == !faint);
        CHECK(found[kRows] == 7);
      }
    }
  }
}

TEST_CASE("rows without a posterior, and weights below the normal doubles, are seen") {
  for (const simd::TileLoops& loops : all_loops()) {
    for (int classes = 2; classes <= simd::kMostAtOnce; ++classes) {
      const Vector prior(classes, 0.0);
      const Vector equal(static_cast<std::size_t>(classes) * kRows, -4.0);
      Vector l, found(equal.size());
      const auto plain = [&] {
        return loops.write_posterior(l.data(), prior.data(), classes, kRows, kRows, found.data(),
                                     kRows);
      };
      for (int i = 0; i < classes * kRows; i += 5) {
        const int r = i % kRows, next = (i + kRows) % (classes * kRows);
        l = equal;
        CHECK(plain());
        CHECK(found[i] == 1.0 / classes);
        for (double bad : {kNaN, kInfinity, -4 - 710.0}) {
          l[i] = bad;
          CHECK_FALSE(plain());
        }
        for (double lowest : {kNegativeInfinity, -4 - 746.0}) {
          l[i] = lowest;
          CHECK(plain());
          CHECK(found[i] == 0);
          CHECK(found[next] == 1.0 / (classes - 1));
        }
        for (int k = 0; k < classes; ++k) l[k * kRows + r] = kNegativeInfinity;
        CHECK_FALSE(plain());
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace test_posterior_loops
