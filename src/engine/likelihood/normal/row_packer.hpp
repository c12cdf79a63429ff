#pragma once

#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/simd/tile_loops.hpp>

#include <numeric>

namespace bayesrisk {

// Rows that were left out because a feature is not finite in them.
struct Incomplete {
  Vector missing, infinite;  // per feature
  double rows = 0;
};

// Packs a slice of a chunk. Complete rows are sorted by group; their
// numbers are centred, multiplied by the root of the weight, and stored in panels of columns.
class RowPacker {
 public:
  RowPacker(const Frame& frame, const IntVector& features, const Chunk& chunk);
  ~RowPacker() {
    if (chunk_.memory) packed_.swap(*chunk_.memory);
  }
  RowPacker(const RowPacker&) = delete;
  RowPacker& operator=(const RowPacker&) = delete;

  int panels() const { return panels_; }
  int columns() const { return panels_ * simd::kPanel; }
  int capacity() const { return capacity_; }
  const Incomplete& incomplete() const { return incomplete_; }

  // Packs the rows of the chunk from `first` on.
  void load(int first, const Matrix& centre, const Matrix& low);

  int rows_of(int g) const { return start_[g + 1] - start_[g]; }
  double weight_of(int g) const { return weight_[g]; }

  // The first row of each group that has any.
  IntVector first_rows() const;
  double number(int r, int j) const { return x_[j][r]; }

  // `centre` + `low` holds the centre of each group in a column. The last column belongs to the
  // rows that are left out. Returns whether all numbers are finite.
  bool pack(const Matrix& centre, const Matrix& low);

  // The weighted sums of a group's packed columns.
  Eigen::VectorXd sums(int g) const;

  void add_products(int g, Matrix& product) const {
    loops_.add_products(packed(g), panels_, product.data());
  }

  Matrix rows(int g) const;

 private:
  // As many rows as fit into the cache, but 256 for each group, up to 8 MB: the products of a group
  // are read and written once per slice.
  static int fitting_rows(int columns, const Chunk& chunk);

  int distance() const { return capacity_ * simd::kPanel; }

  simd::PackedRows packed(int g) const {
    return {packed_.data() + start_[g] * simd::kPanel, distance(), rows_of(g)};
  }

  // An incomplete last panel repeats the last column.
  void load_columns();

  // Returns whether there were any rows that count.
  bool leave_out_incomplete();

  void sort();

  void sort_weights();

  const Frame& frame_;
  const IntVector& features_;
  const Chunk& chunk_;
  const simd::TileLoops& loops_ = simd::tile_loops();
  const int size_, panels_, capacity_;
  int first_ = 0, rows_ = 0, padded_ = 0;
  std::vector<const double*> x_;
  IntVector group_, place_, start_;
  Vector weight_, root_, packed_root_, packed_, buffer_;
  Incomplete incomplete_;
};

}  // namespace bayesrisk
