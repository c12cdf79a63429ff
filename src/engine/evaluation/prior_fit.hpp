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
              PriorCurvature& curvature, int held, std::function<void()> check)
      : from_(from),
        gradient_(gradient),
        curvature_(curvature),
        held_(held),
        check_(std::move(check)),
        classes_(static_cast<int>(from.size())),
        to_(from) {
    for (int k = 0; k < classes_; ++k) open_.push_back(k != held && from[k] > 0);
  }

  Eigen::VectorXd find() {
    for (int i = 0; i < 4 * classes_ + 20; ++i) {
      check_();
      find_slope();
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

  void find_slope() { slope_ = gradient_ - curvature_.information() * (to_ - from_); }

  Eigen::VectorXd solve(const IntVector& open) const {
    const double base = slope_.maxCoeff();
    Eigen::VectorXd right(static_cast<Index>(open.size()));
    for (Index i = 0; i < right.size(); ++i) right[i] = slope_[open[i]] - base;
    return curvature_.solve(open, right, 0);
  }

  // Opens the closed class whose probability should grow most. Returns whether there is one.
  bool open_best() {
    find_slope();
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

  PriorFit solve(const Eigen::VectorXd& start) const {
    PriorFit fit = climb(begin(start, nullptr), -1);
    fit.prior /= fit.prior.sum();
    return fit;
  }

  // With the probability of one class held. The others begin with the shares that they have in
  // `start`, unless a row is impossible there. `curvature`: of a prior nearby.
  PriorFit solve_given(int held, double probability, const Eigen::VectorXd& start,
                       const std::shared_ptr<PriorCurvature>& curvature) const {
    PriorFit fit = begin(share_out(held, probability, start), curvature);
    if (!std::isfinite(fit.at.value)) {
      const auto even = Eigen::VectorXd::Ones(start.size());
      fit = begin(share_out(held, probability, even), curvature);
    }
    return climb(std::move(fit), held);
  }

 private:
  static constexpr int kMostIterations = 1000, kFirstSteps = 2;
  // With a class held, an error of the maximum changes the end of an interval very little.
  static constexpr double kTolerance = 1e-8, kHeldTolerance = 1e-6, kRounding = 1e-13;
  // How far a gap falls in a fast step; the classes whose information costs little.
  static constexpr double kFast = 0.7;
  static constexpr int kFewClasses = 8;

  static Eigen::VectorXd share_out(int held, double probability, Eigen::VectorXd shares) {
    shares[held] = 0;
    if (!(shares.sum() > 0)) shares.setOnes();
    shares[held] = 0;
    shares *= (1 - probability) / shares.sum();
    shares[held] = probability;
    return shares;
  }

  // Null: the curvature is found.
  PriorFit begin(const Eigen::VectorXd& start, std::shared_ptr<PriorCurvature> curvature) const {
    PriorFit fit{start, evidence_.at(start, !curvature), std::move(curvature)};
    keep_information(fit);
    return fit;
  }

  static void keep_information(PriorFit& fit) {
    if (fit.at.information.size() == 0) return;
    fit.curvature = std::make_shared<PriorCurvature>(std::move(fit.at.information));
    fit.at.information.resize(0, 0);
  }

  // With a class held, the curvature nearby serves as long as the gap falls fast: a step then costs
  // a gradient.
  PriorFit climb(PriorFit fit, int held) const {
    const double enough = (held < 0 ? kTolerance : kHeldTolerance) + kRounding * evidence_.total();
    const bool informed = held < 0 || evidence_.classes() <= kFewClasses;
    bool fresh = informed;
    fit.gap = gap_of(fit, held);
    while (fit.gap > enough && fit.iterations < kMostIterations) {
      const double gap = fit.gap, value = fit.at.value;
      const bool near = held >= 0 || fit.iterations >= kFirstSteps;
      const bool moved = near && step(held, informed, fit);
      if (!moved && !(near && !fresh) && !move(em_step(fit, held), informed, fit)) break;
      ++fit.iterations;
      fit.gap = gap_of(fit, held);
      // Rounding ends the way.
      const bool stays = fit.at.value - value <= rounding(fit) && fit.gap > gap / 2;
      if (stays && fresh) break;
      fresh = informed;
      if (informed || fit.gap <= kFast * gap) continue;
      fit.at = evidence_.at(fit.prior);
      keep_information(fit);
      fresh = true;
    }
    return fit;
  }

  bool step(int held, bool informed, PriorFit& fit) const {
    const auto check = [this] { evidence_.check(); };
    SimplexStep next(fit.prior, fit.at.gradient, *fit.curvature, held, check);
    return move(next.find(), informed, fit);
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
  bool move(const Eigen::VectorXd& step, bool informed, PriorFit& fit) const {
    // The step sums to 0 up to rounding, which a constant would enlarge.
    const double slope = step.dot(centred(fit.at.gradient));
    if (!(slope > 0)) return false;
    for (double share = 1; share > 1e-10; share /= 2) {
      const Eigen::VectorXd next = (fit.prior + share * step).cwiseMax(0.0);
      PriorLikelihood found = evidence_.at(next, informed);
      if (!(found.value >= fit.at.value + 1e-4 * share * slope - rounding(fit))) continue;
      fit.prior = next;
      fit.at = std::move(found);
      keep_information(fit);
      return true;
    }
    return false;
  }

  const PriorEvidence& evidence_;
};

}  // namespace bayesrisk
