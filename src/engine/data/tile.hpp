#pragma once

#include <engine/core/line_vector.hpp>
#include <engine/data/columns.hpp>
#include <engine/simd/lanes.hpp>

#include <algorithm>
#include <cmath>

namespace bayesrisk {

// Why a row has no answer or an incomplete answer.
enum RowFlag : unsigned char { kInfinite = 1, kUnknownLevel = 2 };

// Rows that fit into the cache. The tile holds numbers for every class: first the log likelihood,
// to which the banks add, later the log joint. The numbers of a class stand side by side, padded to
// `stride` rows, which are whole vectors.
struct Tile {
  Index begin = 0;
  Index end = 0;  // of the rows for which the tile is used
  int rows = 0;
  int stride = 0;
  int capacity = 0;
  int classes = 0;
  LineVector log_joint;
  LineVector scratch;  // for temporary use by a scorer
  IntVector codes;
  std::vector<Index> unknown, malformed;  // rows per feature, counted on the way

  static constexpr int kBuffers = 4;  // columns that are read side by side
  static constexpr int kCodeColumns = 8;

  Tile(int classes, int features);

  static constexpr int kMostRows = 512;

  static int fitting_rows(int classes);

  static int padded(int rows) { return simd::whole_vectors(rows); }

  void start(Index first, Index last);

  void clear() { set_zero(log_joint.data(), log_joint.size()); }

  void flag(int row, RowFlag why) {
    flags_[row] |= why;
    flagged_ = true;
  }
  bool flagged() const { return flagged_; }  // whether any row is flagged
  bool flagged(int row, RowFlag why) const { return (flags_[row] & why) != 0; }

  double* of_class(int k) { return log_joint.data() + static_cast<std::size_t>(k) * stride; }
  const double* of_class(int k) const {
    return log_joint.data() + static_cast<std::size_t>(k) * stride;
  }

  // Adds up, with weights, numbers that are written to a tile one after the other. write() puts the
  // sum in their place.
  class Sum {
   public:
    explicit Sum(Tile& tile) : tile_(tile), sum_(tile.log_joint.size(), 0.0) {}
    // A weight of 0 leaves the numbers out, also infinite ones.
    void add(double weight) {
      if (weight == 0) return;
      for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += weight * tile_.log_joint[i];
    }
    void write() { tile_.log_joint.swap(sum_); }

   private:
    Tile& tile_;
    LineVector sum_;
  };

  // Starts a table that has its own row for each row of the tile. Sets the codes of `column` to the
  // row numbers, and returns `width` numbers for each row, all 0.
  double* start_own_rows(int column, int width);

  // Scores of later rows that a scorer has computed ahead, row by row, because its data are not
  // stored by row. `cursor`: how far it has read.
  struct Ahead {
    static constexpr Index kMost = 1 << 19;  // numbers, so that they stay in the cache

    const void *scorer, *data;
    Index begin = 0, end = 0;
    LineVector score{};
    IntVector cursor{};

    void clear(Index numbers) { score.assign(static_cast<std::size_t>(numbers), 0.0); }
  };
  Ahead& ahead(const void* scorer, const void* data);

  // Memory for the numbers of a column that cannot be read in place.
  double* buffer(int i = 0) { return buffers_.data() + static_cast<std::size_t>(i) * capacity; }

 private:
  std::vector<unsigned char> flags_;
  bool flagged_ = false;
  LineVector buffers_;
  std::vector<Ahead> ahead_;
};

// The numbers of a column in the rows of a tile, padded. Rows with infinite numbers are flagged.
const double* load_tile_numbers(const Column& column, Tile& tile);

}  // namespace bayesrisk
