#pragma once

#include <engine/charge/line_risk.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// The values of a feature at which an unknown rule is evaluated.
struct RuleGrid {
  Vector x;         // increasing
  double gap = 0;   // the largest probability between two neighbours
  double step = 0;  // the least distance of two values of the feature, see CompleteMarginal
};

// The probability between two points of the grid, both points excluded.
inline double largest_gap(const Marginal& world, const Vector& log_prior, const RuleGrid& grid) {
  Regions gaps;
  for (double x : grid.x) {
    gaps.cut.push_back(x);
    if (grid.step > 0) gaps.cut.push_back(std::nextafter(x, kInfinity));
  }
  gaps.decision.resize(gaps.cut.size() + 1);
  std::iota(gaps.decision.begin(), gaps.decision.end(), 0);
  Matrix table =
      Matrix::Zero(static_cast<Index>(log_prior.size()), static_cast<Index>(gaps.decision.size()));
  add_probabilities(world, log_prior, gaps, table);
  const Eigen::RowVectorXd probability = table.colwise().sum();
  double largest = 0;
  const Index every = grid.step > 0 ? 2 : 1;
  for (Index i = 0; i < probability.size(); i += every) largest = std::max(largest, probability[i]);
  return largest;
}

// A grid of about `points` values.
inline RuleGrid rule_grid(const Marginal& world, const Vector& log_prior, int points) {
  RuleGrid grid;
  std::visit(
      [&](const auto& of) {
        grid.step = of.kStep;
        std::size_t parts = 0;
        for (const auto& of_class : of.classes) parts += parts_of(of_class);
        const auto most = static_cast<std::size_t>(points);
        const auto each = static_cast<int>(std::max(std::size_t{16}, most / parts));
        for (std::size_t k = 0; k < of.classes.size(); ++k) {
          if (log_prior[k] > kNegativeInfinity) add_points(of.classes[k], each, grid.x);
        }
      },
      world);
  std::sort(grid.x.begin(), grid.x.end());
  grid.x.erase(std::unique(grid.x.begin(), grid.x.end()), grid.x.end());
  grid.gap = largest_gap(world, log_prior, grid);
  return grid;
}

}  // namespace bayesrisk
