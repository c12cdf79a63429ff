#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/simd/tile_loops.hpp>

#include <cmath>

namespace bayesrisk {

// The number of components of each group of a mixture, and their weights, group by group.
struct MixtureWeights {
  IntVector components;  // per group: the number of terms
  Vector log_weight;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("components", self.components);
    visit("log_weight", self.log_weight);
  }
  // Returns the number of terms.
  std::size_t check_weights(int groups) const;
  // The position of the first term of each class.
  IntVector first_terms() const;
};

// Chooses a component of a class by its weight. If no class has several, no number is needed.
class ComponentChoice {
 public:
  explicit ComponentChoice(const MixtureWeights& weights);

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
void write_log_sums(const simd::TileLoops& loops, const double* x, int count, int stride,
                    double* scratch, double* result);

}  // namespace bayesrisk
