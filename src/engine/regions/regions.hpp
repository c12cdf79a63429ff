#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

constexpr int kNoDecision = -1;  // every class is impossible

// The decisions along one feature: decision[i] (from 0) applies between cut[i - 1] and cut[i]. A
// cut is exact if it is an edge or a root in closed form.
struct Regions {
  Vector cut;
  IntVector decision;
  std::vector<char> exact;  // per cut
};

}  // namespace bayesrisk
