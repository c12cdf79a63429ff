#pragma once

#include <engine/charge/normal_tilts.hpp>

namespace bayesrisk {

// log(p_i^(1 - s) p_j^s) of cells of a table.
inline double tilted_log(double log_i, double log_j, double s) {
  if (std::min(log_i, log_j) == kNegativeInfinity) return kNegativeInfinity;
  return (1 - s) * log_i + s * log_j;
}

// Independent parts of a table: their first cells, and the end of the last part.
template <class L>
class TableTilt : public OverlapTilt<L> {
 public:
  TableTilt(const typename L::Plan& plan, const typename L::Parameters& p, int i, int j,
            IntVector parts)
      : OverlapTilt<L>(plan, p, i, j), parts_(std::move(parts)) {}

  void write(double s, AnyParameters& to, int row) const override {
    const Matrix& all = this->p_.log_probability;
    for (std::size_t k = 0; k + 1 < parts_.size(); ++k) {
      Eigen::VectorXd logs(parts_[k + 1] - parts_[k]);
      for (Index c = 0; c < logs.size(); ++c) {
        logs[c] = tilted_log(all(this->i_, parts_[k] + c), all(this->j_, parts_[k] + c), s);
      }
      this->own(to).log_probability.row(row).segment(parts_[k], logs.size()) =
          (logs.array() - log_sum(logs)).transpose();
    }
  }

 private:
  IntVector parts_;
};

class JointTableTilt : public OverlapTilt<JointTable> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override { write_to(own(to), s, row); }

 protected:
  void write_to(JointTable::Parameters& to, double s, int row) const {
    const double total = log_normaliser(s);
    const auto i = static_cast<std::size_t>(i_), j = static_cast<std::size_t>(j_);
    for (Index c = 0; c < p_.log_probability.cols(); ++c) {
      to.log_probability(row, c) =
          tilted_log(p_.log_probability(i_, c), p_.log_probability(j_, c), s) - total;
    }
    to.log_unseen[static_cast<std::size_t>(row)] =
        tilted_log(p_.log_unseen[i], p_.log_unseen[j], s) - total;
  }
};

// The cells have the same widths in both classes.
class JointHistogramTilt : public JointTableTilt {
 public:
  using JointTableTilt::JointTableTilt;

  void write(double s, AnyParameters& to, int row) const override {
    write_to(std::get<JointHistogram::Parameters>(to), s, row);
  }
  void resize(AnyParameters& to, int classes) const override {
    const ResizeClasses resizing{classes};
    JointTable::Parameters::fields(std::get<JointHistogram::Parameters>(to), resizing);
  }
};

class PoissonTilt : public OverlapTilt<Poisson> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    for (Index m = 0; m < p_.rate.cols(); ++m) {
      own(to).rate(row, m) = std::pow(p_.rate(i_, m), 1 - s) * std::pow(p_.rate(j_, m), s);
    }
  }
};

class GammaTilt : public OverlapTilt<Gamma> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    own(to).shape.row(row) = (1 - s) * p_.shape.row(i_) + s * p_.shape.row(j_);
    own(to).rate.row(row) = (1 - s) * p_.rate.row(i_) + s * p_.rate.row(j_);
  }
};

// Two classes of the same size n. The probability of x is proportional to t^x, t = mean / (mean +
// n).
class NegativeBinomialTilt : public OverlapTilt<NegativeBinomial> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    const double n = p_.size(i_, 0);
    const auto ratio = [&](int k) { return p_.mean(k, 0) / (p_.mean(k, 0) + n); };
    const double t = std::pow(ratio(i_), 1 - s) * std::pow(ratio(j_), s);
    own(to).size(row, 0) = n;
    own(to).mean(row, 0) = n * t / (1 - t);
  }
};

// The tilt of a bank, or null if the densities between two classes are of another kind.
using AnyTilt = std::unique_ptr<BankTilt>;

template <class Plan, class Parameters>
AnyTilt tilt_of_bank(const Plan&, const Parameters&, int, int) {
  return nullptr;
}
inline AnyTilt tilt_of_bank(const Gaussian::Plan& plan, const Gaussian::Parameters& p, int i,
                            int j) {
  return std::make_unique<GaussianTilt>(plan, p, i, j);
}
inline AnyTilt tilt_of_bank(const MultivariateGaussian::Plan&,
                            const MultivariateGaussian::Parameters& p, int i, int j) {
  return std::make_unique<MultivariateGaussianTilt>(p, i, j);
}
inline AnyTilt tilt_of_bank(const Categorical::Plan& plan, const Categorical::Parameters& p, int i,
                            int j) {
  return std::make_unique<TableTilt<Categorical>>(plan, p, i, j, plan.offsets());
}
inline AnyTilt tilt_of_bank(const Histogram::Plan& plan, const Histogram::Parameters& p, int i,
                            int j) {
  if (plan.by_class()) return nullptr;
  return std::make_unique<TableTilt<Histogram>>(plan, p, i, j, IntVector{0, plan.bins[0]});
}
inline AnyTilt tilt_of_bank(const JointTable::Plan& plan, const JointTable::Parameters& p, int i,
                            int j) {
  return std::make_unique<JointTableTilt>(plan, p, i, j);
}
inline AnyTilt tilt_of_bank(const JointHistogram::Plan& plan, const JointHistogram::Parameters& p,
                            int i, int j) {
  return std::make_unique<JointHistogramTilt>(plan.table(), p, i, j);
}
inline AnyTilt tilt_of_bank(const Poisson::Plan& plan, const Poisson::Parameters& p, int i, int j) {
  return std::make_unique<PoissonTilt>(plan, p, i, j);
}
inline AnyTilt tilt_of_bank(const Gamma::Plan& plan, const Gamma::Parameters& p, int i, int j) {
  return std::make_unique<GammaTilt>(plan, p, i, j);
}
inline AnyTilt tilt_of_bank(const NegativeBinomial::Plan& plan,
                            const NegativeBinomial::Parameters& p, int i, int j) {
  if (p.size(i, 0) != p.size(j, 0) || p.law(i).is_poisson()) return nullptr;
  return std::make_unique<NegativeBinomialTilt>(plan, p, i, j);
}

}  // namespace bayesrisk
