#pragma once

#include <engine/evaluation/newton.hpp>
#include <engine/evaluation/temper_cases.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// Sums the log posterior of the true class, which is minus the log loss, over some slices of cases.
// The variables: the exponent of each part, and then the offset of each class, if offsets are
// estimated.
class LogPosteriorSummer {
 public:
  enum class Information { kNone, kMatrix, kTerms };

  LogPosteriorSummer(const TemperCases& cases, const Eigen::VectorXd& at, bool offsets,
                     Information information);

  // Adds the first `most` cases of a slice.
  void add(const TemperSlice& slice, int most);

  LogLikelihood sum() {
    if (information_ == Information::kMatrix)
      sum_.information.triangularView<Eigen::StrictlyUpper>() = sum_.information.transpose();
    return std::move(sum_);
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

  // The posterior of each class; that of the truth is 1 by the sum of the odds of the classes
  // against it. Improbabilities are minus the logarithms of these odds.
  void compute_posterior();

  // Reads the numbers of the slice in their order.
  void find_improbabilities();

  // The posterior of the truth may be too small for a number.
  void add_far();

  // The mean of the scores over the posterior. The score of the truth is 0; the score of an offset
  // is 1 in its class and 0 in the others, minus that of the truth.
  void add_gradient();

  // The covariance of the scores over the posterior.
  void add_information();

  // The same, by a root of it: in each case, a term for each class other than the truth.
  void add_terms();

  // `scores`: the score of the variable in a class, by case.
  template <class Scores>
  void add_terms_of(int variable, const Scores& scores);

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
  const Information information_;
  LogLikelihood sum_;
  const TemperSlice* slice_ = nullptr;
  int rows_ = 0;
  const double* weight_ = nullptr;
  Column least_, total_, mean_;
  Eigen::ArrayXXd improbability_, p_;
  Eigen::ArrayXXd centred_;  // (class x row) x variable
  const simd::TileLoops& loops_ = simd::tile_loops();
};

}  // namespace bayesrisk
