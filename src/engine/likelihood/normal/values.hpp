#pragma once

#include <engine/likelihood/contract/binning.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/normal/moment_collector.hpp>

namespace bayesrisk {

// The statistics of one numeric feature of kernels and mixtures are its values. Many values are
// kept as the nodes of a grid.

template <class L>
struct ValuesPlan {
  using Likelihood = L;
  static constexpr double kFewestPoints = 64;

  IntVector features;         // one
  double points = kInfinity;  // the largest number of points of a group; infinite: all are kept

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("features", self.features);
    visit("points", self.points);
  }
  int members() const { return 1; }
  int blocks() const { return 1; }
  static constexpr bool reads_codes = false;
  void check() const {
    require(features.size() == 1, "a bank of several features");
    require(points >= kFewestPoints, "points: too few");
  }
};

template <class L>
struct ValuesStatistics : SingleFeatureStatistics<ValuesStatistics<L>> {
  using Plan = ValuesPlan<L>;

  std::vector<Points> points;  // per group
  Vector step;                 // the step of the grid; 0: the points are the values themselves
  Moments moments;             // of the values

  ValuesStatistics() = default;
  ValuesStatistics(const Plan&, int groups)
      : points(groups, Points(0, 2)), step(groups, 0.0), moments(groups, 1) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("points", self.points);
    visit("step", self.step);
    Moments::fields(self.moments, visit);
  }
  void check(const Plan&, int groups) const {
    check_weighted_points(points, groups);
    require(static_cast<int>(step.size()) == groups, "step: wrong length");
    for (double s : step) require(is_step(s), "step: no power of 2");
    require(moments.consistent(groups, 1), "moments: wrong dimensions");
    require(not_negative(moments.weight) && not_negative(moments.scatter), "moments: negative");
  }
  void collect(const Plan& plan, const Frame& frame, const Chunk& chunk, Diagnostics& diagnostics) {
    points = collect_points(plan.features[0], frame, chunk, diagnostics);
    for (int g = 0; g < chunk.groups; ++g) step[g] = limit_points(points[g], 0, plan.points);
    Diagnostics same;
    MomentCollector(frame, plan.features, chunk, moments, same).collect();
  }
  void merge(const Plan& plan, const ValuesStatistics& other) {
    for (std::size_t g = 0; g < points.size(); ++g) {
      const double wider = std::max(step[g], other.step[g]);
      const Points mine = step[g] < wider ? bin_points(points[g], wider) : points[g];
      const Points theirs =
          other.step[g] < wider ? bin_points(other.points[g], wider) : other.points[g];
      points[g] = unite_points(mine, theirs);
      step[g] = limit_points(points[g], wider, plan.points);
    }
    moments.merge(other.moments);
  }
};

}  // namespace bayesrisk
