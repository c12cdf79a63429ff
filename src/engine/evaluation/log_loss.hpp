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

// Sums the log loss over some cases, a few hundred at a time.
class LogLossSummer {
 public:
  LogLossSummer(const TemperCases& cases, const Eigen::VectorXd& at, bool offsets)
      : cases_(cases),
        at_(at),
        offsets_(offsets),
        loss_(static_cast<int>(at.size())),
        improbability_(kSlice, cases.classes),
        p_(kSlice, cases.classes),
        centred_(static_cast<Index>(kSlice) * cases.classes, at.size()) {}

  LogLoss sum(Index first, Index last, bool derivatives) {
    for (Index begin = first; begin < last; begin += kSlice) {
      begin_ = begin;
      rows_ = static_cast<int>(std::min<Index>(kSlice, last - begin));
      compute_posterior();
      if (derivatives) add_derivatives();
    }
    if (derivatives) {
      loss_.hessian.triangularView<Eigen::StrictlyUpper>() = loss_.hessian.transpose();
    }
    return std::move(loss_);
  }

 private:
  static constexpr int kSlice = 256;
  using Numbers = Eigen::Map<const Eigen::ArrayXd>;

  Numbers base(int k) const { return Numbers(cases_.base_of(k) + begin_, rows_); }
  Numbers score(int c, int k) const { return Numbers(cases_.score_of(c, k) + begin_, rows_); }
  auto improbability(int k) { return improbability_.col(k).head(rows_); }
  auto p(int k) { return p_.col(k).head(rows_); }
  double offset(int k) const { return offsets_ ? at_[cases_.parts + k] : 0.0; }

  // The centred scores of a variable in a class, times the root of the weight of the class.
  auto centred(int variable, int k) {
    return centred_.col(variable).segment(static_cast<Index>(k) * rows_, rows_);
  }

  // The posterior of each class; the loss is the log of the sum of the odds of the classes against
  // the truth. Improbabilities are minus the logarithms of these odds.
  void compute_posterior() {
    Eigen::Array<double, kSlice, 1> least, total;
    least.setZero();
    total.setZero();
    for (int k = 0; k < cases_.classes; ++k) {
      auto x = improbability(k);
      x = -base(k);
      for (int c = 0; c < cases_.parts; ++c) x -= at_[c] * score(c, k);
      for (int i = 0; i < rows_ && offsets_; ++i) {
        x[i] += offset(cases_.truth[begin_ + i]) - offset(k);
      }
      least.head(rows_) = least.head(rows_).min(x);
    }
    const int padded = (rows_ + simd::kVectorWidth - 1) / simd::kVectorWidth * simd::kVectorWidth;
    for (int k = 0; k < cases_.classes; ++k) {
      improbability_.col(k).segment(rows_, padded - rows_).setZero();
      loops_.add_exponentials(least.data(), improbability_.col(k).data(), padded, p_.col(k).data(),
                              total.data());
    }
    for (int k = 0; k < cases_.classes; ++k) {
      loops_.write_quotients(p_.col(k).data(), total.data(), rows_, p_.col(k).data());
    }
    for (int i = 0; i < rows_; ++i) {
      // Where the truth has the largest odds, its own term is 1.
      const double others = total[i] - 1;
      const bool small = least[i] == 0 && others < 1e-6;
      const double loss = small ? log_one_plus(i) : std::log(total[i]) - least[i];
      loss_.value += cases_.weight_of(begin_ + i) * loss;
    }
  }

  // log(1 + odds of the other classes), which keeps the digits of a loss near 0.
  double log_one_plus(int i) const {
    double others = 0;
    for (int k = 0; k < cases_.classes; ++k) {
      if (k != cases_.truth[begin_ + i]) others += std::exp(-improbability_(i, k));
    }
    return std::log1p(others);
  }

  // The gradient is the mean of the scores over the posterior, the Hessian their covariance. The
  // score of an offset is 1 in its class and 0 in the others, minus that of the truth.
  void add_derivatives() {
    Eigen::Array<double, Eigen::Dynamic, 1, 0, kSlice, 1> weight(rows_), mean(rows_);
    for (int i = 0; i < rows_; ++i) weight[i] = cases_.weight_of(begin_ + i);
    // The improbabilities are not needed any more.
    for (int k = 0; k < cases_.classes; ++k) improbability(k) = (weight * p(k)).sqrt();
    const int parts = cases_.parts;
    for (int c = 0; c < parts; ++c) {
      mean.setZero();
      for (int k = 0; k < cases_.classes; ++k) mean += p(k) * score(c, k);
      loss_.gradient[c] += (weight * mean).sum();
      for (int k = 0; k < cases_.classes; ++k) {
        centred(c, k) = improbability(k) * (score(c, k) - mean);
      }
    }
    for (int l = 0; l < cases_.classes && offsets_; ++l) {
      for (int i = 0; i < rows_; ++i) {
        loss_.gradient[parts + l] += weight[i] * (p_(i, l) - (cases_.truth[begin_ + i] == l));
      }
      for (int k = 0; k < cases_.classes; ++k) {
        centred(parts + l, k) = improbability(k) * ((k == l ? 1.0 : 0.0) - p(l));
      }
    }
    loss_.hessian.selfadjointView<Eigen::Lower>().rankUpdate(
        centred_.topRows(static_cast<Index>(rows_) * cases_.classes).matrix().transpose());
  }

  const TemperCases& cases_;
  const Eigen::VectorXd& at_;
  const bool offsets_;
  LogLoss loss_;
  Index begin_ = 0;
  int rows_ = 0;
  Eigen::ArrayXXd improbability_, p_;
  Eigen::ArrayXXd centred_;  // (row x class) x variable
  const simd::TileLoops& loops_ = simd::tile_loops();
};

}  // namespace bayesrisk
