#include <engine/core/log_math.hpp>
#include <engine/evaluation/newton.hpp>

namespace bayesrisk {

void LogLikelihood::merge(const LogLikelihood& other) {
  value += other.value;
  gradient += other.gradient;
  information += other.information;
  terms.root += other.terms.root;
}

Eigen::VectorXd Curvature::times(const Eigen::VectorXd& x) const {
  if (terms_.empty()) return information_ * x;
  return terms_.times(x);
}

Eigen::VectorXd Curvature::solve(const IntVector& open, const Eigen::VectorXd& right, double sum) {
  if (open != open_) factorise(open);
  Eigen::VectorXd extended(right.size() + 1);
  extended << right / unit_, sum;
  return factors_.solve(extended).head(right.size());
}

void Curvature::factorise(const IntVector& open) {
  const auto size = static_cast<Index>(open.size());
  unit_ = 0;
  for (int k : open) unit_ = std::max(unit_, information_(k, k));
  if (!(unit_ > 0)) unit_ = 1;
  Matrix system = Matrix::Zero(size + 1, size + 1);
  bool any = false;
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) system(i, j) = information_(open[i], open[j]) / unit_;
    system(i, i) += 1e-13;
    const bool summed = open[i] >= summed_from_;
    system(i, size) = system(size, i) = summed;
    any |= summed;
  }
  if (!any) system(size, size) = 1;
  factors_.compute(system);
  open_ = open;
}

QuadraticStep::QuadraticStep(const Eigen::VectorXd& from, const Eigen::VectorXd& gradient,
                             Curvature& curvature, const Limits& limits,
                             std::function<void()> check)
    : from_(from),
      gradient_(gradient),
      curvature_(curvature),
      limits_(limits),
      check_(std::move(check)),
      size_(static_cast<int>(from.size())),
      to_(from) {
  for (int k = 0; k < size_; ++k) {
    open_.push_back(k != limits_.held && !(limits_.has_floor(k) && from[k] <= 0));
  }
}

Eigen::VectorXd QuadraticStep::find() {
  for (int i = 0; i < 4 * size_ + 20; ++i) {
    check_();
    find_slope();
    if (walk() && !open_best()) break;
  }
  return to_ - from_;
}

bool QuadraticStep::walk() {
  IntVector open;
  for (int k = 0; k < size_; ++k) {
    if (open_[k]) open.push_back(k);
  }
  // A constant of all slopes would enlarge rounding.
  const double base = level();
  Eigen::VectorXd right(static_cast<Index>(open.size()));
  for (Index i = 0; i < right.size(); ++i) {
    right[i] = slope_[open[i]] - (limits_.is_summed(open[i]) ? base : 0.0);
  }
  const Eigen::VectorXd step = curvature_.solve(open, right, 0);
  double longest = 1;
  int closed = -1;
  for (Index i = 0; i < step.size(); ++i) {
    if (!limits_.has_floor(open[i]) || to_[open[i]] + longest * step[i] >= 0) continue;
    longest = -to_[open[i]] / step[i];
    closed = open[i];
  }
  for (Index i = 0; i < step.size(); ++i) {
    double& to = to_[open[i]];
    to += longest * step[i];
    if (limits_.has_floor(open[i])) to = std::max(0.0, to);
  }
  if (closed < 0) return true;
  to_[closed] = 0;
  open_[closed] = false;
  return false;
}

double QuadraticStep::level() const {
  double level = kNegativeInfinity;
  for (int k = limits_.summed_from; k < size_; ++k) {
    if (open_[k]) level = std::max(level, slope_[k]);
  }
  return level;
}

bool QuadraticStep::open_best() {
  find_slope();
  const double of_sum = level();
  double best = 0;
  int found = -1;
  for (int k = 0; k < size_; ++k) {
    if (open_[k] || k == limits_.held) continue;
    const double level = limits_.is_summed(k) ? of_sum : 0.0, excess = slope_[k] - level;
    if (!(excess > 1e-12 * std::abs(level)) || excess <= best) continue;
    best = excess;
    found = k;
  }
  if (found >= 0) open_[found] = true;
  return found >= 0;
}

