#include <engine/likelihood/normal/multivariate_mixture_step.hpp>

namespace bayesrisk {

StandardRows::StandardRows(const Matrix& rows, const Eigen::ArrayXd& weights)
    : x(Matrix::Zero((rows.rows() + kBlock - 1) / kBlock * kBlock, rows.cols())),
      weight(Eigen::ArrayXd::Zero(x.rows())),
      total(weights.sum()) {
  x.topRows(rows.rows()) = rows;
  weight.head(rows.rows()) = weights;
}

void BlockTerms::set_covariance(int t, const Matrix& covariance, double least) {
  Matrix reduced = covariance;
  reduced.diagonal().array() -= least;
  Matrix of_reduced;
  const bool whole = cholesky(covariance, factor[t]);
  spike = spike || !(share[t] > 0) || !covariance.allFinite() || !whole ||
          (least > 0 && !cholesky(reduced, of_reduced));
}

BlockTerms BlockStep::operator()(BlockTerms& terms) {
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

void BlockStep::prepare(const BlockTerms& terms) {
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

double BlockStep::share_out(Index begin) {
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

void BlockStep::add_moments(const BlockTerms& terms, Index begin, int t) {
  const Matrix deviation =
      rows_.x.middleRows(begin, kBlock).rowwise() - terms.mean.col(t).transpose();
  const Matrix shared = deviation.array().colwise() * share_.col(t).array();
  own_[t] += share_.col(t).sum();
  first_.col(t) += shared.colwise().sum().transpose();
  second_[t].noalias() += deviation.transpose() * shared;
}

double BlockStep::borrowed_loss(const BlockTerms& terms) {
  double sum = 0;
  for (const Matrix& u : terms.factor) {
    const Matrix inverse = solve_triangle(u, Matrix::Identity(u.rows(), u.cols()));
    sum += half_log_determinant(u) + 0.5 * inverse.squaredNorm();
  }
  return sum;
}

}  // namespace bayesrisk
