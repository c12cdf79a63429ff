// Rows divided by a triangle, and symmetric matrices. tile_loops.hpp includes this file after
// solve_loops_body.hpp, in the same way.

// The number of leading columns that are 0 in all rows of a strip, rounded down to an even number,
// as solve_strip() needs.
template <int Rows>
inline int leading_zeros(const double* packed, int size) {
  for (int i = 0; i < size; ++i) {
    for (int r = 0; r < Rows; ++r) {
      if (!(packed[i * Rows + r] == 0)) return i / 2 * 2;
    }
  }
  return size / 2 * 2;
}

template <int Vectors>
inline void divide_strip(const double* x, int size, const double* factor,
                         const double* inverse_diagonal, const double* zeros, int row, int stride,
                         double* scratch, double* quotient) {
  constexpr int kRows = Vectors * kWidth;
  double *packed = scratch, *z = scratch + size * kRows, square[kRows];
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      *lanes(packed + i * kRows + v * kWidth) =
          *lanes(x + static_cast<long>(i) * stride + row + v * kWidth);
    }
  }
  const int first = leading_zeros<kRows>(packed, size);
  for (int i = 0; i < first * kRows; ++i) z[i] = 0;
  solve_strip<Vectors>(packed, size, factor, zeros, zeros, inverse_diagonal, z, square, first);
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      const int at = row + v * kWidth;
      *lanes(quotient + static_cast<long>(at / kPanel) * size * kPanel + i * kPanel + at % kPanel) =
          *lanes(z + i * kRows + v * kWidth);
    }
  }
}

inline void divide_rows(const double* x, int size, const double* factor,
                        const double* inverse_diagonal, const double* zeros, int rows,
                        double* scratch, double* quotient) {
  int r = 0;
  for (; r + 4 * kWidth <= rows; r += 4 * kWidth) {
    divide_strip<4>(x, size, factor, inverse_diagonal, zeros, r, rows, scratch, quotient);
  }
  for (; r < rows; r += 2 * kWidth) {
    divide_strip<2>(x, size, factor, inverse_diagonal, zeros, r, rows, scratch, quotient);
  }
}

inline void reflect_symmetric(double* a, int size, int first, const double* v, const double* w,
                              const double* x, double* y) {
  for (int i = first; i < size; ++i) y[i] = 0;
  for (int j = first; j < size; j += kPanel) {
    double* column = a + static_cast<long>(j) * size;
    Lanes by_v[kPanel], by_w[kPanel], by_x[kPanel], product[kPanel] = {};
#pragma GCC unroll 4
    for (int c = 0; c < kPanel; ++c) {
      by_v[c] = all(v[j + c]);
      by_w[c] = all(w[j + c]);
      by_x[c] = all(x[j + c]);
    }
    for (int i = j; i < size; i += kWidth) {
      const Lanes vi = *lanes(v + i), wi = *lanes(w + i);
      const Lanes below = i < j + kPanel ? Lanes{} : *lanes(x + i);
      Lanes sum = *lanes(y + i);
#pragma GCC unroll 4
      for (int c = 0; c < kPanel; ++c) {
        Lanes* cell = lanes(column + c * size + i);
        *cell = *cell - vi * by_w[c] - wi * by_v[c];
        sum += *cell * by_x[c];
        product[c] += *cell * below;
      }
      *lanes(y + i) = sum;
    }
#pragma GCC unroll 4
    for (int c = 0; c < kPanel; ++c) {
      for (int i = 0; i < kWidth; ++i) y[j + c] += product[c][i];
    }
  }
}
