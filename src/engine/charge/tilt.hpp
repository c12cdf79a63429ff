#pragma once

#include <engine/charge/normal_tilts.hpp>

namespace bayesrisk {

// log(p_i^(1 - s) p_j^s) of a cell of a table.
inline double tilted_log(double log_i, double log_j, double s) {
  if (std::min(log_i, log_j) == kNegativeInfinity) return kNegativeInfinity;
  return (1 - s) * log_i + s * log_j;
}

template <class I, class J>
Eigen::VectorXd tilted_logs(const I& log_i, const J& log_j, double s) {
  Eigen::VectorXd result(log_i.size());
  for (Index c = 0; c < result.size(); ++c) result[c] = tilted_log(log_i[c], log_j[c], s);
  return result;
}

// Parts of a table that are independent: their first cells, and the end of the last part.
template <class L>
class TableTilt : public TiltOf<L> {
 public:
  TableTilt(const typename L::Parameters& p, int i, int j, IntVector parts)
      : TiltOf<L>(p, i, j), parts_(std::move(parts)) {}

  double log_normaliser(double s) const override {
    double total = 0;
    for (std::size_t k = 0; k + 1 < parts_.size(); ++k) total += log_sum(part(s, k));
    return total;
  }

  void write(double s, AnyParameters& to, int row) const override {
    for (std::size_t k = 0; k + 1 < parts_.size(); ++k) {
      const Eigen::VectorXd logs = part(s, k);
      this->own(to).log_probability.row(row).segment(parts_[k], logs.size()) =
          (logs.array() - log_sum(logs)).transpose();
    }
  }

 private:
  Eigen::VectorXd part(double s, std::size_t k) const {
    const Matrix& all = this->p_.log_probability;
    const int size = parts_[k + 1] - parts_[k];
    return tilted_logs(all.row(this->i_).segment(parts_[k], size),
                       all.row(this->j_).segment(parts_[k], size), s);
  }

  IntVector parts_;
};

// The cells that are not listed have the same probability.
template <class L>
class JointTableTilt : public TiltOf<L> {
 public:
  JointTableTilt(const JointTable::Plan& plan, const typename L::Parameters& p, int i, int j)
      : TiltOf<L>(p, i, j),
        unlisted_(std::log(plan.cells() - static_cast<double>(p.cells.rows()))) {}

  double log_normaliser(double s) const override { return log_sum(logs(s)); }

  void write(double s, AnyParameters& to, int row) const override {
    const Eigen::VectorXd all = logs(s);
    const double total = log_sum(all);
    const Index listed = all.size() - 1;
    this->own(to).log_probability.row(row) = (all.head(listed).array() - total).transpose();
    this->own(to).log_unseen[static_cast<std::size_t>(row)] = unseen(s) - total;
  }

 private:
  double unseen(double s) const {
    const Vector& of = this->p_.log_unseen;
    return tilted_log(of[static_cast<std::size_t>(this->i_)],
                      of[static_cast<std::size_t>(this->j_)], s);
  }

  // The last one is the sum of the cells that are not listed.
  Eigen::VectorXd logs(double s) const {
    const Matrix& all = this->p_.log_probability;
    Eigen::VectorXd result(all.cols() + 1);
    result.head(all.cols()) = tilted_logs(all.row(this->i_), all.row(this->j_), s);
    result[all.cols()] = unlisted_ + unseen(s);
    return result;
  }

  double unlisted_;
};

class PoissonTilt : public TiltOf<Poisson> {
 public:
  using TiltOf::TiltOf;

  double log_normaliser(double s) const override {
    double total = 0;
    for (Index m = 0; m < p_.rate.cols(); ++m) {
      total += rate(s, m) - (1 - s) * p_.rate(i_, m) - s * p_.rate(j_, m);
    }
    return total;
  }

  void write(double s, AnyParameters& to, int row) const override {
    for (Index m = 0; m < p_.rate.cols(); ++m) own(to).rate(row, m) = rate(s, m);
  }

 private:
  double rate(double s, Index m) const {
    return std::pow(p_.rate(i_, m), 1 - s) * std::pow(p_.rate(j_, m), s);
  }
};

class GammaTilt : public TiltOf<Gamma> {
 public:
  using TiltOf::TiltOf;

