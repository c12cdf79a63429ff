#include <engine/likelihood/normal/mixture_terms.hpp>

namespace bayesrisk {

std::size_t MixtureWeights::check_weights(int groups) const {
  require(static_cast<int>(components.size()) == groups, "components: wrong length");
  std::size_t terms = 0;
  for (int count : components) {
    require(count >= 1, "components: none");
    terms += static_cast<std::size_t>(count);
  }
  require(log_weight.size() == terms, "log_weight: wrong length");
  return terms;
}

IntVector MixtureWeights::first_terms() const {
  IntVector result;
  int next = 0;
  for (int count : components) {
    result.push_back(next);
    next += count;
  }
  return result;
}

ComponentChoice::ComponentChoice(const MixtureWeights& weights)
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

}  // namespace bayesrisk
