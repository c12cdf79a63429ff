#pragma once

#include <engine/core/context.hpp>
#include <engine/core/log_math.hpp>
#include <engine/decision/changes.hpp>
#include <engine/decision/transport.hpp>

namespace bayesrisk {

// The prices of the actions, and what all cases together may cost at these prices.
struct Budget {
  Vector price;
  double total = kInfinity;

  // Sums of prices round.
  double limit() const { return total * (1 + 1e-12); }
};

// The effect of limits: the additional expected cost of all cases together, the saving by one more
// case with each action, and what a budget does.
struct CapacityReport {
  enum Problem { none, capacity, budget } problem = none;  // why there is no solution
  double cost = 0;
  Vector next;
  double spent = 0;
  double gap = 0;           // the cost is at most this above the least
  double shadow_price = 0;  // of a unit of the budget, in units of cost
};

// Changes the actions of cases, which are those of least expected cost, such that no action has
// more cases than its limit, and that all cases stay within the budget. Without a budget no other
// choice costs less. With one, the least cost is bounded by Lagrange's function of the budget
// (Everett 1963), which is solved for one multiplier after another.
class CapacityRule {
 public:
  CapacityRule(const DecisionColumns& columns, Index rows, const Vector& most, const Budget& budget,
               const Context& context)
      : columns_(columns), rows_(rows), most_(most), budget_(budget), context_(context) {}

  // Changes the columns of cases whose action changes: their runner-up is the action that they
  // would have without limits, and their margin is minus the additional cost.
  CapacityReport apply() const {
    Transport best(columns_, rows_, most_, context_);
    CapacityReport report;
    if (!best.solve({})) {
      report.problem = CapacityReport::capacity;
    } else if (spent(best) > budget_.limit() && !keep_budget(best, report)) {
      report.problem = CapacityReport::budget;
    }
    if (report.problem != CapacityReport::none) return report;
    report.spent = spent(best);
    report.next = best.savings();
    for (Index r = 0; r < rows_; ++r) {
      if (best.action(r) >= 0 && best.action(r) + 1 != columns_.decision[r]) {
        report.cost += change_decision(columns_, r, best.action(r) + 1);
      }
    }
    return report;
  }

 private:
  double spent(const Transport& transport) const {
    double sum = 0;
    for (std::size_t a = 0; a < budget_.price.size(); ++a) {
      sum += budget_.price[a] * transport.count(static_cast<int>(a));
    }
    return sum;
  }

  Vector priced(double price) const {
    Vector extra = budget_.price;
    for (double& x : extra) x *= price;
    return extra;
  }

  // Finds the least multiplier at which the cases stay within the budget. `best`: the solution
  // at price 0.
  bool keep_budget(Transport& best, CapacityReport& report) const {
    double low = 0, high = first_price(), bound = best.cost();
    const auto solve = [&](double price) {
      Transport found(columns_, rows_, most_, context_);
      found.solve(priced(price));
      bound = std::max(bound, found.cost() + price * (spent(found) - budget_.total));
      return found;
    };
    Transport within = solve(high);
    for (int i = 0; i < kMostSteps && spent(within) > budget_.limit(); ++i) {
      low = high;
      high *= 4;
      within = solve(high);
    }
    if (spent(within) > budget_.limit()) return false;
    for (int i = 0; i < kHalvings && high - low > 1e-15 * high; ++i) {
      const double middle = low + (high - low) / 2;
      Transport found = solve(middle);
      if (spent(found) > budget_.limit()) {
        low = middle;
      } else {
        high = middle;
        within = std::move(found);
      }
    }
    within.spend(budget_.price, budget_.limit() - spent(within));
    best = std::move(within);
    report.gap = std::max(0.0, best.cost() - bound);
    report.shadow_price = high;
    return true;
  }

  // Costs per unit of price: where the search for the multiplier begins.
  double first_price() const {
    double cost = 0, price = 0;
    for (double p : budget_.price) price = std::max(price, p);
    for (Index r = 0; r < rows_; ++r) {
      const double margin = columns_.margin[r];
      if (std::isfinite(margin)) cost = std::max(cost, std::abs(margin));
    }
    return cost > 0 ? cost / price : 1 / price;
  }

  static constexpr int kMostSteps = 60, kHalvings = 60;

  const DecisionColumns& columns_;
  const Index rows_;
  const Vector& most_;
  const Budget& budget_;
  const Context& context_;
};

}  // namespace bayesrisk
