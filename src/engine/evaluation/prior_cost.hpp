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

// The decisions of the rows of a tile under a prior.
struct PriorDecisions {
  const PriorPiece& piece;
  const Vector& prior;
  const int classes = static_cast<int>(prior.size()), capacity = Tile::fitting_rows(classes);
  TileCost cost;
  Ranking ranking{capacity};
  Vector weight, sum;

  PriorDecisions(const PriorPiece& rows, const Vector& of_classes, const CaseCost& costs)
      : piece(rows),
        prior(of_classes),
        cost(costs, capacity),
        weight(static_cast<std::size_t>(classes) * capacity),
        sum(capacity) {}

  void decide(Index begin, int rows) {
    const int stride = Tile::padded(rows);
    std::fill_n(sum.begin(), stride, 0.0);
    for (int k = 0; k < classes; ++k) {
      double* to = weight.data() + static_cast<std::size_t>(k) * stride;
      const double* from = piece.of_class(k) + begin;
      for (int r = 0; r < stride; ++r) to[r] = r < rows ? prior[k] * from[r] : 0.0;
      simd::add(to, stride, sum.data());
    }
    // A class is impossible if its weight is 0.
    cost.evaluate({classes, rows, stride, weight.data(), nullptr, weight.data(), 0.0, 0.0}, begin);
    ranking.rank(cost.expected(), cost.actions(), stride, cost.size());
  }

  // The cost, expected under this prior, of the action that a ranking puts first.
  double of(const Ranking& given, int r) const {
    if (given.unknown(r)) return kNaN;
    return cost.expected(static_cast<int>(given.first()[r]))[r] / sum[r];
  }
};

inline PriorCosts prior_costs(const PriorPiece& piece, const Vector& old_prior, const Vector& prior,
                              const CaseCost& cost, const Context& context) {
  return merge_by_rows(piece.rows, context, PriorCosts(), [&](Index first, Index last) {
    context.check();
    PriorCosts costs;
    PriorDecisions old(piece, old_prior, cost), now(piece, prior, cost);
    for (Index begin = first; begin < last; begin += now.capacity) {
      const int rows = static_cast<int>(std::min<Index>(now.capacity, last - begin));
      old.decide(begin, rows);
      now.decide(begin, rows);
      for (int r = 0; r < rows; ++r) {
        const double weight = piece.weight[begin + r];
        if (!(weight > 0) || !(now.sum[r] > 0) || !(old.sum[r] > 0)) continue;
        const double kept = now.of(old.ranking, r), fresh = now.of(now.ranking, r);
        if (std::isnan(kept) || std::isnan(fresh)) {
          ++costs.unpriced;
          continue;
        }
        costs.weight += weight;
        costs.kept += weight * kept;
        costs.fresh += weight * fresh;
      }
    }
    return costs;
  });
}

}  // namespace bayesrisk
