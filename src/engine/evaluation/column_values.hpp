#pragma once

#include <engine/core/gamma_functions.hpp>
#include <engine/data/columns.hpp>
#include <engine/data/rows.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// The different numbers of a column with few of them, and what they say about the groups.
struct ColumnValues {
  Vector value;     // in the order in which they are found
  bool few = true;  // whether there are no more
  bool whole = true;
  double gain = kNaN;  // see compare_codes()
};

// The number of a row; NaN or infinite if the row does not count or has none.
inline double counted_number(const Column& column, Index r, const Rows& counted) {
  if (counted.group[r] == kMissingInteger || (counted.weight && counted.weight[r] == 0))
    return kNaN;
  double buffer;
  return *load_numbers(column, r, 1, 1, &buffer);
}

// Calls visit(x, row, weight) for the finite numbers of the rows that count, until it returns
// false.
template <class Visit>
void visit_numbers(const Column& column, Index rows, const Rows& counted, const Visit& visit) {
  for (Index r = 0; r < rows; ++r) {
    const double x = counted_number(column, r, counted);
    if (std::isfinite(x) && !visit(x, r, counted.weight ? counted.weight[r] : 1.0)) return;
  }
}

struct ColumnSupport {
  double lowest = kInfinity;
  bool whole = true;
  bool positive = true;  // whether each group that has a number has a positive one
};

inline ColumnSupport find_support(const Column& column, Index rows, const Rows& counted) {
  ColumnSupport found;
  Vector highest;  // by group
  visit_numbers(column, rows, counted, [&](double x, Index r, double) {
    found.lowest = std::min(found.lowest, x);
    found.whole = found.whole && x == std::floor(x);
    const auto g = static_cast<std::size_t>(counted.group[r] - 1);
    if (g >= highest.size()) highest.resize(g + 1, kNaN);
    if (!(highest[g] >= x)) highest[g] = x;
    return true;
  });
  for (double x : highest) found.positive = found.positive && !(x <= 0);
  return found;
}

// What the ends and the order of a column say about its numbers.
struct ColumnMarks {
  double missing_code = kNaN;  // see find_missing_code()
  Index different = 0;         // how many whole numbers there are if all differ, or 0
  bool rows = false;           // whether they count the rows, from 0 or 1
};

// Whether a number is written with nines alone: -9, 99, -999, ...
inline bool is_written_with_nines(double x) {
  double nines = 9;
  while (nines < std::fabs(x) && nines < 1e9) nines = 10 * nines + 9;
  return std::fabs(x) == nines;
}

// A number of nines beyond all others, by more than they span, that stands for a missing value; NaN
// if there is none. It is in two rows or more, unless it is -99 or less; 9 is none. `sorted`: at
// least one number.
inline double find_missing_code(const Vector& sorted) {
  const double low = sorted.front();
  const double high = sorted.back();
  const auto above = std::upper_bound(sorted.begin(), sorted.end(), low);
  const auto end = std::lower_bound(sorted.begin(), sorted.end(), high);
  if (above == sorted.end() || *above == high) return kNaN;
  const bool often_low = low <= -99 || (low < 0 && above - sorted.begin() > 1);
  if (often_low && is_written_with_nines(low) && *above - low > high - *above) return low;
  const double below = *(end - 1);
  const bool often_high = high > 9 && sorted.end() - end > 1;
  const bool found = often_high && is_written_with_nines(high) && high - below > below - low;
  return found ? high : kNaN;
}

// Reads about `most` rows, all over the column.
inline ColumnMarks find_marks(const Column& column, Index rows, const Rows& counted, Index most) {
  const Index step = std::max<Index>(1, rows / most);
  Vector x;
  bool whole = true;
  ColumnMarks found;
  double start = kNaN;
  for (Index r = 0; r < rows; r += step) {
    const double one = counted_number(column, r, counted);
    if (!std::isfinite(one)) continue;
    if (x.empty()) {
      start = one - static_cast<double>(r);
      found.rows = start == 0 || start == 1;  // a series of years counts otherwise
    }
    found.rows = found.rows && one - static_cast<double>(r) == start;
    whole = whole && one == std::floor(one);
    x.push_back(one);
  }
  if (x.empty()) return {};
  std::sort(x.begin(), x.end());
  found.missing_code = find_missing_code(x);
  if (whole && std::adjacent_find(x.begin(), x.end()) == x.end())
    found.different = static_cast<Index>(x.size());
  return found;
}

// The log probability of counts of levels, whose probabilities have a uniform prior.
inline double log_evidence_of_levels(const Eigen::VectorXd& count) {
  double result = log_gamma(static_cast<double>(count.size())) -
                  log_gamma(static_cast<double>(count.size()) + count.sum());
  for (Index l = 0; l < count.size(); ++l) result += log_gamma(1 + count[l]);
  return result;
}

// The log density of numbers x of weights `count`, normal with unknown mean and variance. The prior
// has the given mean and variance, worth one case each.
inline double log_evidence_of_normal(const Eigen::VectorXd& x, const Eigen::VectorXd& count,
                                     double mean, double variance) {
  const double n = count.sum();
  if (n == 0) return 0;
  const double own = x.dot(count) / n;
  const double scatter = count.dot((x.array() - own).square().matrix());
  const double total = variance + scatter + n / (n + 1) * (own - mean) * (own - mean);
  return log_gamma(0.5 * (n + 1)) - log_gamma(0.5) - 0.5 * std::log(n + 1) +
         0.5 * std::log(variance) - 0.5 * (n + 1) * std::log(total) - 0.5 * n * kLogPi;
}

// The evidence about the groups in numbers as names of categories, minus that in numbers as
// normals: each is the log evidence of a distribution for each group, minus that of one for all.
// `count`: values x groups.
inline double compare_codes(const Eigen::VectorXd& x, const Matrix& count) {
  const Eigen::VectorXd all = count.rowwise().sum();
  const double mean = x.dot(all) / all.sum();
  const double variance = all.dot((x.array() - mean).square().matrix()) / all.sum();
  double levels = -log_evidence_of_levels(all);
  double normal = -log_evidence_of_normal(x, all, mean, variance);
  for (Index g = 0; g < count.cols(); ++g) {
    if (count.col(g).sum() == 0) continue;
    levels += log_evidence_of_levels(count.col(g));
    normal += log_evidence_of_normal(x, count.col(g), mean, variance);
  }
  return levels - normal;
}

// Finds at most `most` different numbers in the rows that count; further ones end the search.
inline ColumnValues find_values(const Column& column, Index rows, const Rows& counted, int groups,
                                int most) {
  ColumnValues found;
  std::vector<Vector> count;
  visit_numbers(column, rows, counted, [&](double x, Index r, double w) {
    const auto at = std::find(found.value.begin(), found.value.end(), x) - found.value.begin();
    if (at == static_cast<Index>(found.value.size())) {
      found.few = at < most;
      if (!found.few) return false;
      found.value.push_back(x);
      found.whole = found.whole && x == std::floor(x);
      count.emplace_back(static_cast<std::size_t>(groups), 0.0);
    }
    count[static_cast<std::size_t>(at)][static_cast<std::size_t>(counted.group[r] - 1)] += w;
    return true;
  });
  if (!found.few || found.value.size() < 2) return found;
  Matrix table(static_cast<Index>(count.size()), groups);
  for (Index v = 0; v < table.rows(); ++v) {
    for (int g = 0; g < groups; ++g) table(v, g) = count[v][g];
  }
  const Eigen::Map<const Eigen::VectorXd> x(found.value.data(), table.rows());
  found.gain = compare_codes(x, table);
  return found;
}

}  // namespace bayesrisk
