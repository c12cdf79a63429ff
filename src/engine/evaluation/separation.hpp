#pragma once

#include <engine/core/context.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>

#include <algorithm>

namespace bayesrisk {

// One class against all others: cases are assigned to the class by a cut of its probability.
struct CutPoint {
  double threshold = 0;  // the least probability of the class above the cut; infinite: no case
  double hits = 0;       // weights of the cases of the class above the cut
  double alarms = 0;     // of the other cases above the cut
};

// Measures of how well the probability of a class separates its cases from the others. Ties count
// half.
struct Separation {
  Vector placed;         // per case of the class: the share of the others below it; per other
                         // case: the share of the class above it
  double cut = kNaN;     // the score at the cut of the largest distance (Kolmogorov, Smirnov)
  double direction = 1;  // -1: the others have the larger scores there
  // The mean precision at the cuts, weighted by the share of the class that a cut adds.
  double average_precision = 0;
  std::vector<CutPoint> curve;
};

// The cases with known truth, with a score for each class that increases with its probability. If
// probabilities are given as logarithms, those near 1 are compared by the sum of the other classes.
class PosteriorScores {
 public:
  // truth: from 1, or missing; weight: null if all are 1.
  PosteriorScores(const Frame& posterior, bool logarithms, const int* truth,
                  const double* weight = nullptr)
      : logarithms_(logarithms),
        classes_(static_cast<int>(posterior.columns.size())),
        cases_of_(classes_, 0.0) {
    Vector value(classes_);
    for (Index r = 0; r < posterior.rows; ++r) {
      if (truth[r] == kMissingInteger || !read(posterior, r, value)) continue;
      row_.push_back(r);
      truth_.push_back(truth[r] - 1);
      weight_.push_back(weight ? weight[r] : 1.0);
      cases_of_[truth[r] - 1] += weight_.back();
      total_ += weight_.back();
      for (int k = 0; k < classes_; ++k) {
        score_.push_back(logarithms ? log_odds(value, k) : value[k]);
      }
    }
  }

  int classes() const { return classes_; }
  Index cases() const { return static_cast<Index>(row_.size()); }
  Index row(Index i) const { return row_[i]; }
  int truth(Index i) const { return truth_[i]; }
  double weight(Index i) const { return weight_[i]; }
  double total() const { return total_; }
  double cases_of(int k) const { return cases_of_[k]; }
  double score(Index i, int k) const { return score_[i * classes_ + k]; }
  double probability(Index i, int k) const {
    return logarithms_ ? 1 / (1 + std::exp(-score(i, k))) : score(i, k);
  }

 private:
  bool read(const Frame& posterior, Index r, Vector& value) const {
    for (int k = 0; k < classes_; ++k) {
      const Column& column = posterior.columns[k];
      value[k] = column.real ? column.real[r] : as_number(column.integer[r]);
      if (std::isnan(value[k])) return false;
    }
    return true;
  }

  double log_odds(const Vector& log_p, int k) const {
    double most = kNegativeInfinity, sum = 0;
    for (int j = 0; j < classes_; ++j) {
      if (j != k) most = std::max(most, log_p[j]);
    }
    if (most == kNegativeInfinity) return -kNegativeInfinity;
    for (int j = 0; j < classes_; ++j) {
      if (j != k) sum += std::exp(log_p[j] - most);
    }
    return log_p[k] - (most + std::log(sum));
  }

  bool logarithms_;
  int classes_;
  double total_ = 0;
  Vector cases_of_, score_, weight_;
  std::vector<Index> row_;
  IntVector truth_;
};

// Calls each(first, last) for every run of equal scores of class k, from the largest score on.
// `order`: the cases, sorted by this score.
template <class Each>
void for_tied(const PosteriorScores& scores, int k, const std::vector<Index>& order, Each each) {
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && scores.score(order[last], k) == scores.score(order[first], k)) {
      ++last;
    }
    each(first, last);
  }
}

// The cases from the largest score of class k on.
inline std::vector<Index> order_by_score(const PosteriorScores& scores, int k,
                                         const Context& context) {
  std::vector<std::pair<double, Index>> sorted(scores.cases());
  for (Index i = 0; i < scores.cases(); ++i) sorted[i] = {-scores.score(i, k), i};
  Index compared = 0;
  std::sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
    if ((++compared & 0xffff) == 0) context.check();  // sorting may take seconds
    return a < b;
  });
  std::vector<Index> order(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) order[i] = sorted[i].second;
  return order;
}

// Separates class k from the others. The curve has at most about `points` points. Calls pairs(i,
// share) for each case i of the class. Each other class that occurs has a share of cases with a
// smaller score than case i; `share` is the sum of these shares.
template <class Pairs>
Separation separate(const PosteriorScores& scores, int k, int points, const Context& context,
                    Pairs pairs) {
  const std::vector<Index> order = order_by_score(scores, k, context);
  const double own = scores.cases_of(k), other = scores.total() - own;
  Separation found;
  found.placed.resize(order.size());
  Vector above(scores.classes(), 0.0), tied(scores.classes());
  CutPoint sum{-kNegativeInfinity, 0, 0};
  double widest = -1, next = 0;
  found.curve.push_back(sum);
  for_tied(scores, k, order, [&](std::size_t first, std::size_t last) {
    std::fill(tied.begin(), tied.end(), 0.0);
    double alarms = 0;
    for (std::size_t i = first; i < last; ++i) {
      const int truth = scores.truth(order[i]);
      tied[truth] += scores.weight(order[i]);
      alarms += truth == k ? 0.0 : scores.weight(order[i]);
    }
    const double hits = tied[k];
    const double lost = (other - sum.alarms - 0.5 * alarms) / other;
    const double caught = (sum.hits + 0.5 * hits) / own;
    double below = 0;
    for (int j = 0; j < scores.classes() && hits > 0; ++j) {
      if (j == k || scores.cases_of(j) == 0) continue;
      below += (scores.cases_of(j) - above[j] - 0.5 * tied[j]) / scores.cases_of(j);
    }
    for (std::size_t i = first; i < last; ++i) {
      const bool positive = scores.truth(order[i]) == k;
      found.placed[order[i]] = positive ? lost : caught;
      if (positive) pairs(order[i], below);
    }
    for (int j = 0; j < scores.classes(); ++j) above[j] += tied[j];
    sum.threshold = scores.probability(order[first], k);
    sum.hits += hits;
    sum.alarms += alarms;
    if (hits > 0) found.average_precision += hits / own * sum.hits / (sum.hits + sum.alarms);
    const double distance = sum.hits / own - sum.alarms / other;
    if (std::abs(distance) > widest) {
      widest = std::abs(distance);
      found.cut = scores.score(order[first], k);
      found.direction = distance < 0 ? -1 : 1;
    }
    if (last < order.size() && static_cast<double>(last) < next) return;
    found.curve.push_back(sum);
    next = static_cast<double>(last) + static_cast<double>(order.size()) / points;
  });
  return found;
}

}  // namespace bayesrisk
