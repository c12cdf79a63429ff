#pragma once

#include <engine/core/counts.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/bank.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// What the likelihoods of bags share. A bag is one feature with many terms and one block; only the
// cells that are not 0 are read.

template <class L>
struct BagPlan : BagFeature {
  using Likelihood = L;
  IntVector features, levels;  // one each; the level count is the number of terms

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("features", self.features);
    visit("levels", self.levels);
  }
  int members() const { return 1; }
  int blocks() const { return 1; }
  static constexpr bool reads_codes = false;
  int terms() const { return levels[0]; }
  int feature() const { return features[0]; }
  void check() const {
    require(features.size() == 1, "a bag of several features");
    require_levels(levels, features);
  }
};

// The numbers of a bag that are no counts.
struct BagProblem {
  static constexpr ProblemName not_finite{"not_finite"};  // missing or infinite
  static constexpr ProblemName no_term_count{"no_term_count"};
};

// Which numbers a bag can hold.
enum class BagNumbers { finite, not_negative, counts };

inline bool is_readable(double x, BagNumbers numbers) {
  const bool finite = std::abs(x) <= std::numeric_limits<double>::max();
  if (numbers == BagNumbers::finite) return finite;
  if (numbers == BagNumbers::not_negative) return finite && x >= 0;
  constexpr double kSmall = 1 << 30;  // std::floor() is slow
  return x >= 0 && x < kSmall ? static_cast<int>(x) == x : finite && is_count(x);
}

// Whole runs of numbers pass at once; the others are looked at singly.
inline bool all_readable(const simd::TileLoops& loops, const double* x, int count,
                         BagNumbers numbers) {
  constexpr double kMost = std::numeric_limits<double>::max();
  if (numbers == BagNumbers::finite) return loops.all_between(x, count, -kMost, kMost);
  if (numbers == BagNumbers::not_negative) return loops.all_between(x, count, 0, kMost);
  return loops.all_small_counts(x, count) ||
         std::all_of(x, x + count, [&](double number) { return is_readable(number, numbers); });
}

// Statistics of a bag: a matrix has a column for each term, a vector an element for each group.
template <class Statistics>
struct BagStatistics {
  template <class Plan>
  Statistics of_groups(const Plan&, int first, int groups) const {
    return bayesrisk::groups_of(self(), first, groups);
  }

  template <class Plan>
  Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
    Statistics result(target, mapping.groups);
    const IntVector& term = mapping.level[static_cast<std::size_t>(plan.feature())];
    pair_fields(self(), result, [&](const auto& from, auto& to) {
      if constexpr (std::is_same_v<std::decay_t<decltype(to)>, Matrix>) {
        for (int t = 0; t < plan.terms(); ++t) {
          for (std::size_t g = 0; g < mapping.group.size(); ++g) {
            to(mapping.group[g], term[t]) = from(static_cast<Index>(g), t);
          }
        }
      } else {
        for (std::size_t g = 0; g < mapping.group.size(); ++g) to[mapping.group[g]] = from[g];
      }
    });
    return result;
  }

 private:
  const Statistics& self() const { return static_cast<const Statistics&>(*this); }
};

// Requires the shapes of the statistics or parameters of a bag.
template <class State>
void require_bag(const State& state, int groups, int terms) {
  const auto check = [&](const char* name, const auto& field) {
    bool fits = true;
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Matrix>) {
      fits = has_shape(field, groups, terms) && not_negative(field);
    } else {
      fits = static_cast<int>(field.size()) == groups && not_negative(field);
    }
    if (!fits) throw InvalidState(std::string(name) + ": wrong dimensions or negative");
  };
  State::fields(state, check);
}

// Reads the cells of a bag in the rows of a chunk.
class BagReader {
 public:
  template <class Plan>
  BagReader(const Plan& plan, const Frame& frame, const Chunk& chunk, Diagnostics& diagnostics)
      : column_(frame.columns[static_cast<std::size_t>(plan.feature())]),
        feature_(plan.feature()),
        terms_(plan.terms()),
        chunk_(chunk),
        diagnostics_(diagnostics) {}

  // sum(group, term) += weight * value(x). Other numbers are reported.
  template <class Value>
  void add_sums(const Value& value, BagNumbers numbers, Matrix& sum) const {
    bool readable = true;
    if (!column_.by_term) {
      each_cell([&](int group, int term, double x, double weight) {
        if (is_readable(x, numbers)) {
          sum(group, term) += weight * value(x);
        } else {
          readable = false;
        }
      });
    } else {
      readable = add_terms(value, numbers, sum);
    }
    if (!readable) report(numbers);
  }

  // Calls use(group, term, x, weight) for each cell of a group.
  template <class Use>
  void each_cell(const Use& use) const {
    if (!column_.by_term) return each_of_rows(use);
    each_term([&](int term, int from, int to) {
      const CellsByTerm& cells = column_.by_term;
      for (int c = from; c < to; ++c) use_cell(place(cells.row[c]), term, cells.value[c], use);
    });
  }

  // Reports the numbers that cannot be read.
  void report(BagNumbers numbers) const {
    each_cell([&](int, int, double x, double) {
      if (is_readable(x, numbers)) return;
      const bool finite = std::isfinite(x);
      diagnostics_.add(finite ? BagProblem::no_term_count : BagProblem::not_finite, kAll, feature_,
                       1);
    });
  }

