#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/likelihood/posterior/pooling.hpp>

namespace bayesrisk {

// The numbers of a table, groups x cells.
double log_likelihood_of(const Matrix& count, const Matrix& log_probability);

// Single categorical features: a table of levels for each, one bank for all. The tables stand side
// by side: groups in rows; in columns the levels of the first feature, of the second, and so on.
struct Categorical : SingleMembers, NotNormal, MeansOfPosterior, NoTerms {
  static constexpr const char* name = "categorical";

  struct Plan {
    using Likelihood = Categorical;
    IntVector features, levels;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("levels", self.levels);
    }
    int members() const { return static_cast<int>(features.size()); }
    int blocks() const { return members(); }
    static constexpr bool reads_codes = true;
    void check() const { require_levels(levels, features); }
    // The first column of each feature's levels. The last element is the number of columns.
    IntVector offsets() const;
  };

  struct Options {
    Vector pseudo_count;  // per level, side by side
    IntVector shared{};   // per feature: smoothed towards the shares of all classes; empty: none

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("pseudo_count", self.pseudo_count);
      visit("shared", self.shared);
    }
    void check(const Plan& plan, int) const {
      require(static_cast<int>(pseudo_count.size()) == plan.offsets().back(),
              "pseudo_count: wrong length");
      require(shared.empty() || static_cast<int>(shared.size()) == plan.members(),
              "shared: wrong length");
    }
    bool is_shared(int j) const { return !shared.empty() && shared[j] != 0; }
  };

  struct Parameters {
    Matrix log_probability;
    LeftOut left_out{};  // without any value: every level has the same probability

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_probability", self.log_probability);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const;
    bool sound(int g) const { return (log_probability.row(g).array() <= kLogOne).all(); }
  };

  struct Statistics {
    Matrix count;

    Statistics() = default;
    Statistics(const Plan& plan, int groups) : count(Matrix::Zero(groups, plan.offsets().back())) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("count", self.count);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(count, groups, plan.offsets().back()), "count: wrong dimensions");
      require(not_negative(count), "count: negative");
    }
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

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options&, const Parameters& parameters,
                                int classes);

  static void overlap(const Plan& plan, const Parameters& p, int one, int other, Overlap& overlap);
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = false;
  static bool pools(const Plan&) { return true; }
  static Statistics with_cases(const Plan& plan, const Statistics& statistics,
                               const Merged<Categorical>& merged, const Options& options,
                               const Vector& cases);
  static Options options_with_cases(Options options, const Vector& cases);
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

class Categorical::GroupPrior {
 public:
  GroupPrior(const Plan& plan, const Merged<Categorical>& merged, const Options& options, int block,
             double cases)
      : first_(plan.offsets()[block]) {
    const Matrix& log_p = merged.parameters.log_probability;
    for (Index g = 0; g < log_p.rows(); ++g) {
      of_class_.emplace_back(with_level_cases(&options.pseudo_count[first_], plan.levels[block],
                                              log_p, g, first_, cases));
    }
  }

  double log_marginal(const Statistics& statistics) const {
    return log_marginal_of(statistics.count, first_, of_class_);
  }

 private:
  int first_;
  std::vector<TableMarginal> of_class_;
};

class Categorical::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters);

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const;

 private:
  const Plan& plan_;
  IntVector offset_;
  Matrix cumulative_;  // levels x groups
};

}  // namespace bayesrisk
