#pragma once

#include <engine/core/quantile.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/values.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// One numeric feature by kernel density. In each class the density is the mean of normals around
// the values. The standard deviation of the normals is the bandwidth.
struct Kernel {
  static constexpr const char* name = "kernel";

  using Plan = ValuesPlan<Kernel>;
  using Statistics = ValuesStatistics<Kernel>;

  struct Options {
    Vector bandwidth;   // per group; empty: a rule computes it
    double factor = 0;  // the factor of the rule

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
    Vector step;                 // of the grid of the points; 0: they are the values themselves
    LeftOut left_out{};

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("points", self.points);
      visit("bandwidth", self.bandwidth);
      visit("step", self.step);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan&, int groups) const {
      left_out.check(1);
      check_points(points, groups);
      require(static_cast<int>(bandwidth.size()) == groups, "bandwidth: wrong length");
      require(static_cast<int>(step.size()) == groups, "step: wrong length");
      for (double s : step) require(is_step(s), "step: no power of 2");
    }
    bool sound(int g) const {
      return has_log_shares(points[g]) && std::isfinite(bandwidth[g]) && bandwidth[g] > 0 &&
             step[g] <= bandwidth[g];
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  // The density at its own values grows without bound as the bandwidth falls, so the log likelihood
  // does not measure the fit.
  static double log_likelihood(const Plan&, const Statistics&, const Parameters&) { return kNaN; }
  static double parameter_count(const Plan&, const Options&, const Parameters&, int) {
    return kNaN;
  }

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

// Finds the points and the bandwidth of each group.
class KernelEstimator {
 public:
  KernelEstimator(const Kernel::Statistics& statistics, const Kernel::Options& options,
                  const Classes& classes, int feature, Diagnostics& diagnostics)
      : statistics_(statistics),
        options_(options),
        classes_(classes),
        spread_(statistics.moments, 0, true),
        feature_(feature),
        diagnostics_(diagnostics) {}

  Kernel::Parameters estimate() {
    const int groups = classes_.count();
    const bool leaves_out = classes_.borrow && options_.bandwidth.empty() && spread_.one_value();
    Kernel::Parameters p{std::vector<Points>(groups, Points(0, 2)), Vector(groups, kNaN),
                         Vector(groups, 0.0)};
    if (leaves_out) {
      p.left_out.set(0, 1);
      diagnostics_.add(Problem::left_out, kAll, feature_, 0);
    }
    for (int g = 0; g < groups; ++g) {
      if (!classes_.has_rows(g)) continue;
      const bool empty = !(statistics_.moments.weight(g, 0) > 0);
      if (empty && !classes_.borrow) {
        diagnostics_.add(Problem::empty, g, feature_, 0);
        continue;
      }
      p.points[g] = empty ? pooled_mean() : with_log_shares(statistics_.points[g]);
      p.bandwidth[g] = leaves_out ? 1 : bandwidth(g);
      if (!empty) p.step[g] = statistics_.step[g];
      if (statistics_.step[g] > p.bandwidth[g]) {
        diagnostics_.add(Problem::coarse, g, feature_, statistics_.step[g]);
      }
      const double weight = statistics_.points[g].col(1).sum();
      if (std::isinf(weight)) diagnostics_.add(Problem::overflow, g, feature_, weight);
    }
    return p;
  }

 private:
  Points pooled_mean() const {
    Points points(1, 2);
    points << spread_.mean().high + spread_.mean().low, 0;
    return points;
  }

  // The bandwidth by the rule. A class without spread borrows one case from the pooled variance; a
  // class without a value is normal with this variance.
  double bandwidth(int g) {
    const double weight = statistics_.moments.weight(g, 0);
    const bool several = statistics_.points[g].rows() > 1;
    const bool light = several && !(weight > 1), empty = !(weight > 0);
    if (empty) diagnostics_.add(Problem::borrowed, g, feature_, weight);
    if (!options_.bandwidth.empty()) return options_.bandwidth[g];
    double result = 0;
    if (empty) {
      result = std::sqrt(spread_.pooled());
    } else if (several && !light) {
      result = by_rule(g, weight);
    }
    if (!has_spread(result) && classes_.borrow && !empty) {
      diagnostics_.add(Problem::borrowed, g, feature_, weight);
      result = options_.factor * std::sqrt(spread_.borrowed(g, 1)) * std::pow(weight + 1, -0.2);
    }
    if (has_spread(result) && !std::isinf(result)) return result;
    const ProblemName problem = !has_spread(result) && classes_.borrow ? Problem::apart
                                : std::isinf(result)                   ? Problem::overflow
                                : light                                ? Problem::too_light
                                                                       : Problem::constant;
    diagnostics_.add(problem, problem == Problem::apart ? kAll : g, feature_, weight);
    return kNaN;
  }

  // factor * min(sd, IQR / 1.34) n^(-1/5) (Silverman 1986, equation 3.31); where the
  // interquartile range is 0 the sd alone.
  double by_rule(int g, double weight) const {
    const Points& points = statistics_.points[g];
    const auto quantile = [&](double share) {
      return weighted_quantile(points.col(0).data(), points.col(1).data(), points.rows(), weight,
                               share);
    };
    const double sd = std::sqrt(statistics_.moments.scatter(g, 0) / (weight - 1));
    const double range = quantile(0.75) - quantile(0.25);
    const double spread = range > 0 ? std::min(sd, range / 1.34) : sd;
    return std::isfinite(sd) ? options_.factor * spread * std::pow(weight, -0.2) : kInfinity;
  }

  const Kernel::Statistics& statistics_;
  const Kernel::Options& options_;
  const Classes& classes_;
  Spread spread_;
  int feature_;
  Diagnostics& diagnostics_;
};

inline Kernel::Parameters Kernel::estimate(const Plan& plan, const Statistics& statistics,
                                           const Options& options, const Classes& classes,
                                           Diagnostics& diagnostics) {
  return KernelEstimator(statistics, options, classes, plan.features[0], diagnostics).estimate();
}

class Kernel::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan), parameters_(parameters), choices_(parameters.points) {}

  int uniforms() const { return 2; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    to.number(plan_.features[0], row) =
        parameters_.points[k](choices_.choose(k, u[0]), 0) + width(k) * normal_quantile(u[1]);
  }

 private:
  double width(int k) const { return parameters_.left_out[0] ? 0 : parameters_.bandwidth[k]; }

  const Plan& plan_;
  const Parameters& parameters_;
  PointChoices choices_;
};

}  // namespace bayesrisk
