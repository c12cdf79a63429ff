// Codes and the tables that they index. tile_loops.hpp includes this file after
// moment_loops_body.hpp, in the same way as tile_loops_body.hpp.

typedef int Codes __attribute__((vector_size(sizeof(Lanes)), aligned(4), may_alias));
typedef unsigned CodeBits __attribute__((vector_size(sizeof(Lanes)), aligned(4), may_alias));

inline Codes* codes(int* x) { return reinterpret_cast<Codes*>(x); }
inline const Codes* codes(const int* x) { return reinterpret_cast<const Codes*>(x); }

// The next codes are prefetched explicitly: runs of rows are too short for the processor to predict
// them.
inline bool add_slots(const int* stored, int rows, int first, int levels, int none, int scale,
                      int* cell) {
  constexpr int kCodes = sizeof(Codes) / sizeof(int), kLineCodes = 16;
  constexpr int kMissingCode = -0x7fffffff - 1;
  const CodeBits most = CodeBits{} + static_cast<unsigned>(levels);
  const CodeBits without = CodeBits{} + static_cast<unsigned>(none);
  CodeBits strange = {};
  int r = 0;
  for (; r + kCodes <= rows; r += kCodes) {
    if (r % kLineCodes == 0) __builtin_prefetch(stored + r + rows);
    const Codes code = *codes(stored + r);
    const CodeBits level = (CodeBits)code - static_cast<unsigned>(first);
    const auto known = level < most;
    const CodeBits slot = known ? level : without;
    *codes(cell + r) += (Codes)(slot * static_cast<unsigned>(scale));
    strange |= (CodeBits)(~known & (code != kMissingCode));
  }
  unsigned found = 0;
  for (int i = 0; i < kCodes; ++i) found |= strange[i];
  for (; r < rows; ++r) {
    const unsigned level = static_cast<unsigned>(stored[r]) - static_cast<unsigned>(first);
    const bool known = level < static_cast<unsigned>(levels);
    cell[r] += (known ? static_cast<int>(level) : none) * scale;
    found |= !known && stored[r] != kMissingCode;
  }
  return found != 0;
}

// The numbers of a row of a table stand side by side. Registers hold the sums of several rows of
// the tile. At the end the registers are transposed into columns.
template <int Vectors>
inline void add_classes_of_rows(const double* const* table, int first, const int* cell, int columns,
                                int cell_stride, int classes, int stride, int rows, double* sum) {
  for (int r = 0; r < rows; r += kWidth) {
    Lanes total[Vectors][kWidth] = {};
    for (int c = 0; c < columns; ++c) {
      const int* at = cell + c * cell_stride + r;
      const double* numbers = table[c] + first;
#pragma GCC unroll 4
      for (int i = 0; i < kWidth; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) total[v][i] += *lanes(numbers + at[i] + v * kWidth);
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      transpose(total[v]);
#pragma GCC unroll 4
      for (int i = 0; i < kWidth; ++i) {
        const int k = v * kWidth + i;
        if (k < classes) *lanes(sum + k * stride + r) += total[v][i];
      }
    }
  }
}

inline void add_table_rows(const double* const* table, const int* cell, int columns,
                           int cell_stride, int classes, int stride, int rows, double* sum) {
  for (int k = 0; k < classes; k += 8) {
    const auto add =
        classes - k > 4 ? add_classes_of_rows<8 / kWidth> : add_classes_of_rows<4 / kWidth>;
    add(table, k, cell, columns, cell_stride, classes - k, stride, rows, sum + k * stride);
  }
}
