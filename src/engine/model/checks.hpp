#pragma once

#include <engine/model/fit.hpp>

namespace bayesrisk {

// Checks of states that come from outside, beyond their own check(). A state that passes these
// checks cannot cause a read out of range.

inline void check_plan(const ModelPlan& plan, int features) {
  require(plan.groups >= 1, "no classes");
  for (const AnyPlan& bank : plan.banks) {
    std::visit(
        [&](const auto& p) {
          require(!p.features.empty(), "a bank without features");
          for (int feature : p.features) {
            require(feature >= 0 && feature < features, "a bank names a feature that is not there");
          }
          p.check();
        },
        bank);
  }
}

inline void check_classes(const ModelPlan& plan, const ClassStatistics& classes) {
  require(static_cast<int>(classes.weight.size()) == plan.groups &&
              static_cast<int>(classes.rows.size()) == plan.groups,
          "classes: wrong length");
}

// Codes are read from integer columns only, bags from sparse matrices only.
inline void require_codes(const ModelPlan& plan, const Frame& frame) {
  for (const AnyPlan& bank : plan.banks) {
    std::visit(
        [&](const auto& p) {
          using Plan = std::decay_t<decltype(p)>;
          for (int feature : p.features) {
            const Column& column = frame.columns[feature];
            require(column.is_bag() == reads_bag<Plan>, "frame: a matrix for a vector");
            require(!Plan::reads_codes || column.integer != nullptr,
                    "frame: codes that are no integers");
          }
        },
        bank);
  }
}

inline void check_prior(const Vector& prior) {
  for (double p : prior) require(p >= 0 && p <= 1, "prior: not in [0, 1]");
}

// A class with a positive prior needs sound parameters.
inline void require_sound(const std::vector<AnyParameters>& banks, const Vector& prior) {
  for (const AnyParameters& bank : banks) {
    for (std::size_t k = 0; k < prior.size(); ++k) {
      const int group = static_cast<int>(k);
      require(prior[k] <= 0 || std::visit([&](const auto& p) { return p.sound(group); }, bank),
              "parameters that are not those of a distribution");
    }
  }
}

inline void require_places(const IntVector& places, int lowest, int count) {
  for (int place : places) require(place >= lowest && place < count, "mapping: no such place");
}

inline void check_mapping(const Mapping& mapping, int groups, int target_features) {
  require(static_cast<int>(mapping.group.size()) == groups, "mapping: wrong number of classes");
  require(mapping.level.size() == mapping.feature.size(), "mapping: wrong number of features");
  require_places(mapping.group, 0, mapping.groups);
  require_places(mapping.feature, -1, target_features);
}

// A bank moves to a bank of its own kind. A feature that moves maps each of its levels to a level
// of the target.
inline void check_moved_banks(const ModelPlan& plan, const ModelPlan& target,
                              const Mapping& mapping, const IntVector& bank) {
  require(bank.size() == plan.banks.size(), "mapping: wrong number of banks");
  require_places(bank, -1, static_cast<int>(target.banks.size()));
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    if (bank[b] < 0) continue;
    require(plan.banks[b].index() == target.banks[bank[b]].index(), "mapping: another bank");
    std::visit(
        [&](const auto& from) {
          using Plan = std::decay_t<decltype(from)>;
          if constexpr (has_levels<Plan>) {
            const Plan& to = std::get<Plan>(target.banks[bank[b]]);
            const IntVector member = mapping.members(from.features, to.features);
            for (int j = 0; j < from.members(); ++j) {
              if (member[j] < 0) continue;
              const IntVector& level = mapping.level[from.features[j]];
              require(static_cast<int>(level.size()) == from.levels[j], "mapping: wrong levels");
              require_places(level, 0, to.levels[member[j]]);
            }
          }
        },
        plan.banks[b]);
  }
}

}  // namespace bayesrisk
