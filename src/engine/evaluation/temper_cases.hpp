#pragma once

#include <engine/core/context.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>

#include <memory>

namespace bayesrisk {

// Cases of one true class whose numbers stand side by side: columns of `rows` numbers, from `at` on
// in the numbers of all cases.
struct TemperSlice {
  int truth, rows;
  Index first;  // the position of its first case among all cases
  Index at;
};

// Scores of cases that a model was not fitted to: for each case, part and class other than the true
// one, the log likelihood of the part, relative to that of the true class. The base is the log
// prior, relative in the same way. Cases of a class form slices that fit into the cache.
class TemperCases {
 public:
  static constexpr int kSlice = 256;
  static constexpr double kImpossible = -1e9;

  int classes = 0, parts = 0;
  Index rows = 0;    // cases with scores
  Index unread = 0;  // cases left out: without a score
  Index lost = 0;    // cases left out: their true class is impossible
  std::vector<TemperSlice> slices;

  TemperCases() = default;

  // The cases are the rows with a class, `truth` from 1, and a positive weight. Their numbers are
  // not set. Those of a fold, from 1, missing or null, stand side by side.
  TemperCases(int number_of_classes, int number_of_parts, Index number_of_rows, const int* truth,
              const double* weight, const int* fold = nullptr);

  // Cases with or without scores.
  Index places() const { return slices.empty() ? 0 : slices.back().first + slices.back().rows; }

  // The numbers of a column in another class than the true one. Column 0 is the base, column 1 + c
  // the score of part c.
  const double* column(const TemperSlice& slice, int column, int k) const {
    return numbers_.get() + offset_of(slice, column, k);
  }

  // Null: every case counts once.
  const double* weight(const TemperSlice& slice) const {
    return weight_.empty() ? nullptr : weight_.data() + slice.first;
  }

  bool is_case(Index row) const { return place_[row] >= 0; }

  // Neighbours among some rows, all of them cases, that are neighbouring cases of one class.
  struct Run {
    int from, rows;
    Index place;
  };
  std::vector<Run> runs(const std::vector<Index>& rows) const;
  Run alone(Index row) const { return {0, 1, place_[row]}; }

  // Writes a column of cases, beginning with column 0. `of_class`: row x class, at the first case;
  // `finite`: whether all of these numbers are.
  void write(const Run& run, int column, const double* of_class, Index stride, bool finite);

  void skip(Index row) { state_[position(place_[row])] = kUnread; }

  // A class that is impossible for a case gets a score so low that it counts as impossible under
  // every exponent that matters.
  static double relative(double of_class, double of_truth) {
    const double x = of_class - of_truth;
    return std::isnan(x) ? 0.0 : std::max(x, kImpossible);
  }

  // Leaves out the cases that were not scored: they get the weight 0.
  void finish();

  // The parts as one: the sum of their scores.
  TemperCases sum_parts(const Context& context) const;

  // The number of folds of the cases.
  int folds() const { return fold_.empty() ? 0 : *std::max_element(fold_.begin(), fold_.end()); }

  // The same numbers; only the cases of a fold count, or all but these.
  TemperCases inside(int fold) const {
    return weighted([=](int own) { return own == fold; });
  }
  TemperCases outside(int fold) const {
    return weighted([=](int own) { return own != fold; });
  }

  // Calls work(number) for the number of each slice.
  template <class Work>
  void for_slices(const Context& context, const Work& work) const {
    const auto count = static_cast<Index>(slices.size());
    context.run((count + kTaskSlices - 1) / kTaskSlices, [&](Index task) {
      for (Index s = task * kTaskSlices; s < std::min(count, (task + 1) * kTaskSlices); ++s) {
        context.check();
        work(s);
      }
    });
  }

  static constexpr Index kTaskSlices = 64;

 private:
  enum State : char { kUnread, kScored, kLost };

  Index offset_of(const TemperSlice& slice, int column, int k) const {
    const Index other = static_cast<Index>(column) * (classes - 1) + k - (k > slice.truth);
    return slice.at + other * slice.rows;
  }

  // Among all cases.
  Index position(Index place) const { return slices[place / kSlice].first + place % kSlice; }

  void leave_out(const TemperSlice& slice, int row);

  template <class Counts>
  TemperCases weighted(const Counts& counts) const {
    TemperCases result = *this;
    if (weight_.empty()) result.weight_.assign(fold_.size(), 1.0);
    for (std::size_t i = 0; i < fold_.size(); ++i) {
      if (!counts(fold_[i])) result.weight_[i] = 0;
    }
    return result;
  }

  void sum_slice(const TemperSlice& slice, const TemperSlice& target, TemperCases& one) const;

  std::vector<Index> place_;  // of each row: kSlice times its slice, plus its place there; or -1
  std::shared_ptr<double[]> numbers_;
  Vector weight_;   // empty: every case counts once
  IntVector fold_;  // of each case, from 1; 0: none; empty: cases have no folds
  std::vector<char> state_;
};

// Reads cases. `numbers`: row x (1 + part) x class, see contributions().
TemperCases read_temper_cases(const double* numbers, Index rows, int classes, int parts,
                              const int* truth, const double* weight);

}  // namespace bayesrisk
