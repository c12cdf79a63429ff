#pragma once

#include <engine/strategy/panel_draws.hpp>
#include <engine/strategy/ratio_test.hpp>

#include <memory>

namespace bayesrisk {

// Numbers of a joint block that are measured at once, given what a row knows of the block.
class PanelLaw {
 public:
  // `features`: those that are measured. `possible`: by class.
  PanelLaw(const View& view, const Frame& frame, Index row, const IntVector& features,
           const std::vector<char>& possible);

  // Whether they can tell the classes apart at all.
  bool tells() const { return possible_ > 1 && !terms_.empty(); }

  // Their log ratio, if two classes are possible and each is one normal; otherwise null.
  std::shared_ptr<const RatioTest> ratio() const;

  PanelDraws draws(std::uint64_t seed) const { return PanelDraws(terms_, seed); }

 private:
  std::vector<std::vector<ConditionalTerm>> terms_;  // by class
  Index possible_;
};

// The log density of a row's values in the block of a feature, by class.
Eigen::VectorXd block_log_density(const View& view, const Frame& frame, Index row, int feature);

}  // namespace bayesrisk
