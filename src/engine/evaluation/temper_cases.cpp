#include <engine/evaluation/temper_cases.hpp>

#include <utility>

namespace bayesrisk {

TemperCases::TemperCases(int number_of_classes, int number_of_parts, Index number_of_rows,
                         const int* truth, const double* weight, const int* fold)
    : classes(number_of_classes), parts(number_of_parts), place_(number_of_rows, -1) {
  const auto counts = [&](Index r) {
    return truth[r] != kMissingInteger && !(weight && !(weight[r] > 0));
  };
  const int folds = fold ? 1 + std::max(0, *std::max_element(fold, fold + number_of_rows)) : 1;
  const auto label = [&](Index r) {
    return static_cast<std::size_t>(truth[r] - 1) * folds + (fold ? std::max(0, fold[r]) : 0);
  };
  std::vector<Index> next(static_cast<std::size_t>(classes) * folds, 0);
  for (Index r = 0; r < number_of_rows; ++r) {
    if (counts(r)) ++next[label(r)];
  }
  const Index columns = static_cast<Index>(parts + 1) * (classes - 1);
  for (int t = 0; t < classes; ++t) {
    Index left = 0;
    for (int f = 0; f < folds; ++f) {
      const Index count = std::exchange(next[t * folds + f], slices.size() * kSlice + left);
      left += count;
    }
    for (; left > 0; left -= slices.back().rows) {
      const int size = static_cast<int>(std::min<Index>(kSlice, left));
      slices.push_back({t, size, rows, rows * columns});
      rows += size;
    }
  }
  // Not a vector, which would write every number twice.
  numbers_.reset(new double[rows * columns]);
  if (weight) weight_.resize(rows);
  if (fold) fold_.resize(rows);
  state_.assign(rows, kUnread);
  for (Index r = 0; r < number_of_rows; ++r) {
    if (!counts(r)) continue;
    place_[r] = next[label(r)]++;
    const Index at = position(place_[r]);
    if (weight) weight_[at] = weight[r];
    if (fold) fold_[at] = std::max(0, fold[r]);
  }
}

std::vector<TemperCases::Run> TemperCases::runs(const std::vector<Index>& rows) const {
  std::vector<Run> result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Index place = place_[rows[i]];
    if (i > 0 && place % kSlice > 0 && place == result.back().place + result.back().rows) {
      ++result.back().rows;
    } else {
      result.push_back({static_cast<int>(i), 1, place});
    }
  }
  return result;
}

void TemperCases::write(const Run& run, int column, const double* of_class, Index stride,
                        bool finite) {
  using Numbers = Eigen::Map<const Eigen::ArrayXd>;
  const TemperSlice& slice = slices[run.place / kSlice];
  const double* of_truth = of_class + slice.truth * stride;
  char* state = state_.data() + position(run.place);
  if (column == 0) std::fill_n(state, run.rows, kScored);
  for (int i = 0; !finite && i < run.rows; ++i) {
    if (std::isnan(of_truth[i])) {
      state[i] = kUnread;
    } else if (of_truth[i] == kNegativeInfinity && state[i] == kScored) {
      state[i] = kLost;
    }
  }
  for (int k = 0; k < classes; ++k) {
    if (k == slice.truth) continue;
    const double* numbers = of_class + k * stride;
    double* to = numbers_.get() + offset_of(slice, column, k) + run.place % kSlice;
    if (finite) {
      Eigen::Map<Eigen::ArrayXd>(to, run.rows) =
          (Numbers(numbers, run.rows) - Numbers(of_truth, run.rows)).max(kImpossible);
    } else {
      for (int i = 0; i < run.rows; ++i) to[i] = relative(numbers[i], of_truth[i]);
    }
  }
}

void TemperCases::finish() {
  for (const TemperSlice& slice : slices) {
    for (int r = 0; r < slice.rows; ++r) {
      const char found = state_[slice.first + r];
      if (found == kScored) continue;
      ++(found == kLost ? lost : unread);
      leave_out(slice, r);
    }
  }
  rows -= unread + lost;
}

void TemperCases::leave_out(const TemperSlice& slice, int row) {
  if (weight_.empty()) weight_.assign(state_.size(), 1.0);
  weight_[slice.first + row] = 0;
  for (Index c = 0; c < static_cast<Index>(parts + 1) * (classes - 1); ++c) {
    numbers_[slice.at + c * slice.rows + row] = 0;
  }
}

TemperCases TemperCases::sum_parts(const Context& context) const {
  TemperCases one;
  one.classes = classes;
  one.parts = 1;
  one.rows = rows;
  one.weight_ = weight_;
  one.fold_ = fold_;
  one.slices = slices;
  for (TemperSlice& slice : one.slices) slice.at = 2 * (classes - 1) * slice.first;
  one.numbers_.reset(new double[2 * (classes - 1) * static_cast<Index>(state_.size())]);
  for_slices(context, [&](Index s) { sum_slice(slices[s], one.slices[s], one); });
  return one;
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
  TemperCases cases(classes, parts, rows, truth, weight);
  for (Index r = 0; r < rows; ++r) {
    if (!cases.is_case(r)) continue;
    for (int c = 0; c <= parts; ++c) {
      cases.write(cases.alone(r), c, numbers + c * rows + r, (parts + Index{1}) * rows, false);
    }
  }
  cases.finish();
  return cases;
}

}  // namespace bayesrisk
