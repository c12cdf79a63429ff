#pragma once

#include <engine/core/types.hpp>

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
  bool solve() {
    constexpr int kMostPivots = 10000;
    for (int pivot = 0; pivot < kMostPivots; ++pivot) {
      factor_ = basis_matrix().fullPivLu();
      if (!factor_.isInvertible()) return false;
      price_ = factor_.transpose().solve(basis_gain());
      const Index entering = best_column();
      if (entering == kNone) return price_.sum() > 0;
      if (!enter(entering)) return false;
    }
    return false;
  }

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

  Matrix basis_matrix() const {
    Matrix result(classes_, classes_);
    for (Index i = 0; i < classes_; ++i)
      result.col(i) = column(basis_[static_cast<std::size_t>(i)]);
    return result;
  }
  Eigen::VectorXd basis_gain() const {
    Eigen::VectorXd result(classes_);
    for (Index i = 0; i < classes_; ++i) result[i] = gain(basis_[static_cast<std::size_t>(i)]);
    return result;
  }

  Index best_column() const {
    Index best = kNone;
    double most = kZero;
    for (Index j = -classes_; j < static_cast<Index>(rules_.size()); ++j) {
      if (std::find(basis_.begin(), basis_.end(), j) != basis_.end()) continue;
      const double reduced = gain(j) - price_.dot(column(j));
      if (reduced > most) {
        most = reduced;
        best = j;
      }
    }
    return best;
  }

  bool enter(Index entering) {
    const Eigen::VectorXd now = factor_.solve(Eigen::VectorXd::Ones(classes_));
    const Eigen::VectorXd change = factor_.solve(column(entering));
    Index leaving = -1;
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < classes_; ++i) {
      if (change[i] <= kZero) continue;
      const double ratio = std::max(0.0, now[i]) / change[i];
      if (ratio < least) {
        least = ratio;
        leaving = i;
      }
    }
    if (leaving < 0) return false;
    basis_[static_cast<std::size_t>(leaving)] = entering;
    return true;
  }

  Index classes_;
  std::vector<Eigen::VectorXd> rules_;
  std::vector<Index> basis_;
  Eigen::FullPivLU<Matrix> factor_;
  Eigen::VectorXd price_;
};

}  // namespace bayesrisk
