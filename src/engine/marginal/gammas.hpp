#pragma once

#include <engine/core/gamma_functions.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// A gamma distribution. Let d(x) = x / mean - 1 - log(x / mean), the distance of a number from the
// mean. The log density is peak - log x - shape d(x). No term cancels another, even for a large
// shape. The mean is stored as two numbers.
struct GammaLaw {
  double shape, rate, mean, mean_low, peak;

  GammaLaw(double of_shape, double of_rate);

  // Whether the parameters are those of a distribution whose mean is a normal number.
  bool sound() const {
    return shape > 0 && rate > 0 && std::isfinite(shape) && std::isfinite(rate) &&
           std::isfinite(mean) && mean >= std::numeric_limits<double>::min();
  }

  double log_density(double x) const;
};

// Gamma densities as functions of t, the log of a number in units of one of the means. Let y be t
// minus the log of the mean. The densities are exp(peak - shape (exp(y) - 1 - y)), apart from a
// factor that all densities share.

struct GammaComponent {
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
  using Component = GammaComponent;
  static constexpr double kLow = kNegativeInfinity;
  static constexpr bool kClosedForm = false;
  static std::pair<double, double> key(const GammaComponent& component) {
    return {component.law.shape, component.law.rate};
  }
  static GammaTerm of(const GammaComponent& component, double sign, double log_weight) {
    return {sign, log_weight + component.law.peak, component.law, component.log_mean};
  }

  double log_at(double t) const { return log_size - law.shape * exp_excess(t - log_mean); }
  // The limit of log_at(t) - shape t far to the left.
  double left_limit() const { return log_size + law.shape * (1 - log_mean); }
  double middle() const { return log_mean; }
  double spread() const { return 1 / std::sqrt(law.shape) + 1 / law.shape; }
  // Far to the right the term with the smaller rate is larger. Far to the left the term with the
  // smaller shape is larger.
  bool outweighs(const GammaTerm& other, double side) const;
};

// constant + slope y - bend (exp(y) - 1 - y), where y is relative to the log mean of the larger
// shape. No terms cancel near this mean. Far from it the form is constant + tilt y - bend (exp(y) -
// 1). If the means are far apart, the constant would cancel the other terms, so the form is limit +
// tilt t - bend exp(y). Equal rates give bend = 0 exactly, equal shapes give tilt = 0 exactly.
struct GammaRatio {
  double centre, constant, slope, bend, tilt;

  GammaRatio(const GammaTerm& term, const GammaTerm& reference);

  double at(double t) const;

  double slope_at(double t) const;

  bool bends() const { return bend != 0; }
  double vertex(double, double) const {
    return centre + (apart_ ? std::log(tilt / bend) : std::log1p(slope / bend));
  }

 private:
  static double times(double factor, double x) { return factor == 0 ? 0.0 : factor * x; }

  // The ratio of means or rates may exceed the range of doubles.
  static double finite(double x) {
    constexpr double kMost = 1e300;
    return std::clamp(x, -kMost, kMost);
  }

  double at_infinity(double side) const;

  bool apart_;
  double limit_;
};

// One positive number with a gamma distribution in each class.
struct Gammas {
  // The density is of x + origin: worlds of normals have coordinates relative to an origin.
  struct OfClass : GammaLaw {
    double origin = 0;

    OfClass(double of_shape, double of_rate) : GammaLaw(of_shape, of_rate) {}
    OfClass(const GammaLaw& law, double at = 0) : GammaLaw(law), origin(at) {}
  };

  static constexpr double kStep = 0;
  std::vector<OfClass> classes;

  static OfClass unknown() { return {1, 1}; }

  // The classes along the log of a number; numbers are relative to an origin that they share.
  struct Line {
    using Term = GammaTerm;
    std::vector<std::vector<GammaComponent>> classes;

    Line(const Gammas& gammas, const Vector& log_prior);

    double low() const { return -origin_; }
    double at(double t) const { return unit_ * std::exp(t) - origin_; }

   private:
    double unit_ = 0, origin_ = 0;  // one of the means
  };
};

inline double log_density(const Gammas::OfClass& law, double x) {
  return law.log_density(x + law.origin);
}

inline MeanAndSd moments_of(const Gammas::OfClass& law) {
  return {law.mean - law.origin, law.mean / std::sqrt(law.shape)};
}

// The log of the integral of p^s q^(1 - s), which is a gamma density times a constant. Each density
// is written relative to its value at its own mean. Then the large terms cancel, and only the
// deviances of the mean of p^s q^(1 - s) from the means of p and q remain.
LogOverlap log_overlap(const GammaLaw& first, const GammaLaw& second);

// Subtracts lower tails below the mean and upper tails above it, because small tails keep their
// digits.
template <class Totals>
void add_probabilities(const Gammas::OfClass& law, double log_weight, const Vector& cut,
                       const Totals& to) {
  const IncompleteGamma standard(law.shape);
  const double weight = std::exp(log_weight);
  double low = 0;
  Tails at_low{0, 1};
  for (std::size_t i = 0; i <= cut.size(); ++i) {
    const double high = i < cut.size() ? std::max(0.0, cut[i] + law.origin) : kInfinity;
    const Tails at_high = standard.tails(high * law.rate);
    const double within = low > law.mean    ? at_low.upper - at_high.upper
                          : high < law.mean ? at_high.lower - at_low.lower
                                            : 1 - at_low.lower - at_high.upper;
    to[i] += weight * std::max(0.0, within);
    low = high;
    at_low = at_high;
  }
}

inline std::size_t parts_of(const Gammas::OfClass&) { return 1; }

// Adds the quantiles that correspond to evenly spaced points in the middle of a standard normal,
// and a few quantiles in its tails. The tails end where their probability underflows.
void add_points(const Gammas::OfClass& law, int each, Vector& x);

}  // namespace bayesrisk
