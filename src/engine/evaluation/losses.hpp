#pragma once

#include <engine/core/log_math.hpp>
#include <engine/data/columns.hpp>
#include <engine/decision/cost.hpp>

#include <algorithm>

namespace bayesrisk {

// Cases with their true classes.
struct Cases {
  Index rows = 0;
  const int* truth = nullptr;      // class, from 1; missing: the case does not count
  const double* weight = nullptr;  // null: every case counts once

  double weight_of(Index r) const { return weight ? weight[r] : 1.0; }
};

// A cost looked up case by case. Actions and classes count from 0.
class CostTable {
 public:
  explicit CostTable(const CaseCost& cost)
      : fixed_(cost.fixed.of), varying_(static_cast<std::size_t>(fixed_.size()), nullptr) {
    for (const CaseCost::Entry& entry : cost.varying) {
      varying_[static_cast<std::size_t>(entry.truth * fixed_.rows() + entry.action)] = entry.value;
    }
  }
  int actions() const { return static_cast<int>(fixed_.rows()); }
  int classes() const { return static_cast<int>(fixed_.cols()); }

  double of(int action, int truth, Index row) const {
    const Index entry = truth * fixed_.rows() + action;
    const double* varying = varying_[static_cast<std::size_t>(entry)];
    return varying ? varying[row] : fixed_.data()[entry];
  }
  // The cost of the cheapest action for this truth; NaN if a cost is unknown.
  double least(int truth, Index row) const {
    double smallest = of(0, truth, row);
    for (int a = 1; a < actions(); ++a) {
      const double cost = of(a, truth, row);
      if (std::isnan(cost) || cost < smallest) smallest = cost;
    }
    return smallest;
  }
  // Whether the cost of any action under any truth is unknown.
  bool has_gap(Index row) const {
    for (int k = 0; k < classes(); ++k) {
      if (std::isnan(least(k, row))) return true;
    }
    return false;
  }

 private:
  Matrix fixed_;
  std::vector<const double*> varying_;
};

// The cost of each decision (from 1); NaN where a case does not count or has no decision.
inline Vector realised_losses(const Cases& cases, const CostTable& cost, const int* decision) {
  Vector loss(cases.rows);
  for (Index r = 0; r < cases.rows; ++r) {
    const bool known = decision[r] != kMissingInteger && cases.truth[r] != kMissingInteger;
    loss[r] = known ? cost.of(decision[r] - 1, cases.truth[r] - 1, r) : kNaN;
  }
  return loss;
}

// Whether an action (from 0) decides for another class than the true one (from 1).
// class_of: the class that each action decides for, from 1, or 0 for none.
inline bool is_wrong(const IntVector& class_of, int action, int truth) {
  return class_of[action] > 0 && class_of[action] != truth;
}

// A weighted mean and its standard error; a case of weight w counts as w cases.
struct MeanError {
  double weight = 0, mean = kNaN, standard_error = kNaN;
};

// A unit in which squares neither overflow nor underflow. It is a power of two, so that no digit is
// lost.
inline double power_of_two_near(const Vector& values) {
  double largest = 0;
  for (double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

// Values that are NaN are left out.
inline MeanError mean_and_error(const Cases& cases, const Vector& values) {
  const double unit = power_of_two_near(values);
  double weight = 0, sum = 0, scatter = 0;
  for (Index r = 0; r < cases.rows; ++r) {
    const bool known = !std::isnan(values[r]);
    weight += known ? cases.weight_of(r) : 0.0;
    sum += known ? cases.weight_of(r) * (values[r] / unit) : 0.0;
  }
  if (weight <= 0) return {};
  const double mean = sum / weight;
  for (Index r = 0; r < cases.rows; ++r) {
    const double deviation = values[r] / unit - mean;
    scatter += std::isnan(values[r]) ? 0.0 : cases.weight_of(r) * deviation * deviation;
  }
  const double error = std::sqrt(scatter / (weight - 1) / weight);
  return {weight, mean * unit, weight > 1 ? error * unit : kNaN};
}

}  // namespace bayesrisk
