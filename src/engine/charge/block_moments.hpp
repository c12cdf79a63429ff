#pragma once

#include <engine/likelihood/joint_histogram.hpp>
#include <engine/likelihood/multivariate_mixture.hpp>

namespace bayesrisk {

// The means of the features of a block in one class, relative to an origin that all classes share,
// and the upper triangle of their covariance: triangle' * triangle.
struct BlockMoments {
  Eigen::VectorXd mean;
  Matrix triangle;
};

// The moments of a mixture in one class. The origin is the first mean of the block.
inline BlockMoments mixture_moments(const MultivariateMixture::Parameters& p, int k) {
  const int first = p.first_terms()[k], count = p.components[k];
  const auto& normals = p.normals;
  const Index size = normals.mean.cols();
  const Matrix away = (normals.mean.middleRows(first, count).rowwise() - normals.mean.row(0)) +
                      normals.mean_low.middleRows(first, count);
  const Eigen::VectorXd share = Eigen::Map<const Eigen::ArrayXd>(&p.log_weight[first], count).exp();
  const Eigen::VectorXd mean = away.transpose() * share - normals.mean_low.row(0).transpose();
  Matrix rows(count * (size + 1), size);
  for (int t = 0; t < count; ++t) {
    rows.middleRows(t * size, size) = std::sqrt(share[t]) * normals.factor_of(first + t);
    rows.row(count * size + t) =
        std::sqrt(share[t]) * (away.row(t) - normals.mean_low.row(0) - mean.transpose());
  }
  return {mean, triangle_of_rows(rows)};
}

// Sums over the cells of a joint histogram in one class. The origin is the first edge.
class CellMoments {
 public:
  CellMoments(const JointHistogram::Plan& plan, const JointHistogram::Parameters& p, int k)
      : plan_(plan), p_(p), k_(k), cells_(plan.table().cells()), middle_(plan.bins.size()) {
    for (int j = 0; j < plan.members(); ++j) {
      const Bins bins = plan.of_member(j);
      Eigen::VectorXd& middle = middle_[j];
      middle.resize(bins.count);
      for (int b = 0; b < bins.count; ++b) {
        middle[b] = bins.edges[b] - bins.edges[0] + 0.5 * bins.width(b);
      }
    }
  }

  BlockMoments moments() {
    const Eigen::VectorXd mean = sum_means();
    for (std::size_t j = 0; j < middle_.size(); ++j) middle_[j].array() -= mean[j];
    Matrix covariance = sum_products();
    for (int j = 0; j < plan_.members(); ++j) covariance(j, j) += within_bins(j);
    return {mean, covariance.llt().matrixU()};
  }

 private:
  // Cells that are not listed share one probability. Their sum is that of all cells less that of
  // the listed ones.
  double unlisted() const {
    const bool all = static_cast<double>(p_.cells.rows()) == cells_;
    return all ? 0.0 : std::exp(p_.log_unseen[k_]);
  }
  double excess(Index c) const { return std::exp(p_.log_probability(k_, c)) - unlisted(); }
  Eigen::VectorXd at(Index c) const {
    Eigen::VectorXd x(plan_.members());
    for (int j = 0; j < plan_.members(); ++j) x[j] = middle_[j][p_.cells(c, j) - 1];
    return x;
  }

  Eigen::VectorXd sum_means() const {
    Eigen::VectorXd sum(plan_.members());
    for (int j = 0; j < plan_.members(); ++j) sum[j] = unlisted() * cells_ * middle_[j].mean();
    for (Index c = 0; c < p_.cells.rows(); ++c) sum += excess(c) * at(c);
    return sum;
  }

  Matrix sum_products() const {
    Eigen::VectorXd mean(plan_.members());
    for (int j = 0; j < plan_.members(); ++j) mean[j] = middle_[j].mean();
    Matrix sum = unlisted() * cells_ * mean * mean.transpose();
    for (int j = 0; j < plan_.members(); ++j) {
      sum(j, j) = unlisted() * cells_ * middle_[j].squaredNorm() / plan_.bins[j];
    }
    for (Index c = 0; c < p_.cells.rows(); ++c) sum += excess(c) * at(c) * at(c).transpose();
    return sum;
  }

  // The variance within the bins of a member.
  double within_bins(int j) const {
    const Steps::OfClass steps = JointHistogram::marginal(plan_, p_, k_, j, 0);
    double sum = 0;
    for (std::size_t b = 0; b < steps.log_probability.size(); ++b) {
      const double width = steps.edges[b + 1] - steps.edges[b];
      sum += std::exp(steps.log_probability[b]) * width * width / 12;
    }
    return sum;
  }

  const JointHistogram::Plan& plan_;
  const JointHistogram::Parameters& p_;
  int k_;
  double cells_;
  std::vector<Eigen::VectorXd> middle_;  // of each bin, relative to an origin
};

}  // namespace bayesrisk
