#pragma once

#include <engine/core/context.hpp>
#include <engine/risk/bounds.hpp>
#include <engine/risk/ratio_risk.hpp>

namespace bayesrisk {

// The densities from which rows are drawn for the risks of a world: its classes, and between two
// classes the tilted density that is centred where the best rule changes its action. If errors are
// rare, they lie there. All have the same share of the rows. A row counts for each class with the
// density of the class divided by the mixture of all (the balance heuristic: Veach and Guibas 1995;
// Owen and Zhou 2000, J. Amer. Statist. Assoc. 95, 135-143). The mixture is a model whose classes
// are the densities.
//
// The regret of the best rule has a bound. Let v_k be the prior of class k times its largest
// regret, and i the class with the largest v_k p_k. The action that is best for i costs at most the
// sum over k of v_k p_k. Each term is at most (v_i p_i)^(1 - s) (v_k p_k)^s, whose integral is
// Chernoff's bound.
class Proposal {
 public:
  Proposal(const View& world, const Cost& cost, const Context& context);

  const ModelPlan& plan() const { return plan_; }
  const std::vector<AnyParameters>& parameters() const { return parameters_; }
  // 1 for each density that is drawn.
  const Vector& prior() const { return density_prior_; }
  const IntVector& densities() const { return densities_; }

  // The share of the cost that `rows` rows can miss: that of an event that one row would represent,
  // and that of pairs without a tilted density. `best`: of the best rule, otherwise of any rule.
  double unseen(double rows, bool best) const;

 private:
  static constexpr std::size_t kMostTilts = 128;
  static constexpr double kMostCells = 2e5, kRare = 0.7, kMostErrors = 2, kNegligible = 1e-5,
                          kInside = 1e-3;

  // The densities between two classes, one for each cut of the log ratio; `log_bound` is that of
  // the product of v_i^(1 - s), v_j^s and the normaliser.
  struct Pair {
    int i, j;
    Vector tilt;
    double log_bound;
    bool drawn = false;
  };

  // Sets share_ and worst_: the regret, in class k, of the action that is best for class i.
  void read_regrets(const Cost& cost);

  bool matters(int i, int j) const {
    return std::min(worst_[i], worst_[j]) > 0 && (share_(i, j) > 0 || share_(j, i) > 0);
  }

  // A table has as many terms as cells. Many pairs of large tables would take more time than rows.
  bool is_small() const;

  void find_pairs(const View& world, const Cost& cost, const Context& context);

  // None if a bank has no tilted density.
  static std::vector<AnyTilt> tilts_of(const View& world, int i, int j);

  Pair find_pair(const std::vector<AnyTilt>& tilts, const Cost& cost, int i, int j) const;

  double importance(const Pair& pair) const {
    return std::max(share_(pair.i, pair.j), share_(pair.j, pair.i)) * std::exp(pair.log_bound);
  }

  double least_of(const Pair& pair) const { return std::min(worst_[pair.i], worst_[pair.j]); }

  // The rows of the classes themselves find errors of which this is large.
  double share_of_least(const Pair& pair) const {
    return std::exp(pair.log_bound) / least_of(pair);
  }

  // The pairs that matter for the risk. More densities take more time, so they are drawn only if
  // errors are rare enough.
  void choose_pairs();

  void mark_drawn(const Pair& pair);

  void add_densities(const View& world);

  void find_bounds();

  const Vector& prior_;
  ModelPlan plan_;
  std::vector<AnyParameters> parameters_;
  Vector density_prior_;
  IntVector densities_;
  Eigen::VectorXd worst_;  // v of each class
  // Class i (row) x class k (column). The best action of class i has a regret in class k. share_:
  // this regret, divided by the largest regret in class k. bound_: a bound of its expected cost.
  // weight_: a bound of the cost that one row of a single density would represent.
  Matrix share_, bound_, weight_;
  std::vector<Pair> pairs_;
};

}  // namespace bayesrisk
