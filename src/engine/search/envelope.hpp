#pragma once

#include <engine/core/types.hpp>
#include <engine/decision/ranking.hpp>

#include <algorithm>
#include <cmath>

namespace bayesrisk {

// Expected costs that are linear in one number x. The cost of action a is the sum over the classes
// of weight[k] fixed(a, k), plus slope[a] x.
struct Pencil {
  Matrix fixed;  // actions x classes, finite
  Eigen::VectorXd weight, slope;
  IntVector actions;      // the actions without an infinite cost
  bool positive = false;  // only x > 0 is possible
};

// An interval of x in which one action is the cheapest.
struct Segment {
  double from, to;
  int action;
};

// The lower envelope of a pencil of lines. Costs within the tolerance of a tie count as equal;
// among equal actions the first one wins.
class LowerEnvelope {
 public:
  explicit LowerEnvelope(const Pencil& pencil) : pencil_(pencil) {
    for (int a : pencil.actions) {
      const double cost = pencil.fixed.row(a).cwiseAbs() * pencil.weight;
      largest_fixed_ = std::max(largest_fixed_, cost);
      largest_slope_ = std::max(largest_slope_, std::abs(pencil.slope[a]));
    }
  }

  std::vector<Segment> segments() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<Segment> result;
    int action = pencil_.positive ? cheapest_beyond(cheapest_at_zero(), 0) : cheapest_far_left();
    double from = pencil_.positive ? 0 : -infinity;
    for (;;) {
      const int other = next_below(action);
      const double to = other < 0 ? infinity : std::max(from, crossing(action, other));
      if (to > from) result.push_back({from, to, action});
      if (other < 0) return result;
      action = cheapest_beyond(other, to);
      from = to;
    }
  }

 private:
  // The cost of action b minus that of a at x = 0. It is computed as a sum of differences, which is
  // exact if the two actions differ in few classes.
  double excess(int a, int b) const {
    return (pencil_.fixed.row(b) - pencil_.fixed.row(a)) * pencil_.weight;
  }

  bool falls_below(int b, int a) const {
    return pencil_.slope[b] < pencil_.slope[a] - kTie * largest_slope_;
  }

  double crossing(int a, int b) const {
    return excess(a, b) / (pencil_.slope[a] - pencil_.slope[b]);
  }

  int cheapest_at_zero() const {
    int best = pencil_.actions[0];
    for (int a : pencil_.actions) {
      if (excess(best, a) < 0) best = a;
    }
    return best;
  }

  // The cheapest action as x goes to minus infinity.
  int cheapest_far_left() const {
    int steepest = pencil_.actions[0];
    for (int a : pencil_.actions) {
      if (falls_below(steepest, a)) steepest = a;
    }
    int best = steepest;
    for (int a : pencil_.actions) {
      if (!falls_below(a, steepest) && excess(best, a) < 0) best = a;
    }
    for (int a : pencil_.actions) {
      if (!falls_below(a, steepest) && excess(best, a) <= kTie * largest_fixed_) return a;
    }
    return best;
  }

  // The action whose line is the first to cross that of `action` from above; -1: none.
  int next_below(int action) const {
    int best = -1;
    for (int b : pencil_.actions) {
      if (!falls_below(b, action)) continue;
      if (best < 0 || crossing(action, b) < crossing(action, best)) best = b;
    }
    return best;
  }

  // The cheapest action just beyond x, where `action` is cheapest. Among actions of equal cost, the
  // action whose cost falls fastest.
  int cheapest_beyond(int action, double x) const {
    const double band = kTie * (largest_fixed_ + largest_slope_ * std::abs(x));
    auto ties = [&](int b) {
      return excess(action, b) + (pencil_.slope[b] - pencil_.slope[action]) * x <= band;
    };
    int lowest = action;
    for (int b : pencil_.actions) {
      if (pencil_.slope[b] < pencil_.slope[lowest] && ties(b)) lowest = b;
    }
    for (int b : pencil_.actions) {
      if (!falls_below(lowest, b) && ties(b)) return b;
    }
    return lowest;
  }

  const Pencil& pencil_;
  double largest_fixed_ = 0, largest_slope_ = 0;
};

}  // namespace bayesrisk
