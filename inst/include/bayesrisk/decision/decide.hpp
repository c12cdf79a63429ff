#pragma once

#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/decision/expected_cost.hpp>
#include <bayesrisk/decision/rule.hpp>

namespace bayesrisk {

// Where decisions go: null, or empty, what is not asked for. Actions count from 1.
struct DecisionColumns {
  int* decision = nullptr;
  double* cost = nullptr;          // expected, of the decision
  std::vector<double*> cost_of{};  // of every action
  int* runner_up = nullptr;        // missing for a single action, as the margin
  double* margin = nullptr;        // the runner-up's cost minus that of the decision; 0: a tie
  int* tie = nullptr;
  double missing = std::numeric_limits<double>::quiet_NaN();

  bool only_decision() const { return !cost && cost_of.empty() && !runner_up && !margin && !tie; }
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
  // class_of: the class that an action is, -1 for none; empty: no errors are summed.
  Decider(const CaseCost& cost, const DecisionColumns& out, const IntVector& class_of, int capacity)
      : out_(out),
        class_of_(class_of),
        class_rule_(cost.is_zero_one()),
        cost_(cost, capacity),
        ranking_(capacity) {
    report_.error.assign(class_of.size(), 0.0);
  }

  const DecisionReport& report() const { return report_; }

  // Rows that are `lost` have no posterior.
  void decide(const Beliefs& beliefs, const char* lost, Index begin) {
    const bool alone = out_.only_decision();
    if (!(class_rule_ && alone)) cost_.evaluate(beliefs, begin);
    rank(beliefs, alone);
    if (!alone && beliefs.scale) cost_.divide(beliefs.scale);
    for (int a = 0; a < static_cast<int>(out_.cost_of.size()); ++a) {
      std::copy_n(cost_.expected(a), beliefs.rows, out_.cost_of[a] + begin);
    }
    for (int r = 0; r < beliefs.rows; ++r) write(r, begin + r);
    for (int r = 0; r < beliefs.rows; ++r) {
      if (lost[r] || ranking_.unknown(r)) write_missing(begin + r, lost[r]);
    }
    if (!class_of_.empty()) add_errors(beliefs, lost);
  }

 private:
  void rank(const Beliefs& beliefs, bool alone) {
    const double* values = class_rule_ ? beliefs.loss : cost_.expected();
    const int actions = cost_.actions();
    if (class_rule_) {
      ranking_.rank_losses(values, actions, beliefs.stride, beliefs.floor);
    } else {
      ranking_.rank(values, actions, beliefs.stride, cost_.size());
    }
    if (!alone && actions > 1) ranking_.rank_second(values, actions, beliefs.stride);
  }

  void write(int r, Index at) {
    const int best = ranking_.first(r);
    if (out_.decision) out_.decision[at] = best + 1;
    if (out_.cost) out_.cost[at] = cost_.expected(best)[r];
    const bool pair = cost_.actions() > 1;
    const bool tie = pair && ranking_.tie(r);
    if (out_.runner_up) out_.runner_up[at] = pair ? ranking_.second(r) + 1 : kMissingInteger;
    if (out_.margin) out_.margin[at] = pair ? margin(r, best, tie) : out_.missing;
    if (out_.tie) out_.tie[at] = tie;
  }

  // Within the band two costs are equal: Inf - Inf is none, and rounding no gain.
  double margin(int r, int best, bool tie) const {
    return tie ? 0.0 : cost_.expected(ranking_.second(r))[r] - cost_.expected(best)[r];
  }

  // A row without a posterior has no costs; one of unknown cost has those that are known.
  void write_missing(Index at, bool lost) {
    report_.unpriced += !lost;
    if (out_.decision) out_.decision[at] = kMissingInteger;
    if (out_.cost) out_.cost[at] = out_.missing;
    for (double* cost : out_.cost_of) {
      if (lost || std::isnan(cost[at])) cost[at] = out_.missing;
    }
    if (out_.runner_up) out_.runner_up[at] = kMissingInteger;
    if (out_.margin) out_.margin[at] = out_.missing;
    if (out_.tie) out_.tie[at] = kMissingInteger;
  }

  void add_errors(const Beliefs& beliefs, const char* lost) {
    for (int r = 0; r < beliefs.rows; ++r) {
      const int action = ranking_.first(r);
      if (lost[r] || ranking_.unknown(r) || class_of_[action] < 0) continue;
      double others = 0;
      for (int k = 0; k < beliefs.classes; ++k) {
        if (k != class_of_[action]) others += beliefs.weight_of(k)[r];
      }
      report_.error[action] += beliefs.scale ? others / beliefs.scale[r] : others;
    }
  }

  const DecisionColumns& out_;
  const IntVector& class_of_;
  bool class_rule_;
  ExpectedCost cost_;
  Ranking ranking_;
  DecisionReport report_;
};

}  // namespace bayesrisk
