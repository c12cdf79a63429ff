#pragma once

#include <engine/core/quantile.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/normal/values.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// One numeric feature by kernel density. In each class the density is the mean of normals around
// the values. The standard deviation of the normals is the bandwidth.
struct Kernel : SingleMembers, NotNormal, NoTable, NoPosterior, NoTerms, NoPooling {
  static constexpr const char* name = "kernel";

  using Plan = ValuesPlan<Kernel>;
  using Statistics = ValuesStatistics<Kernel>;

  struct Options {
    Vector bandwidth;               // per group; empty: a rule computes it
    double factor = 0;              // of the rule of thumb, and of borrowed spreads
    bool sheather_jones = false;    // another rule
    bool cross_validation = false;  // likewise
    double adjust = 1;              // the factor of the other rules

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("bandwidth", self.bandwidth);
      visit("factor", self.factor);
      visit("sheather_jones", self.sheather_jones);
      visit("cross_validation", self.cross_validation);
      visit("adjust", self.adjust);
    }
    void check(const Plan&, int groups) const {
      require(!(sheather_jones && cross_validation), "two rules");
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
    void check(const Plan&, int groups) const;
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
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int, double origin);

  static constexpr ByMarginals overlap{};
  static constexpr Unsupported tilt{"a sum of normals to a power is no sum of normals"};
  static constexpr bool kLendsSpread = true;

  class Scorer;
  class Drawer;
};

// Finds the points and the bandwidth of each group.
class KernelEstimator {
 public:
  KernelEstimator(const Kernel::Statistics& statistics, const Kernel::Options& options,
                  const Classes& classes, int feature, Diagnostics& diagnostics);

  Kernel::Parameters estimate();

 private:
  Points pooled_mean() const;

  // The bandwidth by the rule. A class without spread borrows one case from the pooled variance; a
  // class without a value is normal with this variance.
  double bandwidth(int g);

  // The rule of thumb is factor * min(sd, IQR / 1.34) n^(-1/5) (Silverman 1986, equation 3.31);
  // where the interquartile range is 0 the sd alone.
  double by_rule(int g, double weight) const;

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
