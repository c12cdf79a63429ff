#pragma once

#include <engine/core/context.hpp>
#include <engine/model/scorer.hpp>

namespace bayesrisk {

// The probabilities of the classes in rows by all features but those of one block.
class OtherFeatures {
 public:
  // `factors`: see log_factors().
  OtherFeatures(const Scorer& scorer, const Vector& factors, const Frame& frame,
                const Context& context);

  // Rows x classes; NaN for rows whose likelihoods are 0 or not known.
  Matrix posterior(int feature) const;

 private:
  Matrix log_likelihood(const BlockMembers* block, const Context& context) const;

  const Scorer& scorer_;
  const Frame& frame_;
  std::vector<BlockMembers> blocks_;
  std::vector<std::size_t> block_of_;  // each feature
  Matrix log_joint_;
};

}  // namespace bayesrisk
