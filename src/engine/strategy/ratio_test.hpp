#pragma once

#include <engine/risk/quadratic_law.hpp>
#include <engine/strategy/number_test.hpp>
#include <engine/world/conditional.hpp>

namespace bayesrisk {

// Numbers that are jointly normal in two classes, measured at once. All that they say about the
// classes is the log ratio of their densities, second over first, so this ratio is the number. Its
// law in each class is that of a quadratic form.
class RatioTest : public NumberTest {
 public:
  // `first`, `second`: the possible ones of `classes` classes.
  RatioTest(const Conditional& of_first, const Conditional& of_second, int first, int second,
            Index classes);

  Vector cuts(int count) const override;
  Matrix probabilities(const Vector& cuts) const override;
  Eigen::VectorXd log_densities(double log_ratio) const override;
  Regions regions(const Eigen::VectorXd& weight, const Cost& cost) const override;

  int second() const { return second_; }

  // That of the second class after a log ratio.
  double probability(double log_ratio, const Eigen::VectorXd& weight) const;

 private:
  LogRange log_ratios(Index above, Index below, double from, double to) const override;

  // Beyond them the ratio tells the class, or hardly any value lies.
  LogRange ends() const;

  const int first_, second_;
  const Index classes_;
  std::vector<QuadraticLaw> law_;  // in the first and in the second class
};

}  // namespace bayesrisk