 private:
  // Successive cells add to different tables, because additions to one table have to wait for each
  // other. The last slot of a table is for rows that are left out.
  static constexpr int kTables = 4, kCells = 1024;

  // use(term, from, to) for the cells of each term in the rows of the chunk.
  template <class Use>
  void each_term(const Use& use) const {
    const CellsByTerm& cells = column_.by_term;
    const Index end = chunk_.begin + chunk_.rows;
    for (int stored = 0; stored < cells.terms; ++stored) {
      const int term = column_.term(stored);
      if (term < 0 || term >= terms_) continue;
      if (stored % 1024 == 0) chunk_.check();
      const int from = cells.lower(stored, chunk_.begin);
      use(term, from, ends_with(end) ? cells.begin[stored + 1] : cells.lower(stored, end));
    }
  }

  bool ends_with(Index end) const {
    return end == column_.by_term.rows - column_.by_term.first_row;
  }

  // Groups are read from bytes if there are few, so that those of a chunk fit into the cache.
  template <class Value>
  bool add_terms(const Value& value, BagNumbers numbers, Matrix& sum) const {
    if (chunk_.groups >= 256) return add_terms(value, numbers, chunk_.group, sum);
    std::vector<unsigned char> group(chunk_.group, chunk_.group + chunk_.rows);
    return add_terms(value, numbers, group.data(), sum);
  }

  template <class Group, class Value>
  bool add_terms(const Value& value, BagNumbers numbers, const Group* group, Matrix& sum) const {
    const CellsByTerm& cells = column_.by_term;
    const int slots = chunk_.groups + 1, first = static_cast<int>(cells.first_row + chunk_.begin);
    Vector tables(static_cast<std::size_t>(kTables * slots));
    bool readable = true;
    each_term([&](int term, int from, int to) {
      set_zero(tables.data(), tables.size());
      for (int c = from; c < to; c += kCells) {
        const Cells run{cells.row + c, cells.value + c, std::min(to - c, kCells), first};
        if (!all_readable(loops_, run.value, run.count, numbers)) {
          readable = false;
          add_run(run, group, tables.data(), [&](int r, double x) {
            if (!is_readable(x, numbers)) return 0.0;
            return chunk_.weight ? chunk_.weight[r] * value(x) : value(x);
          });
        } else if (chunk_.weight) {
          add_run(run, group, tables.data(),
                  [&](int r, double x) { return chunk_.weight[r] * value(x); });
        } else {
          add_run(run, group, tables.data(), [&](int, double x) { return value(x); });
        }
      }
      const double* of_group = tables.data();
      for (int g = 0; g < chunk_.groups; ++g, of_group += kTables) {
        sum(g, term) += (of_group[0] + of_group[1]) + (of_group[2] + of_group[3]);
      }
    });
    return readable;
  }

  struct Cells {
    const int* row;
    const double* value;
    int count, first;
  };

  // A group has a number in each table, side by side.
  template <class Group, class Value>
  static void add_run(const Cells& cells, const Group* group, double* table, const Value& value) {
    const int *row = cells.row, first = cells.first;
    const double* x = cells.value;
    int c = 0;
    for (; c + kTables <= cells.count; c += kTables) {
#pragma GCC unroll 4
      for (int t = 0; t < kTables; ++t) {
        const int r = row[c + t] - first;
        table[static_cast<std::size_t>(group[r]) * kTables + t] += value(r, x[c + t]);
      }
    }
    for (int t = 0; c < cells.count; ++c, ++t) {
      const int r = row[c] - first;
      table[static_cast<std::size_t>(group[r]) * kTables + t] += value(r, x[c]);
    }
  }

  template <class Use>
  void each_of_rows(const Use& use) const {
    const CellsByRow& cells = column_.by_row;
    for (int r = 0; r < chunk_.rows; ++r) {
      const Index row = chunk_.begin + r;
      for (Index c = cells.begin[row]; c < cells.end[row]; ++c) {
        const int term = column_.term(cells.term[c]);
        if (term >= 0 && term < terms_) use_cell(r, term, cells.value[c], use);
      }
    }
  }

  // The row in the chunk of a row of the matrix.
  Index place(int row) const { return row - column_.by_term.first_row - chunk_.begin; }

  template <class Use>
  void use_cell(Index r, int term, double x, const Use& use) const {
    const int group = chunk_.group[r];
    if (group < chunk_.groups) use(group, term, x, chunk_.weight ? chunk_.weight[r] : 1.0);
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Column& column_;
  int feature_, terms_;
  const Chunk& chunk_;
  Diagnostics& diagnostics_;
};

// The weight of the rows of each group.
inline void add_weights(const Chunk& chunk, Vector& weight) {
  for (int r = 0; r < chunk.rows; ++r) {
    if (chunk.group[r] < chunk.groups) weight[chunk.group[r]] += chunk.weight ? chunk.weight[r] : 1;
  }
}

// The terms of a document are not drawn: a bag says nothing about its length.
template <class L>
struct BagDrawer {
  BagDrawer(const typename L::Plan&, const typename L::Parameters&) {}
  int uniforms() const { return 0; }
  void draw(int, const double*, Index, DrawnRows&) const {
    throw InvalidState("the terms of a bag cannot be drawn");
  }
};

}  // namespace bayesrisk
