#pragma once

#include <engine/core/ranks.hpp>
#include <engine/core/types.hpp>
#include <engine/marginal/bins.hpp>

namespace bayesrisk {

// Several sets of bins, of classes or of features: their numbers, and their edges side by side.
// Without bins a set has no edges.
inline int count_edges(int bins) { return bins > 0 ? bins + 1 : 0; }

Bins set_of_bins(const IntVector& bins, const Vector& edges, int set);

void check_bin_sets(const IntVector& bins, const Vector& edges);

// The place of the first of some bins, not none, in a set that has the same bins and possibly more
// on either side.
int place_of_bins(const Bins& from, const Bins& to);

// The number at a share, from 0 to 1, of a bin.
double number_in_bin(const Bins& bins, int bin, double share);

// Finds the bins of some numbers.
class BinFinder {
 public:
  BinFinder(const Bins& bins, Index numbers)
      : bins_(bins), edges_(bins.edges, count_edges(bins.count), numbers) {}

  // The same as Bins::find().
  int find(double x) const {
    if (bins_.count == 0 || x > bins_.edges[bins_.count]) return -1;
    return std::min(static_cast<int>(edges_.up_to(x)), bins_.count) - 1;
  }

 private:
  Bins bins_;
  Ranks edges_;
};

}  // namespace bayesrisk
