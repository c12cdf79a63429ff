#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>

#include <cmath>
#include <numeric>

namespace bayesrisk {

// The different rows of a block in a group, in increasing order: a matrix with the numbers of a row
// and, in the last column, its weight.
using RowPoints = Matrix;

// Whether row i comes before row j; weights do not count.
inline bool comes_before(const RowPoints& rows, Index i, Index j) {
  for (Index c = 0; c + 1 < rows.cols(); ++c) {
    if (rows(i, c) != rows(j, c)) return rows(i, c) < rows(j, c);
  }
  return false;
}

// The rows in an order in which equal rows stand side by side; equal rows become one row.
inline RowPoints unite_neighbours(const RowPoints& rows, const std::vector<Index>& order) {
  RowPoints result(rows.rows(), rows.cols());
  Index count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && !comes_before(rows, order[i - 1], order[i])) {
      result(count - 1, rows.cols() - 1) += rows(order[i], rows.cols() - 1);
    } else {
      result.row(count++) = rows.row(order[i]);
    }
  }
  return result.topRows(count);
}

inline RowPoints sort_rows(const RowPoints& rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index i, Index j) { return comes_before(rows, i, j); });
  return unite_neighbours(rows, order);
}

inline RowPoints unite_rows(const RowPoints& a, const RowPoints& b) {
  if (b.rows() == 0) return a;
  if (a.rows() == 0) return b;
  RowPoints both(a.rows() + b.rows(), a.cols());
  both << a, b;
  std::vector<Index> order(static_cast<std::size_t>(both.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::inplace_merge(order.begin(), order.begin() + a.rows(), order.end(),
                     [&](Index i, Index j) { return comes_before(both, i, j); });
  return unite_neighbours(both, order);
}

// The complete rows of each group in a chunk.
inline std::vector<RowPoints> collect_rows(const IntVector& features, const Frame& frame,
                                           const Chunk& chunk) {
  const auto size = static_cast<Index>(features.size());
  Matrix buffer(chunk.rows, size);
  std::vector<const double*> x;
  for (Index j = 0; j < size; ++j) {
    x.push_back(load_numbers(frame.columns[features[static_cast<std::size_t>(j)]], chunk.begin,
                             chunk.rows, chunk.rows, buffer.col(j).data()));
  }
  std::vector<std::vector<int>> complete(static_cast<std::size_t>(chunk.groups));
  for (int r = 0; r < chunk.rows; ++r) {
    if (chunk.group[r] == chunk.groups || (chunk.weight && !(chunk.weight[r] > 0))) continue;
    const bool known = std::all_of(x.begin(), x.end(),
                                   [r](const double* column) { return std::isfinite(column[r]); });
    if (known) complete[chunk.group[r]].push_back(r);
  }
  std::vector<RowPoints> result;
  for (const std::vector<int>& rows : complete) {
    RowPoints points(rows.size(), size + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto to = static_cast<Index>(i);
      // Adding 0 turns -0 into 0.
      for (Index j = 0; j < size; ++j) points(to, j) = x[j][rows[i]] + 0.0;
      points(to, size) = chunk.weight ? chunk.weight[rows[i]] : 1.0;
    }
    result.push_back(sort_rows(points));
  }
  return result;
}

inline void check_rows(const std::vector<RowPoints>& points, int groups, int size) {
  require(static_cast<int>(points.size()) == groups, "points: wrong length");
  for (const RowPoints& rows : points) {
    require(rows.cols() == size + 1, "points: wrong dimensions");
    require(rows.leftCols(size).allFinite(), "points: not finite");
    for (Index i = 1; i < rows.rows(); ++i) {
      require(comes_before(rows, i - 1, i), "points: not increasing");
    }
    require(not_negative(rows.col(size)), "points: negative");
  }
}

}  // namespace bayesrisk
