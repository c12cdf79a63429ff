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
               const Context& context)
      : cases_(cases),
        offsets_(offsets),
        penalty_(penalty),
        common_(common),
        pull_(cases.parts > 1 ? penalty : 0),
        context_(context) {
    for (Index i = 0; i < cases.rows; ++i) weight_ += cases.weight_of(i);
  }

  // The exponents are equal, the offsets 0.
  Eigen::VectorXd start(double power) const {
    Eigen::VectorXd at = Eigen::VectorXd::Zero(cases_.parts + classes());
    at.head(cases_.parts).setConstant(power);
    return at;
  }

  // The mean log loss, without penalty.
  double mean_loss(const Eigen::VectorXd& at) const {
    return sum_losses(at, false).value / weight_;
  }

  // With many cases a few thousand of them give the start.
  TemperFit solve(Eigen::VectorXd at) const {
    if (cases_.rows > kMany) {
      const Index step = cases_.rows / kFew;
      const TemperCases few = some_of(cases_, step);
      const double share = 1.0 / static_cast<double>(step);
      TemperFit found;
      at = TemperSolver(few, offsets_, share * penalty_, common_, context_).minimise(at, found);
    }
    TemperFit fit;
    at = minimise(at, fit);
    fit.power.assign(at.data(), at.data() + cases_.parts);
    fit.offset.assign(static_cast<std::size_t>(cases_.classes), 0.0);
    for (int k = 0; k < classes(); ++k) {
      fit.offset[k] = at[cases_.parts + k] - at.tail(classes()).mean();
    }
    return fit;
  }

 private:
  static constexpr int kMostIterations = 200;
  static constexpr double kTolerance = 1e-10, kNoLoss = 1e-9;
  static constexpr Index kMany = 100000, kFew = 20000;

  int classes() const { return offsets_ ? cases_.classes : 0; }

  // Writes the loss, without penalty, the last decrement, the iterations and whether the classes
  // are separated.
  Eigen::VectorXd minimise(Eigen::VectorXd at, TemperFit& fit) const {
    LogLoss loss = evaluate(at, true);
    for (; fit.iterations < kMostIterations; ++fit.iterations) {
      fit.separated = loss.value <= kNoLoss * weight_;
      if (fit.separated) break;
      const Eigen::VectorXd step = newton_step(at, loss);
      fit.decrement = -step.dot(loss.gradient);
      const bool last = !(fit.decrement > kTolerance * (1 + loss.value));
      if (!move(step, !last, at, loss) || last) break;
    }
    fit.loss = (loss.value - penalty_at(at)) / weight_;
    return at;
  }

  LogLoss sum_losses(const Eigen::VectorXd& at, bool derivatives) const {
    const LogLoss none(static_cast<int>(at.size()));
    return merge_by_rows(cases_.rows, context_, none, [&](Index first, Index last) {
      context_.check();
      return LogLossSummer(cases_, at, offsets_).sum(first, last, derivatives);
    });
  }

  Eigen::VectorXd away(const Eigen::VectorXd& at) const {
    return at.head(cases_.parts).array() - common_;
  }

  // The posterior does not depend on the sum of the offsets, so it is kept at 0.
  double penalty_at(const Eigen::VectorXd& at) const {
    const auto b = at.tail(classes());
    return pull_ / 2 * away(at).squaredNorm() + penalty_ / 2 * b.squaredNorm() +
           b.sum() * b.sum() / 2;
  }

  LogLoss evaluate(const Eigen::VectorXd& at, bool derivatives) const {
    LogLoss loss = sum_losses(at, derivatives);
    loss.value += penalty_at(at);
    if (!derivatives) return loss;
    const int parts = cases_.parts, offsets = classes();
    const auto b = at.tail(offsets);
    loss.gradient.head(parts) += pull_ * away(at);
    loss.hessian.diagonal().head(parts).array() += pull_;
    loss.gradient.tail(offsets).array() += (penalty_ * b).array() + b.sum();
    loss.hessian.diagonal().tail(offsets).array() += penalty_;
    loss.hessian.bottomRightCorner(offsets, offsets).array() += 1;
    return loss;
  }

  // Exponents at 0 that would become negative stay there.
  Eigen::VectorXd newton_step(const Eigen::VectorXd& at, const LogLoss& loss) const {
    IntVector open;
    for (int i = 0; i < at.size(); ++i) {
      if (i >= cases_.parts || at[i] > 0 || loss.gradient[i] < 0) open.push_back(i);
    }
    const auto size = static_cast<Index>(open.size());
    Matrix hessian(size, size);
    Eigen::VectorXd gradient(size);
    for (Index i = 0; i < size; ++i) {
      gradient[i] = loss.gradient[open[i]];
      for (Index j = 0; j < size; ++j) hessian(i, j) = loss.hessian(open[i], open[j]);
    }
    // A part without scores has no curvature.
    hessian.diagonal().array() += 1e-12 * (1 + hessian.diagonal().array());
    const Eigen::VectorXd solved = -hessian.ldlt().solve(gradient);
    Eigen::VectorXd step = Eigen::VectorXd::Zero(at.size());
    for (Index i = 0; i < size; ++i) step[open[i]] = solved[i];
    return step;
  }

  // Moves along the step, projected to exponents >= 0, until the loss falls. Returns whether it
  // does.
  bool move(const Eigen::VectorXd& step, bool derivatives, Eigen::VectorXd& at,
            LogLoss& loss) const {
    for (double share = 1; share > 1e-10; share /= 2) {
      Eigen::VectorXd next = at + share * step;
      next.head(cases_.parts) = next.head(cases_.parts).cwiseMax(0.0);
      const double expected = loss.gradient.dot(next - at);
      LogLoss found = evaluate(next, derivatives);
      if (!(found.value <= loss.value + 1e-4 * expected)) continue;
      at = next;
      loss = std::move(found);
      return true;
    }
    return false;
  }

  const TemperCases& cases_;
  bool offsets_;
  double penalty_, common_;
  double pull_;  // the penalty of the exponents
  const Context& context_;
  double weight_ = 0;
};

// The exponents of parts, and offsets. First one exponent is estimated for the whole model, without
// penalty.
inline TemperFit temper(const TemperCases& cases, bool offsets, double penalty,
                        const Context& context) {
  const TemperCases summed = cases.parts > 1 ? sum_parts(cases) : TemperCases{};
  const TemperSolver of_model(cases.parts > 1 ? summed : cases, false, 0, 1, context);
  TemperFit fit = of_model.solve(of_model.start(1));
  const double common = fit.power[0], before = of_model.mean_loss(of_model.start(1));
  fit.power.assign(cases.parts, common);
  if (!fit.separated && (cases.parts > 1 || offsets)) {
    const TemperSolver of_parts(cases, offsets, penalty, common, context);
    fit = of_parts.solve(of_parts.start(common));
  }
  fit.common = common;
  fit.before = before;
  return fit;
}

}  // namespace bayesrisk
