#pragma once

namespace bayesrisk {
namespace simd {

// Two doubles: the vector register of every x86-64 and arm64 processor. The code names it
// explicitly, because compilers do not vectorise loops of unknown length at -O2.
typedef double Lanes __attribute__((vector_size(16), aligned(8), may_alias));

constexpr int kVectorWidth = 8;  // rows are padded to a multiple of this

// A number of rows, padded.
template <class Count>
constexpr Count whole_vectors(Count rows) {
  return (rows + kVectorWidth - 1) / kVectorWidth * kVectorWidth;
}

// Return pointers, because Clang loses the alignment of a reference that a function returns.
inline Lanes* lanes(double* x) { return reinterpret_cast<Lanes*>(x); }
inline const Lanes* lanes(const double* x) { return reinterpret_cast<const Lanes*>(x); }

}  // namespace simd
}  // namespace bayesrisk
