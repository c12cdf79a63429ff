#pragma once

// R columns as the engine sees them: pointers into the vectors themselves.

#include "lists.h"

namespace doors {

// `column`: list(data (a vector or a matrix), column (its number in the matrix), first_code,
// stored_levels, remap).
inline Column read_column(const Rcpp::List& column, Index rows) {
  SEXP values = element(column, "data"), remap = element(column, "remap");
  const int place = Rcpp::as<int>(element(column, "column"));
  const R_xlen_t offset = static_cast<R_xlen_t>(place - 1) * rows;
  require(place >= 1 && Rf_xlength(values) >= offset + rows, "frame: a column is too short");
  Column result;
  // A read-only pointer, because for a writable one R would copy a vector that wraps another.
  if (TYPEOF(values) == REALSXP) {
    result.real = REAL_RO(values) + offset;
  } else if (TYPEOF(values) == INTSXP) {
    result.integer = INTEGER_RO(values) + offset;
  } else {
    require(TYPEOF(values) == LGLSXP, "frame: a column of a type that is not read");
    result.integer = LOGICAL_RO(values) + offset;
  }
  result.first_code = Rcpp::as<int>(element(column, "first_code"));
  result.stored_levels = Rcpp::as<int>(element(column, "stored_levels"));
  require(result.stored_levels >= 0, "frame: a negative number of levels");
  if (remap == R_NilValue) return result;
  require(TYPEOF(remap) == INTSXP && Rf_xlength(remap) == result.stored_levels,
          "frame: a remap of the wrong length");
  result.remap = INTEGER(remap);
  return result;
}

// `frame`: list(rows, columns).
inline Frame read_frame(const Rcpp::List& frame) {
  Frame result;
  result.rows = static_cast<Index>(Rcpp::as<double>(element(frame, "rows")));
  const Rcpp::List columns = element(frame, "columns");
  for (SEXP column : columns) result.columns.push_back(read_column(column, result.rows));
  return result;
}

// Drawn columns for R: numbers, or codes from 1. Without rows the pointers are null, so only the
// levels distinguish numbers and codes.
inline Rcpp::List write_columns(const Frame& frame) {
  Rcpp::List columns(frame.columns.size());
  for (std::size_t j = 0; j < frame.columns.size(); ++j) {
    const Column& column = frame.columns[j];
    if (column.stored_levels == 0) {
      columns[j] = Rcpp::NumericVector(column.real, column.real + frame.rows);
    } else {
      columns[j] = Rcpp::IntegerVector(column.integer, column.integer + frame.rows) + 1;
    }
  }
  return columns;
}

// The rows that count, and their groups. `group`: from 1, NA: left out; `weight` may be NULL.
inline Rows read_rows(SEXP group, SEXP weight, int groups, Index count) {
  require(TYPEOF(group) == INTSXP && Rf_xlength(group) == count, "group: wrong length");
  Rows rows{INTEGER_RO(group), nullptr, groups};
  if (weight == R_NilValue) return rows;
  require(TYPEOF(weight) == REALSXP && Rf_xlength(weight) == count, "weight: wrong length");
  rows.weight = REAL_RO(weight);
  return rows;
}

}  // namespace doors
