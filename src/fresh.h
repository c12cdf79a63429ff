#pragma once

// Unwritten vectors for results. Touching fresh memory for the first time, page by page, takes
// longer than computing the results. So large vectors request the huge pages of Linux, as NumPy's
// arrays do.

#include "rcpp.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <cstdint>

namespace bind {

inline void ask_for_huge_pages(void* data, std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t kLarge = std::size_t{1} << 21;
  constexpr std::uintptr_t kPage = 65536;  // ordinary pages are not larger on any machine
  if (bytes < kLarge) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t first = (begin + kPage - 1) / kPage * kPage;
  // A hint: it does not change the result.
  (void)madvise(reinterpret_cast<void*>(first), begin + bytes - first, MADV_HUGEPAGE);
#else
  (void)data;
  (void)bytes;
#endif
}

template <class Vector>
Vector fresh(R_xlen_t size) {
  Vector result(Rcpp::no_init(size));
  ask_for_huge_pages(result.begin(), static_cast<std::size_t>(size) * sizeof(*result.begin()));
  return result;
}

inline Rcpp::NumericMatrix fresh_matrix(R_xlen_t rows, R_xlen_t columns) {
  Rcpp::NumericMatrix result(Rcpp::no_init(rows, columns));
  ask_for_huge_pages(result.begin(), static_cast<std::size_t>(rows) * columns * sizeof(double));
  return result;
}

}  // namespace bind
