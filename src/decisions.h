#pragma once

// Costs as the bindings get them, and decisions as R gets them.

#include "lists.h"

#include <engine/decision/decide.hpp>

namespace bind {

// A cost from read_cost() in R: list(actions, class_of (from 1; 0: none), fixed (a matrix, actions
// x classes), by_case = list(cell (positions in the matrix, from 1), value (for each cell a vector
// with a number per case))).
struct ActionCost {
  CaseCost cost;
  Rcpp::CharacterVector actions;
  IntVector class_of;

  ActionCost(const Rcpp::List& list, int classes, Index rows);

  // The class of each action, counted from 0; -1 if the action is no class. Empty unless errors are
  // requested.
  IntVector classes_from_0(bool wanted) const;

 private:
  void read_by_case(const Rcpp::List& list, Index rows);
};

inline std::vector<const double*> columns_of(const Rcpp::NumericMatrix& x) {
  std::vector<const double*> columns;
  for (int k = 0; k < x.ncol(); ++k) columns.push_back(x.column(k).begin());
  return columns;
}

// The number of classes of a cost.
int count_classes(const Rcpp::List& cost);

Rcpp::IntegerVector as_actions(Rcpp::IntegerVector codes, const Rcpp::CharacterVector& actions);

// The requested output: "cost" (cases x actions), "decision" (a factor) or "all" (a list of
// columns). Each vector is written once and gets its attributes without a copy.
class DecisionValue {
 public:
  DecisionValue(const std::string& output, R_xlen_t rows, const Rcpp::CharacterVector& actions,
                SEXP row_names);

  const DecisionColumns& columns() const { return columns_; }
  SEXP value() const { return value_; }

 private:
  void make_costs(R_xlen_t rows, const Rcpp::CharacterVector& actions, SEXP row_names);
  void make_all(R_xlen_t rows, const Rcpp::CharacterVector& actions);

  DecisionColumns columns_;
  Rcpp::RObject value_;
};

// The fresh columns of a binding with output "all", to be changed without a copy.
DecisionColumns read_columns(const Rcpp::List& value);
Index rows_of(const Rcpp::List& value);

}  // namespace bind
