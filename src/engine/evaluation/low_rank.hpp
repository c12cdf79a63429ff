#pragma once

#include <engine/core/types.hpp>

#include <functional>

namespace bayesrisk {

// The information matrix ridge I + root'root of more variables than terms. Equations are solved in
// the space of the terms (Woodbury's identity), so no matrix of the variables is needed.
class LowRank {
 public:
  Matrix root;  // term x variable
  double ridge = 0;

  bool empty() const { return root.size() == 0; }

  // Whether the identity loses few digits.
  bool precise() const { return ridge > kPrecise * root.squaredNorm(); }

  Matrix full() const;

  Eigen::VectorXd times(const Eigen::VectorXd& x) const {
    return ridge * x + root.transpose() * (root * x);
  }

  // The x with (ridge I + root root') x = right, where only open variables count. The equations of
  // the last open variables stay factorised.
  Eigen::VectorXd solve(const std::vector<char>& open, const Eigen::VectorXd& right);

 private:
  static constexpr double kPrecise = 1e-11;

  void open_only(const std::vector<char>& open);

  void add_products(const IntVector& variables, double sign);

  std::vector<char> open_;
  Matrix products_;  // root root' of the open variables, its lower triangle
  Matrix factor_;
};

// The step d that maximises a concave quadratic, gradient'd - d'information d / 2, where the first
// variables of from + d are at least 0. Its dual is a problem in y = root d without limits: d is
// the larger of (gradient - root'y) / ridge and -from, and y minimises a convex function, whose
// gradient y - root d is linear in pieces. Newton's method with line search ends in the piece of
// the minimum (semismooth Newton; Li, Sun and Toh 2018, SIAM J. Optim. 28, 433-458), and many
// variables become 0 in one of its steps.
class DualStep {
 public:
  // `check` is called at times: see Context.
  DualStep(const Eigen::VectorXd& from, const Eigen::VectorXd& gradient, LowRank& information,
           int floored, std::function<void()> check);

  Eigen::VectorXd find();

 private:
  static constexpr int kMostSteps = 200;
  static constexpr double kRounding = 1e-13;

  struct Place {
    Eigen::VectorXd y, d, slope;
    double value;
  };

  Place at(const Eigen::VectorXd& y) const;

  // The variables that are not at their limit.
  std::vector<char> open() const;

  // Moves along the step, or a part of it, if the function falls. Returns the part, or 0.
  double move(const Eigen::VectorXd& step);

  const Eigen::VectorXd &from_, &gradient_;
  LowRank& information_;
  const int floored_;
  const std::function<void()> check_;
  Place here_;
};

}  // namespace bayesrisk
