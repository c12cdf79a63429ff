#pragma once

#include <engine/likelihood/bag.hpp>

namespace bayesrisk {

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

}  // namespace bayesrisk
