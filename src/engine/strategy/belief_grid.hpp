#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// The points of a simplex of beliefs whose coordinates are multiples of 1 / divisions, and the
// interpolation between them (Freudenthal's triangulation). A function of the weights of classes
// that is concave, and proportional to them, is nowhere below the interpolation of its values.
class BeliefGrid {
 public:
  // `scale`: the unit of each class. It moves the points to the beliefs that matter.
  BeliefGrid(Eigen::VectorXd scale, int divisions);

  // The number of points of such a grid.
  static double count_points(Index classes, int divisions);

  Index points() const { return points_; }

  // The weights of the classes at a point; in units of their scales they add up to 1.
  Eigen::VectorXd weight(Index point) const;

  // The interpolation at any weights.
  double interpolate(const double* values, const Eigen::VectorXd& weight) const;

  // The sum of the interpolations at the weights times each column of `factors`.
  double interpolate_all(const double* values, const Eigen::VectorXd& weight,
                         const Matrix& factors) const;

 private:
  static constexpr Index kMostClasses = 64;

  double interpolate_line(const double* values, double first, double second) const;
  double interpolate_simplex(const double* values, const Eigen::VectorXd& weight) const;

  // The points are counted by their sums of coordinates from each class to the last one.
  Index index_of(const int* sums) const;

  double ways(Index classes, int sum) const {
    return ways_[static_cast<std::size_t>(classes * (divisions_ + 1) + sum)];
  }

  const Eigen::VectorXd scale_;
  const int divisions_;
  Index points_ = 0;
  Vector ways_;  // of numbers of `classes` with a lower sum
};

}  // namespace bayesrisk
