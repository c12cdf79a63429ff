#pragma once

#include <engine/core/gamma_functions.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/normal/missing_span.hpp>
#include <engine/simd/tile_loops.hpp>

#include <cstdint>
#include <utility>

namespace bayesrisk {

// A multivariate normal, or t with the degrees of freedom of each class, at a squared distance.
struct BlockDensity {
  Vector freedom;  // empty: normal

  double constant(std::size_t k, Index size, double half_log_determinant) const;
  double log_density(int k, Index size, double constant, double square) const;
};

// The missing members, in order, of each row of a tile that misses at most `most`.
class MissingOfRows {
 public:
  MissingOfRows(const std::vector<const double*>& x, const Tile& tile, int most);

  const int* begin(int row) const { return members_.data() + start_[row]; }
  const int* end(int row) const { return begin(row) + count_[row]; }
  int count(int row) const { return count_[row]; }
  bool any() const { return any_; }
  bool equal(int a, int b) const { return std::equal(begin(a), end(a), begin(b), end(b)); }

  // By the first missing members, so that rows with equal ones are neighbours.
  void sort(IntVector& rows) const;

 private:
  // Three members, and a hash of the others.
  std::uint64_t key(int row) const;

  IntVector count_, start_, members_;
  bool any_ = false;  // whether any row misses at most `most` members
};

// Scores the rows of a tile, some of which have missing members, strip by strip.
class ProjectedRows {
 public:
  ProjectedRows(const MissingSpans& spans, const BlockDensity& density,
                std::vector<simd::TriangleOfClass> triangles, const std::vector<const double*>& x,
                MissingOfRows missing, Tile& tile);

  // Returns the rows that are left out.
  IntVector add();

 private:
  int size() const { return static_cast<int>(x_.size()); }
  int classes() const { return tile_.classes; }

  void solve(const int* rows, int count);

  bool find_values(int row, int at);

  void set_pattern(int row);

  double explained(int k, int row, int at);

  const MissingFactor& factor_of(int k) const { return factor_[factor_.size() == 1 ? 0 : k]; }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const MissingSpans& spans_;
  const BlockDensity& density_;
  std::vector<simd::TriangleOfClass> triangles_;
  const std::vector<const double*>& x_;
  Tile& tile_;
  MissingOfRows missing_;
  IntVector rows_, left_;
  IntVector place_, in_strip_;  // the members that are missing in any row of the strip
  LineVector strip_, scratch_, square_, pull_;
  std::vector<const double*> columns_;
  int row_ = -1;  // the row whose members the factors are without
  Vector value_, constant_, g_;
  std::vector<MissingFactor> factor_;
};

}  // namespace bayesrisk
