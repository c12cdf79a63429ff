#pragma once

#include <engine/evaluation/prior_fit.hpp>

namespace bayesrisk {

// The interval of the probability of a class by its profile likelihood: the values at which twice
// the log likelihood, maximised over the other classes, is at most `most` of this class below its
// maximum.
class PriorInterval {
 public:
  PriorInterval(const PriorEvidence& evidence, const PriorFit& best, const Vector& most)
      : solver_(evidence), best_(best), most_(most) {}

  double lower(int k) const { return end(k, 0); }
  double upper(int k) const { return end(k, 1); }

 private:
  static constexpr int kMostSteps = 100;
  static constexpr double kTolerance = 1e-7;

  // The signed root of the deviance is nearly linear in the probability, so Newton's method needs
  // few steps. `limit`: 0 or 1, the end of the simplex on this side.
  double end(int k, double limit) const;

  // Towards 0 in steps of a factor.
  static double between(double inside, double outside) {
    return outside == 0 ? inside / 8 : (inside + outside) / 2;
  }

  double deviance_root(const PriorFit& fit) const {
    return std::sqrt(std::max(0.0, 2 * (best_.at.value - fit.at.value)));
  }

  // How the probabilities change if that of class k grows by 1 and the likelihood falls least.
  Eigen::VectorXd profile_direction(int k, Curvature& curvature) const;

  // The end of the interval if the profile were a quadratic.
  double first(int k, double limit, const Eigen::VectorXd& direction) const;

  // By the theorem of envelopes.
  static double profile_slope(const PriorFit& fit, int k);

  // The other classes move along a line from the best prior.
  Eigen::VectorXd predicted(const Eigen::VectorXd& direction, int k, double at) const {
    const Eigen::VectorXd line = (best_.prior + (at - best_.prior[k]) * direction).cwiseMax(0.0);
    return line.sum() > line[k] ? line : best_.prior;
  }

  PriorSolver solver_;
  const PriorFit& best_;
  const Vector& most_;
};

}  // namespace bayesrisk
