#pragma once

#include <engine/data/slots.hpp>
#include <engine/likelihood/bag.hpp>
#include <engine/simd/columns.hpp>

namespace bayesrisk {

// Scores a bag: constants of the classes, and for each cell numbers that depend on it times the
// coefficients of its term. `Terms` has
//   kParts                        of the sum
//   numbers()                     that can be read, see BagNumbers
//   kAsStored                     there is one part, value(0, x) is x, and coefficients(term) are
//                                 those of the classes side by side
//   value(part, x)                the number by which the coefficients of a part are multiplied
//   coefficient(part, term, k)    of class k
//   constant(k)                   what a row without any cell has
// Cells that are stored by term are read for many rows at once; the tile keeps their scores.
template <class Terms>
class BagScorer {
 public:
  BagScorer(int feature, int terms, Terms of)
      : feature_(feature), terms_(terms), of_(std::move(of)) {}

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from >= to) return;
    const Column& column = frame.columns[feature_];
    if (!column.by_term) {
      add_rows(column, tile);
    } else {
      add_ahead(column, tile);
    }
    for (int k = 0; k < tile.classes; ++k) {
      simd::add_constant(tile.of_class(k), of_.constant(k), tile.stride);
    }
  }

 private:
  static constexpr Index kAheadNumbers = 1 << 19;
  static constexpr int kCells = 1024;
  static constexpr int kPrefetched = 8;  // terms

  // The coefficients of a term. Those of a part stand side by side, padded with any numbers.
  struct Coefficients {
    int width;
    Vector number;
    const double* stored = nullptr;
    bool finite = true;

    explicit Coefficients(int width)
        : width(width), number(static_cast<std::size_t>(Terms::kParts * width), 0.0) {}
    const double* of_part(int part) const { return stored ? stored : number.data() + part * width; }
  };

  // Coefficients are used where they are stored, if the numbers behind them can be read, too.
  void load(int term, int classes, Coefficients& of_term) const {
    if constexpr (Terms::kAsStored) {
      of_term.stored = nullptr;
      if ((terms_ - term) * static_cast<Index>(classes) >= of_term.width) {
        of_term.stored = of_.coefficients(term);
        of_term.finite = loops_.all_inside(of_term.stored, classes, range_of(BagNumbers::finite));
        return;
      }
    }
    for (int part = 0; part < Terms::kParts; ++part) {
      for (int k = 0; k < classes; ++k) {
        of_term.number[static_cast<std::size_t>(part * of_term.width + k)] =
            of_.coefficient(part, term, k);
      }
    }
    of_term.finite =
        loops_.all_inside(of_term.number.data(), static_cast<int>(of_term.number.size()),
                          range_of(BagNumbers::finite));
  }

  bool is_term(int term) const { return term >= 0 && term < terms_; }

  void add_table(const double* table, int width, Tile& tile) const {
    if (width == 2) {
      for (int k = 0; k < tile.classes; ++k) {
        double* out = tile.of_class(k);
        for (int r = 0; r < tile.rows; ++r) out[r] += table[2 * r + k];
      }
      return;
    }
    for (int r = 0; r < tile.stride; ++r) tile.codes[r] = std::min(r, tile.rows - 1) * width;
    loops_.add_table_rows(&table, tile.codes.data(), 1, tile.stride, tile.classes, tile.stride,
                          tile.stride, tile.of_class(0));
  }

  void add_rows(const Column& column, Tile& tile) const {
    const int width = simd::padded_classes(tile.classes);
    double* numbers = tile.start_own_rows(0, width);
    const CellsByRow& cells = column.by_row;
    Coefficients of_term(width);
    for (int r = 0; r < tile.rows; ++r) {
      const Index row = tile.begin + r;
      for (Index c = cells.begin[row]; c < cells.end[row]; ++c) {
        const int term = column.term(cells.term[c]);
        const double x = cells.value[c];
        tile.unknown[feature_] += !is_term(term) && x != 0;
        if (!is_term(term)) continue;
        tile.malformed[feature_] += !is_readable(x, of_.numbers());
        if (x == 0) continue;
        load(term, tile.classes, of_term);
        for (int part = 0; part < Terms::kParts; ++part) {
          loops_.add_scaled(of_term.of_part(part), of_.value(part, x), tile.classes,
                            numbers + static_cast<Index>(r) * width);
        }
      }
    }
    add_table(numbers, width, tile);
  }

  void add_ahead(const Column& column, Tile& tile) const {
    const int width = tile.classes <= 2 ? 2 : simd::padded_classes(tile.classes);
    Tile::Ahead& ahead = tile.ahead(this, column.by_term.row);
    if (tile.begin < ahead.begin || tile.begin + tile.rows > ahead.end) {
      score_ahead(column, width, tile, ahead);
    }
    add_table(ahead.score.data() + (tile.begin - ahead.begin) * width, width, tile);
  }

  // Scores the rows from the tile on, as many as fit into the cache. The rows that are left are
  // divided evenly: each pass over the terms scores about as many.
  void score_ahead(const Column& column, int width, Tile& tile, Tile::Ahead& ahead) const {
    const CellsByTerm& cells = column.by_term;
    const Index left = tile.end - tile.begin;
    const Index passes = left * width / kAheadNumbers + 1;
    const Index tiles = (left + passes * tile.capacity - 1) / (passes * tile.capacity);
    const bool goes_on = ahead.end == tile.begin && !ahead.cursor.empty();
    ahead.begin = tile.begin;
    ahead.end = std::min(tile.end, tile.begin + tiles * tile.capacity);
    ahead.score.assign(static_cast<std::size_t>((ahead.end - ahead.begin) * width), 0.0);
    if (!goes_on) {
      ahead.cursor.resize(static_cast<std::size_t>(cells.terms));
      for (int t = 0; t < cells.terms; ++t) ahead.cursor[t] = cells.lower(t, ahead.begin);
    }
    const int first = static_cast<int>(ahead.begin + cells.first_row);
    const int stop = static_cast<int>(ahead.end + cells.first_row);
    const double share = static_cast<double>(stop - first) / (cells.rows - first);
    const simd::NumberRange range = range_of(of_.numbers());
    Coefficients of_term(width);
    for (int t = 0; t < cells.terms; ++t) {
      if (share < 1 && t + kPrefetched < cells.terms) {
        const int next = t + kPrefetched, from = ahead.cursor[next];
        prefetch(cells, from, static_cast<int>(share * (cells.begin[next + 1] - from)));
      }
      const int end = cells.begin[t + 1];
      int& at = ahead.cursor[t];
      if (at == end || cells.row[at] >= stop) continue;
      const int term = column.term(t);
      const simd::TermCells of_rows{cells.row + at, cells.value + at, end - at, first, stop, range};
      if (is_term(term)) {
        load(term, tile.classes, of_term);
        at += add_cells(of_rows, of_term, ahead, tile);
      } else {
        const int count = count_below(of_rows.row, of_rows.count, stop);
        tile.unknown[feature_] +=
            std::count_if(of_rows.value, of_rows.value + count, [](double x) { return x != 0; });
        at += count;
      }
    }
  }

  // About `count` cells.
  static void prefetch(const CellsByTerm& cells, int from, int count) {
    const int to = from + std::min(count, 64);
    for (int c = from; c < to; c += 16) __builtin_prefetch(cells.row + c);
    for (int c = from; c < to; c += 8) __builtin_prefetch(cells.value + c);
  }

  // Returns the number of these cells.
  int add_cells(const simd::TermCells& cells, const Coefficients& of_term, Tile::Ahead& ahead,
                Tile& tile) const {
    int done = 0;
    bool inside = true;
    if (Terms::kAsStored && of_term.finite) {
      done = loops_.add_term_cells(cells, of_term.of_part(0), of_term.width, ahead.score.data(),
                                   &inside);
    } else {
      const int all = count_below(cells.row, cells.count, cells.stop);
      inside = loops_.all_inside(cells.value, all, cells.range);
      for (; done < all; done += kCells) {
        add_values(cells, done, std::min(all - done, kCells), of_term, ahead);
      }
      done = all;
    }
    tile.malformed[feature_] += !inside && !all_readable(loops_, cells.value, done, of_.numbers());
    return done;
  }

  // Numbers are turned into values a few at a time. Zeros times infinite coefficients are left out.
  void add_values(const simd::TermCells& cells, int from, int count, const Coefficients& of_term,
                  Tile::Ahead& ahead) const {
    double x[kCells], value[kCells];
    int row[kCells], used = 0;
    for (int c = from; c < from + count; ++c) {
      x[used] = cells.value[c];
      row[used] = cells.row[c];
      used += x[used] != 0 || of_term.finite;
    }
    for (int part = 0; part < Terms::kParts; ++part) {
      for (int c = 0; c < used; ++c) value[c] = of_.value(part, x[c]);
      bool inside;
      loops_.add_term_cells({row, value, used, cells.first, cells.stop, cells.range},
                            of_term.of_part(part), of_term.width, ahead.score.data(), &inside);
    }
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  int feature_, terms_;
  Terms of_;
};

}  // namespace bayesrisk