Maximum Newton::climb(const Eigen::VectorXd& start, const std::shared_ptr<Curvature>& nearby,
                      const Stop& stop) const {
  Maximum best;
  best.curvature = nearby;
  best.decrement = kInfinity;
  put(start, function_(start, !nearby), best);
  bool fresh = !nearby;
  for (; best.iterations < kMostIterations && !stop.done(best); ++best.iterations) {
    Eigen::VectorXd step = step_from(best);
    if (!fresh && !(rise(step, best) <= kFast * best.decrement)) {
      renew(best);
      fresh = true;
      step = step_from(best);
    }
    best.decrement = rise(step, best);
    const double enough = stop.absolute + stop.relative * (1 + std::abs(best.at.value));
    const bool last = !(best.decrement > enough);
    if (last && step.norm() <= kShort * best.x.norm()) {
      finish(step, best);
      break;
    }
    const bool far = !last && step.norm() > near_ * best.x.norm();
    const bool moved = move(step, far, best);
    if (last) break;
    if (!moved && fresh) break;
    if (!moved) renew(best);
    fresh = far || !moved;
  }
  return best;
}

void Newton::put(const Eigen::VectorXd& x, LogLikelihood found, Maximum& best) const {
  best.x = x;
  best.at = std::move(found);
  LowRank terms = std::move(best.at.terms);
  Matrix information = std::move(best.at.information);
  best.at.terms = LowRank();
  best.at.information.resize(0, 0);
  if (!terms.empty() && terms.precise()) {
    best.curvature = std::make_shared<Curvature>(std::move(terms));
    return;
  }
  if (!terms.empty()) information = terms.full();
  if (information.size() == 0) return;
  best.curvature = std::make_shared<Curvature>(std::move(information), limits_.summed_from);
}

Eigen::VectorXd Newton::step_from(const Maximum& best) const {
  if (LowRank* terms = best.curvature->terms()) {
    Eigen::VectorXd step =
        DualStep(best.x, best.at.gradient, *terms, limits_.floored, check_).find();
    // The sum stays, up to rounding, because nothing but the ridge depends on it.
    auto summed = step.tail(step.size() - limits_.summed_from).array();
    if (summed.size() > 0) summed -= summed.mean();
    return step;
  }
  return QuadraticStep(best.x, best.at.gradient, *best.curvature, limits_, check_).find();
}

double Newton::rise(const Eigen::VectorXd& step, const Maximum& best) const {
  // The sum of these variables stays, up to rounding, which a constant would enlarge.
  Eigen::VectorXd slope = best.at.gradient;
  auto summed = slope.tail(slope.size() - limits_.summed_from).array();
  if (summed.size() > 0) summed -= summed.maxCoeff();
  return step.dot(slope);
}

void Newton::finish(const Eigen::VectorXd& step, Maximum& best) {
  const Eigen::VectorXd bend = best.curvature->times(step);
  best.at.value += step.dot(best.at.gradient - bend / 2);
  best.at.gradient -= bend;
  best.x += step;
}

bool Newton::move(const Eigen::VectorXd& step, bool informed, Maximum& best) const {
  const double slope = rise(step, best), rounding = kRounding * (1 + std::abs(best.at.value));
  for (double share = 1; share > 1e-10; share /= 2) {
    Eigen::VectorXd next = best.x + share * step;
    next.head(limits_.floored) = next.head(limits_.floored).cwiseMax(0.0);
    LogLikelihood found = function_(next, informed);
    if (!(found.value >= best.at.value + 1e-4 * share * slope - rounding)) continue;
    put(next, std::move(found), best);
    return true;
  }
  return false;
}

}  // namespace bayesrisk
