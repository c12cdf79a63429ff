#include <engine/strategy/belief_grid.hpp>

#include <cmath>

namespace bayesrisk {

double BeliefGrid::count_points(Index classes, int divisions) {
  double count = 1;
  for (Index i = 1; i < classes; ++i) {
    count *= static_cast<double>(divisions + i) / static_cast<double>(i);
  }
  return std::round(count);
}

BeliefGrid::BeliefGrid(Eigen::VectorXd scale, int divisions)
    : scale_(std::move(scale)), divisions_(divisions) {
  const Index classes = scale_.size();
  require(classes >= 1 && classes <= kMostClasses && divisions >= 1, "grid: wrong size");
  points_ = static_cast<Index>(count_points(classes, divisions));
  ways_.assign(static_cast<std::size_t>(classes * (divisions + 1)), 0);
  for (Index m = 1; m < classes; ++m) {
    for (int sum = 1; sum <= divisions; ++sum) {
      ways_[static_cast<std::size_t>(m * (divisions + 1) + sum)] = count_points(m + 1, sum - 1);
    }
  }
}

Index BeliefGrid::index_of(const int* sums) const {
  double index = 0;
  for (Index k = 1; k < scale_.size(); ++k) index += ways(scale_.size() - k, sums[k]);
  return static_cast<Index>(index);
}

Eigen::VectorXd BeliefGrid::weight(Index point) const {
  const Index classes = scale_.size();
  Eigen::VectorXd result(classes);
  double left = static_cast<double>(point);
  int before = divisions_;
  for (Index k = 1; k < classes; ++k) {
    int sum = before;
    while (ways(classes - k, sum) > left) --sum;
    left -= ways(classes - k, sum);
    result[k - 1] = before - sum;
    before = sum;
  }
  result[classes - 1] = before;
  return result.array() / (scale_.array() * divisions_);
}

}  // namespace bayesrisk
