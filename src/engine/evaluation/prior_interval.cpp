#include <engine/evaluation/prior_interval.hpp>

namespace bayesrisk {

double PriorInterval::end(int k, double limit) const {
  if (best_.prior[k] == limit) return limit;
  // A copy, because ends are found at the same time.
  auto curvature = std::make_shared<Curvature>(*best_.curvature);
  const double most_root = std::sqrt(most_[k]);
  Eigen::VectorXd direction = profile_direction(k, *curvature);
  double inside = best_.prior[k], outside = limit, at = first(k, limit, direction);
  bool limited = true;  // the limit has not been tried
  for (int i = 0; i < kMostSteps; ++i) {
    if (limited && (limit - at) * (limit - inside) <= 0) {
      limited = false;
      if (deviance_root(solver_.solve_given(k, limit, best_.prior, curvature)) <= most_root)
        return limit;
      at = between(inside, outside);
    }
    const PriorFit fit = solver_.solve_given(k, at, predicted(direction, k, at), curvature);
    curvature = fit.curvature;
    const double root = deviance_root(fit);
    if (std::abs(root - most_root) <= kTolerance * most_root) break;
    (root < most_root ? inside : outside) = at;
    if (std::abs(outside - inside) <= 1e-15 * std::max(inside, outside)) break;
    direction = (fit.prior - best_.prior) / (at - best_.prior[k]);
    const double slope = -profile_slope(fit, k) / root;
    at -= (root - most_root) / slope;
    const bool beyond = limited && outside == limit && (limit - at) * (limit - inside) <= 0;
    if (!beyond && !((at - inside) * (at - outside) < 0)) at = between(inside, outside);
  }
  return at;
}

Eigen::VectorXd PriorInterval::profile_direction(int k, Curvature& curvature) const {
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

double PriorInterval::first(int k, double limit, const Eigen::VectorXd& direction) const {
  const double best = best_.prior[k], steep = std::abs(profile_slope(best_, k));
  const double bend = std::max(direction.dot(best_.curvature->information() * direction), 1e-8);
  const double most = most_[k] / 2;
  const double step = 2 * most / (steep + std::sqrt(steep * steep + 2 * bend * most));
  return limit > best ? best + step : best - step;
}

double PriorInterval::profile_slope(const PriorFit& fit, int k) {
  const double others = fit.prior.sum() - fit.prior[k];
  if (!(others > 0)) return 0;
  const double mean = fit.prior.dot(fit.at.gradient) - fit.prior[k] * fit.at.gradient[k];
  return fit.at.gradient[k] - mean / others;
}

}  // namespace bayesrisk
