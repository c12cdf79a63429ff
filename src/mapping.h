#pragma once

// Where statistics move to (see Mapping), read and checked against both plans.

#include "lists.h"

namespace doors {

inline void require_places(const IntVector& places, int lowest, int count) {
  for (int place : places) require(place >= lowest && place < count, "mapping: no such place");
}

// Levels of a feature that moves: as many as it has, all within the target's.
inline void check_moved_levels(const ModelPlan& plan, const ModelPlan& target,
                               const Mapping& mapping, const IntVector& bank) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    if (bank[b] < 0) continue;
    require(plan.banks[b].index() == target.banks[bank[b]].index(), "mapping: another bank");
    std::visit(
        [&](const auto& from) {
          using Plan = std::decay_t<decltype(from)>;
          if constexpr (Plan::reads_codes) {
            const Plan& to = std::get<Plan>(target.banks[bank[b]]);
            for (int j = 0; j < from.members(); ++j) {
              const int member = mapping.member(from.features[j], to.features);
              if (member < 0) continue;
              const IntVector& level = mapping.level[from.features[j]];
              require(static_cast<int>(level.size()) == from.levels[j], "mapping: wrong levels");
              require_places(level, 0, to.levels[member]);
            }
          }
        },
        plan.banks[b]);
  }
}

inline Mapping read_mapping(SEXP list, int groups, int target_groups, int target_features) {
  Mapping mapping;
  mapping.groups = target_groups;
  ListReader read{list};
  read("group", mapping.group);
  read("feature", mapping.feature);
  const Rcpp::List level(element(list, "level"));
  for (R_xlen_t j = 0; j < level.size(); ++j) {
    IntVector places;
    read_field(level[j], places);
    mapping.level.push_back(places);
  }
  require(static_cast<int>(mapping.group.size()) == groups, "mapping: wrong number of classes");
  require(mapping.level.size() == mapping.feature.size(), "mapping: wrong number of features");
  require_places(mapping.group, 0, target_groups);
  require_places(mapping.feature, -1, target_features);
  return mapping;
}

}  // namespace doors
