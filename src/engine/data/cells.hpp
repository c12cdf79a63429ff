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
int count_below(const int* ascending, int count, int wanted);

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
  int lower(int term, Index r) const;
};

// Requires that the rows of each term ascend and are there. If they descend only between terms,
// they ascend within each.
void check_rows(const CellsByTerm& matrix, int first, int last);

// Cuts the terms into parts of about `cells` cells: the first term of each part, and the end.
IntVector cut_terms(const CellsByTerm& matrix, int cells);

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
std::shared_ptr<const RunStarts> check_cells(const CellsByTerm& matrix, Index cells,
                                             const Context& context = Context(), Index runs = 0);

// The terms of the rows of a matrix, and the places of their cells.
struct CellsByRow {
  std::vector<Index> begin;  // of each row, and the end of the last one
  IntVector term, cell;

  explicit CellsByRow(const CellsByTerm& matrix);
};

// The cells of some rows of a matrix, which ascend, as a matrix of its own.
class CellsOfRows {
 public:
  CellsOfRows(const CellsByTerm& matrix, const Index* rows, Index count);

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
