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
              bool weighted)
      : classes(number_of_classes), parts(number_of_parts) {
    const Index columns = static_cast<Index>(parts + 1) * (classes - 1);
    for (int t = 0; t < classes; ++t) {
      first_of_.push_back(slices.size());
      for (Index left = count[t]; left > 0; left -= slices.back().rows) {
        const int size = static_cast<int>(std::min<Index>(kSlice, left));
        slices.push_back({t, size, rows, rows * columns});
        rows += size;
      }
    }
    // Not a vector, which would write every number twice.
    numbers_.reset(new double[rows * columns]);
    if (weighted) weight_.resize(rows);
    state_.assign(rows, kUnread);
  }

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
  void finish() {
    std::vector<Index> count(classes, 0);
    Index scored = 0;
    for (const TemperSlice& slice : slices) {
      for (int r = 0; r < slice.rows; ++r) {
        const char found = state_[slice.first + r];
        unread += found == kUnread;
        lost += found == kLost;
        count[slice.truth] += found == kScored;
        scored += found == kScored;
      }
    }
    if (scored < rows) keep_scored(count);
    state_ = {};
  }

  // The parts as one: the sum of their scores.
  TemperCases sum_parts(const Context& context) const {
    TemperCases one;
    one.classes = classes;
    one.parts = 1;
    one.rows = rows;
    one.weight_ = weight_;
    one.slices = slices;
    for (TemperSlice& slice : one.slices) slice.at = 2 * (classes - 1) * slice.first;
    one.numbers_.reset(new double[2 * (classes - 1) * rows]);
    for_slices(context, [&](Index s) { sum_slice(slices[s], one.slices[s], one); });
    return one;
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
  Index offset_of(const TemperSlice& slice, int column, int k) const {
    const Index other = static_cast<Index>(column) * (classes - 1) + k - (k > slice.truth);
    return slice.at + other * slice.rows;
  }

  void keep_scored(const std::vector<Index>& count) {
    TemperCases kept(classes, parts, count, !weight_.empty());
    kept.unread = unread;
    kept.lost = lost;
    std::vector<Index> next(classes, 0);
    for (const TemperSlice& slice : slices) {
      for (int r = 0; r < slice.rows; ++r) {
        if (state_[slice.first + r] == kScored) {
          copy_case(slice, r, next[slice.truth]++, kept);
        }
      }
    }
    *this = std::move(kept);
  }

  void copy_case(const TemperSlice& slice, int row, Index number, TemperCases& to) const {
    const TemperSlice& target = to.slice_of(slice.truth, number);
    const Index place = number % kSlice, columns = static_cast<Index>(parts + 1) * (classes - 1);
    for (Index c = 0; c < columns; ++c) {
      to.numbers_[target.at + c * target.rows + place] = numbers_[slice.at + c * slice.rows + row];
    }
    if (!weight_.empty()) to.weight_[target.first + place] = weight_[slice.first + row];
  }

  void sum_slice(const TemperSlice& slice, const TemperSlice& target, TemperCases& one) const {
    const Index size = static_cast<Index>(classes - 1) * slice.rows;
    const double* from = numbers_.get() + slice.at;
    double* to = one.numbers_.get() + target.at;
    std::copy(from, from + 2 * size, to);
    Eigen::Map<Eigen::ArrayXd> sum(to + size, size);
    for (int c = 2; c <= parts; ++c) {
      const Eigen::Map<const Eigen::ArrayXd> score(from + c * size, size);
      sum = (sum + score).max(kImpossible);
    }
  }

  std::vector<std::size_t> first_of_;  // the first slice of each class
  std::unique_ptr<double[]> numbers_;
  Vector weight_;  // empty: every case counts once
  std::vector<char> state_;
};

// Reads the cases whose true class is known and whose weight is positive. `numbers`: row x (1 +
// part) x class, see contributions(); `truth`: from 1, or missing.
inline TemperCases read_temper_cases(const double* numbers, Index rows, int classes, int parts,
                                     const int* truth, const double* weight) {
  const auto counts = [&](Index r) {
    return truth[r] != kMissingInteger && !(weight && !(weight[r] > 0));
  };
  std::vector<Index> count(classes, 0), next(classes, 0);
  for (Index r = 0; r < rows; ++r) {
    if (counts(r)) ++count[truth[r] - 1];
  }
  TemperCases cases(classes, parts, count, weight != nullptr);
  for (Index r = 0; r < rows; ++r) {
    if (!counts(r)) continue;
    const int t = truth[r] - 1;
    const Index number = next[t]++, place = number % TemperCases::kSlice;
    const TemperSlice& slice = cases.slice_of(t, number);
    const auto at = [&](int column, int k) {
      return numbers[(static_cast<Index>(k) * (parts + 1) + column) * rows + r];
    };
    bool known = true, possible = true;
    for (int c = 0; c <= parts; ++c) {
      known = known && !std::isnan(at(c, t));
      possible = possible && at(c, t) != kNegativeInfinity;
      for (int k = 0; k < classes; ++k) {
        if (k != t) cases.column(slice, c, k)[place] = TemperCases::relative(at(c, k), at(c, t));
      }
    }
    cases.state(slice)[place] = !known     ? TemperCases::kUnread
                                : possible ? TemperCases::kScored
                                           : TemperCases::kLost;
    if (weight) cases.weight(slice)[place] = weight[r];
  }
  cases.finish();
  return cases;
}

}  // namespace bayesrisk
