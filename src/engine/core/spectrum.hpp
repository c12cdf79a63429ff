#pragma once

#include <engine/core/types.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// The eigenvalues of a symmetric matrix, and the coordinates of a vector along its eigenvectors.
struct Spectrum {
  Eigen::VectorXd value, part;
};

// Less counts as 0 in a matrix whose largest number is near 1. The square does not underflow.
constexpr double kNegligibleSize = 1e-100;

// A symmetric matrix reduced to a tridiagonal one by reflections, and a vector that took part in
// them.
struct Tridiagonal {
  Eigen::VectorXd diagonal, beside, vector;
};

// Householder's reflections I - scale vv' (1958, J. ACM 5, 339-342). The matrix is read once per
// column: while it is reflected, it is multiplied by the vector of the next reflection.
class Reduction {
 public:
  // The matrix times `unit` has no number above 2, so that squares do not overflow.
  Reduction(const Matrix& symmetric, const Eigen::VectorXd& vector, double unit)
      : p_(symmetric.rows()), result_{Eigen::VectorXd(p_), Eigen::VectorXd(p_), vector} {
    const Index size = (p_ + simd::kPanel - 1) / simd::kPanel * simd::kPanel;
    a_ = Matrix::Zero(size, size);
    for (Index j = 0; j < p_; ++j) {
      a_.col(j).segment(j, p_ - j) = unit * symmetric.col(j).tail(p_ - j);
      for (Index i = j / simd::kPanel * simd::kPanel; i < j; ++i) a_(i, j) = unit * symmetric(j, i);
    }
    for (Eigen::VectorXd* x : {&v_, &w_, &next_, &product_}) *x = Eigen::VectorXd::Zero(size);
  }

  Tridiagonal find() {
    for (Index k = 0; k < p_; ++k) {
      const Index rest = p_ - k - 1;
      Eigen::VectorXd column = a_.col(k).segment(k, rest + 1);
      column -= v_.segment(k, rest + 1) * w_[k] + w_.segment(k, rest + 1) * v_[k];
      result_.diagonal[k] = column[0];
      result_.beside[k] = rest > 0 ? reflect(k + 1, column.tail(rest)) : 0;
    }
    return std::move(result_);
  }

 private:
  // Reflects a column to its first number, which is returned, and the matrix and vector from there.
  double reflect(Index first, const Eigen::VectorXd& column);

  Index p_;
  Tridiagonal result_;
  Matrix a_;
  Eigen::VectorXd v_, w_, next_, product_;  // 0 before the rows that are left
};

// The QL algorithm with implicit shifts (Martin and Wilkinson 1968). Its rotations turn one vector,
// not a matrix of eigenvectors, so that after the reduction to a tridiagonal matrix all is O(p^2).
class TridiagonalSpectrum {
 public:
  explicit TridiagonalSpectrum(Tridiagonal reduced)
      : d_(std::move(reduced.diagonal)),
        e_(std::move(reduced.beside)),
        z_(std::move(reduced.vector)) {}

  Spectrum find() {
    for (Index first = 0; first < d_.size(); ++first) {
      for (int round = 0; round < kMostRounds; ++round) {
        const Index last = end_of_part(first);
        if (last == first) break;
        turn(first, last);
      }
    }
    return {d_, z_};
  }

 private:
  static constexpr int kMostRounds = 100;  // No known matrix needs ten.

  Index end_of_part(Index m) const {
    while (m < d_.size() - 1) {
      const double near = kNegligibleSize + std::abs(d_[m]) + std::abs(d_[m + 1]);
      if (near + std::abs(e_[m]) == near) break;
      ++m;
    }
    return m;
  }

  void turn(Index first, Index last);

  Eigen::VectorXd d_, e_, z_;
};

// Reads the lower triangle, which is first divided by a power of 2 near its largest number. If a
// number is not finite, all eigenvalues are infinite or NaN.
Spectrum spectrum_of(const Matrix& symmetric, const Eigen::VectorXd& vector);

}  // namespace bayesrisk
