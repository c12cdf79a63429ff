#pragma once

#include <engine/likelihood/normal/multivariate_gaussian_estimator.hpp>
#include <engine/likelihood/normal/multivariate_mixture_starts.hpp>

#include <memory>

namespace bayesrisk {

// Fits mixtures to the rows of one class by expectation-maximisation.
class BlockFitter {
 public:
  BlockFitter(const RowPoints& points, const IntVector& kept, const MixtureOptions& options,
              const Classes& classes);

  // The best of all starts. If they read some of the rows only, the best goes on with all rows.
  BlockTerms fit(int count, double borrow) const;

  // The mean and the factor of a term in units of the features.
  DoubleDouble mean(const BlockTerms& terms, int t, Index j) const {
    const double away = factor_.col(j).head(j + 1).dot(terms.mean.col(t).head(j + 1));
    return two_sum(first_[j], middle_[j] + away);
  }
  Matrix factor(const BlockTerms& terms, int t) const {
    const Matrix product = terms.factor[t].triangularView<Eigen::Upper>() * factor_;
    return product.triangularView<Eigen::Upper>();
  }

 private:
  using Search = MixtureSearch;

  // One component is the normal of the class.
  BlockTerms normal(double borrow) const;

  const MixtureOptions& options_;
  const Classes& classes_;
  Eigen::RowVectorXd first_, middle_;  // their sum is the mean of the class
  Matrix factor_;
  std::unique_ptr<BlockStarts> starts_;
  std::unique_ptr<StandardRows> rows_;
};

// Finds the mixture of each class. A class without a covariance of its own has one component: the
// normal that a multivariate Gaussian borrows.
class BlockMixtureEstimator {
 public:
  using Block = MultivariateGaussian;

  BlockMixtureEstimator(const MultivariateMixture::Plan& plan,
                        const MultivariateMixture::Statistics& statistics,
                        const MultivariateMixture::Options& options, const Classes& classes,
                        Diagnostics& diagnostics);

  MultivariateMixture::Parameters estimate();

 private:
  bool has_own_covariance(int g) const;

  void add_group(int g);

  // Terms in the order of their means.
  void add_terms(int g, const BlockFitter& fitter, const BlockTerms& best, const IntVector& kept);

  void add_normal(int g);

  // Makes room for the terms of a class; returns the number of terms before them.
  Index start_group(int count);

  const MultivariateMixture::Statistics& statistics_;
  const MultivariateMixture::Options& options_;
  const Classes& classes_;
  Diagnostics& diagnostics_;
  Diagnostics found_;  // of the multivariate Gaussian
  Block::Parameters normal_;
  MultivariateMixture::Parameters p_;
};

inline MultivariateMixture::Parameters MultivariateMixture::estimate(const Plan& plan,
                                                                     const Statistics& statistics,
                                                                     const Options& options,
                                                                     const Classes& classes,
                                                                     Diagnostics& diagnostics) {
  return BlockMixtureEstimator(plan, statistics, options, classes, diagnostics).estimate();
}

}  // namespace bayesrisk
