#pragma once

#include <bayesrisk/core/diagnostics.hpp>
#include <bayesrisk/core/inverse.hpp>
#include <bayesrisk/core/log_math.hpp>
#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/data/drawn_rows.hpp>
#include <bayesrisk/data/mapping.hpp>
#include <bayesrisk/data/rows.hpp>
#include <bayesrisk/data/tile.hpp>

#include <cstdint>

namespace bayesrisk {

// Single categorical features: a table of levels for each, one bank for all.
// The tables stand side by side: groups in rows, the levels of the first
// feature, of the second, ... in columns.
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
    // Where each feature's levels begin, and their sum at the end.
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

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_probability", self.log_probability);
    }
    void check(const Plan& plan, int groups) const {
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
      Statistics part;
      part.count = count.middleRows(first, groups);
      return part;
    }

    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
      Statistics result(target, mapping.groups);
      const IntVector from = plan.offsets(), to = target.offsets();
      for (int j = 0; j < plan.members(); ++j) {
        const int member = mapping.member(plan.features[j], target.features);
        if (member < 0) continue;
        const IntVector& level = mapping.level[plan.features[j]];
        for (int l = 0; l < plan.levels[j]; ++l) {
          for (std::size_t g = 0; g < mapping.group.size(); ++g) {
            result.count(mapping.group[g], to[member] + level[l]) += count(g, from[j] + l);
          }
        }
      }
      return result;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Vector& class_weight, Diagnostics& diagnostics) {
    const int groups = static_cast<int>(class_weight.size());
    const IntVector offset = plan.offsets();
    Parameters p{Matrix::Constant(groups, offset.back(), kNaN)};
    for (int j = 0; j < plan.members(); ++j) {
      for (int g = 0; g < groups; ++g) {
        if (class_weight[g] <= 0) continue;
        double total = 0;
        for (int l = offset[j]; l < offset[j + 1]; ++l) {
          total += statistics.count(g, l) + options.pseudo_count[l];
        }
        if (total <= 0) diagnostics.add(Problem::empty, g, plan.features[j], 0);
        for (int l = offset[j]; l < offset[j + 1]; ++l) {
          p.log_probability(g, l) =
              std::log(statistics.count(g, l) + options.pseudo_count[l]) - std::log(total);
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

  static double parameter_count(const Plan& plan, const Options&, int classes) {
    return static_cast<double>(classes) * (plan.offsets().back() - plan.members());
  }

  class Scorer;
  class Drawer;
};

// Counts of a chunk fit 32 bits; a weight does not.
inline void Categorical::Statistics::collect(const Plan& plan, const Frame& frame,
                                             const Chunk& chunk, Diagnostics& diagnostics) {
  const IntVector offset = plan.offsets();
  const int slots = chunk.groups + 1;
  IntVector codes(chunk.rows);
  std::vector<std::uint32_t> rows;
  Vector weights;
  for (int j = 0; j < plan.members(); ++j) {
    load_codes(frame.columns[plan.features[j]], chunk.begin, chunk.rows, codes.data());
    const int levels = plan.levels[j];
    const std::size_t cells = static_cast<std::size_t>(levels + 1) * slots;
    double malformed = 0;
    for (int r = 0; r < chunk.rows; ++r) {
      if (codes[r] < 0 || codes[r] >= levels) {
        malformed += codes[r] < kUnknown && chunk.group[r] < chunk.groups;
        codes[r] = levels;
      }
    }
    if (malformed > 0) diagnostics.add(Problem::malformed, kAll, plan.features[j], malformed);
    if (chunk.weight) {
      weights.assign(cells, 0.0);
      for (int r = 0; r < chunk.rows; ++r) {
        weights[static_cast<std::size_t>(codes[r]) * slots + chunk.group[r]] += chunk.weight[r];
      }
    } else {
      rows.assign(cells, 0);
      for (int r = 0; r < chunk.rows; ++r) {
        ++rows[static_cast<std::size_t>(codes[r]) * slots + chunk.group[r]];
      }
    }
    for (int l = 0; l < levels; ++l) {
      for (int g = 0; g < chunk.groups; ++g) {
        const std::size_t cell = static_cast<std::size_t>(l) * slots + g;
        count(g, offset[j] + l) += chunk.weight ? weights[cell] : rows[cell];
      }
    }
  }
}

// Reads the codes of a tile: missing and unknown levels become -1, and the rows
// that had an unknown or a malformed one are marked and counted.
inline void load_tile_codes(const Frame& frame, int feature, int levels, Tile& tile, int* codes) {
  load_codes(frame.columns[feature], tile.begin, tile.rows, codes);
  for (int r = 0; r < tile.rows; ++r) {
    if (codes[r] == kUnknown) {
      tile.flag(r, kUnknownLevel);
      ++tile.unknown[feature];
    }
    if (codes[r] < kUnknown || codes[r] >= levels) {
      ++tile.malformed[feature];
    }
    if (codes[r] < 0 || codes[r] >= levels) codes[r] = kMissing;
  }
}

class Categorical::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters) : plan_(plan), offset_(plan.offsets()) {
    const int classes = static_cast<int>(parameters.log_probability.rows());
    // A slot of zeros in front of each feature's levels: missing adds nothing.
    const int width = offset_.back() + plan.members();
    table_.assign(static_cast<std::size_t>(classes) * width, 0.0);
    width_ = width;
    for (int k = 0; k < classes; ++k) {
      for (int j = 0; j < plan.members(); ++j) {
        for (int l = 0; l < plan.levels[j]; ++l) {
          table_[static_cast<std::size_t>(k) * width + offset_[j] + j + 1 + l] =
              parameters.log_probability(k, offset_[j] + l);
        }
      }
    }
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    for (int j = from; j < to; ++j) {
      int* codes = tile.codes.data();
      load_tile_codes(frame, plan_.features[j], plan_.levels[j], tile, codes);
      for (int k = 0; k < tile.classes; ++k) {
        const double* table =
            table_.data() + static_cast<std::size_t>(k) * width_ + offset_[j] + j + 1;
        double* out = tile.of_class(k);
        for (int r = 0; r < tile.rows; ++r) out[r] += table[codes[r]];
      }
    }
  }

 private:
  const Plan& plan_;
  IntVector offset_;
  int width_ = 0;
  Vector table_;
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
