#pragma once

#include <engine/data/tile.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Adds scale * slot to the cells of `rows` codes from `begin` on. The slot of a code in a table is
// its level in the model. A code without a level has the slot behind the last level. Returns
// whether a code is unknown or malformed.
bool add_slots(const simd::TileLoops& loops, const Column& column, Index begin, int rows,
               int levels, int scale, int* cell);

// The same for the rows of a tile. Rows with an unknown or malformed code are marked and counted.
void add_tile_slots(const simd::TileLoops& loops, const Frame& frame, int feature, int levels,
                    int scale, Tile& tile, int* cell);

}  // namespace bayesrisk
