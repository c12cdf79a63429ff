#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/data/rows.hpp>
#include <engine/data/slots.hpp>

namespace bayesrisk {

// The features from `first` to `last` - 1, whose codes are read together. A row is in one cell of
// their joint table, in which the last feature varies fastest. Each feature has one slot more than
// levels, for codes without a level.
struct Join {
  int first, last, cells;
};

// The number of cells must fit an integer.
inline void require_cells(const Join& join, int numbers) {
  require(static_cast<double>(join.cells) * numbers <= std::numeric_limits<int>::max(),
          "levels: too many for as many classes");
}

std::vector<Join> join_features(const IntVector& levels, double most_cells);

// Finds the cells of the rows of a chunk in joint tables of codes and groups. The group varies
// fastest.
template <class Plan>
class ChunkCells {
 public:
  static constexpr int kSlice = 1024;  // the most rows at a time

  ChunkCells(const Plan& plan, const Frame& frame, const Chunk& chunk, Diagnostics& diagnostics)
      : plan_(plan), frame_(frame), chunk_(chunk), diagnostics_(diagnostics) {}

  // Calls use(first, rows, cell) for one run of rows after the other.
  template <class Use>
  void for_each_slice(const Join& join, Use use) {
    require_cells(join, chunk_.groups + 1);
    for (int first = 0; first < chunk_.rows; first += kSlice) {
      const int rows = std::min(kSlice, chunk_.rows - first);
      std::copy_n(chunk_.group + first, rows, cell_);
      int scale = (chunk_.groups + 1) * join.cells;
      for (int j = join.first; j < join.last; ++j) {
        scale /= plan_.levels[j] + 1;
        const Column& column = frame_.columns[plan_.features[j]];
        const Index begin = chunk_.begin + first;
        if (add_slots(loops_, column, begin, rows, plan_.levels[j], scale, cell_)) {
          report_malformed(j, first, rows);
        }
      }
      use(first, rows, cell_);
    }
  }

 private:
  void report_malformed(int j, int first, int rows) {
    const int feature = plan_.features[j];
    double count = 0;
    for (int r = first; r < first + rows; ++r) {
      const Column& column = frame_.columns[feature];
      const int level = level_of(column, column.integer[chunk_.begin + r]);
      count += is_malformed(level, plan_.levels[j]) && chunk_.group[r] < chunk_.groups;
    }
    if (count > 0) diagnostics_.add(Problem::malformed, kAll, feature, count);
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Plan& plan_;
  const Frame& frame_;
  const Chunk& chunk_;
  Diagnostics& diagnostics_;
  int cell_[kSlice];
};

}  // namespace bayesrisk
