#pragma once

#include <engine/regions/difference.hpp>

namespace bayesrisk {

struct Interval {
  double low, high;
};

// Smallest and largest value of a log ratio over an interval, whose ends may be infinite.
template <class Ratio>
std::pair<double, double> range_of(const Ratio& ratio, const Interval& interval) {
  std::pair<double, double> result = std::minmax({ratio.at(interval.low), ratio.at(interval.high)});
  if (!ratio.bends()) return result;
  const double vertex = ratio.vertex(interval.low, interval.high);
  if (vertex > interval.low && vertex < interval.high) {
    const double extreme = ratio.at(vertex);
    result.first = std::min(result.first, extreme);
    result.second = std::max(result.second, extreme);
  }
  return result;
}

// An interval of a line on which only these actions can be the cheapest.
struct Contest {
  Interval interval;
  IntVector actions;
};

// Cuts a line into contests of two actions, or of more actions where they nearly meet. Intervals
// that one action wins are dropped. So only few pairs of actions have to be compared. The bounds of
// the classes' densities are computed once per interval and serve all actions.
template <class Term>
class Contests {
 public:
  Contests(const Components<Term>& classes, const Vector& log_prior, const Cost& cost,
           const IntVector& actions)
      : cost_(cost), least_(cost.of.cols()), most_(cost.of.cols()) {
    for (std::size_t k = 0; k < classes.size(); ++k) {
      if (!(log_prior[k] > kNegativeInfinity)) continue;
      possible_.push_back(static_cast<Index>(k));
      for (const auto& component : classes[k]) {
        if (!(component.log_weight > kNegativeInfinity)) continue;
        group_.push_back(static_cast<Index>(k));
        terms_.push_back(Term::of(component, 1, log_prior[k] + component.log_weight));
      }
    }
    if (terms_.empty()) return;
    double low = terms_[0].middle(), high = low;
    for (const Term& t : terms_) {
      low = std::min(low, t.middle() - 4 * t.spread());
      high = std::max(high, t.middle() + 4 * t.spread());
    }
    low = std::max(low, Term::kLow);
    const int patience = patience_for(actions);
    if (low > Term::kLow) divide({Term::kLow, low}, actions, high - low, patience);
    divide({low, high}, actions, high - low, patience);
    divide({high, -kNegativeInfinity}, actions, high - low, patience);
  }

  const std::vector<Contest>& all() const { return contests_; }

 private:
  static constexpr double kRoom = 1e-11;  // more than the tolerance of a tie

  // The largest number of successive halvings that drop no action. It grows with the number of
  // actions, because more halvings are worthwhile for more actions.
  static int patience_for(const IntVector& actions) {
    return 3 + 2 * std::ilogb(static_cast<double>(actions.size()));
  }

  // `reach`: the length of the part that is cut off an infinite interval. If several halvings do
  // not decide an interval, the comparison of pairs decides it. The bounds for all actions together
  // cannot separate two actions that differ only under an improbable class.
  void divide(const Interval& interval, const IntVector& actions, double reach, int patience) {
    const bool from_left = std::isinf(interval.low), to_right = std::isinf(interval.high);
    double middle = interval.low + 0.5 * (interval.high - interval.low);
    if (from_left) middle = interval.high - reach;
    if (to_right) middle = interval.low + reach;
    const IntVector left = survivors(interval, actions, middle);
    if (left.size() < 2) return;
    patience = left.size() < actions.size() ? patience_for(left) : patience - 1;
    if (left.size() == 2 || patience == 0) return add(interval, left);
    divide({interval.low, middle}, left, from_left ? 2 * reach : reach, patience);
    divide({middle, interval.high}, left, to_right ? 2 * reach : reach, patience);
  }

  // Adds contests from left to right. A contest extends the previous one if both have the same
  // actions.
  void add(const Interval& interval, const IntVector& actions) {
    if (!contests_.empty() && contests_.back().interval.high == interval.low &&
        contests_.back().actions == actions) {
      contests_.back().interval.high = interval.high;
    } else {
      contests_.push_back({interval, actions});
    }
  }

  // The remaining actions. An action is dropped if bounds prove that on the whole interval it costs
  // more than the action that is best in the middle.
  IntVector survivors(const Interval& interval, const IntVector& actions, double middle) {
    bound(interval, middle);
    int best = actions[0];
    for (int a : actions) {
      if (lead(best, a, at_middle_, at_middle_) > 0) best = a;
    }
    IntVector result;
    for (int a : actions) {
      if (a == best || !(lead(a, best, least_, most_) > kRoom * weight(a, best))) {
        result.push_back(a);
      }
    }
    return result;
  }

  // Computes bounds of the density of each class over an interval, and its value in the middle. All
  // are relative to the largest term in the middle.
  void bound(const Interval& interval, double middle) {
    const auto smaller = [middle](const Term& a, const Term& b) {
      return a.log_at(middle) < b.log_at(middle);
    };
    const Term& largest = *std::max_element(terms_.begin(), terms_.end(), smaller);
    least_.setZero();
    most_.setZero();
    at_middle_ = least_;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const typename Term::Ratio ratio(terms_[i], largest);
      const auto [low, high] = range_of(ratio, interval);
      least_[group_[i]] += std::exp(low);
      most_[group_[i]] += std::exp(high);
      at_middle_[group_[i]] += std::exp(ratio.at(middle));
    }
  }

  // The least value of the cost of a minus the cost of b, if the densities are between two bounds.
  double lead(int a, int b, const Eigen::VectorXd& least, const Eigen::VectorXd& most) const {
    double sum = 0;
    for (Index k : possible_) {
      const double difference = cost_.of(a, k) - cost_.of(b, k);
      if (difference != 0) sum += difference * (difference > 0 ? least[k] : most[k]);
    }
    return sum;
  }

  double weight(int a, int b) const {
    double sum = 0;
    for (Index k : possible_) {
      const double difference = cost_.of(a, k) - cost_.of(b, k);
      if (difference != 0) sum += std::abs(difference) * most_[k];
    }
    return sum;
  }

  const Cost& cost_;
  std::vector<Index> possible_, group_;
  std::vector<Term> terms_;
  Eigen::VectorXd least_, most_, at_middle_;
  std::vector<Contest> contests_;
};

template <class Term>
std::vector<Contest> contests_of(const Components<Term>& classes, const Vector& log_prior,
                                 const Cost& cost, const IntVector& actions) {
  return Contests<Term>(classes, log_prior, cost, actions).all();
}

}  // namespace bayesrisk
