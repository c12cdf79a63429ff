#pragma once

#include <engine/data/columns.hpp>
#include <engine/model/fit.hpp>

namespace bayesrisk {

// Checks of states that come from outside, beyond their own check(). A state that passes these
// checks cannot cause a read out of range.

void check_plan(const ModelPlan& plan, int features);

void check_classes(const ModelPlan& plan, const ClassStatistics& classes);

// Codes are read from integer columns only, bags from sparse matrices only.
void require_codes(const ModelPlan& plan, const Frame& frame);

inline void check_prior(const Vector& prior) {
  for (double p : prior) require(p >= 0 && p <= 1, "prior: not in [0, 1]");
}

// A class with a positive prior needs sound parameters.
void require_sound(const ModelPlan& plan, const std::vector<AnyParameters>& parameters,
                   const Vector& prior);

inline void require_places(const IntVector& places, int lowest, int count) {
  for (int place : places) require(place >= lowest && place < count, "mapping: no such place");
}

void check_mapping(const Mapping& mapping, int groups, int target_features);

// A bank moves to a bank of its own kind. A feature that moves maps each of its levels to a level
// of the target.
void check_moved_banks(const ModelPlan& plan, const ModelPlan& target, const Mapping& mapping,
                       const IntVector& bank);

}  // namespace bayesrisk
