#include <engine/evaluation/prior_fit.hpp>
#include <engine/evaluation/prior_interval.hpp>
#include <engine/evaluation/prior_likelihood.hpp>

namespace bayesrisk {

void PriorLikelihood::merge(const PriorLikelihood& other) {
  value += other.value;
  gradient += other.gradient;
  information += other.information;
}

Eigen::VectorXd PriorCurvature::solve(const IntVector& open, const Eigen::VectorXd& right,
                                      double sum) {
  if (open != open_) factorise(open);
  Eigen::VectorXd extended(right.size() + 1);
  extended << right / unit_, sum;
  return factors_.solve(extended).head(right.size());
}

void PriorCurvature::factorise(const IntVector& open) {
  const auto size = static_cast<Index>(open.size());
  unit_ = 0;
  for (int k : open) unit_ = std::max(unit_, information_(k, k));
  if (!(unit_ > 0)) unit_ = 1;
  Matrix system = Matrix::Zero(size + 1, size + 1);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) system(i, j) = information_(open[i], open[j]) / unit_;
    system(i, i) += 1e-13;
    system(i, size) = system(size, i) = 1;
  }
  factors_.compute(system);
  open_ = open;
}

PriorEvidence::PriorEvidence(std::vector<PriorPiece> pieces, int classes, const Context& context)
    : pieces_(std::move(pieces)), classes_(classes), context_(context) {
  for (const PriorPiece& piece : pieces_) {
    for (Index r = 0; r < piece.rows; ++r) total_ += piece.evidence[r];
  }
}

PriorLikelihood PriorEvidence::at(const Eigen::VectorXd& prior, bool informed) const {
  PriorLikelihood sum(classes_, informed);
  for (const PriorPiece& piece : pieces_) {
    sum = merge_by_rows(piece.rows, context_, sum, [&](Index first, Index last) {
      context_.check();
      return of_rows(piece, prior, first, last, informed);
    });
  }
  return sum;
}

PriorLikelihood PriorEvidence::of_rows(const PriorPiece& piece, const Eigen::VectorXd& prior,
                                       Index first, Index last, bool informed) const {
  PriorLikelihood sum(classes_, informed);
  Matrix ratio(informed ? kSlice : 0, classes_);
  Eigen::VectorXd mixture(kSlice), root(kSlice);
  for (Index begin = first; begin < last; begin += kSlice) {
    const Index count = std::min(kSlice, last - begin);
    mixture.head(count).setZero();
    for (int k = 0; k < classes_; ++k) {
      mixture.head(count) += prior[k] * of(piece, k, begin, count);
    }
    const Eigen::Map<const Eigen::VectorXd> evidence(piece.evidence + begin, count);
    // A row of weight 0 counts nothing, even if the prior makes it impossible.
    sum.value += sum_of_logs(mixture.data(), evidence.data(), count);
    root.head(count) = evidence.cwiseSqrt();
    mixture.head(count) = root.head(count).cwiseQuotient(mixture.head(count));
    if (!informed) {
      root.head(count) = root.head(count).cwiseProduct(mixture.head(count));
      for (int k = 0; k < classes_; ++k) {
        sum.gradient[k] += of(piece, k, begin, count).dot(root.head(count));
      }
      continue;
    }
    for (int k = 0; k < classes_; ++k) {
      ratio.col(k).head(count) = of(piece, k, begin, count).cwiseProduct(mixture.head(count));
      sum.gradient[k] += ratio.col(k).head(count).dot(root.head(count));
    }
    add_products(ratio.topRows(count), sum.information);
  }
  if (informed) {
    sum.information.triangularView<Eigen::StrictlyUpper>() = sum.information.transpose();
  }
  return sum;
}

void PriorEvidence::add_products(const Eigen::Ref<const Matrix>& x, Matrix& sum) {
  constexpr Index kNarrow = 8;
  if (x.cols() > kNarrow) {
    sum.selfadjointView<Eigen::Lower>().rankUpdate(x.transpose());
    return;
  }
  for (Index k = 0; k < x.cols(); ++k) {
    for (Index j = 0; j <= k; ++j) sum(k, j) += x.col(k).dot(x.col(j));
  }
}

SimplexStep::SimplexStep(const Eigen::VectorXd& from, const Eigen::VectorXd& gradient,
                         PriorCurvature& curvature, int held, std::function<void()> check)
    : from_(from),
      gradient_(gradient),
      curvature_(curvature),
      held_(held),
      check_(std::move(check)),
      classes_(static_cast<int>(from.size())),
      to_(from) {
  for (int k = 0; k < classes_; ++k) open_.push_back(k != held && from[k] > 0);
}

