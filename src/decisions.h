#pragma once

// Costs as the doors get them, and decisions as R gets them.

#include "fresh.h"
#include "lists.h"

#include <engine/decision/decide.hpp>

namespace doors {

// A cost from read_cost() in R: list(actions, class_of (from 1; 0: none), fixed (a matrix, actions
// x classes), by_case = list(cell (positions in the matrix, from 1), value (for each cell a vector
// with a number per case))).
struct ActionCost {
  CaseCost cost;
  Rcpp::CharacterVector actions;
  IntVector class_of;

  ActionCost(const Rcpp::List& list, int classes, Index rows) {
    Matrix& fixed = cost.fixed.of;
    read_field(element(list, "fixed"), fixed);
    actions = element(list, "actions");
    read_field(element(list, "class_of"), class_of);
    require(fixed.cols() == classes && fixed.rows() == actions.size() && actions.size() > 0,
            "cost: wrong dimensions");
    require(static_cast<R_xlen_t>(class_of.size()) == actions.size(), "class_of: wrong length");
    for (int k : class_of) require(k >= 0 && k <= classes, "class_of: no such class");
    read_by_case(element(list, "by_case"), rows);
  }

  // The class of each action, counted from 0; -1 if the action is no class. Empty unless errors are
  // requested.
  IntVector classes_from_0(bool wanted) const {
    IntVector result;
    if (wanted) {
      for (int k : class_of) result.push_back(k - 1);
    }
    return result;
  }

 private:
  void read_by_case(const Rcpp::List& list, Index rows) {
    IntVector cell;
    read_field(element(list, "cell"), cell);
    const Rcpp::List value(element(list, "value"));
    require(value.size() == static_cast<R_xlen_t>(cell.size()), "cost: wrong cells");
    const int count = static_cast<int>(actions.size());
    for (R_xlen_t i = 0; i < value.size(); ++i) {
      const int at = cell[static_cast<std::size_t>(i)] - 1;
      require(at >= 0 && at < cost.fixed.of.size(), "cost: no such cell");
      SEXP numbers = value[i];
      require(TYPEOF(numbers) == REALSXP && Rf_xlength(numbers) == rows,
              "cost: wrong number of cases");
      cost.varying.push_back({at % count, at / count, REAL(numbers)});
    }
  }
};

// The number of classes of a cost.
inline int count_classes(const Rcpp::List& cost) {
  return static_cast<int>(Rf_xlength(element(cost, "classes")));
}

inline Rcpp::IntegerVector as_actions(Rcpp::IntegerVector codes,
                                      const Rcpp::CharacterVector& actions) {
  codes.attr("levels") = actions;
  codes.attr("class") = "factor";
  return codes;
}

// The requested output: "cost" (cases x actions), "decision" (a factor) or "all" (a list of
// columns). Each vector is written once and gets its attributes without a copy.
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

}  // namespace doors
