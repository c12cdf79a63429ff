#pragma once

#include <engine/core/counts.hpp>
#include <engine/core/diagnostics.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/cell_weights.hpp>

namespace bayesrisk {

constexpr ProblemName kTooMany{"too_many"};  // a mean above kMostCount

// The number as a count if it is below `limit`; otherwise `limit`.
inline int small_count(double x, int limit) {
  const int count = x >= 0 && x < limit ? static_cast<int>(x) : limit;
  return count == x ? count : limit;
}

// Reads the counts of a chunk, feature by feature. Numbers that are not counts are reported.
class CountReader {
 public:
  CountReader(const Frame& frame, const Chunk& chunk, Diagnostics& diagnostics);

  // Calls add(group, count, weight) for each row with a large count, and then once for all rows of
  // a group that have the same small count.
  template <class Add>
  void each(int feature, const Add& add) {
    chunk_.check();
    const int slots = chunk_.groups + 1;
    const double* x = load_numbers(frame_.columns[feature], chunk_.begin, chunk_.rows, chunk_.rows,
                                   buffer_.data());
    for (int r = 0; r < chunk_.rows; ++r) {
      const int g = chunk_.group[r], count = small_count(x[r], small_);
      cell_[r] = count * slots + g;
      if (count < small_ || g == chunk_.groups || std::isnan(x[r])) continue;
      if (std::isinf(x[r])) {
        diagnostics_.add(Problem::infinite, kAll, feature, 1);
      } else if (!is_count(x[r])) {
        diagnostics_.add(Problem::no_count, g, feature, 1);
      } else {
        add(g, x[r], chunk_.weight ? chunk_.weight[r] : 1.0);
      }
    }
    const Vector of_cell = weigh_cells(cell_, chunk_, (small_ + 1) * slots);
    for (int count = 0; count < small_; ++count) {
      for (int g = 0; g < chunk_.groups; ++g) {
        const double w = of_cell[count * slots + g];
        if (w > 0) add(g, count, w);
      }
    }
  }

 private:
  const Frame& frame_;
  const Chunk& chunk_;
  Diagnostics& diagnostics_;
  int small_;
  Vector buffer_;
  IntVector cell_;
};

}  // namespace bayesrisk