Eigen::VectorXd SimplexStep::find() {
  for (int i = 0; i < 4 * classes_ + 20; ++i) {
    check_();
    find_slope();
    if (walk() && !open_best()) break;
  }
  return to_ - from_;
}

bool SimplexStep::walk() {
  IntVector open;
  for (int k = 0; k < classes_; ++k) {
    if (open_[k]) open.push_back(k);
  }
  if (open.size() < 2) return true;
  const Eigen::VectorXd step = solve(open);
  double longest = 1;
  int closed = -1;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const double at = to_[open[i]], by = step[static_cast<Index>(i)];
    if (at + longest * by >= 0) continue;
    longest = -at / by;
    closed = open[i];
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    to_[open[i]] = std::max(0.0, to_[open[i]] + longest * step[static_cast<Index>(i)]);
  }
  if (closed < 0) return true;
  to_[closed] = 0;
  open_[closed] = false;
  return false;
}

Eigen::VectorXd SimplexStep::solve(const IntVector& open) const {
  const double base = slope_.maxCoeff();
  Eigen::VectorXd right(static_cast<Index>(open.size()));
  for (Index i = 0; i < right.size(); ++i) right[i] = slope_[open[i]] - base;
  return curvature_.solve(open, right, 0);
}

bool SimplexStep::open_best() {
  find_slope();
  double level = kNegativeInfinity, best = 0;
  int found = -1;
  for (int k = 0; k < classes_; ++k) {
    if (open_[k]) level = std::max(level, slope_[k]);
  }
  for (int k = 0; k < classes_; ++k) {
    if (open_[k] || k == held_ || !(slope_[k] > level)) continue;
    const double excess = slope_[k] - level;
    if (excess <= 1e-12 * std::abs(level) || excess <= best) continue;
    best = excess;
    found = k;
  }
  if (found >= 0) open_[found] = true;
  return found >= 0;
}

PriorFit PriorSolver::solve(const Eigen::VectorXd& start) const {
  PriorFit fit = climb(begin(start, nullptr), -1);
  fit.prior /= fit.prior.sum();
  return fit;
}

PriorFit PriorSolver::solve_given(int held, double probability, const Eigen::VectorXd& start,
                                  const std::shared_ptr<PriorCurvature>& curvature) const {
  PriorFit fit = begin(share_out(held, probability, start), curvature);
  if (!std::isfinite(fit.at.value)) {
    const auto even = Eigen::VectorXd::Ones(start.size());
    fit = begin(share_out(held, probability, even), curvature);
  }
  return climb(std::move(fit), held);
}

Eigen::VectorXd PriorSolver::share_out(int held, double probability, Eigen::VectorXd shares) {
  shares[held] = 0;
  if (!(shares.sum() > 0)) shares.setOnes();
  shares[held] = 0;
  shares *= (1 - probability) / shares.sum();
  shares[held] = probability;
  return shares;
}

PriorFit PriorSolver::begin(const Eigen::VectorXd& start,
                            std::shared_ptr<PriorCurvature> curvature) const {
  PriorFit fit{start, evidence_.at(start, !curvature), std::move(curvature)};
  keep_information(fit);
  return fit;
}

void PriorSolver::keep_information(PriorFit& fit) {
  if (fit.at.information.size() == 0) return;
  fit.curvature = std::make_shared<PriorCurvature>(std::move(fit.at.information));
  fit.at.information.resize(0, 0);
}

PriorFit PriorSolver::climb(PriorFit fit, int held) const {
  const double enough = (held < 0 ? kTolerance : kHeldTolerance) + kRounding * evidence_.total();
  const bool informed = held < 0 || evidence_.classes() <= kFewClasses;
  bool fresh = informed;
  fit.gap = gap_of(fit, held);
  while (fit.gap > enough && fit.iterations < kMostIterations) {
    const double gap = fit.gap, value = fit.at.value;
    const bool near = held >= 0 || fit.iterations >= kFirstSteps;
    const bool moved = near && step(held, informed, fit);
    if (!moved && !(near && !fresh) && !move(em_step(fit, held), informed, fit)) break;
    ++fit.iterations;
    fit.gap = gap_of(fit, held);
    // Rounding ends the way.
    const bool stays = fit.at.value - value <= rounding(fit) && fit.gap > gap / 2;
    if (stays && fresh) break;
    fresh = informed;
    if (informed || fit.gap <= kFast * gap) continue;
    fit.at = evidence_.at(fit.prior);
    keep_information(fit);
    fresh = true;
  }
  return fit;
}

bool PriorSolver::step(int held, bool informed, PriorFit& fit) const {
  const auto check = [this] { evidence_.check(); };
  SimplexStep next(fit.prior, fit.at.gradient, *fit.curvature, held, check);
  return move(next.find(), informed, fit);
}

