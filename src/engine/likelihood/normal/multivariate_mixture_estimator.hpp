#pragma once

#include <engine/likelihood/normal/multivariate_gaussian_estimator.hpp>
#include <engine/likelihood/normal/multivariate_mixture_starts.hpp>

#include <memory>

namespace bayesrisk {

// Fits mixtures to the rows of one class by expectation-maximisation (Dempster, Laird and Rubin
// 1977).
class BlockFitter {
 public:
  BlockFitter(const RowPoints& points, const IntVector& kept, const MixtureOptions& options,
              const Classes& classes);

  // The candidate with the best criterion; none if every start of every candidate was given up.
  // Each component borrows `borrow` cases from the class. A class never has more components than
  // different rows.
  BlockTerms best_candidate(double borrow) const;

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
  static constexpr int kShortRun = 50, kLongRun = 3000, kFinalists = 5;
  static constexpr double kGain = 1e-10;  // of the log likelihood per case: no further step

  // The best terms of all starts. Each start runs a little. A fifth of them run to the end, or a
  // few if there are few. If they read some of the rows only, the best goes on with all rows.
  BlockTerms fit(int count, double borrow) const;

  // Steps until the log likelihood hardly grows. No terms if a component has no spread or no case:
  // without borrowed cases the likelihood has no bound there.
  BlockTerms climb(BlockTerms terms, const StandardRows& rows, int steps, double borrow) const;

  // One component is the normal of the class.
  BlockTerms normal(double borrow) const;

  const MixtureOptions& options_;
  const Classes& classes_;
  Eigen::RowVectorXd first_, middle_;  // their sum is the mean of the class
  Matrix factor_;
  Index different_;
  std::unique_ptr<BlockStarts> starts_;
  std::unique_ptr<StandardRows> rows_;
};

// Finds the mixture of each class. A class without a covariance of its own has one component: the
// normal that a Gaussian borrows.
class MixtureEstimator {
 public:
  using Parameters = MultivariateMixture::Parameters;

  // `normal`: the Gaussian of largest likelihood, and `found` its problems. `feature`: that of
  // problems; kAll for a block.
  MixtureEstimator(MultivariateGaussian::Parameters normal, const Diagnostics& found,
                   const std::vector<RowPoints>& points, int feature, const MixtureOptions& options,
                   const Classes& classes, Diagnostics& diagnostics);

  Parameters estimate();

 private:
  bool has_own_covariance(int g) const;

  void add_group(int g);

  // Terms in the order of their means.
  void add_terms(int g, const BlockFitter& fitter, const BlockTerms& best, const IntVector& kept);

  void add_normal(int g);

  // Makes room for the terms of a class; returns the number of terms before them.
  Index start_group(int count);

  const MultivariateGaussian::Parameters normal_;
  const Diagnostics& found_;
  const std::vector<RowPoints>& points_;
  int feature_;
  const MixtureOptions& options_;
  const Classes& classes_;
  Diagnostics& diagnostics_;
  Parameters p_;
};

}  // namespace bayesrisk
