// Sums of products of centred rows, per group. tile_loops.hpp includes this file after
// moment_loops_body.hpp, in the same way as tile_loops_body.hpp.
//
// Rows are packed in panels of kPanel columns. The numbers of a row in a panel stand side by side,
// and the rows of a group follow each other.

constexpr int kPanelVectors = kPanel / kWidth;

template <bool Weighted>
inline bool pack_panel_of(const double* const* x, const double* const* next, int rows,
                          const int* group, const int* place, const double* root,
                          const double* mean, const double* low, int stride, double* packed) {
  Lanes check[kWidth] = {};
  for (int r = 0; r < rows; r += kWidth) {
    for (int c = 0; c < kPanel && r % kLine == 0; ++c) __builtin_prefetch(next[c] + r);
    Lanes row[kPanelVectors][kWidth];
#pragma GCC unroll 4
    for (int v = 0; v < kPanelVectors; ++v) {
#pragma GCC unroll 4
      for (int c = 0; c < kWidth; ++c) row[v][c] = *lanes(x[v * kWidth + c] + r);
      transpose(row[v]);
    }
#pragma GCC unroll 4
    for (int i = 0; i < kWidth; ++i) {
      const double *centre = mean + group[r + i] * stride, *rest = low + group[r + i] * stride;
      double* to = packed + place[r + i] * kPanel;
#pragma GCC unroll 4
      for (int v = 0; v < kPanelVectors; ++v) {
        const Lanes d = (row[v][i] - *lanes(centre + v * kWidth)) - *lanes(rest + v * kWidth);
        *lanes(to + v * kWidth) = Weighted ? d * root[r + i] : d;
        check[i] += d * 0.0;
      }
    }
  }
  for (int i = 1; i < kWidth; ++i) check[0] += check[i];
  return !any((LaneBits)(check[0] != 0.0));
}

inline bool pack_panel(const double* const* x, const double* const* next, int rows,
                       const int* group, const int* place, const double* root, const double* mean,
                       const double* low, int stride, double* packed) {
  return (root ? pack_panel_of<true> : pack_panel_of<false>)(x, next, rows, group, place, root,
                                                             mean, low, stride, packed);
}

// Successive rows add to different sums, because additions to one sum would have to wait for each
// other.
template <bool Weighted>
inline void add_rows_of(const double* packed, const double* root, int rows, double* sum) {
  constexpr int kChains = 4;
  Lanes chain[kChains][kPanelVectors] = {};
  int r = 0;
  for (; r + kChains <= rows; r += kChains) {
#pragma GCC unroll 4
    for (int i = 0; i < kChains; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < kPanelVectors; ++v) {
        const Lanes d = *lanes(packed + (r + i) * kPanel + v * kWidth);
        chain[i][v] += Weighted ? d * root[r + i] : d;
      }
    }
  }
  for (; r < rows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kPanelVectors; ++v) {
      const Lanes d = *lanes(packed + r * kPanel + v * kWidth);
      chain[0][v] += Weighted ? d * root[r] : d;
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kPanelVectors; ++v) {
    *lanes(sum + v * kWidth) += (chain[0][v] + chain[1][v]) + (chain[2][v] + chain[3][v]);
  }
}

inline void add_rows(const double* packed, const double* root, int rows, double* sum) {
  (root ? add_rows_of<true> : add_rows_of<false>)(packed, root, rows, sum);
}

