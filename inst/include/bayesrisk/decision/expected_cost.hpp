#pragma once

#include <bayesrisk/decision/beliefs.hpp>
#include <bayesrisk/decision/cost.hpp>
#include <bayesrisk/kernel/columns.hpp>

#include <cmath>

namespace bayesrisk {

// The expected cost of each action in each row of a tile, in the unit of the weights:
// times their sum. An infinite cost counts unless its class is impossible.
class ExpectedCost {
 public:
  ExpectedCost(const CaseCost& cost, int capacity)
      : cost_(cost),
        expected_(static_cast<std::size_t>(cost.fixed.actions()) * capacity),
        size_(capacity) {
    const Matrix& of = cost.fixed.of;
    finite_ = of.array().isFinite().select(of, 0.0).transpose();
    for (int k = 0; k < of.cols(); ++k) {
      for (int a = 0; a < of.rows(); ++a) {
        if (std::isinf(of(a, k))) infinite_.push_back({a, k});
      }
    }
    // Of costs that are no gains the expected cost is its own size.
    signed_ = !cost.varying.empty() || (finite_.array() < 0).any();
    if (signed_) absolute_.resize(expected_.size());
  }

  int actions() const { return cost_.fixed.actions(); }
  const double* expected(int action = 0) const { return expected_.data() + at(action); }
  // The largest expected absolute cost; infinite costs left out.
  const double* size() const { return size_.data(); }

  // From the unit of the weights to that of the costs.
  void divide(const double* scale) {
    for (int a = 0; a < actions(); ++a) kernel::divide(expected_.data() + at(a), scale, stride_);
  }

  void evaluate(const Beliefs& beliefs, Index begin) {
    stride_ = beliefs.stride;
    for (int a = 0; a < actions(); ++a) {
      weigh(beliefs, finite_.col(a), expected_.data() + at(a));
      if (signed_) weigh(beliefs, finite_.col(a).cwiseAbs(), absolute_.data() + at(a));
    }
    for (const CaseCost::Cell& cell : cost_.varying) add_varying(beliefs, begin, cell);
    std::fill_n(size_.begin(), stride_, 0.0);
    for (int a = 0; a < actions(); ++a) {
      kernel::raise_to(size_.data(), (signed_ ? absolute_ : expected_).data() + at(a), stride_);
    }
    for (const Place& cell : infinite_) add_infinite(beliefs, cell);
  }

 private:
  struct Place {
    int action, truth;
  };

  std::size_t at(int action) const { return static_cast<std::size_t>(action) * stride_; }

  void weigh(const Beliefs& beliefs, const Eigen::VectorXd& costs, double* sum) const {
    kernel::weigh_columns(beliefs.weight, beliefs.classes, stride_, costs.data(), stride_, sum);
  }

  void add_varying(const Beliefs& beliefs, Index begin, const CaseCost::Cell& cell) {
    const double* weight = beliefs.weight_of(cell.truth);
    const double* loss = beliefs.loss_of(cell.truth);
    double* expected = expected_.data() + at(cell.action);
    double* absolute = absolute_.data() + at(cell.action);
    for (int r = 0; r < beliefs.rows; ++r) {
      if (loss[r] == beliefs.impossible) continue;
      const double cost = cell.value[begin + r];
      if (std::isinf(cost)) {
        expected[r] += cost;
      } else {
        expected[r] += weight[r] * cost;
        absolute[r] += weight[r] * std::abs(cost);
      }
    }
  }

  void add_infinite(const Beliefs& beliefs, const Place& cell) {
    const double* loss = beliefs.loss_of(cell.truth);
    double* expected = expected_.data() + at(cell.action);
    for (int r = 0; r < beliefs.rows; ++r) {
      if (loss[r] != beliefs.impossible) expected[r] = std::numeric_limits<double>::infinity();
    }
  }

  const CaseCost& cost_;
  Matrix finite_;  // classes x actions: an action's costs side by side
  std::vector<Place> infinite_;
  bool signed_;
  int stride_ = 0;
  Vector expected_, absolute_, size_;
};

}  // namespace bayesrisk
