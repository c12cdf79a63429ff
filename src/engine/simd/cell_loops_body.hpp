// Cells of a sparse matrix. tile_loops.hpp includes this file after table_loops_body.hpp, in the
// same way as tile_loops_body.hpp.

// A row of the sums holds `Vectors` vectors.
template <int Vectors>
inline void add_cells_of_term(const int* row, const double* value, int count,
                              const double* coefficient, double* sum) {
  Lanes of_class[Vectors];
#pragma GCC unroll 8
  for (int v = 0; v < Vectors; ++v) of_class[v] = *lanes(coefficient + v * kWidth);
  for (int c = 0; c < count; ++c) {
    double* of_row = sum + static_cast<long>(row[c]) * (Vectors * kWidth);
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) *lanes(of_row + v * kWidth) += of_class[v] * value[c];
  }
}

inline void add_term_cells(const int* row, const double* value, int count,
                           const double* coefficient, int width, double* sum) {
  switch (width / kWidth) {
    case 1: return add_cells_of_term<1>(row, value, count, coefficient, sum);
    case 2: return add_cells_of_term<2>(row, value, count, coefficient, sum);
    case 3: return add_cells_of_term<3>(row, value, count, coefficient, sum);
    case 4: return add_cells_of_term<4>(row, value, count, coefficient, sum);
    case 5: return add_cells_of_term<5>(row, value, count, coefficient, sum);
  }
  for (int c = 0; c < count; ++c) {
    double* of_row = sum + static_cast<long>(row[c]) * width;
    for (int k = 0; k < width; k += kWidth) {
      *lanes(of_row + k) += *lanes(coefficient + k) * value[c];
    }
  }
}

inline void add_scaled(const double* x, double scale, int count, double* sum) {
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) *lanes(sum + i) += *lanes(x + i) * scale;
  for (; i < count; ++i) sum[i] += x[i] * scale;
}
