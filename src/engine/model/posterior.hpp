#pragma once

#include <engine/core/log_math.hpp>
#include <engine/data/tile.hpp>
#include <engine/decision/beliefs.hpp>
#include <engine/simd/columns.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Posterior probabilities of the rows of a tile. The log likelihoods of the tile are replaced by
// improbabilities, minus the log joints. Weights are relative to the most probable class, so none
// overflows.
class Posterior {
 public:
  Posterior(int classes, int capacity);

  // Writes the probabilities of a tile, a column of `distance` for each class. Returns false if a
  // row has no posterior or a weight below the normal doubles. Then what was written is not valid,
  // and the functions below compute the tile.
  bool write_plain(const Tile& tile, const Vector& log_prior, double* out, Index distance) const;

  void negate_log_joints(Tile& tile, const Vector& log_prior) {
    possible_ = loops_.negate_log_joints(tile.of_class(0), log_prior.data(), classes_, tile.stride,
                                         tile.stride, least_.data());
  }

  // `improbability` must have been computed by negate_log_joints().
  void evaluate(const Tile& improbability);

  // Sets the posterior of a row that needs no scores.
  void set(int r, const Vector& probability) {
    for (int k = 0; k < classes_; ++k) of_class(k)[r] = probability[k];
    sum_[r] = 1;
  }

  // The probabilities of a class are `distance` from those of the class before.
  void write_probabilities(double* out, Index distance);

  double* of_class(int k) { return weight_.data() + static_cast<std::size_t>(k) * stride_; }
  const double* of_class(int k) const {
    return weight_.data() + static_cast<std::size_t>(k) * stride_;
  }
  const double* sum() const { return sum_.data(); }
  // The improbability of the most probable class. Infinite: every class is impossible.
  const double* least() const { return least_.data(); }
  bool all_possible() const { return possible_; }

  // log of the sum over classes of exp(log joint).
  double log_evidence(int r) const {
    return std::isinf(least_[r]) ? -least_[r] : std::log(sum_[r]) - least_[r];
  }

  // Writes the log posterior. The sum of the other classes is computed relative to the maximum, so
  // the log of the most probable class is exact even if its posterior rounds to 1.
  void write_log(const Tile& improbability, int r, double* out, Index stride) const;

  Beliefs beliefs(const Tile& improbability) const;

 private:
  const simd::TileLoops& loops_ = simd::tile_loops();
  int classes_, rows_ = 0, stride_ = 0;
  bool possible_ = false;
  Vector weight_, sum_, inverse_, least_;
};

}  // namespace bayesrisk
