#pragma once

// R columns as the engine sees them: pointers into the vectors themselves.

#include "lists.h"

namespace doors {

// `frame`: list(rows, data = list of vectors or matrices, and per feature
// source (which of data), column (which column of it), first_code,
// stored_levels, remap).
class FrameReader {
 public:
  explicit FrameReader(const Rcpp::List& frame)
      : data_(element(frame, "data")),
        remap_(element(frame, "remap")),
        source_(element(frame, "source")),
        column_(element(frame, "column")),
        first_code_(element(frame, "first_code")),
        stored_levels_(element(frame, "stored_levels")),
        rows_(Rcpp::as<double>(element(frame, "rows"))) {}

  Frame read() const {
    Frame result;
    result.rows = static_cast<Index>(rows_);
    const R_xlen_t features = source_.size();
    require(column_.size() == features && first_code_.size() == features &&
                stored_levels_.size() == features && remap_.size() == features,
            "frame: wrong length");
    for (R_xlen_t j = 0; j < features; ++j) result.columns.push_back(read_column(j, result.rows));
    return result;
  }

 private:
  Column read_column(R_xlen_t j, Index rows) const {
    require(source_[j] >= 1 && source_[j] <= data_.size() && column_[j] >= 1,
            "frame: no such column");
    SEXP values = data_[source_[j] - 1];
    const R_xlen_t offset = static_cast<R_xlen_t>(column_[j] - 1) * rows;
    require(Rf_xlength(values) >= offset + rows, "frame: a column is too short");
    Column column;
    // Read only: for a pointer to write to, R copies what only wraps another vector.
    if (TYPEOF(values) == REALSXP) {
      column.real = REAL_RO(values) + offset;
    } else if (TYPEOF(values) == INTSXP) {
      column.integer = INTEGER_RO(values) + offset;
    } else {
      require(TYPEOF(values) == LGLSXP, "frame: a column of a type that is not read");
      column.integer = LOGICAL_RO(values) + offset;
    }
    column.first_code = first_code_[j];
    column.stored_levels = stored_levels_[j];
    require(column.stored_levels >= 0, "frame: a negative number of levels");
    SEXP remap = remap_[j];
    if (remap != R_NilValue) {
      require(TYPEOF(remap) == INTSXP && Rf_xlength(remap) == column.stored_levels,
              "frame: a remap of the wrong length");
      column.remap = INTEGER(remap);
    }
    return column;
  }

  Rcpp::List data_, remap_;
  Rcpp::IntegerVector source_, column_, first_code_, stored_levels_;
  double rows_;
};

// Columns as R has them: numbers, or codes from 1.
inline Rcpp::List write_columns(const Frame& frame) {
  Rcpp::List columns(frame.columns.size());
  for (std::size_t j = 0; j < frame.columns.size(); ++j) {
    const Column& column = frame.columns[j];
    if (column.real) {
      columns[j] = Rcpp::NumericVector(column.real, column.real + frame.rows);
    } else {
      columns[j] = Rcpp::IntegerVector(column.integer, column.integer + frame.rows) + 1;
    }
  }
  return columns;
}

// Which rows count, and for what; `group` from 1, NA: not at all; `weight` may be NULL.
inline Rows read_rows(SEXP group, SEXP weight, int groups, Index count) {
  require(TYPEOF(group) == INTSXP && Rf_xlength(group) == count, "group: wrong length");
  Rows rows{INTEGER_RO(group), nullptr, groups};
  if (weight == R_NilValue) return rows;
  require(TYPEOF(weight) == REALSXP && Rf_xlength(weight) == count, "weight: wrong length");
  rows.weight = REAL_RO(weight);
  return rows;
}

// Codes are read from integer columns only.
inline void require_codes(const ModelPlan& plan, const Frame& frame) {
  for (const AnyPlan& bank : plan.banks) {
    std::visit(
        [&](const auto& p) {
          if constexpr (std::decay_t<decltype(p)>::reads_codes) {
            for (int feature : p.features) {
              require(frame.columns[feature].integer != nullptr,
                      "frame: codes that are no integers");
            }
          }
        },
        bank);
  }
}

}  // namespace doors
