#include <engine/evaluation/prior_fit.hpp>

namespace bayesrisk {

PriorFit PriorSolver::solve(const Eigen::VectorXd& start) const {
  Eigen::VectorXd prior = start;
  for (int i = 0; i < kFirstSteps; ++i) {
    prior = prior.cwiseProduct(evidence_.at(prior, false).gradient);
    prior /= prior.sum();
  }
  PriorFit fit = climb(prior, -1, nullptr);
  fit.prior /= fit.prior.sum();
  fit.iterations += kFirstSteps;
  return fit;
}

PriorFit PriorSolver::solve_given(int held, double probability, const Eigen::VectorXd& start,
                                  const std::shared_ptr<Curvature>& curvature) const {
  PriorFit fit = climb(share_out(held, probability, start), held, curvature);
  if (std::isfinite(fit.at.value)) return fit;
  const auto even = Eigen::VectorXd::Ones(start.size());
  return climb(share_out(held, probability, even), held, curvature);
}

Eigen::VectorXd PriorSolver::share_out(int held, double probability, Eigen::VectorXd shares) {
  shares[held] = 0;
  if (!(shares.sum() > 0)) shares.setOnes();
  shares[held] = 0;
  shares *= (1 - probability) / shares.sum();
  shares[held] = probability;
  return shares;
}

PriorFit PriorSolver::climb(const Eigen::VectorXd& start, int held,
                            const std::shared_ptr<Curvature>& nearby) const {
  const auto at = [this](const Eigen::VectorXd& prior, bool informed) {
    return evidence_.at(prior, informed);
  };
  const Limits limits{evidence_.classes(), 0, held};
  const Newton newton(at, limits, held < 0 ? 0 : kNear, [this] { evidence_.check(); });
  const double enough =
      (held < 0 ? kTolerance : kHeldTolerance) + Newton::kRounding * evidence_.total();
  const auto done = [&](const Maximum& best) { return gap_of(best, held) <= enough; };
  Maximum best = newton.climb(start, nearby, {done});
  const double gap = gap_of(best, held);
  return {std::move(best.x), std::move(best.at), std::move(best.curvature), gap, best.iterations};
}

double PriorSolver::gap_of(const Maximum& best, int held) {
  double most = 0, gap = 0;
  for (int k = 0; k < best.x.size(); ++k) {
    if (k != held) most = std::max(most, best.at.gradient[k]);
  }
  for (int k = 0; k < best.x.size(); ++k) {
    if (k != held) gap += best.x[k] * (most - best.at.gradient[k]);
  }
  return std::isfinite(best.at.value) ? gap : 0.0;
}

}  // namespace bayesrisk
