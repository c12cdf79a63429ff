#pragma once

#include <engine/evaluation/prior_fit.hpp>

namespace bayesrisk {

// The interval of the probability of a class by its profile likelihood: the values at which twice
// the log likelihood, maximised over the other classes, is at most `most` below its maximum.
class PriorInterval {
 public:
  PriorInterval(const PriorEvidence& evidence, const PriorFit& best, double most)
      : solver_(evidence), best_(best), root_(std::sqrt(most)) {}

  double lower(int k) const { return end(k, 0); }
  double upper(int k) const { return end(k, 1); }

 private:
  static constexpr int kMostSteps = 100;
  static constexpr double kTolerance = 1e-7;

  // The signed root of the deviance is nearly linear in the probability, so Newton's method needs
  // few steps. `limit`: 0 or 1, the end of the simplex on this side.
  double end(int k, double limit) const {
    if (best_.prior[k] == limit) return limit;
    // A copy, because ends are found at the same time.
    auto curvature = std::make_shared<PriorCurvature>(*best_.curvature);
    Eigen::VectorXd direction = profile_direction(k, *curvature);
    double inside = best_.prior[k], outside = limit, at = first(k, limit, direction);
    bool limited = true;  // the limit has not been tried
    for (int i = 0; i < kMostSteps; ++i) {
      if (limited && (limit - at) * (limit - inside) <= 0) {
        limited = false;
        if (deviance_root(solver_.solve_given(k, limit, best_.prior, curvature)) <= root_)
          return limit;
        at = between(inside, outside);
      }
      const PriorFit fit = solver_.solve_given(k, at, predicted(direction, k, at), curvature);
      curvature = fit.curvature;
      const double root = deviance_root(fit);
      if (std::abs(root - root_) <= kTolerance * root_) break;
      (root < root_ ? inside : outside) = at;
      if (std::abs(outside - inside) <= 1e-15 * std::max(inside, outside)) break;
      direction = (fit.prior - best_.prior) / (at - best_.prior[k]);
      const double slope = -profile_slope(fit, k) / root;
      at -= (root - root_) / slope;
      const bool beyond = limited && outside == limit && (limit - at) * (limit - inside) <= 0;
      if (!beyond && !((at - inside) * (at - outside) < 0)) at = between(inside, outside);
    }
    return at;
  }

  // Towards 0 in steps of a factor.
  static double between(double inside, double outside) {
    return outside == 0 ? inside / 8 : (inside + outside) / 2;
  }

  double deviance_root(const PriorFit& fit) const {
    return std::sqrt(std::max(0.0, 2 * (best_.at.value - fit.at.value)));
  }

  // How the probabilities change if that of class k grows by 1 and the likelihood falls least.
  Eigen::VectorXd profile_direction(int k, PriorCurvature& curvature) const {
    const Eigen::VectorXd& from = best_.prior;
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(from.size());
    IntVector open;
    for (int j = 0; j < from.size(); ++j) {
      if (j != k && from[j] > 0) open.push_back(j);
    }
    Eigen::VectorXd right(static_cast<Index>(open.size()));
    for (Index i = 0; i < right.size(); ++i) right[i] = -curvature.information()(open[i], k);
    const Eigen::VectorXd solved = curvature.solve(open, right, -1);
    for (Index i = 0; i < right.size(); ++i) direction[open[i]] = solved[i];
    direction[k] = 1;
    return direction;
  }

  // The end of the interval if the profile were a quadratic.
  double first(int k, double limit, const Eigen::VectorXd& direction) const {
    const double best = best_.prior[k], steep = std::abs(profile_slope(best_, k));
    const double bend = std::max(direction.dot(best_.curvature->information() * direction), 1e-8);
    const double most = root_ * root_ / 2;
    const double step = 2 * most / (steep + std::sqrt(steep * steep + 2 * bend * most));
    return limit > best ? best + step : best - step;
  }

  // By the theorem of envelopes.
  static double profile_slope(const PriorFit& fit, int k) {
    const double others = fit.prior.sum() - fit.prior[k];
    if (!(others > 0)) return 0;
    const double mean = fit.prior.dot(fit.at.gradient) - fit.prior[k] * fit.at.gradient[k];
    return fit.at.gradient[k] - mean / others;
  }

  // The other classes move along a line from the best prior.
  Eigen::VectorXd predicted(const Eigen::VectorXd& direction, int k, double at) const {
    const Eigen::VectorXd line = (best_.prior + (at - best_.prior[k]) * direction).cwiseMax(0.0);
    return line.sum() > line[k] ? line : best_.prior;
  }

  PriorSolver solver_;
  const PriorFit& best_;
  double root_;
};

}  // namespace bayesrisk
