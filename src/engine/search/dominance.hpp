#pragma once

#include <engine/search/rule_mixture.hpp>

namespace bayesrisk {

// The advantage of an action with the costs `own` (by class) over the best of the `others` (actions
// x classes), at the posterior where it is largest: the value of a game. Its sign is meant, so each
// class may have a unit of its own. Two rules handle infinite costs. First, classes with an
// infinite cost of the action are left out, because the posterior can be 0 there; all other classes
// have a positive probability. Second, another action with an infinite cost in one of these classes
// is left out, because it is always worse. Infinite if nothing is left, or if rounding dominates.
inline double best_margin(const Matrix& others, const Eigen::VectorXd& own) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::vector<Index> classes, rivals;
  for (Index k = 0; k < own.size(); ++k) {
    if (own[k] < kInfinite) classes.push_back(k);
  }
  if (others.rows() > 0 && classes.empty()) return 0;
  const auto gain = [&](Index rival, Index k) { return others(rival, k) - own[k]; };
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(own.size());
  for (Index a = 0; a < others.rows(); ++a) {
    const bool finite = std::all_of(classes.begin(), classes.end(),
                                    [&](Index k) { return gain(a, k) < kInfinite; });
    if (!finite) continue;
    rivals.push_back(a);
    for (Index k : classes) unit[k] = std::max(unit[k], std::abs(gain(a, k)));
  }
  if (rivals.empty()) return kInfinite;
  // The gains are in their units from -1 to 1; the payoffs of the game must be positive.
  constexpr double kShift = 2;
  RuleMixture game(static_cast<Index>(classes.size()));
  for (Index a : rivals) {
    Eigen::VectorXd payoff(static_cast<Index>(classes.size()));
    for (Index i = 0; i < payoff.size(); ++i) {
      const Index k = classes[static_cast<std::size_t>(i)];
      payoff[i] = kShift + (unit[k] > 0 ? gain(a, k) / unit[k] : 0.0);
    }
    game.add(payoff);
  }
  if (!game.solve()) return kInfinite;
  const double margin = game.value() - kShift;
  return std::abs(margin) <= 1e-12 ? 0 : margin;
}

}  // namespace bayesrisk
