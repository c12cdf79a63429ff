#pragma once

#include <engine/likelihood/normal/covariance_estimator.hpp>
#include <engine/likelihood/normal/gaussian_em.hpp>

#include <numeric>

namespace bayesrisk {

// The factor of a block of `size` features, from that of the features that are kept.
Matrix whole_factor(const Matrix& factor, const IntVector& kept, Index size);

// Estimates a block without the features that have the same value in all rows of the scatter.
class BlockEstimator {
 public:
  using Likelihood = MultivariateGaussian;

  BlockEstimator(const Likelihood::Plan& plan, const Scatter& scatter, const Classes& classes,
                 Diagnostics& diagnostics)
      : plan_(plan), scatter_(scatter), classes_(classes), diagnostics_(diagnostics) {
    for (int j = 0; j < plan.size(); ++j) add_feature(j);
  }

  Likelihood::Parameters estimate(const Likelihood::Options& options);

 private:
  // Finds the mean of a feature over all complete rows. A feature with a single value is left out.
  void add_feature(int j);

  void set_means();

  // The covariances of the features that are kept.
  void take(const Scatter& scatter, const IntVector& features, const Likelihood::Options& options);

  const Likelihood::Plan& plan_;
  const Scatter& scatter_;
  const Classes& classes_;
  Diagnostics& diagnostics_;
  Likelihood::Parameters p_;
  std::vector<MeanOfClasses> mean_;  // of each feature
};

}  // namespace bayesrisk
