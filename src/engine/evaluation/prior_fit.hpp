#pragma once

#include <engine/evaluation/prior_likelihood.hpp>

#include <Eigen/LU>

namespace bayesrisk {

struct PriorFit {
  Eigen::VectorXd prior;
  PriorLikelihood at;  // of this prior
  double gap = 0;      // the maximum is at most this much higher
  int iterations = 0;
};

// The step that maximises a concave quadratic, gradient'd - d'information d / 2, among the steps
// that keep the sum and leave no probability below 0: an active set.
class SimplexStep {
 public:
  // `held`: a class whose probability stays; -1: none.
  SimplexStep(const Eigen::VectorXd& from, const PriorLikelihood& at, int held)
      : from_(from), at_(at), held_(held), classes_(static_cast<int>(from.size())), to_(from) {
    for (int k = 0; k < classes_; ++k) open_.push_back(k != held && from[k] > 0);
  }

  Eigen::VectorXd find() {
    for (int i = 0; i < 4 * classes_ + 20; ++i) {
      slope_ = at_.gradient - at_.information * (to_ - from_);
      if (walk() && !open_best()) break;
    }
    return to_ - from_;
  }

 private:
  // Walks to the maximum over the open classes, or until a probability becomes 0, which closes its
  // class. Returns whether the maximum is reached.
  bool walk() {
    IntVector open;
    for (int k = 0; k < classes_; ++k) {
      if (open_[k]) open.push_back(k);
    }
    if (open.size() < 2) return true;
    const Eigen::VectorXd step = solve(open);
    double longest = 1;
    int closed = -1;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const double at = to_[open[i]], by = step[static_cast<Index>(i)];
      if (at + longest * by >= 0) continue;
      longest = -at / by;
      closed = open[i];
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      to_[open[i]] = std::max(0.0, to_[open[i]] + longest * step[static_cast<Index>(i)]);
    }
    if (closed < 0) return true;
    to_[closed] = 0;
    open_[closed] = false;
    return false;
  }

  Eigen::VectorXd solve(const IntVector& open) const {
    double unit = 0;
    for (int k : open) unit = std::max(unit, at_.information(k, k));
    if (!(unit > 0)) unit = 1;
    const double base = slope_.maxCoeff();
    Eigen::VectorXd right(static_cast<Index>(open.size()));
    for (Index i = 0; i < right.size(); ++i) right[i] = slope_[open[i]] - base;
    return solve_with_sum(at_.information, open, right, 0, unit);
  }

  // Opens the closed class whose probability should grow most. Returns whether there is one.
  bool open_best() {
    slope_ = at_.gradient - at_.information * (to_ - from_);
    double level = kNegativeInfinity, best = 0;
    int found = -1;
    for (int k = 0; k < classes_; ++k) {
      if (open_[k]) level = std::max(level, slope_[k]);
    }
    for (int k = 0; k < classes_; ++k) {
      if (open_[k] || k == held_ || !(slope_[k] > level)) continue;
      const double excess = slope_[k] - level;
      if (excess <= 1e-12 * std::abs(level) || excess <= best) continue;
      best = excess;
      found = k;
    }
    if (found >= 0) open_[found] = true;
    return found >= 0;
  }

  const Eigen::VectorXd& from_;
  const PriorLikelihood& at_;
  int held_, classes_;
  Eigen::VectorXd to_, slope_;
  std::vector<char> open_;
};

// Maximises the likelihood of the prior over the simplex. Two steps of EM lead near the maximum if
// the classes hardly overlap, and Newton's method ends there.
class PriorSolver {
 public:
  explicit PriorSolver(const PriorEvidence& evidence) : evidence_(evidence) {}

  PriorFit solve(const Eigen::VectorXd& start) const {
    PriorFit fit = climb(begin(start), -1);
    fit.prior /= fit.prior.sum();
    return fit;
  }

