#pragma once

#include <bayesrisk/risk/line_risk.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// Points of a line at which a rule of unknown make is looked at, and the largest
// probability between two neighbours: what may be missed there.
struct RuleGrid {
  Vector x;
  double gap;
};

// About `points` in the range where the classes have their mass, equally many of each
// term and evenly along it, and a few in the tails as far as a double tells them from 0.
inline RuleGrid rule_grid(const Line& world, const Vector& log_prior, int points) {
  constexpr double kBody = 4, kFarthest = 38;
  Vector steps;
  std::size_t terms = 0;
  for (const auto& of_class : world.classes) terms += of_class.size();
  const int each = std::max(16, points / static_cast<int>(terms));
  for (int i = 0; i <= each; ++i) steps.push_back(kBody * (2.0 * i / each - 1));
  for (double z = kBody + 0.5; z <= kFarthest; z += 0.5) {
    steps.push_back(z);
    steps.push_back(-z);
  }
  RuleGrid grid{{}, 0};
  for (std::size_t k = 0; k < world.classes.size(); ++k) {
    if (!(log_prior[k] > kNegativeInfinity)) continue;
    for (const NormalTerm& term : world.classes[k]) {
      for (double z : steps) grid.x.push_back(term.mean + z * term.sd);
    }
  }
  std::sort(grid.x.begin(), grid.x.end());
  grid.x.erase(std::unique(grid.x.begin(), grid.x.end()), grid.x.end());
  Regions gaps{grid.x, IntVector(grid.x.size() + 1), {}};
  std::iota(gaps.decision.begin(), gaps.decision.end(), 0);
  Matrix table = Matrix::Zero(static_cast<Index>(world.classes.size()),
                              static_cast<Index>(gaps.decision.size()));
  add_probabilities(world, log_prior, gaps, table);
  grid.gap = table.colwise().sum().maxCoeff();
  return grid;
}

}  // namespace bayesrisk
