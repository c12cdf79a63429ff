#pragma once

#include <engine/core/inverse.hpp>
#include <engine/core/triangle.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/mapping.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/contract/row_points.hpp>
#include <engine/likelihood/normal/scatter_collector.hpp>
#include <engine/likelihood/normal/scatter_factor.hpp>
#include <engine/likelihood/posterior/pooling.hpp>
#include <engine/marginal/normals.hpp>

#include <optional>

namespace bayesrisk {

// Numeric features that are jointly normal given the class: one block. The statistics of a class
// are the weight, the mean and the triangle of the scatter of its complete rows. With `em` they are
// also its incomplete rows, and the estimate reads all rows by expectation-maximisation.
struct MultivariateGaussian : NoTable, NoTerms {
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
    bool unbiased = true;    // divide by weight - 1, pooled by weight - classes
    bool pooled = false;     // one covariance for all classes
    double shrinkage = 0;    // (1 - g) S_k + g S_pooled
    double identity = 0;     // of this covariance S of p features: (1 - g) S + g trace(S) / p I
    double borrow = 0;       // cases that every class borrows from the pooled covariance
    bool automatic = false;  // `identity` is not read, but estimated

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("unbiased", self.unbiased);
      visit("pooled", self.pooled);
      visit("shrinkage", self.shrinkage);
      visit("identity", self.identity);
      visit("borrow", self.borrow);
      visit("automatic", self.automatic);
    }
    void check(const Plan&, int) const;
  };

  struct Parameters {
    Matrix mean, mean_low;
    std::vector<Matrix> factor;  // upper triangles U, where U'U is the covariance; one if pooled
    // A left-out feature has the mean of all classes, and its part of the factors is the identity.
    LeftOut left_out{};
    Vector identity{};  // if it was estimated: the weight of the identity in each covariance

    // Those of the densities.
    template <class Self, class Visitor>
    static void density_fields(Self& self, Visitor& visit) {
      visit("mean", self.mean);
      visit("mean_low", self.mean_low);
      visit("factor", self.factor);
      visit("left_out", self.left_out.features);
    }
    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      density_fields(self, visit);
      visit("identity", self.identity);
    }
    void check(const Plan& plan, int groups) const;
    bool sound(int g) const;
    const Matrix& factor_of(int k) const { return factor[factor.size() == 1 ? 0 : k]; }
    // The features that are not left out.
    IntVector kept() const;
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
    void check(const Plan& plan, int groups) const;
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other);
    void copy_group(const Statistics& from, int group, int to) {
      scatter.copy_group(from.scatter, group, to);
      if (!incomplete.empty()) incomplete[to] = from.incomplete[group];
    }
    void set_incomplete(const Vector& of_feature, double rows) {
      scatter.missing = of_feature;
      scatter.skipped = rows;
    }

    Statistics of_groups(const Plan&, int first, int count) const;

    // If features are dropped, the triangle of the remaining features is computed from their
    // columns. Incomplete rows can become complete; they stay where they are.
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;

   private:
    // Rows without a number, which come last, are skipped. A weight counts as rows.
    void add_known(const RowPoints& rows, int group);
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options& options,
                                const Parameters& parameters, int classes);

  using Marginal = Normals;
  static Normals::OfClass marginal(const Plan&, const Parameters& p, int k, int member,
                                   double origin) {
    return {{0, (p.mean(k, member) - origin) + p.mean_low(k, member),
             p.factor_of(k).col(member).stableNorm()}};
  }

  static void overlap(const Plan& plan, const Parameters& p, int one, int other, Overlap& overlap);
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = true;
  static bool pools(const Plan& plan) { return !plan.em; }
  static Statistics with_cases(const Plan& plan, const Statistics& statistics,
                               const Merged<MultivariateGaussian>& merged, const Options& options,
                               const Vector& cases);
  static Options options_with_cases(Options options, const Vector& cases);
  class GroupPrior;
  static constexpr Unsupported conditional{"its members are known by their normals"};
  static constexpr Unsupported table{"its features are numbers"};
  static constexpr Unsupported moments{"its statistics are a scatter"};
  static NormalView normals(const Plan& plan, const Parameters& p) {
    return {&plan.features, &p.mean, &p.mean_low, &p.left_out, nullptr, &p.factor};
  }
  static Scatter& scatter(Statistics& statistics) { return statistics.scatter; }
  // With expectation-maximisation only a row that misses all features is skipped.
  static int fewest_missing(const Plan& plan) { return plan.em ? plan.size() : 1; }
  static Hyperparameters hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics& diagnostics);
  static void draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p);
  static Options unbiased(Options options);
  static std::unique_ptr<BankScorer> predictive(const Plan& plan, const Parameters& centre,
                                                const Hyperparameters& hyperparameters, Index rows);

  class Scorer;
  class Drawer;
};

// Classes that share a covariance share its prior.
class MultivariateGaussian::GroupPrior {
 public:
  GroupPrior(const Plan& plan, const Merged<MultivariateGaussian>& merged, const Options& options,
             int block, double cases);
  double log_marginal(const Statistics& statistics);

 private:
  bool is_shared() const { return p_.factor.size() == 1; }

  const Parameters& p_;
  int size_;
  double cases_, freedom_ = 0;
  IntVector classes_;
  Vector log_scale_;  // of the classes: half the log determinant of the covariance
  std::optional<NormalMarginal> marginal_;  // if there are features
};

class MultivariateGaussian::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {}

  int uniforms() const { return plan_.size(); }

  // mean + U'z has the covariance U'U.
  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  const Plan& plan_;
  const Parameters& parameters_;
};

}  // namespace bayesrisk
