#pragma once

#include <engine/marginal/gammas.hpp>
#include <engine/regions/line_regions.hpp>

namespace bayesrisk {

// Gamma densities along the log t of a number, in units of one of their means: but for a factor
// that all share, exp(peak - shape (exp(y) - 1 - y)), where y is t less the log of the mean.

struct GammaPiece {
  double log_weight;
  GammaLaw law;
  double log_mean;  // in those units
};

struct GammaRatio;

struct GammaTerm {
  double sign, log_size;
  GammaLaw law;
  double log_mean;

  using Ratio = GammaRatio;
  using Piece = GammaPiece;
  static constexpr double kLow = kNegativeInfinity;
  static constexpr bool kClosedForm = false;
  static std::pair<double, double> key(const GammaPiece& piece) {
    return {piece.law.shape, piece.law.rate};
  }
  static GammaTerm of(const GammaPiece& piece, double sign, double log_weight) {
    return {sign, log_weight + piece.law.peak, piece.law, piece.log_mean};
  }

  double log_at(double t) const { return log_size - law.shape * exp_excess(t - log_mean); }
  // log_at(t) - shape t, far to the left.
  double left_limit() const { return log_size + law.shape * (1 - log_mean); }
  double middle() const { return log_mean; }
  double spread() const { return 1 / std::sqrt(law.shape) + 1 / law.shape; }
  // To the right the smaller rate, to the left the smaller shape.
  bool outweighs(const GammaTerm& other, double side) const {
    const double own[] = {law.rate, law.shape}, its[] = {other.law.rate, other.law.shape};
    if (side < 0) return own[1] < its[1] || (own[1] == its[1] && own[0] > its[0]);
    return own[0] < its[0] || (own[0] == its[0] && own[1] > its[1]);
  }
};

// constant + slope y - bend (exp(y) - 1 - y), y from the log mean of the larger shape, where
// nothing cancels; far from there, tilt y - bend (exp(y) - 1). With equal rates bend is exactly 0,
// with equal shapes tilt is exactly 0. Where the means are far apart the constant would cancel the
// rest:
// there limit + tilt t - bend exp(y).
struct GammaRatio {
  double centre, constant, slope, bend, tilt;

  GammaRatio(const GammaTerm& term, const GammaTerm& reference) {
    const bool narrower = term.law.shape >= reference.law.shape;
    const GammaTerm& narrow = narrower ? term : reference;
    const GammaTerm& wide = narrower ? reference : term;
    const GammaLaw &own = narrow.law, &other = wide.law;
    const double direction = narrower ? 1 : -1;
    const double away = (own.mean - other.mean) + (own.mean_low - other.mean_low);
    centre = narrow.log_mean;
    apart_ = !(std::abs(term.log_mean - reference.log_mean) < 1);
    constant = term.log_size - reference.log_size +
               direction * finite(other.shape * relative_deviance(own.mean, other.mean, away));
    slope = direction * finite(other.shape * (away / other.mean));
    bend = direction * finite(own.shape * ((own.rate - other.rate) / own.rate));
    tilt = direction * (own.shape - other.shape);
    limit_ = term.left_limit() - reference.left_limit();
  }

  double at(double t) const {
    const double y = t - centre;
    if (std::isinf(y)) return at_infinity(y > 0 ? 1 : -1);
    if (apart_) return limit_ + tilt * t - times(bend, std::exp(y));
    if (std::abs(y) < 1) return constant + slope * y - bend * exp_excess(y);
    return constant + tilt * y - times(bend, std::expm1(y));
  }

  double slope_at(double t) const {
    const double y = t - centre;
    if (!apart_ && std::abs(y) < 1) return slope - bend * std::expm1(y);
    return tilt - times(bend, std::exp(y));
  }

  bool bends() const { return bend != 0; }
  double vertex(double, double) const {
    return centre + (apart_ ? std::log(tilt / bend) : std::log1p(slope / bend));
  }

 private:
  static double times(double factor, double x) { return factor == 0 ? 0.0 : factor * x; }

  // Means or rates may be further apart than doubles go.
  static double finite(double x) {
    constexpr double kMost = 1e300;
    return std::clamp(x, -kMost, kMost);
  }

  double at_infinity(double side) const {
    if (side > 0 && bend != 0) return -bend * kInfinity;
    if (tilt != 0) return side * tilt * kInfinity;
    if (apart_) return limit_;
    return side > 0 ? constant : constant + bend;
  }

  bool apart_;
  double limit_;
};

// Nothing is decided below 0. Cuts are relative to the origin that the classes share.
inline Regions find_regions(const Gammas& gammas, const Vector& log_prior, const Cost& cost) {
  Pieces<GammaTerm> classes(log_prior.size());
  double unit = 0, origin = 0;
  for (std::size_t k = 0; k < log_prior.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity)) continue;
    const Gammas::OfClass& law = gammas.classes[k];
    origin = law.origin;
    if (unit == 0) unit = law.mean;
    const double ratio = law.mean / unit;
    const bool ordinary = ratio > 0.5 && ratio < 2;
    const double log_mean =
        ordinary ? std::log1p((law.mean - unit) / unit) : std::log(law.mean) - std::log(unit);
    classes[k] = {{0, law, log_mean + law.mean_low / law.mean}};
  }
  if (unit == 0) return {{}, {kNoDecision}, {}};
  const Regions along = RegionFinder<GammaTerm>(classes, log_prior, cost).find();
  Regions regions{{-origin}, {kNoDecision, along.decision[0]}, {true}};
  for (std::size_t i = 0; i < along.cut.size(); ++i) {
    const double cut = unit * std::exp(along.cut[i]) - origin;
    if (!(cut < kInfinity)) break;
    // Cuts next to the end may be the same number.
    if (cut <= regions.cut.back()) {
      regions.cut.pop_back();
      regions.exact.pop_back();
      regions.decision.pop_back();
    }
    if (regions.decision.back() == along.decision[i + 1]) continue;
    regions.cut.push_back(cut);
    regions.decision.push_back(along.decision[i + 1]);
    regions.exact.push_back(along.exact[i]);
  }
  return regions;
}

}  // namespace bayesrisk
