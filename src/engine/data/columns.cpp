#include <engine/data/cells.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/gather.hpp>
#include <engine/data/mapping.hpp>
#include <engine/data/slots.hpp>
#include <engine/data/tile.hpp>

namespace bayesrisk {

int count_below(const int* ascending, int count, int wanted) {
  const int* from = ascending;
  for (; count > 1; count -= count / 2) from += (from[count / 2 - 1] < wanted) * (count / 2);
  return static_cast<int>(from - ascending) + (count == 1 && *from < wanted);
}

int CellsByTerm::lower(int term, Index r) const {
  const Index wanted = r + first_row;
  int from = begin[term], to = begin[term + 1];
  if (wanted == 0) return from;
  if (wanted >= rows) return to;
  if (starts && wanted >= starts->spacing) {
    const Index run = wanted / starts->spacing;
    from = starts->place[static_cast<std::size_t>((run - 1) * terms + term)];
    if (wanted % starts->spacing == 0) return from;
  }
  return from + count_below(row + from, to - from, static_cast<int>(wanted));
}

void check_rows(const CellsByTerm& matrix, int first, int last) {
  const int from = matrix.begin[first], to = matrix.begin[last];
  int between = 0;
  bool inside = true;
  for (int t = first; t < last; ++t) {
    const int *row = matrix.row + matrix.begin[t], *end = matrix.row + matrix.begin[t + 1];
    if (row == end) continue;
    between += row > matrix.row + from && row[-1] >= row[0];
    inside &= row[0] >= 0 && end[-1] < matrix.rows;
  }
  const int descents = simd::tile_loops().count_descents(matrix.row + from, to - from);
  require(inside && descents == between, "sparse matrix: rows that do not ascend");
}

IntVector cut_terms(const CellsByTerm& matrix, int cells) {
  IntVector cuts{0};
  for (int t = 1; t < matrix.terms; ++t) {
    if (matrix.begin[t + 1] - matrix.begin[cuts.back()] > cells) cuts.push_back(t);
  }
  cuts.push_back(matrix.terms);
  return cuts;
}

std::shared_ptr<const RunStarts> check_cells(const CellsByTerm& matrix, Index cells,
                                             const Context& context, Index runs) {
  constexpr int kCells = 16384;  // fit into the cache
  require(matrix.begin[0] == 0 && matrix.begin[matrix.terms] == cells, "sparse matrix: wrong ends");
  bool ascends = true;
  for (int t = 0; t < matrix.terms; ++t) ascends &= matrix.begin[t] <= matrix.begin[t + 1];
  require(ascends, "sparse matrix: columns that do not ascend");
  auto starts = std::make_shared<RunStarts>();
  const Index run = rows_of_run(matrix.rows, runs > 0 ? runs : runs_of(matrix, cells));
  starts->spacing = run;
  const Index later = std::max<Index>((matrix.rows + run - 1) / run - 1, 0);
  starts->place.resize(static_cast<std::size_t>(later * matrix.terms));
  const IntVector parts = cut_terms(matrix, kCellsOfPart);
  context.run(static_cast<Index>(parts.size()) - 1, [&](Index part) {
    const int end = parts[part + 1];
    for (int t = parts[part], last = t; t < end; t = last) {
      for (++last; last < end && matrix.begin[last + 1] - matrix.begin[t] <= kCells;) ++last;
      check_rows(matrix, t, last);
      for (Index r = 0; r < later; ++r) {
        int* place = starts->place.data() + r * matrix.terms;
        for (int i = t; i < last; ++i) {
          const int from = matrix.begin[i], count = matrix.begin[i + 1] - from;
          place[i] = from + count_below(matrix.row + from, count, static_cast<int>((r + 1) * run));
        }
      }
    }
  });
  return starts;
}

CellsByRow::CellsByRow(const CellsByTerm& matrix)
    : begin(static_cast<std::size_t>(matrix.rows) + 1, 0) {
  const int cells = matrix.begin[matrix.terms];
  for (int c = 0; c < cells; ++c) ++begin[static_cast<std::size_t>(matrix.row[c]) + 1];
  for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
  term.resize(static_cast<std::size_t>(cells));
  cell.resize(static_cast<std::size_t>(cells));
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (int t = 0; t < matrix.terms; ++t) {
    for (int c = matrix.begin[t]; c < matrix.begin[t + 1]; ++c) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(matrix.row[c])]++);
      term[to] = t;
      cell[to] = c;
    }
  }
}

