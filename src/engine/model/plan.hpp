#pragma once

#include <engine/likelihood/contract/bank.hpp>

#include <algorithm>

namespace bayesrisk {

// The banks of a model, and the number of groups (classes).
struct ModelPlan {
  int groups = 0;
  std::vector<AnyPlan> banks;
};

inline bool is_bag(const AnyPlan& bank) { return bank->is_bag(); }

// Some members of a bank: a block, or several that stand side by side.
struct BlockMembers {
  std::size_t bank;
  int from, to;
};

std::vector<BlockMembers> blocks_of(const ModelPlan& plan);

IntVector features_of(const ModelPlan& plan, const BlockMembers& block);

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
IntVector feature_levels(const ModelPlan& plan);

int levels_of(const ModelPlan& plan, int feature);

}  // namespace bayesrisk
