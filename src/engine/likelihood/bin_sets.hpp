#pragma once

#include <engine/core/ranks.hpp>
#include <engine/core/types.hpp>
#include <engine/marginal/bins.hpp>

namespace bayesrisk {

// Several sets of bins, of classes or of features: their numbers, and their edges side by side.
// Without bins a set has no edges.
inline int count_edges(int bins) { return bins > 0 ? bins + 1 : 0; }

inline Bins set_of_bins(const IntVector& bins, const Vector& edges, int set) {
  const double* first = edges.data();
  for (int s = 0; s < set; ++s) first += count_edges(bins[s]);
  return {first, bins[set]};
}

inline void check_bin_sets(const IntVector& bins, const Vector& edges) {
  require(!bins.empty(), "bins: none");
  std::size_t first = 0;
  for (int count : bins) {
    require(count >= 0, "bins: negative");
    require(static_cast<std::size_t>(count) <= edges.size(), "edges: wrong length");
    const auto end = first + static_cast<std::size_t>(count_edges(count));
    require(end <= edges.size(), "edges: wrong length");
    for (std::size_t i = first; i < end; ++i) {
      require(std::isfinite(edges[i]) && (i == first || edges[i - 1] < edges[i]),
              "edges: not increasing");
    }
    first = end;
  }
  require(first == edges.size(), "edges: wrong length");
}

// The place of the first of some bins, not none, in a set that has the same bins and possibly more
// on either side.
inline int place_of_bins(const Bins& from, const Bins& to) {
  const int first = to.find(from.edges[0]);
  require(first >= 0 && first + from.count <= to.count &&
              std::equal(from.edges, from.edges + from.count + 1, to.edges + first),
          "edges: other bins");
  return first;
}

// The number at a share, from 0 to 1, of a bin.
inline double number_in_bin(const Bins& bins, int bin, double share) {
  const double x = bins.edges[bin] + share * bins.width(bin);
  const double last = std::nextafter(bins.edges[bin + 1], bins.edges[bin]);
  return std::clamp(x, bins.edges[bin], last);
}

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
