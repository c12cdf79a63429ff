#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// The knots of a rising function that is linear between them.
struct IsotonicFit {
  Vector x, y;
};

// Weighted isotonic regression by pooling adjacent violators. Few cases of one kind are no
// certainty: each pool gets half a case of either kind, and violators are pooled again. Each pool
// gives its first and its last x its share of ones, which is never 0 or 1.
IsotonicFit isotonic(const Vector& x, const IntVector& one, const Vector& weight);

}  // namespace bayesrisk
