// Log likelihoods of the rows of a tile. tile_loops.hpp includes this file after
// tile_loops_body.hpp, in the same way.

// x * 0 is NaN for NaN and for infinities. The next numbers are prefetched explicitly: a tile is
// too short for the processor to predict them.
inline bool all_finite(const double* x, int rows) {
  Lanes check0 = {}, check1 = {};
  int r = 0;
  for (; r + 2 * kWidth <= rows; r += 2 * kWidth) {
    if (r % kLine == 0) __builtin_prefetch(x + r + rows);
    check0 += *lanes(x + r) * 0.0;
    check1 += *lanes(x + r + kWidth) * 0.0;
  }
  for (; r < rows; r += kWidth) check0 += *lanes(x + r) * 0.0;
  return !any((LaneBits)((check0 + check1) != 0.0));
}

// Adds the squares of one class. The first class that reads the columns prefetches the next
// numbers. Fresh sums are written without being read.
template <int Columns, bool First, bool Fresh>
inline void add_squares_of_class(const double* const* x, int classes, int rows, const double* mean,
                                 const double* low, const double* inverse_sd, double* square) {
  Lanes centre[Columns], shift[Columns], scale[Columns];
  const double* column[Columns];
  for (int c = 0; c < Columns; ++c) {
    column[c] = x[c];
    centre[c] = all(mean[c * classes]);
    shift[c] = all(low[c * classes]);
    scale[c] = all(inverse_sd[c * classes]);
  }
  for (int r = 0; r < rows; r += kWidth) {
    Lanes sum = Fresh ? Lanes{} : *lanes(square + r);
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) {
      if (First && r % kLine == 0) __builtin_prefetch(column[c] + r + rows);
      const Lanes t = (centre[c] - *lanes(column[c] + r)) * scale[c] + shift[c];
      sum += t * t;
    }
    *lanes(square + r) = sum;
  }
}

// Each class reads several columns together, so its sums are loaded and stored once for all of
// these columns. Terms are always added in the order of the columns.
template <int Columns, bool Fresh>
inline void add_squares_of_columns(const double* const* x, int classes, int stride, int rows,
                                   const double* mean, const double* low, const double* inverse_sd,
                                   double* square) {
  add_squares_of_class<Columns, true, Fresh>(x, classes, rows, mean, low, inverse_sd, square);
  for (int k = 1; k < classes; ++k) {
    add_squares_of_class<Columns, false, Fresh>(x, classes, rows, mean + k, low + k, inverse_sd + k,
                                                square + k * stride);
  }
}

template <bool Fresh>
inline void add_some_squares(const double* const* x, int columns, int classes, int stride, int rows,
                             const double* mean, const double* low, const double* inverse_sd,
                             double* square) {
  const auto add = columns == 4   ? add_squares_of_columns<4, Fresh>
                   : columns == 2 ? add_squares_of_columns<2, Fresh>
                                  : add_squares_of_columns<1, Fresh>;
  add(x, classes, stride, rows, mean, low, inverse_sd, square);
}

inline void add_standardized_squares(const double* const* x, int columns, int classes, int stride,
                                     int rows, const double* mean, const double* low,
                                     const double* inverse_sd, bool fresh, double* square) {
  for (int c = 0; c < columns;) {
    const int at = c * classes, left = columns - c, together = left >= 4 ? 4 : left >= 2 ? 2 : 1;
    const auto add = fresh && c == 0 ? add_some_squares<true> : add_some_squares<false>;
    add(x + c, together, classes, stride, rows, mean + at, low + at, inverse_sd + at, square);
    c += together;
  }
}

inline void add_known_squares(const double* x, int classes, int stride, int rows,
                              const double* mean, const double* low, const double* inverse_sd,
                              const double* constant, double* square, double* sum) {
  for (int k = 0; k < classes; ++k) {
    const Lanes centre = all(mean[k]), shift = all(low[k]), scale = all(inverse_sd[k]);
    double *squares = square + k * stride, *sums = sum + k * stride;
    for (int r = 0; r < rows; r += kWidth) {
      const Lanes v = *lanes(x + r);
      const LaneBits known = (LaneBits)(v - v == 0.0);
      const Lanes t = only_where(known, (centre - v) * scale + shift);
      *lanes(squares + r) += t * t;
      *lanes(sums + r) += only_where(known, all(constant[k]));
    }
  }
}

