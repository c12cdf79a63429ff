#pragma once

#include <engine/core/types.hpp>

#include <numeric>

namespace bayesrisk {

// The features of a bank that have the same value in all rows. They carry no information about the
// class; their log likelihood is 0.
struct LeftOut {
  IntVector features;  // 0 or 1 for each; empty: none

  bool operator[](Index j) const {
    return !features.empty() && features[static_cast<std::size_t>(j)] != 0;
  }
  int count() const { return std::accumulate(features.begin(), features.end(), 0); }
  void set(Index j, Index members) {
    features.resize(static_cast<std::size_t>(members), 0);
    features[static_cast<std::size_t>(j)] = 1;
  }
  void check(int members) const {
    require(features.empty() || static_cast<int>(features.size()) == members,
            "left_out: wrong length");
  }
};

}  // namespace bayesrisk
