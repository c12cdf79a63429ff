#pragma once

#include <engine/core/context.hpp>
#include <engine/evaluation/log_loss.hpp>

#include <Eigen/Cholesky>

namespace bayesrisk {

struct TemperFit {
  Vector power, offset;
  double common = 1;            // the exponent of the whole model
  double loss = 0, before = 0;  // mean log loss, with and without tempering
  double decrement = 0;         // of the last Newton step: bounds what is left to gain
  int iterations = 0;
  bool separated = false;  // the loss has no least value, because the classes do not overlap
};

// Minimises the log loss over exponents >= 0 and offsets by Newton's method with an active set and
// line search. The loss is convex, so a small decrement proves that the minimum is reached. Offsets
// add up to 0.
class TemperSolver {
 public:
  // `penalty` / 2 times the squares of the offsets is added to the loss; if there are several
  // exponents, also the squares of their distances from `common`.
  TemperSolver(const TemperCases& cases, bool offsets, double penalty, double common,
               const Context& context);

  // The exponents are equal, the offsets 0.
  Eigen::VectorXd start(double power) const;

  // The mean log loss, without penalty.
  double mean_loss(const Eigen::VectorXd& at) const {
    return sum_losses(at, whole_, Derivatives::none).value / weight_;
  }

  // With many cases the start is found with a few of them, and then with some more.
  TemperFit solve(Eigen::VectorXd at) const;

 private:
  // The first cases of every `step`-th slice, or all cases.
  struct Sample {
    int rows;
    Index step;
    double weight = 0;
  };

  static constexpr int kMostIterations = 200, kSome = 32;
  static constexpr double kTolerance = 1e-10, kNoLoss = 1e-9, kRough = 1e-2;
  // Lengths of steps relative to the exponents, and a fall of the decrement.
  static constexpr double kShort = 1e-3, kNear = 0.05, kFast = 1e-2;
  static constexpr Index kMany = 100000, kFew = 10000;

  int classes() const { return offsets_ ? cases_.classes : 0; }

  Index slices(const Sample& sample) const {
    return (static_cast<Index>(cases_.slices.size()) + sample.step - 1) / sample.step;
  }

  double weight_of(const Sample& sample) const;

  // Writes the loss, without penalty, the last decrement, the iterations and whether the classes
  // are separated. What a sample leaves to gain is less than its error. A short step changes the
  // Hessian little, so the next step uses it again, unless the decrement falls slowly.
  Eigen::VectorXd minimise(Eigen::VectorXd at, Sample sample, TemperFit& fit) const;

  LogLoss sum_losses(const Eigen::VectorXd& at, const Sample& sample,
                     Derivatives derivatives) const;

  Eigen::VectorXd away(const Eigen::VectorXd& at) const {
    return at.head(cases_.parts).array() - common_;
  }

  // The posterior does not depend on the sum of the offsets, so it is kept at 0.
  double penalty_at(const Eigen::VectorXd& at) const;

  LogLoss evaluate(const Eigen::VectorXd& at, const Sample& sample, Derivatives derivatives) const;

  // Exponents at 0 that would become negative stay there.
  Eigen::VectorXd newton_step(const Eigen::VectorXd& at, const LogLoss& loss) const;

  Eigen::VectorXd projected(Eigen::VectorXd at) const {
    at.head(cases_.parts) = at.head(cases_.parts).cwiseMax(0.0);
    return at;
  }

  // The last step, which is too short to need the loss at its end.
  void finish(const Eigen::VectorXd& step, Eigen::VectorXd& at, LogLoss& loss) const;

  // Moves along the step, projected to exponents >= 0, until the loss falls. Returns whether it
  // does.
  bool move(const Eigen::VectorXd& step, const Sample& sample, Derivatives derivatives,
            Eigen::VectorXd& at, LogLoss& loss) const;

  const TemperCases& cases_;
  bool offsets_;
  double penalty_, common_;
  double pull_;  // the penalty of the exponents
  const Context& context_;
  const Sample whole_{TemperCases::kSlice, 1};
  double weight_ = 0;
};

// The exponents of parts, and offsets. First one exponent is estimated for the whole model, without
// penalty.
TemperFit temper(const TemperCases& cases, bool offsets, double penalty, const Context& context);

}  // namespace bayesrisk
