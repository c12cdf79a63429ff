#pragma once

#include <engine/likelihood/contract/points.hpp>

namespace bayesrisk {

// The pairs of values of a class by their distance, and the bandwidths that follow from them: those
// of bw.SJ() and bw.ucv() of R, with the same bins. A value of weight w counts as w copies.
class PairCounts {
 public:
  explicit PairCounts(const Points& points);

  // Sheather and Jones (1991), "solve the equation". `spread`: see KernelEstimator. NaN where
  // numbers underflow.
  double solved(double spread) const;

  // The minimum of the unbiased cross-validation of the squared error (Scott and Terrell 1987) from
  // a tenth of Scott's largest useful bandwidth up to it.
  double cross_validated(double sd) const;

 private:
  static constexpr int kBins = 1000;

  // The sum over pairs of a function of their squared distance; a bin is `bin` wide.
  template <class Term>
  double sum(double bin, const Term& term) const;

  // Estimates of the integrals of f times its fourth, and its sixth, derivative. `h`, `bin`: the
  // bandwidth and the width of a bin, in one unit.
  double fourth(double h, double bin) const;
  double sixth(double h, double bin) const;

  double weight_, width_;
  Vector count_;
};

}  // namespace bayesrisk
