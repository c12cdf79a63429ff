#include <engine/evaluation/temper_cases.hpp>

namespace bayesrisk {

TemperCases::TemperCases(int number_of_classes, int number_of_parts,
                         const std::vector<Index>& count, bool weighted)
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

void TemperCases::finish() {
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

TemperCases TemperCases::sum_parts(const Context& context) const {
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

void TemperCases::keep_scored(const std::vector<Index>& count) {
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

void TemperCases::copy_case(const TemperSlice& slice, int row, Index number,
                            TemperCases& to) const {
  const TemperSlice& target = to.slice_of(slice.truth, number);
  const Index place = number % kSlice, columns = static_cast<Index>(parts + 1) * (classes - 1);
  for (Index c = 0; c < columns; ++c) {
    to.numbers_[target.at + c * target.rows + place] = numbers_[slice.at + c * slice.rows + row];
  }
  if (!weight_.empty()) to.weight_[target.first + place] = weight_[slice.first + row];
}

void TemperCases::sum_slice(const TemperSlice& slice, const TemperSlice& target,
                            TemperCases& one) const {
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

TemperCases read_temper_cases(const double* numbers, Index rows, int classes, int parts,
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
