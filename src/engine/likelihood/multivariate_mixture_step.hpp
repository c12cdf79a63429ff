#pragma once

#include <engine/likelihood/multivariate_mixture.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// The rows of a class in standard units: mean 0, covariance the identity. Rows of weight 0 fill up
// the last block of rows.
struct StandardRows {
  static constexpr int kBlock = 512;

  Matrix x;
  Eigen::ArrayXd weight;
  double total = 0;

  StandardRows(const Matrix& rows, const Eigen::ArrayXd& weights)
      : x(Matrix::Zero((rows.rows() + kBlock - 1) / kBlock * kBlock, rows.cols())),
        weight(Eigen::ArrayXd::Zero(x.rows())),
        total(weights.sum()) {
    x.topRows(rows.rows()) = rows;
    weight.head(rows.rows()) = weights;
  }
};

// The components of a block in standard units. U'U is the covariance of a component, for its upper
// triangle U.
struct BlockTerms {
  Eigen::ArrayXd share;
  Matrix mean;  // components in columns
  std::vector<Matrix> factor;
  bool spike = false;  // a component has no case, or too little spread in some direction
  double log_likelihood = kNegativeInfinity;  // minus infinity: not computed

  explicit BlockTerms(int count = 0, Index size = 0)
      : share(count), mean(size, count), factor(static_cast<std::size_t>(count)) {}
  int count() const { return static_cast<int>(share.size()); }

  // A direction in which the variance is below `least` is found without eigenvalues: the
  // covariance less `least` is not positive.
  void set_covariance(int t, const Matrix& covariance, double least) {
    Matrix reduced = covariance;
    reduced.diagonal().array() -= least;
    const Eigen::LLT<Matrix, Eigen::Lower> whole(covariance);
    spike = spike || !(share[t] > 0) || !covariance.allFinite() || whole.info() != Eigen::Success ||
            (least > 0 && Eigen::LLT<Matrix, Eigen::Lower>(reduced).info() != Eigen::Success);
    factor[t] = whole.matrixU();
  }
};

// One step of expectation-maximisation. Each component borrows `borrow` cases whose covariance is
// the identity.
class BlockStep {
 public:
  BlockStep(const StandardRows& rows, double borrow, double least,
            const std::function<void()>& check)
      : rows_(rows), borrow_(borrow), least_(least), check_(check) {}

  // The next terms; also sets the log likelihood of `terms`. A step raises the sum of the log
  // likelihood and of the log density of the borrowed cases. Deviations are from the old means.
  BlockTerms operator()(BlockTerms& terms) {
    prepare(terms);
    double sum = 0;
    for (Index begin = 0; begin < rows_.x.rows(); begin += kBlock) {
      if (begin % (64 * kBlock) == 0) check_();
      sum += share_out(begin);
      for (int t = 0; t < terms.count(); ++t) add_moments(terms, begin, t);
    }
    const auto size = static_cast<double>(rows_.x.cols());
    terms.log_likelihood = sum - rows_.total * size * kHalfLogTwoPi;
    if (borrow_ > 0) terms.log_likelihood -= borrow_ * borrowed_loss(terms);
    BlockTerms next(terms.count(), rows_.x.cols());
    for (int t = 0; t < terms.count(); ++t) {
      const Eigen::VectorXd offset = first_.col(t) / own_[t];
      next.share[t] = own_[t] / rows_.total;
      next.mean.col(t) = terms.mean.col(t) + offset;
      Matrix covariance = second_[t] - own_[t] * offset * offset.transpose();
      covariance.diagonal().array() += borrow_;
      next.set_covariance(t, covariance / (own_[t] + borrow_), least_);
    }
    return next;
  }

 private:
  static constexpr int kBlock = StandardRows::kBlock;

  void prepare(const BlockTerms& terms) {
    const int count = terms.count();
    const Index size = rows_.x.cols();
    own_ = Vector(count, 0.0);
    first_ = Matrix::Zero(size, count);
    second_.assign(count, Matrix::Zero(size, size));
    share_.resize(kBlock, count);
    inverse_.resize(count);
    constant_.resize(count);
    low_ = Vector(size, 0.0);
    classes_.clear();
    for (int t = 0; t < count; ++t) {
      const Matrix& u = terms.factor[t];
      inverse_[t].clear();
      for (Index j = 0; j < size; ++j) inverse_[t].push_back(1 / u(j, j));
      constant_[t] = half_log_determinant(u) - std::log(terms.share[t]);
      classes_.push_back({u.data(), inverse_[t].data(), terms.mean.col(t).data(), low_.data()});
    }
    scratch_.resize(static_cast<std::size_t>(std::max<Index>(size * simd::kSolveScratch, kBlock)));
    sum_.resize(kBlock);
    least_of_row_.resize(kBlock);
  }

  // The weights of a block of rows, shared out among the terms; returns the log likelihood but for
  // a constant.
  double share_out(Index begin) {
    const int count = static_cast<int>(classes_.size());
    std::vector<const double*> columns;
    for (Index j = 0; j < rows_.x.cols(); ++j) columns.push_back(rows_.x.col(j).data() + begin);
    set_zero(share_.data(), static_cast<std::size_t>(share_.size()));
    loops_.solve_triangles(columns.data(), static_cast<int>(columns.size()), classes_.data(), count,
                           kBlock, kBlock, scratch_.data(), share_.data());
    for (int t = 0; t < count; ++t) share_.col(t) = 0.5 * share_.col(t).array() + constant_[t];
    loops_.find_least(share_.data(), count, kBlock, kBlock, least_of_row_.data());
    set_zero(sum_.data(), kBlock);
    for (int t = 0; t < count; ++t) {
      double* column = share_.col(t).data();
      loops_.add_exponentials(least_of_row_.data(), column, kBlock, scratch_.data(), sum_.data());
      std::copy_n(scratch_.data(), kBlock, column);
    }
    const Eigen::Map<const Eigen::ArrayXd> sum(sum_.data(), kBlock);
    const Eigen::Map<const Eigen::ArrayXd> least(least_of_row_.data(), kBlock);
    const auto weight = rows_.weight.segment(begin, kBlock);
    const Eigen::ArrayXd scale = weight / sum;
    share_.array().colwise() *= scale;
    return (weight * (sum.log() - least)).sum();
  }

  void add_moments(const BlockTerms& terms, Index begin, int t) {
    const Matrix deviation =
        rows_.x.middleRows(begin, kBlock).rowwise() - terms.mean.col(t).transpose();
    const Matrix shared = deviation.array().colwise() * share_.col(t).array();
    own_[t] += share_.col(t).sum();
    first_.col(t) += shared.colwise().sum().transpose();
    second_[t].noalias() += deviation.transpose() * shared;
  }

  // Minus the mean log density of the borrowed cases, summed over the terms, but for a constant.
  static double borrowed_loss(const BlockTerms& terms) {
    double sum = 0;
    for (const Matrix& u : terms.factor) {
      const Matrix inverse =
          u.triangularView<Eigen::Upper>().solve(Matrix::Identity(u.rows(), u.cols()));
      sum += half_log_determinant(u) + 0.5 * inverse.squaredNorm();
    }
    return sum;
  }

  const StandardRows& rows_;
  double borrow_, least_;
  const std::function<void()>& check_;
  const simd::TileLoops& loops_ = simd::tile_loops();
  Vector own_, constant_, low_;
  LineVector scratch_, sum_, least_of_row_;
  Matrix first_, share_;
  std::vector<Matrix> second_;
  std::vector<Vector> inverse_;
  std::vector<simd::TriangleOfClass> classes_;
};

}  // namespace bayesrisk
