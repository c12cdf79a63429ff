#pragma once

#include <engine/core/context.hpp>
#include <engine/evaluation/log_posterior.hpp>

#include <optional>

namespace bayesrisk {

struct TemperFit {
  Vector power, offset;
  double common = 1;  // the exponent of the whole model
  double penalty = 0;
  double loss = 0, before = 0;  // mean log loss, with and without tempering
  double decrement = 0;         // of the last Newton step: bounds what is left to gain
  int iterations = 0;
  bool separated = false;  // the loss has no least value, because the classes do not overlap
};

// The first cases of every `step`-th slice, or all cases.
struct TemperSample {
  int rows = TemperCases::kSlice;
  Index step = 1;
  double weight = 0;
};

// Minimises the log loss over exponents >= 0 and offsets that add up to 0. The loss is convex, so a
// small decrement proves that the minimum is reached.
class TemperSolver {
 public:
  // About `few` cases, if there are more.
  static TemperSample sample_of(const TemperCases& cases, Index few);

  // `penalty` / 2 times the squares of the offsets is added to the loss; if there are several
  // exponents, also the squares of their distances from `common`.
  TemperSolver(const TemperCases& cases, bool offsets, double penalty, double common,
               const Context& context, TemperSample whole = {});

  // The exponents are equal, the offsets 0.
  Eigen::VectorXd start(double power) const;

  // The log loss, without penalty, summed over the cases.
  double loss(const Eigen::VectorXd& at) const { return -sum(at, whole_, false).value; }

  double mean_loss(const Eigen::VectorXd& at) const { return loss(at) / whole_.weight; }

  // With many cases the start is found with a few of them, and then with some more.
  TemperFit solve(Eigen::VectorXd at) const;

 private:
  static constexpr int kSome = 32;
  // What a sample leaves to gain is less than its error.
  static constexpr double kTolerance = 1e-10, kNoLoss = 1e-9, kRough = 1e-2, kNear = 0.05;
  static constexpr Index kMany = 100000, kFew = 10000;

  int classes() const { return offsets_ ? cases_.classes : 0; }

  Index slices(const TemperSample& sample) const {
    return (static_cast<Index>(cases_.slices.size()) + sample.step - 1) / sample.step;
  }

  double weight_of(const TemperSample& sample) const;

  Maximum climb(const Eigen::VectorXd& at, TemperSample sample, bool whole) const;

  bool separated(const Maximum& best, const TemperSample& sample) const {
    return -best.at.value <= kNoLoss * sample.weight;
  }

  // Whether the information has fewer terms than variables. Its ridge is the penalty of all.
  bool few_terms() const {
    return pull_ > 0 && cases_.places() * (cases_.classes - 1) < cases_.parts + classes();
  }

  LogLikelihood sum(const Eigen::VectorXd& at, const TemperSample& sample, bool informed) const;

  Eigen::VectorXd away(const Eigen::VectorXd& at) const {
    return at.head(cases_.parts).array() - common_;
  }

  double penalty_at(const Eigen::VectorXd& at) const {
    return pull_ / 2 * away(at).squaredNorm() + penalty_ / 2 * at.tail(classes()).squaredNorm();
  }

  LogLikelihood evaluate(const Eigen::VectorXd& at, const TemperSample& sample,
                         bool informed) const;

  const TemperCases& cases_;
  bool offsets_;
  double penalty_, common_;
  double pull_;  // the penalty of the exponents
  const Context& context_;
  TemperSample whole_;
};

// The exponents of parts, and offsets. First one exponent is estimated for the whole model, without
// penalty. Without a penalty, that one serves whose exponents, from the cases outside of each fold,
// give the cases inside the least log loss.
TemperFit temper(const TemperCases& cases, bool offsets, std::optional<double> penalty,
                 const Context& context);

}  // namespace bayesrisk
