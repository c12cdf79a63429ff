// Squared distances of rows from the means of joint blocks. tile_loops.hpp includes this file after
// tile_loops_body.hpp, in the same way.

// Solves several vectors of rows side by side, so that their chains of additions run at the same
// time. Members before the first one, an even number of them, count as 0.
template <int Vectors>
inline void solve_strip(const double* x, int size, const double* factor, const double* mean,
                        const double* low, const double* inverse_diagonal, double* z,
                        double* square, int first = 0) {
  constexpr int kRows = Vectors * kWidth;
  Lanes total[Vectors] = {};
  int i = first;
  for (; i + 2 <= size; i += 2) {
    const double *left = factor + i * size, *right = left + size;
    Lanes a[Vectors], b[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      const double* xi = x + i * kRows + v * kWidth;
      a[v] = (*lanes(xi) - mean[i]) - low[i];
      b[v] = (*lanes(xi + kRows) - mean[i + 1]) - low[i + 1];
    }
    for (int before = first; before < i; ++before) {
      const Lanes from_left = all(left[before]), from_right = all(right[before]);
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        const Lanes solved = *lanes(z + before * kRows + v * kWidth);
        a[v] -= solved * from_left;
        b[v] -= solved * from_right;
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      a[v] *= inverse_diagonal[i];
      b[v] = (b[v] - a[v] * right[i]) * inverse_diagonal[i + 1];
      *lanes(z + i * kRows + v * kWidth) = a[v];
      *lanes(z + (i + 1) * kRows + v * kWidth) = b[v];
      total[v] += a[v] * a[v];
      total[v] += b[v] * b[v];
    }
  }
  for (; i < size; ++i) {
    const double* column = factor + i * size;
    Lanes a[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v)
      a[v] = (*lanes(x + i * kRows + v * kWidth) - mean[i]) - low[i];
    for (int before = first; before < i; ++before) {
      const Lanes from = all(column[before]);
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) a[v] -= *lanes(z + before * kRows + v * kWidth) * from;
    }
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      a[v] *= inverse_diagonal[i];
      *lanes(z + i * kRows + v * kWidth) = a[v];
      total[v] += a[v] * a[v];
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < Vectors; ++v) *lanes(square + v * kWidth) = total[v];
}

template <int Vectors>
inline void move_strip(const double* z, int size, const double* apart, double* square) {
  Lanes total[Vectors] = {};
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      const Lanes moved = *lanes(z + (i * Vectors + v) * kWidth) - apart[i];
      total[v] += moved * moved;
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < Vectors; ++v) *lanes(square + v * kWidth) = total[v];
}

template <int Vectors>
inline void solve_rows(const double* const* x, int size, const TriangleOfClass* classes, int count,
                       int row, int stride, double* scratch, double* square) {
  constexpr int kRows = Vectors * kWidth;
  double *packed = scratch, *z = scratch + size * kRows;
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      *lanes(packed + i * kRows + v * kWidth) = *lanes(x[i] + row + v * kWidth);
    }
  }
  for (int k = 0; k < count; ++k) {
    const TriangleOfClass& c = classes[k];
    double* of_class = square + k * stride + row;
    if (c.apart) {
      move_strip<Vectors>(z, size, c.apart, of_class);
    } else {
      solve_strip<Vectors>(packed, size, c.factor, c.mean, c.low, c.inverse_diagonal, z, of_class);
    }
  }
}

inline void solve_triangles(const double* const* x, int size, const TriangleOfClass* classes,
                            int count, int stride, int rows, double* scratch, double* square) {
  int r = 0;
  for (; r + 4 * kWidth <= rows; r += 4 * kWidth) {
    solve_rows<4>(x, size, classes, count, r, stride, scratch, square);
  }
  for (; r < rows; r += 2 * kWidth) {
    solve_rows<2>(x, size, classes, count, r, stride, scratch, square);
  }
}

// The mean of the class takes the place of missing numbers.
template <int Vectors>
inline void pack_known(const double* const* x, int size, const double* mean, int row,
                       double* packed) {
  for (int i = 0; i < size; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      const Lanes number = *lanes(x[i] + row + v * kWidth);
      *lanes(packed + (i * Vectors + v) * kWidth) =
          (LaneBits)(number - number == 0.0) ? number : all(mean[i]);
    }
  }
}

// Products of z with the columns of some members, which are 0 above the diagonal.
template <int Vectors>
inline void pull_strip(const double* z, int size, const double* across, const int* members,
                       int count, double* pull) {
  for (int m = 0; m < count; ++m) {
    const double* column = across + members[m] * size;
    Lanes sum[Vectors] = {};
    for (int i = members[m]; i < size; ++i) {
      const Lanes factor = all(column[i]);
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        sum[v] += *lanes(z + (i * Vectors + v) * kWidth) * factor;
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) *lanes(pull + m * kStripRows + v * kWidth) = sum[v];
  }
}

template <int Vectors>
inline void solve_known_rows(const double* const* x, int size, const TriangleOfClass* classes,
                             int count, const MissingMembers& missing, int row, double* scratch,
                             double* square, double* pull) {
  constexpr int kRows = Vectors * kWidth;
  double *packed = scratch, *z = packed + size * kRows;
  for (int k = 0; k < count; ++k) {
    const TriangleOfClass& c = classes[k];
    const double* solved = z;
    double* of_class = square + k * kStripRows + row;
    if (c.apart) {
      for (int i = 0; i < size * Vectors; ++i) {
        *lanes(packed + i * kWidth) = *lanes(z + i * kWidth) - c.apart[i / Vectors];
      }
      move_strip<Vectors>(z, size, c.apart, of_class);
      solved = packed;
    } else {
      pack_known<Vectors>(x, size, c.mean, row, packed);
      solve_strip<Vectors>(packed, size, c.factor, c.mean, c.low, c.inverse_diagonal, z, of_class);
    }
    pull_strip<Vectors>(solved, size, c.across, missing.members, missing.count,
                        pull + k * missing.count * kStripRows + row);
  }
}

inline void solve_known(const double* const* x, int size, const TriangleOfClass* classes, int count,
                        const MissingMembers& missing, int rows, double* scratch, double* square,
                        double* pull) {
  int r = 0;
  for (; r + 4 * kWidth <= rows; r += 4 * kWidth) {
    solve_known_rows<4>(x, size, classes, count, missing, r, scratch, square, pull);
  }
  for (; r < rows; r += 2 * kWidth) {
    solve_known_rows<2>(x, size, classes, count, missing, r, scratch, square, pull);
  }
}
