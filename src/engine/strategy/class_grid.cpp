#include <engine/strategy/class_grid.hpp>

#include <set>

namespace bayesrisk {

namespace {

IntVector members(const ClassSet& possible) {
  IntVector classes;
  for (std::size_t k = 0; k < possible.size(); ++k) {
    if (possible[k]) classes.push_back(static_cast<int>(k));
  }
  return classes;
}

// The span of the finite costs of each class: there beliefs matter equally.
Eigen::VectorXd scales(const Cost& cost, const IntVector& classes) {
  constexpr double kLeast = 1e-3;
  Eigen::VectorXd scale(static_cast<Index>(classes.size()));
  for (std::size_t i = 0; i < classes.size(); ++i) {
    double low = kInfinity, high = kNegativeInfinity;
    for (int a = 0; a < cost.actions(); ++a) {
      const double of = cost.of(a, classes[i]);
      if (!std::isfinite(of)) continue;
      low = std::min(low, of);
      high = std::max(high, of);
    }
    scale[static_cast<Index>(i)] = high > low ? high - low : 0;
  }
  const double largest = scale.maxCoeff();
  if (!(largest > 0)) return Eigen::VectorXd::Ones(scale.size());
  return (scale / largest).cwiseMax(kLeast);
}

int fit_divisions(Index classes, int divisions) {
  constexpr double kMostPoints = 20000;
  if (classes == 1) return 1;
  while (divisions > 1 && BeliefGrid::count_points(classes, divisions) > kMostPoints) --divisions;
  return divisions;
}

void add_sets(const TestProblem& problem, const ClassSet& possible, std::set<ClassSet>& sets) {
  if (members(possible).empty() || !sets.insert(possible).second) return;
  for (const Unit& unit : problem.units) {
    for (const std::vector<Step>& steps : unit.steps) {
      for (const Step& step : steps) {
        for (Index a = 0; a < step.given.cols(); ++a) {
          add_sets(problem, after_answer(possible, step, a), sets);
        }
      }
    }
  }
}

}  // namespace

ClassGrid::ClassGrid(const Cost& cost, ClassSet possible, int divisions)
    : possible_(std::move(possible)),
      classes_(members(possible_)),
      grid_(scales(cost, classes_), fit_divisions(static_cast<Index>(classes_.size()), divisions)) {
}

double ClassGrid::count_points(Index classes, int divisions) {
  return BeliefGrid::count_points(classes, fit_divisions(classes, divisions));
}

Eigen::VectorXd ClassGrid::weight(Index point) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(static_cast<Index>(possible_.size()));
  const Eigen::VectorXd of_members = grid_.weight(point);
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    result[classes_[i]] = of_members[static_cast<Index>(i)];
  }
  return result;
}

Eigen::VectorXd ClassGrid::of_members(const Eigen::VectorXd& weight) const {
  Eigen::VectorXd result(static_cast<Index>(classes_.size()));
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    result[static_cast<Index>(i)] = weight[classes_[i]];
  }
  return result;
}

std::vector<ClassSet> class_sets(const TestProblem& problem, const ClassSet& possible) {
  if (problem.cost.of.allFinite()) return {possible};
  std::set<ClassSet> found;
  add_sets(problem, possible, found);
  std::vector<ClassSet> sets(found.begin(), found.end());
  std::stable_sort(sets.begin(), sets.end(), [](const ClassSet& a, const ClassSet& b) {
    return std::count(a.begin(), a.end(), 1) < std::count(b.begin(), b.end(), 1);
  });
  return sets;
}

}  // namespace bayesrisk
