#pragma once

#include <bayesrisk/likelihood/categorical.hpp>

#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bayesrisk {

// Categorical features with a joint table given the class: one block. Only the
// cells that were seen are kept; all the others share one probability.
struct JointTable {
  static constexpr const char* name = "joint_table";
  using Key = std::uint64_t;

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
      require(members() <= 62 && cells() <= 4611686018427387904.0, "too many cells");  // 2^62
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
    Vector log_unseen;       // per group: of each cell that is not listed

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("cells", self.cells);
      visit("log_probability", self.log_probability);
      visit("log_unseen", self.log_unseen);
    }
    void check(const Plan& plan, int groups) const {
      check_cells(plan, cells);
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

  struct Statistics {
    IntMatrix cells;  // cells x features, codes from 1, in the order of their keys
    Matrix count;     // groups x cells
    Vector missing;   // per feature: rows that missed it
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
    }
    void collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                 Diagnostics& diagnostics);
    void merge(const Plan& plan, const Statistics& other);
    Statistics of_groups(const Plan& plan, int first, int groups) const;
    std::vector<Key> keys(const Plan& plan) const;
    Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const;
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Vector& class_weight, Diagnostics& diagnostics) {
    const int groups = static_cast<int>(class_weight.size());
    const Index cells = statistics.cells.rows();
    Parameters p{statistics.cells, Matrix::Constant(groups, cells, kNaN), Vector(groups, kNaN)};
    for (int g = 0; g < groups; ++g) {
      if (class_weight[g] <= 0) continue;
      // The sum of pseudo-counts may be beyond the largest double; its log is not.
      const double log_pseudo = std::log(options.pseudo_count);
      const double log_total =
          log_add(std::log(statistics.count.row(g).sum()), log_pseudo + std::log(plan.cells()));
      if (log_total == kNegativeInfinity) diagnostics.add(Problem::empty, g, kAll, 0);
      p.log_unseen[g] = log_pseudo - log_total;
      for (Index c = 0; c < cells; ++c) {
        p.log_probability(g, c) =
            std::log(statistics.count(g, c) + options.pseudo_count) - log_total;
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

  static double parameter_count(const Plan& plan, const Options&, int classes) {
    return classes * (plan.cells() - 1);
  }

  class Scorer;
  class Drawer;
};

// Counts by cell while they are being collected; sorted by key at the end.
class CellCounts {
 public:
  CellCounts(const JointTable::Plan& plan, int groups) : plan_(plan), groups_(groups) {}

  // The counts of a cell, one per group.
  Vector& at(const int* codes) {
    auto [place, added] = cells_.try_emplace(plan_.key(codes, plan_.whole()));
    if (added) {
      place->second.codes.assign(codes, codes + plan_.members());
      place->second.count.assign(groups_, 0.0);
    }
    return place->second.count;
  }

  void store(JointTable::Statistics& statistics) const {
    std::vector<std::pair<JointTable::Key, const Cell*>> sorted;
    for (const auto& [key, cell] : cells_) sorted.push_back({key, &cell});
    std::sort(sorted.begin(), sorted.end());
    statistics.cells.resize(sorted.size(), plan_.members());
    statistics.count.resize(groups_, sorted.size());
    for (std::size_t c = 0; c < sorted.size(); ++c) {
      const Cell& cell = *sorted[c].second;
      for (int j = 0; j < plan_.members(); ++j) statistics.cells(c, j) = cell.codes[j] + 1;
      for (int g = 0; g < groups_; ++g) statistics.count(g, c) = cell.count[g];
    }
  }

 private:
  struct Cell {
    IntVector codes;
    Vector count;
  };
  const JointTable::Plan& plan_;
  int groups_;
  std::unordered_map<JointTable::Key, Cell> cells_;
};

inline void JointTable::Statistics::collect(const Plan& plan, const Frame& frame,
                                            const Chunk& chunk, Diagnostics& diagnostics) {
  const int members = plan.members();
  IntMatrix codes(members, chunk.rows);
  IntVector column(chunk.rows);
  for (int j = 0; j < members; ++j) {
    load_codes(frame.columns[plan.features[j]], chunk.begin, chunk.rows, column.data());
    double malformed = 0;
    for (int r = 0; r < chunk.rows; ++r) {
      const bool bad = column[r] < kUnknown || column[r] >= plan.levels[j];
      const bool counted = chunk.group[r] < chunk.groups;
      malformed += bad && counted;
      codes(j, r) = bad ? kMissing : column[r];
      missing[j] += codes(j, r) < 0 && counted;
    }
    if (malformed > 0) diagnostics.add(Problem::malformed, kAll, plan.features[j], malformed);
  }
  CellCounts cells_seen(plan, chunk.groups);
  for (int r = 0; r < chunk.rows; ++r) {
    if (chunk.group[r] == chunk.groups) continue;
    if (codes.col(r).minCoeff() < 0) {
      ++skipped;
    } else {
      cells_seen.at(codes.col(r).data())[chunk.group[r]] += chunk.weight ? chunk.weight[r] : 1.0;
    }
  }
  cells_seen.store(*this);
}

// Both lists are in the order of their keys: one pass unites them.
inline void JointTable::Statistics::merge(const Plan& plan, const Statistics& other) {
  const std::vector<Key> mine = keys(plan), theirs = other.keys(plan);
  std::vector<Key> united;
  std::set_union(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                 std::back_inserter(united));
  Statistics result(plan, static_cast<int>(count.rows()));
  result.cells.resize(united.size(), plan.members());
  result.count = Matrix::Zero(count.rows(), united.size());
  auto add = [&](const Statistics& part, const std::vector<Key>& part_keys) {
    std::size_t c = 0;
    for (std::size_t i = 0; i < part_keys.size(); ++i) {
      while (united[c] != part_keys[i]) ++c;
      result.cells.row(c) = part.cells.row(i);
      result.count.col(c) += part.count.col(i);
    }
  };
  add(*this, mine);
  add(other, theirs);
  for (std::size_t j = 0; j < missing.size(); ++j)
    result.missing[j] = missing[j] + other.missing[j];
  result.skipped = skipped + other.skipped;
  *this = std::move(result);
}

// Only the cells that these groups saw. Rows that missed a feature are not counted by
// group: a part does not know its own.
inline JointTable::Statistics JointTable::Statistics::of_groups(const Plan& plan, int first,
                                                                int groups) const {
  std::vector<Index> seen;
  for (Index c = 0; c < count.cols(); ++c) {
    if ((count.col(c).segment(first, groups).array() > 0).any()) seen.push_back(c);
  }
  Statistics part(plan, groups);
  part.cells.resize(seen.size(), plan.members());
  part.count.resize(groups, seen.size());
  for (std::size_t c = 0; c < seen.size(); ++c) {
    part.cells.row(c) = cells.row(seen[c]);
    part.count.col(c) = count.col(seen[c]).segment(first, groups);
  }
  return part;
}

inline std::vector<JointTable::Key> JointTable::Statistics::keys(const Plan& plan) const {
  std::vector<Key> result(cells.rows());
  IntVector codes(plan.members());
  for (Index c = 0; c < cells.rows(); ++c) {
    for (int j = 0; j < plan.members(); ++j) codes[j] = cells(c, j) - 1;
    result[c] = plan.key(codes.data(), plan.whole());
  }
  return result;
}

inline JointTable::Statistics JointTable::Statistics::realign(const Plan& plan, const Plan& target,
                                                              const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  CellCounts moved(target, mapping.groups);
  IntVector to(plan.members()), codes(target.members());
  for (int j = 0; j < plan.members(); ++j) {
    to[j] = mapping.member(plan.features[j], target.features);
    if (to[j] >= 0) result.missing[to[j]] = missing[j];
  }
  for (Index c = 0; c < cells.rows(); ++c) {
    for (int j = 0; j < plan.members(); ++j) {
      if (to[j] >= 0) codes[to[j]] = mapping.level[plan.features[j]][cells(c, j) - 1];
    }
    Vector& counts = moved.at(codes.data());
    for (std::size_t g = 0; g < mapping.group.size(); ++g) {
      counts[mapping.group[g]] += count(g, c);
    }
  }
  moved.store(result);
  result.skipped = skipped;
  return result;
}

}  // namespace bayesrisk
