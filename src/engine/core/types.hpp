#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace bayesrisk {

using Index = std::ptrdiff_t;
using Matrix = Eigen::MatrixXd;
using IntMatrix = Eigen::MatrixXi;
using Vector = std::vector<double>;
using IntVector = std::vector<int>;

// std::fill of doubles compiles to a loop, which would dominate the work on a small tile.
inline void set_zero(double* x, std::size_t count) { std::memset(x, 0, count * sizeof(double)); }

// A plan, statistics or parameters contradict themselves. Only a damaged object causes this error,
// never data.
struct InvalidState : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Out of line, because each of the many places that check would have a copy.
[[noreturn, gnu::noinline, gnu::cold]] inline void throw_invalid(const char* what) {
  throw InvalidState(what);
}

inline void require(bool condition, const char* what) {
  if (!condition) throw_invalid(what);
}

inline bool has_shape(const Matrix& m, Index rows, Index cols) {
  return m.rows() == rows && m.cols() == cols;
}

// The positions in a table of all levels must fit an integer. Each feature has one additional
// level.
inline void require_levels(const IntVector& levels, const IntVector& features) {
  require(levels.size() == features.size(), "levels: wrong length");
  double places = 0;
  for (int count : levels) {
    require(count >= 0, "levels: negative");
    places += count + 1.0;
  }
  require(places <= std::numeric_limits<int>::max(), "levels: too many");
}

// Weights, counts and sums of squares are neither negative nor NaN; sums of
// squares may have overflowed.
inline bool not_negative(const Matrix& m) { return (m.array() >= 0).all(); }
inline bool not_negative(const Vector& v) {
  return std::all_of(v.begin(), v.end(), [](double x) { return x >= 0; });
}

}  // namespace bayesrisk
