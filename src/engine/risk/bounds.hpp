#pragma once

#include <engine/core/golden_section.hpp>
#include <engine/likelihood/contract/overlap.hpp>
#include <engine/model/plan.hpp>

namespace bayesrisk {

Overlap compare_classes(const ModelPlan& plan, const std::vector<AnyParameters>& banks);

// Bounds of the error of the best rule. The Mahalanobis bound is NaN without numeric features.
struct RiskBounds {
  double bhattacharyya = kNaN, chernoff = kNaN, exponent = kNaN, mahalanobis = kNaN, lower = kNaN;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("bhattacharyya", self.bhattacharyya);
    visit("chernoff", self.chernoff);
    visit("exponent", self.exponent);
    visit("mahalanobis", self.mahalanobis);
    visit("lower", self.lower);
  }
};

// The minimiser of a convex function on [0, 1]. It is 1/2 unless the function is smaller elsewhere.
template <class Function>
double least_on_unit_interval(const Function& f) {
  const double inside = golden_section(f, 0, kGolden, 1, 60);
  double best = 0.5;
  for (double s : {0.0, 1.0, inside}) {
    const double least = f(best), rounding = 1e-15 * std::max(1.0, std::abs(least));
    if (f(s) < least - rounding) best = s;
  }
  return best;
}

RiskBounds bound_risk(const Overlap& overlap, double first, double second);

}  // namespace bayesrisk
