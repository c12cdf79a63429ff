#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/triangle.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/mapping.hpp>
#include <engine/likelihood/scatter_collector.hpp>
#include <engine/marginal/normals.hpp>

namespace bayesrisk {

// Numeric features that are jointly normal given the class: one block. The
// statistic of a class is its weight, mean and the triangle of its scatter.
struct MultivariateGaussian {
  static constexpr const char* name = "multivariate_gaussian";

  struct Plan {
    using Likelihood = MultivariateGaussian;
    IntVector features;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
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

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("pooled", self.pooled);
      visit("shrinkage", self.shrinkage);
    }
    void check(const Plan&, int) const {
      require(shrinkage >= 0 && shrinkage <= 1, "shrinkage: not in [0, 1]");
    }
  };

  struct Parameters {
    Matrix mean, mean_low;
    std::vector<Matrix> factor;  // upper triangles, U'U the covariance; one if pooled

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("mean", self.mean);
      visit("mean_low", self.mean_low);
      visit("factor", self.factor);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(mean, groups, plan.size()), "mean: wrong dimensions");
      require(has_shape(mean_low, groups, plan.size()), "mean_low: wrong dimensions");
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
  };

  struct Statistics {
    Scatter scatter;

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : scatter(groups, plan.size()) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      Scatter::fields(self.scatter, visit);
    }
    void check(const Plan& plan, int groups) const {
      require(scatter.consistent(groups, plan.size()), "scatter: wrong dimensions");
      require(not_negative(scatter.weight) && not_negative(scatter.rows), "scatter: negative");
      require(not_negative(scatter.missing) && scatter.skipped >= 0, "missing: negative");
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics) {
      ScatterCollector(frame, plan.features, chunk, scatter, diagnostics).collect();
    }
    void merge(const Plan&, const Statistics& other) { scatter.merge(other.scatter); }

    Statistics of_groups(const Plan&, int first, int count) const {
      Statistics part;
      part.scatter = scatter.of_groups(first, count);
      return part;
    }

    // When features are dropped, the triangle of the others comes from their columns.
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
      Statistics result(target, mapping.groups);
      IntVector from(target.size());
      for (int j = 0; j < plan.size(); ++j) {
        const int to = mapping.member(plan.features[j], target.features);
        if (to >= 0) from[to] = j;
      }
      result.scatter.copy_columns(scatter, from, mapping.group);
      return result;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Vector& class_weight, Diagnostics& diagnostics);

  // The trace of S^-1 R'R is the squared norm of R U^-1.
  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int g = 0; g < statistics.scatter.weight.rows(); ++g) {
      const double weight = statistics.scatter.weight(g, 0);
      if (weight <= 0) continue;
      const Matrix& u = parameters.factor_of(g);
      const Matrix whitened = u.transpose().triangularView<Eigen::Lower>().solve(
          statistics.scatter.triangle[g].transpose());
      total -= weight * (plan.size() * kHalfLogTwoPi + half_log_determinant(u)) +
               0.5 * whitened.squaredNorm();
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options& options, int classes) {
    const double p = plan.size();
    const double covariances = options.pooled || options.shrinkage == 1 ? 1 : classes;
    return classes * p + covariances * p * (p + 1) / 2;
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
      const double away = parameters_.mean_low(k, j) + factor.col(j).head(j + 1).dot(z.head(j + 1));
      to.number(plan_.features[j], row) = parameters_.mean(k, j) + away;
    }
  }

 private:
  const Plan& plan_;
  const Parameters& parameters_;
};

// Computes the covariance factors and reports why a factor does not exist.
class CovarianceEstimator {
 public:
  using Likelihood = MultivariateGaussian;

  CovarianceEstimator(const Likelihood::Plan& plan, const Scatter& scatter,
                      const Likelihood::Options& options, const Vector& class_weight,
                      Diagnostics& diagnostics)
      : plan_(plan),
        scatter_(scatter),
        options_(options),
        class_weight_(class_weight),
        diagnostics_(diagnostics) {}

