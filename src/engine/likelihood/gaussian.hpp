#pragma once

#include <engine/core/inverse.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/mapping.hpp>
#include <engine/likelihood/moments.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// Single numeric features, each normal given the class: one bank for all.
struct Gaussian {
  static constexpr const char* name = "gaussian";

  struct Plan {
    using Likelihood = Gaussian;
    IntVector features;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
    }
    int members() const { return static_cast<int>(features.size()); }
    int blocks() const { return members(); }
    static constexpr bool reads_codes = false;
    void check() const {}
  };

  struct Options {
    IntVector unbiased;   // per feature: divide by weight - 1, not by weight
    Vector min_variance;  // per feature: a lower bound of the variance

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("min_variance", self.min_variance);
    }
    void check(const Plan& plan, int) const {
      require(static_cast<int>(unbiased.size()) == plan.members(), "unbiased: wrong length");
      require(static_cast<int>(min_variance.size()) == plan.members(),
              "min_variance: wrong length");
    }
  };

  struct Parameters {
    Matrix mean, mean_low, sd;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("mean", self.mean);
      visit("mean_low", self.mean_low);
      visit("sd", self.sd);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(mean, groups, plan.members()), "mean: wrong dimensions");
      require(has_shape(mean_low, groups, plan.members()), "mean_low: wrong dimensions");
      require(has_shape(sd, groups, plan.members()), "sd: wrong dimensions");
    }
    bool sound(int g) const {
      return mean.row(g).allFinite() && mean_low.row(g).allFinite() && sd.row(g).allFinite() &&
             (sd.row(g).array() > 0).all();
    }
  };

  struct Statistics {
    Moments moments;

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : moments(groups, plan.members()) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      Moments::fields(self.moments, visit);
    }
    void check(const Plan& plan, int groups) const {
      require(moments.consistent(groups, plan.members()), "moments: wrong dimensions");
      require(not_negative(moments.weight) && not_negative(moments.scatter), "moments: negative");
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      MomentCollector(frame, plan.features, chunk, moments, diagnostics).collect();
    }
    void merge(const Plan&, const Statistics& other) { moments.merge(other.moments); }

    Statistics of_groups(const Plan&, int first, int count) const {
      Statistics part;
      part.moments = moments.of_groups(first, count);
      return part;
    }

    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
      Statistics result(target, mapping.groups);
      for (int j = 0; j < plan.members(); ++j) {
        const int to = mapping.member(plan.features[j], target.features);
        if (to < 0) continue;
        for (std::size_t g = 0; g < mapping.group.size(); ++g) {
          const int at = mapping.group[g];
          result.moments.weight(at, to) = moments.weight(g, j);
          result.moments.mean(at, to) = moments.mean(g, j);
          result.moments.mean_low(at, to) = moments.mean_low(g, j);
          result.moments.scatter(at, to) = moments.scatter(g, j);
        }
      }
      return result;
    }
  };

  // A variance below the smallest normal double has lost its digits and counts as no spread. A
  // lower bound of the variance (`min_variance`) avoids the problem.
  static double variance(const Statistics& statistics, const Options& options, int g, int j,
                         int feature, Diagnostics& diagnostics) {
    const double weight = statistics.moments.weight(g, j);
    const double divisor = options.unbiased[j] ? weight - 1 : weight;
    if (weight <= 0) {
      diagnostics.add(Problem::empty, g, feature, 0);
    } else if (divisor <= 0) {
      diagnostics.add(Problem::too_light, g, feature, weight);
    } else {
      const double value =
          std::max(statistics.moments.scatter(g, j) / divisor, options.min_variance[j]);
      if (!std::isfinite(value) || !std::isfinite(statistics.moments.mean(g, j))) {
        diagnostics.add(Problem::overflow, g, feature, weight);
      } else if (value < std::numeric_limits<double>::min()) {
        diagnostics.add(Problem::constant, g, feature, weight);
      }
      return value;
    }
    return kNaN;
  }

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Vector& class_weight, Diagnostics& diagnostics) {
    const int groups = static_cast<int>(class_weight.size());
    const int members = plan.members();
    Parameters p{Matrix::Constant(groups, members, kNaN), Matrix::Constant(groups, members, kNaN),
                 Matrix::Constant(groups, members, kNaN)};
    for (int j = 0; j < members; ++j) {
      for (int g = 0; g < groups; ++g) {
        if (class_weight[g] <= 0) continue;
        p.mean(g, j) = statistics.moments.mean(g, j);
        p.mean_low(g, j) = statistics.moments.mean_low(g, j);
        p.sd(g, j) = std::sqrt(variance(statistics, options, g, j, plan.features[j], diagnostics));
      }
    }
    return p;
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int j = 0; j < plan.members(); ++j) {
      for (int g = 0; g < statistics.moments.weight.rows(); ++g) {
        const double weight = statistics.moments.weight(g, j);
        if (weight <= 0) continue;
        const double sd = parameters.sd(g, j);
        total -= weight * (std::log(sd) + kHalfLogTwoPi) +
                 0.5 * statistics.moments.scatter(g, j) / (sd * sd);
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, int classes) {
    return 2.0 * classes * plan.members();
  }

  // The two parts of the mean are added relative to the origin, where no digit is lost.
  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                   double origin) {
    return {{0, (p.mean(k, member) - origin) + p.mean_low(k, member), p.sd(k, member)}};
  }

  class Scorer;
  class Drawer;
};

class Gaussian::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {}

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    for (int j = 0; j < plan_.members(); ++j) {
      const double away = parameters_.mean_low(k, j) + parameters_.sd(k, j) * normal_quantile(u[j]);
      to.number(plan_.features[j], row) = parameters_.mean(k, j) + away;
    }
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
};

}  // namespace bayesrisk
