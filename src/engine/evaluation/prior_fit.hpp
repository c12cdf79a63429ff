#pragma once

#include <engine/evaluation/prior_likelihood.hpp>

#include <memory>

namespace bayesrisk {

struct PriorFit {
  Eigen::VectorXd prior;
  PriorLikelihood at;                         // of this prior
  std::shared_ptr<PriorCurvature> curvature;  // of this prior, or of one nearby
  double gap = 0;                             // the maximum is at most this much higher
  int iterations = 0;
};

// The step that maximises a concave quadratic, gradient'd - d'information d / 2, among the steps
// that keep the sum and leave no probability below 0: an active set.
class SimplexStep {
 public:
  // `held`: a class whose probability stays; -1: none. `check` is called at times: see Context.
  SimplexStep(const Eigen::VectorXd& from, const Eigen::VectorXd& gradient,
              PriorCurvature& curvature, int held, std::function<void()> check);

  Eigen::VectorXd find();

 private:
  // Walks to the maximum over the open classes, or until a probability becomes 0, which closes its
  // class. Returns whether the maximum is reached.
  bool walk();

  void find_slope() { slope_ = gradient_ - curvature_.information() * (to_ - from_); }

  Eigen::VectorXd solve(const IntVector& open) const;

  // Opens the closed class whose probability should grow most. Returns whether there is one.
  bool open_best();

  const Eigen::VectorXd &from_, &gradient_;
  PriorCurvature& curvature_;
  const int held_;
  const std::function<void()> check_;
  const int classes_;
  Eigen::VectorXd to_, slope_;
  std::vector<char> open_;
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
                       const std::shared_ptr<PriorCurvature>& curvature) const;

 private:
  static constexpr int kMostIterations = 1000, kFirstSteps = 2;
  // With a class held, an error of the maximum changes the end of an interval very little.
  static constexpr double kTolerance = 1e-8, kHeldTolerance = 1e-6, kRounding = 1e-13;
  // How far a gap falls in a fast step; the classes whose information costs little.
  static constexpr double kFast = 0.7;
  static constexpr int kFewClasses = 8;

  static Eigen::VectorXd share_out(int held, double probability, Eigen::VectorXd shares);

  // Null: the curvature is found.
  PriorFit begin(const Eigen::VectorXd& start, std::shared_ptr<PriorCurvature> curvature) const;

  static void keep_information(PriorFit& fit);

  // With a class held, the curvature nearby serves as long as the gap falls fast: a step then costs
  // a gradient.
  PriorFit climb(PriorFit fit, int held) const;

  bool step(int held, bool informed, PriorFit& fit) const;

  static double rounding(const PriorFit& fit) { return kRounding * (1 + std::abs(fit.at.value)); }

  // The likelihood is concave, so no prior is better by more than the largest slope towards one.
  static double gap_of(const PriorFit& fit, int held);

  static Eigen::VectorXd centred(const Eigen::VectorXd& x) {
    return (x.array() - x.maxCoeff()).matrix();
  }

  static Eigen::VectorXd em_step(const PriorFit& fit, int held);

  // Moves along the step, or a part of it, if the likelihood grows.
  bool move(const Eigen::VectorXd& step, bool informed, PriorFit& fit) const;

  const PriorEvidence& evidence_;
};

}  // namespace bayesrisk
