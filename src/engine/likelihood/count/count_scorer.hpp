#pragma once

#include <engine/data/tile.hpp>
#include <engine/likelihood/count/count_reader.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// The log probabilities of likely counts come from tables. A table with more counts than rows is
// skipped. A number that is not a count is impossible under every class. `Laws` gives the number of
// classes, the range of the likely counts of a class, and the log probability of a count.
template <class Laws>
class CountScorer {
 public:
  CountScorer(const IntVector& features, const Laws& laws, Index rows)
      : features_(features),
        rows_(rows),
        laws_(laws),
        classes_(laws.classes()),
        width_(simd::padded_classes(classes_)) {
    for (int j = 0; j < static_cast<int>(features.size()); ++j) append(j);
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    for (int first = from; first < to; first += Tile::kCodeColumns) {
      const int columns = std::min(Tile::kCodeColumns, to - first);
      const double* table[Tile::kCodeColumns];
      for (int c = 0; c < columns; ++c) {
        const int j = first + c;
        const double* x = load_tile_numbers(frame.columns[features_[j]], tile);
        table[c] = has_table(j) ? find_rows(x, j, tile, tile.codes.data() + c * tile.capacity)
                                : write_rows(x, j, tile, tile.start_own_rows(c, width_));
      }
      loops_.add_table_rows(table, tile.codes.data(), columns, tile.capacity, tile.classes,
                            tile.stride, tile.stride, tile.of_class(0));
    }
  }

 private:
  static constexpr double kMostCounts = 256;

  bool has_table(int j) const { return counts_[j] < rows_; }

  // Two more rows follow: one for missing numbers, which adds nothing, and one for numbers that are
  // not counts.
  void append(int j) {
    double likely = 0;  // a class of prior 0 may have no distribution
    for (int k = 0; k < classes_; ++k) likely = std::max(likely, laws_.reach(k, j));
    const int counts = static_cast<int>(std::min(likely + 16, kMostCounts));
    counts_.push_back(counts);
    begin_.push_back(table_.size());
    if (!has_table(j)) return;
    table_.resize(table_.size() + static_cast<std::size_t>(counts + 2) * width_, 0.0);
    double* row = table_.data() + begin_.back();
    for (int count = 0; count < counts; ++count, row += width_) write_count(count, j, row);
    std::fill_n(row + width_, classes_, kNegativeInfinity);
  }

  void write_count(int count, int j, double* row) const {
    const LogPoisson poisson(count);
    for (int k = 0; k < classes_; ++k) row[k] = laws_.log_probability(k, j, count, poisson);
  }

  const double* find_rows(const double* x, int j, Tile& tile, int* cell) const {
    const int counts = counts_[j];
    std::fill_n(cell, tile.stride, counts * width_);
    for (int r = 0; r < tile.rows; ++r) {
      const int count = small_count(x[r], counts);
      cell[r] = (count < counts ? count : add_other(x[r], j, r, tile)) * width_;
    }
    return table_.data() + begin_[j];
  }

  // Computes the entries of the skipped table row by row. The sums are the same to the last digit.
  const double* write_rows(const double* x, int j, Tile& tile, double* numbers) const {
    const int counts = counts_[j];
    double* row = numbers;
    for (int r = 0; r < tile.rows; ++r, row += width_) {
      const int count = small_count(x[r], counts);
      if (count < counts) {
        write_count(count, j, row);
      } else if (add_other(x[r], j, r, tile) > counts) {
        std::fill_n(row, classes_, kNegativeInfinity);
      }
    }
    return numbers;
  }

  // Adds a number that the table lacks; returns its row in the table.
  int add_other(double x, int j, int r, Tile& tile) const {
    const int nothing = counts_[j];
    if (!std::isfinite(x)) return nothing;
    if (!is_count(x)) return nothing + 1;
    const LogPoisson poisson(x);
    for (int k = 0; k < classes_; ++k) {
      tile.of_class(k)[r] += laws_.log_probability(k, j, x, poisson);
    }
    return nothing;
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const IntVector& features_;
  Index rows_;
  Laws laws_;
  int classes_, width_;
  IntVector counts_;                // in the table of each feature
  std::vector<std::size_t> begin_;  // of each feature's table
  Vector table_;
};

}  // namespace bayesrisk
