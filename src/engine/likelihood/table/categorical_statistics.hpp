#pragma once

#include <engine/likelihood/table/categorical.hpp>
#include <engine/likelihood/table/joins.hpp>
#include <engine/simd/cells.hpp>

namespace bayesrisk {

// Counts the levels in one chunk. Several features are counted together while their joint table
// fits the cache: a row adds to one cell, and sums over the table give the counts of each feature.
// Counts of a chunk fit an int; weights do not.
class LevelCounter {
 public:
  LevelCounter(const Categorical::Plan& plan, const Chunk& chunk, Matrix& count)
      : plan_(plan), chunk_(chunk), count_(count), slots_(chunk.groups + 1) {}

  template <class Count>
  void collect(ChunkCells<Categorical::Plan>& rows_in_cells) {
    const IntVector offset = plan_.offsets();
    // With fewer rows than cells the table is skipped: it would cost more than it saves.
    const double fitting = kTableBytes / (simd::kCountBanks * sizeof(Count));
    const double most = std::min<double>(fitting, chunk_.rows / 4);
    std::vector<Count> table;
    for (const Join& join : join_features(plan_.levels, most / slots_)) {
      chunk_.check();
      const int cells = join.cells * slots_;
      table.assign(static_cast<std::size_t>(cells) * simd::kCountBanks, Count{0});
      rows_in_cells.for_each_slice(join, [&](int first, int rows, const int* cell) {
        add_rows(cell, first, rows, cells, table.data());
      });
      simd::add_cells(table.data() + cells, cells, table.data());
      sum_out(join, offset, table.data());
    }
  }

 private:
  static constexpr double kTableBytes = 16384;

  void add_rows(const int* cell, int, int rows, int cells, int* table) const {
    simd::count_cells(cell, rows, cells, table);
  }
  void add_rows(const int* cell, int first, int rows, int cells, double* table) const {
    simd::add_weights(cell, chunk_.weight + first, rows, cells, table);
  }

  template <class Count>
  void sum_out(const Join& join, const IntVector& offset, Count* table) {
    std::vector<Count> total(slots_);
    int cells = join.cells * slots_;
    for (int j = join.first; j < join.last; ++j) {
      const int levels = plan_.levels[j];
      cells /= levels + 1;
      for (int l = 0; l < levels; ++l) {
        std::fill(total.begin(), total.end(), Count{0});
        for (int i = 0; i < cells; i += slots_) {
          simd::add_cells(table + l * cells + i, slots_, total.data());
        }
        for (int g = 0; g < chunk_.groups; ++g) count_(g, offset[j] + l) += total[g];
      }
      for (int l = 1; l <= levels && j + 1 < join.last; ++l) {
        simd::add_cells(table + l * cells, cells, table);
      }
    }
  }

  const Categorical::Plan& plan_;
  const Chunk& chunk_;
  Matrix& count_;
  int slots_;
};

}  // namespace bayesrisk
