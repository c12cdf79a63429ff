#pragma once

#include <engine/likelihood/points.hpp>

namespace bayesrisk {

// Linear binning on a grid of nodes i step, where step is a power of two. The weight of a point is
// divided between its two neighbouring nodes, so that weight and mean do not change. Binning at one
// step and then at twice the step equals binning at twice the step. So the result does not depend
// on the order of the points or of merges.

// A step of 0 means that there is no grid.
inline bool is_step(double step) {
  return step == 0 || (std::isfinite(step) && std::ldexp(1.0, std::ilogb(step)) == step);
}

// Beyond 2^53 steps from 0 every double is a node.
inline ValueAndWeight node_below(double x, double step) {
  if (std::abs(x) >= step * 0x1p53) return {x, 0.0};
  const double below = std::floor(x / step) * step, share = (x - below) / step;
  return share < 1 ? ValueAndWeight{below, share} : ValueAndWeight{below + step, 0.0};
}

inline Points bin_points(const Points& points, double step) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  std::vector<ValueAndWeight> nodes;
  const auto add = [&](double node, double weight) {
    node = std::clamp(node, -kLargest, kLargest);
    // The nodes of the previous point are the last two.
    for (std::size_t i = nodes.size(); i-- > 0 && i + 2 >= nodes.size();) {
      if (nodes[i].first == node) {
        nodes[i].second += weight;
        return;
      }
    }
    nodes.emplace_back(node, weight);
  };
  for (Index i = 0; i < points.rows(); ++i) {
    const auto [below, share] = node_below(points(i, 0), step);
    add(below, points(i, 1) * (1 - share));
    if (share > 0) add(below + step, points(i, 1) * share);
  }
  return points_of(nodes);
}

// The number of cells [i step, (i + 1) step) that hold a point. Each of them needs a node.
inline Index count_cells(const Points& points, double step) {
  Index cells = 0;
  double last = kNaN;
  for (Index i = 0; i < points.rows(); ++i) {
    const double below = node_below(points(i, 0), step).first;
    cells += below != last;
    last = below;
  }
  return cells;
}

// The least exponent, `first` or more, that gives at most `limit` cells. Bisection needs a number
// that never grows with the exponent. The number of cells has this property, the number of nodes
// has not.
inline int least_exponent(const Points& points, double limit, int first) {
  int low = first, high = std::numeric_limits<double>::max_exponent - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const auto cells = static_cast<double>(count_cells(points, std::ldexp(1.0, middle)));
    if (cells <= limit) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// Bins points by the smallest step that leaves at most `limit` (64 or more) of them. `step`: the
// previous step of the points; 0 if they are values. Returns the new step.
inline double limit_points(Points& points, double step, double limit) {
  if (static_cast<double>(points.rows()) <= limit) return step;
  constexpr int kLeast = std::numeric_limits<double>::min_exponent - 53;
  int exponent = least_exponent(points, limit, step > 0 ? std::ilogb(step) + 1 : kLeast);
  while (true) {
    const double wider = std::ldexp(1.0, exponent++);
    Points binned = bin_points(points, wider);
    if (static_cast<double>(binned.rows()) > limit && exponent < 1024) continue;
    points = std::move(binned);
    return wider;
  }
}

}  // namespace bayesrisk
