#pragma once

#include <engine/likelihood/registry.hpp>

namespace bayesrisk {

// The banks of a model, and the number of groups (classes).
struct ModelPlan {
  int groups = 0;
  std::vector<AnyPlan> banks;
};

inline bool is_bag(const AnyPlan& bank) {
  return std::visit([](const auto& p) { return reads_bag<std::decay_t<decltype(p)>>; }, bank);
}

// Some members of a bank: a block, or several that stand side by side.
struct BlockMembers {
  std::size_t bank;
  int from, to;
};

inline std::vector<BlockMembers> blocks_of(const ModelPlan& plan) {
  std::vector<BlockMembers> blocks;
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const auto [members, count] =
        std::visit([](const auto& p) { return std::pair(p.members(), p.blocks()); }, plan.banks[b]);
    const int size = members / count;  // all of a joint block, or one single feature
    for (int i = 0; i < count; ++i) blocks.push_back({b, i * size, (i + 1) * size});
  }
  return blocks;
}

// Neighbours in the same bank that have the same value become one.
template <class Value>
std::vector<std::pair<BlockMembers, Value>> unite_blocks(const std::vector<BlockMembers>& blocks,
                                                         const std::vector<Value>& value) {
  std::vector<std::pair<BlockMembers, Value>> runs;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool same =
        !runs.empty() && runs.back().first.bank == blocks[i].bank && runs.back().second == value[i];
    if (same) {
      runs.back().first.to = blocks[i].to;
    } else {
      runs.push_back({blocks[i], value[i]});
    }
  }
  return runs;
}

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
