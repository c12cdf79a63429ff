#pragma once

namespace bayesrisk {
namespace simd {

// The parameters of a class: an upper triangle by column, the inverses of its diagonal, and the
// mean of each column in two parts. If `apart` is given, nothing is solved: the class shares the
// triangle of the last solved class, and its z is that of the solved class minus `apart`.
struct TriangleOfClass {
  const double *factor, *inverse_diagonal, *mean, *low;
  const double* apart = nullptr;
  const double* across = nullptr;  // see MissingSpan
};

// The members that are missing in any row of a strip.
struct MissingMembers {
  const int* members;
  int count;
};
constexpr int kStripRows = 16;  // at most, and whole vectors
constexpr int kSolveScratch = 2 * kStripRows;

}  // namespace simd
}  // namespace bayesrisk
