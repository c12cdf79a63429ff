#include <engine/likelihood/normal/multivariate_mixture_estimator.hpp>

namespace bayesrisk {

BlockFitter::BlockFitter(const RowPoints& points, const IntVector& kept,
                         const MixtureOptions& options, const Classes& classes)
    : options_(options), classes_(classes), different_(points.rows()) {
  const Eigen::ArrayXd weight = points.col(points.cols() - 1);
  Matrix x(points.rows(), static_cast<Index>(kept.size()));
  for (std::size_t j = 0; j < kept.size(); ++j) {
    x.col(static_cast<Index>(j)) = points.col(kept[j]);
  }
  first_ = x.row(0);
  x.rowwise() -= first_;
  middle_ = weight.matrix().transpose() * x / weight.sum();
  x.rowwise() -= middle_;
  factor_ = Matrix::Zero(x.cols(), x.cols());
  constexpr Index kRows = 8192;
  for (Index begin = 0; begin < x.rows(); begin += kRows) {
    const Index rows = std::min(kRows, x.rows() - begin);
    const Matrix part =
        x.middleRows(begin, rows).array().colwise() * weight.segment(begin, rows).sqrt();
    factor_ = triangle_of_rows(stack(factor_, part));
  }
  factor_ /= std::sqrt(weight.sum());
  // Rows of a damaged object can contradict the moments.
  if (!factor_.allFinite() || !(factor_.diagonal().array() > 0).all()) return;
  Matrix scaled = x;
  for (Index j = 0; j < x.cols(); ++j) scaled.col(j) /= factor_.col(j).norm();
  factor_.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(x);
  starts_ = std::make_unique<BlockStarts>(x, scaled, weight, options);
  rows_ = std::make_unique<StandardRows>(x, weight);
}

BlockTerms BlockFitter::best_candidate(double borrow) const {
  BlockTerms best;
  if (!rows_) return best;
  const double penalty = options_.bic ? std::max(0.0, std::log(rows_->total)) : 2;
  double lowest = kInfinity;
  IntVector tried;
  for (int candidate : options_.components) {
    const int count = static_cast<int>(std::min<Index>(candidate, different_));
    if (std::find(tried.begin(), tried.end(), count) != tried.end()) continue;
    tried.push_back(count);
    BlockTerms terms = count == 1 ? normal(borrow) : fit(count, borrow);
    if (terms.count() == 0) continue;
    const auto size = static_cast<double>(factor_.cols());
    const double criterion =
        MultivariateMixture::parameters_of_class(count, size) * penalty - 2 * terms.log_likelihood;
    if (criterion < lowest) {
      lowest = criterion;
      best = std::move(terms);
    }
  }
  return best;
}

BlockTerms BlockFitter::fit(int count, double borrow) const {
  const StandardRows& some = starts_->rows();
  const int starts = static_cast<int>(options_.starts);
  std::vector<BlockTerms> tried;
  for (int start = 0; start < starts; ++start) {
    classes_.context.check();
    BlockTerms terms = climb(starts_->first_terms(count, start), some, kShortRun, borrow);
    if (terms.count() > 0) tried.push_back(std::move(terms));
  }
  const auto better = [](const BlockTerms& a, const BlockTerms& b) {
    return a.log_likelihood > b.log_likelihood;
  };
  std::stable_sort(tried.begin(), tried.end(), better);
  BlockTerms best;
  int finished = 0;
  for (std::size_t i = 0; i < tried.size() && finished < std::max(kFinalists, starts / 5); ++i) {
    classes_.context.check();
    BlockTerms terms = climb(std::move(tried[i]), some, kLongRun, borrow);
    finished += terms.count() > 0;
    if (better(terms, best)) best = std::move(terms);
  }
  if (some.x.rows() == rows_->x.rows()) return best;
  return climb(std::move(best), *rows_, kLongRun, borrow);
}

BlockTerms BlockFitter::climb(BlockTerms terms, const StandardRows& rows, int steps,
                              double borrow) const {
  if (terms.count() == 0) return terms;
  BlockStep step(rows, borrow * (rows.total / rows_->total),
                 borrow > 0 ? 0 : options_.min_variance_share, classes_.context.check);
  double before = kNegativeInfinity;
  BlockTerms next = terms;  // its memory is used again
  for (int i = 0;; ++i) {
    step(terms, next);
    if (i == steps || terms.log_likelihood - before < kGain * rows.total) return terms;
    if (next.spike) return BlockTerms();
    before = terms.log_likelihood;
    std::swap(terms, next);
  }
}

BlockTerms BlockFitter::normal(double borrow) const {
  const Index size = factor_.cols();
  BlockTerms terms(1, size);
  terms.share[0] = 1;
  terms.mean.setZero();
  terms.factor[0] = Matrix::Identity(size, size);
  terms.log_likelihood =
      -static_cast<double>(size) * (rows_->total * (kHalfLogTwoPi + 0.5) + 0.5 * borrow);
  return terms;
}

MixtureEstimator::MixtureEstimator(MultivariateGaussian::Parameters normal,
                                   const Diagnostics& found, const std::vector<RowPoints>& points,
                                   int feature, const MixtureOptions& options,
                                   const Classes& classes, Diagnostics& diagnostics)
    : normal_(std::move(normal)),
      found_(found),
      points_(points),
      feature_(feature),
      options_(options),
      classes_(classes),
      diagnostics_(diagnostics) {
  diagnostics_.merge(found);
}

MixtureEstimator::Parameters MixtureEstimator::estimate() {
  p_.normals.left_out = normal_.left_out;
  p_.normals.mean.resize(0, normal_.mean.cols());
  p_.normals.mean_low = p_.normals.mean;
  for (int g = 0; g < classes_.count(); ++g) {
    if (has_own_covariance(g)) {
      add_group(g);
    } else {
      add_normal(g);
    }
  }
  return p_;
}

bool MixtureEstimator::has_own_covariance(int g) const {
  if (!classes_.has_rows(g) || normal_.kept().empty() || points_[g].rows() == 0) {
    return false;
  }
  return std::none_of(found_.items().begin(), found_.items().end(), [g](const Diagnostic& item) {
    return item.group == g || (item.group == kAll && !is_note(item.problem));
  });
}

void MixtureEstimator::add_group(int g) {
  const IntVector kept = normal_.kept();
  const RowPoints& points = points_[g];
  const double weight = points.col(points.cols() - 1).sum();
  const BlockFitter fitter(points, kept, options_, classes_);
  BlockTerms best = fitter.best_candidate(options_.borrow);
  if (best.count() == 0 && classes_.borrow) {
    best = fitter.best_candidate(std::max(options_.borrow, static_cast<double>(kept.size())));
    if (best.count() > 0) diagnostics_.add(Problem::borrowed, g, feature_, weight);
  }
  if (best.count() > 0) return add_terms(g, fitter, best, kept);
  diagnostics_.add(MultivariateMixture::spike, g, feature_, weight);
  add_normal(g);
}

void MixtureEstimator::add_terms(int g, const BlockFitter& fitter, const BlockTerms& best,
                                 const IntVector& kept) {
  const int count = best.count();
  const Index before = start_group(count), size = normal_.mean.cols();
  MultivariateGaussian::Parameters part;
  part.mean = normal_.mean.row(g).replicate(count, 1);
  part.mean_low = normal_.mean_low.row(g).replicate(count, 1);
  for (int t = 0; t < count; ++t) {
    for (std::size_t j = 0; j < kept.size(); ++j) {
      const DoubleDouble mean = fitter.mean(best, t, static_cast<Index>(j));
      part.mean(t, kept[j]) = mean.high;
      part.mean_low(t, kept[j]) = mean.low;
    }
  }
  IntVector order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    for (Index j = 0; j < size; ++j) {
      if (part.mean(a, j) != part.mean(b, j)) return part.mean(a, j) < part.mean(b, j);
    }
    return a < b;
  });
  for (int t = 0; t < count; ++t) {
    const int from = order[static_cast<std::size_t>(t)];
    p_.log_weight.push_back(std::log(best.share[from]));
    p_.normals.mean.row(before + t) = part.mean.row(from);
    p_.normals.mean_low.row(before + t) = part.mean_low.row(from);
    p_.normals.factor.push_back(whole_factor(fitter.factor(best, from), kept, size));
  }
}

void MixtureEstimator::add_normal(int g) {
  const Index before = start_group(1);
  p_.log_weight.push_back(0);
  p_.normals.mean.row(before) = normal_.mean.row(g);
  p_.normals.mean_low.row(before) = normal_.mean_low.row(g);
  p_.normals.factor.push_back(normal_.factor_of(g));
}

Index MixtureEstimator::start_group(int count) {
  const Index before = p_.normals.mean.rows(), size = p_.normals.mean.cols();
  p_.components.push_back(count);
  p_.normals.mean.conservativeResize(before + count, size);
  p_.normals.mean_low.conservativeResize(before + count, size);
  return before;
}

MultivariateMixture::Parameters MultivariateMixture::estimate(const Plan& plan,
                                                              const Statistics& statistics,
                                                              const Options& options,
                                                              const Classes& classes,
                                                              Diagnostics& diagnostics) {
  Block::Options gaussian;
  gaussian.unbiased = false;
  Diagnostics found;
  const Block::Parameters normal = Block::estimate(plan, statistics, gaussian, classes, found);
  return MixtureEstimator(normal, found, statistics.points, kAll, options, classes, diagnostics)
      .estimate();
}

}  // namespace bayesrisk
