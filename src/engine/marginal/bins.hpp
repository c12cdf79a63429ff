#pragma once

#include <algorithm>

namespace bayesrisk {

// Adjacent bins. Each is closed on the left; the last one is closed on both sides.
struct Bins {
  const double* edges;
  int count;

  // The bin of x; -1 if x is outside of all bins.
  int find(double x) const;
  double width(int bin) const { return edges[bin + 1] - edges[bin]; }
};

}  // namespace bayesrisk
