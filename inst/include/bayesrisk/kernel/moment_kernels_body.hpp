// Sums per group. Included by tile_kernels.hpp, as tile_kernels_body.hpp is, and after it.

// Lanes of columns become lanes of rows.
inline void transpose(Lanes* x) {
#ifdef BAYESRISK_LANE_CODES
  const LaneBits even = {0, 4, 2, 6}, odd = {1, 5, 3, 7};
  const LaneBits lower = {0, 1, 4, 5}, upper = {2, 3, 6, 7};
  const Lanes a = __builtin_shuffle(x[0], x[1], even), b = __builtin_shuffle(x[0], x[1], odd);
  const Lanes c = __builtin_shuffle(x[2], x[3], even), d = __builtin_shuffle(x[2], x[3], odd);
  x[0] = __builtin_shuffle(a, c, lower);
  x[1] = __builtin_shuffle(b, d, lower);
  x[2] = __builtin_shuffle(a, c, upper);
  x[3] = __builtin_shuffle(b, d, upper);
#else
  const Lanes a = x[0];
  x[0] = Lanes{a[0], x[1][0]};
  x[1] = Lanes{a[1], x[1][1]};
#endif
}

// A row's numbers stand side by side, and are added to those of its group. Rows that follow
// each other add to different banks, because a sum that was just written would have to be
// waited for; rows that are left out, in the last slot, do not count for that.
template <int Vectors, bool Weighted>
inline void add_moments_of(const double* const* x, const int* group, const double* weight, int rows,
                           int slots, int banks, const double* shift, double* sum, double* square) {
  constexpr int kColumns = Vectors * kWidth;
  const int last_bank = banks - 1, left_out = slots - 1;
  int turn = 0;
  int r = 0;
  for (; r + kWidth <= rows; r += kWidth) {
    Lanes row[Vectors][kWidth];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
#pragma GCC unroll 4
      for (int c = 0; c < kWidth; ++c) row[v][c] = lanes(x[v * kWidth + c] + r);
      transpose(row[v]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < kWidth; ++i) {
      const int slot = group[r + i];
      const int at = ((turn & last_bank) * slots + slot) * kColumns;
      turn += slot != left_out;
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        const Lanes d = row[v][i] - lanes(shift + slot * kColumns + v * kWidth);
        const Lanes wd = Weighted ? d * weight[r + i] : d;
        lanes(sum + at + v * kWidth) += wd;
        lanes(square + at + v * kWidth) += wd * d;
      }
    }
  }
  for (; r < rows; ++r) {
    const int slot = group[r];
    const int at = ((turn & last_bank) * slots + slot) * kColumns;
    turn += slot != left_out;
    for (int c = 0; c < kColumns; ++c) {
      const double d = x[c][r] - shift[slot * kColumns + c];
      const double wd = Weighted ? d * weight[r] : d;
      sum[at + c] += wd;
      square[at + c] += wd * d;
    }
  }
  for (int i = slots * kColumns; i < banks * slots * kColumns; ++i) {
    sum[i % (slots * kColumns)] += sum[i];
    square[i % (slots * kColumns)] += square[i];
  }
}

inline void add_moments(const double* const* x, int columns, const int* group, const double* weight,
                        int rows, int slots, int banks, const double* shift, double* sum,
                        double* square) {
  const auto of_eight =
      weight ? add_moments_of<8 / kWidth, true> : add_moments_of<8 / kWidth, false>;
  const auto of_four =
      weight ? add_moments_of<4 / kWidth, true> : add_moments_of<4 / kWidth, false>;
  (columns == 8 ? of_eight : of_four)(x, group, weight, rows, slots, banks, shift, sum, square);
}