  std::vector<Matrix> factors() {
    const bool one = options_.pooled || options_.shrinkage == 1;
    const bool shared_needed = one || options_.shrinkage > 0;
    const Matrix shared = shared_needed ? pooled() : Matrix();
    if (one) {
      return {shared.size() > 0 ? checked(shared, kAll, scatter_.rows.sum()) : unknown()};
    }
    std::vector<Matrix> result;
    for (int g = 0; g < scatter_.weight.rows(); ++g) result.push_back(of_class(g, shared));
    return result;
  }

 private:
  Matrix unknown() const { return Matrix::Constant(plan_.size(), plan_.size(), kNaN); }

  Matrix of_class(int g, const Matrix& shared) {
    // A class without a complete row has been reported with its mean.
    if (class_weight_[g] <= 0 || scatter_.weight(g, 0) <= 0) return unknown();
    const bool shrinks = options_.shrinkage > 0;
    if (shrinks && shared.size() == 0) return unknown();
    const double rows = scatter_.rows(g, 0);
    const double divisor = scatter_.weight(g, 0) - (options_.unbiased ? 1 : 0);
    const bool too_light = divisor <= 0;
    if (too_light || (!shrinks && rows <= plan_.size())) {
      diagnostics_.add(too_light ? Problem::too_light : Problem::too_small, g, kAll,
                       too_light ? scatter_.weight(g, 0) : rows);
      if (rows > 1) add_constants(scatter_.triangle[g], g, rows);
      return unknown();
    }
    const Matrix own = scatter_.triangle[g] / std::sqrt(divisor);
    if (!shrinks) return checked(own, g, rows);
    return checked(triangle_of_rows(stack(std::sqrt(1 - options_.shrinkage) * own,
                                          std::sqrt(options_.shrinkage) * shared)),
                   g, rows);
  }

  // Empty, and reported, where the divisor is not positive.
  Matrix pooled() {
    double weight = 0;
    Matrix sum = Matrix::Zero(plan_.size(), plan_.size());
    for (int g = 0; g < scatter_.weight.rows(); ++g) {
      if (scatter_.weight(g, 0) <= 0) continue;
      weight += scatter_.weight(g, 0) - (options_.unbiased ? 1 : 0);
      sum = triangle_of_rows(stack(sum, scatter_.triangle[g]));
    }
    if (weight > 0) return sum / std::sqrt(weight);
    diagnostics_.add(Problem::too_light, kAll, kAll, scatter_.weight.sum());
    return Matrix();
  }

  bool add_constants(const Matrix& factor, int g, double rows) {
    bool found = false;
    for (int j = 0; j < plan_.size(); ++j) {
      if (factor.col(j).squaredNorm() < std::numeric_limits<double>::min()) {
        diagnostics_.add(Problem::constant, g, plan_.features[j], rows);
        found = true;
      }
    }
    return found;
  }

  Matrix checked(const Matrix& factor, int g, double rows) {
    if (!factor.allFinite()) {
      diagnostics_.add(Problem::overflow, g, kAll, rows);
    } else if (!add_constants(factor, g, rows)) {
      const Index rank = rank_of_triangle(factor);
      if (rank < plan_.size()) diagnostics_.add(Problem::singular, g, kAll, rank);
    }
    return factor;
  }

  const Likelihood::Plan& plan_;
  const Scatter& scatter_;
  const Likelihood::Options& options_;
  const Vector& class_weight_;
  Diagnostics& diagnostics_;
};

inline MultivariateGaussian::Parameters MultivariateGaussian::estimate(const Plan& plan,
                                                                       const Statistics& statistics,
                                                                       const Options& options,
                                                                       const Vector& class_weight,
                                                                       Diagnostics& diagnostics) {
  const Scatter& scatter = statistics.scatter;
  Parameters p;
  p.mean = scatter.mean;
  p.mean_low = scatter.mean_low;
  for (int g = 0; g < p.mean.rows(); ++g) {
    if (class_weight[g] > 0 && scatter.weight(g, 0) > 0) continue;
    p.mean.row(g).setConstant(kNaN);
    p.mean_low.row(g).setConstant(kNaN);
    if (class_weight[g] > 0) diagnostics.add(Problem::empty, g, kAll, 0);
  }
  p.factor = CovarianceEstimator(plan, scatter, options, class_weight, diagnostics).factors();
  return p;
}

}  // namespace bayesrisk
