#pragma once

#include <engine/likelihood/categorical.hpp>

#include <cstdint>
#include <functional>

namespace bayesrisk {

// Categorical features with a joint table given the class: one block. Only observed cells are kept;
// all other cells share one probability.
struct JointTable {
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
    double cells() const {
      double product = 1;
      for (int count : levels) product *= count;
      return product;
    }
    // The key of a cell, over the features of a mask; codes from 0, one per feature.
    Key key(const int* codes, Key mask) const {
      Key result = 0;
      for (int j = 0; j < members(); ++j) {
        if (mask >> j & 1) result = result * levels[j] + codes[j];
      }
      return result;
    }
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
    void check(const Plan& plan, int groups) const {
      check_cells(plan, cells);
      std::vector<Key> keys = keys_of(plan, cells);
      std::sort(keys.begin(), keys.end());
      require(std::adjacent_find(keys.begin(), keys.end()) == keys.end(), "cells: one twice");
      require(has_shape(log_probability, groups, cells.rows()),
              "log_probability: wrong dimensions");
      require(static_cast<int>(log_unseen.size()) == groups, "log_unseen: wrong length");
    }
    bool sound(int g) const {
      return (log_probability.row(g).array() <= kLogOne).all() && log_unseen[g] <= kLogOne;
    }
  };

  static void check_cells(const Plan& plan, const IntMatrix& cells) {
    require(cells.cols() == plan.members(), "cells: wrong dimensions");
    for (int j = 0; j < cells.cols(); ++j) {
      for (int c = 0; c < cells.rows(); ++c) {
        require(cells(c, j) >= 1 && cells(c, j) <= plan.levels[j], "cells: code out of range");
      }
    }
  }

  static std::vector<Key> keys_of(const Plan& plan, const IntMatrix& cells) {
    std::vector<Key> result(cells.rows());
    IntVector codes(plan.members());
    for (Index c = 0; c < cells.rows(); ++c) {
      for (int j = 0; j < plan.members(); ++j) codes[j] = cells(c, j) - 1;
      result[c] = plan.key(codes.data(), plan.whole());
    }
    return result;
  }

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
    void check(const Plan& plan, int groups) const {
      check_cells(plan, cells);
      require(has_shape(count, groups, cells.rows()), "count: wrong dimensions");
      require(not_negative(count), "count: negative");
      const std::vector<Key> sorted = keys(plan);
      require(std::adjacent_find(sorted.begin(), sorted.end(), std::greater_equal<Key>()) ==
                  sorted.end(),
              "cells: not in order");
      require(static_cast<int>(missing.size()) == plan.members(), "missing: wrong length");
      require(not_negative(missing) && skipped >= 0, "missing: negative");
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan& plan, const Statistics& other);
    Statistics of_groups(const Plan& plan, int first, int groups) const;
    void set_incomplete(const Vector& of_feature, double rows) {
      missing = of_feature;
      skipped = rows;
    }
    std::vector<Key> keys(const Plan& plan) const { return keys_of(plan, cells); }
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    const Index cells = statistics.cells.rows();
    Parameters p{statistics.cells, Matrix::Constant(classes.count(), cells, kNaN),
                 Vector(classes.weight.size(), kNaN)};
    for (int g = 0; g < classes.count(); ++g) {
      if (!classes.has_rows(g)) continue;
      Eigen::RowVectorXd count = statistics.count.row(g);
      if (count.sum() <= 0 && options.pseudo_count <= 0 && classes.borrow &&
          statistics.count.sum() > 0) {
        count = statistics.count.colwise().sum();
        diagnostics.add(Problem::borrowed, g, kAll, 0);
      }
      // The sum of pseudo-counts may overflow; its log does not.
      const double log_pseudo = std::log(options.pseudo_count);
      const double log_total = log_add(std::log(count.sum()), log_pseudo + std::log(plan.cells()));
      if (log_total == kNegativeInfinity) diagnostics.add(Problem::empty, g, kAll, 0);
      p.log_unseen[g] = log_pseudo - log_total;
      for (Index c = 0; c < cells; ++c) {
        p.log_probability(g, c) = std::log(count[c] + options.pseudo_count) - log_total;
      }
    }
    return p;
  }

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (Index c = 0; c < statistics.count.cols(); ++c) {
      for (Index g = 0; g < statistics.count.rows(); ++g) {
        total += times_log(statistics.count(g, c), parameters.log_probability(g, c));
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes) {
    return classes * (plan.cells() - 1);
  }

  class Scorer;
  class Drawer;
};

}  // namespace bayesrisk
