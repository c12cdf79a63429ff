#pragma once

#include <engine/evaluation/temper_cases.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// A weighted sum of log losses, minus the log posterior of the true class, with its gradient and
// Hessian. The variables: the exponent of each part, and then the offset of each class, if offsets
// are estimated.
struct LogLoss {
  double value = 0;
  Eigen::VectorXd gradient;
  Matrix hessian;

  explicit LogLoss(int size = 0)
      : gradient(Eigen::VectorXd::Zero(size)), hessian(Matrix::Zero(size, size)) {}
  void merge(const LogLoss& other) {
    value += other.value;
    gradient += other.gradient;
    hessian += other.hessian;
  }
};

enum class Derivatives { none, gradient, hessian };

// Sums the log loss over some slices of cases.
class LogLossSummer {
 public:
  LogLossSummer(const TemperCases& cases, const Eigen::VectorXd& at, bool offsets)
      : cases_(cases),
        at_(at),
        offsets_(offsets),
        loss_(static_cast<int>(at.size())),
        improbability_(kSlice, cases.classes),
        p_(kSlice, cases.classes),
        centred_(at.size() > 1 ? static_cast<Index>(kSlice) * cases.classes : 0, at.size()) {}

  // Adds the first `most` cases of a slice.
  void add(const TemperSlice& slice, int most, Derivatives derivatives) {
    slice_ = &slice;
    rows_ = std::min(most, slice.rows);
    weight_ = cases_.weight(slice);
    compute_posterior();
    if (derivatives == Derivatives::none) return;
    add_gradient();
    if (derivatives == Derivatives::hessian) add_hessian();
  }

  LogLoss sum() {
    loss_.hessian.triangularView<Eigen::StrictlyUpper>() = loss_.hessian.transpose();
    return std::move(loss_);
  }

 private:
  static constexpr int kSlice = TemperCases::kSlice;
  // exp() of more could overflow a sum.
  static constexpr double kFar = 600;
  using Numbers = Eigen::Map<const Eigen::ArrayXd>;
  using Column = Eigen::Array<double, kSlice, 1>;

  Numbers base(int k) const { return Numbers(cases_.column(*slice_, 0, k), rows_); }
  Numbers score(int c, int k) const { return Numbers(cases_.column(*slice_, 1 + c, k), rows_); }
  auto improbability(int k) { return improbability_.col(k).head(rows_); }
  auto p(int k) { return p_.col(k).head(rows_); }
  int truth() const { return slice_->truth; }

  // The centred scores of a variable in a class, times the root of the weight of the class.
  auto centred(int variable, int k) {
    return centred_.col(variable).segment(static_cast<Index>(k) * rows_, rows_);
  }

  // The posterior of each class; the loss is the log of the sum of the odds of the classes against
  // the truth. Improbabilities are minus the logarithms of these odds.
  void compute_posterior() {
    find_improbabilities();
    const int padded = simd::whole_vectors(rows_);
    const bool far = rows_ > 0 && least_.head(rows_).minCoeff() < -kFar;
    if (!far) least_.head(rows_).setZero();
    least_.segment(rows_, padded - rows_).setZero();
    // The odds of the truth are 1.
    if (far) {
      total_.head(padded) = least_.head(padded).exp();
    } else {
      total_.head(padded).setOnes();
    }
    p(truth()) = total_.head(rows_);
    for (int k = 0; k < cases_.classes; ++k) {
      if (k == truth()) continue;
      improbability_.col(k).segment(rows_, padded - rows_).setZero();
      loops_.add_exponentials(least_.data(), improbability_.col(k).data(), padded, p_.col(k).data(),
                              total_.data());
    }
    if (far) add_far_losses();
    total_.head(rows_) = total_.head(rows_).inverse();
    if (!far) loss_.value -= sum_of_logs(total_.data(), weight_, rows_);
    for (int k = 0; k < cases_.classes; ++k) p(k) *= total_.head(rows_);
  }

