#pragma once

#include <engine/core/log_math.hpp>
#include <engine/core/types.hpp>

namespace bayesrisk {

// Scores of cases that a model was not fitted to: for each case, class and part the log likelihood
// of the part, relative to that of the true class. The base is the log prior.
struct TemperCases {
  Index rows = 0;
  int classes = 0, parts = 0;
  IntVector truth;   // from 0
  Vector weight;     // empty: every case counts once
  Vector base;       // row x class
  Vector score;      // row x part x class
  Index unread = 0;  // cases left out: without a score
  Index lost = 0;    // cases left out: their true class is impossible

  double weight_of(Index row) const { return weight.empty() ? 1.0 : weight[row]; }
  const double* base_of(int k) const { return base.data() + k * rows; }
  const double* score_of(int part, int k) const {
    return score.data() + (static_cast<Index>(k) * parts + part) * rows;
  }
  double* base_of(int k) { return base.data() + k * rows; }
  double* score_of(int part, int k) {
    return score.data() + (static_cast<Index>(k) * parts + part) * rows;
  }
};

// Selects the cases of which the true class is possible. A class that is impossible for a case gets
// a score so low that it counts as impossible under every exponent that matters.
class TemperCaseReader {
 public:
  static constexpr double kImpossible = -1e9;

  // `numbers`: row x (1 + part) x class, see contributions(); `truth`: from 1, or missing.
  TemperCaseReader(const double* numbers, Index rows, int classes, int parts, const int* truth,
                   const double* weight)
      : numbers_(numbers), stride_(rows), classes_(classes), parts_(parts) {
    cases_.classes = classes;
    cases_.parts = parts;
    for (Index r = 0; r < rows; ++r) {
      if (truth[r] == kMissingInteger || (weight && !(weight[r] > 0))) continue;
      if (has_score(r, truth[r] - 1)) chosen_.push_back(r);
    }
    cases_.rows = static_cast<Index>(chosen_.size());
    for (Index r : chosen_) {
      cases_.truth.push_back(truth[r] - 1);
      if (weight) cases_.weight.push_back(weight[r]);
    }
  }

  TemperCases read() {
    cases_.base.resize(cases_.rows * classes_);
    cases_.score.resize(cases_.rows * classes_ * parts_);
    for (int k = 0; k < classes_; ++k) {
      fill(0, k, cases_.base_of(k));
      for (int c = 0; c < parts_; ++c) fill(c + 1, k, cases_.score_of(c, k));
    }
    return std::move(cases_);
  }

 private:
  double at(Index row, int column, int k) const {
    return numbers_[(static_cast<Index>(k) * (parts_ + 1) + column) * stride_ + row];
  }

  bool has_score(Index row, int truth) {
    bool known = true, possible = true;
    for (int c = 0; c <= parts_; ++c) {
      known = known && !std::isnan(at(row, c, truth));
      possible = possible && at(row, c, truth) != kNegativeInfinity;
    }
    cases_.unread += !known;
    cases_.lost += known && !possible;
    return known && possible;
  }

  void fill(int column, int k, double* out) const {
    for (Index i = 0; i < cases_.rows; ++i) {
      const double x = at(chosen_[i], column, k) - at(chosen_[i], column, cases_.truth[i]);
      out[i] = std::isnan(x) ? 0.0 : std::max(x, kImpossible);
    }
  }

  const double* numbers_;
  Index stride_;
  int classes_, parts_;
  std::vector<Index> chosen_;
  TemperCases cases_;
};

// The parts as one: the sum of their scores.
inline TemperCases sum_parts(const TemperCases& cases) {
  TemperCases one{cases.rows, cases.classes, 1, cases.truth, cases.weight, cases.base, {}};
  one.score.assign(cases.rows * cases.classes, 0.0);
  for (int k = 0; k < cases.classes; ++k) {
    double* to = one.score_of(0, k);
    for (int c = 0; c < cases.parts; ++c) {
      const double* from = cases.score_of(c, k);
      for (Index i = 0; i < cases.rows; ++i) to[i] = std::max(to[i] + from[i], -1e9);
    }
  }
  return one;
}

// Every `step`-th case.
inline TemperCases some_of(const TemperCases& cases, Index step) {
  TemperCases few{(cases.rows + step - 1) / step, cases.classes, cases.parts, {}, {}, {}, {}};
  for (Index i = 0; i < cases.rows; i += step) {
    few.truth.push_back(cases.truth[i]);
    if (!cases.weight.empty()) few.weight.push_back(cases.weight[i]);
  }
  const auto take = [&](const Vector& from, Vector& to) {
    for (Index first = 0; first < static_cast<Index>(from.size()); first += cases.rows) {
      for (Index i = 0; i < cases.rows; i += step) to.push_back(from[first + i]);
    }
  };
  take(cases.base, few.base);
  take(cases.score, few.score);
  return few;
}

}  // namespace bayesrisk
