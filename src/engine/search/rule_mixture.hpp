#pragma once

#include <engine/core/types.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bayesrisk {

// Finds the mixture of rules whose largest class risk is smallest, and its least favourable prior.
// Rules are columns of class risks, all positive. The linear program is: maximise the sum of y with
// risks y <= 1 and y >= 0. The simplex method solves it.
class RuleMixture {
 public:
  explicit RuleMixture(Index classes)
      : classes_(classes), basis_(static_cast<std::size_t>(classes)) {
    for (Index k = 0; k < classes; ++k) basis_[static_cast<std::size_t>(k)] = -1 - k;
  }

  void add(const Eigen::VectorXd& risks) { rules_.push_back(risks); }

  // Returns false if rounding errors dominate.
  bool solve();

  Eigen::VectorXd prior() const {
    const Eigen::VectorXd positive = price_.cwiseMax(0.0);
    return positive / positive.sum();
  }

  double value() const { return 1 / price_.sum(); }

 private:
  static constexpr double kZero = 1e-14;
  static constexpr Index kNone = std::numeric_limits<Index>::min();

  // Column j of the program: a rule, or for j < 0 the slack of class -1 - j.
  Eigen::VectorXd column(Index j) const {
    return j < 0 ? Eigen::VectorXd(Eigen::VectorXd::Unit(classes_, -1 - j))
                 : rules_[static_cast<std::size_t>(j)];
  }
  double gain(Index j) const { return j < 0 ? 0.0 : 1.0; }

  Matrix basis_matrix() const;
  Eigen::VectorXd basis_gain() const;

  Index best_column() const;

  bool enter(Index entering);

  Index classes_;
  std::vector<Eigen::VectorXd> rules_;
  std::vector<Index> basis_;
  Eigen::FullPivLU<Matrix> factor_;
  Eigen::VectorXd price_;
};

}  // namespace bayesrisk
