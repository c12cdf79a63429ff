#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/bank.hpp>

namespace bayesrisk {

// Single categorical features: a table of levels for each, one bank for all. The tables stand side
// by side: groups in rows; in columns the levels of the first feature, of the second, and so on.
struct Categorical {
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
    IntVector offsets() const {
      IntVector result(1, 0);
      for (int count : levels) result.push_back(result.back() + count);
      return result;
    }
  };

  struct Options {
    Vector pseudo_count;  // per level, side by side

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("pseudo_count", self.pseudo_count);
    }
    void check(const Plan& plan, int) const {
      require(static_cast<int>(pseudo_count.size()) == plan.offsets().back(),
              "pseudo_count: wrong length");
    }
  };

  struct Parameters {
    Matrix log_probability;
    LeftOut left_out{};  // without any value: every level has the same probability

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_probability", self.log_probability);
      visit("left_out", self.left_out.features);
    }
    void check(const Plan& plan, int groups) const {
      left_out.check(plan.members());
      require(has_shape(log_probability, groups, plan.offsets().back()),
              "log_probability: wrong dimensions");
    }
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

    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
      Statistics result(target, mapping.groups);
      const IntVector from = plan.offsets(), to = target.offsets();
      const IntVector member = mapping.members(plan.features, target.features);
      for (int j = 0; j < plan.members(); ++j) {
        if (member[j] < 0) continue;
        const IntVector& level = mapping.level[plan.features[j]];
        for (int l = 0; l < plan.levels[j]; ++l) {
          for (std::size_t g = 0; g < mapping.group.size(); ++g) {
            result.count(mapping.group[g], to[member[j]] + level[l]) += count(g, from[j] + l);
          }
        }
      }
      return result;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics& diagnostics) {
    const IntVector offset = plan.offsets();
    Parameters p{Matrix::Constant(classes.count(), offset.back(), kNaN)};
    for (int j = 0; j < plan.members(); ++j) {
      const auto added = options.pseudo_count.begin();
      const double known = statistics.count.middleCols(offset[j], plan.levels[j]).sum() +
                           std::accumulate(added + offset[j], added + offset[j + 1], 0.0);
      if (classes.borrow && known == 0) {
        p.left_out.set(j, plan.members());
        p.log_probability.middleCols(offset[j], plan.levels[j])
            .setConstant(-std::log(plan.levels[j]));
        diagnostics.add(Problem::left_out, kAll, plan.features[j], 0);
        continue;
      }
      for (int g = 0; g < classes.count(); ++g) {
        if (!classes.has_rows(g)) continue;
        double total = 0;
        for (int l = offset[j]; l < offset[j + 1]; ++l) {
          total += statistics.count(g, l) + options.pseudo_count[l];
        }
        const auto pooled = statistics.count.middleCols(offset[j], plan.levels[j]);
        const bool borrows = total <= 0 && classes.borrow && pooled.sum() > 0;
        if (borrows) total = pooled.sum();
        if (borrows || total <= 0) {
          diagnostics.add(borrows ? Problem::borrowed : Problem::empty, g, plan.features[j], 0);
        }
        for (int l = offset[j]; l < offset[j + 1]; ++l) {
          const double count = borrows ? statistics.count.col(l).sum()
                                       : statistics.count(g, l) + options.pseudo_count[l];
          p.log_probability(g, l) = std::log(count) - std::log(total);
        }
      }
    }
    return p;
  }

  static double log_likelihood(const Plan&, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int l = 0; l < statistics.count.cols(); ++l) {
      for (int g = 0; g < statistics.count.rows(); ++g) {
        total += times_log(statistics.count(g, l), parameters.log_probability(g, l));
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters& parameters,
                                int classes) {
    double count = 0;
    for (int j = 0; j < plan.members(); ++j) {
      if (!parameters.left_out[j]) count += plan.levels[j] - 1;
    }
    return count * classes;
  }

  class Scorer;
  class Drawer;
};

class Categorical::Drawer {
 public:
  Drawer(const Plan& plan, const Parameters& parameters)
      : plan_(plan),
        offset_(plan.offsets()),
        cumulative_(parameters.log_probability.array().exp().transpose()) {
    for (Index k = 0; k < cumulative_.cols(); ++k) {
      for (int j = 0; j < plan.members(); ++j) {
        for (int l = offset_[j] + 1; l < offset_[j + 1]; ++l) {
          cumulative_(l, k) += cumulative_(l - 1, k);
        }
      }
    }
  }

  int uniforms() const { return plan_.members(); }

  void draw(int k, const double* u, Index row, DrawnRows& to) const {
    for (int j = 0; j < plan_.members(); ++j) {
      to.code(plan_.features[j], row) =
          index_of_weight(&cumulative_(offset_[j], k), plan_.levels[j], u[j]);
    }
  }

 private:
  const Plan& plan_;
  IntVector offset_;
  Matrix cumulative_;  // levels x groups
};

}  // namespace bayesrisk
