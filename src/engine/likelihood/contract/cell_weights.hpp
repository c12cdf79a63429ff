#pragma once

#include <engine/data/rows.hpp>
#include <engine/simd/cells.hpp>

namespace bayesrisk {

// The weight of the rows of a chunk in each of `cells` cells.
Vector weigh_cells(const IntVector& cell, const Chunk& chunk, int cells);

}  // namespace bayesrisk
