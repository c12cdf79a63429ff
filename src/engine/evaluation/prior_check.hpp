#pragma once

#include <engine/evaluation/prior_fit.hpp>

#include <Eigen/Eigenvalues>

namespace bayesrisk {

// Whether a feature alone contradicts the prior that all features together give.
struct FeatureCheck {
  double statistic = 0;  // chi-squared under a right model
  int degrees = 0;
};

// Rows with the likelihoods of all features together, and of each feature alone: see PriorSample.
struct PriorCheckRows {
  Index rows;
  const double *together, *alone, *evidence;
};

// If the model is right, the prior that maximises the likelihood of all features also makes the
// slopes of the likelihood of each feature alone 0, up to chance. With s the slopes of a row by the
// feature and t those by all features, towards each class and away from the most probable one, the
// mean of u = s - H_st H_tt^-1 t has expectation 0 to first order. Its variance is the mean of
// u u' (1 / n + sum_k posterior_k prior_k / n_k): the second part is an upper bound of what the
// estimates of the densities add, from n_k rows of class k.
class PriorCheck {
 public:
  // `cases`: n_k; infinite: the densities are known.
  PriorCheck(std::vector<PriorCheckRows> samples, int classes, const Vector& cases,
             const Context& context)
      : samples_(std::move(samples)),
        classes_(classes),
        cases_(cases),
        context_(context),
        evidence_(pieces(kTogether), classes, context) {}

  // The prior of all features in these rows. Returns whether it can be checked.
  bool fit(const Eigen::VectorXd& start) {
    if (!(evidence_.total() > 0)) return false;
    prior_ = PriorSolver(evidence_).solve(start).prior;
    reference_ = 0;
    for (int k = 1; k < classes_; ++k) {
      if (prior_[k] > prior_[reference_]) reference_ = k;
    }
    for (int k = 0; k < classes_; ++k) {
      if (k != reference_ && prior_[k] * evidence_.total() >= kFewestCases) free_.push_back(k);
    }
    return !free_.empty();
  }

  FeatureCheck check(int feature) const {
    const auto size = static_cast<Index>(free_.size());
    Sums sums(size);
    for (const PriorCheckRows& sample : samples_) {
      sums = merge_by_rows(sample.rows, context_, sums, [&](Index first, Index last) {
        context_.check();
        return sum(sample, feature, first, last);
      });
    }
    return test(sums);
  }

  // The prior by a feature alone.
  Eigen::VectorXd prior_by(int feature, const Eigen::VectorXd& start) const {
    return PriorSolver(PriorEvidence(pieces(feature), classes_, context_)).solve(start).prior;
  }

 private:
  // Slopes of rarer classes are too far from normal.
  static constexpr double kFewestCases = 10;
  static constexpr double kSingular = 1e-6;
  static constexpr int kTogether = -1;
  static constexpr Index kRowsAtOnce = 64;  // with many classes a row takes long

  struct Sums {
    double total = 0;
    Eigen::VectorXd s;
    Matrix tt, st;         // weighted
    Matrix vtt, vst, vss;  // weighted by the variance of a row

    explicit Sums(Index size = 0)
        : s(Eigen::VectorXd::Zero(size)),
          tt(Matrix::Zero(size, size)),
          st(tt),
          vtt(tt),
          vst(tt),
          vss(tt) {}
    void merge(const Sums& other) {
      total += other.total;
      s += other.s;
      tt += other.tt;
      st += other.st;
      vtt += other.vtt;
      vst += other.vst;
      vss += other.vss;
    }
  };

  std::vector<PriorPiece> pieces(int feature) const {
    std::vector<PriorPiece> result;
    for (const PriorCheckRows& s : samples_) {
      const double* likelihood = feature == kTogether ? s.together : of_feature(s, feature);
      result.push_back({s.rows, likelihood, s.evidence, nullptr});
    }
    return result;
  }

  const double* of_feature(const PriorCheckRows& sample, int feature) const {
    return sample.alone + feature * classes_ * sample.rows;
  }

  Sums sum(const PriorCheckRows& sample, int feature, Index first, Index last) const {
    const auto size = static_cast<Index>(free_.size());
    Sums sums(size);
    Eigen::VectorXd s(size), t(size);
    const double* alone = of_feature(sample, feature);
    for (Index r = first; r < last; ++r) {
      const double weight = sample.evidence[r];
      if (!(weight > 0)) continue;
      if (r % kRowsAtOnce == 0) context_.check();
      slopes(alone + r, sample.rows, s);
      const double learned = slopes(sample.together + r, sample.rows, t);
      const double variance = weight * (weight / evidence_.total() + learned);
      sums.total += weight;
      sums.s += weight * s;
      sums.tt.noalias() += weight * t * t.transpose();
      sums.st.noalias() += weight * s * t.transpose();
      sums.vtt.noalias() += variance * t * t.transpose();
      sums.vst.noalias() += variance * s * t.transpose();
      sums.vss.noalias() += variance * s * s.transpose();
    }
    return sums;
  }

  // The slopes of log sum_k prior_k likelihood_k. Returns sum_k posterior_k prior_k / n_k.
  double slopes(const double* likelihood, Index rows, Eigen::VectorXd& slope) const {
    double mixture = 0, learned = 0;
    for (int k = 0; k < classes_; ++k) {
      const double joint = prior_[k] * likelihood[k * rows];
      mixture += joint;
      if (joint > 0) learned += joint * prior_[k] / cases_[k];
    }
    if (!(mixture > 0)) mixture = 1;
    const double base = likelihood[reference_ * rows];
    for (std::size_t i = 0; i < free_.size(); ++i) {
      slope[static_cast<Index>(i)] = (likelihood[free_[i] * rows] - base) / mixture;
    }
    return learned / mixture;
  }

  // Directions in which the feature says nothing beyond all features together are left out.
  FeatureCheck test(const Sums& sums) const {
    const Matrix by = sums.tt.ldlt().solve(sums.st.transpose()).transpose();
    const Matrix cross = by * sums.vst.transpose();
    const Matrix variance =
        (sums.vss - cross - cross.transpose() + by * sums.vtt * by.transpose()) / sums.total;
    const Eigen::VectorXd mean = sums.s / sums.total;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(variance);
    const double unit = sums.vss.trace() / sums.total;
    FeatureCheck result;
    for (Index i = 0; i < mean.size(); ++i) {
      const double spread = eigen.eigenvalues()[i];
      if (!(spread > kSingular * unit)) continue;
      const double along = eigen.eigenvectors().col(i).dot(mean);
      result.statistic += along * along / spread;
      ++result.degrees;
    }
    return result;
  }

  std::vector<PriorCheckRows> samples_;
  int classes_;
  const Vector& cases_;
  const Context& context_;
  PriorEvidence evidence_;
  Eigen::VectorXd prior_;
  int reference_ = 0;
  IntVector free_;
};

}  // namespace bayesrisk
