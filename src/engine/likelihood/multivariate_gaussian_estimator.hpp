#pragma once

#include <engine/likelihood/gaussian_em.hpp>

#include <numeric>

namespace bayesrisk {

// Computes the covariance factors of a block, and reports why a factor does not exist.
class CovarianceEstimator {
 public:
  using Likelihood = MultivariateGaussian;

  CovarianceEstimator(const Scatter& scatter, const IntVector& features,
                      const Likelihood::Options& options, const Classes& classes,
                      Diagnostics& diagnostics)
      : scatter_(scatter),
        features_(features),
        options_(options),
        classes_(classes),
        diagnostics_(diagnostics) {}

  std::vector<Matrix> factors() {
    const bool one = options_.pooled || options_.shrinkage == 1;
    if (one || options_.shrinkage > 0) {
      shared_ = pooled(false);
      if (shared_.size() == 0) {
        diagnostics_.add(Problem::too_light, kAll, kAll, scatter_.weight.sum());
      }
    }
    if (one) {
      if (shared_.size() == 0) return {unknown()};
      const Matrix factor = towards_identity(shared_);
      check(factor, kAll, scatter_.rows.sum(), diagnostics_);
      return {factor};
    }
    std::vector<Matrix> result;
    for (int g = 0; g < scatter_.weight.rows(); ++g) result.push_back(of_class(g));
    return result;
  }

 private:
  Index size() const { return static_cast<Index>(features_.size()); }
  Matrix unknown() const { return Matrix::Constant(size(), size(), kNaN); }
  double divisor(int g) const { return scatter_.weight(g, 0) - (options_.unbiased ? 1 : 0); }

  Matrix of_class(int g) {
    // A class without a complete row borrows. If it may not borrow, the estimate of its mean has
    // already reported the problem.
    const bool empty = scatter_.weight(g, 0) <= 0;
    if (!classes_.has_rows(g) || (empty && !classes_.borrow)) return unknown();
    if (options_.shrinkage > 0 && shared_.size() == 0) return unknown();
    Diagnostics problems;
    Matrix own = estimate(g, problems);
    if (problems.stops() && classes_.borrow && own.allFinite()) {
      diagnostics_.add(Problem::borrowed, g, kAll, scatter_.weight(g, 0));
      const double cases = options_.borrow > 0 ? options_.borrow : static_cast<double>(size());
      own = shrunk(with_borrowed(g, cases));
      problems = Diagnostics();
      if (!lent_checked_) check_lent(problems);
      lent_checked_ = true;
    }
    diagnostics_.merge(problems);
    return own;
  }

  // Whether nothing is added to the scatter of a class, which then needs full rank.
  bool needs_full_rank() const { return options_.shrinkage == 0 && options_.identity == 0; }

  // The factor of the covariance of a class. If requested, it contains the cases that every class
  // borrows and is shrunk. Zero if there are too few rows.
  Matrix estimate(int g, Diagnostics& problems) {
    const double rows = scatter_.rows(g, 0), weight = scatter_.weight(g, 0);
    Matrix own = Matrix::Zero(size(), size());
    if (options_.borrow > 0 && weight > 0) {
      own = shrunk(with_borrowed(g, options_.borrow));
    } else if (divisor(g) <= 0) {
      problems.add(Problem::too_light, g, kAll, weight);
    } else if (needs_full_rank() && rows <= static_cast<double>(size())) {
      problems.add(Problem::too_small, g, kAll, rows);
    } else {
      own = shrunk(scatter_.triangle[g] / std::sqrt(divisor(g)));
    }
    if (!problems.stops()) {
      check(own, g, rows, problems);
    } else if (rows > 1) {
      add_constants(scatter_.triangle[g], g, rows, problems);
    }
    return own;
  }

  // The factor of (S + cases V) / (max(d, 0) + cases). S is the scatter of the class and d its
  // divisor. V is the pooled covariance of the classes with a positive divisor.
  Matrix with_borrowed(int g, double cases) {
    if (lent_.size() == 0) {
      lent_ = pooled(true);
      if (lent_.size() == 0) lent_ = Matrix::Zero(size(), size());
    }
    return triangle_of_rows(stack(scatter_.triangle[g], std::sqrt(cases) * lent_)) /
           std::sqrt(std::max(divisor(g), 0.0) + cases);
  }

  Matrix shrunk(const Matrix& own) const {
    const double g = options_.shrinkage;
    if (g == 0) return towards_identity(own);
    return towards_identity(
        triangle_of_rows(stack(std::sqrt(1 - g) * own, std::sqrt(g) * shared_)));
  }

  // The trace of U'U is the squared norm of U.
  Matrix towards_identity(const Matrix& factor) const {
    const double g = options_.identity;
    if (g == 0) return factor;
    const double norm = factor.colwise().stableNorm().stableNorm();
    const double sd = std::sqrt(g / static_cast<double>(size())) * norm;
    return triangle_of_rows(
        stack(std::sqrt(1 - g) * factor, Matrix::Identity(size(), size()) * sd));
  }

  // The pooled covariance; empty if the divisor is not positive.
  Matrix pooled(bool positive_only) const {
    double weight = 0;
    Matrix sum = Matrix::Zero(size(), size());
    for (int g = 0; g < scatter_.weight.rows(); ++g) {
      if (scatter_.weight(g, 0) <= 0 || (positive_only && divisor(g) <= 0)) continue;
      weight += divisor(g);
      sum = triangle_of_rows(stack(sum, scatter_.triangle[g]));
    }
    return weight > 0 ? Matrix(sum / std::sqrt(weight)) : Matrix();
  }

  // A class cannot borrow from a singular pooled covariance, unless the identity mends it.
  void check_lent(Diagnostics& problems) const {
    Diagnostics found;
    check(towards_identity(lent_), kAll, scatter_.rows.sum(), found);
    for (const Diagnostic& item : found.items()) {
      const bool constant = item.problem == Problem::constant;
      problems.add(constant ? Problem::apart : item.problem, kAll, item.feature, item.count);
    }
  }

  bool add_constants(const Matrix& factor, int g, double rows, Diagnostics& problems) const {
    bool found = false;
    for (Index j = 0; j < size(); ++j) {
      if (has_spread(factor.col(j).squaredNorm())) continue;
      problems.add(Problem::constant, g, features_[static_cast<std::size_t>(j)], rows);
      found = true;
    }
    return found;
  }

  void check(const Matrix& factor, int g, double rows, Diagnostics& problems) const {
    if (!factor.allFinite()) {
      problems.add(Problem::overflow, g, kAll, rows);
    } else if (!add_constants(factor, g, rows, problems)) {
      const auto rank = rank_of_triangle(factor);
      if (rank < size()) problems.add(Problem::singular, g, kAll, static_cast<double>(rank));
    }
  }

  const Scatter& scatter_;
  const IntVector& features_;
  const Likelihood::Options& options_;
  const Classes& classes_;
  Diagnostics& diagnostics_;
  bool lent_checked_ = false;
  Matrix shared_, lent_;  // pooled covariances: of all classes, and for borrowing
};

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
      return p_;
    }
    if (size == 0) {
      p_.factor = {Matrix::Identity(plan_.size(), plan_.size())};
      return p_;
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
    return p_;
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
