#pragma once

#include <algorithm>

namespace bayesrisk {

// Adjacent bins. Each is closed on the left; the last one is closed on both sides.
struct Bins {
  const double* edges;
  int count;

  // The bin of x; -1 if x is outside of all bins.
  int find(double x) const {
    if (count == 0 || !(x >= edges[0]) || x > edges[count]) return -1;
    const auto next = std::upper_bound(edges, edges + count, x) - edges;
    return static_cast<int>(next) - 1;
  }
  double width(int bin) const { return edges[bin + 1] - edges[bin]; }
};

}  // namespace bayesrisk
