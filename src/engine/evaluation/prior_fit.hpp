#pragma once

#include <engine/evaluation/prior_likelihood.hpp>

namespace bayesrisk {

struct PriorFit {
  Eigen::VectorXd prior;
  LogLikelihood at;                      // of this prior
  std::shared_ptr<Curvature> curvature;  // of this prior, or of one nearby
  double gap = 0;                        // the maximum is at most this much higher
  int iterations = 0;
};

// Maximises the likelihood of the prior over the simplex. Two steps of EM lead near the maximum if
// the classes hardly overlap, and Newton's method ends there.
class PriorSolver {
 public:
  explicit PriorSolver(const PriorEvidence& evidence) : evidence_(evidence) {}

  PriorFit solve(const Eigen::VectorXd& start) const;

  // With the probability of one class held. The others begin with the shares that they have in
  // `start`, unless a row is impossible there. `curvature`: of a prior nearby.
  PriorFit solve_given(int held, double probability, const Eigen::VectorXd& start,
                       const std::shared_ptr<Curvature>& curvature) const;

 private:
  static constexpr int kFirstSteps = 2;
  // With a class held, an error of the maximum changes the end of an interval very little.
  static constexpr double kTolerance = 1e-8, kHeldTolerance = 1e-6, kNear = 0.05;

  static Eigen::VectorXd share_out(int held, double probability, Eigen::VectorXd shares);

  PriorFit climb(const Eigen::VectorXd& start, int held,
                 const std::shared_ptr<Curvature>& nearby) const;

  // The likelihood is concave, so no prior is better by more than the largest slope towards one.
  static double gap_of(const Maximum& best, int held);

  const PriorEvidence& evidence_;
};

}  // namespace bayesrisk
