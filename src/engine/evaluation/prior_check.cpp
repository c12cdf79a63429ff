#include <engine/core/decompositions.hpp>
#include <engine/evaluation/prior_check.hpp>

namespace bayesrisk {

PriorCheck::PriorCheck(std::vector<SampledRows> samples, int classes, const Vector& cases,
                       int clusters, const Context& context)
    : samples_(std::move(samples)),
      classes_(classes),
      cases_(cases),
      clusters_(clusters),
      context_(context),
      evidence_(pieces(kTogether), classes, context) {}

bool PriorCheck::fit(const Eigen::VectorXd& start) {
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

FeatureCheck PriorCheck::check(int feature) const {
  const auto size = static_cast<Index>(free_.size());
  Sums sums(size);
  for (const SampledRows& sample : samples_) {
    sums = merge_by_rows(sample.rows, context_, sums, [&](Index first, Index last) {
      context_.check();
      return sum(sample, feature, first, last);
    });
  }
  if (clusters_ > 1) add_clusters(feature, sums);
  return test(sums);
}

void PriorCheck::add_clusters(int feature, Sums& sums) const {
  const auto size = static_cast<Index>(free_.size());
  Matrix s = Matrix::Zero(size, clusters_), t = s;
  Eigen::VectorXd slope(size);
  for (const SampledRows& sample : samples_) {
    for (Index r = 0; r < sample.rows; ++r) {
      if (!(sample.evidence[r] > 0)) continue;
      slopes(of_feature(sample, feature) + r, sample.rows, slope);
      s.col(sample.cluster[r] - 1) += sample.evidence[r] * slope;
      slopes(sample.together + r, sample.rows, slope);
      t.col(sample.cluster[r] - 1) += sample.evidence[r] * slope;
    }
  }
  s.colwise() -= s.rowwise().mean().eval();
  t.colwise() -= t.rowwise().mean().eval();
  const double part = clusters_ / (clusters_ - 1.0) / sums.total;
  sums.vtt += part * t * t.transpose();
  sums.vst += part * s * t.transpose();
  sums.vss += part * s * s.transpose();
}

PriorCheck::Sums::Sums(Index size)
    : s(Eigen::VectorXd::Zero(size)),
      tt(Matrix::Zero(size, size)),
      st(tt),
      vtt(tt),
      vst(tt),
      vss(tt) {}

void PriorCheck::Sums::merge(const Sums& other) {
  total += other.total;
  s += other.s;
  tt += other.tt;
  st += other.st;
  vtt += other.vtt;
  vst += other.vst;
  vss += other.vss;
}

std::vector<PriorPiece> PriorCheck::pieces(int feature) const {
  std::vector<PriorPiece> result;
  for (const SampledRows& s : samples_) {
    const double* likelihood = feature == kTogether ? s.together : of_feature(s, feature);
    result.push_back({s.rows, likelihood, s.evidence, nullptr});
  }
  return result;
}

PriorCheck::Sums PriorCheck::sum(const SampledRows& sample, int feature, Index first,
                                 Index last) const {
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
    const double own = clusters_ > 1 ? 0.0 : weight / evidence_.total();
    const double variance = weight * (own + learned);
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

double PriorCheck::slopes(const double* likelihood, Index rows, Eigen::VectorXd& slope) const {
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

FeatureCheck PriorCheck::test(const Sums& sums) const {
  const Matrix by = solve_semidefinite(sums.tt, sums.st.transpose()).transpose();
  const Matrix cross = by * sums.vst.transpose();
  const Matrix variance =
      (sums.vss - cross - cross.transpose() + by * sums.vtt * by.transpose()) / sums.total;
  const Eigen::VectorXd mean = sums.s / sums.total;
  const SymmetricEigen eigen = eigen_of_symmetric(variance);
  const double unit = sums.vss.trace() / sums.total;
  FeatureCheck result;
  for (Index i = 0; i < mean.size(); ++i) {
    const double spread = eigen.values[i];
    if (!(spread > kSingular * unit)) continue;
    const double along = eigen.vectors.col(i).dot(mean);
    result.statistic += along * along / spread;
    ++result.degrees;
  }
  return result;
}

}  // namespace bayesrisk
