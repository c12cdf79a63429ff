#pragma once

#include <engine/core/context.hpp>
#include <engine/simd/tile_loops.hpp>

#include <algorithm>
#include <memory>

namespace bayesrisk {

// A bag is one feature with many terms, for example words: a sparse matrix with a row for each case
// and a column for each term. A cell that is not stored is 0.

// The count of the numbers below `wanted` among ascending numbers. Without branches, because no
// processor predicts these.
inline int count_below(const int* ascending, int count, int wanted) {
  const int* from = ascending;
  for (; count > 1; count -= count / 2) from += (from[count / 2 - 1] < wanted) * (count / 2);
  return static_cast<int>(from - ascending) + (count == 1 && *from < wanted);
}

// The places where runs of rows begin among the cells of each term: run x term. A run begins every
// `spacing` rows; the first run begins with the first cell and is not listed.
struct RunStarts {
  Index spacing = 1;
  IntVector place;
};

// A view of the compressed columns of R's Matrix package. The rows of a term ascend.
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
    if (wanted >= rows) return to;
    if (starts && wanted >= starts->spacing) {
      const Index run = wanted / starts->spacing;
      from = starts->place[static_cast<std::size_t>((run - 1) * terms + term)];
      if (wanted % starts->spacing == 0) return from;
    }
    return from + count_below(row + from, to - from, static_cast<int>(wanted));
  }
};

// Requires that the rows of each term ascend and are there. If they descend only between terms,
// they ascend within each.
inline void check_rows(const CellsByTerm& matrix, int first, int last) {
  const int from = matrix.begin[first], to = matrix.begin[last];
  int between = 0;
  bool inside = true;
  for (int t = first; t < last; ++t) {
    const int *row = matrix.row + matrix.begin[t], *end = matrix.row + matrix.begin[t + 1];
    if (row == end) continue;
    between += row > matrix.row + from && row[-1] >= row[0];
    inside &= row[0] >= 0 && end[-1] < matrix.rows;
  }
  const int descents = simd::tile_loops().count_descents(matrix.row + from, to - from);
  require(inside && descents == between, "sparse matrix: rows that do not ascend");
}

// Cuts the terms into parts of about `cells` cells: the first term of each part, and the end.
inline IntVector cut_terms(const CellsByTerm& matrix, int cells) {
  IntVector cuts{0};
  for (int t = 1; t < matrix.terms; ++t) {
    if (matrix.begin[t + 1] - matrix.begin[cuts.back()] > cells) cuts.push_back(t);
  }
  cuts.push_back(matrix.terms);
  return cuts;
}

constexpr int kCellsOfPart = 1 << 15;  // that one task reads

// The number of runs of rows where it may not depend on the number of threads. Each run reads every
// term, so there are more runs if terms have more cells.
inline Index runs_of(const CellsByTerm& matrix, Index cells) {
  constexpr Index kCellsOfRun = 128, kMostRuns = 16;  // per term
  return std::clamp<Index>(cells / (kCellsOfRun * std::max(matrix.terms, 1)), 1, kMostRuns);
}

// Checks a matrix that comes from outside, and finds the starts of its runs in the same reading. A
// matrix that passes cannot cause a read out of range. `cells`: how many are stored; `runs`: 0
// means runs_of().
inline std::shared_ptr<const RunStarts> check_cells(const CellsByTerm& matrix, Index cells,
                                                    const Context& context = Context(),
                                                    Index runs = 0) {
  constexpr int kCells = 16384;  // fit into the cache
  require(matrix.begin[0] == 0 && matrix.begin[matrix.terms] == cells, "sparse matrix: wrong ends");
  bool ascends = true;
  for (int t = 0; t < matrix.terms; ++t) ascends &= matrix.begin[t] <= matrix.begin[t + 1];
  require(ascends, "sparse matrix: columns that do not ascend");
  auto starts = std::make_shared<RunStarts>();
  const Index run = rows_of_run(matrix.rows, runs > 0 ? runs : runs_of(matrix, cells));
  starts->spacing = run;
  const Index later = std::max<Index>((matrix.rows + run - 1) / run - 1, 0);
  starts->place.resize(static_cast<std::size_t>(later * matrix.terms));
  const IntVector parts = cut_terms(matrix, kCellsOfPart);
  context.run(static_cast<Index>(parts.size()) - 1, [&](Index part) {
    const int end = parts[part + 1];
    for (int t = parts[part], last = t; t < end; t = last) {
      for (++last; last < end && matrix.begin[last + 1] - matrix.begin[t] <= kCells;) ++last;
      check_rows(matrix, t, last);
      for (Index r = 0; r < later; ++r) {
        int* place = starts->place.data() + r * matrix.terms;
        for (int i = t; i < last; ++i) {
          const int from = matrix.begin[i], count = matrix.begin[i + 1] - from;
          place[i] = from + count_below(matrix.row + from, count, static_cast<int>((r + 1) * run));
        }
      }
    }
  });
  return starts;
}

// The terms of the rows of a matrix, and the places of their cells.
struct CellsByRow {
  std::vector<Index> begin;  // of each row, and the end of the last one
  IntVector term, cell;

  explicit CellsByRow(const CellsByTerm& matrix)
      : begin(static_cast<std::size_t>(matrix.rows) + 1, 0) {
    const int cells = matrix.begin[matrix.terms];
    for (int c = 0; c < cells; ++c) ++begin[static_cast<std::size_t>(matrix.row[c]) + 1];
    for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
    term.resize(static_cast<std::size_t>(cells));
    cell.resize(static_cast<std::size_t>(cells));
    std::vector<Index> next(begin.begin(), begin.end() - 1);
    for (int t = 0; t < matrix.terms; ++t) {
      for (int c = matrix.begin[t]; c < matrix.begin[t + 1]; ++c) {
        const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(matrix.row[c])]++);
        term[to] = t;
        cell[to] = c;
      }
    }
  }
};

// The cells of some rows of a matrix, which ascend, as a matrix of its own.
class CellsOfRows {
 public:
  CellsOfRows(const CellsByTerm& matrix, const Index* rows, Index count) : rows_(count) {
    IntVector place(static_cast<std::size_t>(matrix.rows), -1);
    for (Index i = 0; i < count; ++i) {
      place[static_cast<std::size_t>(rows[i] + matrix.first_row)] = static_cast<int>(i);
    }
    for (int t = 0; t < matrix.terms; ++t) {
      for (int c = matrix.begin[t]; c < matrix.begin[t + 1]; ++c) {
        const int to = place[static_cast<std::size_t>(matrix.row[c])];
        if (to < 0) continue;
        row_.push_back(to);
        value_.push_back(matrix.value[c]);
      }
      begin_.push_back(static_cast<int>(row_.size()));
    }
  }

  CellsByTerm view() const {
    const int terms = static_cast<int>(begin_.size()) - 1;
    return {begin_.data(), row_.data(), value_.data(), terms, rows_};
  }

 private:
  Index rows_;
  IntVector begin_{0}, row_;
  Vector value_;
};

}  // namespace bayesrisk
