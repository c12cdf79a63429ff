#pragma once

#include <engine/charge/bank_tilt.hpp>
#include <engine/core/spectrum.hpp>

namespace bayesrisk {

// The variance of the first class is the unit: the tilted precision is q in it.
class GaussianTilt : public OverlapTilt<Gaussian> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    Gaussian::Parameters& tilted = own(to);
    for (Index m = 0; m < p_.mean.cols(); ++m) {
      const double ratio = p_.sd(i_, m) / p_.sd(j_, m), square = ratio * ratio;
      const double q = 1 - s + s * square;
      tilted.mean(row, m) = p_.mean(i_, m);
      tilted.mean_low(row, m) = p_.mean_low(i_, m) - s * square / q * apart(m);
      tilted.sd(row, m) = p_.sd(i_, m) / std::sqrt(q);
    }
  }

 private:
  double apart(Index m) const {
    return (p_.mean(i_, m) - p_.mean(j_, m)) + (p_.mean_low(i_, m) - p_.mean_low(j_, m));
  }
};

// With x = mean + U'z in the first class, z is N(0, I) there and T z + c is N(0, I) in the other. A
// spectrum takes far less time than the axes of an Overlap, and there are many pairs of classes.
class MultivariateGaussianTilt : public TiltOf<MultivariateGaussian> {
 public:
  MultivariateGaussianTilt(const MultivariateGaussian::Parameters& p, int i, int j)
      : TiltOf(p, i, j), pooled_(p.factor.size() == 1) {
    const Eigen::VectorXd apart = (p.mean.row(i) - p.mean.row(j)).transpose() +
                                  (p.mean_low.row(i) - p.mean_low.row(j)).transpose();
    const auto lower = p.factor_of(j).transpose().triangularView<Eigen::Lower>();
    centre_ = lower.solve(apart);
    if (pooled_) return;
    turn_ = lower.solve(p.factor_of(i).transpose());
    spectrum_ = spectrum_of(turn_.transpose() * turn_, turn_.transpose() * centre_);
    log_ratio_ = half_log_determinant(p.factor_of(i)) - half_log_determinant(p.factor_of(j));
  }

  double log_normaliser(double s) const override {
    const double square = centre_.squaredNorm();
    if (pooled_) return -0.5 * s * (1 - s) * square;
    const Eigen::ArrayXd q = 1 - s + s * spectrum_.value.array();
    const double moved = (spectrum_.part.array().square() / q).sum();
    return s * log_ratio_ - 0.5 * q.log().sum() - 0.5 * s * (square - s * moved);
  }

  void write(double s, AnyParameters& to, int row) const override {
    MultivariateGaussian::Parameters& tilted = own(to);
    const Matrix& u = p_.factor_of(i_);
    Eigen::VectorXd z = -s * centre_;
    if (!pooled_) {
      const Index size = u.rows();
      const Matrix r = triangle_of_rows(
          stack(std::sqrt(1 - s) * Matrix::Identity(size, size), std::sqrt(s) * turn_));
      const auto lower = r.transpose().triangularView<Eigen::Lower>();
      z = r.triangularView<Eigen::Upper>().solve(lower.solve(turn_.transpose() * z));
      tilted.factor[static_cast<std::size_t>(row)] = triangle_of_rows(lower.solve(u));
    }
    tilted.mean.row(row) = p_.mean.row(i_);
    tilted.mean_low.row(row) = p_.mean_low.row(i_) + (u.transpose() * z).transpose();
  }

 private:
  bool pooled_;
  double log_ratio_ = 0;
  Eigen::VectorXd centre_;
  Matrix turn_;
  Spectrum spectrum_;
};

}  // namespace bayesrisk
