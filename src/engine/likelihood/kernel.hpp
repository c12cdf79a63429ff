#pragma once

#include <engine/core/quantile.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/mapping.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/binning.hpp>
#include <engine/likelihood/moments.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// One numeric feature by kernel density: in each class the mean of normals around its values, whose
// standard deviation is the bandwidth. Many values are kept as the nodes of a grid.
struct Kernel {
  static constexpr const char* name = "kernel";
  static constexpr double kFewestPoints = 64;

  struct Plan {
    using Likelihood = Kernel;
    IntVector features;  // one
    double points = 0;   // the most that are kept of a group; infinite: all

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("points", self.points);
    }
    int members() const { return 1; }
    int blocks() const { return 1; }
    static constexpr bool reads_codes = false;
    void check() const {
      require(features.size() == 1, "kernels of several features");
      require(points >= kFewestPoints, "points: too few");
    }
  };

  struct Options {
    Vector bandwidth;   // of each group; empty: by a rule
    double factor = 0;  // of the rule

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("bandwidth", self.bandwidth);
      visit("factor", self.factor);
    }
    void check(const Plan&, int groups) const {
      require(bandwidth.empty() || static_cast<int>(bandwidth.size()) == groups,
              "bandwidth: wrong length");
    }
  };

  struct Parameters {
    std::vector<Points> points;  // per group: value, log of its share
    Vector bandwidth;            // per group

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
      visit("bandwidth", self.bandwidth);
    }
    void check(const Plan&, int groups) const {
      check_points(points, groups);
      require(static_cast<int>(bandwidth.size()) == groups, "bandwidth: wrong length");
    }
    bool sound(int g) const {
      return has_log_shares(points[g]) && std::isfinite(bandwidth[g]) && bandwidth[g] > 0;
    }
  };

  struct Statistics {
    std::vector<Points> points;  // per group
    Vector step;                 // of the grid of nodes; 0: the points are the values themselves
    Moments moments;             // of the values

    Statistics() = default;
    Statistics(const Plan&, int groups)
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
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      points = collect_points(plan.features[0], frame, chunk, diagnostics);
      for (int g = 0; g < chunk.groups; ++g) step[g] = limit_points(points[g], 0, plan.points);
      Diagnostics same;
      MomentCollector(frame, plan.features, chunk, moments, same).collect();
    }
    void merge(const Plan& plan, const Statistics& other);

    Statistics of_groups(const Plan&, int first, int groups) const {
      Statistics part;
      part.points = points_of_groups(points, first, groups);
      part.step.assign(step.begin() + first, step.begin() + first + groups);
      part.moments = moments.of_groups(first, groups);
      return part;
    }
    Statistics realign(const Plan&, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Vector& class_weight, Diagnostics& diagnostics);

  // The density at its own values grows without bound as the bandwidth falls: no measure of fit.
  static double log_likelihood(const Plan&, const Statistics&, const Parameters&) { return kNaN; }
  static double parameter_count(const Plan&, const Options&, int) { return kNaN; }

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int, double origin) {
    Normals::OfClass terms;
    for (Index i = 0; i < p.points[k].rows(); ++i) {
      terms.push_back({p.points[k](i, 1), p.points[k](i, 0) - origin, p.bandwidth[k]});
    }
    return terms;
  }

  class Scorer;
  class Drawer;
};

inline void Kernel::Statistics::merge(const Plan& plan, const Statistics& other) {
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

inline Kernel::Statistics Kernel::Statistics::realign(const Plan&, const Plan& target,
                                                      const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  Moments& to = result.moments;
  for (std::size_t g = 0; g < mapping.group.size(); ++g) {
    const int at = mapping.group[g];
    result.points[at] = points[g];
    result.step[at] = step[g];
    to.weight(at, 0) = moments.weight(g, 0);
    to.mean(at, 0) = moments.mean(g, 0);
    to.mean_low(at, 0) = moments.mean_low(g, 0);
    to.scatter(at, 0) = moments.scatter(g, 0);
  }
  return result;
}

// Finds the bandwidth of one group.
class BandwidthRule {
 public:
  BandwidthRule(const Kernel::Statistics& statistics, int group, int feature,
                Diagnostics& diagnostics)
      : points_(statistics.points[group]),
        weight_(statistics.moments.weight(group, 0)),
        scatter_(statistics.moments.scatter(group, 0)),
        group_(group),
        feature_(feature),
        diagnostics_(diagnostics) {}

  // factor * min(sd, IQR / 1.34) n^(-1/5) (Silverman 1986, equation 3.31); where the
  // interquartile range is 0 the sd alone.
  double bandwidth(double factor) {
    if (points_.rows() < 2) return refuse(Problem::constant);
    if (!(weight_ > 1)) return refuse(Problem::too_light);
    const double sd = std::sqrt(scatter_ / (weight_ - 1));
    if (!std::isfinite(sd)) return refuse(Problem::overflow);
    const double range = quantile(0.75) - quantile(0.25);
    const double spread = range > 0 ? std::min(sd, range / 1.34) : sd;
    const double result = factor * spread * std::pow(weight_, -0.2);
    if (std::isinf(result)) return refuse(Problem::overflow);
    return result < std::numeric_limits<double>::min() ? refuse(Problem::constant) : result;
  }

 private:
  double quantile(double share) const {
    return weighted_quantile(points_.col(0).data(), points_.col(1).data(), points_.rows(), weight_,
                             share);
  }
  double refuse(Problem problem) {
    diagnostics_.add(problem, group_, feature_, weight_);
    return kNaN;
  }

  const Points& points_;
  double weight_, scatter_;
  int group_, feature_;
  Diagnostics& diagnostics_;
};

inline Kernel::Parameters Kernel::estimate(const Plan& plan, const Statistics& statistics,
                                           const Options& options, const Vector& class_weight,
                                           Diagnostics& diagnostics) {
  const int groups = static_cast<int>(class_weight.size()), feature = plan.features[0];
  Parameters p{std::vector<Points>(groups, Points(0, 2)), Vector(groups, kNaN)};
  for (int g = 0; g < groups; ++g) {
    if (class_weight[g] <= 0) continue;
    if (!(statistics.moments.weight(g, 0) > 0)) {
      diagnostics.add(Problem::empty, g, feature, 0);
      continue;
    }
    BandwidthRule rule(statistics, g, feature, diagnostics);
    p.bandwidth[g] =
        options.bandwidth.empty() ? rule.bandwidth(options.factor) : options.bandwidth[g];
    if (statistics.step[g] > p.bandwidth[g]) {
      diagnostics.add(Problem::coarse, g, feature, statistics.step[g]);
    }
    const double weight = statistics.points[g].col(1).sum();
    if (std::isinf(weight)) diagnostics.add(Problem::overflow, g, feature, weight);
    p.points[g] = with_log_shares(statistics.points[g]);
  }
  return p;
}

class Kernel::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), parameters_(parameters), choices_(parameters.points) {}

  int uniforms() const { return 2; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    to.number(plan_.features[0], row) = parameters_.points[k](choices_.choose(k, u[0]), 0) +
                                        parameters_.bandwidth[k] * normal_quantile(u[1]);
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
  PointChoices choices_;
};

}  // namespace bayesrisk
