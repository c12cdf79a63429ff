#pragma once

#include <engine/core/counts.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Likelihoods of bags share this code. A bag is one feature with many terms and one block; only
// the cells that are not 0 are read.

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

// Some terms of a bag, and the rows, which are all rows of the frame. Only the `first` part adds
// the weights of the rows.
struct BagPart {
  const Column& column;
  const Chunk& rows;
  const unsigned char* group_byte;  // the groups of the rows in bytes, or null
  bool first;
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

// Numbers in this range are readable, and fast loops can test it. Counts above the range are
// readable, too.
inline simd::NumberRange range_of(BagNumbers numbers) {
  constexpr double kMost = std::numeric_limits<double>::max();
  if (numbers == BagNumbers::finite) return {-kMost, kMost, 0};
  if (numbers == BagNumbers::not_negative) return {0, kMost, 0};
  return {0, 0x1p51, 0x1p52};
}

// Whole runs of numbers pass at once; the others are looked at singly.
inline bool all_readable(const simd::TileLoops& loops, const double* x, int count,
                         BagNumbers numbers) {
  return loops.all_inside(x, count, range_of(numbers)) ||
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

  // Each task reads some terms in all rows, so the matrices of the tasks stand side by side and
  // need no merging. `rows`: all rows of the frame.
  template <class Plan>
  static Statistics collect_terms(const Plan& plan, const Frame& frame, const Chunk& rows,
                                  const Context& context, Diagnostics& diagnostics) {
    std::vector<unsigned char> bytes;
    if (rows.groups < 256) bytes.assign(rows.group, rows.group + rows.rows);
    const unsigned char* group_byte = bytes.empty() ? nullptr : bytes.data();
    const Column& column = frame.columns[static_cast<std::size_t>(plan.feature())];
    const CellsByTerm& cells = column.by_term;
    Statistics total(plan, rows.groups);
    // Terms that are matched by name stand in any order.
    if (column.remap || cells.terms != plan.terms()) {
      total.collect(plan, {column, rows, group_byte, true}, diagnostics);
      return total;
    }
    const IntVector cuts = cut_terms(cells, kCellsOfPart);
    const std::size_t parts = cuts.size() - 1;
    std::vector<Statistics> vectors(parts);
    std::vector<Diagnostics> problems(parts);
    context.run(static_cast<Index>(parts), [&](Index i) {
      const int first = cuts[i], terms = cuts[i + 1] - first;
      Column own = column;
      own.by_term.begin += first;
      own.by_term.terms = terms;
      own.by_term.starts = nullptr;
      Plan some = plan;
      some.levels = {terms};
      Statistics part(some, rows.groups);
      part.collect(some, {own, rows, group_byte, i == 0}, problems[i]);
      total.copy_terms(first, part);
      vectors[i].add_vectors(part);
    });
    for (std::size_t i = 0; i < parts; ++i) {
      total.add_vectors(vectors[i]);
      diagnostics.merge(problems[i]);
    }
    return total;
  }

 private:
  // Copies the matrices of a part to its terms, which begin at `first`.
  void copy_terms(int first, const Statistics& part) {
    pair_fields(part, static_cast<Statistics&>(*this), [&](const auto& from, auto& to) {
      if constexpr (std::is_same_v<std::decay_t<decltype(to)>, Matrix>) {
        to.middleCols(first, from.cols()) = from;
      }
    });
  }

  // Adds the vectors of a part.
  void add_vectors(const Statistics& part) {
    pair_fields(part, static_cast<Statistics&>(*this), [&](const auto& from, auto& to) {
      if constexpr (!std::is_same_v<std::decay_t<decltype(to)>, Matrix>) {
        to.resize(from.size(), 0.0);
        for (std::size_t g = 0; g < to.size(); ++g) to[g] += from[g];
      }
    });
  }

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
