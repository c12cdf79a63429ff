#pragma once

#include <engine/data/slots.hpp>
#include <engine/likelihood/bag/bag.hpp>
#include <engine/simd/columns.hpp>

namespace bayesrisk {

// How the numbers of cells are used: as they are, 1 for each that is not 0, or as Terms::value().
enum class CellUse { number, presence, value };

// Scores a bag: constants of the classes, and for each cell numbers that depend on it times the
// coefficients of its term. `Terms` has
//   (plan, parameters)
//   kUse, kParts                  of the sum; there is one part if no value() is used
//   numbers()                     that can be read, see BagNumbers
//   value(part, x)                the number by which the coefficients of a part are multiplied
//   write(part, term, classes, to)   the coefficients of the classes
//   constant(k)                   what a row without any cell has
// Cells are read for many rows at once, term by term; the tile keeps their scores. Of several
// models, each row has that of Column::model.
template <class Terms>
class BagScorer {
 public:
  template <class Plan, class Parameters>
  BagScorer(const Plan& plan, const Parameters& parameters)
      : BagScorer(plan, std::vector<const Parameters*>{&parameters}) {}

  template <class Plan, class Parameters>
  BagScorer(const Plan& plan, const std::vector<const Parameters*>& models)
      : feature_(plan.feature()), terms_(plan.terms()) {
    for (const Parameters* parameters : models) models_.emplace_back(plan, *parameters);
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    if (from >= to) return;
    const Column& column = frame.columns[feature_];
    const int width = tile.classes <= 2 ? 2 : simd::padded_classes(tile.classes);
    Tile::Ahead& ahead = tile.ahead(this, column.by_term.row);
    if (tile.begin < ahead.begin || tile.begin + tile.rows > ahead.end) {
      score_ahead(column, width, tile, ahead);
    }
    add_table(ahead.score.data() + (tile.begin - ahead.begin) * width, width, tile);
    add_constants(column.model ? column.model + tile.begin : nullptr, tile);
  }

 private:
  static constexpr int kCells = 1024;
  static constexpr int kPrefetched = 8;  // terms
  static constexpr bool kPresence = Terms::kUse == CellUse::presence;

  // The coefficients of a term: of each part those of each model, and of each model those of the
  // classes side by side, padded.
  struct Coefficients {
    int width, models;
    Vector number;
    bool finite = true;

    Coefficients(int width, int models)
        : width(width),
          models(models),
          number(static_cast<std::size_t>(Terms::kParts * models * width), 0.0) {}
    double* of(int part, int model) {
      return number.data() + (static_cast<std::size_t>(part) * models + model) * width;
    }
    const double* of_part(int part) const {
      return number.data() + static_cast<std::size_t>(part) * models * width;
    }
  };

  void load(int term, int classes, Coefficients& of_term) const {
    for (int part = 0; part < Terms::kParts; ++part) {
      for (int m = 0; m < of_term.models; ++m) {
        models_[static_cast<std::size_t>(m)].write(part, term, classes, of_term.of(part, m));
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

  // `model`: of each row of the tile, or null.
  void add_constants(const unsigned short* model, Tile& tile) const {
    for (int k = 0; k < tile.classes; ++k) {
      double* out = tile.of_class(k);
      if (!model) simd::add_constant(out, models_[0].constant(k), tile.stride);
      for (int r = 0; model && r < tile.rows; ++r) out[r] += models_[model[r]].constant(k);
    }
  }

  // Scores the rows from the tile on, as many as fit into the cache. The rows that are left are
  // divided evenly: each pass over the terms scores about as many.
  void score_ahead(const Column& column, int width, Tile& tile, Tile::Ahead& ahead) const {
    const CellsByTerm& cells = column.by_term;
    const Index left = tile.end - tile.begin;
    const Index passes = left * width / Tile::Ahead::kMost + 1;
    const Index tiles = (left + passes * tile.capacity - 1) / (passes * tile.capacity);
    const bool goes_on = ahead.end == tile.begin && !ahead.cursor.empty();
    ahead.begin = tile.begin;
    ahead.end = std::min(tile.end, tile.begin + tiles * tile.capacity);
    ahead.clear((ahead.end - ahead.begin) * width);
    if (!goes_on) {
      ahead.cursor.resize(static_cast<std::size_t>(cells.terms));
      for (int t = 0; t < cells.terms; ++t) ahead.cursor[t] = cells.lower(t, ahead.begin);
    }
    const int first = static_cast<int>(ahead.begin + cells.first_row);
    const int stop = static_cast<int>(ahead.end + cells.first_row);
    const double share = static_cast<double>(stop - first) / (cells.rows - first);
    const simd::NumberRange range = range_of(models_[0].numbers());
    const unsigned short* model = column.model ? column.model + ahead.begin : nullptr;
    Coefficients of_term(width, model ? static_cast<int>(models_.size()) : 1);
    for (int t = 0; t < cells.terms; ++t) {
      if (share < 1 && t + kPrefetched < cells.terms) {
        const int next = t + kPrefetched, from = ahead.cursor[next];
        prefetch(cells, from, static_cast<int>(share * (cells.begin[next + 1] - from)));
      }
      const int end = cells.begin[t + 1];
      int& at = ahead.cursor[t];
      if (at == end || cells.row[at] >= stop) continue;
      const int term = column.term(t);
      const simd::TermCells of_rows{cells.row + at, cells.value + at, end - at, first, stop,
                                    range,          kPresence,        model};
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
    if (kPresence || (Terms::kUse == CellUse::number && of_term.finite)) {
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
    tile.malformed[feature_] +=
        !inside && !all_readable(loops_, cells.value, done, models_[0].numbers());
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
      for (int c = 0; c < used; ++c) value[c] = models_[0].value(part, x[c]);
      bool inside;
      loops_.add_term_cells(
          {row, value, used, cells.first, cells.stop, cells.range, false, cells.model},
          of_term.of_part(part), of_term.width, ahead.score.data(), &inside);
    }
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  int feature_, terms_;
  std::vector<Terms> models_;
};

}  // namespace bayesrisk
