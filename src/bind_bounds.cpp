#include "model.h"

#include <engine/charge/bounds.hpp>

using namespace bayesrisk;

// The fields of RiskBounds; NaN where a bound is not known.
// [[Rcpp::export(rng = false)]]
Rcpp::List risk_bounds_cpp(Rcpp::List model) {
  const doors::Model of(model);
  return doors::to_list(
      bound_risk(compare_classes(of.plan, of.parameters), of.prior[0], of.prior[1]));
}
