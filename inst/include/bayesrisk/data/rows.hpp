#pragma once

#include <bayesrisk/core/types.hpp>

namespace bayesrisk {

// Which rows count, and for which group (the class, at its simplest).
struct Rows {
  const int* group = nullptr;      // from 1; missing: the row is left out
  const double* weight = nullptr;  // null: every row counts once
  int groups = 0;
};

// A run of rows, its groups from 0 and `groups` for a row that is left out:
// one slot more in every table spares the kernels a branch.
struct Chunk {
  Index begin = 0;
  int rows = 0;
  int groups = 0;
  const int* group = nullptr;
  const double* weight = nullptr;  // of the chunk's rows, or null
};

}  // namespace bayesrisk
