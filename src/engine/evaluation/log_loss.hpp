#pragma once

#include <engine/evaluation/temper_cases.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// A weighted sum of log losses, minus the log posterior of the true class, with its gradient and
// Hessian. The variables: the exponent of each part, and then the offset of each class, if offsets
// are estimated.
struct LogLoss {
  double value = 0;
  Eigen::VectorXd gradient;
  Matrix hessian;

  explicit LogLoss(int size = 0)
      : gradient(Eigen::VectorXd::Zero(size)), hessian(Matrix::Zero(size, size)) {}
  void merge(const LogLoss& other);
};

enum class Derivatives { none, gradient, hessian };

// Sums the log loss over some slices of cases.
class LogLossSummer {
 public:
  LogLossSummer(const TemperCases& cases, const Eigen::VectorXd& at, bool offsets);

  // Adds the first `most` cases of a slice.
  void add(const TemperSlice& slice, int most, Derivatives derivatives);

  LogLoss sum() {
    loss_.hessian.triangularView<Eigen::StrictlyUpper>() = loss_.hessian.transpose();
    return std::move(loss_);
  }

 private:
  static constexpr int kSlice = TemperCases::kSlice;
  // exp() of more could overflow a sum.
  static constexpr double kFar = 600;
  using Numbers = Eigen::Map<const Eigen::ArrayXd>;
  using Column = Eigen::Array<double, kSlice, 1>;

  Numbers base(int k) const { return Numbers(cases_.column(*slice_, 0, k), rows_); }
  Numbers score(int c, int k) const { return Numbers(cases_.column(*slice_, 1 + c, k), rows_); }
  auto improbability(int k) { return improbability_.col(k).head(rows_); }
  auto p(int k) { return p_.col(k).head(rows_); }
  int truth() const { return slice_->truth; }

  // The centred scores of a variable in a class, times the root of the weight of the class.
  auto centred(int variable, int k) {
    return centred_.col(variable).segment(static_cast<Index>(k) * rows_, rows_);
  }

  // The posterior of each class; the loss is the log of the sum of the odds of the classes against
  // the truth. Improbabilities are minus the logarithms of these odds.
  void compute_posterior();

  // Reads the numbers of the slice in their order.
  void find_improbabilities();

  // The posterior of the truth may be too small for a number.
  void add_far_losses();

  // The mean of the scores over the posterior. The score of the truth is 0; the score of an offset
  // is 1 in its class and 0 in the others, minus that of the truth.
  void add_gradient();

  // The covariance of the scores over the posterior.
  void add_hessian();

  // One exponent is the only variable, and `mean_` the mean of its scores.
  void add_variance();

  void find_mean(int c);

  template <class Values>
  double weighted_sum(const Values& x) const {
    return weight_ ? (Numbers(weight_, rows_) * x).sum() : x.sum();
  }

  const TemperCases& cases_;
  const Eigen::VectorXd& at_;
  const bool offsets_;
  LogLoss loss_;
  const TemperSlice* slice_ = nullptr;
  int rows_ = 0;
  const double* weight_ = nullptr;
  Column least_, total_, mean_;
  Eigen::ArrayXXd improbability_, p_;
  Eigen::ArrayXXd centred_;  // (class x row) x variable
  const simd::TileLoops& loops_ = simd::tile_loops();
};

}  // namespace bayesrisk