inline void add_half_squares(const double* square, double constant, int rows, double* sum) {
  for (int r = 0; r < rows; r += kWidth) *lanes(sum + r) += constant - *lanes(square + r) * 0.5;
}

inline void add_known_half_squares(const double* square, const double* constant, int rows,
                                   double* sum) {
  for (int r = 0; r < rows; r += kWidth) {
    *lanes(sum + r) += *lanes(constant + r) - *lanes(square + r) * 0.5;
  }
}

// A class of prior 0 with a NaN likelihood makes the log joint NaN here. negate_log_joints()
// handles rows with such a class.
inline bool choose_classes(const double* log_likelihood, const double* log_prior, int classes,
                           int stride, int rows, double share, double* first) {
  LaneBits unanswered = {};
  for (int r = 0; r < rows; r += kWidth) {
    const double* l = log_likelihood + r;
    Lanes top = *lanes(l) + log_prior[0], check = top;
    for (int k = 1; k < classes; ++k) {
      const Lanes v = *lanes(l + k * stride) + log_prior[k];
      top = v > top ? v : top;
      check = v != v ? v : check;
    }
    unanswered |= (LaneBits)(check != check) | (LaneBits)(top - top != 0.0);
    const Lanes size = top > 0.0 ? top : -top;
    const Lanes least = top - (size > 1.0 ? size : all(1)) * share;
    Lanes found = {}, key = all(-classes);
    for (int k = 0; k < classes; ++k) {
      const Lanes v = *lanes(l + k * stride) + log_prior[k];
      found = least_key(found, (LaneBits)(v >= least), key);
      key += 1.0;
    }
    *lanes(first + r) = column_of(found, classes);
  }
  return !any(unanswered);
}

// A class of prior 0 is excluded, even where its likelihood is NaN.
inline Lanes log_joint_of(const double* log_likelihood, double log_prior) {
  return log_prior == -__builtin_inf() ? all(log_prior) : *lanes(log_likelihood) + log_prior;
}

inline bool negate_log_joints(double* x, const double* log_prior, int classes, int stride, int rows,
                              double* least) {
  LaneBits unanswered = {};
  for (int r = 0; r < rows; r += kWidth) {
    Lanes low = all(__builtin_inf());
    LaneBits unknown = {};
    for (int k = 0; k < classes; ++k) {
      const Lanes improbability = -log_joint_of(x + k * stride + r, log_prior[k]);
      *lanes(x + k * stride + r) = improbability;
      low = improbability < low ? improbability : low;
      unknown |= (LaneBits)(improbability != improbability);
    }
    low = unknown ? all(__builtin_nan("")) : low;
    *lanes(least + r) = low;
    unanswered |= (LaneBits)(low - low != 0.0);
  }
  return !any(unanswered);
}

// Solves several vectors of rows side by side, so that their chains of additions run at the same
// time.
template <int Vectors>
inline void solve_strip(const double* x, int size, const double* factor, const double* mean,
                        const double* low, const double* inverse_diagonal, double* z,
                        double* square) {
  constexpr int kRows = Vectors * kWidth;
  Lanes total[Vectors] = {};
  int i = 0;
  for (; i + 2 <= size; i += 2) {
    const double *left = factor + i * size, *right = left + size;
    Lanes a[Vectors], b[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) {
      const double* xi = x + i * kRows + v * kWidth;
      a[v] = (*lanes(xi) - mean[i]) - low[i];
      b[v] = (*lanes(xi + kRows) - mean[i + 1]) - low[i + 1];
    }
    for (int before = 0; before < i; ++before) {
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
    for (int before = 0; before < i; ++before) {
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
