#pragma once

// Rcpp without the parts that no door uses, and the matrices of Eigen as values for R. RcppEigen.h
// takes the compiler twice as long.

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

namespace Rcpp {

template <>
inline SEXP wrap(const bayesrisk::Matrix& x) {
  NumericMatrix result(static_cast<int>(x.rows()), static_cast<int>(x.cols()));
  std::copy(x.data(), x.data() + x.size(), result.begin());
  return result;
}
template <>
inline SEXP wrap(const bayesrisk::IntMatrix& x) {
  IntegerMatrix result(static_cast<int>(x.rows()), static_cast<int>(x.cols()));
  std::copy(x.data(), x.data() + x.size(), result.begin());
  return result;
}
template <>
inline SEXP wrap(const Eigen::VectorXd& x) {
  return NumericVector(x.data(), x.data() + x.size());
}

}  // namespace Rcpp
