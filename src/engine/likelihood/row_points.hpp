#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>

#include <cmath>
#include <numeric>

namespace bayesrisk {

// The different rows of a block in a group, in increasing order: a matrix with the numbers of a row
// and, in the last column, its weight. NaN, a missing number, comes after all numbers.
using RowPoints = Matrix;

// Whether row i comes before row j; weights do not count.
inline bool comes_before(const RowPoints& rows, Index i, Index j) {
  for (Index c = 0; c + 1 < rows.cols(); ++c) {
    const double a = rows(i, c), b = rows(j, c);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    return a < b || std::isnan(b);
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

// Which rows are collected: the complete ones, or those with known and missing numbers.
enum class RowKind { complete, incomplete };

// Rows with an infinite number are of no kind.
inline bool is_of_kind(RowKind kind, const std::vector<const double*>& x, int r) {
  bool any = false, all = true;
  for (const double* column : x) {
    if (std::isinf(column[r])) return false;
    const bool known = std::isfinite(column[r]);
    any = any || known;
    all = all && known;
    if (!all && kind == RowKind::complete) return false;
  }
  return kind == RowKind::complete || (any && !all);
}

// The rows of a kind of each group in a chunk.
inline std::vector<RowPoints> collect_rows(RowKind kind, const IntVector& features,
                                           const Frame& frame, const Chunk& chunk) {
  const auto size = static_cast<Index>(features.size());
  Matrix buffer(chunk.rows, size);
  std::vector<const double*> x;
  for (Index j = 0; j < size; ++j) {
    x.push_back(load_numbers(frame.columns[features[static_cast<std::size_t>(j)]], chunk.begin,
                             chunk.rows, chunk.rows, buffer.col(j).data()));
  }
  std::vector<std::vector<int>> found(static_cast<std::size_t>(chunk.groups));
  for (int r = 0; r < chunk.rows; ++r) {
    if (chunk.group[r] == chunk.groups || (chunk.weight && !(chunk.weight[r] > 0))) continue;
    if (is_of_kind(kind, x, r)) found[chunk.group[r]].push_back(r);
  }
  std::vector<RowPoints> result;
  for (const std::vector<int>& rows : found) {
    RowPoints points(rows.size(), size + 1);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto to = static_cast<Index>(i);
      // Adding 0 turns -0 into 0. There is one NaN for all that is missing.
      for (Index j = 0; j < size; ++j) {
        const double value = x[j][rows[i]];
        points(to, j) = std::isnan(value) ? kNaN : value + 0.0;
      }
      points(to, size) = chunk.weight ? chunk.weight[rows[i]] : 1.0;
    }
    result.push_back(sort_rows(points));
  }
  return result;
}

// The number of rows of the chunk that count and have no number at all.
inline double count_unknown(const IntVector& features, const Frame& frame, const Chunk& chunk) {
  IntVector unknown(static_cast<std::size_t>(chunk.rows), 1);
  Vector buffer(static_cast<std::size_t>(chunk.rows));
  for (int j : features) {
    const double* x =
        load_numbers(frame.columns[j], chunk.begin, chunk.rows, chunk.rows, buffer.data());
    for (int r = 0; r < chunk.rows; ++r) unknown[r] &= std::isnan(x[r]);
  }
  double count = 0;
  for (int r = 0; r < chunk.rows; ++r) count += unknown[r] && chunk.group[r] != chunk.groups;
  return count;
}

// The rows in other columns: column j goes to `to[j]`, or is dropped if that is negative.
inline RowPoints move_columns(const RowPoints& rows, const IntVector& to, Index size) {
  RowPoints moved = RowPoints::Constant(rows.rows(), size + 1, kNaN);
  for (std::size_t j = 0; j < to.size(); ++j) {
    if (to[j] >= 0) moved.col(to[j]) = rows.col(static_cast<Index>(j));
  }
  moved.col(size) = rows.col(rows.cols() - 1);
  return sort_rows(moved);
}

inline void check_rows(RowKind kind, const std::vector<RowPoints>& points, int groups, int size) {
  require(static_cast<int>(points.size()) == groups, "points: wrong length");
  for (const RowPoints& rows : points) {
    require(rows.cols() == size + 1, "points: wrong dimensions");
    for (Index i = 0; i < rows.rows(); ++i) {
      const auto known = rows.row(i).head(size).array().isFinite();
      require(kind == RowKind::complete ? known.all() : known.any(), "points: not finite");
      require(!rows.row(i).head(size).array().isInf().any(), "points: not finite");
    }
    for (Index i = 1; i < rows.rows(); ++i) {
      require(comes_before(rows, i - 1, i), "points: not increasing");
    }
    require(not_negative(rows.col(size)), "points: negative");
  }
}

}  // namespace bayesrisk
