#include "decisions.h"

#include "fresh.h"

namespace bind {

ActionCost::ActionCost(const Rcpp::List& list, int classes, Index rows) {
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

IntVector ActionCost::classes_from_0(bool wanted) const {
  IntVector result;
  if (wanted) {
    for (int k : class_of) result.push_back(k - 1);
  }
  return result;
}

void ActionCost::read_by_case(const Rcpp::List& list, Index rows) {
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

int count_classes(const Rcpp::List& cost) {
  return static_cast<int>(Rf_xlength(element(cost, "classes")));
}

Rcpp::IntegerVector as_actions(Rcpp::IntegerVector codes, const Rcpp::CharacterVector& actions) {
  codes.attr("levels") = actions;
  codes.attr("class") = "factor";
  return codes;
}

namespace {

Rcpp::IntegerVector make_choice(R_xlen_t rows, const Rcpp::CharacterVector& actions, int*& place) {
  auto codes = fresh<Rcpp::IntegerVector>(rows);
  place = codes.begin();
  return as_actions(codes, actions);
}

Rcpp::NumericVector make_numbers(R_xlen_t rows, double*& place) {
  auto numbers = fresh<Rcpp::NumericVector>(rows);
  place = numbers.begin();
  return numbers;
}

}  // namespace

DecisionValue::DecisionValue(const std::string& output, R_xlen_t rows,
                             const Rcpp::CharacterVector& actions, SEXP row_names)
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

void DecisionValue::make_costs(R_xlen_t rows, const Rcpp::CharacterVector& actions,
                               SEXP row_names) {
  Rcpp::NumericMatrix costs = fresh_matrix(rows, actions.size());
  costs.attr("dimnames") = Rcpp::List::create(row_names, actions);
  for (R_xlen_t a = 0; a < actions.size(); ++a) {
    columns_.cost_of.push_back(costs.begin() + a * rows);
  }
  value_ = costs;
}

void DecisionValue::make_all(R_xlen_t rows, const Rcpp::CharacterVector& actions) {
  Rcpp::List cost_of(actions.size());
  columns_.cost_of.resize(actions.size());
  for (R_xlen_t a = 0; a < actions.size(); ++a) {
    cost_of[a] = make_numbers(rows, columns_.cost_of[a]);
  }
  auto tie = fresh<Rcpp::LogicalVector>(rows);
  columns_.tie = tie.begin();
  value_ = named_list({{"decision", make_choice(rows, actions, columns_.decision)},
                       {"cost", make_numbers(rows, columns_.cost)},
                       {"cost_of", cost_of},
                       {"runner_up", make_choice(rows, actions, columns_.runner_up)},
                       {"margin", make_numbers(rows, columns_.margin)},
                       {"tie", tie}});
}

DecisionColumns read_columns(const Rcpp::List& value) {
  Rcpp::IntegerVector decision = bind::element(value, "decision");
  Rcpp::IntegerVector runner_up = bind::element(value, "runner_up");
  Rcpp::NumericVector cost = bind::element(value, "cost"), margin = bind::element(value, "margin");
  const Rcpp::List cost_of(bind::element(value, "cost_of"));
  const R_xlen_t rows = decision.size();
  require(runner_up.size() == rows && cost.size() == rows && margin.size() == rows,
          "columns of different lengths");
  bind::require_codes_in(decision, static_cast<int>(cost_of.size()), "decision");
  DecisionColumns columns;
  columns.decision = decision.begin();
  columns.runner_up = runner_up.begin();
  columns.cost = cost.begin();
  columns.margin = margin.begin();
  Rcpp::LogicalVector tie = bind::element(value, "tie");
  require(tie.size() == rows, "columns of different lengths");
  columns.tie = tie.begin();
  for (SEXP values : cost_of) {
    require(TYPEOF(values) == REALSXP && Rf_xlength(values) == rows, "cost_of: wrong columns");
    columns.cost_of.push_back(REAL(values));
  }
  return columns;
}

Index rows_of(const Rcpp::List& value) { return Rf_xlength(bind::element(value, "decision")); }

}  // namespace bind
