#pragma once

#include <engine/likelihood/normal/multivariate_mixture_step.hpp>

namespace bayesrisk {

// The starts of the fits of a class: clusters and random cases. They read some of its rows only, if
// there are many.
class BlockStarts {
 public:
  // `scaled`: the rows of the class in units of the standard deviations of its features.
  BlockStarts(const Matrix& standard, const Matrix& scaled, const Eigen::ArrayXd& weight,
              const MixtureOptions& options);

  const StandardRows& rows() const { return rows_; }

  // In turn: clusters around centres of k-means++, random cases, and a division at the quantiles of
  // a feature. Distances are those in standard units, or else those between scaled features: the
  // first show clusters within a class of strong correlations, the second those behind them.
  BlockTerms first_terms(int count, int start) const;

 private:
  static constexpr int kLloyd = 20;         // steps of k-means
  static constexpr double kNarrow = 0.003;  // the smallest variance of a start
  static constexpr Index kMostRows = 4096;

  // A position, drawn by its share.
  static Index draw(const Eigen::ArrayXd& share, CounterRandom& random);

  static Matrix some_of(const Matrix& rows);

  // Equal shares, the numbers of random cases as means, and random variances.
  BlockTerms random_cases(int count, CounterRandom& random) const;

  // The part of each row if they are divided at the quantiles of a feature.
  IntVector quantiles(int feature, int count) const;

  // Each centre is a row, drawn with its squared distance from the nearest centre before.
  Matrix centres(const Matrix& x, int count, CounterRandom& random) const;

  // The nearest centre of each row, after some steps of k-means.
  IntVector nearest(const Matrix& x, Matrix centre) const;

  // Terms with the moments of the parts. No terms if a part has no row.
  BlockTerms of_parts(const IntVector& part, int count) const;

  Matrix standard_, scaled_;
  Eigen::ArrayXd weight_;
  StandardRows rows_;
  const MixtureOptions& options_;
};

}  // namespace bayesrisk
