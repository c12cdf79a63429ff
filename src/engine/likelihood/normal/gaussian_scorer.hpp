#pragma once

#include <engine/data/columns.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/normal/gaussian.hpp>
#include <engine/simd/columns.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

class Gaussian::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters);

  // Adds members [from, to) to the tile. Squares and constants are summed separately: a row with a
  // missing number gets the constants of its observed features only. All rows add in the order of
  // the features.
  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  static constexpr int kTogether = Tile::kBuffers;

  // tile.scratch holds the squares of each class. If numbers are missing, the constants of the
  // known numbers follow.
  static std::size_t size_of(const Tile& tile) {
    return static_cast<std::size_t>(tile.classes) * tile.stride;
  }
  static double* squares_of(int k, Tile& tile) {
    return tile.scratch.data() + static_cast<std::size_t>(k) * tile.stride;
  }

  void add_squares(const Frame& frame, int from, int to, Tile& tile, bool known) const;

  void add_known(const double* x, int j, Tile& tile) const;

  // The values of a member in all classes, side by side.
  static const double* of(const Matrix& values, int j) { return values.col(j).data(); }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Parameters& parameters_;
  Matrix inverse_sd_, scaled_low_, constant_;
  int sound_ = 0;  // a class that has parameters
};

}  // namespace bayesrisk
