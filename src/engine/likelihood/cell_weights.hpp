#pragma once

#include <engine/data/rows.hpp>
#include <engine/simd/cells.hpp>

namespace bayesrisk {

// The weight of the rows of a chunk in each of `cells` cells.
inline Vector weigh_cells(const IntVector& cell, const Chunk& chunk, int cells) {
  const std::size_t size = static_cast<std::size_t>(cells) * simd::kCountBanks;
  if (chunk.weight) {
    Vector sum(size, 0.0);
    simd::add_weights(cell.data(), chunk.weight, chunk.rows, cells, sum.data());
    simd::add_cells(sum.data() + cells, cells, sum.data());
    return sum;
  }
  IntVector count(size, 0);
  simd::count_cells(cell.data(), chunk.rows, cells, count.data());
  simd::add_cells(count.data() + cells, cells, count.data());
  return {count.begin(), count.begin() + cells};
}

}  // namespace bayesrisk