  // Reads the numbers of the slice in their order.
  void find_improbabilities() {
    for (int k = 0; k < cases_.classes; ++k) {
      if (k == truth()) continue;
      const double offset = offsets_ ? at_[cases_.parts + truth()] - at_[cases_.parts + k] : 0.0;
      improbability(k) = offset - base(k);
    }
    for (int c = 0; c < cases_.parts; ++c) {
      for (int k = 0; k < cases_.classes; ++k) {
        if (k != truth()) improbability(k) -= at_[c] * score(c, k);
      }
    }
    least_.head(rows_).setZero();
    for (int k = 0; k < cases_.classes; ++k) {
      if (k != truth()) least_.head(rows_) = least_.head(rows_).min(improbability(k));
    }
  }

  // The posterior of the truth may be too small for a number.
  void add_far_losses() {
    for (int i = 0; i < rows_; ++i) {
      loss_.value += (weight_ ? weight_[i] : 1.0) * (std::log(total_[i]) - least_[i]);
    }
  }

  // The mean of the scores over the posterior. The score of the truth is 0; the score of an offset
  // is 1 in its class and 0 in the others, minus that of the truth.
  void add_gradient() {
    for (int c = 0; c < cases_.parts; ++c) {
      find_mean(c);
      loss_.gradient[c] += weighted_sum(mean_.head(rows_));
    }
    for (int l = 0; l < cases_.classes && offsets_; ++l) {
      loss_.gradient[cases_.parts + l] += weighted_sum(p(l) - (l == truth() ? 1.0 : 0.0));
    }
  }

  // The covariance of the scores over the posterior.
  void add_hessian() {
    if (at_.size() == 1) return add_variance();
    // The improbabilities are not needed any more.
    for (int k = 0; k < cases_.classes; ++k) {
      if (weight_) {
        improbability(k) = (Numbers(weight_, rows_) * p(k)).sqrt();
      } else {
        improbability(k) = p(k).sqrt();
      }
    }
    for (int c = 0; c < cases_.parts; ++c) {
      find_mean(c);
      for (int k = 0; k < cases_.classes; ++k) {
        if (k == truth()) {
          centred(c, k) = -improbability(k) * mean_.head(rows_);
        } else {
          centred(c, k) = improbability(k) * (score(c, k) - mean_.head(rows_));
        }
      }
    }
    for (int l = 0; l < cases_.classes && offsets_; ++l) {
      for (int k = 0; k < cases_.classes; ++k) {
        centred(cases_.parts + l, k) = improbability(k) * ((k == l ? 1.0 : 0.0) - p(l));
      }
    }
    loss_.hessian.selfadjointView<Eigen::Lower>().rankUpdate(
        centred_.topRows(static_cast<Index>(rows_) * cases_.classes).matrix().transpose());
  }

  // One exponent is the only variable, and `mean_` the mean of its scores.
  void add_variance() {
    least_.head(rows_) = p(truth()) * mean_.head(rows_).square();
    for (int k = 0; k < cases_.classes; ++k) {
      if (k != truth()) least_.head(rows_) += p(k) * (score(0, k) - mean_.head(rows_)).square();
    }
    loss_.hessian(0, 0) += weighted_sum(least_.head(rows_));
  }

  void find_mean(int c) {
    mean_.head(rows_).setZero();
    for (int k = 0; k < cases_.classes; ++k) {
      if (k != truth()) mean_.head(rows_) += p(k) * score(c, k);
    }
  }

  template <class Values>
  double weighted_sum(const Values& x) const {
    return weight_ ? (Numbers(weight_, rows_) * x).sum() : x.sum();
  }

  const TemperCases& cases_;
  const Eigen::VectorXd& at_;
  const bool offsets_;
  LogLoss loss_;
  const TemperSlice* slice_ = nullptr;
  int rows_ = 0;
  const double* weight_ = nullptr;
  Column least_, total_, mean_;
  Eigen::ArrayXXd improbability_, p_;
  Eigen::ArrayXXd centred_;  // (class x row) x variable
  const simd::TileLoops& loops_ = simd::tile_loops();
};

}  // namespace bayesrisk
