#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// The positions of groups, features and levels when statistics move to another plan, because they
// are merged with other statistics or features are dropped.
struct Mapping {
  int groups = 0;                // of the target
  IntVector group;               // old group -> new group
  IntVector feature;             // old feature -> new feature, -1: dropped
  std::vector<IntVector> level;  // per old feature: old level -> new level

  // The places of old features among a new bank's features; -1 for a feature that was dropped.
  IntVector members(const IntVector& old_features, const IntVector& target_features) const;
};

}  // namespace bayesrisk
