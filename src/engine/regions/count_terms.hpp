#pragma once

#include <engine/core/root.hpp>
#include <engine/marginal/counts.hpp>
#include <engine/regions/line_regions.hpp>

namespace bayesrisk {

// Probabilities of counts, extended by the gamma function to all numbers from 0 on.

struct CountComponent {
  double log_weight;
  CountLaw law;
};

class CountRatio;

struct CountTerm {
  double sign, log_size;
  CountLaw law;

  using Ratio = CountRatio;
  using Component = CountComponent;
  static constexpr double kLow = 0;
  static constexpr bool kClosedForm = false;
  static std::pair<double, double> key(const CountComponent& component) {
    return {component.law.mean, component.law.size};
  }
  static CountTerm of(const CountComponent& component, double sign, double log_weight) {
    return {sign, log_weight, component.law};
  }

  double log_at(double x) const { return log_size + law.log_kernel(x); }
  double middle() const { return law.mean; }
  double spread() const { return law.sd(); }
  // For large numbers the term with the larger mean / size is larger. A Poisson distribution has
  // mean / size = 0.
  bool outweighs(const CountTerm& other, double) const;
};

// The log ratio is convex if the term has the smaller size, and concave if it has the larger size,
// because the derivative of digamma falls.
class CountRatio {
 public:
  CountRatio(const CountTerm& term, const CountTerm& reference)
      : term_(term), reference_(reference) {}

  double at(double x) const;

  double slope_at(double x) const;

  bool bends() const { return term_.law.size != reference_.law.size; }

  // The zero of the slope, found along log(1 + x); NaN if there is none.
  double vertex(double low, double high) const;

 private:
  static constexpr double kFarthest = 690;

  static double log_growth(const CountLaw& law) {
    return law.is_poisson() ? kNegativeInfinity : -std::log1p(law.size / law.mean);
  }

  double at_infinity() const;

  const CountTerm &term_, &reference_;
};

// A class whose mean is 0 is left out, because it is possible only at 0.
Regions regions_by_terms(const Counts& counts, const Vector& log_prior, const Cost& cost);

}  // namespace bayesrisk
