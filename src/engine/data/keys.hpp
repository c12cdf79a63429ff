#pragma once

#include <engine/data/columns.hpp>

#include <cstdint>
#include <numeric>

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

// The combinations of keys that the rows that count have, in order, and the rows in these terms.
struct KeyGroups {
  IntMatrix key;       // combinations x keys: codes from 1
  Vector read;         // per combination: the rows that have it, whether they count or not
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
    result.group.assign(static_cast<std::size_t>(rows), kMissingInteger);
    const double possible = keys_.combinations();
    if (possible * classes > kLargestTable) {
      find_combinations(own, rows);
    } else {
      found_.resize(static_cast<std::size_t>(possible));
      std::iota(found_.begin(), found_.end(), 0);
    }
    require(static_cast<double>(found_.size()) * classes <= std::numeric_limits<int>::max(),
            "keys: too many groups");
    result.read.assign(found_.size(), 0.0);
    Vector used(found_.size(), 0.0);
    for (Index r = 0; r < rows; ++r) {
      if (subset && subset[r] != 1) continue;
      const std::int64_t combination = keys_.combination(r);
      const bool counts = own[r] != kMissingInteger;
      const int place = combination < 0 ? -1 : place_of(combination);
      if (place < 0) {
        result.missing += counts && combination < 0;
        continue;
      }
      result.read[static_cast<std::size_t>(place)] += 1;
      used[static_cast<std::size_t>(place)] += counts;
      if (counts) result.group[static_cast<std::size_t>(r)] = place * classes + own[r];
    }
    drop_unused(used, classes, result);
    write_keys(result.key);
    return result;
  }

 private:
  static constexpr double kLargestTable = 1 << 22;

  // Many possible combinations: those of the rows that count, sorted.
  void find_combinations(const int* own, Index rows) {
    sorted_ = true;
    for (Index r = 0; r < rows; ++r) {
      const std::int64_t combination = keys_.combination(r);
      if (combination >= 0 && own[r] != kMissingInteger) found_.push_back(combination);
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  }

  // -1: no row that counts has the combination.
  int place_of(std::int64_t combination) const {
    if (!sorted_) return static_cast<int>(combination);
    const auto at = std::lower_bound(found_.begin(), found_.end(), combination);
    return at != found_.end() && *at == combination ? static_cast<int>(at - found_.begin()) : -1;
  }

  // Groups without a row that counts are no groups.
  void drop_unused(const Vector& used, int classes, KeyGroups& result) {
    IntVector place(used.size());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      place[i] = static_cast<int>(kept);
      if (used[i] == 0) continue;
      found_[kept] = found_[i];
      result.read[kept++] = result.read[i];
    }
    if (kept == used.size()) return;
    found_.resize(kept);
    result.read.resize(kept);
    for (int& group : result.group) {
      if (group == kMissingInteger) continue;
      const int old = (group - 1) / classes;
      group += (place[static_cast<std::size_t>(old)] - old) * classes;
    }
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
  std::vector<std::int64_t> found_;  // combinations, in order
  bool sorted_ = false;              // or else all possible combinations are in found_
};

}  // namespace bayesrisk
