#pragma once

#include <engine/data/cells.hpp>

namespace bayesrisk {

// The rows that count, and the group of each row, usually its class.
struct Rows {
  const int* group = nullptr;      // from 1; missing: the row is left out
  const double* weight = nullptr;  // null: every row counts once
  int groups = 0;
};

// A run of rows. Groups count from 0; the group `groups` marks a row that is left out. The
// additional slot in every table saves a branch in the loops.
struct Chunk {
  Index begin = 0;
  int rows = 0;
  int groups = 0;
  const int* group = nullptr;
  const double* weight = nullptr;  // of the chunk's rows, or null
  // The number of rows of each group in each slice. The number of rows left out follows the groups.
  // Null if rows were not counted.
  const int* slice_rows = nullptr;
  const Context* context = nullptr;
  Vector* memory = nullptr;  // scratch that a reader takes and gives back; or null

  void check() const {
    if (context) context->check();
  }
};

// Rows are read in chunks whose size depends only on the number of groups, and the statistics of
// the chunks are merged in order. So the result does not depend on the number of threads. With very
// many groups chunks are longer, because merging takes as long as reading a few rows per group.
constexpr Index kChunkRows = 65536;
constexpr int kManyGroups = 512;

inline Index chunk_rows(int groups) { return groups > kManyGroups ? 8 * kChunkRows : kChunkRows; }

// Rows of a chunk are read in short slices, whose columns fit the cache. With many groups slices
// are longer, because the sums of each slice are added group by group.
inline int slice_size(int groups) {
  if (groups <= 32) return 4096;
  return groups <= kManyGroups ? 16384 : static_cast<int>(chunk_rows(groups));
}

// Counts the rows of each group and the rows left out; group_of(r) is the group of row r. Rows are
// counted in four tables in turn, because additions to one table would have to wait for each other.
// Many groups have one table, because successive rows have different groups.
template <class GroupOf>
IntVector count_groups(int rows, int groups, GroupOf group_of) {
  const int slots = groups + 1, count = groups <= kManyGroups ? 4 : 1;
  IntVector tables(static_cast<std::size_t>(slots) * count, 0);
  int* table[4];
  for (int t = 0; t < 4; ++t) table[t] = &tables[t % count * slots];
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    for (int t = 0; t < 4; ++t) ++table[t][group_of(r + t)];
  }
  for (; r < rows; ++r) ++table[0][group_of(r)];
  for (std::size_t i = slots; i < tables.size(); ++i) tables[i % slots] += tables[i];
  tables.resize(slots);
  return tables;
}

}  // namespace bayesrisk
