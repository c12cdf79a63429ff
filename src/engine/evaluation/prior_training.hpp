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

// What it adds to the covariance of the mean gradient at a prior that the rows of a cluster are not
// independent: the covariance of the sums of clusters, minus `information`, that of the sum of
// independent rows. `total`: the weight of the rows.
Matrix cluster_covariance(const std::vector<PriorPiece>& pieces, int clusters,
                          const Eigen::VectorXd& prior, const Matrix& information, double total);

// The factors by which the errors of the densities, and clusters, change the variances of the
// probabilities. `added`: the covariance of the mean gradient by them; `open`: whether a class may
// have a probability.
Vector variance_growth(const PriorFit& fit, const Matrix& added, double total,
                       const IntVector& open);

// The same for the deviance of a prior: the ratio of the score statistics with and without them.
// `at`: the likelihood at this prior.
double deviance_share(const LogLikelihood& at, const Matrix& added, double total,
                      const IntVector& open);

}  // namespace bayesrisk
