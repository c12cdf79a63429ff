#pragma once

// Rcpp without the parts that no binding uses, and the matrices of Eigen as values for R.
// RcppEigen.h takes the compiler twice as long.

#include <RcppCommon.h>

#include <engine/core/types.hpp>

namespace Rcpp {

template <>
SEXP wrap(const bayesrisk::Matrix& x);
template <>
SEXP wrap(const bayesrisk::IntMatrix& x);
template <>
SEXP wrap(const Eigen::VectorXd& x);

}  // namespace Rcpp

#include <Rcpp/Lightest>
