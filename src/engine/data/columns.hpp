#pragma once

#include <engine/data/cells.hpp>

namespace bayesrisk {

constexpr int kMissingInteger = std::numeric_limits<int>::min();

// Codes of a level, from 0; negative codes stand for no level.
constexpr int kMissing = -1;    // not observed
constexpr int kUnknown = -2;    // a level the model does not have
constexpr int kMalformed = -3;  // outside the column's own levels

// Scores of a bag that were computed before: the numbers of a class stand side by side, `stride`
// apart from those of the next class.
struct BagScores {
  const double* score = nullptr;
  Index stride = 0;
  Index first = 0;             // the row of the first number
  const Index* row = nullptr;  // of each row of the frame, its row among the scores

  explicit operator bool() const { return score != nullptr; }
};

// A view of one column, without a copy: doubles, or integers that are numbers or codes of levels,
// or the cells of a bag, whose levels are terms.
struct Column {
  const double* real = nullptr;
  const int* integer = nullptr;
  int first_code = 0;          // the stored integer of the first level
  int stored_levels = 0;       // the number of levels that the column itself declares
  const int* remap = nullptr;  // stored level -> level of the model or kUnknown; null: the same
  CellsByTerm by_term{};       // of a bag
  const unsigned short* model = nullptr;  // of a bag: which of several models scores each row
  BagScores scores{};                     // of a bag whose rows were gathered, instead of its cells

  bool is_bag() const { return by_term || scores; }
  // The term of the model that a stored term is; `terms` or more, or negative: none.
  int term(int stored) const { return remap ? remap[stored] : stored; }
};

struct Frame {
  Index rows = 0;
  std::vector<Column> columns;
};

// The rows of the runs of bags; 0 if none is stored by term.
Index rows_of_run(const Frame& frame);

// The rows of a frame from `begin` on.
Frame part_of(const Frame& frame, Index begin, Index rows);

inline double as_number(int value) {
  return value == kMissingInteger ? std::numeric_limits<double>::quiet_NaN() : value;
}

// `rows` numbers from `begin` on, as doubles. If `padded` > `rows`, zeros follow, so that a loop
// may run over whole vectors. `buffer` is used only if the column cannot be read in place.
const double* load_numbers(const Column& column, Index begin, int rows, int padded, double* buffer);

// Whether a code is neither a level of the feature nor a code for a missing or unknown level.
inline bool is_malformed(int level, int levels) { return level < kUnknown || level >= levels; }

int level_of(const Column& column, int stored);

}  // namespace bayesrisk
