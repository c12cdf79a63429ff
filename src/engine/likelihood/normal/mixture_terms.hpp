#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/core/random.hpp>
#include <engine/marginal/normals.hpp>

#include <cmath>

namespace bayesrisk {

// The search for a mixture. The likelihood has many local optima, so there are many starts. A
// criterion selects the number of components.
struct MixtureOptions {
  static constexpr int kMostComponents = 1000;

  IntVector components{1};  // the candidates for the number of components
  bool bic = true;          // BIC selects among the candidates, or else AIC
  double starts = 1;
  double seed = 0;
  double borrow = 0;              // cases that each component borrows from the class
  double min_variance_share = 0;  // of the variance of the class: the least of a component

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("components", self.components);
    visit("bic", self.bic);
    visit("starts", self.starts);
    visit("seed", self.seed);
    visit("borrow", self.borrow);
    visit("min_variance_share", self.min_variance_share);
  }
  template <class Plan>
  void check(const Plan&, int) const {
    require(!components.empty(), "components: none");
    for (int count : components) {
      require(count >= 1 && count <= kMostComponents, "components: wrong number");
    }
    require(starts >= 1, "starts: none");
    require(seed >= 0 && seed <= 0x1p53, "seed: wrong number");
    require(borrow >= 0 && std::isfinite(borrow), "borrow: wrong number");
    require(min_variance_share >= 0 && min_variance_share < 1, "min_variance_share: not a share");
  }
  // Each start of each candidate has its own random numbers.
  CounterRandom random(int count, int start) const {
    return CounterRandom(static_cast<std::uint64_t>(seed),
                         static_cast<std::uint64_t>(start) * kMostComponents + count);
  }
};

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

  // The normals of a class, of which normal(t) is term t.
  template <class Normal>
  Normals::OfClass normals_of(int k, const Normal& normal) const {
    Normals::OfClass terms;
    const int first = first_terms()[k];
    for (int t = first; t < first + components[k]; ++t) {
      terms.push_back(normal(t));
      terms.back().log_weight = log_weight[t];
    }
    return terms;
  }
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

}  // namespace bayesrisk
