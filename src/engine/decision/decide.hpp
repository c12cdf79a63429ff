#pragma once

#include <engine/data/columns.hpp>
#include <engine/decision/ranking.hpp>
#include <engine/decision/tile_cost.hpp>

namespace bayesrisk {

// The destinations of decisions. Null or empty: not requested. Actions count from 1.
struct DecisionColumns {
  int* decision = nullptr;
  std::vector<double*> cost_of{};  // expected, of every action
  // Either all of these are requested, or none.
  double* cost = nullptr;    // expected, of the decision
  int* runner_up = nullptr;  // missing for a single action, like the margin
  double* margin = nullptr;  // the runner-up's cost minus that of the decision; 0: a tie
  int* tie = nullptr;
  double missing = std::numeric_limits<double>::quiet_NaN();

  bool detailed() const { return tie != nullptr; }
  bool only_decision() const { return !detailed() && cost_of.empty(); }
};

struct DecisionReport {
  Vector error;        // by action: the probability of an error, summed over its rows
  Index unpriced = 0;  // rows whose cost is not known, of those with a posterior

  void merge(const DecisionReport& other) {
    error.resize(std::max(error.size(), other.error.size()), 0.0);
    for (std::size_t a = 0; a < other.error.size(); ++a) error[a] += other.error[a];
    unpriced += other.unpriced;
  }
};

// Decides the rows of one tile after the other.
class Decider {
 public:
  // class_of: the class that an action decides for, -1 for none; empty: no errors are summed.
  Decider(const CaseCost& cost, const DecisionColumns& out, const IntVector& class_of, int capacity)
      : out_(out),
        class_of_(class_of),
        class_rule_(cost.is_zero_one()),
        cost_(cost, capacity),
        ranking_(capacity),
        factor_(capacity, 1.0),
        others_(capacity) {
    report_.error.assign(class_of.size(), 0.0);
  }

  const DecisionReport& report() const { return report_; }
  bool class_rule() const { return class_rule_; }

  // `lost`: marks rows without a posterior; null: there are none.
  void decide(const Beliefs& beliefs, const char* lost, Index begin) {
    const bool alone = out_.only_decision();
    if (!(class_rule_ && alone)) cost_.evaluate(beliefs, begin);
    rank(beliefs);
    if (!alone && beliefs.scale) cost_.divide(beliefs.scale);
    for (int a = 0; a < static_cast<int>(out_.cost_of.size()); ++a) {
      std::copy_n(cost_.expected(a), beliefs.rows, out_.cost_of[a] + begin);
    }
    if (out_.decision) ranking_.write_first(beliefs.rows, out_.decision + begin);
    if (out_.detailed()) write_details(beliefs, begin);
    if (lost || cost_.may_be_unknown()) write_missing(beliefs.rows, lost, begin);
    if (!class_of_.empty()) add_errors(beliefs);
  }

 private:
  void rank(const Beliefs& beliefs) {
    const double* values = class_rule_ ? beliefs.improbability : cost_.expected();
    const int actions = cost_.actions();
    if (class_rule_) {
      ranking_.rank_classes(values, actions, beliefs.stride, beliefs.floor);
    } else {
      ranking_.rank(values, actions, beliefs.stride, cost_.size());
    }
    if (out_.detailed() && actions > 1) ranking_.rank_second(values, actions, beliefs.stride);
  }

  // Costs within the band of a tie count as equal, and then the margin is 0. Two infinite costs are
  // equal, too.
  void write_details(const Beliefs& beliefs, Index begin) {
    const int rows = beliefs.rows, stride = beliefs.stride;
    simd::pick(cost_.expected(), stride, ranking_.first(), rows, out_.cost + begin);
    if (cost_.actions() == 1) {
      std::fill_n(out_.runner_up + begin, rows, kMissingInteger);
      std::fill_n(out_.margin + begin, rows, out_.missing);
      std::fill_n(out_.tie + begin, rows, 0);
      return;
    }
    ranking_.write_second(rows, out_.runner_up + begin);
    simd::write_at_most(ranking_.second_least(), ranking_.limit(), rows, out_.tie + begin);
    simd::pick(cost_.expected(), stride, ranking_.second(), rows, out_.margin + begin);
    simd::subtract_unless(out_.cost + begin, out_.tie + begin, rows, out_.margin + begin);
  }

  void write_missing(int rows, const char* lost, Index begin) {
    for (int r = 0; r < rows; ++r) {
      const bool gone = lost && lost[r];
      if (!gone && !ranking_.unknown(r)) continue;
      write_missing_row(begin + r, gone);
      ranking_.forget(r, r + 1);
    }
  }

  // A row without a posterior has no costs. A row with an unknown cost keeps the known costs.
  void write_missing_row(Index at, bool lost) {
    report_.unpriced += !lost;
    if (out_.decision) out_.decision[at] = kMissingInteger;
    for (double* cost : out_.cost_of) {
      if (lost || std::isnan(cost[at])) cost[at] = out_.missing;
    }
    if (!out_.detailed()) return;
    out_.cost[at] = out_.margin[at] = out_.missing;
    out_.runner_up[at] = out_.tie[at] = kMissingInteger;
  }

  // Sums the probabilities of all other classes. The difference between 1 and the probability of
  // the decided class would lose small errors.
  void add_errors(const Beliefs& beliefs) {
    ranking_.forget(beliefs.rows, beliefs.stride);
    if (beliefs.scale) simd::invert(beliefs.scale, beliefs.stride, factor_.data());
    std::fill_n(others_.begin(), beliefs.stride, 0.0);
    for (int k = 0; k < beliefs.classes; ++k) {
      simd::add_unless(beliefs.weight_of(k), ranking_.first(), action_of(k), beliefs.stride,
                       others_.data());
    }
    for (std::size_t a = 0; a < class_of_.size(); ++a) {
      if (class_of_[a] < 0) continue;
      report_.error[a] += simd::sum_where(others_.data(), factor_.data(), ranking_.first(),
                                          static_cast<double>(a), beliefs.stride);
    }
  }

  // The action that decides for this class; the number of actions if there is none.
  double action_of(int k) const {
    return std::find(class_of_.begin(), class_of_.end(), k) - class_of_.begin();
  }

  const DecisionColumns& out_;
  const IntVector& class_of_;
  bool class_rule_;
  TileCost cost_;
  Ranking ranking_;
  Vector factor_, others_;
  DecisionReport report_;
};

}  // namespace bayesrisk
