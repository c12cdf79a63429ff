#pragma once

#include <engine/data/tile.hpp>
#include <engine/likelihood/table/histogram.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Each bin has a row of the table. Two more rows stand for missing numbers and for numbers outside.
class Histogram::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows);

  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  void find_rows(const double* x, const BinFinder& bins, const Tile& tile, int* cell) const;

  // A single class is read in place, several classes as rows.
  void add_rows(const int* cell, int first, int classes, Tile& tile) const;

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  int classes_, width_;
  Vector table_;
  std::vector<BinFinder> bins_;  // of all classes, or of each
};

}  // namespace bayesrisk
