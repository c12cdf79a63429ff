#pragma once

#include <engine/evaluation/prior_fit.hpp>

namespace bayesrisk {

// The errors of densities that were estimated from training rows, as errors of the mean gradient of
// the likelihood of a prior.
class TrainingError {
 public:
  // The other densities of the samples are those under draws of the parameters. Without draws a
  // bound serves that holds for every way to estimate densities: each is at most as uncertain as
  // the mean over its rows. `cases`: the training rows of each class; infinite: the density is
  // known.
  TrainingError(std::vector<SampledRows> samples, int draws, const Vector& cases,
                const Context& context)
      : samples_(std::move(samples)), draws_(draws), cases_(cases), context_(context) {}

  // The covariance of the mean gradient at a prior.
  Matrix covariance(const Eigen::VectorXd& prior) const;

 private:
  Matrix over_draws(const Eigen::VectorXd& prior) const;

  Matrix bound(const Eigen::VectorXd& prior) const;

  // Adds the gradients of the rows, times their weights.
  void add_gradients(const SampledRows& sample, const double* likelihood,
                     const Eigen::VectorXd& prior, Eigen::Ref<Eigen::VectorXd> sum) const;

  double total() const;

  std::vector<SampledRows> samples_;
  int draws_;
  const Vector& cases_;
  const Context& context_;
};

// The factors by which the errors of the densities raise the variances of the probabilities.
// `training`: the covariance of the mean gradient; `total`: the weight of the rows; `open`: whether
// a class may have a probability.
Vector variance_growth(const PriorFit& fit, const Matrix& training, double total,
                       const IntVector& open);

// The part of the deviance of a prior that is left with these errors: the ratio of the score
// statistics with and without them. `at`: the likelihood at this prior.
double deviance_share(const PriorLikelihood& at, const Matrix& training, double total,
                      const IntVector& open);

}  // namespace bayesrisk
