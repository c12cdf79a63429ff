#include <engine/strategy/belief_grid.hpp>

#include <array>
#include <cmath>
#include <numeric>

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

double BeliefGrid::interpolate(const double* values, const Eigen::VectorXd& weight) const {
  if (scale_.size() > 2) return interpolate_simplex(values, weight);
  if (scale_.size() == 1) return weight[0] * scale_[0] * values[0];
  return interpolate_line(values, weight[0] * scale_[0], weight[1] * scale_[1]);
}

double BeliefGrid::interpolate_all(const double* values, const Eigen::VectorXd& weight,
                                   const Matrix& factors) const {
  double total = 0;
  if (scale_.size() == 2) {
    const double first = weight[0] * scale_[0], second = weight[1] * scale_[1];
    for (Index j = 0; j < factors.cols(); ++j) {
      total += interpolate_line(values, first * factors(0, j), second * factors(1, j));
    }
    return total;
  }
  Eigen::VectorXd at;
  for (Index j = 0; j < factors.cols(); ++j) {
    at = weight.cwiseProduct(factors.col(j));
    total += interpolate(values, at);
  }
  return total;
}

inline double BeliefGrid::interpolate_line(const double* values, double first,
                                           double second) const {
  const double total = first + second;
  if (!(total > 0)) return 0;
  const double at = second / total * divisions_;
  const int low = std::min(static_cast<int>(at), divisions_ - 1);
  const double share = at - low;
  // Infinite values count only where they have a share.
  if (share == 0 || share == 1) return total * values[low + (share == 1)];
  return total * (values[low] * (1 - share) + values[low + 1] * share);
}

double BeliefGrid::interpolate_simplex(const double* values, const Eigen::VectorXd& weight) const {
  const Index classes = scale_.size();
  std::array<double, kMostClasses> part, share;
  std::array<int, kMostClasses> sums, order;
  double total = 0;
  for (Index k = classes - 1; k >= 0; --k) {
    total += weight[k] * scale_[k];
    part[static_cast<std::size_t>(k)] = total;
  }
  if (!(total > 0)) return 0;
  sums[0] = divisions_;
  const double unit = divisions_ / total;
  for (std::size_t k = 1; k < static_cast<std::size_t>(classes); ++k) {
    const double sum = std::min(part[k] * unit, static_cast<double>(divisions_));
    sums[k] = std::min(static_cast<int>(sum), divisions_ - 1);
    share[k] = sum - sums[k];
    order[k] = static_cast<int>(k);
  }
  const auto first = order.begin() + 1, last = order.begin() + classes;
  std::sort(first, last, [&](int a, int b) {
    const double x = share[static_cast<std::size_t>(a)], y = share[static_cast<std::size_t>(b)];
    return x > y || (x == y && a < b);
  });
  double result = 0, remaining = 1;
  for (auto k = first;; ++k) {
    const double next = k < last ? share[static_cast<std::size_t>(*k)] : 0;
    if (remaining > next) result += (remaining - next) * values[index_of(sums.data())];
    if (k == last) break;
    remaining = next;
    ++sums[static_cast<std::size_t>(*k)];
  }
  return total * result;
}

}  // namespace bayesrisk
