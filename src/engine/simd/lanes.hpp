#pragma once

namespace bayesrisk {
namespace simd {

// Two doubles, the vector register that every x86-64 and arm64 has: compilers do
// not vectorise loops of unknown length at -O2.
typedef double Lanes __attribute__((vector_size(16), aligned(8), may_alias));

constexpr int kVectorWidth = 8;  // rows are padded to a multiple of this

// Pointers, because Clang forgets the alignment of what a function returns a reference to.
inline Lanes* lanes(double* x) { return reinterpret_cast<Lanes*>(x); }
inline const Lanes* lanes(const double* x) { return reinterpret_cast<const Lanes*>(x); }

}  // namespace simd
}  // namespace bayesrisk