// Adds the products of some panels, from `i` on, with panel `j`. Their sums stay in registers.
template <int Panels>
inline void add_tile(const PackedRows& packed, int i, int j, double* product, int stride) {
  constexpr int kVectors = Panels * kPanelVectors;
  const double *left = packed.numbers + i * packed.distance,
               *right = packed.numbers + j * packed.distance;
  double* tile = product + j * kPanel * stride + i * kPanel;
  // A large product is not in the cache, and the sums would wait for it.
#pragma GCC unroll 4
  for (int c = 0; c < kPanel; ++c) {
    __builtin_prefetch(tile + c * stride, 1);
    __builtin_prefetch(tile + c * stride + kVectors * kWidth - 1, 1);
  }
  Lanes sum[kPanel][kVectors] = {};
  for (int r = 0; r < packed.rows; ++r) {
    Lanes a[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const int panel = v / kPanelVectors, at = v % kPanelVectors * kWidth;
      a[v] = *lanes(left + panel * packed.distance + r * kPanel + at);
    }
#pragma GCC unroll 4
    for (int c = 0; c < kPanel; ++c) {
      const Lanes b = all(right[r * kPanel + c]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[c][v] += a[v] * b;
    }
  }
#pragma GCC unroll 4
  for (int c = 0; c < kPanel; ++c) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) *lanes(tile + c * stride + v * kWidth) += sum[c][v];
  }
}

// The same for two panels with themselves and with each other. The part above the diagonal is
// skipped.
inline void add_corner(const PackedRows& packed, int i, double* product, int stride) {
  const double *first = packed.numbers + i * packed.distance, *second = first + packed.distance;
  Lanes upper[kPanel] = {}, across[kPanel] = {}, lower[kPanel] = {};
  for (int r = 0; r < packed.rows; ++r) {
    const Lanes a = *lanes(first + r * kPanel), b = *lanes(second + r * kPanel);
#pragma GCC unroll 4
    for (int c = 0; c < kPanel; ++c) {
      const Lanes of_first = all(first[r * kPanel + c]);
      upper[c] += a * of_first;
      across[c] += b * of_first;
      lower[c] += b * second[r * kPanel + c];
    }
  }
  double *left = product + i * kPanel * (stride + 1), *right = left + kPanel * (stride + 1);
#pragma GCC unroll 4
  for (int c = 0; c < kPanel; ++c) {
    *lanes(left + c * stride) += upper[c];
    *lanes(left + c * stride + kPanel) += across[c];
    *lanes(right + c * stride) += lower[c];
  }
}

template <int Panels>
inline int add_band(const PackedRows& packed, int i, double* product, int stride) {
  for (int j = 0; j < i; ++j) add_tile<Panels>(packed, i, j, product, stride);
  if constexpr (Panels != 2) add_tile<Panels>(packed, i, i, product, stride);
  if constexpr (Panels > 1) add_corner(packed, i + Panels - 2, product, stride);
  return Panels;
}

// The sums of three panels fill the registers of AVX2, those of one panel fill the registers of
// SSE2. With AVX2 a band has three panels. If the number of panels is not a multiple of three, the
// smaller bands come first, because the first bands need the fewest products. A band of one panel
// is avoided, because its few sums would wait for each other.
inline void add_products_of(const PackedRows& packed, int panels, double* product) {
  const int stride = panels * kPanel;
  for (int i = 0; i < panels;) {
    const int rest = panels - i;
    if constexpr (kPanelVectors > 1) {
      i += add_band<1>(packed, i, product, stride);
    } else {
      i += rest % 3 == 0 ? add_band<3>(packed, i, product, stride)
           : rest > 1    ? add_band<2>(packed, i, product, stride)
                         : add_band<1>(packed, i, product, stride);
    }
  }
}

// Processes runs of rows that are so short that the panels of a band stay in the cache.
inline void add_products(const PackedRows& packed, int panels, double* product) {
  constexpr int kRun = 256;
  for (int r = 0; r < packed.rows; r += kRun) {
    const int rows = packed.rows - r < kRun ? packed.rows - r : kRun;
    add_products_of({packed.numbers + r * kPanel, packed.distance, rows}, panels, product);
  }
}

inline void add_outer(const double* v, double factor, int panels, double* product) {
  const int size = panels * kPanel;
  for (int j = 0; j < size; ++j) {
    const Lanes scaled = all(v[j] * factor);
    for (int i = j / kPanel * kPanel; i < size; i += kWidth) {
      *lanes(product + j * size + i) += *lanes(v + i) * scaled;
    }
  }
}
