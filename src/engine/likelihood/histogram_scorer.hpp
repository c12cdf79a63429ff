#pragma once

#include <engine/data/tile.hpp>
#include <engine/likelihood/histogram.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Each bin has a row of the table. Two more rows stand for missing numbers and for numbers outside.
class Histogram::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : plan_(plan),
        classes_(static_cast<int>(parameters.log_probability.rows())),
        width_(simd::padded_classes(classes_)),
        table_(static_cast<std::size_t>(plan.most_bins() + 2) * width_, 0.0) {
    for (int k = 0; k < classes_; ++k) {
      const Bins bins = plan.of_group(k);
      for (int b = 0; b < bins.count; ++b) {
        table_[static_cast<std::size_t>(b) * width_ + k] =
            parameters.log_probability(k, b) - std::log(bins.width(b));
      }
      table_[static_cast<std::size_t>(plan.most_bins() + 1) * width_ + k] = kNegativeInfinity;
      if (k == 0 || plan.by_class()) bins_.emplace_back(bins, rows);
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from == to) return;
    const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
    int* cell = tile.codes.data();
    for (std::size_t set = 0; set < bins_.size(); ++set) {
      find_rows(x, bins_[set], tile, cell);
      const int first = static_cast<int>(set), classes = plan_.by_class() ? 1 : classes_;
      add_rows(cell, first, classes, tile);
    }
  }

 private:
  void find_rows(const double* x, const BinFinder& bins, const Tile& tile, int* cell) const {
    const int missing = plan_.most_bins(), outside = missing + 1;
    std::fill_n(cell, tile.stride, missing * width_);
    for (int r = 0; r < tile.rows; ++r) {
      if (!std::isfinite(x[r])) continue;
      const int bin = bins.find(x[r]);
      cell[r] = (bin < 0 ? outside : bin) * width_;
    }
  }

  // A single class is read in place, several classes as rows.
  void add_rows(const int* cell, int first, int classes, Tile& tile) const {
    const double* table = table_.data() + first;
    if (classes > 1) {
      loops_.add_table_rows(&table, cell, 1, tile.stride, classes, tile.stride, tile.stride,
                            tile.of_class(first));
      return;
    }
    double* sum = tile.of_class(first);
    for (int r = 0; r < tile.rows; ++r) sum[r] += table[cell[r]];
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  int classes_, width_;
  Vector table_;
  std::vector<BinFinder> bins_;  // of all classes, or of each
};

}  // namespace bayesrisk
