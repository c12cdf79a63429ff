#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <memory>

namespace bayesrisk {

// A bag is one feature with many terms, for example words: a sparse matrix with a row for each case
// and a column for each term. A cell that is not stored is 0. The classes below are views of such a
// matrix.

// The places where runs of rows begin among the cells of each term: run x term. A run begins every
// `spacing` rows.
struct RunStarts {
  Index spacing = 1;
  IntVector place;
};

// By term: the compressed columns of R's Matrix package. The rows of a term ascend.
struct CellsByTerm {
  const int* begin = nullptr;  // of each term, and the end of the last one
  const int* row = nullptr;
  const double* value = nullptr;
  int terms = 0;
  Index rows = 0;
  Index first_row = 0;  // the row of the matrix that is row 0 of the frame
  std::shared_ptr<const RunStarts> starts{};

  explicit operator bool() const { return begin != nullptr; }

  // The first cell of a term in the row `r` of the frame or below.
  int lower(int term, Index r) const {
    const Index wanted = r + first_row;
    int from = begin[term], to = begin[term + 1];
    if (wanted == 0) return from;
    if (starts) {
      const Index run = wanted / starts->spacing;
      const auto at = static_cast<std::size_t>(run) * terms + term;
      if (at < starts->place.size()) from = starts->place[at];
      if (wanted % starts->spacing == 0) return from;
    }
    return static_cast<int>(std::lower_bound(row + from, row + to, static_cast<int>(wanted)) - row);
  }
};

// By row: the cells of a row stand side by side. Rows may be in any order.
struct CellsByRow {
  const Index *begin = nullptr, *end = nullptr;  // of each row
  const int* term = nullptr;
  const double* value = nullptr;

  explicit operator bool() const { return begin != nullptr; }
};

// The rows of a matrix are scored in a few runs, because each run reads every term.
constexpr Index kCellRuns = 8;

// Checks a matrix that comes from outside, and finds the starts of its runs in the same reading. A
// matrix that passes cannot cause a read out of range. `cells`: how many are stored.
inline std::shared_ptr<const RunStarts> check_cells(const CellsByTerm& matrix, Index cells,
                                                    Index run) {
  require(matrix.begin[0] == 0 && matrix.begin[matrix.terms] == cells, "cells: wrong ends");
  auto starts = std::make_shared<RunStarts>();
  starts->spacing = run;
  const Index rows = matrix.rows, runs = (rows + run - 1) / run;
  starts->place.resize(static_cast<std::size_t>(runs * matrix.terms));
  for (int t = 0; t < matrix.terms; ++t) {
    const int from = matrix.begin[t], to = matrix.begin[t + 1];
    require(from <= to && to <= cells, "cells: columns that do not ascend");
    const int* row = matrix.row;
    bool ascends = true;
    for (int c = from + 1; c < to; ++c) ascends &= row[c - 1] < row[c];
    require(ascends && (from == to || (row[from] >= 0 && row[to - 1] < rows)),
            "cells: rows that do not ascend");
    int place = from;
    for (Index r = 0; r < runs; ++r) {
      const int wanted = static_cast<int>(r * run);
      if (r > 0) place = static_cast<int>(std::lower_bound(row + place, row + to, wanted) - row);
      starts->place[static_cast<std::size_t>(r * matrix.terms + t)] = place;
    }
  }
  return starts;
}

// The cells of a matrix by row.
class TurnedCells {
 public:
  explicit TurnedCells(const CellsByTerm& matrix)
      : begin_(static_cast<std::size_t>(matrix.rows) + 1, 0) {
    const int cells = matrix.begin[matrix.terms];
    for (int c = 0; c < cells; ++c) ++begin_[static_cast<std::size_t>(matrix.row[c]) + 1];
    for (std::size_t r = 1; r < begin_.size(); ++r) begin_[r] += begin_[r - 1];
    term_.resize(static_cast<std::size_t>(cells));
    value_.resize(static_cast<std::size_t>(cells));
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    for (int t = 0; t < matrix.terms; ++t) {
      for (int c = matrix.begin[t]; c < matrix.begin[t + 1]; ++c) {
        const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(matrix.row[c])]++);
        term_[to] = t;
        value_[to] = matrix.value[c];
      }
    }
  }

  CellsByRow view() const {
    return {begin_.data(), begin_.data() + 1, term_.data(), value_.data()};
  }

 private:
  std::vector<Index> begin_;
  IntVector term_;
  Vector value_;
};

}  // namespace bayesrisk
