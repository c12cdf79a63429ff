#pragma once

#include <engine/evaluation/losses.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bayesrisk {

// The sums of a drawn table: the share of each class, of the cases of a class in its own column,
// and of each column; the mean distance of cases from their column, and that of its squares.
class TableLayout {
 public:
  TableLayout(int classes, int columns) : classes_(classes), columns_(columns) {}

  int classes() const { return classes_; }
  int columns() const { return columns_; }
  Index size() const { return apart(2); }
  Index truth(int k) const { return k; }
  Index right(int k) const { return classes_ + k; }
  Index column(int a) const { return 2 * classes_ + a; }
  Index apart(int squared) const { return column(columns_) + squared; }

 private:
  int classes_, columns_;
};

// What the sums of a table are found by.
struct TableReading {
  IntVector own;  // the column of each class, from 0; -1: none. Empty: only costs are drawn
  Matrix apart;   // column x class: the distance of both; empty: classes have no order

  bool is_ordered() const { return apart.size() > 0; }
};

// The distances of ordered classes, from 0 to 1. An action that is no class is as far from each
// class as the first class is from the last one. `class_of`: the class of each action, from 1, or
// 0; `rank`: the place of each class in their order, which may have other places between them;
// empty: they have none.
inline Matrix class_distances(const IntVector& class_of, const IntVector& rank) {
  if (rank.size() < 2) return {};
  const auto actions = static_cast<Index>(class_of.size());
  const auto classes = static_cast<Index>(rank.size());
  const auto ends = std::minmax_element(rank.begin(), rank.end());
  const double farthest = *ends.second - *ends.first;
  Matrix apart = Matrix::Ones(actions, classes);
  for (Index a = 0; a < actions; ++a) {
    for (Index k = 0; k < classes && class_of[a] > 0; ++k) {
      apart(a, k) = std::abs(rank[class_of[a] - 1] - rank[k]) / farthest;
    }
  }
  return apart;
}

// Measures as functions of the sums s of a table.
class TableMeasures {
 public:
  TableMeasures(const TableLayout& at, const TableReading& reading) : at_(at), reading_(reading) {}

  double accuracy(const double* s) const { return right(s) / cases(s); }
  double sensitivity(const double* s, int k) const { return s[at_.right(k)] / s[at_.truth(k)]; }
  double specificity(const double* s, int k) const {
    return 1 - (taken(s, k) - s[at_.right(k)]) / (cases(s) - s[at_.truth(k)]);
  }
  double precision(const double* s, int k) const { return s[at_.right(k)] / taken(s, k); }
  // The share of the other classes among the cases that are not decided for class k. The sum of
  // these cases is exactly 0 if there is none.
  double negative_value(const double* s, int k) const {
    double left = 0;
    for (int a = 0; a < at_.columns(); ++a) left += a == reading_.own[k] ? 0.0 : s[at_.column(a)];
    return left > 0 ? 1 - (s[at_.truth(k)] - s[at_.right(k)]) / left : kNaN;
  }
  double f1(const double* s, int k) const {
    return 2 * s[at_.right(k)] / (s[at_.truth(k)] + taken(s, k));
  }

  // The mean sensitivity of the classes that occur. `of_truth`: the weights of the cases.
  double balanced(const double* s, const std::vector<Weights>& of_truth) const {
    double sum = 0, occurring = 0;
    for (int k = 0; k < at_.classes(); ++k) {
      if (of_truth[k].sum == 0 || s[at_.truth(k)] == 0) continue;
      sum += sensitivity(s, k);
      ++occurring;
    }
    return sum / occurring;
  }

  double kappa(const double* s) const {
    const double n = cases(s), chance = by_chance(s);
    return (right(s) * n - chance) / (n * n - chance);
  }
  // Cohen's weighted kappa: 1 - the mean distance of decisions from the truth, divided by the mean
  // distance by chance. If all classes are 1 apart it is kappa.
  double weighted_kappa(const double* s, int squared) const {
    double chance = 0;
    for (int k = 0; k < at_.classes(); ++k) {
      for (int a = 0; a < at_.columns(); ++a) {
        const double apart = reading_.apart(a, k);
        chance += s[at_.truth(k)] * s[at_.column(a)] * (squared ? apart * apart : apart);
      }
    }
    return 1 - s[at_.apart(squared)] * cases(s) / chance;
  }
  // Gorodkin's correlation of many classes. An action that is no class has its own column.
  double matthews(const double* s) const {
    const double n = cases(s);
    double truths = n * n, actions = n * n;
    for (int k = 0; k < at_.classes(); ++k) truths -= s[at_.truth(k)] * s[at_.truth(k)];
    for (int a = 0; a < at_.columns(); ++a) actions -= s[at_.column(a)] * s[at_.column(a)];
    return (right(s) * n - by_chance(s)) / (std::sqrt(truths) * std::sqrt(actions));
  }

 private:
  double cases(const double* s) const { return sum_over(s + at_.truth(0)); }
  double right(const double* s) const { return sum_over(s + at_.right(0)); }
  double sum_over(const double* s) const { return std::accumulate(s, s + at_.classes(), 0.0); }
  double taken(const double* s, int k) const {
    return reading_.own[k] < 0 ? 0.0 : s[at_.column(reading_.own[k])];
  }
  // The expected number of correct decisions by chance, times the number of cases.
  double by_chance(const double* s) const {
    double sum = 0;
    for (int k = 0; k < at_.classes(); ++k) sum += s[at_.truth(k)] * taken(s, k);
    return sum;
  }

  TableLayout at_;
  const TableReading& reading_;
};

}  // namespace bayesrisk
