#pragma once

#include <engine/search/rule_mixture.hpp>

namespace bayesrisk {

// The advantage of an action with the costs `own` (by class) over the best of the `others` (actions
// x classes), at the posterior where it is largest: the value of a game. Its sign is meant, so each
// class may have a unit of its own. Two rules handle infinite costs. First, classes with an
// infinite cost of the action are left out, because the posterior can be 0 there; all other classes
// have a positive probability. Second, another action with an infinite cost in one of these classes
// is left out, because it is always worse. Infinite if nothing is left, or if rounding dominates.
double best_margin(const Matrix& others, const Eigen::VectorXd& own);

}  // namespace bayesrisk
