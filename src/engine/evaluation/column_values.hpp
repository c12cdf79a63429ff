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

// Calls visit(x, row, weight) for the finite numbers of the rows that count, until it returns
// false.
template <class Visit>
void visit_numbers(const Column& column, Index rows, const Rows& counted, const Visit& visit) {
  for (Index r = 0; r < rows; ++r) {
    double buffer;
    const double x = *load_numbers(column, r, 1, 1, &buffer);
    const double w = counted.weight ? counted.weight[r] : 1.0;
    if (counted.group[r] == kMissingInteger || w == 0 || !std::isfinite(x)) continue;
    if (!visit(x, r, w)) return;
  }
}

struct ColumnSupport {
  double lowest = kInfinity;
  bool whole = true;
};

inline ColumnSupport find_support(const Column& column, Index rows, const Rows& counted) {
  ColumnSupport found;
  visit_numbers(column, rows, counted, [&](double x, Index, double) {
    found.lowest = std::min(found.lowest, x);
    found.whole = found.whole && x == std::floor(x);
    return true;
  });
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
