#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace bayesrisk {

enum class Problem {
  infinite,      // +-Inf among the values of a numeric feature
  malformed,     // a code outside the declared levels
  no_count,      // a number that is negative or not whole, where counts are expected
  not_positive,  // a number that is 0 or less, where positive ones are expected
  outside,       // a number outside every bin
  empty,         // a class without a single value of the feature
  too_small,     // fewer rows than the estimate needs; count: the rows
  too_light,     // nothing left to divide by; count: the weight
  constant,      // no spread within the class
  coarse,        // a grid wider than the bandwidth of its points; count: its step
  overflow,      // the spread is not a finite number
  singular       // covariance without full rank; count: the rank
};

inline const char* to_string(Problem problem) {
  switch (problem) {
    case Problem::infinite: return "infinite";
    case Problem::malformed: return "malformed";
    case Problem::no_count: return "no_count";
    case Problem::not_positive: return "not_positive";
    case Problem::outside: return "outside";
    case Problem::empty: return "empty";
    case Problem::too_small: return "too_small";
    case Problem::too_light: return "too_light";
    case Problem::constant: return "constant";
    case Problem::coarse: return "coarse";
    case Problem::overflow: return "overflow";
    case Problem::singular: return "singular";
  }
  return "unknown";  // for compilers that do not see that the list is complete
}

constexpr int kAll = -1;  // the problem concerns no single class or feature

struct Diagnostic {
  Problem problem;
  int group;
  int feature;
  double count;
  int bank = kAll;
};

// Problems of the data. The engine collects all problems and goes on; the caller makes one message
// of them.
class Diagnostics {
 public:
  void add(Problem problem, int group, int feature, double count) {
    const auto [place, added] =
        place_.try_emplace(std::tuple(problem, group, feature), items_.size());
    if (added) {
      items_.push_back({problem, group, feature, count});
    } else {
      items_[place->second].count += count;
    }
  }

  void merge(const Diagnostics& other) {
    for (const Diagnostic& item : other.items_) {
      add(item.problem, item.group, item.feature, item.count);
    }
  }

  // As merge(), but both are about the same rows: a problem that both found counts once.
  void unite(const Diagnostics& other) {
    for (const Diagnostic& item : other.items_) {
      add(item.problem, item.group, item.feature, 0);
      double& count = items_[place_[{item.problem, item.group, item.feature}]].count;
      count = std::max(count, item.count);
    }
  }

  // Appends what one bank reported.
  void append(const Diagnostics& other, int bank) {
    for (Diagnostic item : other.items_) {
      item.bank = bank;
      items_.push_back(item);
    }
  }

  const std::vector<Diagnostic>& items() const { return items_; }
  bool empty() const { return items_.empty(); }

 private:
  std::vector<Diagnostic> items_;
  std::map<std::tuple<Problem, int, int>, std::size_t> place_;
};

}  // namespace bayesrisk
