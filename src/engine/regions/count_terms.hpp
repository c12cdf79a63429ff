#pragma once

#include <engine/core/root.hpp>
#include <engine/marginal/counts.hpp>
#include <engine/regions/line_regions.hpp>

namespace bayesrisk {

// Probabilities of counts, extended by the gamma function to all numbers from 0 on.

struct CountPiece {
  double log_weight;
  CountLaw law;
};

class CountRatio;

struct CountTerm {
  double sign, log_size;
  CountLaw law;

  using Ratio = CountRatio;
  using Piece = CountPiece;
  static constexpr double kLow = 0;
  static constexpr bool kClosedForm = false;
  static std::pair<double, double> key(const CountPiece& piece) {
    return {piece.law.mean, piece.law.size};
  }
  static CountTerm of(const CountPiece& piece, double sign, double log_weight) {
    return {sign, log_weight, piece.law};
  }

  double log_at(double x) const { return log_size + law.log_kernel(x); }
  double middle() const { return law.mean; }
  double spread() const { return law.sd(); }
  // For large numbers the term with the larger mean / size is larger. A Poisson distribution has
  // mean / size = 0.
  bool outweighs(const CountTerm& other, double) const {
    const double own = law.mean / law.size, its = other.law.mean / other.law.size;
    if (own != its) return own > its;
    return law.is_poisson() ? law.mean > other.law.mean : law.size > other.law.size;
  }
};

// The log ratio is convex if the term has the smaller size, and concave if it has the larger size,
// because the derivative of digamma falls.
class CountRatio {
 public:
  CountRatio(const CountTerm& term, const CountTerm& reference)
      : term_(term), reference_(reference) {}

  double at(double x) const {
    if (std::isinf(x)) return at_infinity();
    return (term_.log_size - reference_.log_size) +
           (term_.law.log_kernel(x) - reference_.law.log_kernel(x));
  }

  double slope_at(double x) const {
    if (std::isinf(x)) return log_growth(term_.law) - log_growth(reference_.law);
    const CountLaw &one = term_.law, &other = reference_.law;
    const bool beyond = x > one.mean + one.size && x > other.mean + other.size;
    if (!beyond) return one.slope(x) - other.slope(x);
    // For large numbers the slopes are nearly equal, so the differences of their parts are
    // computed.
    return (log_growth(one) - log_growth(other)) +
           std::log1p((one.size - other.size) / (x + other.size)) -
           (digamma_gap(x + one.size) - digamma_gap(x + other.size));
  }

  bool bends() const { return term_.law.size != reference_.law.size; }

  // The zero of the slope, found along log(1 + x); NaN if there is none.
  double vertex(double low, double high) const {
    const auto slope = [&](double log_x) { return slope_at(std::expm1(log_x)); };
    const double first = std::log1p(low), last = std::min(std::log1p(high), kFarthest);
    if (!(first < last) || (slope(first) > 0) == (slope(last) > 0)) return kNaN;
    return std::expm1(find_root(slope, first, last));
  }

 private:
  static constexpr double kFarthest = 690;

  static double log_growth(const CountLaw& law) {
    return law.is_poisson() ? kNegativeInfinity : -std::log1p(law.size / law.mean);
  }

  double at_infinity() const {
    const bool same = term_.law.mean == reference_.law.mean && !bends();
    if (same) return term_.log_size - reference_.log_size;
    return term_.outweighs(reference_, 1) ? kInfinity : kNegativeInfinity;
  }

  const CountTerm &term_, &reference_;
};

// A class whose mean is 0 is left out, because it is possible only at 0.
inline Regions regions_by_terms(const Counts& counts, const Vector& log_prior, const Cost& cost) {
  Pieces<CountTerm> classes(log_prior.size());
  Vector weight(log_prior.size(), kNegativeInfinity);
  for (std::size_t k = 0; k < log_prior.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity && counts.classes[k].mean > 0)) continue;
    weight[k] = log_prior[k];
    classes[k] = {{0, counts.classes[k]}};
  }
  return RegionFinder<CountTerm>(classes, weight, cost).find();
}

}  // namespace bayesrisk
