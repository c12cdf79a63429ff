#pragma once

#include <engine/marginal/marginal.hpp>
#include <engine/regions/marginal_regions.hpp>

namespace bayesrisk {

// A number as a test of a case. Its density in each class is known.
class NumberTest {
 public:
  // `possible`: whether each class is. The densities of the others are never evaluated.
  NumberTest(Marginal marginal, std::vector<char> possible)
      : marginal_(std::move(marginal)), possible_(std::move(possible)) {}

  // Increasing cuts, about `count` of them where the density is continuous.
  Vector cuts(int count) const;

  // P(value in interval i | class), classes x intervals. A value on a cut belongs to its right.
  Matrix probabilities(const Vector& cuts) const;

  // Finitely many answers that say at least as much about the class as the number does: columns of
  // P(answer | class). Each interval is replaced by a mixture of ratios of densities, the corners
  // of a simplex that contains all ratios of the interval. The better informed have the lower
  // expected cost (Blackwell 1951), so these answers bound it from below.
  Matrix finer_answers(int count) const;

  // The densities of a value in each class, relative to the largest.
  Eigen::VectorXd densities(double x) const;

  // Where each row of `cost` is the least, if the classes have these weights.
  Regions regions(const Eigen::VectorXd& weight, const Cost& cost) const;

 private:
  class Simplex;

  const Marginal marginal_;
  const std::vector<char> possible_;
};

}  // namespace bayesrisk
