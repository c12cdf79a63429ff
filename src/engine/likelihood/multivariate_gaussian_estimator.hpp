#pragma once

#include <engine/likelihood/covariance_estimator.hpp>
#include <engine/likelihood/gaussian_em.hpp>

#include <numeric>

namespace bayesrisk {

// The factor of a block of `size` features, from that of the features that are kept.
inline Matrix whole_factor(const Matrix& factor, const IntVector& kept, Index size) {
  Matrix whole = Matrix::Identity(size, size);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    for (std::size_t j = 0; j < kept.size(); ++j) {
      whole(kept[i], kept[j]) = factor(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
  return whole;
}

// Estimates a block without the features that have the same value in all rows of the scatter.
class BlockEstimator {
 public:
  using Likelihood = MultivariateGaussian;

  BlockEstimator(const Likelihood::Plan& plan, const Scatter& scatter, const Classes& classes,
                 Diagnostics& diagnostics)
      : plan_(plan), scatter_(scatter), classes_(classes), diagnostics_(diagnostics) {
    for (int j = 0; j < plan.size(); ++j) add_feature(j);
  }

  Likelihood::Parameters estimate(const Likelihood::Options& options) {
    set_means();
    const IntVector kept = p_.kept();
    const int size = static_cast<int>(kept.size());
    if (size == plan_.size()) {
      p_.factor =
          CovarianceEstimator(scatter_, plan_.features, options, classes_, diagnostics_).factors();
      return std::move(p_);
    }
    if (size == 0) {
      p_.factor = {Matrix::Identity(plan_.size(), plan_.size())};
      return std::move(p_);
    }
    Scatter part(classes_.count(), size);
    IntVector group(classes_.weight.size()), features;
    std::iota(group.begin(), group.end(), 0);
    part.copy_columns(scatter_, kept, group);
    for (int j : kept) features.push_back(plan_.features[j]);
    for (const Matrix& u :
         CovarianceEstimator(part, features, options, classes_, diagnostics_).factors()) {
      p_.factor.push_back(whole_factor(u, kept, plan_.size()));
    }
    return std::move(p_);
  }

 private:
  // Finds the mean of a feature over all complete rows. A feature with a single value is left out.
  void add_feature(int j) {
    MeanOfClasses mean;
    bool spreads = false;
    for (int g = 0; g < classes_.count(); ++g) {
      mean.add(scatter_.weight(g, 0), {scatter_.mean(g, j), scatter_.mean_low(g, j)});
      const double square = scatter_.triangle[g].col(j).squaredNorm();
      spreads = spreads || has_spread(square) || std::isnan(square);  // NaN: it overflowed
    }
    mean_.push_back(mean);
    const bool leaves_out = classes_.borrow && mean.weight > 0 && mean.equal && !spreads;
    if (!leaves_out) return;
    p_.left_out.set(j, plan_.size());
    diagnostics_.add(Problem::left_out, kAll, plan_.features[j], 0);
  }

  void set_means() {
    p_.mean = scatter_.mean;
    p_.mean_low = scatter_.mean_low;
    for (int g = 0; g < classes_.count(); ++g) {
      if (classes_.has_rows(g) && scatter_.weight(g, 0) > 0) continue;
      const bool borrows = classes_.has_rows(g) && classes_.borrow && mean_[0].weight > 0;
      for (int j = 0; j < plan_.size(); ++j) {
        p_.mean(g, j) = borrows ? mean_[j].mean.high : kNaN;
        p_.mean_low(g, j) = borrows ? mean_[j].mean.low : kNaN;
      }
      if (classes_.has_rows(g) && !borrows) diagnostics_.add(Problem::empty, g, kAll, 0);
    }
  }

  const Likelihood::Plan& plan_;
  const Scatter& scatter_;
  const Classes& classes_;
  Diagnostics& diagnostics_;
  Likelihood::Parameters p_;
  std::vector<MeanOfClasses> mean_;  // of each feature
};

// The dependences among the features of a block, within a class or within all classes (kAll).
inline Dependences find_dependences(const Scatter& scatter, int group) {
  if (group != kAll) return find_dependences(scatter.triangle[group]);
  Matrix all = scatter.triangle[0];
  for (std::size_t g = 1; g < scatter.triangle.size(); ++g) {
    all = triangle_of_rows(stack(all, scatter.triangle[g]));
  }
  return find_dependences(all);
}

inline MultivariateGaussian::Parameters MultivariateGaussian::estimate(const Plan& plan,
                                                                       const Statistics& statistics,
                                                                       const Options& options,
                                                                       const Classes& classes,
                                                                       Diagnostics& diagnostics) {
  if (!plan.em) {
    return BlockEstimator(plan, statistics.scatter, classes, diagnostics).estimate(options);
  }
  const bool one = options.pooled || options.shrinkage == 1;
  const Scatter expected = EmScatter(statistics, classes, diagnostics).find(one);
  return BlockEstimator(plan, expected, classes, diagnostics).estimate(options);
}

// The trace of S^-1 R'R, where S = U'U, is the squared norm of R U^-1.
inline double MultivariateGaussian::log_likelihood(const Plan& plan, const Statistics& statistics,
                                                   const Parameters& parameters) {
  if (plan.em) return em_log_likelihood(statistics, parameters);
  const auto kept = static_cast<double>(parameters.kept().size());
  double total = 0;
  for (int g = 0; g < statistics.scatter.weight.rows(); ++g) {
    const double weight = statistics.scatter.weight(g, 0);
    if (weight <= 0) continue;
    const Matrix& u = parameters.factor_of(g);
    total -= weight * (kept * kHalfLogTwoPi + half_log_determinant(u)) +
             0.5 * squared_norm_of_ratio(statistics.scatter.triangle[g], u);
  }
  return total;
}

}  // namespace bayesrisk