  // With the probability of one class held. The others begin with the shares that they have in
  // `start`, unless a row is impossible there.
  PriorFit solve_given(int held, double probability, const Eigen::VectorXd& start) const {
    PriorFit fit = begin(share_out(held, probability, start));
    if (!std::isfinite(fit.at.value)) {
      fit = begin(share_out(held, probability, Eigen::VectorXd::Ones(start.size())));
    }
    return climb(std::move(fit), held);
  }

 private:
  static constexpr int kMostIterations = 1000, kFirstSteps = 2;
  // With a class held, an error of the maximum changes the end of an interval very little.
  static constexpr double kTolerance = 1e-8, kHeldTolerance = 1e-6, kRounding = 1e-13;

  static Eigen::VectorXd share_out(int held, double probability, Eigen::VectorXd shares) {
    shares[held] = 0;
    if (!(shares.sum() > 0)) shares.setOnes();
    shares[held] = 0;
    shares *= (1 - probability) / shares.sum();
    shares[held] = probability;
    return shares;
  }

  PriorFit begin(const Eigen::VectorXd& start) const { return {start, evidence_.at(start)}; }

  PriorFit climb(PriorFit fit, int held) const {
    const double enough = (held < 0 ? kTolerance : kHeldTolerance) + kRounding * evidence_.total();
    fit.gap = gap_of(fit, held);
    while (fit.gap > enough && fit.iterations < kMostIterations) {
      const double gap = fit.gap, value = fit.at.value;
      const bool near = held >= 0 || fit.iterations >= kFirstSteps;
      const bool moved = near && move(SimplexStep(fit.prior, fit.at, held).find(), fit);
      if (!moved && !move(em_step(fit, held), fit)) break;
      ++fit.iterations;
      fit.gap = gap_of(fit, held);
      // Rounding ends the way.
      if (fit.at.value - value <= rounding(fit) && fit.gap > gap / 2) break;
    }
    return fit;
  }

  static double rounding(const PriorFit& fit) { return kRounding * (1 + std::abs(fit.at.value)); }

  // The likelihood is concave, so no prior is better by more than the largest slope towards one.
  static double gap_of(const PriorFit& fit, int held) {
    double most = 0, gap = 0;
    for (int k = 0; k < fit.prior.size(); ++k) {
      if (k != held) most = std::max(most, fit.at.gradient[k]);
    }
    for (int k = 0; k < fit.prior.size(); ++k) {
      if (k != held) gap += fit.prior[k] * (most - fit.at.gradient[k]);
    }
    return std::isfinite(fit.at.value) ? gap : 0.0;
  }

  static Eigen::VectorXd centred(const Eigen::VectorXd& x) {
    return (x.array() - x.maxCoeff()).matrix();
  }

  static Eigen::VectorXd em_step(const PriorFit& fit, int held) {
    Eigen::VectorXd next = fit.prior.cwiseProduct(fit.at.gradient);
    const double stays = held < 0 ? 0.0 : fit.prior[held];
    if (held >= 0) next[held] = 0;
    const double sum = next.sum();
    if (!(sum > 0)) return Eigen::VectorXd::Zero(next.size());
    next *= (1 - stays) / sum;
    if (held >= 0) next[held] = stays;
    return next - fit.prior;
  }

  // Moves along the step, or a part of it, if the likelihood grows.
  bool move(const Eigen::VectorXd& step, PriorFit& fit) const {
    // The step sums to 0 up to rounding, which a constant would enlarge.
    const double slope = step.dot(centred(fit.at.gradient));
    if (!(slope > 0)) return false;
    for (double share = 1; share > 1e-10; share /= 2) {
      const Eigen::VectorXd next = (fit.prior + share * step).cwiseMax(0.0);
      PriorLikelihood found = evidence_.at(next);
      if (!(found.value >= fit.at.value + 1e-4 * share * slope - rounding(fit))) continue;
      fit.prior = next;
      fit.at = std::move(found);
      return true;
    }
    return false;
  }

  const PriorEvidence& evidence_;
};

}  // namespace bayesrisk
