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

// The combinations of keys that the rows that count have, in order.
struct KeyGroups {
  IntMatrix key;       // combinations x keys: codes from 1
  Vector read;         // per combination: the rows that have it, whether they count or not
  double missing = 0;  // rows that count, but miss a key
  double used = 0;     // rows that count and have all keys
};

class KeyGrouper {
 public:
  static constexpr double kMostCombinations = 9e15;  // exact as a double

  explicit KeyGrouper(const Keys& keys) : keys_(keys) {
    require(keys.combinations() <= kMostCombinations, "keys: too many combinations");
  }

  // `own`: the class of each row, from 1; missing: the row does not count. `subset`: 0 for a row
  // that was not asked for; null: all rows were. Writes to `group` for each row (combination *
  // classes + class), from 1. Missing: the row does not count.
  KeyGroups group(const int* own, const int* subset, int classes, Index rows, int* group) {
    KeyGroups result;
    const double possible = keys_.combinations();
    if (possible * classes > kLargestTable) {
      find_combinations(own, rows);
    } else {
      found_.resize(static_cast<std::size_t>(possible));
      std::iota(found_.begin(), found_.end(), 0);
    }
    require(static_cast<double>(found_.size()) * classes <= std::numeric_limits<int>::max(),
            "keys: too many groups");
    used_.assign(found_.size(), 0);
    unused_ = used_;
    const int* code = keys_.code[0];
    const auto levels = static_cast<unsigned>(keys_.levels[0]);
    // The usual case, one key with a table of its levels, takes a third of the time.
    const auto level = [=](Index r) {
      const auto found = static_cast<unsigned>(code[r]) - 1;
      return found < levels ? static_cast<int>(found) : kNoKey;
    };
    const auto place = [this](Index r) { return place_of(keys_.combination(r)); };
    result.missing = keys_.code.size() == 1 && !sorted_
                         ? write_groups(level, own, subset, classes, rows, group)
                         : write_groups(place, own, subset, classes, rows, group);
    drop_unused(classes, result, group, rows);
    write_keys(result.key);
    return result;
  }

 private:
  static constexpr double kLargestTable = 1 << 22;
  static constexpr int kNoKey = -1;      // a key is missing
  static constexpr int kUnusedKey = -2;  // no row that counts has the combination

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

  int place_of(std::int64_t combination) const {
    if (combination < 0) return kNoKey;
    if (!sorted_) return static_cast<int>(combination);
    const auto at = std::lower_bound(found_.begin(), found_.end(), combination);
    return at != found_.end() && *at == combination ? static_cast<int>(at - found_.begin())
                                                    : kUnusedKey;
  }

  // Writes the group of each row, counts the rows, and returns how many of them miss a key.
  template <class PlaceOf>
  double write_groups(const PlaceOf& place_of, const int* own, const int* subset, int classes,
                      Index rows, int* group) {
    double missing = 0;
    int *const used = used_.data(), *const unused = unused_.data();
    for (Index r = 0; r < rows; ++r) {
      const bool asked = !subset || subset[r] == 1, counts = asked && own[r] != kMissingInteger;
      const int place = asked ? place_of(r) : kUnusedKey;
      if (place >= 0 && counts) {
        ++used[place];
        group[r] = place * classes + own[r];
        continue;
      }
      group[r] = kMissingInteger;
      if (place >= 0) ++unused[place];
      missing += counts && place == kNoKey;
    }
    return missing;
  }

  // Groups without a row that counts are no groups.
  void drop_unused(int classes, KeyGroups& result, int* group, Index rows) {
    IntVector place(used_.size());
    for (std::size_t i = 0; i < used_.size(); ++i) {
      place[i] = static_cast<int>(result.read.size());
      if (used_[i] == 0) continue;
      found_[result.read.size()] = found_[i];
      result.read.push_back(used_[i] + unused_[i]);
      result.used += used_[i];
    }
    found_.resize(result.read.size());
    if (result.read.size() == used_.size()) return;
    for (Index r = 0; r < rows; ++r) {
      if (group[r] == kMissingInteger) continue;
      const int old = (group[r] - 1) / classes;
      group[r] += (place[static_cast<std::size_t>(old)] - old) * classes;
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
  IntVector used_, unused_;          // per combination: the rows that count or not
  bool sorted_ = false;              // or else all possible combinations are in found_
};

}  // namespace bayesrisk