double PriorSolver::gap_of(const PriorFit& fit, int held) {
  double most = 0, gap = 0;
  for (int k = 0; k < fit.prior.size(); ++k) {
    if (k != held) most = std::max(most, fit.at.gradient[k]);
  }
  for (int k = 0; k < fit.prior.size(); ++k) {
    if (k != held) gap += fit.prior[k] * (most - fit.at.gradient[k]);
  }
  return std::isfinite(fit.at.value) ? gap : 0.0;
}

Eigen::VectorXd PriorSolver::em_step(const PriorFit& fit, int held) {
  Eigen::VectorXd next = fit.prior.cwiseProduct(fit.at.gradient);
  const double stays = held < 0 ? 0.0 : fit.prior[held];
  if (held >= 0) next[held] = 0;
  const double sum = next.sum();
  if (!(sum > 0)) return Eigen::VectorXd::Zero(next.size());
  next *= (1 - stays) / sum;
  if (held >= 0) next[held] = stays;
  return next - fit.prior;
}

bool PriorSolver::move(const Eigen::VectorXd& step, bool informed, PriorFit& fit) const {
  // The step sums to 0 up to rounding, which a constant would enlarge.
  const double slope = step.dot(centred(fit.at.gradient));
  if (!(slope > 0)) return false;
  for (double share = 1; share > 1e-10; share /= 2) {
    const Eigen::VectorXd next = (fit.prior + share * step).cwiseMax(0.0);
    PriorLikelihood found = evidence_.at(next, informed);
    if (!(found.value >= fit.at.value + 1e-4 * share * slope - rounding(fit))) continue;
    fit.prior = next;
    fit.at = std::move(found);
    keep_information(fit);
    return true;
  }
  return false;
}

double PriorInterval::end(int k, double limit) const {
  if (best_.prior[k] == limit) return limit;
  // A copy, because ends are found at the same time.
  auto curvature = std::make_shared<PriorCurvature>(*best_.curvature);
  const double most_root = std::sqrt(most_[k]);
  Eigen::VectorXd direction = profile_direction(k, *curvature);
  double inside = best_.prior[k], outside = limit, at = first(k, limit, direction);
  bool limited = true;  // the limit has not been tried
  for (int i = 0; i < kMostSteps; ++i) {
    if (limited && (limit - at) * (limit - inside) <= 0) {
      limited = false;
      if (deviance_root(solver_.solve_given(k, limit, best_.prior, curvature)) <= most_root)
        return limit;
      at = between(inside, outside);
    }
    const PriorFit fit = solver_.solve_given(k, at, predicted(direction, k, at), curvature);
    curvature = fit.curvature;
    const double root = deviance_root(fit);
    if (std::abs(root - most_root) <= kTolerance * most_root) break;
    (root < most_root ? inside : outside) = at;
    if (std::abs(outside - inside) <= 1e-15 * std::max(inside, outside)) break;
    direction = (fit.prior - best_.prior) / (at - best_.prior[k]);
    const double slope = -profile_slope(fit, k) / root;
    at -= (root - most_root) / slope;
    const bool beyond = limited && outside == limit && (limit - at) * (limit - inside) <= 0;
    if (!beyond && !((at - inside) * (at - outside) < 0)) at = between(inside, outside);
  }
  return at;
}

Eigen::VectorXd PriorInterval::profile_direction(int k, PriorCurvature& curvature) const {
  const Eigen::VectorXd& from = best_.prior;
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(from.size());
  IntVector open;
  for (int j = 0; j < from.size(); ++j) {
    if (j != k && from[j] > 0) open.push_back(j);
  }
  Eigen::VectorXd right(static_cast<Index>(open.size()));
  for (Index i = 0; i < right.size(); ++i) right[i] = -curvature.information()(open[i], k);
  const Eigen::VectorXd solved = curvature.solve(open, right, -1);
  for (Index i = 0; i < right.size(); ++i) direction[open[i]] = solved[i];
  direction[k] = 1;
  return direction;
}

double PriorInterval::first(int k, double limit, const Eigen::VectorXd& direction) const {
  const double best = best_.prior[k], steep = std::abs(profile_slope(best_, k));
  const double bend = std::max(direction.dot(best_.curvature->information() * direction), 1e-8);
  const double most = most_[k] / 2;
  const double step = 2 * most / (steep + std::sqrt(steep * steep + 2 * bend * most));
  return limit > best ? best + step : best - step;
}

double PriorInterval::profile_slope(const PriorFit& fit, int k) {
  const double others = fit.prior.sum() - fit.prior[k];
  if (!(others > 0)) return 0;
  const double mean = fit.prior.dot(fit.at.gradient) - fit.prior[k] * fit.at.gradient[k];
  return fit.at.gradient[k] - mean / others;
}

}  // namespace bayesrisk
