// Sums per group. tile_loops.hpp includes this file after tile_loops_body.hpp, in the same way.

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

// Adds the numbers of one row to the sums of their columns. `shift`: the shifts of the slot; `to`:
// its place in the bank.
template <int Columns, bool Weighted, bool Known>
inline void add_numbers(Lanes x, double weight, const double* shift, double* to) {
  Lanes d = x - *lanes(shift + kShift * Columns);
  if (Known) {
    const LaneBits finite = (LaneBits)(x - x == 0.0);
    d = only_where(finite, d);
    *lanes(to + kKnown * Columns) += only_where(finite, all(weight));
  }
  const Lanes wd = Weighted ? d * weight : d;
  *lanes(to + kSum * Columns) += wd;
  *lanes(to + kSquare * Columns) += wd * d;
}

// Successive rows add to different banks, because an addition would wait for a sum that was just
// written. A left-out row adds to the last slot and does not change the bank. Successive left-out
// rows may wait for each other.
struct Turn {
  int slots, last_bank, turn;
};

inline int next_bank(Turn& turn, int slot) {
  const int bank = turn.turn & turn.last_bank;
  turn.turn += slot != turn.slots - 1;
  return bank * turn.slots;
}

// The vectors of a row, `kWidth` apart.
template <int Vectors, bool Weighted, bool Known>
inline void add_row(const Lanes* row, double weight, int slot, double* moments, Turn& turn) {
  constexpr int kColumns = Vectors * kWidth;
  const double* shift = moments + slot * kMomentParts * kColumns;
  double* to = moments + (next_bank(turn, slot) + slot) * kMomentParts * kColumns;
#pragma GCC unroll 4
  for (int v = 0; v < Vectors; ++v) {
    add_numbers<kColumns, Weighted, Known>(row[v * kWidth], weight, shift + v * kWidth,
                                           to + v * kWidth);
  }
}

// Numbers are fetched this many rows ahead: the processor does not foresee eight columns at a time.
constexpr int kAhead = 128;

// Puts the numbers of each row side by side and adds them to the sums of its group.
template <int Vectors, bool Weighted, bool Known>
inline void add_moments_of(const double* const* x, const int* group, const double* weight, int rows,
                           int slots, int banks, double* moments) {
  constexpr int kColumns = Vectors * kWidth;
  Turn turn = {slots, banks - 1, 0};
  Lanes row[kColumns];
  int r = 0;
  for (; r + kWidth <= rows; r += kWidth) {
#pragma GCC unroll 8
    for (int c = 0; c < kColumns; ++c) {
      __builtin_prefetch(x[c] + r + kAhead);
      row[c] = *lanes(x[c] + r);
    }
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) transpose(row + v * kWidth);
#pragma GCC unroll 4
    for (int i = 0; i < kWidth; ++i) {
      add_row<Vectors, Weighted, Known>(row + i, Weighted ? weight[r + i] : 1.0, group[r + i],
                                        moments, turn);
    }
  }
  for (; r < rows; ++r) {
    for (int c = 0; c < kColumns; ++c) row[c / kWidth * kWidth][c % kWidth] = x[c][r];
    add_row<Vectors, Weighted, Known>(row, Weighted ? weight[r] : 1.0, group[r], moments, turn);
  }
}

// Adds all banks to the first one. The shifts of the others stay 0.
inline void unite_banks(double* moments, int size, int banks) {
  for (int i = size; i < banks * size; ++i) moments[i % size] += moments[i];
}

template <int Vectors>
inline void choose_moments(const double* const* x, const int* group, const double* weight, int rows,
                           int slots, int banks, double* moments, bool known) {
  const auto add =
      weight
          ? (known ? add_moments_of<Vectors, true, true> : add_moments_of<Vectors, true, false>)
          : (known ? add_moments_of<Vectors, false, true> : add_moments_of<Vectors, false, false>);
  add(x, group, weight, rows, slots, banks, moments);
}

inline void add_moments(const double* const* x, int columns, const int* group, const double* weight,
                        int rows, int slots, int banks, double* moments, bool known) {
  const auto of_columns = columns == 8 ? choose_moments<8 / kWidth> : choose_moments<4 / kWidth>;
  of_columns(x, group, weight, rows, slots, banks, moments, known);
  unite_banks(moments, slots * kMomentParts * columns, banks);
}
