#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/bin_sets.hpp>
#include <engine/likelihood/contract/cell_weights.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/posterior/pooling.hpp>
#include <engine/marginal/steps.hpp>

namespace bayesrisk {

// One numeric feature, uniform within each bin given the class. All classes share the bins, or each
// class has its own.
struct Histogram : SingleMembers, NotNormal, MeansOfPosterior, NoTerms {
  static constexpr const char* name = "histogram";

  struct Plan {
    using Likelihood = Histogram;
    IntVector features;  // one
    IntVector bins;      // the number of bins: one for all classes, or one per class
    Vector edges;        // side by side

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("bins", self.bins);
      visit("edges", self.edges);
    }
    int members() const { return 1; }
    int blocks() const { return 1; }
    static constexpr bool reads_codes = false;
    void check() const {
      require(features.size() == 1, "a histogram of several features");
      check_bin_sets(bins, edges);
    }

    bool by_class() const { return bins.size() > 1; }
    // Groups may be the classes of one fold after the other.
    Bins of_group(int g) const {
      return set_of_bins(bins, edges, g % static_cast<int>(bins.size()));
    }
    void check_groups(int groups) const {
      require(groups % static_cast<int>(bins.size()) == 0, "bins: wrong number of classes");
    }
    int most_bins() const { return *std::max_element(bins.begin(), bins.end()); }
  };

  struct Options {
    double laplace = 0;  // per bin

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("laplace", self.laplace);
    }
    void check(const Plan& plan, int groups) const { plan.check_groups(groups); }
  };

  struct Parameters {
    Matrix log_probability;  // groups x bins; -Inf for a bin that a class lacks

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_probability", self.log_probability);
    }
    void check(const Plan& plan, int groups) const;
    bool sound(int g) const { return (log_probability.row(g).array() <= kLogOne).all(); }
  };

  struct Statistics {
    Matrix count;  // groups x bins

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : count(Matrix::Zero(groups, plan.most_bins())) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("count", self.count);
    }
    void check(const Plan& plan, int groups) const;
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan&, const Statistics& other) { count += other.count; }
    Statistics of_groups(const Plan&, int first, int groups) const {
      return groups_of(*this, first, groups);
    }
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes);

  using Marginal = Steps;
  static Steps::OfClass marginal(const Plan& plan, const Parameters& p, int k, int, double origin);

  static constexpr ByMarginals overlap{};
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = false;
  static bool pools(const Plan&) { return true; }
  static Statistics with_cases(const Plan& plan, const Statistics& statistics,
                               const Merged<Histogram>& merged, const Options& options,
                               const Vector& cases);
  static Options options_with_cases(const Options& options, const Vector&) { return options; }
  class GroupPrior;
  static Index cells(const Parameters& p) { return p.log_probability.cols(); }
  static Hyperparameters hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics& diagnostics);
  static void draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p);

  class Scorer;
  class Drawer;
};

class Histogram::GroupPrior {
 public:
  GroupPrior(const Plan& plan, const Merged<Histogram>& merged, const Options& options, int,
             double cases) {
    const Matrix& log_p = merged.parameters.log_probability;
    const Vector added(static_cast<std::size_t>(plan.most_bins()), options.laplace);
    for (Index g = 0; g < log_p.rows(); ++g) {
      const int bins = plan.bins[static_cast<std::size_t>(g) % plan.bins.size()];
      of_class_.emplace_back(with_level_cases(added.data(), bins, log_p, g, 0, cases));
    }
  }

  double log_marginal(const Statistics& statistics) const {
    return log_marginal_of(statistics.count, 0, of_class_);
  }

 private:
  std::vector<TableMarginal> of_class_;
};

// One uniform number chooses the bin; its remainder chooses the place in the bin.
class Histogram::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters);

  int uniforms() const { return 1; }

  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  const Plan& plan_;
  Matrix cumulative_;  // bins x groups
};

}  // namespace bayesrisk
