#pragma once

#include <engine/marginal/marginal.hpp>
#include <engine/regions/marginal_regions.hpp>
#include <engine/strategy/number_test.hpp>

namespace bayesrisk {

// A numeric feature as a test.
class MarginalTest : public NumberTest {
 public:
  // `possible`: whether each class is. The densities of the others are never evaluated.
  MarginalTest(Marginal marginal, std::vector<char> possible)
      : marginal_(std::move(marginal)), possible_(std::move(possible)) {}

  Vector cuts(int count) const override;
  Matrix probabilities(const Vector& cuts) const override;
  Eigen::VectorXd log_densities(double x) const override;
  bool is_constant() const override;
  bool has_gaps(Index of) const override;
  Regions regions(const Eigen::VectorXd& weight, const Cost& cost) const override;

 private:
  LogRange log_ratios(Index above, Index below, double from, double to) const override;
  LogSlopes log_slopes(Index above, Index below, double from, double to) const override;

  double loss(const Eigen::VectorXd& mass, double from, double to) const;
  Vector spread(const Vector& x, int count) const;

  const Marginal marginal_;
  const std::vector<char> possible_;
};

}  // namespace bayesrisk
