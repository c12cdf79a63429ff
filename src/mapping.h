#pragma once

// The mapping of statistics to another plan, read and checked against both plans.

#include "lists.h"

namespace doors {

inline Mapping read_mapping(SEXP list, int groups, int target_groups, int target_features) {
  Mapping mapping;
  mapping.groups = target_groups;
  ListReader read(list);
  read("group", mapping.group);
  read("feature", mapping.feature);
  const Rcpp::List level(element(list, "level"));
  for (R_xlen_t j = 0; j < level.size(); ++j) {
    IntVector places;
    read_field(level[j], places);
    mapping.level.push_back(places);
  }
  check_mapping(mapping, groups, target_features);
  return mapping;
}

}  // namespace doors
