#pragma once

#include <engine/data/tile.hpp>
#include <engine/decision/ranking.hpp>
#include <engine/decision/tile_cost.hpp>
#include <engine/evaluation/prior_likelihood.hpp>

namespace bayesrisk {

// The weighted sums over cases of the cost that is expected under a prior, of two decisions: that
// of an old prior, and that of the prior itself.
struct PriorCosts {
  double weight = 0, kept = 0, fresh = 0;
  Index unpriced = 0;  // cases with a posterior whose cost is not known

  void merge(const PriorCosts& other) {
    weight += other.weight;
    kept += other.kept;
    fresh += other.fresh;
    unpriced += other.unpriced;
  }
};

class PriorCostTask {
 public:
  PriorCostTask(const PriorPiece& piece, const Vector& old_prior, const Vector& prior,
                const CaseCost& cost)
      : piece_(piece),
        classes_(static_cast<int>(prior.size())),
        capacity_(Tile::fitting_rows(classes_)),
        old_prior_(old_prior),
        prior_(prior),
        old_weight_(static_cast<std::size_t>(classes_) * capacity_),
        weight_(old_weight_.size()),
        old_sum_(capacity_),
        sum_(capacity_),
        old_cost_(cost, capacity_),
        cost_(cost, capacity_),
        old_ranking_(capacity_),
        ranking_(capacity_) {}

  PriorCosts run(Index first, Index last) {
    PriorCosts costs;
    for (Index begin = first; begin < last; begin += capacity_) {
      const int rows = static_cast<int>(std::min<Index>(capacity_, last - begin));
      decide(old_prior_, begin, rows, old_weight_, old_sum_, old_cost_, old_ranking_);
      decide(prior_, begin, rows, weight_, sum_, cost_, ranking_);
      for (int r = 0; r < rows; ++r) add(begin + r, r, costs);
    }
    return costs;
  }

 private:
  void decide(const Vector& prior, Index begin, int rows, Vector& weight, Vector& sum,
              TileCost& cost, Ranking& ranking) {
    stride_ = Tile::padded(rows);
    std::fill_n(sum.begin(), stride_, 0.0);
    for (int k = 0; k < classes_; ++k) {
      double* to = weight.data() + static_cast<std::size_t>(k) * stride_;
      const double* from = piece_.of_class(k) + begin;
      for (int r = 0; r < stride_; ++r) to[r] = r < rows ? prior[k] * from[r] : 0.0;
      simd::add(to, stride_, sum.data());
    }
    // A class is impossible if its weight is 0.
    cost.evaluate({classes_, rows, stride_, weight.data(), nullptr, weight.data(), 0.0, 0.0},
                  begin);
    ranking.rank(cost.expected(), cost.actions(), stride_, cost.size());
  }

  void add(Index row, int r, PriorCosts& costs) const {
    const double weight = piece_.weight[row];
    if (!(weight > 0) || !(sum_[r] > 0) || !(old_sum_[r] > 0)) return;
    const double kept = of(old_ranking_, r), fresh = of(ranking_, r);
    if (std::isnan(kept) || std::isnan(fresh)) {
      ++costs.unpriced;
      return;
    }
    costs.weight += weight;
    costs.kept += weight * kept;
    costs.fresh += weight * fresh;
  }

  // The cost of the action that a ranking puts first, expected under the prior.
  double of(const Ranking& ranking, int r) const {
    if (ranking.unknown(r)) return kNaN;
    const auto action = static_cast<int>(ranking.first()[r]);
    return cost_.expected(action)[r] / sum_[r];
  }

  const PriorPiece& piece_;
  int classes_, capacity_, stride_ = 0;
  const Vector &old_prior_, &prior_;
  Vector old_weight_, weight_, old_sum_, sum_;
  TileCost old_cost_, cost_;
  Ranking old_ranking_, ranking_;
};

inline PriorCosts prior_costs(const PriorPiece& piece, const Vector& old_prior, const Vector& prior,
                              const CaseCost& cost, const Context& context) {
  return merge_by_rows(piece.rows, context, PriorCosts(), [&](Index first, Index last) {
    context.check();
    return PriorCostTask(piece, old_prior, prior, cost).run(first, last);
  });
}

}  // namespace bayesrisk
