#pragma once

#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/decision/rule.hpp>
#include <bayesrisk/decision/tile_cost.hpp>

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
  bool class_rule() const { return class_rule_; }

  // Rows that are `lost` have no posterior; null: none is.
  void decide(const Beliefs& beliefs, const char* lost, Index begin) {
    const bool alone = out_.only_decision();
    if (!(class_rule_ && alone)) cost_.evaluate(beliefs, begin);
    rank(beliefs, alone);
    if (!alone && beliefs.scale) cost_.divide(beliefs.scale);
    for (int a = 0; a < static_cast<int>(out_.cost_of.size()); ++a) {
      std::copy_n(cost_.expected(a), beliefs.rows, out_.cost_of[a] + begin);
    }
    write_choice(beliefs, begin);
    write_second(beliefs, begin);
    if (lost || cost_.varies()) write_missing(beliefs.rows, lost, begin);
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

  void write_choice(const Beliefs& beliefs, Index begin) {
    const double* first = ranking_.first();
    if (out_.decision) kernel::write_codes(first, beliefs.rows, out_.decision + begin);
    if (out_.cost) {
      kernel::pick(cost_.expected(), beliefs.stride, first, beliefs.rows, out_.cost + begin);
    }
  }

  void write_second(const Beliefs& beliefs, Index begin) {
    const bool pair = cost_.actions() > 1;
    if (out_.runner_up && pair) {
      kernel::write_codes(ranking_.second(), beliefs.rows, out_.runner_up + begin);
    } else if (out_.runner_up) {
      std::fill_n(out_.runner_up + begin, beliefs.rows, kMissingInteger);
    }
    if (out_.tie) write_ties(pair, beliefs.rows, out_.tie + begin);
    if (out_.margin) write_margins(pair, beliefs, out_.margin + begin);
  }

  void write_ties(bool pair, int rows, int* tie) const {
    for (int r = 0; r < rows; ++r) tie[r] = pair && ranking_.tie(r);
  }

  // Within the band two costs are equal: Inf - Inf is none, and rounding no gain.
  void write_margins(bool pair, const Beliefs& beliefs, double* margin) const {
    const double *expected = cost_.expected(), *first = ranking_.first(),
                 *second = ranking_.second();
    if (!pair) return std::fill_n(margin, beliefs.rows, out_.missing), void();
    for (int r = 0; r < beliefs.rows; ++r) {
      const double best = expected[static_cast<int>(first[r]) * beliefs.stride + r];
      const double next = expected[static_cast<int>(second[r]) * beliefs.stride + r];
      margin[r] = ranking_.tie(r) ? 0.0 : next - best;
    }
  }

  void write_missing(int rows, const char* lost, Index begin) {
    for (int r = 0; r < rows; ++r) {
      const bool gone = lost && lost[r];
      if (gone || ranking_.unknown(r)) write_missing_row(begin + r, gone);
    }
  }

  // A row without a posterior has no costs; one of unknown cost has those that are known.
  void write_missing_row(Index at, bool lost) {
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
      const int action = static_cast<int>(ranking_.first()[r]);
      if ((lost && lost[r]) || ranking_.unknown(r) || class_of_[action] < 0) continue;
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
  TileCost cost_;
  Ranking ranking_;
  DecisionReport report_;
};

}  // namespace bayesrisk
