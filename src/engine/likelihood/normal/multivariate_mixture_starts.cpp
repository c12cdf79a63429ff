#include <engine/likelihood/normal/multivariate_mixture_starts.hpp>

namespace bayesrisk {

BlockStarts::BlockStarts(const Matrix& standard, const Matrix& scaled, const Eigen::ArrayXd& weight,
                         const MixtureOptions& options)
    : standard_(some_of(standard)),
      scaled_(some_of(scaled)),
      weight_(some_of(weight.matrix()).array()),
      rows_(standard_, weight_),
      options_(options) {}

BlockTerms BlockStarts::first_terms(int count, int start) const {
  CounterRandom random = options_.random(count, start);
  const int turn = start / 3;
  if (start % 3 == 1) return random_cases(count, random);
  if (start % 3 == 2 && turn < scaled_.cols()) return of_parts(quantiles(turn, count), count);
  const Matrix& x = turn % 2 == 0 ? standard_ : scaled_;
  return of_parts(nearest(x, centres(x, count, random)), count);
}

Matrix BlockStarts::some_of(const Matrix& rows) {
  if (rows.rows() <= kMostRows) return rows;
  Matrix some(kMostRows, rows.cols());
  for (Index i = 0; i < kMostRows; ++i) some.row(i) = rows.row(i * rows.rows() / kMostRows);
  return some;
}

Index BlockStarts::draw(const Eigen::ArrayXd& share, CounterRandom& random) {
  double left = random.uniform() * share.sum();
  Index i = 0;
  while (i + 1 < share.size() && left >= share[i]) left -= share[i++];
  return i;
}

BlockTerms BlockStarts::random_cases(int count, CounterRandom& random) const {
  const Index size = standard_.cols();
  BlockTerms terms(count, size);
  terms.share.setConstant(1.0 / count);
  for (int t = 0; t < count; ++t) {
    terms.mean.col(t) = standard_.row(draw(weight_, random)).transpose();
    const double sd = std::exp(0.5 * std::log(kNarrow) * random.uniform());
    terms.factor[t] = sd * Matrix::Identity(size, size);
  }
  return terms;
}

IntVector BlockStarts::quantiles(int feature, int count) const {
  IntVector order(static_cast<std::size_t>(scaled_.rows())), part(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return scaled_(a, feature) < scaled_(b, feature); });
  double below = 0;
  for (int row : order) {
    const double middle = below + weight_[row] / 2;
    part[row] = std::min(count - 1, static_cast<int>(middle / rows_.total * count));
    below += weight_[row];
  }
  return part;
}

Matrix BlockStarts::centres(const Matrix& x, int count, CounterRandom& random) const {
  Matrix result(count, x.cols());
  Eigen::ArrayXd share = weight_, distance;
  for (int t = 0; t < count; ++t) {
    result.row(t) = x.row(draw(share, random));
    const Eigen::ArrayXd own = (x.rowwise() - result.row(t)).rowwise().squaredNorm();
    distance = t == 0 ? own : Eigen::ArrayXd(distance.min(own));
    share = weight_ * distance;
  }
  return result;
}

IntVector BlockStarts::nearest(const Matrix& x, Matrix centre) const {
  IntVector part(static_cast<std::size_t>(x.rows()), 0);
  for (int step = 0; step < kLloyd; ++step) {
    Eigen::ArrayXd least = Eigen::ArrayXd::Constant(x.rows(), kInfinity);
    for (int t = 0; t < centre.rows(); ++t) {
      const Eigen::ArrayXd own = (x.rowwise() - centre.row(t)).rowwise().squaredNorm();
      for (Index i = 0; i < x.rows(); ++i) {
        if (own[i] < least[i]) part[static_cast<std::size_t>(i)] = t;
      }
      least = least.min(own);
    }
    Matrix moved = Matrix::Zero(centre.rows(), centre.cols());
    Eigen::ArrayXd own = Eigen::ArrayXd::Zero(centre.rows());
    for (Index i = 0; i < x.rows(); ++i) {
      own[part[static_cast<std::size_t>(i)]] += weight_[i];
      moved.row(part[static_cast<std::size_t>(i)]) += weight_[i] * x.row(i);
    }
    if (!(own > 0).all()) return part;
    moved.array().colwise() /= own;
    if (moved == centre) break;
    centre = moved;
  }
  return part;
}

BlockTerms BlockStarts::of_parts(const IntVector& part, int count) const {
  const Index size = standard_.cols();
  BlockTerms terms(count, size);
  for (int t = 0; t < count; ++t) {
    Eigen::VectorXd weight(weight_.size());
    for (Index i = 0; i < weight.size(); ++i) {
      weight[i] = part[static_cast<std::size_t>(i)] == t ? weight_[i] : 0;
    }
    const double own = weight.sum();
    if (!(own > 0)) return BlockTerms();
    terms.share[t] = own / rows_.total;
    terms.mean.col(t) = standard_.transpose() * weight / own;
    const Matrix deviation = standard_.rowwise() - terms.mean.col(t).transpose();
    const Matrix shared = deviation.array().colwise() * weight.array();
    Matrix covariance = deviation.transpose() * shared / own;
    covariance.diagonal().array() += std::max(options_.min_variance_share, kNarrow);
    terms.set_covariance(t, covariance, 0);
  }
  return terms.spike ? BlockTerms() : terms;
}

}  // namespace bayesrisk
