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
inline IsotonicFit isotonic(const Vector& x, const IntVector& one, const Vector& weight) {
  require(one.size() == x.size() && weight.size() == x.size(), "isotonic: wrong length");
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  struct Pool {
    double first, last, ones, weight;
    double share() const { return ones / weight; }
  };
  std::vector<Pool> pools;
  for (std::size_t i : order) {
    if (!(weight[i] > 0)) continue;
    Pool pool{x[i], x[i], one[i] ? weight[i] : 0.0, weight[i]};
    // Equal x have one value.
    while (!pools.empty() &&
           (pools.back().share() >= pool.share() || pools.back().last == pool.first)) {
      const Pool& below = pools.back();
      pool = {below.first, pool.last, below.ones + pool.ones, below.weight + pool.weight};
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  IsotonicFit fit;
  for (const Pool& pool : pools) {
    fit.x.push_back(pool.first);
    fit.y.push_back(pool.share());
    if (pool.last == pool.first) continue;
    fit.x.push_back(pool.last);
    fit.y.push_back(pool.share());
  }
  return fit;
}

}  // namespace bayesrisk
