#include <engine/likelihood/normal/multivariate_mixture_step.hpp>

namespace bayesrisk {

StandardRows::StandardRows(const Matrix& rows, const Eigen::ArrayXd& weights)
    : x(Matrix::Zero((rows.rows() + kVectors - 1) / kVectors * kVectors, rows.cols())),
      weight(Eigen::ArrayXd::Zero(x.rows())),
      total(weights.sum()) {
  x.topRows(rows.rows()) = rows;
  weight.head(rows.rows()) = weights;
}

void BlockTerms::set_covariance(int t, Matrix& covariance, double least) {
  const bool whole = cholesky(covariance, factor[t]);
  spike = spike || !(share[t] > 0) || !covariance.allFinite() || !whole;
  if (spike || least == 0) return;
  covariance.diagonal().array() -= least;
  spike = !cholesky(covariance, covariance);
}

void BlockStep::operator()(BlockTerms& terms, BlockTerms& next) {
  prepare(terms);
  double sum = 0;
  for (Index begin = 0; begin < rows_.x.rows(); begin += kBlock) {
    if (begin % (64 * kBlock) == 0) check_();
    const auto rows = static_cast<int>(std::min<Index>(kBlock, rows_.x.rows() - begin));
    sum += share_out(begin, rows);
    for (int t = 0; t < terms.count(); ++t) add_moments(terms, begin, rows, t);
  }
  const auto size = static_cast<double>(rows_.x.cols());
  terms.log_likelihood = sum - rows_.total * size * kHalfLogTwoPi;
  if (borrow_ > 0) terms.log_likelihood -= borrow_ * borrowed_loss(terms);
  next.spike = false;
  for (int t = 0; t < terms.count(); ++t) {
    auto offset = first_.col(t);
    offset /= own_[t];
    next.share[t] = own_[t] / rows_.total;
    next.mean.col(t) = terms.mean.col(t) + offset;
    Matrix& covariance = second_[t];
    covariance.noalias() -= own_[t] * offset * offset.transpose();
    covariance.diagonal().array() += borrow_;
    covariance /= own_[t] + borrow_;
    next.set_covariance(t, covariance, least_);
  }
}

void BlockStep::prepare(const BlockTerms& terms) {
  const int count = terms.count();
  const Index size = rows_.x.cols();
  own_ = Vector(count, 0.0);
  first_ = Matrix::Zero(size, count);
  second_.assign(count, Matrix::Zero(size, size));
  share_.resize(kBlock, count);
  deviation_.resize(kBlock, size);
  shared_.resize(kBlock, size);
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

double BlockStep::share_out(Index begin, int rows) {
  const int count = static_cast<int>(classes_.size());
  columns_.clear();
  for (Index j = 0; j < rows_.x.cols(); ++j) columns_.push_back(rows_.x.col(j).data() + begin);
  loops_.solve_triangles(columns_.data(), static_cast<int>(columns_.size()), classes_.data(), count,
                         kBlock, rows, scratch_.data(), share_.data());
  for (int t = 0; t < count; ++t) {
    share_.col(t).head(rows) = 0.5 * share_.col(t).head(rows).array() + constant_[t];
  }
  loops_.find_least(share_.data(), count, kBlock, rows, least_of_row_.data());
  set_zero(sum_.data(), static_cast<std::size_t>(rows));
  for (int t = 0; t < count; ++t) {
    double* column = share_.col(t).data();
    loops_.add_exponentials(least_of_row_.data(), column, rows, scratch_.data(), sum_.data());
    std::copy_n(scratch_.data(), rows, column);
  }
  Eigen::Map<Eigen::ArrayXd> sum(sum_.data(), rows);
  const Eigen::Map<const Eigen::ArrayXd> least(least_of_row_.data(), rows);
  const auto weight = rows_.weight.segment(begin, rows);
  const double log_likelihood = (weight * (sum.log() - least)).sum();
  sum = weight / sum;
  share_.topRows(rows).array().colwise() *= sum;
  return log_likelihood;
}

void BlockStep::add_moments(const BlockTerms& terms, Index begin, int rows, int t) {
  auto deviation = deviation_.topRows(rows), shared = shared_.topRows(rows);
  const auto share = share_.col(t).head(rows);
  deviation = rows_.x.middleRows(begin, rows).rowwise() - terms.mean.col(t).transpose();
  shared = deviation.array().colwise() * share.array();
  own_[t] += share.sum();
  first_.col(t) += shared.colwise().sum().transpose();
  if (deviation.cols() == 1) {  // a product of matrices would be slow to start
    second_[t](0, 0) += deviation.col(0).dot(shared.col(0));
  } else {
    second_[t].noalias() += deviation.transpose() * shared;
  }
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
