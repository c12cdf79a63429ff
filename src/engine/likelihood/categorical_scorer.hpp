#pragma once

#include <engine/likelihood/categorical.hpp>
#include <engine/likelihood/joins.hpp>

namespace bayesrisk {

// Scores several features at a time, as long as the table of their sums is small. The log
// probabilities of a cell stand side by side for all classes; a missing code adds nothing. With
// fewer rows than cells the table is skipped.
class Categorical::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows)
      : plan_(plan),
        log_probability_(parameters.log_probability),
        offset_(plan.offsets()),
        rows_(rows),
        classes_(static_cast<int>(parameters.log_probability.rows())),
        width_(simd::padded_classes(classes_)),
        joins_(join_features(plan.levels, kTableNumbers / width_)) {
    for (const Join& join : joins_) {
      require_cells(join, width_);
      begin_.push_back(table_.size());
      join_of_.insert(join_of_.end(), join.last - join.first, static_cast<int>(begin_.size()) - 1);
      if (has_table(join)) append(join);
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from == to) return;
    const int last = join_of_[to - 1] + 1;
    for (int first = join_of_[from]; first < last; first += Tile::kCodeColumns) {
      const int columns = std::min(Tile::kCodeColumns, last - first);
      const double* table[Tile::kCodeColumns];
      for (int c = 0; c < columns; ++c) {
        const Join& join = joins_[first + c];
        int* cell = tile.codes.data() + c * tile.capacity;
        table[c] = has_table(join) ? table_.data() + begin_[first + c] +
                                         find_cells(frame, join, from, to, tile, cell)
                                   : sum_rows(frame, join, from, to, tile, c);
      }
      loops_.add_table_rows(table, tile.codes.data(), columns, tile.capacity, classes_, tile.stride,
                            tile.stride, tile.of_class(0));
    }
  }

 private:
  static constexpr int kTableNumbers = 512;

  bool has_table(const Join& join) const { return rows_ * (join.last - join.first) >= join.cells; }

  // Adds the features in their order.
  void append(const Join& join) {
    const std::size_t begin = table_.size();
    table_.resize(begin + static_cast<std::size_t>(join.cells) * width_, 0.0);
    const auto row = [&](int cell) {
      return &table_[begin + static_cast<std::size_t>(cell) * width_];
    };
    int cells = 1;
    for (int j = join.first; j < join.last; ++j) {
      const int levels = plan_.levels[j];
      // Starts with the last cell, so that no cell is overwritten before it was read.
      for (int c = cells - 1; c >= 0; --c) {
        for (int slot = levels; slot >= 0; --slot) {
          const double* before = row(c);
          double* sum = row(c * (levels + 1) + slot);
          for (int k = 0; k < classes_; ++k) {
            sum[k] = before[k];
            if (slot < levels) sum[k] += log_probability_(k, offset_[j] + slot);
          }
        }
      }
      cells *= levels + 1;
    }
  }

  // Finds the cell of each row relative to the returned cell. A feature that is not requested
  // counts as missing.
  int find_cells(const Frame& frame, const Join& join, int from, int to, Tile& tile,
                 int* cell) const {
    std::fill_n(cell, tile.stride, 0);
    int scale = width_ * join.cells, start = 0;
    for (int j = join.first; j < join.last; ++j) {
      const int levels = plan_.levels[j];
      scale /= levels + 1;
      if (j >= from && j < to) {
        add_tile_slots(loops_, frame, plan_.features[j], levels, scale, tile, cell);
      } else {
        start += levels * scale;
      }
    }
    return start;
  }

  // Computes the entries of the skipped table row by row. The sums are the same to the last digit.
  const double* sum_rows(const Frame& frame, const Join& join, int from, int to, Tile& tile,
                         int column) const {
    IntVector slot;
    double* numbers = tile.start_own_rows(column, width_);
    for (int j = std::max(from, join.first); j < std::min(to, join.last); ++j) {
      slot.assign(tile.stride, 0);
      add_tile_slots(loops_, frame, plan_.features[j], plan_.levels[j], 1, tile, slot.data());
      for (int r = 0; r < tile.rows; ++r) {
        if (slot[r] == plan_.levels[j]) continue;
        double* sum = numbers + static_cast<std::size_t>(r) * width_;
        for (int k = 0; k < classes_; ++k) sum[k] += log_probability_(k, offset_[j] + slot[r]);
      }
    }
    return numbers;
  }

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
