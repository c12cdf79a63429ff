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
bool comes_before(const RowPoints& rows, Index i, Index j);

// The rows in an order in which equal rows stand side by side; equal rows become one row.
RowPoints unite_neighbours(const RowPoints& rows, const std::vector<Index>& order);

RowPoints sort_rows(const RowPoints& rows);

RowPoints unite_rows(const RowPoints& a, const RowPoints& b);

// Which rows are collected: the complete ones, or those with known and missing numbers.
enum class RowKind { complete, incomplete };

// Rows with an infinite number are of no kind.
bool is_of_kind(RowKind kind, const std::vector<const double*>& x, int r);

// The rows of a kind of each group in a chunk.
std::vector<RowPoints> collect_rows(RowKind kind, const IntVector& features, const Frame& frame,
                                    const Chunk& chunk);

// The number of rows of the chunk that count and have no number at all.
double count_unknown(const IntVector& features, const Frame& frame, const Chunk& chunk);

// The rows in other columns: column j goes to `to[j]`, or is dropped if that is negative.
RowPoints move_columns(const RowPoints& rows, const IntVector& to, Index size);

void check_rows(RowKind kind, const std::vector<RowPoints>& points, int groups, int size);

}  // namespace bayesrisk
