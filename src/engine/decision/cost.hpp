#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// The cost of each action under each true class: actions in rows.
struct Cost {
  struct Entry {
    int action, truth;
    double cost;
  };

  Matrix of;

  int actions() const { return static_cast<int>(of.rows()); }

  // Whether the actions are the classes in order, and cost 0 under their class and 1 otherwise.
  // Under this cost the decision is the most probable class.
  bool is_zero_one() const;

  std::vector<Entry> not_finite() const;
  // With 0 in place of what is not finite.
  Matrix finite() const { return of.array().isFinite().select(of, 0.0); }
};

// The sum of the probabilities in a table (classes x actions) times costs. An impossible case costs
// nothing, even where the cost is infinite.
double cost_of_table(const Matrix& table, const Cost& cost);

// Costs that may differ from case to case.
struct CaseCost {
  struct Entry {
    int action, truth;
    const double* value;  // one per case
  };

  Cost fixed;  // 0 where the cost varies
  std::vector<Entry> varying;

  bool is_zero_one() const { return varying.empty() && fixed.is_zero_one(); }

  // The costs of one case.
  Cost at(Index row) const;
};

}  // namespace bayesrisk
