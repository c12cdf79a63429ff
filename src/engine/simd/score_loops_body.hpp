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

// Adds the squares of class k. The classes take turns to prefetch the next numbers, a line of the
// cache each: so memory is read all the time, not only while the first class is computed. Fresh
// sums are written without being read.
template <int Columns, bool Fresh>
inline void add_squares_of_class(const double* const* x, int classes, int k, int rows,
                                 const double* mean, const double* low, const double* inverse_sd,
                                 double* square) {
  Lanes centre[Columns], shift[Columns], scale[Columns];
  const double* column[Columns];
  for (int c = 0; c < Columns; ++c) {
    column[c] = x[c];
    centre[c] = all(mean[c * classes + k]);
    shift[c] = all(low[c * classes + k]);
    scale[c] = all(inverse_sd[c * classes + k]);
  }
  for (int r = 0, wait = k; r < rows; r += kLine, --wait) {
    if (wait == 0) {
#pragma GCC unroll 4
      for (int c = 0; c < Columns; ++c) __builtin_prefetch(column[c] + r + rows);
      wait = classes;
    }
#pragma GCC unroll 4
    for (int v = r; v < r + kLine; v += kWidth) {
      Lanes sum = Fresh ? Lanes{} : *lanes(square + v);
#pragma GCC unroll 4
      for (int c = 0; c < Columns; ++c) {
        const Lanes t = (centre[c] - *lanes(column[c] + v)) * scale[c] + shift[c];
        sum += t * t;
      }
      *lanes(square + v) = sum;
    }
  }
}

// Each class reads several columns together, so its sums are loaded and stored once for all of
// these columns. Terms are always added in the order of the columns.
template <int Columns, bool Fresh>
inline void add_squares_of_columns(const double* const* x, int classes, int stride, int rows,
                                   const double* mean, const double* low, const double* inverse_sd,
                                   double* square) {
  for (int k = 0; k < classes; ++k) {
    add_squares_of_class<Columns, Fresh>(x, classes, k, rows, mean, low, inverse_sd,
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

// Lanes without a value have minus_log of infinity.
inline void add_some_moments(Lanes d, Lanes minus_log, double z, Lanes* moment) {
  const Lanes x = d * (z - d * 0.5) - minus_log;
  const Lanes p = only_where((LaneBits)(x >= kLowestNormalExp), exp_normal(x));
  const Lanes d2 = d * d, d3 = d2 * d, pd3 = p * d3;
  moment[0] += p;
  moment[1] += p * d;
  moment[2] += p * d2;
  moment[3] += pd3;
  moment[4] += pd3 * d;
  moment[5] += pd3 * d2;
  moment[6] += pd3 * d3;
  moment[7] += pd3 * d3 * d2;
}

inline void add_normal_moments(const double* value, const double* minus_log, int count,
                               double nearest, double inverse_sd, double z, double* moment) {
  Lanes sum[kNormalMoments] = {};
  int i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const Lanes d = (*lanes(value + i) - nearest) * inverse_sd;
    add_some_moments(d, *lanes(minus_log + i), z, sum);
  }
  if (i < count) {
    Lanes d = {}, rest = all(__builtin_inf());
    for (int j = 0; i + j < count; ++j) {
      d[j] = (value[i + j] - nearest) * inverse_sd;
      rest[j] = minus_log[i + j];
    }
    add_some_moments(d, rest, z, sum);
  }
  for (int m = 0; m < kNormalMoments; ++m) {
    for (int j = 0; j < kWidth; ++j) moment[m] += sum[m][j];
  }
}
