#pragma once

#include <engine/model/plan.hpp>

namespace bayesrisk {

// What tempering changes about a posterior: the likelihood of each block is raised to a power, and
// the log joint of each class gains a constant. Without powers nothing changes.
struct Tempering {
  Vector power;   // per block, see blocks_of()
  Vector offset;  // per class

  bool empty() const { return power.empty() && offset.empty(); }

  void check(const ModelPlan& plan) const;
};

}  // namespace bayesrisk
