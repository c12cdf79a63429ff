#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/simd/tile_loops.hpp>

#include <cmath>

namespace bayesrisk {

// What mixtures share: the number of components of each group, and their weights, group by group.
struct MixtureWeights {
  IntVector components;  // per group: the number of terms
  Vector log_weight;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("components", self.components);
    visit("log_weight", self.log_weight);
  }
  // Returns the number of terms.
  std::size_t check_weights(int groups) const {
    require(static_cast<int>(components.size()) == groups, "components: wrong length");
    std::size_t terms = 0;
    for (int count : components) {
      require(count >= 1, "components: none");
      terms += static_cast<std::size_t>(count);
    }
    require(log_weight.size() == terms, "log_weight: wrong length");
    return terms;
  }
  // Where the terms of each class begin.
  IntVector first_terms() const {
    IntVector result;
    int next = 0;
    for (int count : components) {
      result.push_back(next);
      next += count;
    }
    return result;
  }
};

// Chooses a component of a class by its weight. If no class has several, no number is needed.
class ComponentChoice {
 public:
  explicit ComponentChoice(const MixtureWeights& weights)
      : components_(weights.components), first_(weights.first_terms()) {
    for (int count : components_) {
      several_ = several_ || count > 1;
      double sum = 0;
      for (int t = 0; t < count; ++t) {
        sum += std::exp(weights.log_weight[cumulative_.size()]);
        cumulative_.push_back(sum);
      }
    }
  }

  int uniforms() const { return several_ ? 1 : 0; }

  int choose(int k, const double* u) const {
    if (!several_) return first_[k];
    return first_[k] + index_of_weight(&cumulative_[first_[k]], components_[k], *u);
  }

 private:
  IntVector components_, first_;
  bool several_ = false;  // whether a class has several components
  Vector cumulative_;
};

// Writes log(sum of exp(-x)) over `count` columns of `stride` rows. Terms are summed relative to
// the largest one, which dominates in the tails. `scratch` has room for two columns.
inline void write_log_sums(const simd::TileLoops& loops, const double* x, int count, int stride,
                           double* scratch, double* result) {
  loops.find_least(x, count, stride, stride, result);
  if (count == 1) {
    for (int r = 0; r < stride; ++r) result[r] = -result[r];
    return;
  }
  double *sum = scratch, *share = scratch + stride;
  std::fill_n(sum, stride, 0.0);
  for (int t = 0; t < count; ++t) {
    loops.add_exponentials(result, x + t * stride, stride, share, sum);
  }
  for (int r = 0; r < stride; ++r) {
    result[r] = std::isinf(result[r]) ? kNegativeInfinity : std::log(sum[r]) - result[r];
  }
}

}  // namespace bayesrisk
