#pragma once

#include <engine/likelihood/table/categorical.hpp>

#include <cstdint>
#include <functional>

namespace bayesrisk {

// Categorical features with a joint table given the class: one block. Only observed cells are kept;
// all other cells share one probability.
struct JointTable : NotNormal, MeansOfPosterior, NoTerms {
  static constexpr const char* name = "joint_table";
  using Key = std::uint64_t;
  static constexpr int kMostMembers = 62;

  struct Plan {
    using Likelihood = JointTable;
    IntVector features, levels;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("features", self.features);
      visit("levels", self.levels);
    }
    int members() const { return static_cast<int>(features.size()); }
    int blocks() const { return 1; }
    static constexpr bool reads_codes = true;
    void check() const {
      require_levels(levels, features);
      check_size();
    }
    // Cells are numbered by keys.
    void check_size() const {
      require(members() <= kMostMembers && cells() <= 0x1p62, "too many cells");
    }
    double cells() const;
    // The key of a cell, over the features of a mask; codes from 0, one per feature.
    Key key(const int* codes, Key mask) const;
    Key whole() const { return (Key{1} << members()) - 1; }
  };

  struct Options {
    double pseudo_count = 0;  // per cell

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("pseudo_count", self.pseudo_count);
    }
    void check(const Plan&, int) const { require(pseudo_count >= 0, "pseudo_count: negative"); }
  };

  struct Parameters {
    IntMatrix cells;         // cells x features, codes from 1
    Matrix log_probability;  // groups x cells
    Vector log_unseen;       // per group: the log probability of each cell that is not listed

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("cells", self.cells);
      visit("log_probability", self.log_probability);
      visit("log_unseen", self.log_unseen);
    }
    void check(const Plan& plan, int groups) const;
    bool sound(int g) const {
      return (log_probability.row(g).array() <= kLogOne).all() && log_unseen[g] <= kLogOne;
    }
  };

  static void check_cells(const Plan& plan, const IntMatrix& cells);

  // The key of each cell, over the features of a mask.
  static std::vector<Key> keys_of(const Plan& plan, const IntMatrix& cells, Key mask);

  struct Statistics {
    IntMatrix cells;  // cells x features, codes from 1, in the order of their keys
    Matrix count;     // groups x cells
    Vector missing;   // per feature: rows in which it is missing
    double skipped = 0;

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : cells(0, plan.members()), count(groups, 0), missing(plan.members(), 0.0) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("cells", self.cells);
      visit("count", self.count);
      visit("missing", self.missing);
      visit("skipped", self.skipped);
    }
    void check(const Plan& plan, int groups) const;
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan& plan, const Statistics& other);
    Statistics of_groups(const Plan& plan, int first, int groups) const;
    void set_incomplete(const Vector& of_feature, double rows) {
      missing = of_feature;
      skipped = rows;
    }
    std::vector<Key> keys(const Plan& plan) const { return keys_of(plan, cells, plan.whole()); }
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics);

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters);

  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes) {
    return classes * (plan.cells() - 1);
  }

  static void overlap(const Plan& plan, const Parameters& p, int one, int other, Overlap& overlap);
  static std::unique_ptr<BankTilt> tilt(const Plan& plan, const Parameters& p, int i, int j);
  static constexpr bool kLendsSpread = false;
  static constexpr Unsupported pools{"cells without a row are not listed"};
  static constexpr Unsupported conditional{"its members are scored level by level"};
  static constexpr Unsupported scatter{"its features are codes"};
  static Index cells(const Parameters& p) { return p.log_probability.cols(); }
  static TableView table(const Plan& plan, const Statistics& statistics) {
    return {&statistics.cells, &statistics.count, &plan.levels, plan.cells()};
  }
  static int fewest_missing(const Plan&) { return 1; }
  static Hyperparameters hyperparameters(const Plan& plan, const Statistics& statistics,
                                         const Options& options, const Parameters& parameters,
                                         const Classes& classes, Diagnostics& diagnostics);
  static void draw_parameters(const Plan& plan, const Hyperparameters& hyperparameters,
                              RandomLaws& random, Parameters& p);

  class Scorer;
  class Drawer;
};

}  // namespace bayesrisk
