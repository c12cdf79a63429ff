// Cells of a sparse matrix. tile_loops.hpp includes this file after table_loops_body.hpp, in the
// same way as tile_loops_body.hpp.

// Adding 2^52 rounds to a whole number, adding 0 changes nothing.
inline LaneBits outside(const Lanes v, const NumberRange& range) {
  const Lanes rounded = (v + range.rounder) - range.rounder;
  return (LaneBits) ~((v >= range.low) & (v <= range.high) & (v == rounded));
}

inline bool is_inside(double x, const NumberRange& range) {
  return (x >= range.low) & (x <= range.high) & (x == (x + range.rounder) - range.rounder);
}

inline bool all_inside(const double* x, int count, const NumberRange& range) {
  LaneBits other = {};
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) other |= outside(*lanes(x + i), range);
  bool inside = !any(other);
  for (; i < count; ++i) inside &= is_inside(x[i], range);
  return inside;
}

// Calls add(row, value) for each cell of a term, or add(row, 1) for each that is not 0. The fields
// are copied, so that they stay in registers while sums are written. `inside`: whether all values
// are in the range.
template <class Add>
inline int each_cell(const TermCells cells, const Add add, bool* inside) {
  static constexpr double kOnes[] = {1, 1, 1, 1};
  const int *row = cells.row, first = cells.first, stop = cells.stop, count = cells.count;
  const double* value = cells.value;
  const NumberRange range = cells.range;
  const bool presence = cells.presence;
  LaneBits other = {};
  bool all = true;
  int c = 0;
  while (c < count && row[c] < stop) {
    for (; c + kWidth <= count && row[c + kWidth - 1] < stop; c += kWidth) {
      if (presence && any((LaneBits)(*lanes(value + c) == 0))) break;
      other |= outside(*lanes(value + c), range);
      const double* number = presence ? kOnes : value + c;
#pragma GCC unroll 4
      for (int i = 0; i < kWidth; ++i) add(static_cast<long>(row[c + i]) - first, number[i]);
    }
    // The cells that are left, or some of them if there are zeros.
    for (int i = 0; i < kWidth && c < count && row[c] < stop; ++i, ++c) {
      all &= is_inside(value[c], range);
      if (presence && value[c] == 0) continue;
      add(static_cast<long>(row[c]) - first, presence ? 1 : value[c]);
    }
  }
  *inside = all && !any(other);
  return c;
}

// A row of the sums holds `Vectors` vectors.
template <int Vectors>
struct AddVectors {
  Lanes of_class[Vectors];
  double* sum;

  AddVectors(const double* coefficient, double* sum) : sum(sum) {
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) of_class[v] = *lanes(coefficient + v * kWidth);
  }
  void operator()(long row, double value) const {
    double* of_row = sum + row * (Vectors * kWidth);
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) *lanes(of_row + v * kWidth) += of_class[v] * value;
  }
};

// A row holds two numbers.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));

struct AddPairs {
  Pair of_class;
  double* sum;

  void operator()(long row, double value) const {
    *reinterpret_cast<Pair*>(sum + 2 * row) += of_class * value;
  }
};

struct AddRows {
  const double* coefficient;
  int width;
  double* sum;

  void operator()(long row, double value) const {
    for (int k = 0; k < width; k += kWidth) {
      *lanes(sum + row * width + k) += *lanes(coefficient + k) * value;
    }
  }
};

// Rows of several models.
struct AddModelPairs {
  const double* coefficient;
  const unsigned short* model;
  double* sum;

  void operator()(long row, double value) const {
    *reinterpret_cast<Pair*>(sum + 2 * row) +=
        *reinterpret_cast<const Pair*>(coefficient + 2 * model[row]) * value;
  }
};

struct AddModelRows {
  const double* coefficient;
  const unsigned short* model;
  int width;
  double* sum;

  void operator()(long row, double value) const {
    AddRows{coefficient + static_cast<long>(model[row]) * width, width, sum}(row, value);
  }
};

inline int add_term_cells(const TermCells& cells, const double* coefficient, int width, double* sum,
                          bool* inside) {
  if (cells.model && width == 2) {
    return each_cell(cells, AddModelPairs{coefficient, cells.model, sum}, inside);
  }
  if (cells.model) {
    return each_cell(cells, AddModelRows{coefficient, cells.model, width, sum}, inside);
  }
  if (width == 2) {
    return each_cell(cells, AddPairs{*reinterpret_cast<const Pair*>(coefficient), sum}, inside);
  }
  switch (width / kWidth) {
    case 1: return each_cell(cells, AddVectors<1>(coefficient, sum), inside);
    case 2: return each_cell(cells, AddVectors<2>(coefficient, sum), inside);
    case 3: return each_cell(cells, AddVectors<3>(coefficient, sum), inside);
    case 4: return each_cell(cells, AddVectors<4>(coefficient, sum), inside);
    case 5: return each_cell(cells, AddVectors<5>(coefficient, sum), inside);
  }
  return each_cell(cells, AddRows{coefficient, width, sum}, inside);
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
