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
  TileCost(const CaseCost& cost, int capacity);

  int actions() const { return cost_.fixed.actions(); }
  // Whether the cost of a row may be unknown.
  bool may_be_unknown() const { return varies() || cost_.fixed.of.hasNaN(); }
  const double* expected(int action = 0) const { return expected_.data() + at(action); }
  // The largest expected absolute cost; infinite costs are left out.
  const double* size() const { return size_.data(); }

  // Converts from the unit of the weights to that of the costs.
  void divide(const double* scale);

  void evaluate(const Beliefs& beliefs, Index begin);

 private:
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

  void add_all_varying(const Beliefs& beliefs, Index begin);

  void add_varying(const Beliefs& beliefs, Index begin, const CaseCost::Entry& entry);

  // Sets the expected cost of rows in which the class is possible; an unknown cost stays unknown.
  void put(const Beliefs& beliefs, const Cost::Entry& entry);

  const simd::TileLoops& loops_ = simd::tile_loops();
  const CaseCost& cost_;
  Vector costs_, sizes_;  // finite costs and their absolute values, classes fastest
  std::vector<Cost::Entry> not_finite_;
  bool signed_;
  int stride_ = 0;
  Vector expected_, absolute_, size_;
};

}  // namespace bayesrisk
