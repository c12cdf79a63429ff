#pragma once

#include <engine/likelihood/registry.hpp>

namespace bayesrisk {

// The banks of a model, and the number of groups (classes).
struct ModelPlan {
  int groups = 0;
  std::vector<AnyPlan> banks;
};

// The number of levels of each feature, the same in every bank; 0 for a number.
inline IntVector feature_levels(const ModelPlan& plan) {
  constexpr int kNew = -1;
  IntVector result;
  for (const AnyPlan& bank : plan.banks) {
    std::visit(
        [&](const auto& p) {
          for (int j = 0; j < p.members(); ++j) {
            const auto feature = static_cast<std::size_t>(p.features[j]);
            if (feature >= result.size()) result.resize(feature + 1, kNew);
            int levels = 0;
            if constexpr (std::decay_t<decltype(p)>::reads_codes) {
              levels = p.levels[j];
              require(levels > 0, "levels: none");
            }
            require(result[feature] == kNew || result[feature] == levels, "levels: not the same");
            result[feature] = levels;
          }
        },
        bank);
  }
  std::replace(result.begin(), result.end(), kNew, 0);
  return result;
}

inline int levels_of(const ModelPlan& plan, int feature) {
  const IntVector levels = feature_levels(plan);
  require(feature < static_cast<int>(levels.size()), "a feature without a bank");
  return levels[static_cast<std::size_t>(feature)];
}

}  // namespace bayesrisk
