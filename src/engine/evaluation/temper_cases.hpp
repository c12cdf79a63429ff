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
  enum State : char { kUnread, kScored, kLost };

  int classes = 0, parts = 0;
  Index rows = 0;
  Index unread = 0;  // cases left out: without a score
  Index lost = 0;    // cases left out: their true class is impossible
  std::vector<TemperSlice> slices;

  TemperCases() = default;

  // `count`: the cases of each class. Their numbers are not set.
  TemperCases(int number_of_classes, int number_of_parts, const std::vector<Index>& count,
              bool weighted);

  // The numbers of a column in another class than the true one. Column 0 is the base, column 1 + c
  // the score of part c.
  const double* column(const TemperSlice& slice, int column, int k) const {
    return numbers_.get() + offset_of(slice, column, k);
  }
  double* column(const TemperSlice& slice, int column, int k) {
    return numbers_.get() + offset_of(slice, column, k);
  }

  // Null: every case counts once.
  const double* weight(const TemperSlice& slice) const {
    return weight_.empty() ? nullptr : weight_.data() + slice.first;
  }
  double* weight(const TemperSlice& slice) {
    return weight_.empty() ? nullptr : weight_.data() + slice.first;
  }

  char* state(const TemperSlice& slice) { return state_.data() + slice.first; }

  // The slice of a case, given its number within its class.
  const TemperSlice& slice_of(int truth, Index number) const {
    return slices[first_of_[truth] + number / kSlice];
  }

  // A class that is impossible for a case gets a score so low that it counts as impossible under
  // every exponent that matters.
  static double relative(double of_class, double of_truth) {
    const double x = of_class - of_truth;
    return std::isnan(x) ? 0.0 : std::max(x, kImpossible);
  }

  // Leaves out the cases that were not scored.
  void finish();

  // The parts as one: the sum of their scores.
  TemperCases sum_parts(const Context& context) const;

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
  Index offset_of(const TemperSlice& slice, int column, int k) const {
    const Index other = static_cast<Index>(column) * (classes - 1) + k - (k > slice.truth);
    return slice.at + other * slice.rows;
  }

  void keep_scored(const std::vector<Index>& count);

  void copy_case(const TemperSlice& slice, int row, Index number, TemperCases& to) const;

  void sum_slice(const TemperSlice& slice, const TemperSlice& target, TemperCases& one) const;

  std::vector<std::size_t> first_of_;  // the first slice of each class
  std::unique_ptr<double[]> numbers_;
  Vector weight_;  // empty: every case counts once
  std::vector<char> state_;
};

// Reads the cases whose true class is known and whose weight is positive. `numbers`: row x (1 +
// part) x class, see contributions(); `truth`: from 1, or missing.
TemperCases read_temper_cases(const double* numbers, Index rows, int classes, int parts,
                              const int* truth, const double* weight);

}  // namespace bayesrisk