CellsOfRows::CellsOfRows(const CellsByTerm& matrix, const Index* rows, Index count) : rows_(count) {
  IntVector place(static_cast<std::size_t>(matrix.rows), -1);
  for (Index i = 0; i < count; ++i) {
    place[static_cast<std::size_t>(rows[i] + matrix.first_row)] = static_cast<int>(i);
  }
  for (int t = 0; t < matrix.terms; ++t) {
    for (int c = matrix.begin[t]; c < matrix.begin[t + 1]; ++c) {
      const int to = place[static_cast<std::size_t>(matrix.row[c])];
      if (to < 0) continue;
      row_.push_back(to);
      value_.push_back(matrix.value[c]);
    }
    begin_.push_back(static_cast<int>(row_.size()));
  }
}

Index rows_of_run(const Frame& frame) {
  Index rows = 0;
  for (const Column& column : frame.columns) {
    if (!column.by_term) continue;
    rows = std::max(rows, column.by_term.starts ? column.by_term.starts->spacing : frame.rows);
  }
  return rows;
}

Frame part_of(const Frame& frame, Index begin, Index rows) {
  Frame part = frame;
  part.rows = rows;
  for (Column& column : part.columns) {
    if (column.real) column.real += begin;
    if (column.integer) column.integer += begin;
    if (column.by_term) column.by_term.first_row += begin;
    if (column.model) column.model += begin;
    if (column.scores) column.scores.row += begin;
  }
  return part;
}

const double* load_numbers(const Column& column, Index begin, int rows, int padded,
                           double* buffer) {
  if (column.real && rows == padded) return column.real + begin;
  if (column.real) {
    std::copy_n(column.real + begin, rows, buffer);
  } else {
    for (int r = 0; r < rows; ++r) buffer[r] = as_number(column.integer[begin + r]);
  }
  std::fill(buffer + rows, buffer + padded, 0.0);
  return buffer;
}

int level_of(const Column& column, int stored) {
  if (stored == kMissingInteger) return kMissing;
  const long long level = static_cast<long long>(stored) - column.first_code;
  if (level < 0 || level >= column.stored_levels) return kMalformed;
  return column.remap ? column.remap[level] : static_cast<int>(level);
}

bool add_slots(const simd::TileLoops& loops, const Column& column, Index begin, int rows,
               int levels, int scale, int* cell) {
  const int* stored = column.integer + begin;
  if (!column.remap || column.stored_levels == 0) {
    return loops.add_slots(stored, rows, column.first_code, std::min(levels, column.stored_levels),
                           levels, scale, cell);
  }
  bool strange = false;
  const auto first = static_cast<unsigned>(column.first_code);
  for (int r = 0; r < rows; ++r) {
    const unsigned place = static_cast<unsigned>(stored[r]) - first;
    const bool declared = place < static_cast<unsigned>(column.stored_levels);
    const int level = column.remap[declared ? place : 0];
    const bool known = declared & (static_cast<unsigned>(level) < static_cast<unsigned>(levels));
    cell[r] += scale * (known ? level : levels);
    strange |= !known & (stored[r] != kMissingInteger);
  }
  return strange;
}

void add_tile_slots(const simd::TileLoops& loops, const Frame& frame, int feature, int levels,
                    int scale, Tile& tile, int* cell) {
  const Column& column = frame.columns[feature];
  if (!add_slots(loops, column, tile.begin, tile.rows, levels, scale, cell)) return;
  for (int r = 0; r < tile.rows; ++r) {
    const int level = level_of(column, column.integer[tile.begin + r]);
    if (level == kUnknown) {
      tile.flag(r, kUnknownLevel);
      ++tile.unknown[feature];
    } else {
      tile.malformed[feature] += is_malformed(level, levels);
    }
  }
}

Tile::Tile(int classes, int features)
    : capacity(fitting_rows(classes)),
      classes(classes),
      log_joint(static_cast<std::size_t>(classes) * capacity),
      codes(static_cast<std::size_t>(kCodeColumns) * capacity),
      unknown(features, 0),
      malformed(features, 0),
      flags_(capacity),
      buffers_(static_cast<std::size_t>(kBuffers) * capacity) {}

