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

// How many rows each group has, the slot of rows left out included. Four tables
// side by side, because one counter is a chain of dependent additions.
inline std::vector<int> count_groups(const int* group, int rows, int groups) {
  const int slots = groups + 1;
  std::vector<int> tables(static_cast<std::size_t>(slots) * 4, 0);
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    for (int table = 0; table < 4; ++table) ++tables[table * slots + group[r + table]];
  }
  for (; r < rows; ++r) ++tables[group[r]];
  for (int g = 0; g < slots; ++g) {
    tables[g] += tables[slots + g] + tables[2 * slots + g] + tables[3 * slots + g];
  }
  tables.resize(slots);
  return tables;
}

}  // namespace bayesrisk
