#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/normal/block_moments.hpp>
#include <engine/likelihood/normal/multivariate_mixture.hpp>
#include <engine/likelihood/normal/multivariate_mixture_estimator.hpp>
#include <engine/likelihood/normal/multivariate_mixture_scorer.hpp>
#include <engine/likelihood/normal/multivariate_mixture_starts.hpp>
#include <engine/likelihood/normal/multivariate_mixture_step.hpp>

namespace bayesrisk {

namespace {

// The moments of a mixture in one class. The origin is the first mean of the block.
BlockMoments mixture_moments(const MultivariateMixture::Parameters& p, int k) {
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

}  // namespace

// The overlap of sums of normals has no closed form: NaN.
void MultivariateMixture::overlap(const Plan& plan, const Parameters& p, int one, int other,
                                  Overlap& overlap) {
  if (plan.size() == 1) {
    const double origin = origin_of(marginal(plan, p, one, 0, 0));
    const auto first = marginal(plan, p, one, 0, origin),
               second = marginal(plan, p, other, 0, origin);
    overlap.parts.push_back(log_overlap(first, second));
    overlap.moments.push_back(compare_moments(moments_of(first), moments_of(second)));
    return;
  }
  const BlockMoments first = mixture_moments(p, one), second = mixture_moments(p, other);
  if (p.log_weight.size() == 2) return add_normals(first, second, overlap);
  overlap.parts.push_back([](double) { return kNaN; });
  add_moments(first, second, overlap);
}

bool MultivariateMixture::Parameters::sound(int g) const {
  const int first = first_terms()[g];
  for (int t = first; t < first + components[g]; ++t) {
    if (!(log_weight[t] <= kLogOne) || !normals.sound(t)) return false;
  }
  return true;
}

void MultivariateMixture::Statistics::merge(const Plan& plan, const Statistics& other) {
  Block::Statistics::merge(plan, other);
  for (std::size_t g = 0; g < points.size(); ++g) {
    points[g] = unite_rows(points[g], other.points[g]);
  }
}

MultivariateMixture::Statistics MultivariateMixture::Statistics::of_groups(const Plan&, int first,
                                                                           int count) const {
  Statistics part;
  part.scatter = scatter.of_groups(first, count);
  part.points.assign(points.begin() + first, points.begin() + first + count);
  return part;
}

MultivariateMixture::Statistics MultivariateMixture::Statistics::realign(
    const Plan& plan, const Plan& target, const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  result.scatter = Block::Statistics::realign(plan, target, mapping).scatter;
  const IntVector to = mapping.members(plan.features, target.features);
  for (std::size_t g = 0; g < points.size(); ++g) {
    result.points[mapping.group[g]] = move_columns(points[g], to, target.size());
  }
  return result;
}

double MultivariateMixture::parameter_count(const Plan& plan, const Options&, const Parameters& p,
                                            int) {
  const double kept = plan.size() - p.normals.left_out.count();
  double count = 0;
  const IntVector first = p.first_terms();
  for (std::size_t g = 0; g < first.size(); ++g) {
    if (p.normals.mean.row(first[g]).hasNaN()) continue;
    count += parameters_of_class(p.components[g], kept);
  }
  return count;
}

Normals::OfClass MultivariateMixture::marginal(const Plan& plan, const Parameters& p, int k,
                                               int member, double origin) {
  Normals::OfClass terms;
  const int first = p.first_terms()[k];
  for (int t = first; t < first + p.components[k]; ++t) {
    NormalTerm term = Block::marginal(plan, p.normals, t, member, origin)[0];
    term.log_weight = p.log_weight[t];
    terms.push_back(term);
  }
  return terms;
}

NormalView MultivariateMixture::normals(const Plan& plan, const Parameters& p) {
  NormalView view = Block::normals(plan, p.normals);
  view.components = &p.components;
  view.log_weight = &p.log_weight;
  return view;
}

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
      const TwoPart mean = fitter.mean(best, t, static_cast<Index>(j));
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

void MultivariateMixture::Scorer::add(const Frame& frame, int, int, Tile& tile) const {
  Tile terms(static_cast<int>(parameters_.log_weight.size()),
             static_cast<int>(frame.columns.size()));
  Vector scratch(static_cast<std::size_t>(3) * terms.capacity);
  const Index end = tile.begin + tile.rows;
  for (Index begin = tile.begin; begin < end; begin += terms.rows) {
    terms.start(begin, end);
    normals_.add(frame, 0, plan_.size(), terms);
    const std::vector<bool> known = rows_with_a_number(frame, terms);
    const auto offset = static_cast<int>(begin - tile.begin);
    for (int r = 0; r < terms.rows; ++r) {
      if (terms.flagged(r, kInfinite)) tile.flag(offset + r, kInfinite);
    }
    for (int k = 0; k < tile.classes; ++k) add_class(k, known, terms, scratch, offset, tile);
  }
}

void MultivariateMixture::Scorer::add_class(int k, const std::vector<bool>& known, Tile& terms,
                                            Vector& scratch, int offset, Tile& tile) const {
  const int count = parameters_.components[k], stride = terms.stride;
  for (int t = first_[k]; t < first_[k] + count; ++t) {
    double* x = terms.of_class(t);
    for (int r = 0; r < stride; ++r) x[r] = -(x[r] + parameters_.log_weight[t]);
  }
  double* sum = scratch.data();
  write_log_sums(loops_, terms.of_class(first_[k]), count, stride, sum + stride, sum);
  double* out = tile.of_class(k) + offset;
  for (int r = 0; r < terms.rows; ++r) {
    if (known[static_cast<std::size_t>(r)]) out[r] += sum[r];
  }
}

std::vector<bool> MultivariateMixture::Scorer::rows_with_a_number(const Frame& frame,
                                                                  Tile& terms) const {
  std::vector<bool> known(static_cast<std::size_t>(terms.rows), false);
  for (int j : parameters_.normals.kept()) {
    const double* x = load_numbers(frame.columns[plan_.features[j]], terms.begin, terms.rows,
                                   terms.stride, terms.buffer());
    for (int r = 0; r < terms.rows; ++r) {
      if (std::isfinite(x[r])) known[static_cast<std::size_t>(r)] = true;
    }
  }
  return known;
}

double MultivariateMixture::log_likelihood(const Plan& plan, const Statistics& statistics,
                                           const Parameters& parameters) {
  Plan in_order = plan;
  std::iota(in_order.features.begin(), in_order.features.end(), 0);
  const Scorer scorer(in_order, parameters);
  Tile tile(static_cast<int>(parameters.components.size()), plan.size());
  double sum = 0;
  for (std::size_t g = 0; g < statistics.points.size(); ++g) {
    const RowPoints& points = statistics.points[g];
    Frame frame;
    frame.rows = points.rows();
    frame.columns.resize(static_cast<std::size_t>(plan.size()));
    for (int j = 0; j < plan.size(); ++j) frame.columns[j].real = points.col(j).data();
    for (Index begin = 0; begin < frame.rows; begin += tile.rows) {
      tile.start(begin, frame.rows);
      scorer.add(frame, 0, plan.size(), tile);
      const double* log_density = tile.of_class(static_cast<int>(g));
      for (int r = 0; r < tile.rows; ++r) {
        sum += times_log(points(begin + r, plan.size()), log_density[r]);
      }
    }
  }
  return sum;
}

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

BlockTerms BlockStarts::random_cases(int count, CounterRandom& random) const {
  const Index size = standard_.cols();
  BlockTerms terms(count, size);
  terms.share.setConstant(1.0 / count);
  for (int t = 0; t < count; ++t) {
    terms.mean.col(t) = standard_.row(Search::draw(weight_, random)).transpose();
    const double sd = std::exp(0.5 * std::log(Search::kNarrow) * random.uniform());
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
    result.row(t) = x.row(Search::draw(share, random));
    const Eigen::ArrayXd own = (x.rowwise() - result.row(t)).rowwise().squaredNorm();
    distance = t == 0 ? own : Eigen::ArrayXd(distance.min(own));
    share = weight_ * distance;
  }
  return result;
}

IntVector BlockStarts::nearest(const Matrix& x, Matrix centre) const {
  IntVector part(static_cast<std::size_t>(x.rows()), 0);
  for (int step = 0; step < Search::kLloyd; ++step) {
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
    covariance.diagonal().array() += std::max(options_.min_variance_share, Search::kNarrow);
    terms.set_covariance(t, covariance, 0);
  }
  return terms.spike ? BlockTerms() : terms;
}

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

BAYESRISK_LIKELIHOOD(MultivariateMixture)

}  // namespace bayesrisk
