#pragma once

#include <engine/core/log_math.hpp>
#include <engine/decision/cost.hpp>
#include <engine/decision/ranking.hpp>

namespace bayesrisk {

// The expected cost of each action, given the posterior probabilities of one case. TileCost and
// Ranking apply the same rules to tiles of rows.
class ExpectedCost {
 public:
  explicit ExpectedCost(const Cost& cost) {
    for (Index k = 0; k < cost.of.cols(); ++k) {
      for (Index a = 0; a < cost.of.rows(); ++a) {
        if (!std::isfinite(cost.of(a, k))) not_finite_.push_back({a, k, cost.of(a, k)});
      }
    }
    finite_ = cost.of.array().isFinite().select(cost.of, 0.0);
    magnitude_ = finite_.cwiseAbs();
  }

  // `posterior` and `log_joint`: one number per class. An infinite or unknown cost counts unless
  // its class is impossible by `log_joint`; a probability that underflowed does not make it
  // impossible.
  void evaluate(const Eigen::VectorXd& posterior, const Eigen::VectorXd& log_joint,
                Eigen::VectorXd& expected) const {
    expected.noalias() = finite_ * posterior;
    for (const Entry& entry : not_finite_) {
      if (log_joint[entry.truth] != kNegativeInfinity) expected[entry.action] += entry.cost;
    }
  }

  // The cheapest action, from 0. Among tied actions, the first one.
  int choose(const Eigen::VectorXd& posterior, const Eigen::VectorXd& expected) {
    const double smallest = expected.minCoeff();
    if (std::isinf(smallest)) return 0;
    absolute_.noalias() = magnitude_ * posterior;
    const double band = kTie * absolute_.maxCoeff();
    int action = 0;
    while (expected[action] - smallest > band) ++action;
    return action;
  }

 private:
  struct Entry {
    Index action, truth;
    double cost;
  };
  std::vector<Entry> not_finite_;
  Matrix finite_, magnitude_;
  Eigen::VectorXd absolute_;
};

}  // namespace bayesrisk
