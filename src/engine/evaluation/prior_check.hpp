#pragma once

#include <engine/evaluation/prior_fit.hpp>

namespace bayesrisk {

// Whether a feature alone contradicts the prior that all features together give.
struct FeatureCheck {
  double statistic = 0;  // chi-squared under a right model
  int degrees = 0;
};

// If the model is right, the prior that maximises the likelihood of all features also makes the
// slopes of the likelihood of each feature alone 0, up to chance. With s the slopes of a row by the
// feature and t those by all features, towards each class and away from the most probable one, the
// mean of u = s - H_st H_tt^-1 t has expectation 0 to first order. Its variance is the mean of
// u u' (1 / n + sum_k posterior_k prior_k / n_k): the second part is an upper bound of what the
// estimates of the densities add, from n_k rows of class k. With clusters the first part is the
// covariance of the sums of u over clusters.
class PriorCheck {
 public:
  // `cases`: n_k; infinite: the densities are known. `clusters`: of the samples; 0: rows are
  // independent.
  PriorCheck(std::vector<SampledRows> samples, int classes, const Vector& cases, int clusters,
             const Context& context);

  // The prior of all features in these rows. Returns whether it can be checked.
  bool fit(const Eigen::VectorXd& start);

  FeatureCheck check(int feature) const;

  // The prior by a feature alone.
  Eigen::VectorXd prior_by(int feature, const Eigen::VectorXd& start) const {
    return PriorSolver(PriorEvidence(pieces(feature), classes_, context_)).solve(start).prior;
  }

 private:
  // Slopes of rarer classes are too far from normal.
  static constexpr double kFewestCases = 10;
  static constexpr double kSingular = 1e-6;
  static constexpr int kTogether = -1;
  static constexpr Index kRowsAtOnce = 64;  // with many classes a row takes long

  struct Sums {
    double total = 0;
    Eigen::VectorXd s;
    Matrix tt, st;         // weighted
    Matrix vtt, vst, vss;  // weighted by the variance of a row

    explicit Sums(Index size = 0);
    void merge(const Sums& other);
  };

  std::vector<PriorPiece> pieces(int feature) const;

  const double* of_feature(const SampledRows& sample, int feature) const {
    return sample.others + feature * classes_ * sample.rows;
  }

  Sums sum(const SampledRows& sample, int feature, Index first, Index last) const;

  // Adds the covariance of the sums of clusters.
  void add_clusters(int feature, Sums& sums) const;

  // The slopes of log sum_k prior_k likelihood_k. Returns sum_k posterior_k prior_k / n_k.
  double slopes(const double* likelihood, Index rows, Eigen::VectorXd& slope) const;

  // Directions in which the feature says nothing beyond all features together are left out.
  FeatureCheck test(const Sums& sums) const;

  std::vector<SampledRows> samples_;
  int classes_;
  const Vector& cases_;
  int clusters_;
  const Context& context_;
  PriorEvidence evidence_;
  Eigen::VectorXd prior_;
  int reference_ = 0;
  IntVector free_;
};

}  // namespace bayesrisk
