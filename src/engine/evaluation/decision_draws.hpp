#pragma once

#include <engine/evaluation/table_draws.hpp>

#include <algorithm>

namespace bayesrisk {

// The costs of imagined cases: those of the table, or the mean over the cases of the class where
// costs differ by case.
class ImaginedCosts {
 public:
  ImaginedCosts(const Cases& cases, const CostTable& cost)
      : mean_(cost.actions(), cost.classes()), allowed_(cost.classes()) {
    for (int k = 0; k < cost.classes(); ++k) {
      for (int a = 0; a < cost.actions(); ++a) {
        mean_(a, k) = cost.varies(a, k) ? mean_over_cases(cases, cost, a, k) : cost.of(a, k, 0);
        if (std::isfinite(mean_(a, k))) allowed_[k].push_back(a);
      }
    }
  }

  double of(int action, int truth) const { return mean_(action, truth); }

  // How far the costs of a class differ.
  Vector stakes() const {
    Vector result;
    for (std::size_t k = 0; k < allowed_.size(); ++k) {
      double low = 0, high = 0;
      for (std::size_t i = 0; i < allowed_[k].size(); ++i) {
        const double cost = mean_(allowed_[k][i], static_cast<Index>(k));
        low = i == 0 ? cost : std::min(low, cost);
        high = i == 0 ? cost : std::max(high, cost);
      }
      result.push_back(high - low);
    }
    return result;
  }

  // A random action of finite cost; -1: there is none.
  int action(int truth, CounterRandom& random) const {
    const IntVector& allowed = allowed_[truth];
    return allowed.empty() ? -1 : allowed[random.below(static_cast<std::uint32_t>(allowed.size()))];
  }

 private:
  // Without a case of the class, over all cases.
  static double mean_over_cases(const Cases& cases, const CostTable& cost, int a, int k) {
    double own = 0, own_sum = 0, all = 0, sum = 0;
    for (Index r = 0; r < cases.rows; ++r) {
      const double value = cost.of(a, k, r), weight = cases.weight_of(r);
      if (cases.truth[r] == kMissingInteger || std::isnan(value)) continue;
      all += weight;
      sum += weight * value;
      if (cases.truth[r] != k + 1) continue;
      own += weight;
      own_sum += weight * value;
    }
    return own > 0 ? own_sum / own : sum / all;
  }

  Matrix mean_;
  std::vector<IntVector> allowed_;
};

// Draws the table of decisions (from 1; missing: the case does not count).
inline TableDraws draw_decisions(const Cases& cases, const CostTable& cost, const int* decision,
                                 const ImaginedCosts& imagined, const IntervalPlan& plan,
                                 const TableReading& reading, const Context& context) {
  TableCases table;
  table.cost = realised_losses(cases, cost, decision);
  table.classes = cost.classes();
  table.columns = cost.actions();
  table.stake = imagined.stakes();
  for (Index r = 0; r < cases.rows; ++r) {
    const bool counts = cases.truth[r] != kMissingInteger && decision[r] != kMissingInteger;
    table.cell.push_back(counts ? decision[r] - 1 : kMissingInteger);
  }
  table.imagine = [&](int truth, CounterRandom& random) -> ImaginedCase {
    const int action = imagined.action(truth, random);
    return {action, action < 0 ? 0.0 : imagined.of(action, truth)};
  };
  return TableDrawer(cases, table, plan).run(reading, context);
}

}  // namespace bayesrisk