int Tile::fitting_rows(int classes) {
  const int rows = 16384 / std::max(1, classes);
  return std::clamp(rows / simd::kVectorWidth * simd::kVectorWidth, simd::kVectorWidth, kMostRows);
}

void Tile::start(Index first, Index last) {
  begin = first;
  end = last;
  rows = static_cast<int>(std::min<Index>(capacity, last - first));
  stride = padded(rows);
  clear();
  if (flagged_) std::fill(flags_.begin(), flags_.end(), static_cast<unsigned char>(0));
  flagged_ = false;
}

double* Tile::start_own_rows(int column, int width) {
  const auto size = static_cast<std::size_t>(stride) * width;
  scratch.resize(kCodeColumns * size);
  double* numbers = scratch.data() + column * size;
  set_zero(numbers, size);
  for (int r = 0; r < stride; ++r) codes[column * capacity + r] = r * width;
  return numbers;
}

Tile::Ahead& Tile::ahead(const void* scorer, const void* data) {
  for (Ahead& a : ahead_) {
    if (a.scorer == scorer && a.data == data) return a;
  }
  return ahead_.emplace_back(Ahead{scorer, data});
}

const double* load_tile_numbers(const Column& column, Tile& tile) {
  const double* x = load_numbers(column, tile.begin, tile.rows, tile.stride, tile.buffer());
  for (int r = 0; r < tile.rows; ++r) {
    if (std::isinf(x[r])) tile.flag(r, kInfinite);
  }
  return x;
}

Gather::Gather(const Frame& from) : from_(from), to_(from) {
  for (const Column& column : from.columns) {
    if (!column.is_bag()) (column.real ? reals_ : integers_) += 1;
  }
}

Frame& Gather::take(const Index* rows, Index count) {
  real_.resize(static_cast<std::size_t>(reals_ * count));
  integer_.resize(static_cast<std::size_t>(integers_ * count));
  double* real = real_.data();
  int* integer = integer_.data();
  for (std::size_t j = 0; j < from_.columns.size(); ++j) {
    const Column& column = from_.columns[j];
    if (column.is_bag()) {
      to_.columns[j].by_term = {};
    } else if (column.real) {
      for (Index i = 0; i < count; ++i) real[i] = column.real[rows[i]];
      to_.columns[j].real = real;
      real += count;
    } else {
      for (Index i = 0; i < count; ++i) integer[i] = column.integer[rows[i]];
      to_.columns[j].integer = integer;
      integer += count;
    }
  }
  to_.rows = count;
  return to_;
}

Frame& Gather::take_with_cells(const Index* rows, Index count) {
  take(rows, count);
  cells_.clear();
  for (std::size_t j = 0; j < from_.columns.size(); ++j) {
    if (!from_.columns[j].by_term) continue;
    cells_.push_back(std::make_unique<CellsOfRows>(from_.columns[j].by_term, rows, count));
    to_.columns[j].by_term = cells_.back()->view();
  }
  return to_;
}

IntVector Mapping::members(const IntVector& old_features, const IntVector& target_features) const {
  IntVector place;  // of each new feature
  for (std::size_t i = target_features.size(); i-- > 0;) {
    const auto target = static_cast<std::size_t>(target_features[i]);
    if (target >= place.size()) place.resize(target + 1, -1);
    place[target] = static_cast<int>(i);
  }
  IntVector result;
  for (int old : old_features) {
    const int wanted = feature[old];
    const bool there = wanted >= 0 && static_cast<std::size_t>(wanted) < place.size();
    result.push_back(there ? place[wanted] : -1);
  }
  return result;
}

DrawnRows::DrawnRows(const IntVector& levels, Index rows) : levels_(levels), rows_(rows) {
  const auto size = static_cast<std::size_t>(rows);
  for (int count : levels) {
    numbers_.emplace_back(count > 0 ? 0 : size);
    codes_.emplace_back(count > 0 ? size : 0);
  }
}

Frame DrawnRows::frame() const {
  Frame result;
  result.rows = rows_;
  for (std::size_t j = 0; j < levels_.size(); ++j) {
    Column column;
    if (levels_[j] > 0) {
      column.integer = codes_[j].data();
      column.stored_levels = levels_[j];
    } else {
      column.real = numbers_[j].data();
    }
    result.columns.push_back(column);
  }
  return result;
}

}  // namespace bayesrisk
