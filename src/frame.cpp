#include "frame.h"

namespace bind {

namespace {

SEXP slot_of(SEXP matrix, const char* name, SEXPTYPE type) {
  const SEXP symbol = Rf_install(name);
  require(R_has_slot(matrix, symbol) && TYPEOF(R_do_slot(matrix, symbol)) == static_cast<int>(type),
          "sparse matrix: a slot is missing or damaged");
  return R_do_slot(matrix, symbol);
}

// The slots of a dgCMatrix, which may be damaged.
CellsByTerm read_cells(SEXP matrix, Index rows, const Reading& how) {
  const SEXP size = slot_of(matrix, "Dim", INTSXP), begin = slot_of(matrix, "p", INTSXP);
  const SEXP row = slot_of(matrix, "i", INTSXP), value = slot_of(matrix, "x", REALSXP);
  require(Rf_xlength(size) == 2 && INTEGER_RO(size)[0] == rows && INTEGER_RO(size)[1] >= 0,
          "sparse matrix: wrong dimensions");
  const int terms = INTEGER_RO(size)[1];
  require(Rf_xlength(begin) == terms + R_xlen_t{1} && Rf_xlength(value) == Rf_xlength(row),
          "sparse matrix: wrong lengths");
  CellsByTerm cells{INTEGER_RO(begin), INTEGER_RO(row), REAL_RO(value), terms, rows};
  cells.starts = check_cells(cells, Rf_xlength(row), how.context, how.runs);
  return cells;
}

// Sets the vector of a column, which is the `place`-th of a matrix.
void read_vector(SEXP values, Index rows, int place, Column& column) {
  const R_xlen_t offset = static_cast<R_xlen_t>(place - 1) * rows;
  require(place >= 1 && Rf_xlength(values) >= offset + rows, "frame: a column is too short");
  // A read-only pointer, because for a writable one R would copy a vector that wraps another.
  if (TYPEOF(values) == REALSXP) {
    column.real = REAL_RO(values) + offset;
  } else if (TYPEOF(values) == INTSXP) {
    column.integer = INTEGER_RO(values) + offset;
  } else {
    require(TYPEOF(values) == LGLSXP, "frame: a column of a type that is not read");
    column.integer = LOGICAL_RO(values) + offset;
  }
}

}  // namespace

Column read_column(const Rcpp::List& column, Index rows, const Reading& how) {
  SEXP values = element(column, "data"), remap = element(column, "remap");
  Column result;
  result.first_code = Rcpp::as<int>(element(column, "first_code"));
  result.stored_levels = Rcpp::as<int>(element(column, "stored_levels"));
  require(result.stored_levels >= 0, "frame: a negative number of levels");
  if (TYPEOF(values) == S4SXP) {
    result.by_term = read_cells(values, rows, how);
    require(result.stored_levels == result.by_term.terms, "frame: a wrong number of terms");
  } else {
    read_vector(values, rows, Rcpp::as<int>(element(column, "column")), result);
  }
  if (remap == R_NilValue) return result;
  require(TYPEOF(remap) == INTSXP && Rf_xlength(remap) == result.stored_levels,
          "frame: a remap of the wrong length");
  result.remap = INTEGER(remap);
  return result;
}

Frame read_frame(const Rcpp::List& frame, const Reading& how) {
  Frame result;
  result.rows = static_cast<Index>(Rcpp::as<double>(element(frame, "rows")));
  const Rcpp::List columns = element(frame, "columns");
  const SEXP names = Rf_getAttrib(columns, R_NamesSymbol);
  for (R_xlen_t j = 0; j < columns.size(); ++j) {
    try {
      result.columns.push_back(read_column(columns[j], result.rows, how));
    } catch (const InvalidState& problem) {
      if (names == R_NilValue) throw;
      const std::string name = Rf_translateCharUTF8(STRING_ELT(names, j));
      throw InvalidState(std::string(problem.what()) + "\n" + name);
    }
  }
  return result;
}

Rcpp::List write_columns(const Frame& frame) {
  Rcpp::List columns(frame.columns.size());
  for (std::size_t j = 0; j < frame.columns.size(); ++j) {
    const Column& column = frame.columns[j];
    if (column.stored_levels == 0) {
      columns[j] = Rcpp::NumericVector(column.real, column.real + frame.rows);
    } else {
      columns[j] = from_one(IntVector(column.integer, column.integer + frame.rows));
    }
  }
  return columns;
}

const double* read_weight(SEXP weight, Index count) {
  if (weight == R_NilValue) return nullptr;
  require(TYPEOF(weight) == REALSXP && Rf_xlength(weight) == count, "weight: wrong length");
  return REAL_RO(weight);
}

const int* read_clusters(SEXP cluster, Index count) {
  if (cluster == R_NilValue) return nullptr;
  require(TYPEOF(cluster) == INTSXP && Rf_xlength(cluster) == count, "cluster: wrong length");
  const int* of = INTEGER_RO(cluster);
  for (Index r = 0; r < count; ++r) require(of[r] >= 1 && of[r] <= count, "no such cluster");
  return of;
}

Rows read_rows(SEXP group, SEXP weight, int groups, Index count) {
  require(TYPEOF(group) == INTSXP && Rf_xlength(group) == count, "group: wrong length");
  return {INTEGER_RO(group), read_weight(weight, count), groups};
}

}  // namespace bind
