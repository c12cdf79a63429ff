#pragma once

#include <engine/risk/line_risk.hpp>

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
double largest_gap(const Marginal& world, const Vector& log_prior, const RuleGrid& grid);

// A grid of about `points` values.
RuleGrid rule_grid(const Marginal& world, const Vector& log_prior, int points);

}  // namespace bayesrisk
