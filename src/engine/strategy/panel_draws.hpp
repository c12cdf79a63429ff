#pragma once

#include <engine/risk/monte_carlo.hpp>
#include <engine/world/conditional.hpp>

namespace bayesrisk {

// Numbers of a joint block that are measured at once, where their law has no closed form: random
// values as answers. A value counts in each class with the density of the class, divided by the sum
// of all densities from which values are drawn (the balance heuristic, see risk/proposal.hpp).
// Values with nearly the same ratios of densities are one answer.
class PanelDraws {
 public:
  // `terms`: by class; no terms: impossible.
  PanelDraws(const std::vector<std::vector<ConditionalTerm>>& terms, std::uint64_t seed);

  // P(answer | class), classes x answers.
  const Matrix& given() const { return given_; }

  // The same of each batch of values. Batches share no values.
  const std::vector<Matrix>& batches() const { return batches_; }

  static constexpr int kBatches = 16;

 private:
  Matrix given_;
  std::vector<Matrix> batches_;
};

}  // namespace bayesrisk
