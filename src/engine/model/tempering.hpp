#pragma once

#include <engine/model/plan.hpp>

namespace bayesrisk {

// Tempering raises the likelihood of each block to a power, and adds a constant to the log joint of
// each class. Without powers nothing changes.
struct Tempering {
  Vector power;   // per block, see blocks_of()
  Vector offset;  // per class

  bool empty() const { return power.empty() && offset.empty(); }

  void check(const ModelPlan& plan) const;
};

}  // namespace bayesrisk
