#pragma once

#include <engine/likelihood/normal/moments.hpp>
#include <engine/likelihood/normal/multivariate_gaussian.hpp>

namespace bayesrisk {

// Computes the covariance factors of a block, and reports why a factor does not exist.
class CovarianceEstimator {
 public:
  using Likelihood = MultivariateGaussian;

  struct Covariance {
    Matrix factor;
    double identity = 0;  // the weight of the identity in it
  };

  CovarianceEstimator(const Scatter& scatter, const IntVector& features,
                      const Likelihood::Options& options, const Classes& classes,
                      Diagnostics& diagnostics);

  std::vector<Covariance> find();

 private:
  Index size() const { return static_cast<Index>(features_.size()); }
  Covariance unknown() const { return {Matrix::Constant(size(), size(), kNaN), kNaN}; }
  double divisor(int g) const { return scatter_.weight(g, 0) - (options_.unbiased ? 1 : 0); }

  // The classes of a wide block are tasks. Borrowing follows in their order, because the first
  // class that borrows reports whether it can.
  std::vector<Covariance> of_classes();

  // A class without a complete row borrows. If it may not borrow, the estimate of its mean has
  // already reported the problem.
  bool has_estimate(int g) const;

  Covariance borrowed(int g, Diagnostics& problems);

  // Whether nothing is added to the scatter of a class, which then needs full rank.
  bool needs_full_rank() const {
    return options_.shrinkage == 0 && options_.identity == 0 && !options_.automatic;
  }

  // The covariance of a class. If requested, it contains the cases that every class borrows and is
  // shrunk. Zero if there are too few rows.
  Covariance estimate(int g, Diagnostics& problems) const;

  // The factor of (S + cases V) / (max(d, 0) + cases). S is the scatter of the class and d its
  // divisor. V is the pooled covariance of the classes with a positive divisor.
  Matrix with_borrowed(int g, double cases) const {
    return merge_triangles(scatter_.triangle[g], std::sqrt(cases) * lent_) /
           std::sqrt(std::max(divisor(g), 0.0) + cases);
  }

  void lend() {
    lent_ = pooled(true);
    if (lent_.size() == 0) lent_ = Matrix::Zero(size(), size());
  }

  // Shrinks the covariance of a class. `borrowed`: the cases that it borrows.
  Covariance shrunk(Matrix own, int g, double borrowed) const;

  // The trace of U'U is the squared norm of U. `cases`: those behind the factor.
  Covariance towards_identity(Matrix factor, double cases) const;

  double all_cases() const { return scatter_.weight.sum(); }

  // The pooled covariance; empty if the divisor is not positive.
  Matrix pooled(bool positive_only) const;

  // A class cannot borrow from a singular pooled covariance, unless the identity mends it.
  void check_lent(Diagnostics& problems) const;

  bool add_constants(const Matrix& factor, int g, double rows, Diagnostics& problems) const;

  void check(const Covariance& covariance, int g, double rows, Diagnostics& problems) const;

  const Scatter& scatter_;
  const IntVector& features_;
  const Likelihood::Options& options_;
  const Classes& classes_;
  Diagnostics& diagnostics_;
  bool lent_checked_ = false, can_lend_ = true;
  Matrix shared_, lent_;  // pooled covariances: of all classes, and for borrowing
};

}  // namespace bayesrisk
