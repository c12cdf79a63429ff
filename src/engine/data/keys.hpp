#pragma once

#include <engine/data/columns.hpp>

#include <cstdint>

namespace bayesrisk {

// The keys of a grouped fit, such as region and year: per key a code of each row, from 1.
struct Keys {
  std::vector<const int*> code;
  IntVector levels;  // per key

  // The position of a row among all combinations of levels, the last key fastest; -1 if a key is
  // missing.
  std::int64_t combination(Index row) const {
    std::int64_t place = 0;
    for (std::size_t j = 0; j < code.size(); ++j) {
      const auto level = static_cast<unsigned>(code[j][row]) - 1;
      if (level >= static_cast<unsigned>(levels[j])) return -1;
      place = place * levels[j] + level;
    }
    return place;
  }
  double combinations() const {
    double product = 1;
    for (int count : levels) product *= count;
    return product;
  }
};

// The combinations of keys that the rows have, in order, and the rows in these terms.
struct KeyGroups {
  IntMatrix key;       // combinations x keys: codes from 1
  Vector read;         // per combination: the rows that have it
  double missing = 0;  // rows that count, but miss a key
  // Per row: (combination * classes + class), from 1. Missing: the row does not count.
  IntVector group;
};

class KeyGrouper {
 public:
  static constexpr double kMostCombinations = 9e15;  // exact as a double

  explicit KeyGrouper(const Keys& keys) : keys_(keys) {
    require(keys.combinations() <= kMostCombinations, "keys: too many combinations");
  }

  // `own`: the class of each row, from 1; missing: the row does not count. `subset`: 0 for a row
  // that was not asked for; null: all rows were.
  KeyGroups group(const int* own, const int* subset, int classes, Index rows) {
    KeyGroups result;
    find_combinations(subset, rows);
    result.read.assign(found_.size(), 0.0);
    result.group.assign(static_cast<std::size_t>(rows), kMissingInteger);
    require(static_cast<double>(found_.size()) * classes <= std::numeric_limits<int>::max(),
            "keys: too many groups");
    for (Index r = 0; r < rows; ++r) {
      if (subset && subset[r] != 1) continue;
      const std::int64_t combination = keys_.combination(r);
      if (combination < 0) {
        result.missing += own[r] != kMissingInteger;
        continue;
      }
      const int place = place_of(combination);
      result.read[static_cast<std::size_t>(place)] += 1;
      if (own[r] != kMissingInteger) {
        result.group[static_cast<std::size_t>(r)] = place * classes + own[r];
      }
    }
    write_keys(result.key);
    return result;
  }

 private:
  static constexpr std::int64_t kLargestTable = 1 << 22;

  // Few possible combinations have a table of their places; many are sorted.
  void find_combinations(const int* subset, Index rows) {
    const auto possible = static_cast<std::int64_t>(keys_.combinations());
    if (possible <= kLargestTable) place_.assign(static_cast<std::size_t>(possible), -1);
    for (Index r = 0; r < rows; ++r) {
      if (subset && subset[r] != 1) continue;
      const std::int64_t combination = keys_.combination(r);
      if (combination < 0) continue;
      if (place_.empty()) {
        found_.push_back(combination);
      } else {
        place_[static_cast<std::size_t>(combination)] = 0;
      }
    }
    for (std::size_t c = 0; c < place_.size(); ++c) {
      if (place_[c] < 0) continue;
      place_[c] = static_cast<int>(found_.size());
      found_.push_back(static_cast<std::int64_t>(c));
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  }

  int place_of(std::int64_t combination) const {
    if (!place_.empty()) return place_[static_cast<std::size_t>(combination)];
    return static_cast<int>(std::lower_bound(found_.begin(), found_.end(), combination) -
                            found_.begin());
  }

  void write_keys(IntMatrix& key) const {
    const auto keys = static_cast<int>(keys_.code.size());
    key.resize(static_cast<Index>(found_.size()), keys);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      std::int64_t rest = found_[i];
      for (int j = keys - 1; j >= 0; --j) {
        key(static_cast<Index>(i), j) = static_cast<int>(rest % keys_.levels[j]) + 1;
        rest /= keys_.levels[j];
      }
    }
  }

  const Keys& keys_;
  std::vector<std::int64_t> found_;  // the combinations of the rows, sorted
  IntVector place_;                  // of each possible combination among the found ones
};

}  // namespace bayesrisk
