#pragma once

#include <engine/likelihood/table/categorical.hpp>
#include <engine/likelihood/table/joins.hpp>

namespace bayesrisk {

// Scores several features at a time, as long as the table of their sums is small. The log
// probabilities of a cell stand side by side for all classes; a missing code adds nothing. With
// fewer rows than cells the table is skipped.
class Categorical::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows);

  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  static constexpr int kTableNumbers = 512;

  bool has_table(const Join& join) const { return rows_ * (join.last - join.first) >= join.cells; }

  // Adds the features in their order.
  void append(const Join& join);

  // Finds the cell of each row relative to the returned cell. A feature that is not requested
  // counts as missing.
  int find_cells(const Frame& frame, const Join& join, int from, int to, Tile& tile,
                 int* cell) const;

  // Computes the entries of the skipped table row by row. The sums are the same to the last digit.
  const double* sum_rows(const Frame& frame, const Join& join, int from, int to, Tile& tile,
                         int column) const;

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Matrix& log_probability_;
  IntVector offset_;
  Index rows_;
  int classes_, width_;
  std::vector<Join> joins_;
  std::vector<std::size_t> begin_;  // of each join in the table
  IntVector join_of_;               // each feature's
  Vector table_;
};

}  // namespace bayesrisk
