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

  // The place of an old feature among a new bank's features; -1 if the feature was dropped.
  int member(int old_feature, const IntVector& target_features) const {
    const int wanted = feature[old_feature];
    for (std::size_t i = 0; wanted >= 0 && i < target_features.size(); ++i) {
      if (target_features[i] == wanted) return static_cast<int>(i);
    }
    return -1;
  }
};

}  // namespace bayesrisk
