// tile_loops.hpp includes this file once for each instruction set, within a namespace that defines
// Lanes (vectors of kWidth doubles), LaneBits (as many 64-bit integers) and, with
// BAYESRISK_LANE_CODES, LaneCodes (as many ints).

constexpr int kWidth = sizeof(Lanes) / sizeof(double);
constexpr int kLine = 8;  // doubles that a processor loads at once

// See lanes.hpp.
inline Lanes* lanes(double* x) { return reinterpret_cast<Lanes*>(x); }
inline const Lanes* lanes(const double* x) { return reinterpret_cast<const Lanes*>(x); }
inline Lanes all(double x) { return x - Lanes{}; }  // x + Lanes{} would cost an addition
inline Lanes only_where(LaneBits mask, Lanes x) { return (Lanes)(mask & (LaneBits)x); }
inline bool any(LaneBits mask) {
  unsigned long long found = 0;
  for (int i = 0; i < kWidth; ++i) found |= mask[i];
  return found != 0;
}

constexpr double kLowestNormalExp = -708;  // exp() of less may be below the normal doubles
constexpr double kLowestExp = -745.2;      // exp() of less is 0

// exp(x) of each x, for -708 <= x <= 709, to 0.8 ulp. x = n log 2 + r with |r| <= log(2) / 2, and
// exp(r) = 1 + (r + r^2 q(r)), where the polynomial q has degree 9 and interpolates at Chebyshev's
// nodes. What 1 + r loses when it is rounded is added to r^2 q(r), and so is the low part of r.
// Several x are computed side by side, because each step waits for the step before.
template <int Count>
__attribute__((always_inline)) inline void exponentiate(Lanes* x) {
  // Adding 1.5 * 2^52 rounds to a whole number and puts it into the low bits.
  constexpr double kRounder = 0x1.8p52, kLogTwoHigh = 6.93147180369123816490e-01,
                   kLogTwoLow = 1.90821492927058770002e-10;
  constexpr double kPairs[][2] = {{0x1.289185613a3d6p-22, 0x1.af38a9b0ec855p-26},
                                  {0x1.a019b90d2ae7ap-16, 0x1.71de0dae63bb3p-19},
                                  {0x1.6c16c1788bd90p-10, 0x1.a01a01a7c41d5p-13},
                                  {0x1.5555555553d63p-5, 0x1.11111111109b3p-7},
                                  {0x1.0000000000001p-1, 0x1.5555555555556p-3}};
  Lanes shifted[Count], r[Count], r2[Count], q[Count], whole[Count], rest[Count];
#pragma GCC unroll 4
  for (int i = 0; i < Count; ++i) {
    shifted[i] = x[i] * 0x1.71547652b82fep0 + kRounder;
    const Lanes n = shifted[i] - kRounder, high = x[i] - n * kLogTwoHigh;  // exact
    r[i] = high - n * kLogTwoLow;
    whole[i] = high + 1.0;
    rest[i] = ((1.0 - whole[i]) + high) - n * kLogTwoLow;
    r2[i] = r[i] * r[i];
    q[i] = r[i] * kPairs[0][1] + kPairs[0][0];
  }
#pragma GCC unroll 4
  for (int p = 1; p < 5; ++p) {
#pragma GCC unroll 4
    for (int i = 0; i < Count; ++i) q[i] = q[i] * r2[i] + (r[i] * kPairs[p][1] + kPairs[p][0]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < Count; ++i) {
    const Lanes result = (r2[i] * q[i] + rest[i]) + whole[i];
    x[i] = (Lanes)((LaneBits)result + ((LaneBits)shifted[i] << 52));
  }
}

inline Lanes exp_normal(Lanes x) {
  exponentiate<1>(&x);
  return x;
}

// Writes the results below the normal doubles, which exp_normal() cannot compute.
inline void fill_faint(const double* top, const double* x, int rows, double* y) {
  constexpr double kShift = 100, kExpOfMinusShift = 0x1.a8c1f14e2af5dp-145;
  for (int r = 0; r < rows; r += kWidth) {
    const Lanes d = *lanes(top + r) - *lanes(x + r);
    const auto faint = (d < kLowestNormalExp) & (d > kLowestExp);
    if (!any((LaneBits)faint)) continue;
    *lanes(y + r) = faint ? exp_normal(d + kShift) * kExpOfMinusShift : *lanes(y + r);
  }
}

inline void add_exponentials(const double* top, const double* x, int rows, double* y, double* sum) {
  auto all_normal = Lanes{} == 0.0;
  for (int r = 0; r < rows; r += kWidth) {
    const Lanes d = *lanes(top + r) - *lanes(x + r);
    const auto normal = d >= kLowestNormalExp;
    const Lanes result = only_where((LaneBits)normal, exp_normal(d));
    *lanes(y + r) = result;
    *lanes(sum + r) += result;
    all_normal &= normal;
  }
  if (any((LaneBits)~all_normal)) fill_faint(top, x, rows, y);
}

inline void find_least(const double* x, int count, int stride, int rows, double* least) {
  for (int r = 0; r < rows; r += kWidth) {
    Lanes low = *lanes(x + r);
    auto unknown = low != low;
    for (int c = 1; c < count; ++c) {
      const Lanes v = *lanes(x + c * stride + r);
      low = v < low ? v : low;
      unknown |= v != v;
    }
    *lanes(least + r) = unknown ? all(__builtin_nan("")) : low;
  }
}

inline bool take_distributions(const double* const* x, int count, int stride, int rows,
                               double tolerance, double* y, double* sum) {
  LaneBits wrong = {};
  for (int r = 0; r < rows; r += kWidth) {
    Lanes total = {}, low = {};
    for (int c = 0; c < count; ++c) {
      if (r % kLine == 0) __builtin_prefetch(x[c] + r + rows);
      const Lanes v = *lanes(x[c] + r);
      *lanes(y + c * stride + r) = v;
      total += v;
      low = v < low ? v : low;
    }
    *lanes(sum + r) = total;
    const Lanes off = total - 1.0;
    wrong |= (LaneBits)(~((low >= 0.0) & (off <= tolerance) & (off >= -tolerance)));
  }
  return !any(wrong);
}

// Two vectors of rows side by side, so that a cost is loaded once for both.
inline void weigh_actions(const double* x, int classes, int stride, const double* cost, int actions,
                          int rows, double* sum, double* largest) {
  for (int r = 0; r < rows; r += 2 * kWidth) {
    const double* next = cost;
    Lanes high0 = {}, high1 = {};
    for (int a = 0; a < actions; ++a) {
      Lanes sum0 = {}, sum1 = {};
      const double* column = x + r;
      for (int k = 0; k < classes; ++k) {
        const Lanes c = all(*next++);
        sum0 += *lanes(column) * c;
        sum1 += *lanes(column + kWidth) * c;
        column += stride;
      }
      *lanes(sum + a * stride + r) = sum0;
      *lanes(sum + a * stride + r + kWidth) = sum1;
      high0 = sum0 > high0 ? sum0 : high0;
      high1 = sum1 > high1 ? sum1 : high1;
    }
    *lanes(largest + r) = high0;
    *lanes(largest + r + kWidth) = high1;
  }
}

inline void write_quotients(const double* x, const double* by, int rows, double* y) {
  int r = 0;
  for (; r + kWidth <= rows; r += kWidth) *lanes(y + r) = *lanes(x + r) / *lanes(by + r);
  for (; r < rows; ++r) y[r] = x[r] / by[r];
}

inline void write_codes(const double* column, int rows, int* code) {
  int r = 0;
#ifdef BAYESRISK_LANE_CODES
  for (; r + kWidth <= rows; r += kWidth) {
    *reinterpret_cast<LaneCodes*>(code + r) =
        __builtin_convertvector(*lanes(column + r) + 1.0, LaneCodes);
  }
#endif
  for (; r < rows; ++r) code[r] = static_cast<int>(column[r]) + 1;
}

// Keys are negative and rise from column to column, so the least key belongs to the first column.
inline Lanes least_key(Lanes least, LaneBits qualifies, Lanes key) {
  const Lanes candidate = only_where(qualifies, key);
  return candidate < least ? candidate : least;
}

inline Lanes column_of(Lanes key, int count) {
  return only_where((LaneBits)(key < 0.0), key + static_cast<double>(count));
}

inline void find_first(const double* x, int count, int stride, int rows, const double* least,
                       const double* size, double share, double* band, double* limit,
                       double* first) {
  for (int r = 0; r < rows; r += kWidth) {
    const Lanes width = *lanes(size + r) * share, most = *lanes(least + r) + width;
    *lanes(band + r) = width;
    *lanes(limit + r) = most;
    Lanes found = {}, key = all(-count);
    for (int c = 0; c < count; ++c) {
      found = least_key(found, (LaneBits)(*lanes(x + c * stride + r) <= most), key);
      key += 1.0;
    }
    *lanes(first + r) = column_of(found, count);
  }
}

inline void find_second(const double* x, int count, int stride, int rows, const double* taken,
                        const double* band, double* least, double* second) {
  for (int r = 0; r < rows; r += kWidth) {
    const Lanes own = *lanes(taken + r) - static_cast<double>(count);
    Lanes low = all(__builtin_inf()), key = all(-count);
    for (int c = 0; c < count; ++c) {
      const Lanes v = *lanes(x + c * stride + r);
      low = ((own != key) & (v < low)) ? v : low;
      key += 1.0;
    }
    *lanes(least + r) = low;
    const Lanes most = low + *lanes(band + r);
    Lanes found = {};
    key = all(-count);
    for (int c = 0; c < count; ++c) {
      const auto qualifies = (own != key) & (*lanes(x + c * stride + r) <= most);
      found = least_key(found, (LaneBits)qualifies, key);
      key += 1.0;
    }
    *lanes(second + r) = column_of(found, count);
  }
}
