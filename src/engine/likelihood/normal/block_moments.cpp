#include <engine/core/decompositions.hpp>
#include <engine/core/triangle.hpp>
#include <engine/likelihood/normal/block_moments.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

namespace {

// The means and deviations of the second class along the axes in which both covariances are
// diagonal; the first class has mean 0 and deviation 1.
std::vector<MeanAndSd> common_axes(const BlockMoments& first, const BlockMoments& second) {
  const auto whiten = first.triangle.transpose().triangularView<Eigen::Lower>();
  const LeftSingular axes =
      left_singular(solve_transposed(first.triangle, second.triangle.transpose()));
  const Eigen::VectorXd distance =
      axes.vectors.transpose() * whiten.solve(second.mean - first.mean);
  std::vector<MeanAndSd> result;
  for (Index j = 0; j < distance.size(); ++j) {
    result.push_back({distance[j], axes.values[j]});
  }
  return result;
}

}  // namespace

void add_normals(const BlockMoments& first, const BlockMoments& second, Overlap& overlap) {
  for (const MeanAndSd& of_second : common_axes(first, second)) {
    const Normals::OfClass one = Normals::unknown(), other{{0, of_second.mean, of_second.sd}};
    overlap.parts.push_back(log_overlap(one, other));
    overlap.moments.push_back(compare_moments(moments_of(one), moments_of(other)));
  }
}

void add_moments(const BlockMoments& first, const BlockMoments& second, Overlap& overlap) {
  for (const MeanAndSd& of_second : common_axes(first, second)) {
    overlap.moments.push_back(compare_moments({0, 1}, of_second));
  }
}

}  // namespace bayesrisk
