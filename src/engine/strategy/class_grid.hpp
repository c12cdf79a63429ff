#pragma once

#include <engine/strategy/belief_grid.hpp>
#include <engine/strategy/test_problem.hpp>

namespace bayesrisk {

// The grid of beliefs in a set of possible classes.
class ClassGrid {
 public:
  // At most `divisions` of a side, fewer if there would be too many points.
  ClassGrid(const Cost& cost, ClassSet possible, int divisions);

  // The number of points of such a grid.
  static double count_points(Index classes, int divisions);

  const ClassSet& possible() const { return possible_; }
  Index points() const { return grid_.points(); }
  Eigen::VectorXd weight(Index point) const;  // of all classes

  double interpolate(const Vector& values, const Eigen::VectorXd& weight) const {
    if (has_all_classes()) return grid_.interpolate(values.data(), weight);
    return grid_.interpolate(values.data(), of_members(weight));
  }

  // Calls visit(point, coefficient) for the values in an interpolation; all classes are possible.
  template <class Visit>
  void for_corners(const Eigen::VectorXd& weight, const Visit& visit) const {
    grid_.for_corners(weight, visit);
  }

  bool has_all_classes() const { return classes_.size() == possible_.size(); }

 private:
  Eigen::VectorXd of_members(const Eigen::VectorXd& weight) const;

  ClassSet possible_;
  IntVector classes_;
  BeliefGrid grid_;
};

// The sets of possible classes that answers lead to; small sets come first. If all costs are
// finite, the cost to come of a smaller set is that of a weight of 0, so there is one set.
std::vector<ClassSet> class_sets(const TestProblem& problem, const ClassSet& possible);

}  // namespace bayesrisk
