#pragma once

// Costs as the doors get them, and decisions as R gets them.

#include "fresh.h"
#include "lists.h"

#include <engine/decision/decide.hpp>

namespace doors {

// A numeric matrix, actions x classes, with row names; or list(actions, cells), the cells
// double vectors with actions fastest, of length 1 or one number per case.
struct ActionCost {
  CaseCost cost;
  Rcpp::CharacterVector actions;

  ActionCost(SEXP list, int classes, Index rows) {
    if (TYPEOF(list) == REALSXP) {
      read_field(list, cost.fixed.of);
      actions = Rcpp::rownames(list);
    } else {
      actions = element(list, "actions");
      read_cells(element(list, "cells"), classes, rows);
    }
    require(cost.fixed.of.cols() == classes && cost.fixed.of.rows() == actions.size() &&
                actions.size() > 0,
            "cost: wrong dimensions");
  }

 private:
  void read_cells(SEXP cells, int classes, Index rows) {
    const R_xlen_t count = actions.size();
    require(TYPEOF(cells) == VECSXP && Rf_xlength(cells) == count * classes,
            "cost: wrong dimensions");
    cost.fixed.of = Matrix::Zero(count, classes);
    for (R_xlen_t i = 0; i < Rf_xlength(cells); ++i) {
      SEXP cell = VECTOR_ELT(cells, i);
      require(TYPEOF(cell) == REALSXP, "cost: not numbers");
      if (Rf_xlength(cell) == 1) {
        cost.fixed.of.data()[i] = REAL(cell)[0];
      } else {
        require(Rf_xlength(cell) == rows, "cost: wrong number of cases");
        const CaseCost::Entry varying{static_cast<int>(i % count), static_cast<int>(i / count),
                                      REAL(cell)};
        cost.varying.push_back(varying);
      }
    }
  }
};

inline Rcpp::IntegerVector as_actions(Rcpp::IntegerVector codes,
                                      const Rcpp::CharacterVector& actions) {
  codes.attr("levels") = actions;
  codes.attr("class") = "factor";
  return codes;
}

// What is asked for, "cost" (cases x actions), "decision" (a factor) or "all" (a list of
// columns), each vector written once and labelled where it lies.
class DecisionValue {
 public:
  DecisionValue(const std::string& output, R_xlen_t rows, const Rcpp::CharacterVector& actions,
                SEXP row_names)
      : columns_{} {
    columns_.missing = NA_REAL;
    if (output == "cost") {
      make_costs(rows, actions, row_names);
    } else if (output == "decision") {
      value_ = make_choice(rows, actions, columns_.decision);
    } else {
      require(output == "all", "no such output");
      make_all(rows, actions);
    }
  }

  const DecisionColumns& columns() const { return columns_; }
  SEXP value() const { return value_; }

 private:
  static Rcpp::IntegerVector make_choice(R_xlen_t rows, const Rcpp::CharacterVector& actions,
                                         int*& place) {
    auto codes = fresh<Rcpp::IntegerVector>(rows);
    place = codes.begin();
    return as_actions(codes, actions);
  }

  static Rcpp::NumericVector make_numbers(R_xlen_t rows, double*& place) {
    auto numbers = fresh<Rcpp::NumericVector>(rows);
    place = numbers.begin();
    return numbers;
  }

  void make_costs(R_xlen_t rows, const Rcpp::CharacterVector& actions, SEXP row_names) {
    Rcpp::NumericMatrix costs = fresh_matrix(rows, actions.size());
    costs.attr("dimnames") = Rcpp::List::create(row_names, actions);
    for (R_xlen_t a = 0; a < actions.size(); ++a) {
      columns_.cost_of.push_back(costs.begin() + a * rows);
    }
    value_ = costs;
  }

  void make_all(R_xlen_t rows, const Rcpp::CharacterVector& actions) {
    Rcpp::List cost_of(actions.size());
    columns_.cost_of.resize(actions.size());
    for (R_xlen_t a = 0; a < actions.size(); ++a) {
      cost_of[a] = make_numbers(rows, columns_.cost_of[a]);
    }
    auto tie = fresh<Rcpp::LogicalVector>(rows);
    columns_.tie = tie.begin();
    value_ = Rcpp::List::create(
        Rcpp::_["decision"] = make_choice(rows, actions, columns_.decision),
        Rcpp::_["cost"] = make_numbers(rows, columns_.cost), Rcpp::_["cost_of"] = cost_of,
        Rcpp::_["runner_up"] = make_choice(rows, actions, columns_.runner_up),
        Rcpp::_["margin"] = make_numbers(rows, columns_.margin), Rcpp::_["tie"] = tie);
  }

  DecisionColumns columns_;
  Rcpp::RObject value_;
};

// From 1 and NA to the engine's.
inline IntVector read_class_of(const Rcpp::IntegerVector& class_of, int classes, R_xlen_t actions) {
  require(class_of.size() == 0 || class_of.size() == actions, "class_of: wrong length");
  IntVector result;
  for (int k : class_of) {
    require(k == NA_INTEGER || (k >= 1 && k <= classes), "class_of: no such class");
    result.push_back(k == NA_INTEGER ? -1 : k - 1);
  }
  return result;
}

}  // namespace doors
