#pragma once

#include <engine/likelihood/moments.hpp>
#include <engine/likelihood/multivariate_gaussian.hpp>

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
    if (options_.borrow > 0) lend();
    return of_classes();
  }

 private:
  Index size() const { return static_cast<Index>(features_.size()); }
  Matrix unknown() const { return Matrix::Constant(size(), size(), kNaN); }
  double divisor(int g) const { return scatter_.weight(g, 0) - (options_.unbiased ? 1 : 0); }

  // The classes of a wide block are tasks. Borrowing follows in their order, because the first
  // class that borrows reports whether it can.
  std::vector<Matrix> of_classes() {
    constexpr Index kWide = 128;
    const auto groups = static_cast<std::size_t>(scatter_.weight.rows());
    std::vector<Matrix> result(groups);
    std::vector<Diagnostics> problems(groups);
    const Context context = size() < kWide ? classes_.context.within_task() : classes_.context;
    context.run(static_cast<Index>(groups), [&](Index g) {
      const auto at = static_cast<std::size_t>(g);
      result[at] = has_estimate(static_cast<int>(g)) ? estimate(static_cast<int>(g), problems[at])
                                                     : unknown();
    });
    for (std::size_t g = 0; g < groups; ++g) {
      if (problems[g].stops() && classes_.borrow && result[g].allFinite()) {
        result[g] = borrowed(static_cast<int>(g), problems[g]);
      }
      diagnostics_.merge(problems[g]);
    }
    return result;
  }

  // A class without a complete row borrows. If it may not borrow, the estimate of its mean has
  // already reported the problem.
  bool has_estimate(int g) const {
    const bool empty = scatter_.weight(g, 0) <= 0;
    if (!classes_.has_rows(g) || (empty && !classes_.borrow)) return false;
    return options_.shrinkage == 0 || shared_.size() > 0;
  }

  Matrix borrowed(int g, Diagnostics& problems) {
    diagnostics_.add(Problem::borrowed, g, kAll, scatter_.weight(g, 0));
    problems = Diagnostics();
    if (lent_.size() == 0) lend();
    if (!lent_checked_) check_lent(problems);
    lent_checked_ = true;
    return shrunk(
        with_borrowed(g, options_.borrow > 0 ? options_.borrow : static_cast<double>(size())));
  }

  // Whether nothing is added to the scatter of a class, which then needs full rank.
  bool needs_full_rank() const { return options_.shrinkage == 0 && options_.identity == 0; }

  // The factor of the covariance of a class. If requested, it contains the cases that every class
  // borrows and is shrunk. Zero if there are too few rows.
  Matrix estimate(int g, Diagnostics& problems) const {
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
  Matrix with_borrowed(int g, double cases) const {
    return triangle_of_rows(stack(scatter_.triangle[g], std::sqrt(cases) * lent_)) /
           std::sqrt(std::max(divisor(g), 0.0) + cases);
  }

  void lend() {
    lent_ = pooled(true);
    if (lent_.size() == 0) lent_ = Matrix::Zero(size(), size());
  }

  Matrix shrunk(Matrix own) const {
    const double g = options_.shrinkage;
    if (g == 0) return towards_identity(std::move(own));
    return towards_identity(
        triangle_of_rows(stack(std::sqrt(1 - g) * own, std::sqrt(g) * shared_)));
  }

  // The trace of U'U is the squared norm of U.
  Matrix towards_identity(Matrix factor) const {
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

}  // namespace bayesrisk
