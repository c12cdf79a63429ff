#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/triangle.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/mapping.hpp>
#include <engine/likelihood/row_points.hpp>
#include <engine/likelihood/scatter_collector.hpp>
#include <engine/likelihood/scatter_factor.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// Numeric features that are jointly normal given the class: one block. The statistics of a class
// are the weight, the mean and the triangle of the scatter of its complete rows. With `em` they are
// also its incomplete rows, and the estimate reads all rows by expectation-maximisation.
struct MultivariateGaussian {
  static constexpr const char* name = "multivariate_gaussian";

  struct Plan {
    using Likelihood = MultivariateGaussian;
    IntVector features;
    bool em = false;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("em", self.em);
    }
    int size() const { return static_cast<int>(features.size()); }
    int members() const { return size(); }
    int blocks() const { return 1; }
    static constexpr bool reads_codes = false;
    void check() const { require(!features.empty(), "features: none"); }
  };

  struct Options {
    bool unbiased = true;  // divide by weight - 1, pooled by weight - classes
    bool pooled = false;   // one covariance for all classes
    double shrinkage = 0;  // (1 - g) S_k + g S_pooled
    double identity = 0;   // of this covariance S of p features: (1 - g) S + g trace(S) / p I
    double borrow = 0;     // cases that every class borrows from the pooled covariance

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("pooled", self.pooled);
      visit("shrinkage", self.shrinkage);
      visit("identity", self.identity);
      visit("borrow", self.borrow);
    }
    void check(const Plan&, int) const {
      require(shrinkage >= 0 && shrinkage <= 1, "shrinkage: not in [0, 1]");
      require(identity >= 0 && identity <= 1, "identity: not in [0, 1]");
      require(borrow >= 0, "borrow: negative");
    }
  };

  struct Parameters {
    Matrix mean, mean_low;
    std::vector<Matrix> factor;  // upper triangles U, where U'U is the covariance; one if pooled
    // A left-out feature has the mean of all classes, and its part of the factors is the identity.
    LeftOut left_out{};

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("mean", self.mean);
      visit("mean_low", self.mean_low);
      visit("factor", self.factor);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(mean, groups, plan.size()), "mean: wrong dimensions");
      require(has_shape(mean_low, groups, plan.size()), "mean_low: wrong dimensions");
      left_out.check(plan.size());
      require(factor.size() == 1 || static_cast<int>(factor.size()) == groups,
              "factor: wrong length");
      for (const Matrix& u : factor) {
        require(has_shape(u, plan.size(), plan.size()), "factor: wrong dimensions");
      }
    }
    bool sound(int g) const {
      const Matrix& u = factor_of(g);
      return mean.row(g).allFinite() && mean_low.row(g).allFinite() && u.allFinite() &&
             (u.diagonal().array() != 0).all();
    }
    const Matrix& factor_of(int k) const { return factor[factor.size() == 1 ? 0 : k]; }
    // The features that are not left out.
    IntVector kept() const {
      IntVector members;
      for (int j = 0; j < mean.cols(); ++j) {
        if (!left_out[j]) members.push_back(j);
      }
      return members;
    }
  };

  struct Statistics {
    Scatter scatter;
    std::vector<RowPoints> incomplete;  // per group the other rows with a known number; or none

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : scatter(groups, plan.size()) {
      if (plan.em) incomplete.assign(groups, RowPoints(0, plan.size() + 1));
    }

    void clear() {
      scatter.clear();
      for (RowPoints& rows : incomplete) rows.resize(0, rows.cols());
    }

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      Scatter::fields(self.scatter, visit);
      visit("incomplete", self.incomplete);
    }
    void check(const Plan& plan, int groups) const {
      require(scatter.consistent(groups, plan.size()), "scatter: wrong dimensions");
      require(not_negative(scatter.weight) && not_negative(scatter.rows), "scatter: negative");
      require(not_negative(scatter.missing) && scatter.skipped >= 0, "missing: negative");
      check_rows(RowKind::incomplete, incomplete, plan.em ? groups : 0, plan.size());
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      ScatterCollector(frame, plan.features, chunk, scatter, diagnostics).collect();
      if (!plan.em || scatter.skipped == 0) return;
      incomplete = collect_rows(RowKind::incomplete, plan.features, frame, chunk);
      scatter.skipped = count_unknown(plan.features, frame, chunk);
    }
    void merge(const Plan&, const Statistics& other) {
      scatter.merge(other.scatter);
      for (std::size_t g = 0; g < incomplete.size(); ++g) {
        incomplete[g] = unite_rows(incomplete[g], other.incomplete[g]);
      }
    }
    void copy_group(const Statistics& from, int group, int to) {
      scatter.copy_group(from.scatter, group, to);
      if (!incomplete.empty()) incomplete[to] = from.incomplete[group];
    }
    void set_incomplete(const Vector& of_feature, double rows) {
      scatter.missing = of_feature;
      scatter.skipped = rows;
    }

    Statistics of_groups(const Plan&, int first, int count) const {
      Statistics part;
      part.scatter = scatter.of_groups(first, count);
      if (!incomplete.empty()) {
        part.incomplete.assign(incomplete.begin() + first, incomplete.begin() + first + count);
      }
      return part;
    }

    // If features are dropped, the triangle of the remaining features is computed from their
    // columns. Incomplete rows can become complete; they stay where they are.
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
      require(plan.em == target.em, "mapping: another bank");
      Statistics result(target, mapping.groups);
      IntVector from(target.size());
      const IntVector to = mapping.members(plan.features, target.features);
      for (int j = 0; j < plan.size(); ++j) {
        if (to[j] >= 0) from[to[j]] = j;
      }
      result.scatter.copy_columns(scatter, from, mapping.group);
      for (std::size_t g = 0; g < incomplete.size(); ++g) {
        result.add_known(move_columns(incomplete[g], to, target.size()), mapping.group[g]);
      }
      return result;
    }

   private:
    // Rows without a number, which come last, are skipped. A weight counts as rows.
    void add_known(const RowPoints& rows, int group) {
      const Index size = rows.cols() - 1;
      Index known = rows.rows();
      while (known > 0 && rows.row(known - 1).head(size).array().isNaN().all()) {
        scatter.skipped += rows(--known, size);
      }
      incomplete[group] = rows.topRows(known);
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options& options,
                                const Parameters& parameters, int classes) {
    const double p = plan.size() - parameters.left_out.count();
    const double covariances = options.pooled || options.shrinkage == 1 ? 1 : classes;
    const double each = options.identity == 1 && p > 0 ? 1 : p * (p + 1) / 2;
    return classes * p + covariances * each;
  }

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                   double origin) {
    return {{0, (p.mean(k, member) - origin) + p.mean_low(k, member),
             p.factor_of(k).col(member).stableNorm()}};
  }

  class Scorer;
  class Drawer;
};

class MultivariateGaussian::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {}

  int uniforms() const { return plan_.size(); }

  // mean + U'z has the covariance U'U.
  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    const Matrix& factor = parameters_.factor_of(k);
    Eigen::VectorXd z(plan_.size());
    for (int j = 0; j < plan_.size(); ++j) {
      z[j] = normal_quantile(u[j]);
      if (parameters_.left_out[j]) z[j] = 0;
      const double away = parameters_.mean_low(k, j) + factor.col(j).head(j + 1).dot(z.head(j + 1));
      to.number(plan_.features[j], row) = parameters_.mean(k, j) + away;
    }
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
};

}  // namespace bayesrisk
