#pragma once

#include <engine/model/plan.hpp>

namespace bayesrisk {

// A block whose density in each class is a weighted sum of multivariate normals: a Gaussian block,
// or a block of mixtures. `normals` is null for any other bank.
struct NormalBlock {
  const MultivariateGaussian::Plan* plan = nullptr;
  const MultivariateGaussian::Parameters* normals = nullptr;
  const MixtureWeights* weights = nullptr;  // null: one term for each class

  struct Term {
    int at;  // among the normals
    double log_weight;
  };

  std::vector<Term> terms_of(int k) const {
    if (!weights) return {{k, 0}};
    std::vector<Term> terms;
    const int first = weights->first_terms()[k];
    for (int t = first; t < first + weights->components[k]; ++t) {
      terms.push_back({t, weights->log_weight[t]});
    }
    return terms;
  }
};

inline NormalBlock normal_block(const AnyPlan& plan, const AnyParameters& parameters) {
  if (const auto* block = std::get_if<MultivariateGaussian::Plan>(&plan)) {
    return {block, &std::get<MultivariateGaussian::Parameters>(parameters), nullptr};
  }
  if (const auto* block = std::get_if<MultivariateMixture::Plan>(&plan)) {
    const auto& mixture = std::get<MultivariateMixture::Parameters>(parameters);
    return {block, &mixture.normals, &mixture};
  }
  return {};
}

}  // namespace bayesrisk
