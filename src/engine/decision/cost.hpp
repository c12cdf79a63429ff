#pragma once

#include <engine/core/types.hpp>

namespace bayesrisk {

// The cost of each action under each true class: actions in rows.
struct Cost {
  Matrix of;

  int actions() const { return static_cast<int>(of.rows()); }

  // Whether the actions are the classes in order, and cost 0 under their class and 1 otherwise.
  // Under this cost the decision is the most probable class.
  bool is_zero_one() const {
    if (of.rows() != of.cols()) return false;
    return of ==
           Matrix(Matrix::Ones(of.rows(), of.cols()) - Matrix::Identity(of.rows(), of.cols()));
  }
};

// The sum of the probabilities in a table (classes x actions) times costs. An impossible case costs
// nothing, even where the cost is infinite.
inline double cost_of_table(const Matrix& table, const Cost& cost) {
  double total = 0;
  for (Index k = 0; k < table.rows(); ++k) {
    for (Index a = 0; a < table.cols(); ++a) {
      if (table(k, a) > 0) total += table(k, a) * cost.of(a, k);
    }
  }
  return total;
}

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
  Cost at(Index row) const {
    Cost cost = fixed;
    for (const Entry& entry : varying) cost.of(entry.action, entry.truth) = entry.value[row];
    return cost;
  }
};

}  // namespace bayesrisk
