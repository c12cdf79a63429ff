#pragma once

#include <engine/data/tile.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Adds scale * slot to the cells of `rows` codes from `begin` on. The slot of a code in a table is
// its level in the model. A code without a level has the slot behind the last level. Returns
// whether a code is unknown or malformed.
inline bool add_slots(const simd::TileLoops& loops, const Column& column, Index begin, int rows,
                      int levels, int scale, int* cell) {
  const int* stored = column.integer + begin;
  if (!column.remap || column.stored_levels == 0) {
    return loops.add_slots(stored, rows, column.first_code, std::min(levels, column.stored_levels),
                           levels, scale, cell);
  }
  bool strange = false;
  const auto first = static_cast<unsigned>(column.first_code);
  for (int r = 0; r < rows; ++r) {
    const unsigned place = static_cast<unsigned>(stored[r]) - first;
    const bool declared = place < static_cast<unsigned>(column.stored_levels);
    const int level = column.remap[declared ? place : 0];
    const bool known = declared & (static_cast<unsigned>(level) < static_cast<unsigned>(levels));
    cell[r] += scale * (known ? level : levels);
    strange |= !known & (stored[r] != kMissingInteger);
  }
  return strange;
}

// The same for the rows of a tile. Rows with an unknown or malformed code are marked and counted.
inline void add_tile_slots(const simd::TileLoops& loops, const Frame& frame, int feature,
                           int levels, int scale, Tile& tile, int* cell) {
  const Column& column = frame.columns[feature];
  if (!add_slots(loops, column, tile.begin, tile.rows, levels, scale, cell)) return;
  for (int r = 0; r < tile.rows; ++r) {
    const int level = level_of(column, column.integer[tile.begin + r]);
    if (level == kUnknown) {
      tile.flag(r, kUnknownLevel);
      ++tile.unknown[feature];
    } else {
      tile.malformed[feature] += is_malformed(level, levels);
    }
  }
}

}  // namespace bayesrisk
