// Cells of a sparse matrix. tile_loops.hpp includes this file after table_loops_body.hpp, in the
// same way as tile_loops_body.hpp.

// A row of the sums holds `Vectors` vectors.
template <int Vectors>
inline int add_cells_of_term(const int* row, const double* value, int count, int first, int stop,
                             const double* coefficient, double* sum) {
  Lanes of_class[Vectors];
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) of_class[v] = *lanes(coefficient + v * kWidth);
  int c = 0;
  for (; c < count && row[c] < stop; ++c) {
    double* of_row = sum + static_cast<long>(row[c] - first) * (Vectors * kWidth);
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) *lanes(of_row + v * kWidth) += of_class[v] * value[c];
  }
  return c;
}

// A row holds two numbers.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

inline int add_pairs_of_term(const int* row, const double* value, int count, int first, int stop,
                             const double* coefficient, double* sum) {
  const Pair of_class = *reinterpret_cast<const Pair*>(coefficient);
  int c = 0;
  for (; c < count && row[c] < stop; ++c) {
    *reinterpret_cast<Pair*>(sum + 2 * static_cast<long>(row[c] - first)) += of_class * value[c];
  }
  return c;
}

inline int add_term_cells(const int* row, const double* value, int count, int first, int stop,
                          const double* coefficient, int width, double* sum) {
  if (width == 2) return add_pairs_of_term(row, value, count, first, stop, coefficient, sum);
  switch (width / kWidth) {
    case 1: return add_cells_of_term<1>(row, value, count, first, stop, coefficient, sum);
    case 2: return add_cells_of_term<2>(row, value, count, first, stop, coefficient, sum);
    case 3: return add_cells_of_term<3>(row, value, count, first, stop, coefficient, sum);
    case 4: return add_cells_of_term<4>(row, value, count, first, stop, coefficient, sum);
    case 5: return add_cells_of_term<5>(row, value, count, first, stop, coefficient, sum);
  }
  int c = 0;
  for (; c < count && row[c] < stop; ++c) {
    double* of_row = sum + static_cast<long>(row[c] - first) * width;
    for (int k = 0; k < width; k += kWidth) {
      *lanes(of_row + k) += *lanes(coefficient + k) * value[c];
    }
  }
  return c;
}

inline bool all_between(const double* x, int count, double low, double high) {
  LaneBits outside = {};
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const Lanes v = *lanes(x + i);
    outside |= (LaneBits) ~((v >= low) & (v <= high));
  }
  bool inside = !any(outside);
  for (; i < count; ++i) inside &= (x[i] >= low) & (x[i] <= high);
  return inside;
}

// Adding 2^52 rounds to a whole number.
inline bool all_small_counts(const double* x, int count) {
  constexpr double kRounder = 0x1p52, kMost = 0x1p51;
  LaneBits other = {};
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const Lanes v = *lanes(x + i), whole = (v + kRounder) - kRounder;
    other |= (LaneBits) ~((v >= 0.0) & (v <= kMost) & (v == whole));
  }
  bool counts = !any(other);
  for (; i < count; ++i) {
    counts &= (x[i] >= 0) & (x[i] <= kMost) & (x[i] == (x[i] + kRounder) - kRounder);
  }
  return counts;
}

inline int count_descents(const int* x, int count) {
  constexpr int kCodes = sizeof(Codes) / sizeof(int);
  Codes descents = {};
  int i = 1;
  for (; i + kCodes <= count; i += kCodes) descents -= *codes(x + i - 1) >= *codes(x + i);
  int total = 0;
  for (int l = 0; l < kCodes; ++l) total += descents[l];
  for (; i < count; ++i) total += x[i - 1] >= x[i];
  return total;
}

inline void add_scaled(const double* x, double scale, int count, double* sum) {
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) *lanes(sum + i) += *lanes(x + i) * scale;
  for (; i < count; ++i) sum[i] += x[i] * scale;
}
