#pragma once

#include <engine/data/tile.hpp>
#include <engine/decision/cost.hpp>
#include <engine/simd/tile_loops.hpp>

#include <cmath>

namespace bayesrisk {

// Chooses actions from the log likelihoods of a tile by rough probabilities, if these leave no
// doubt about the action of any row.
class ClearActions {
 public:
  ClearActions(const CaseCost& cost, int classes, int capacity);

  // Returns whether the actions, from 1, were written.
  bool choose(const Tile& tile, const Vector& log_prior, int* action);

 private:
  // After successive tiles with doubtful rows, some tiles are not tried: their rows may tie, too.
  static constexpr int kLongestPause = 15;

  const simd::TileLoops& loops_ = simd::tile_loops();
  std::vector<float> of_, most_;
  float faint_ = 0;
  bool possible_ = false;
  int pause_ = 0, wait_ = 0;
  IntVector action_;
};

}  // namespace bayesrisk
