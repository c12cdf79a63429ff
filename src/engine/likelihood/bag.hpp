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

// The numbers that are readable and can be seen so by fast loops.
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

  // Copies the matrices of a part: the terms from `first` on.
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

// The numbers of cells that add_sums() adds.
struct StoredNumber {
  static constexpr bool kAsStored = true;
  double operator()(double x) const { return x; }
};
struct Presence {
  static constexpr bool kAsStored = false;
  double operator()(double x) const { return x != 0 ? 1 : 0; }
};

// Reads the cells of a bag in the rows of a chunk.
class BagReader {
 public:
  template <class Plan>
  BagReader(const Plan& plan, const Frame& frame, const Chunk& chunk, Diagnostics& diagnostics)
      : column_(frame.columns[static_cast<std::size_t>(plan.feature())]),
        feature_(plan.feature()),
        terms_(plan.terms()),
        chunk_(chunk),
        diagnostics_(diagnostics) {
    if (chunk.terms) column_.by_term = *chunk.terms;
  }

  // sum(group, term) += weight * value(x). Other numbers are reported.
  template <class Value>
  void add_sums(const Value& value, BagNumbers numbers, Matrix& sum) const {
    bool readable = true;
    const auto number = [&](double x) {
      if (is_readable(x, numbers)) return value(x);
      readable = false;
      return 0.0;
    };
    if (!column_.by_term) {
      each_cell([&](int group, int term, double x, double weight) {
        sum(group, term) += weight * number(x);
      });
    } else {
      const auto load = [&](int from, int count, double* to) {
        return read_numbers(from, count, numbers, value, number, to);
      };
      if (chunk_.group_byte) {
        add_terms(load, chunk_.group_byte, sum);
      } else {
        add_terms(load, chunk_.group, sum);
      }
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
    for (int stored = 0; stored < cells.terms; ++stored) {
      if (stored % 1024 == 0) chunk_.check();
      const int term = column_.term(stored);
      if (term < 0 || term >= terms_) continue;
      use(term, cells.lower(stored, chunk_.begin), cells.lower(stored, chunk_.begin + chunk_.rows));
    }
  }

  // The numbers that the cells from `from` on add, as they are stored or written to `to`.
  template <class Value, class Number>
  const double* read_numbers(int from, int count, BagNumbers numbers, const Value& value,
                             const Number& number, double* to) const {
    const CellsByTerm& cells = column_.by_term;
    const double* x = cells.value + from;
    const bool readable = all_readable(loops_, x, count, numbers);
    if (readable && !chunk_.weight && Value::kAsStored) return x;
    if (readable) {
      for (int c = 0; c < count; ++c) to[c] = value(x[c]);
    } else {
      for (int c = 0; c < count; ++c) to[c] = number(x[c]);
    }
    for (int c = 0; chunk_.weight && c < count; ++c) {
      to[c] *= chunk_.weight[place(cells.row[from + c])];
    }
    return to;
  }

  // Numbers are loaded for many cells at once, of several terms if these lie side by side.
  template <class Load, class Group>
  void add_terms(const Load& load, const Group* group, Matrix& sum) const {
    const CellsByTerm& cells = column_.by_term;
    const bool side_by_side = chunk_.begin + cells.first_row == 0 && chunk_.rows == cells.rows;
    const int first = static_cast<int>(cells.first_row + chunk_.begin);
    Vector tables(static_cast<std::size_t>(kTables * (chunk_.groups + 1)));
    double loaded[kCells];
    const double* number = loaded;
    int from_loaded = 0, to_loaded = 0;
    each_term([&](int term, int from, int to) {
      set_zero(tables.data(), tables.size());
      const int last = side_by_side ? cells.begin[cells.terms] : to;
      for (int c = from, end = c; c < to; c = end) {
        if (c < from_loaded || c >= to_loaded) {
          from_loaded = c;
          to_loaded = c + std::min(last - c, kCells);
          number = load(c, to_loaded - c, loaded);
        }
        end = std::min(to, to_loaded);
        add_cells(cells.row + c, number + (c - from_loaded), end - c, first, group, tables.data());
      }
      const double* of_group = tables.data();
      for (int g = 0; g < chunk_.groups; ++g, of_group += kTables) {
        sum(g, term) += (of_group[0] + of_group[1]) + (of_group[2] + of_group[3]);
      }
    });
  }

  // A group has a number in each table, side by side.
  template <class Group>
  static void add_cells(const int* row, const double* number, int count, int first,
                        const Group* group, double* table) {
    int c = 0;
    for (; c + kTables <= count; c += kTables) {
#pragma GCC unroll 4
      for (int t = 0; t < kTables; ++t) {
        table[static_cast<std::size_t>(group[row[c + t] - first]) * kTables + t] += number[c + t];
      }
    }
    for (int t = 0; c < count; ++c, ++t) {
      table[static_cast<std::size_t>(group[row[c] - first]) * kTables + t] += number[c];
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
  Column column_;
  int feature_, terms_;
  const Chunk& chunk_;
  Diagnostics& diagnostics_;
};

// The weight of the rows of each group.
inline void add_weights(const Chunk& chunk, Vector& weight) {
  if (chunk.later_terms) return;
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
