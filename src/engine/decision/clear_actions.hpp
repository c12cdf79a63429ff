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
  ClearActions(const CaseCost& cost, int classes, int capacity) : action_(capacity) {
    const Matrix& of = cost.fixed.of;
    const double largest = of.cwiseAbs().maxCoeff();
    possible_ =
        cost.varying.empty() && classes <= simd::kMostRough && of.allFinite() && largest > 0;
    if (!possible_) return;
    const Matrix scaled = of / largest;
    for (Index a = 0; a < of.rows(); ++a) {
      for (Index k = 0; k < of.cols(); ++k) of_.push_back(static_cast<float>(scaled(a, k)));
    }
    for (Index k = 0; k < of.cols(); ++k) {
      most_.push_back(static_cast<float>(scaled.col(k).cwiseAbs().maxCoeff()));
      faint_ += 2 * simd::kFaintestWeight * most_.back();
    }
  }

  // Returns whether the actions, from 1, were written.
  bool choose(const Tile& tile, const Vector& log_prior, int* action) {
    if (!possible_) return false;
    if (wait_ > 0) {
      --wait_;
      return false;
    }
    const simd::RoughCosts costs{of_.data(), most_.data(),
                                 static_cast<int>(of_.size() / most_.size()), faint_};
    if (!loops_.choose_actions(tile.of_class(0), log_prior.data(), tile.classes, tile.stride,
                               tile.stride, costs, action_.data())) {
      wait_ = pause_;
      pause_ = std::min(2 * pause_ + 1, kLongestPause);
      return false;
    }
    pause_ = 0;
    std::copy_n(action_.begin(), tile.rows, action);
    return true;
  }

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
