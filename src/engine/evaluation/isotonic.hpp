#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// The knots of a rising function that is linear between them.
struct IsotonicFit {
  Vector x, y;
};

// Weighted isotonic regression by pooling adjacent violators. Each pool gives its first and its
// last x the weighted share of ones.
IsotonicFit isotonic(const Vector& x, const IntVector& one, const Vector& weight);

}  // namespace bayesrisk
