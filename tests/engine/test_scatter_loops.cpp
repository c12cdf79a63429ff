#include "helpers.hpp"

#include <doctest/doctest.h>

using namespace testing;

namespace test_scatter_kernels {

namespace {

constexpr int kPanel = simd::kPanel;

// Rows in random order of groups, and where each goes when they are sorted.
struct Order {
  IntVector group, place;

  Order(Random& random, int rows, int slots) : group(rows), place(rows) {
    for (int& g : group) g = random.below(slots);
    int next = 0;
    for (int g = 0; g < slots; ++g) {
      for (int r = 0; r < rows; ++r) {
        if (group[r] == g) place[r] = next++;
      }
    }
  }
};

}  // namespace

TEST_SUITE_BEGIN("scatter loops");

TEST_CASE("rows are packed at their place, centred and weighted") {
  Random random(71);
  const int rows = 24, slots = 3, stride = 8;
  const Order order(random, rows, slots);
  const Vector x = random_numbers(random, kPanel * rows), root = random_numbers(random, rows);
  const Vector mean = random_numbers(random, slots * stride);
  const Vector low = random_numbers(random, mean.size());
  const double* columns[kPanel];
  for (int c = 0; c < kPanel; ++c) columns[c] = x.data() + c * rows;
  for (const simd::TileLoops& loops : all_loops()) {
    for (const double* roots : {static_cast<const double*>(nullptr), root.data()}) {
      Vector packed(x.size());
      CHECK(loops.pack_panel(columns, columns, rows, order.group.data(), order.place.data(), roots,
                             mean.data(), low.data(), stride, packed.data()));
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < kPanel; ++c) {
          const int centre = order.group[r] * stride + c;
          const double expected = ((x[c * rows + r] - mean[centre]) - low[centre]);
          CHECK(packed[order.place[r] * kPanel + c] == expected * (roots ? root[r] : 1));
        }
      }
    }
  }
}

TEST_CASE("packing sees a number that is not finite, in every place") {
  const int rows = 8;
  const IntVector group(rows, 0), place{0, 1, 2, 3, 4, 5, 6, 7};
  const Vector centre(kPanel, 1.0);
  Vector x(kPanel * rows, 1e308), packed(x);
  const double* columns[kPanel];
  for (int c = 0; c < kPanel; ++c) columns[c] = x.data() + c * rows;
  for (const simd::TileLoops& loops : all_loops()) {
    auto finite = [&] {
      return loops.pack_panel(columns, columns, rows, group.data(), place.data(), nullptr,
                              centre.data(), centre.data(), kPanel, packed.data());
    };
    CHECK(finite());
    for (double& number : x) {
      for (double bad : {kNaN, -kNegativeInfinity, kNegativeInfinity}) {
        number = bad;
        CHECK_FALSE(finite());
      }
      number = -1e308;
    }
  }
}

TEST_CASE("sums of a panel, for any number of rows") {
  Random random(72);
  for (int rows = 0; rows < 14; ++rows) {
    const Vector packed = random_numbers(random, kPanel * rows),
                 root = random_numbers(random, rows);
    for (const simd::TileLoops& loops : all_loops()) {
      for (const double* roots : {static_cast<const double*>(nullptr), root.data()}) {
        Vector sum(kPanel, 3.0);
        loops.add_rows(packed.data(), roots, rows, sum.data());
        for (int c = 0; c < kPanel; ++c) {
          long double expected = 3;
          for (int r = 0; r < rows; ++r)
            expected += packed[r * kPanel + c] * (roots ? root[r] : 1.0L);
          CHECK(std::abs(sum[c] - expected) < 1e-14);
        }
      }
    }
  }
}

TEST_CASE("products of rows and of a vector, for any number of panels and rows") {
  Random random(73);
  for (int panels = 1; panels <= 18; ++panels) {
    const int size = panels * kPanel;
    for (int rows : {0, 1, 3, 255, 256, 259, 513}) {
      const int distance = (rows + 2) * kPanel;
      const Vector packed = random_numbers(random, panels * distance);
      const Vector v = random_numbers(random, size);
      for (const simd::TileLoops& loops : all_loops()) {
        Matrix product = Matrix::Constant(size, size, 0.5);
        loops.add_products({packed.data(), distance, rows}, panels, product.data());
        loops.add_outer(v.data(), -2, panels, product.data());
        double error = 0;
        for (int j = 0; j < size; ++j) {
          for (int i = j; i < size; ++i) {
            const double *a = packed.data() + i / kPanel * distance + i % kPanel,
                         *b = packed.data() + j / kPanel * distance + j % kPanel;
            long double expected = 0.5L - 2.0L * v[i] * v[j];
            for (int r = 0; r < rows; ++r) {
              expected += static_cast<long double>(a[r * kPanel]) * b[r * kPanel];
            }
            error = std::max(error, std::abs(static_cast<double>(product(i, j) - expected)));
          }
        }
        CHECK(error < 1e-14 * (rows + 8));
        CHECK((product.topRightCorner(kPanel, size - kPanel).array() == 0.5).all());
      }
    }
  }
}

TEST_SUITE_END();

}  // namespace test_scatter_kernels
