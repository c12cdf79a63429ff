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

  void merge(const PriorCosts& other);
};

class PriorCostTask {
 public:
  PriorCostTask(const PriorPiece& piece, const Vector& old_prior, const Vector& prior,
                const CaseCost& cost);

  PriorCosts run(Index first, Index last);

 private:
  void decide(const Vector& prior, Index begin, int rows, Vector& weight, Vector& sum,
              TileCost& cost, Ranking& ranking);

  void add(Index row, int r, PriorCosts& costs) const;

  // The cost of the action that a ranking puts first, expected under the prior.
  double of(const Ranking& ranking, int r) const;

  const PriorPiece& piece_;
  int classes_, capacity_, stride_ = 0;
  const Vector &old_prior_, &prior_;
  Vector old_weight_, weight_, old_sum_, sum_;
  TileCost old_cost_, cost_;
  Ranking old_ranking_, ranking_;
};

PriorCosts prior_costs(const PriorPiece& piece, const Vector& old_prior, const Vector& prior,
                       const CaseCost& cost, const Context& context);

}  // namespace bayesrisk
