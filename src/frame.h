#pragma once

// R columns as the engine sees them: pointers into the vectors themselves.

#include "lists.h"

#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>

namespace bind {

// The context that checks the cells of bags, and the number of runs in which their rows will be
// read: see check_cells().
struct Reading {
  Context context{};
  Index runs = 0;
};

// `column`: list(data (a vector, a matrix or a dgCMatrix), column (its number in the matrix),
// first_code, stored_levels, remap).
Column read_column(const Rcpp::List& column, Index rows, const Reading& how = Reading());

// `frame`: list(rows, columns). A damaged sparse matrix is told by the name of its column.
Frame read_frame(const Rcpp::List& frame, const Reading& how = Reading());

// Drawn columns for R: numbers, or codes from 1. Without rows the pointers are null, so only the
// levels distinguish numbers and codes.
Rcpp::List write_columns(const Frame& frame);

// Numbers of `count` rows, and clusters, from 1; null if there are none.
const double* read_weight(SEXP weight, Index count);
const int* read_clusters(SEXP cluster, Index count);

// The rows that count, and their groups. `group`: from 1, NA: left out; `weight` may be NULL.
Rows read_rows(SEXP group, SEXP weight, int groups, Index count);

}  // namespace bind
