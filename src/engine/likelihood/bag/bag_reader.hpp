#pragma once

#include <engine/likelihood/bag/bag.hpp>

namespace bayesrisk {

// The numbers of cells that add_sums() adds. Where all cells are in the range, their numbers are
// those that are stored, or all are 1.
struct StoredNumber {
  static constexpr bool kIsOne = false;
  static simd::NumberRange range(BagNumbers numbers) { return range_of(numbers); }
  double operator()(double x) const { return x; }
};
struct Presence {
  static constexpr bool kIsOne = true;
  static simd::NumberRange range(BagNumbers) {
    return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max(), 0};
  }
  double operator()(double x) const { return x != 0 ? 1 : 0; }
};

// Reads the cells of a part.
class BagReader {
 public:
  template <class Plan>
  BagReader(const Plan& plan, const BagPart& part, Diagnostics& diagnostics)
      : part_(part),
        cells_(part.column.by_term),
        rows_(part.rows),
        feature_(plan.feature()),
        terms_(plan.terms()),
        diagnostics_(diagnostics) {}

  // sum(group, term) += weight * value(x). Other numbers are reported.
  template <class Value>
  void add_sums(const Value& value, BagNumbers numbers, Matrix& sum) const {
    bool readable = true;
    const auto number = [&](double x) {
      if (is_readable(x, numbers)) return value(x);
      readable = false;
      return 0.0;
    };
    const auto load = [&](int from, int count, double* to) {
      return read_numbers(from, count, numbers, value, number, to);
    };
    if (part_.group_byte) {
      add_terms(load, part_.group_byte, sum);
    } else {
      add_terms(load, rows_.group, sum);
    }
    if (!readable) report(numbers);
  }

  // Calls use(group, term, x, weight) for each cell of a group.
  template <class Use>
  void each_cell(const Use& use) const {
    each_term([&](int term, int from, int to) {
      for (int c = from; c < to; ++c) {
        const Index r = place(cells_.row[c]);
        const int group = rows_.group[r];
        if (group < rows_.groups) {
          use(group, term, cells_.value[c], rows_.weight ? rows_.weight[r] : 1.0);
        }
      }
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
  static constexpr int kCells = 1024;

  // use(term, from, to) for the cells of each term.
  template <class Use>
  void each_term(const Use& use) const {
    for (int stored = 0; stored < cells_.terms; ++stored) {
      if (stored % 1024 == 0) rows_.check();
      const int term = part_.column.term(stored);
      if (term < 0 || term >= terms_) continue;
      use(term, cells_.lower(stored, 0), cells_.lower(stored, rows_.rows));
    }
  }

  // The numbers that the cells from `from` on add, as they are stored or written to `to`.
  template <class Value, class Number>
  const double* read_numbers(int from, int count, BagNumbers numbers, const Value& value,
                             const Number& number, double* to) const {
    const double* x = cells_.value + from;
    const bool usual = loops_.all_inside(x, count, Value::range(numbers));
    if (usual && !rows_.weight && !Value::kIsOne) return x;
    if (usual && Value::kIsOne) {
      std::fill_n(to, count, 1.0);
    } else if (usual || all_readable(loops_, x, count, numbers)) {
      for (int c = 0; c < count; ++c) to[c] = value(x[c]);
    } else {
      for (int c = 0; c < count; ++c) to[c] = number(x[c]);
    }
    for (int c = 0; rows_.weight && c < count; ++c) {
      to[c] *= rows_.weight[place(cells_.row[from + c])];
    }
    return to;
  }

  // Successive cells of few groups add to different tables, because additions to one number have to
  // wait for each other.
  template <class Load, class Group>
  void add_terms(const Load& load, const Group* group, Matrix& sum) const {
    constexpr int kFewGroups = 8;
    if (rows_.groups <= kFewGroups) {
      add_terms<4>(load, group, sum);
    } else {
      add_terms<1>(load, group, sum);
    }
  }

  // Numbers are loaded for many cells at once, of several terms if these lie side by side. The last
  // slot of a table is for rows that are left out.
  template <int Tables, class Load, class Group>
  void add_terms(const Load& load, const Group* group, Matrix& sum) const {
    const bool side_by_side = cells_.first_row == 0 && rows_.rows == cells_.rows;
    const int first = static_cast<int>(cells_.first_row);
    Vector tables(static_cast<std::size_t>(Tables * (rows_.groups + 1)));
    double loaded[kCells];
    const double* number = loaded;
    int from_loaded = 0, to_loaded = 0;
    each_term([&](int term, int from, int to) {
      set_zero(tables.data(), tables.size());
      const int last = side_by_side ? cells_.begin[cells_.terms] : to;
      for (int c = from, end = c; c < to; c = end) {
        if (c < from_loaded || c >= to_loaded) {
          from_loaded = c;
          to_loaded = c + std::min(last - c, kCells);
          number = load(c, to_loaded - c, loaded);
        }
        end = std::min(to, to_loaded);
        add_cells<Tables>(cells_.row + c, number + (c - from_loaded), end - c, first, group,
                          tables.data());
      }
      const double* of_group = tables.data();
      for (int g = 0; g < rows_.groups; ++g, of_group += Tables) {
        sum(g, term) +=
            Tables == 1 ? of_group[0] : (of_group[0] + of_group[1]) + (of_group[2] + of_group[3]);
      }
    });
  }

  // A group has a number in each table, side by side.
  template <int Tables, class Group>
  static void add_cells(const int* row, const double* number, int count, int first,
                        const Group* group, double* table) {
    int c = 0;
    for (; c + Tables <= count; c += Tables) {
#pragma GCC unroll 4
      for (int t = 0; t < Tables; ++t) {
        table[static_cast<std::size_t>(group[row[c + t] - first]) * Tables + t] += number[c + t];
      }
    }
    for (int t = 0; c < count; ++c, ++t) {
      table[static_cast<std::size_t>(group[row[c] - first]) * Tables + t] += number[c];
    }
  }

  // The row in the frame of a row of the matrix.
  Index place(int row) const { return row - cells_.first_row; }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const BagPart& part_;
  const CellsByTerm& cells_;
  const Chunk& rows_;
  int feature_, terms_;
  Diagnostics& diagnostics_;
};

// The weight of the rows of each group.
inline void add_weights(const BagPart& part, Vector& weight) {
  const Chunk& rows = part.rows;
  for (int r = 0; part.first && r < rows.rows; ++r) {
    if (rows.group[r] < rows.groups) weight[rows.group[r]] += rows.weight ? rows.weight[r] : 1;
  }
}

}  // namespace bayesrisk
