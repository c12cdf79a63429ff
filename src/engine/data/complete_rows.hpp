#pragma once

#include <engine/data/columns.hpp>

namespace bayesrisk {

// The rows that count and have a level in every column.
struct CompleteRows {
  IntVector group;  // as given; missing for a row that is left out
  Vector missing;   // for each column, the number of rows that count and have no level there
  double used = 0;
  double left = 0;  // rows that count and have no level somewhere
};

// `group`: missing for a row that does not count. All columns are categorical.
inline CompleteRows complete_rows(const Frame& frame, const int* group) {
  CompleteRows found;
  found.group.assign(group, group + frame.rows);
  for (const Column& column : frame.columns) {
    double missing = 0;
    for (Index r = 0; r < frame.rows; ++r) {
      if (group[r] == kMissingInteger || level_of(column, column.integer[r]) >= 0) continue;
      ++missing;
      found.group[static_cast<std::size_t>(r)] = kMissingInteger;
    }
    found.missing.push_back(missing);
  }
  for (Index r = 0; r < frame.rows; ++r) {
    if (group[r] == kMissingInteger) continue;
    ++(found.group[static_cast<std::size_t>(r)] == kMissingInteger ? found.left : found.used);
  }
  return found;
}

}  // namespace bayesrisk