  double log_normaliser(double s) const override {
    double total = 0;
    for (Index m = 0; m < p_.shape.cols(); ++m) {
      if (p_.left_out[m]) continue;
      const double a = between(p_.shape, s, m), b = between(p_.rate, s, m);
      total += log_integral(a, b) - (1 - s) * log_integral(p_.shape(i_, m), p_.rate(i_, m)) -
               s * log_integral(p_.shape(j_, m), p_.rate(j_, m));
    }
    return total;
  }

  void write(double s, AnyParameters& to, int row) const override {
    for (Index m = 0; m < p_.shape.cols(); ++m) {
      own(to).shape(row, m) = between(p_.shape, s, m);
      own(to).rate(row, m) = between(p_.rate, s, m);
    }
  }

 private:
  double between(const Matrix& of, double s, Index m) const {
    return (1 - s) * of(i_, m) + s * of(j_, m);
  }
  static double log_integral(double a, double b) { return std::lgamma(a) - a * std::log(b); }
};

// Two classes of the same size: n. The probabilities of x are proportional to t^x, t = mean / (mean
// + n).
class NegativeBinomialTilt : public TiltOf<NegativeBinomial> {
 public:
  using TiltOf::TiltOf;

  double log_normaliser(double s) const override {
    const double n = p_.size(i_, 0);
    return n * ((1 - s) * log_rest(i_) + s * log_rest(j_) - std::log1p(-ratio(s)));
  }

  void write(double s, AnyParameters& to, int row) const override {
    own(to).size(row, 0) = p_.size(i_, 0);
    own(to).mean(row, 0) = p_.size(i_, 0) * ratio(s) / (1 - ratio(s));
  }

 private:
  double ratio(double s) const { return std::pow(ratio_of(i_), 1 - s) * std::pow(ratio_of(j_), s); }
  double ratio_of(int k) const { return p_.mean(k, 0) / (p_.mean(k, 0) + p_.size(k, 0)); }
  double log_rest(int k) const { return -std::log1p(p_.mean(k, 0) / p_.size(k, 0)); }
};

// The tilt of a bank, or null if the densities between two classes are of another kind.
using AnyTilt = std::unique_ptr<BankTilt>;

template <class Plan, class Parameters>
AnyTilt tilt_of_bank(const Plan&, const Parameters&, int, int) {
  return nullptr;
}
inline AnyTilt tilt_of_bank(const Gaussian::Plan&, const Gaussian::Parameters& p, int i, int j) {
  return std::make_unique<GaussianTilt>(p, i, j);
}
inline AnyTilt tilt_of_bank(const MultivariateGaussian::Plan&,
                            const MultivariateGaussian::Parameters& p, int i, int j) {
  return std::make_unique<MultivariateGaussianTilt>(p, i, j);
}
inline AnyTilt tilt_of_bank(const Categorical::Plan& plan, const Categorical::Parameters& p, int i,
                            int j) {
  return std::make_unique<TableTilt<Categorical>>(p, i, j, plan.offsets());
}
inline AnyTilt tilt_of_bank(const Histogram::Plan& plan, const Histogram::Parameters& p, int i,
                            int j) {
  if (plan.by_class()) return nullptr;
  return std::make_unique<TableTilt<Histogram>>(p, i, j, IntVector{0, plan.bins[0]});
}
inline AnyTilt tilt_of_bank(const JointTable::Plan& plan, const JointTable::Parameters& p, int i,
                            int j) {
  return std::make_unique<JointTableTilt<JointTable>>(plan, p, i, j);
}
inline AnyTilt tilt_of_bank(const JointHistogram::Plan& plan, const JointHistogram::Parameters& p,
                            int i, int j) {
  return std::make_unique<JointTableTilt<JointHistogram>>(plan.table(), p, i, j);
}
inline AnyTilt tilt_of_bank(const Poisson::Plan&, const Poisson::Parameters& p, int i, int j) {
  return std::make_unique<PoissonTilt>(p, i, j);
}
inline AnyTilt tilt_of_bank(const Gamma::Plan&, const Gamma::Parameters& p, int i, int j) {
  return std::make_unique<GammaTilt>(p, i, j);
}
inline AnyTilt tilt_of_bank(const NegativeBinomial::Plan&, const NegativeBinomial::Parameters& p,
                            int i, int j) {
  if (p.size(i, 0) != p.size(j, 0) || p.law(i).is_poisson()) return nullptr;
  return std::make_unique<NegativeBinomialTilt>(p, i, j);
}

}  // namespace bayesrisk
