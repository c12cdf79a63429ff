#pragma once

#include <engine/core/types.hpp>

#include <Eigen/Eigenvalues>

namespace bayesrisk {

// The eigenvalues of a symmetric matrix, and the coordinates of a vector along its eigenvectors.
struct Spectrum {
  Eigen::VectorXd value, part;
};

// The QL algorithm with implicit shifts (Martin and Wilkinson 1968). Its rotations turn one vector,
// not a matrix of eigenvectors, so that after the reduction to a tridiagonal matrix all is O(p^2).
class TridiagonalSpectrum {
 public:
  TridiagonalSpectrum(Eigen::VectorXd diagonal, Eigen::VectorXd beside, Eigen::VectorXd vector)
      : d_(std::move(diagonal)), e_(std::move(beside)), z_(std::move(vector)) {
    e_.conservativeResize(d_.size());
    e_[d_.size() - 1] = 0;
  }

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
      const double near = std::abs(d_[m]) + std::abs(d_[m + 1]);
      if (near + std::abs(e_[m]) == near) break;
      ++m;
    }
    return m;
  }

  void turn(Index first, Index last) {
    double g = (d_[first + 1] - d_[first]) / (2 * e_[first]);
    g = d_[last] - d_[first] + e_[first] / (g + std::copysign(std::hypot(g, 1.0), g));
    double s = 1, c = 1, p = 0;
    for (Index i = last - 1; i >= first; --i) {
      const double f = s * e_[i], b = c * e_[i], r = std::hypot(f, g);
      e_[i + 1] = r;
      if (r == 0) {
        d_[i + 1] -= p;
        e_[last] = 0;
        return;
      }
      s = f / r;
      c = g / r;
      g = d_[i + 1] - p;
      const double t = (d_[i] - g) * s + 2 * c * b;
      p = s * t;
      d_[i + 1] = g + p;
      g = c * t - b;
      const double z = z_[i + 1];
      z_[i + 1] = s * z_[i] + c * z;
      z_[i] = c * z_[i] - s * z;
    }
    d_[first] -= p;
    e_[first] = g;
    e_[last] = 0;
  }

  Eigen::VectorXd d_, e_, z_;
};

inline Spectrum spectrum_of(const Matrix& symmetric, const Eigen::VectorXd& vector) {
  if (symmetric.rows() == 1) return {symmetric.col(0), vector};
  const Eigen::Tridiagonalization<Matrix> reduced(symmetric);
  return TridiagonalSpectrum(reduced.diagonal(), reduced.subDiagonal(),
                             reduced.matrixQ().adjoint() * vector)
      .find();
}

}  // namespace bayesrisk
