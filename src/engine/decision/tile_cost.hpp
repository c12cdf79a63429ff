#pragma once

#include <engine/decision/beliefs.hpp>
#include <engine/decision/cost.hpp>
#include <engine/simd/columns.hpp>
#include <engine/simd/tile_loops.hpp>

#include <cmath>

namespace bayesrisk {

// The expected cost of each action in each row of a tile, multiplied by the sum of the row's
// weights. An infinite or unknown cost counts unless its class is impossible. Then the expected
// cost is infinite or unknown.
class TileCost {
 public:
  TileCost(const CaseCost& cost, int capacity)
      : cost_(cost),
        expected_(static_cast<std::size_t>(cost.fixed.actions()) * capacity),
        size_(capacity) {
    const Matrix& of = cost.fixed.of;
    const Matrix finite = of.array().isFinite().select(of, 0.0);
    for (int k = 0; k < of.cols(); ++k) {
      for (int a = 0; a < of.rows(); ++a) {
        if (!std::isfinite(of(a, k))) not_finite_.push_back({a, k, of(a, k)});
      }
    }
    // Without negative costs the expected cost equals the expected absolute cost.
    signed_ = !cost.varying.empty() || (finite.array() < 0).any();
    costs_ = by_action(finite);
    if (signed_) {
      sizes_ = by_action(finite.cwiseAbs());
      absolute_.resize(expected_.size());
    }
  }

  int actions() const { return cost_.fixed.actions(); }
  // Whether the cost of a row may be unknown.
  bool may_be_unknown() const { return varies() || cost_.fixed.of.hasNaN(); }
  const double* expected(int action = 0) const { return expected_.data() + at(action); }
  // The largest expected absolute cost; infinite costs are left out.
  const double* size() const { return size_.data(); }

  // Converts from the unit of the weights to that of the costs.
  void divide(const double* scale) {
    for (int a = 0; a < actions(); ++a) {
      double* expected = expected_.data() + at(a);
      loops_.write_quotients(expected, scale, stride_, expected);
    }
  }

  void evaluate(const Beliefs& beliefs, Index begin) {
    stride_ = beliefs.stride;
    weigh(beliefs, costs_, expected_);
    if (signed_) weigh(beliefs, sizes_, absolute_);
    if (varies()) add_all_varying(beliefs, begin);
    for (const FixedEntry& entry : not_finite_) put(beliefs, entry);
  }

 private:
  struct FixedEntry {
    int action, truth;
    double cost;
  };

  bool varies() const { return !cost_.varying.empty(); }
  std::size_t at(int action) const { return static_cast<std::size_t>(action) * stride_; }

  static Vector by_action(const Matrix& of) {
    const Matrix transposed = of.transpose();
    return Vector(transposed.data(), transposed.data() + transposed.size());
  }

  void weigh(const Beliefs& beliefs, const Vector& costs, Vector& sums) {
    loops_.weigh_actions(beliefs.weight, beliefs.classes, stride_, costs.data(), actions(), stride_,
                         sums.data(), size_.data());
  }

  void add_all_varying(const Beliefs& beliefs, Index begin) {
    for (const CaseCost::Entry& entry : cost_.varying) add_varying(beliefs, begin, entry);
    for (int a = 0; a < actions(); ++a) {
      for (int r = 0; r < stride_; ++r) size_[r] = std::max(size_[r], absolute_[at(a) + r]);
    }
  }

  void add_varying(const Beliefs& beliefs, Index begin, const CaseCost::Entry& entry) {
    const double* weight = beliefs.weight_of(entry.truth);
    const double* improbability = beliefs.improbability_of(entry.truth);
    double* expected = expected_.data() + at(entry.action);
    double* absolute = absolute_.data() + at(entry.action);
    for (int r = 0; r < beliefs.rows; ++r) {
      if (improbability[r] == beliefs.impossible) continue;
      const double cost = entry.value[begin + r];
      if (std::isinf(cost)) {
        expected[r] += cost;
      } else {
        expected[r] += weight[r] * cost;
        absolute[r] += weight[r] * std::abs(cost);
      }
    }
  }

  // Sets the expected cost of rows in which the class is possible; an unknown cost stays unknown.
  void put(const Beliefs& beliefs, const FixedEntry& entry) {
    const double* improbability = beliefs.improbability_of(entry.truth);
    double* expected = expected_.data() + at(entry.action);
    for (int r = 0; r < beliefs.rows; ++r) {
      if (improbability[r] != beliefs.impossible && !std::isnan(expected[r]))
        expected[r] = entry.cost;
    }
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const CaseCost& cost_;
  Vector costs_, sizes_;  // finite costs and their absolute values, classes fastest
  std::vector<FixedEntry> not_finite_;
  bool signed_;
  int stride_ = 0;
  Vector expected_, absolute_, size_;
};

}  // namespace bayesrisk
