#include <engine/likelihood/normal/multivariate_mixture_estimator.hpp>

namespace bayesrisk {

BlockFitter::BlockFitter(const RowPoints& points, const IntVector& kept,
                         const MixtureOptions& options, const Classes& classes)
    : options_(options), classes_(classes) {
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

BlockTerms BlockFitter::fit(int count, double borrow) const {
  if (!rows_) return BlockTerms();
  if (count == 1) return normal(borrow);
  const double least = borrow > 0 ? 0 : options_.min_variance_share;
  const auto run = [&](const StandardRows& rows, int steps) {
    return [&, steps](BlockTerms terms) {
      BlockStep step(rows, borrow * (rows.total / rows_->total), least, classes_.context.check);
      return Search::climb(std::move(terms), steps, Search::kGain * rows.total, step,
                           [](const BlockTerms& next) { return next.spike; });
    };
  };
  const StandardRows& some = starts_->rows();
  BlockTerms best = Search::best_of_starts<BlockTerms>(
      static_cast<int>(options_.starts), classes_.context.check,
      [&](int start) { return starts_->first_terms(count, start); }, run(some, Search::kShortRun),
      run(some, Search::kLongRun));
  if (best.count() == 0 || some.x.rows() == rows_->x.rows()) return best;
  return run(*rows_, Search::kLongRun)(std::move(best));
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

BlockMixtureEstimator::BlockMixtureEstimator(const MultivariateMixture::Plan& plan,
                                             const MultivariateMixture::Statistics& statistics,
                                             const MultivariateMixture::Options& options,
                                             const Classes& classes, Diagnostics& diagnostics)
    : statistics_(statistics), options_(options), classes_(classes), diagnostics_(diagnostics) {
  Block::Options gaussian;
  gaussian.unbiased = false;
  normal_ = Block::estimate(plan, statistics, gaussian, classes, found_);
  diagnostics_.merge(found_);
}

MultivariateMixture::Parameters BlockMixtureEstimator::estimate() {
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

bool BlockMixtureEstimator::has_own_covariance(int g) const {
  if (!classes_.has_rows(g) || normal_.kept().empty() || statistics_.points[g].rows() == 0) {
    return false;
  }
  return std::none_of(found_.items().begin(), found_.items().end(), [g](const Diagnostic& item) {
    return item.group == g || (item.group == kAll && !is_note(item.problem));
  });
}

void BlockMixtureEstimator::add_group(int g) {
  const IntVector kept = normal_.kept();
  const RowPoints& points = statistics_.points[g];
  const double weight = points.col(points.cols() - 1).sum();
  const BlockFitter fitter(points, kept, options_, classes_);
  const auto best_of = [&](double borrow) {
    const auto size = static_cast<double>(kept.size());
    return MixtureSearch::best_candidate(
        options_, points.rows(), weight,
        [&](int count) { return MultivariateMixture::parameters_of_class(count, size); },
        [&](int count) { return fitter.fit(count, borrow); });
  };
  BlockTerms best = best_of(options_.borrow);
  if (best.count() == 0 && classes_.borrow) {
    best = best_of(std::max(options_.borrow, static_cast<double>(kept.size())));
    if (best.count() > 0) diagnostics_.add(Problem::borrowed, g, kAll, weight);
  }
  if (best.count() > 0) return add_terms(g, fitter, best, kept);
  diagnostics_.add(MultivariateMixture::spike, g, kAll, weight);
  add_normal(g);
}

void BlockMixtureEstimator::add_terms(int g, const BlockFitter& fitter, const BlockTerms& best,
                                      const IntVector& kept) {
  const int count = best.count();
  const Index before = start_group(count), size = normal_.mean.cols();
  Block::Parameters part;
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

void BlockMixtureEstimator::add_normal(int g) {
  const Index before = start_group(1);
  p_.log_weight.push_back(0);
  p_.normals.mean.row(before) = normal_.mean.row(g);
  p_.normals.mean_low.row(before) = normal_.mean_low.row(g);
  p_.normals.factor.push_back(normal_.factor_of(g));
}

Index BlockMixtureEstimator::start_group(int count) {
  const Index before = p_.normals.mean.rows(), size = p_.normals.mean.cols();
  p_.components.push_back(count);
  p_.normals.mean.conservativeResize(before + count, size);
  p_.normals.mean_low.conservativeResize(before + count, size);
  return before;
}

}  // namespace bayesrisk
