#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/parts.hpp>

#include <utility>

namespace bayesrisk {

// The different values of a feature in a group, in increasing order: a matrix with a row (value,
// weight) for each value.
using Points = Matrix;
using ValueAndWeight = std::pair<double, double>;

// The points of sorted values; equal values become one point.
Points points_of(const std::vector<ValueAndWeight>& sorted);

Points unite_points(const Points& a, const Points& b);

// The points of each group, from values in any order.
std::vector<Points> sorted_points(std::vector<std::vector<ValueAndWeight>>& seen);

// The points of each group, of one feature in a chunk. Equal rows are summed in order.
std::vector<Points> collect_points(int feature, const Frame& frame, const Chunk& chunk,
                                   Diagnostics& diagnostics);

// Finite values, increasing, one list per group.
void check_points(const std::vector<Points>& points, int groups);

inline void check_weighted_points(const std::vector<Points>& points, int groups) {
  check_points(points, groups);
  for (const Points& of_group : points) require(not_negative(of_group.col(1)), "points: negative");
}

// The points of a class. If it has none and borrows, the points of all classes.
Points points_or_pooled(const std::vector<Points>& points, int g, int feature,
                        const Classes& classes, Diagnostics& diagnostics);

// Replaces each weight by the log of its share of the total.
inline Points with_log_shares(Points points) {
  points.col(1) = (points.col(1) / points.col(1).sum()).array().log();
  return points;
}

// Whether the second column holds logs of shares.
inline bool has_log_shares(const Points& points) {
  return points.rows() > 0 && (points.col(1).array() <= kLogOne).all();
}

// Points whose second column holds logs of shares. In a class without a density they may be any
// numbers, but no larger than the log of 1.
inline void check_shared_points(const std::vector<Points>& points, int groups) {
  check_points(points, groups);
  for (const Points& of_group : points) {
    require(!(of_group.col(1).array() > kLogOne).any(), "points: shares above 1");
  }
}

// Draws a point of each group by its log share.
class PointChoices {
 public:
  explicit PointChoices(const std::vector<Points>& points);
  Index choose(int g, double u) const {
    return index_of_weight(cumulative_[g].data(), static_cast<int>(cumulative_[g].size()), u);
  }

 private:
  std::vector<Vector> cumulative_;
};

}  // namespace bayesrisk
