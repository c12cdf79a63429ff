#pragma once

#include <engine/core/types.hpp>

#include <cstring>
#include <map>
#include <tuple>

namespace bayesrisk {

// The name of a problem, as R knows it.
struct ProblemName {
  const char* text;

  friend bool operator==(ProblemName a, ProblemName b) { return std::strcmp(a.text, b.text) == 0; }
  friend bool operator<(ProblemName a, ProblemName b) { return std::strcmp(a.text, b.text) < 0; }
};

// Problems that several likelihoods have; a likelihood names its own in its struct.
struct Problem {
  static constexpr ProblemName infinite{"infinite"};      // +-Inf among the values of a number
  static constexpr ProblemName malformed{"malformed"};    // a code outside the declared levels
  static constexpr ProblemName no_count{"no_count"};      // a number that is negative or not whole
  static constexpr ProblemName outside{"outside"};        // a number outside every bin
  static constexpr ProblemName empty{"empty"};            // a class without a value of the feature
  static constexpr ProblemName too_small{"too_small"};    // too few rows; count: the rows
  static constexpr ProblemName too_light{"too_light"};    // weight - 1 <= 0; count: the weight
  static constexpr ProblemName constant{"constant"};      // no spread within the class
  static constexpr ProblemName coarse{"coarse"};          // a grid wider than the bandwidth of its
                                                          // points; count: its step
  static constexpr ProblemName overflow{"overflow"};      // the spread is not a finite number
  static constexpr ProblemName singular{"singular"};      // no full rank; count: the rank
  static constexpr ProblemName no_freedom{"no_freedom"};  // no posterior; count: the weight
  static constexpr ProblemName apart{"apart"};            // constant within every class, but
                                                          // differs between classes
  // The next three are notes about the solution of a problem.
  static constexpr ProblemName borrowed{"borrowed"};  // from the other classes; count: own weight
  static constexpr ProblemName left_out{"left_out"};  // a feature with one value in all rows
  static constexpr ProblemName unfinished{"unfinished"};  // an estimate that stopped before its end
};

// Whether a report is only a note, which does not prevent a model.
bool is_note(ProblemName problem);

constexpr int kAll = -1;  // the problem concerns no single class or feature

struct Diagnostic {
  ProblemName problem;
  int group;
  int feature;
  double count;
  int bank = kAll;
  IntVector terms{};  // of a bag, that have the problem
};

// Problems of the data. The engine collects all problems and goes on; the caller makes one message
// of them.
class Diagnostics {
 public:
  void add(ProblemName problem, int group, int feature, double count);
  // Adds a term of a bag; the terms of a problem have the same count.
  void add_term(ProblemName problem, int group, int feature, double count, int term);

  void merge(const Diagnostics& other);
  // Like merge(), for two reports about the same rows: a problem in both reports counts once.
  void unite(const Diagnostics& other);
  // Appends a report as it is.
  void keep(const Diagnostic& item);
  // Appends the reports of one bank.
  void append(const Diagnostics& other, int bank);

  const std::vector<Diagnostic>& items() const { return items_; }
  bool empty() const { return items_.empty(); }
  // Whether a report is a problem and not only a note.
  bool stops() const;

 private:
  std::vector<Diagnostic> items_;
  std::map<std::tuple<ProblemName, int, int>, std::size_t> place_;
};

}  // namespace bayesrisk
