#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/bank.hpp>

#include <utility>

namespace bayesrisk {

// The different values of a feature in a group, in increasing order: a matrix with a row (value,
// weight) for each value.
using Points = Matrix;
using ValueAndWeight = std::pair<double, double>;

// The points of sorted values; equal values become one point.
inline Points points_of(const std::vector<ValueAndWeight>& sorted) {
  Points points(sorted.size(), 2);
  Index last = -1;
  for (const auto& [value, weight] : sorted) {
    if (last >= 0 && points(last, 0) == value) {
      points(last, 1) += weight;
    } else {
      points.row(++last) << value, weight;
    }
  }
  return points.topRows(last + 1);
}

inline Points unite_points(const Points& a, const Points& b) {
  std::vector<ValueAndWeight> both;
  both.reserve(static_cast<std::size_t>(a.rows() + b.rows()));
  Index i = 0, j = 0;
  while (i < a.rows() || j < b.rows()) {
    const bool first = j == b.rows() || (i < a.rows() && a(i, 0) <= b(j, 0));
    both.emplace_back(first ? ValueAndWeight{a(i, 0), a(i, 1)} : ValueAndWeight{b(j, 0), b(j, 1)});
    ++(first ? i : j);
  }
  return points_of(both);
}

// The points of each group, from values in any order.
inline std::vector<Points> sorted_points(std::vector<std::vector<ValueAndWeight>>& seen) {
  std::vector<Points> result;
  for (std::vector<ValueAndWeight>& values : seen) {
    std::stable_sort(values.begin(), values.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    result.push_back(points_of(values));
  }
  return result;
}

// The points of each group, of one feature in a chunk. Equal rows are summed in order.
inline std::vector<Points> collect_points(int feature, const Frame& frame, const Chunk& chunk,
                                          Diagnostics& diagnostics) {
  Vector buffer(chunk.rows);
  const double* x =
      load_numbers(frame.columns[feature], chunk.begin, chunk.rows, chunk.rows, buffer.data());
  std::vector<std::vector<ValueAndWeight>> seen(chunk.groups);
  for (int r = 0; r < chunk.rows; ++r) {
    const int g = chunk.group[r];
    if (g == chunk.groups || std::isnan(x[r])) continue;
    if (std::isinf(x[r])) {
      diagnostics.add(Problem::infinite, kAll, feature, 1);
    } else {
      // Adding 0 turns -0 into 0.
      seen[g].emplace_back(x[r] + 0.0, chunk.weight ? chunk.weight[r] : 1.0);
    }
  }
  return sorted_points(seen);
}

// Finite values, increasing, one list per group.
inline void check_points(const std::vector<Points>& points, int groups) {
  require(static_cast<int>(points.size()) == groups, "points: wrong length");
  for (const Points& of_group : points) {
    require(of_group.cols() == 2, "points: wrong dimensions");
    for (Index i = 0; i < of_group.rows(); ++i) {
      require(std::isfinite(of_group(i, 0)) && (i == 0 || of_group(i - 1, 0) < of_group(i, 0)),
              "points: not increasing");
    }
  }
}

inline void check_weighted_points(const std::vector<Points>& points, int groups) {
  check_points(points, groups);
  for (const Points& of_group : points) require(not_negative(of_group.col(1)), "points: negative");
}

// The points of a class. If it has none and borrows, the points of all classes.
inline Points points_or_pooled(const std::vector<Points>& points, int g, int feature,
                               const Classes& classes, Diagnostics& diagnostics) {
  if (points[g].col(1).sum() > 0) return points[g];
  Points pooled(0, 2);
  for (std::size_t i = 0; i < points.size() && classes.borrow; ++i) {
    pooled = unite_points(pooled, points[i]);
  }
  const bool found = pooled.col(1).sum() > 0;
  diagnostics.add(found ? Problem::borrowed : Problem::empty, g, feature, 0);
  return pooled;
}

// Replaces each weight by the log of its share of the total.
inline Points with_log_shares(Points points) {
  points.col(1) = (points.col(1) / points.col(1).sum()).array().log();
  return points;
}

// Whether the second column holds logs of shares.
inline bool has_log_shares(const Points& points) {
  return points.rows() > 0 && (points.col(1).array() <= kLogOne).all();
}

// Draws a point of each group by its log share.
class PointChoices {
 public:
  explicit PointChoices(const std::vector<Points>& points) {
    for (const Points& of_group : points) {
      double sum = 0;
      Vector& cumulative = cumulative_.emplace_back();
      for (Index i = 0; i < of_group.rows(); ++i) {
        cumulative.push_back(sum += std::exp(of_group(i, 1)));
      }
    }
  }
  Index choose(int g, double u) const {
    return index_of_weight(cumulative_[g].data(), static_cast<int>(cumulative_[g].size()), u);
  }

 private:
  std::vector<Vector> cumulative_;
};

}  // namespace bayesrisk
