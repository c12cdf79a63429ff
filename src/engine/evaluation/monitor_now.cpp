#include <engine/evaluation/monitor_now.hpp>
#include <engine/evaluation/prior_cost.hpp>
#include <engine/evaluation/prior_interval.hpp>
#include <engine/evaluation/prior_training.hpp>

namespace bayesrisk {

namespace {

// Rows whose class is known say it, whatever their features.
MonitorWindow with_classes(MonitorWindow window) {
  for (Index r = 0; r < window.likelihood.rows(); ++r) {
    const int own = window.group[static_cast<std::size_t>(r)];
    if (own < 0) continue;
    window.likelihood.row(r).setZero();
    window.likelihood(r, own) = 1;
    window.evidence[static_cast<std::size_t>(r)] = 1;
  }
  return window;
}

PriorPiece piece_of(const MonitorWindow& window) {
  return {window.likelihood.rows(), window.likelihood.data(), window.evidence.data(),
          window.weight.data(), nullptr};
}

// Away from 0, where a class could not return.
Eigen::VectorXd start_of(const Vector& prior, const IntVector& open) {
  Eigen::VectorXd start(static_cast<Index>(prior.size()));
  for (std::size_t k = 0; k < prior.size(); ++k) {
    start[static_cast<Index>(k)] = open[k] ? std::max(prior[k], 1e-3) : 0.0;
  }
  return start / start.sum();
}

}  // namespace

MonitorNow estimate_now(const MonitorWindow& window, const Vector& prior, const Vector& cases,
                        double most, const CaseCost& cost, const Context& context) {
  MonitorNow now{prior, Vector(prior.size(), kNaN), Vector(prior.size(), kNaN)};
  IntVector open(prior.size());
  for (std::size_t k = 0; k < prior.size(); ++k) open[k] = prior[k] > 0;
  const MonitorWindow known = with_classes(window);
  const PriorEvidence evidence({piece_of(known)}, static_cast<int>(prior.size()), context);
  if (!(evidence.total() > 0)) return now;
  const PriorFit fit = PriorSolver(evidence).solve(start_of(prior, open));
  now.prior.assign(fit.prior.data(), fit.prior.data() + fit.prior.size());
  const TrainingError error(
      {{known.likelihood.rows(), known.likelihood.data(), nullptr, known.evidence.data()}}, 0,
      cases, context);
  Vector limit = variance_growth(fit, error.covariance(fit.prior), evidence.total(), open);
  for (double& growth : limit) growth *= most;
  const PriorInterval interval(evidence, fit, limit);
  const bool several = std::count(open.begin(), open.end(), 1) > 1;
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (!open[k]) continue;
    now.lower[k] = several ? interval.lower(static_cast<int>(k)) : 1;
    now.upper[k] = several ? interval.upper(static_cast<int>(k)) : 1;
  }
  const PriorCosts costs = prior_costs(piece_of(window), prior, now.prior, cost, context);
  if (costs.weight > 0) {
    now.kept = costs.kept / costs.weight;
    now.fresh = costs.fresh / costs.weight;
  }
  return now;
}

}  // namespace bayesrisk
