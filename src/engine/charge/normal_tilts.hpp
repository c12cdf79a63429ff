#pragma once

#include <engine/core/spectrum.hpp>
#include <engine/model/plan.hpp>

#include <memory>

namespace bayesrisk {

// The tilted density of a bank between two of its classes, proportional to p_i^(1 - s) p_j^s. It
// moves from p_i to p_j as s grows from 0 to 1. An exponential family contains it, as do tables.
class BankTilt {
 public:
  virtual ~BankTilt() = default;
  // The log of the integral of p_i^(1 - s) p_j^s.
  virtual double log_normaliser(double s) const = 0;
  // Writes the parameters of the tilted density as those of the class `row`.
  virtual void write(double s, AnyParameters& to, int row) const = 0;
  // Gives a bank room for more classes.
  virtual void resize(AnyParameters& to, int classes) const = 0;
};

// Every parameter of a class is a row, or an element of a list.
struct ResizeClasses {
  int classes;

  void operator()(const char*, Matrix& of) const { of.conservativeResize(classes, of.cols()); }
  void operator()(const char*, Vector& of) const { of.resize(static_cast<std::size_t>(classes)); }
  void operator()(const char*, std::vector<Matrix>& of) const {  // one if it is pooled
    if (of.size() > 1) of.resize(static_cast<std::size_t>(classes));
  }
  template <class Shared>
  void operator()(const char*, Shared&) const {}
};

// Two classes of a bank of the likelihood L.
template <class L>
class TiltOf : public BankTilt {
 public:
  TiltOf(const typename L::Parameters& p, int i, int j) : p_(p), i_(i), j_(j) {}

  void resize(AnyParameters& to, int classes) const override {
    const ResizeClasses resizing{classes};
    L::Parameters::fields(own(to), resizing);
  }

 protected:
  static typename L::Parameters& own(AnyParameters& to) {
    return std::get<typename L::Parameters>(to);
  }

  const typename L::Parameters& p_;
  int i_, j_;
};

// The variance of the first class is the unit: the tilted precision is q in it.
class GaussianTilt : public TiltOf<Gaussian> {
 public:
  using TiltOf::TiltOf;

  double log_normaliser(double s) const override {
    double total = 0;
    for (Index m = 0; m < p_.mean.cols(); ++m) {
      if (p_.left_out[m]) continue;
      const double ratio = p_.sd(i_, m) / p_.sd(j_, m), q = 1 - s + s * ratio * ratio;
      const double away = apart(m) / p_.sd(j_, m);
      total += s * std::log(ratio) - 0.5 * std::log(q) - 0.5 * s * (1 - s) / q * away * away;
    }
    return total;
  }

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

// With x = mean + U'z in the first class, z is N(0, I) there and T z + c is N(0, I) in the other.
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
