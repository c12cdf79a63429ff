#include "model.h"

#include <bayesrisk/risk/bounds.hpp>

using namespace bayesrisk;

// In the order Bhattacharyya, Chernoff, its exponent, Mahalanobis, lower.
// [[Rcpp::export]]
Rcpp::NumericVector risk_bounds_cpp(Rcpp::List model) {
  const doors::Model of(model);
  const RiskBounds bounds =
      bound_risk(compare_classes(of.plan, of.parameters), of.prior[0], of.prior[1]);
  return {bounds.bhattacharyya, bounds.chernoff, bounds.exponent, bounds.mahalanobis, bounds.lower};
}
