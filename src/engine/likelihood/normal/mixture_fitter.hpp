#pragma once

#include <engine/likelihood/normal/mixture.hpp>

namespace bayesrisk {

// The components of a mixture, in standard units of the class: mean 0, variance 1.
struct MixtureTerms {
  Eigen::ArrayXd share, mean, variance;
  double log_likelihood = kNegativeInfinity;  // minus infinity: a spike, or not computed

  explicit MixtureTerms(int count = 0) : share(count), mean(count), variance(count) {}
  int count() const { return static_cast<int>(share.size()); }
};

// Fits mixtures to the values of one class, in standard units, by expectation-maximisation
// (Dempster, Laird and Rubin 1977). Starts are drawn by k-means++ (Arthur and Vassilvitskii 2007).
class MixtureFitter {
 public:
  MixtureFitter(const Points& points, const Mixture::Options& options, const Classes& classes);

  // The best of all starts. Each of them runs a little, and the best few go on. Each component
  // borrows `borrow` cases of variance 1. If that is 0, the likelihood has no bound at a spike, so
  // a run that comes near a spike is given up.
  MixtureTerms fit(int count, double borrow) const;

 private:
  using Search = MixtureSearch;
  static constexpr int kBlock = 512;

  Eigen::ArrayXd quantiles(int count) const;

  // The first start divides the values at their quantiles, the second at centres of k-means++. The
  // others have equal shares, the values of random cases as means, and random variances.
  MixtureTerms first_terms(int count, int start) const;

  // Each centre is a value, drawn with its squared distance from the nearest centre before.
  Eigen::ArrayXd centres(int count, CounterRandom& random) const;

  // The values nearest to each centre, after some steps of k-means. Nothing if a centre has none.
  MixtureTerms clusters(Eigen::ArrayXd centre) const;

  // The next terms; also sets the log likelihood of `terms`. Deviations are from the old means.
  MixtureTerms step(MixtureTerms& terms, double borrow) const;

  Eigen::ArrayXd value_, weight_;
  double total_;
  const Mixture::Options& options_;
  const Classes& classes_;
};

}  // namespace bayesrisk
