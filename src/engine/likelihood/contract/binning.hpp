#pragma once

#include <engine/likelihood/contract/points.hpp>

namespace bayesrisk {

// Linear binning on a grid of nodes i step, where step is a power of two. The weight of a point is
// divided between its two neighbouring nodes, so that weight and mean do not change. Binning at one
// step and then at twice the step equals binning at twice the step. So the result does not depend
// on the order of the points or of merges.

// A step of 0 means that there is no grid.
inline bool is_step(double step) {
  return step == 0 || (std::isfinite(step) && std::ldexp(1.0, std::ilogb(step)) == step);
}

// Beyond 2^53 steps from 0 every double is a node.
ValueAndWeight node_below(double x, double step);

Points bin_points(const Points& points, double step);

// The number of cells [i step, (i + 1) step) that hold a point. Each of them needs a node.
Index count_cells(const Points& points, double step);

// The least exponent, `first` or more, that gives at most `limit` cells. Bisection needs a number
// that never grows with the exponent. The number of cells has this property, the number of nodes
// has not.
int least_exponent(const Points& points, double limit, int first);

// Bins points by the smallest step that leaves at most `limit` (64 or more) of them. `step`: the
// previous step of the points; 0 if they are values. Returns the new step.
double limit_points(Points& points, double step, double limit);

}  // namespace bayesrisk
