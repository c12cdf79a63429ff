#pragma once

#include <engine/core/context.hpp>

namespace bayesrisk {

// Which rows count, and for which group (the class, at its simplest).
struct Rows {
  const int* group = nullptr;      // from 1; missing: the row is left out
  const double* weight = nullptr;  // null: every row counts once
  int groups = 0;
};

// A run of rows, its groups from 0 and `groups` for a row that is left out:
// one slot more in every table spares the loops a branch.
struct Chunk {
  Index begin = 0;
  int rows = 0;
  int groups = 0;
  const int* group = nullptr;
  const double* weight = nullptr;  // of the chunk's rows, or null
  // How many rows each group has in each block, that of rows left out behind them; null: not
  // counted.
  const int* block_rows = nullptr;
  const Context* context = nullptr;

  void check() const {
    if (context) context->check();
  }
};

// A block is short, so that the streams of its columns are, but long where there are many
// groups, as its sums are added to what is there group by group.
inline int block_size(int groups) { return groups <= 32 ? 4096 : 16384; }

// How many rows each group has, that of row r is group_of(r), the slot of rows left out
// included. Four tables side by side, because one counter is a chain of dependent additions.
template <class GroupOf>
IntVector count_groups(int rows, int groups, GroupOf group_of) {
  const int slots = groups + 1;
  IntVector tables(static_cast<std::size_t>(slots) * 4, 0);
  int* const table[] = {&tables[0], &tables[slots], &tables[2 * slots], &tables[3 * slots]};
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    for (int t = 0; t < 4; ++t) ++table[t][group_of(r + t)];
  }
  for (; r < rows; ++r) ++table[0][group_of(r)];
  for (int g = 0; g < slots; ++g) table[0][g] += table[1][g] + table[2][g] + table[3][g];
  tables.resize(slots);
  return tables;
}

}  // namespace bayesrisk
