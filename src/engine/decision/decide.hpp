#pragma once

#include <engine/data/columns.hpp>
#include <engine/decision/ranking.hpp>
#include <engine/decision/tile_cost.hpp>

namespace bayesrisk {

// The destinations of decisions. Null or empty: not requested. Actions count from 1.
struct DecisionColumns {
  int* decision = nullptr;
  std::vector<double*> cost_of{};      // expected, of every action
  std::vector<double*> probability{};  // of every class
  // Either all of these are requested, or none.
  double* cost = nullptr;    // expected, of the decision
  int* runner_up = nullptr;  // missing for a single action, like the margin
  double* margin = nullptr;  // the runner-up's cost minus that of the decision; 0: a tie
  int* tie = nullptr;
  double missing = std::numeric_limits<double>::quiet_NaN();

  bool detailed() const { return tie != nullptr; }
  bool only_decision() const { return !detailed() && cost_of.empty() && probability.empty(); }
};

struct DecisionReport {
  Vector error;        // by action: the probability of an error, summed over its rows
  Index unpriced = 0;  // rows whose cost is not known, of those with a posterior

  void merge(const DecisionReport& other);
};

// Decides the rows of one tile after the other.
class Decider {
 public:
  // class_of: the class that an action decides for, -1 for none; empty: no errors are summed.
  Decider(const CaseCost& cost, const DecisionColumns& out, const IntVector& class_of,
          int capacity);

  const DecisionReport& report() const { return report_; }
  bool class_rule() const { return class_rule_; }

  // `lost`: marks rows without a posterior; null: there are none.
  void decide(const Beliefs& beliefs, const char* lost, Index begin);

 private:
  void rank(const Beliefs& beliefs);

  void write_probabilities(const Beliefs& beliefs, Index begin);

  // Costs within the band of a tie count as equal, and then the margin is 0. Two infinite costs are
  // equal, too.
  void write_details(const Beliefs& beliefs, Index begin);

  void write_missing(int rows, const char* lost, Index begin);

  // A row without a posterior has no costs. A row with an unknown cost keeps the known costs.
  void write_missing_row(Index at, bool lost);

  // Sums the probabilities of all other classes. The difference between 1 and the probability of
  // the decided class would lose small errors.
  void add_errors(const Beliefs& beliefs);

  // The action that decides for this class; the number of actions if there is none.
  double action_of(int k) const {
    return std::find(class_of_.begin(), class_of_.end(), k) - class_of_.begin();
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const DecisionColumns& out_;
  const IntVector& class_of_;
  bool class_rule_;
  TileCost cost_;
  Ranking ranking_;
  Vector factor_, others_;
  DecisionReport report_;
};

}  // namespace bayesrisk
