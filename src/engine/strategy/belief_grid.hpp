#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <array>

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

  // The interpolation at any weights is a sum over points: calls visit(point, coefficient) for
  // those with a coefficient above 0.
  template <class Visit>
  void for_corners(const Eigen::VectorXd& weight, const Visit& visit) const {
    if (scale_.size() == 2) {
      for_ends(weight[0] * scale_[0], weight[1] * scale_[1], visit);
    } else if (scale_.size() == 1) {
      if (weight[0] > 0) visit(Index{0}, weight[0] * scale_[0]);
    } else {
      for_simplex(weight, visit);
    }
  }

  double interpolate(const double* values, const Eigen::VectorXd& weight) const {
    double total = 0;
    for_corners(weight,
                [&](Index point, double coefficient) { total += coefficient * values[point]; });
    return total;
  }

 private:
  static constexpr Index kMostClasses = 1024;

  template <class Visit>
  void for_ends(double first, double second, const Visit& visit) const {
    const double total = first + second;
    if (!(total > 0)) return;
    const double at = second / total * divisions_;
    const int low = std::min(static_cast<int>(at), divisions_ - 1);
    const double share = at - low;
    if (share < 1) visit(Index{low}, total * (1 - share));
    if (share > 0) visit(Index{low} + 1, total * share);
  }

  template <class Visit>
  void for_simplex(const Eigen::VectorXd& weight, const Visit& visit) const;

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

template <class Visit>
void BeliefGrid::for_simplex(const Eigen::VectorXd& weight, const Visit& visit) const {
  const Index classes = scale_.size();
  std::array<double, kMostClasses> part, share;
  std::array<int, kMostClasses> sums, order;
  double total = 0;
  for (Index k = classes - 1; k >= 0; --k) {
    total += weight[k] * scale_[k];
    part[static_cast<std::size_t>(k)] = total;
  }
  if (!(total > 0)) return;
  sums[0] = divisions_;
  for (std::size_t k = 1; k < static_cast<std::size_t>(classes); ++k) {
    const double sum = std::min(part[k] / total * divisions_, static_cast<double>(divisions_));
    sums[k] = std::min(static_cast<int>(sum), divisions_ - 1);
    share[k] = sum - sums[k];
    order[k] = static_cast<int>(k);
  }
  const auto first = order.begin() + 1, last = order.begin() + classes;
  std::sort(first, last, [&](int a, int b) {
    const double x = share[static_cast<std::size_t>(a)], y = share[static_cast<std::size_t>(b)];
    return x > y || (x == y && a < b);
  });
  double remaining = 1;
  for (auto k = first;; ++k) {
    const double next = k < last ? share[static_cast<std::size_t>(*k)] : 0;
    if (remaining > next) visit(index_of(sums.data()), total * (remaining - next));
    if (k == last) return;
    remaining = next;
    ++sums[static_cast<std::size_t>(*k)];
  }
}

}  // namespace bayesrisk
