#pragma once

#include <engine/data/columns.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/gaussian.hpp>
#include <engine/simd/columns.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

class Gaussian::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : plan_(plan),
        parameters_(parameters),
        inverse_sd_(parameters.sd.cwiseInverse()),
        scaled_low_(parameters.mean_low.cwiseProduct(inverse_sd_)) {
    constant_ = -(parameters.sd.array().log() + kHalfLogTwoPi).matrix();
    for (int j = 0; j < plan.members(); ++j) {
      if (!parameters.left_out[j]) continue;
      for (Matrix* zero : {&inverse_sd_, &scaled_low_, &constant_}) zero->col(j).setZero();
    }
    const int classes = static_cast<int>(parameters.mean.rows());
    while (sound_ + 1 < classes && !parameters.sound(sound_)) ++sound_;
  }

  // Adds members [from, to) to the tile. Squares and constants are summed separately: a row with a
  // missing number gets the constants of its observed features only. All rows add in the order of
  // the features.
  void add(const Frame& frame, int from, int to, Tile& tile) const {
    tile.scratch.resize(2 * size_of(tile));
    add_squares(frame, from, to, tile, false);
    // A number that is not finite makes the sum non-finite. A square that overflows does so, too.
    const bool known = !loops_.all_finite(squares_of(sound_, tile), tile.stride);
    if (known) add_squares(frame, from, to, tile, true);
    for (int k = 0; k < tile.classes; ++k) {
      const double* square = squares_of(k, tile);
      if (known) {
        loops_.add_known_half_squares(square, square + size_of(tile), tile.stride,
                                      tile.of_class(k));
      } else {
        double constant = 0;
        for (int j = from; j < to; ++j) constant += constant_(k, j);
        loops_.add_half_squares(square, constant, tile.stride, tile.of_class(k));
      }
    }
  }

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

  void add_squares(const Frame& frame, int from, int to, Tile& tile, bool known) const {
    if (known || from == to) set_zero(tile.scratch.data(), tile.scratch.size());
    for (int j = from; j < to; j += kTogether) {
      const int count = std::min(to - j, kTogether);
      const double* x[kTogether];
      for (int c = 0; c < count; ++c) {
        x[c] = load_numbers(frame.columns[plan_.features[j + c]], tile.begin, tile.rows,
                            tile.stride, tile.buffer(c));
      }
      if (!known) {
        loops_.add_standardized_squares(x, count, tile.classes, tile.stride, tile.stride,
                                        of(parameters_.mean, j), of(scaled_low_, j),
                                        of(inverse_sd_, j), j == from, squares_of(0, tile));
      }
      for (int c = 0; c < count && known; ++c) add_known(x[c], j + c, tile);
    }
  }

  void add_known(const double* x, int j, Tile& tile) const {
    loops_.add_known_squares(x, tile.classes, tile.stride, tile.stride, of(parameters_.mean, j),
                             of(scaled_low_, j), of(inverse_sd_, j), of(constant_, j),
                             squares_of(0, tile), squares_of(0, tile) + size_of(tile));
    if (!simd::any_infinite(x, tile.stride)) return;
    for (int r = 0; r < tile.rows; ++r) {
      if (std::isinf(x[r])) tile.flag(r, kInfinite);
    }
  }

  // The values of a member in all classes, side by side.
  static const double* of(const Matrix& values, int j) { return values.col(j).data(); }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Parameters& parameters_;
  Matrix inverse_sd_, scaled_low_, constant_;
  int sound_ = 0;  // a class that has parameters
};

}  // namespace bayesrisk
