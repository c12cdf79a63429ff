#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/cost.hpp>
#include <engine/decision/ranking.hpp>

namespace bayesrisk {

// The expected cost of each action, given the posterior probabilities of one case. TileCost and
// Ranking apply the same rules to tiles of rows.
class ExpectedCost {
 public:
  explicit ExpectedCost(const Cost& cost);

  // `posterior` and `log_joint`: one number per class. An infinite or unknown cost counts unless
  // its class is impossible by `log_joint`; a probability that underflowed does not make it
  // impossible.
  void evaluate(const Eigen::VectorXd& posterior, const Eigen::VectorXd& log_joint,
                Eigen::VectorXd& expected) const;

  // The cheapest action, from 0. Among tied actions, the first one.
  int choose(const Eigen::VectorXd& posterior, const Eigen::VectorXd& expected);

 private:
  std::vector<Cost::Entry> not_finite_;
  Matrix finite_, magnitude_;
  Eigen::VectorXd absolute_;
};

}  // namespace bayesrisk
