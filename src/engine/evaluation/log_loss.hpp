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
      : cases_(cases), at_(at), offsets_(offsets), loss_(static_cast<int>(at.size())) {
    p_.resize(static_cast<std::size_t>(cases.classes) * kSlice);
    improbability_.resize(p_.size());
    mean_.resize(static_cast<std::size_t>(cases.parts) * kSlice);
  }

  LogLoss sum(Index first, Index last, bool derivatives) {
    for (Index begin = first; begin < last; begin += kSlice) {
      begin_ = begin;
      rows_ = static_cast<int>(std::min<Index>(kSlice, last - begin));
      compute_posterior();
      if (derivatives) add_derivatives();
    }
    return std::move(loss_);
  }

 private:
  static constexpr int kSlice = 256;

  double* improbability(int k) {
    return improbability_.data() + static_cast<std::size_t>(k) * kSlice;
  }
  double* p(int k) { return p_.data() + static_cast<std::size_t>(k) * kSlice; }
  double* mean(int c) { return mean_.data() + static_cast<std::size_t>(c) * kSlice; }
  const double* score(int c, int k) const { return cases_.score_of(c, k) + begin_; }
  double offset(int k) const { return offsets_ ? at_[cases_.parts + k] : 0.0; }

  // The posterior of each class; the loss is the log of the sum of the odds of the classes against
  // the truth. Improbabilities are minus the logarithms of these odds.
  void compute_posterior() {
    double least[kSlice] = {}, total[kSlice] = {};
    for (int k = 0; k < cases_.classes; ++k) {
      double* x = improbability(k);
      const double* base = cases_.base_of(k) + begin_;
      for (int i = 0; i < rows_; ++i) x[i] = -base[i];
      for (int c = 0; c < cases_.parts; ++c) {
        const double power = at_[c];
        const double* s = score(c, k);
        for (int i = 0; i < rows_; ++i) x[i] -= power * s[i];
      }
      if (offsets_) {
        for (int i = 0; i < rows_; ++i) x[i] += offset(cases_.truth[begin_ + i]) - offset(k);
      }
      for (int i = 0; i < rows_; ++i) least[i] = std::min(least[i], x[i]);
    }
    const int padded = (rows_ + simd::kVectorWidth - 1) / simd::kVectorWidth * simd::kVectorWidth;
    for (int k = 0; k < cases_.classes; ++k) {
      std::fill_n(improbability(k) + rows_, padded - rows_, 0.0);
      loops_.add_exponentials(least, improbability(k), padded, p(k), total);
    }
    for (int k = 0; k < cases_.classes; ++k) {
      loops_.write_quotients(p(k), total, rows_, p(k));
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
  double log_one_plus(int i) {
    double others = 0;
    for (int k = 0; k < cases_.classes; ++k) {
      if (k != cases_.truth[begin_ + i]) others += std::exp(-improbability(k)[i]);
    }
    return std::log1p(others);
  }

  void add_derivatives() {
    const int parts = cases_.parts, classes = cases_.classes;
    for (int i = 0; i < rows_; ++i) w_[i] = cases_.weight_of(begin_ + i);
    for (int c = 0; c < parts; ++c) {
      double* m = mean(c);
      std::fill_n(m, rows_, 0.0);
      for (int k = 0; k < classes; ++k) {
        const double* s = score(c, k);
        for (int i = 0; i < rows_; ++i) m[i] += p(k)[i] * s[i];
      }
      double total = 0;
      for (int i = 0; i < rows_; ++i) total += w_[i] * m[i];
      loss_.gradient[c] += total;
    }
    for (int c = 0; c < parts; ++c) {
      for (int d = 0; d <= c; ++d) add_second(c, d);
    }
    if (offsets_) add_offset_derivatives();
  }

  void add_second(int c, int d) {
    double total = 0;
    for (int k = 0; k < cases_.classes; ++k) {
      const double *s = score(c, k), *t = score(d, k);
      for (int i = 0; i < rows_; ++i) {
        total += w_[i] * p(k)[i] * (s[i] - mean(c)[i]) * (t[i] - mean(d)[i]);
      }
    }
    loss_.hessian(c, d) += total;
    if (c != d) loss_.hessian(d, c) += total;
  }

  void add_offset_derivatives() {
    const int parts = cases_.parts, classes = cases_.classes;
    for (int k = 0; k < classes; ++k) {
      const double* own = p(k);
      double total = 0;
      for (int i = 0; i < rows_; ++i) {
        total += w_[i] * (own[i] - (cases_.truth[begin_ + i] == k));
      }
      loss_.gradient[parts + k] += total;
      for (int l = 0; l < classes; ++l) {
        double product = 0;
        for (int i = 0; i < rows_; ++i) product += w_[i] * own[i] * ((k == l) - p(l)[i]);
        loss_.hessian(parts + k, parts + l) += product;
      }
      for (int c = 0; c < parts; ++c) {
        double product = 0;
        const double* s = score(c, k);
        for (int i = 0; i < rows_; ++i) product += w_[i] * own[i] * (s[i] - mean(c)[i]);
        loss_.hessian(c, parts + k) += product;
        loss_.hessian(parts + k, c) += product;
      }
    }
  }

  const TemperCases& cases_;
  const Eigen::VectorXd& at_;
  const bool offsets_;
  LogLoss loss_;
  Index begin_ = 0;
  int rows_ = 0;
  Vector improbability_, p_, mean_;
  const simd::TileLoops& loops_ = simd::tile_loops();
  double w_[kSlice];
};

}  // namespace bayesrisk
