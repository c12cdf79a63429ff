#pragma once

#include <engine/model/plan.hpp>

namespace bayesrisk {

// What tempering changes about a posterior: the likelihood of each block is raised to a power, and
// the log joint of each class gains a constant. Without powers nothing changes.
struct Tempering {
  Vector power;   // per block, see blocks_of()
  Vector offset;  // per class

  bool empty() const { return power.empty() && offset.empty(); }

  void check(const ModelPlan& plan) const {
    if (empty()) return;
    require(power.size() == blocks_of(plan).size(), "temper: wrong number of powers");
    require(static_cast<int>(offset.size()) == plan.groups, "temper: wrong number of offsets");
    for (double p : power) require(p >= 0 && std::isfinite(p), "temper: a power is wrong");
    for (double b : offset) require(std::isfinite(b), "temper: an offset is wrong");
  }
};

}  // namespace bayesrisk
