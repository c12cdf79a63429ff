#include <engine/evaluation/isotonic.hpp>
#include <engine/evaluation/log_loss.hpp>
#include <engine/evaluation/temper.hpp>
#include <engine/evaluation/temper_cases.hpp>

namespace bayesrisk {

TemperSolver::TemperSolver(const TemperCases& cases, bool offsets, double penalty, double common,
                           const Context& context)
    : cases_(cases),
      offsets_(offsets),
      penalty_(penalty),
      common_(common),
      pull_(cases.parts > 1 ? penalty : 0),
      context_(context) {
  weight_ = weight_of(whole_);
}

Eigen::VectorXd TemperSolver::start(double power) const {
  Eigen::VectorXd at = Eigen::VectorXd::Zero(cases_.parts + classes());
  at.head(cases_.parts).setConstant(power);
  return at;
}

TemperFit TemperSolver::solve(Eigen::VectorXd at) const {
  TemperFit fit;
  if (cases_.rows > kMany) {
    const Index step = cases_.rows * kSome / TemperCases::kSlice / kFew;
    for (Index every : {std::max<Index>(1, step), Index(1)}) {
      TemperFit found;
      at = minimise(at, {kSome, every}, found);
    }
  }
  at = minimise(at, whole_, fit);
  fit.power.assign(at.data(), at.data() + cases_.parts);
  fit.offset.assign(static_cast<std::size_t>(cases_.classes), 0.0);
  for (int k = 0; k < classes(); ++k) {
    fit.offset[k] = at[cases_.parts + k] - at.tail(classes()).mean();
  }
  return fit;
}

double TemperSolver::weight_of(const Sample& sample) const {
  double sum = 0;
  for (Index s = 0; s < slices(sample); ++s) {
    const TemperSlice& slice = cases_.slices[s * sample.step];
    const int rows = std::min(sample.rows, slice.rows);
    const double* weight = cases_.weight(slice);
    sum += weight ? Eigen::Map<const Eigen::VectorXd>(weight, rows).sum() : rows;
  }
  return sum;
}

Eigen::VectorXd TemperSolver::minimise(Eigen::VectorXd at, Sample sample, TemperFit& fit) const {
  sample.weight = weight_of(sample);
  const bool whole = sample.rows == TemperCases::kSlice;
  LogLoss loss = evaluate(at, sample, Derivatives::hessian);
  bool near = false;
  for (; fit.iterations < kMostIterations; ++fit.iterations) {
    fit.separated = loss.value <= kNoLoss * sample.weight;
    if (fit.separated) break;
    Eigen::VectorXd step = newton_step(at, loss);
    if (near && !(-step.dot(loss.gradient) <= kFast * fit.decrement)) {
      loss = evaluate(at, sample, Derivatives::hessian);
      step = newton_step(at, loss);
    }
    fit.decrement = -step.dot(loss.gradient);
    const double enough = whole ? kTolerance * (1 + loss.value) : kRough;
    const bool last = !(fit.decrement > enough);
    if (last && step.norm() <= kShort * at.norm()) {
      finish(step, at, loss);
      break;
    }
    near = step.norm() <= kNear * at.norm();
    const auto next = last   ? Derivatives::none
                      : near ? Derivatives::gradient
                             : Derivatives::hessian;
    if (!move(step, sample, next, at, loss) || last) break;
  }
  fit.loss = loss.value / sample.weight - penalty_at(at) / weight_;
  return at;
}

LogLoss TemperSolver::sum_losses(const Eigen::VectorXd& at, const Sample& sample,
                                 Derivatives derivatives) const {
  const LogLoss none(static_cast<int>(at.size()));
  const auto part = [&](Index first, Index last) {
    LogLossSummer summer(cases_, at, offsets_);
    for (Index s = first; s < last; ++s) {
      context_.check();
      summer.add(cases_.slices[s * sample.step], sample.rows, derivatives);
    }
    return summer.sum();
  };
  return merge_runs(slices(sample), TemperCases::kTaskSlices, context_, none, part);
}

double TemperSolver::penalty_at(const Eigen::VectorXd& at) const {
  const auto b = at.tail(classes());
  return pull_ / 2 * away(at).squaredNorm() + penalty_ / 2 * b.squaredNorm() +
         b.sum() * b.sum() / 2;
}

LogLoss TemperSolver::evaluate(const Eigen::VectorXd& at, const Sample& sample,
                               Derivatives derivatives) const {
  LogLoss loss = sum_losses(at, sample, derivatives);
  const double share = sample.weight / weight_;
  loss.value += share * penalty_at(at);
  if (derivatives == Derivatives::none) return loss;
  const int parts = cases_.parts, offsets = classes();
  const auto b = at.tail(offsets);
  loss.gradient.head(parts) += share * pull_ * away(at);
  loss.gradient.tail(offsets).array() += share * ((penalty_ * b).array() + b.sum());
  loss.hessian.diagonal().head(parts).array() += share * pull_;
  loss.hessian.diagonal().tail(offsets).array() += share * penalty_;
  loss.hessian.bottomRightCorner(offsets, offsets).array() += share;
  return loss;
}

Eigen::VectorXd TemperSolver::newton_step(const Eigen::VectorXd& at, const LogLoss& loss) const {
  IntVector open;
  for (int i = 0; i < at.size(); ++i) {
    if (i >= cases_.parts || at[i] > 0 || loss.gradient[i] < 0) open.push_back(i);
  }
  const auto size = static_cast<Index>(open.size());
  Matrix hessian(size, size);
  Eigen::VectorXd gradient(size);
  for (Index i = 0; i < size; ++i) {
    gradient[i] = loss.gradient[open[i]];
    for (Index j = 0; j < size; ++j) hessian(i, j) = loss.hessian(open[i], open[j]);
  }
  // A part without scores has no curvature.
  hessian.diagonal().array() += 1e-12 * (1 + hessian.diagonal().array());
  const Eigen::VectorXd solved = -hessian.ldlt().solve(gradient);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(at.size());
  for (Index i = 0; i < size; ++i) step[open[i]] = solved[i];
  return step;
}

void TemperSolver::finish(const Eigen::VectorXd& step, Eigen::VectorXd& at, LogLoss& loss) const {
  const Eigen::VectorXd next = projected(at + step), moved = next - at;
  loss.value += moved.dot(loss.gradient + loss.hessian * moved / 2);
  at = next;
}

bool TemperSolver::move(const Eigen::VectorXd& step, const Sample& sample, Derivatives derivatives,
                        Eigen::VectorXd& at, LogLoss& loss) const {
  for (double share = 1; share > 1e-10; share /= 2) {
    const Eigen::VectorXd next = projected(at + share * step);
    const double expected = loss.gradient.dot(next - at);
    LogLoss found = evaluate(next, sample, derivatives);
    if (!(found.value <= loss.value + 1e-4 * expected)) continue;
    at = next;
    if (derivatives == Derivatives::gradient) found.hessian.swap(loss.hessian);
    loss = std::move(found);
    return true;
  }
  return false;
}

TemperFit temper(const TemperCases& cases, bool offsets, double penalty, const Context& context) {
  const TemperCases summed = cases.parts > 1 ? cases.sum_parts(context) : TemperCases{};
  const TemperSolver of_model(cases.parts > 1 ? summed : cases, false, 0, 1, context);
  TemperFit fit = of_model.solve(of_model.start(1));
  const double common = fit.power[0], before = of_model.mean_loss(of_model.start(1));
  fit.power.assign(cases.parts, common);
  if (!fit.separated && (cases.parts > 1 || offsets)) {
    const TemperSolver of_parts(cases, offsets, penalty, common, context);
    fit = of_parts.solve(of_parts.start(common));
  }
  fit.common = common;
  fit.before = before;
  return fit;
}

TemperCases::TemperCases(int number_of_classes, int number_of_parts,
                         const std::vector<Index>& count, bool weighted)
    : classes(number_of_classes), parts(number_of_parts) {
  const Index columns = static_cast<Index>(parts + 1) * (classes - 1);
  for (int t = 0; t < classes; ++t) {
    first_of_.push_back(slices.size());
    for (Index left = count[t]; left > 0; left -= slices.back().rows) {
      const int size = static_cast<int>(std::min<Index>(kSlice, left));
      slices.push_back({t, size, rows, rows * columns});
      rows += size;
    }
  }
  // Not a vector, which would write every number twice.
  numbers_.reset(new double[rows * columns]);
  if (weighted) weight_.resize(rows);
  state_.assign(rows, kUnread);
}

void TemperCases::finish() {
  std::vector<Index> count(classes, 0);
  Index scored = 0;
  for (const TemperSlice& slice : slices) {
    for (int r = 0; r < slice.rows; ++r) {
      const char found = state_[slice.first + r];
      unread += found == kUnread;
      lost += found == kLost;
      count[slice.truth] += found == kScored;
      scored += found == kScored;
    }
  }
  if (scored < rows) keep_scored(count);
  state_ = {};
}

TemperCases TemperCases::sum_parts(const Context& context) const {
  TemperCases one;
  one.classes = classes;
  one.parts = 1;
  one.rows = rows;
  one.weight_ = weight_;
  one.slices = slices;
  for (TemperSlice& slice : one.slices) slice.at = 2 * (classes - 1) * slice.first;
  one.numbers_.reset(new double[2 * (classes - 1) * rows]);
  for_slices(context, [&](Index s) { sum_slice(slices[s], one.slices[s], one); });
  return one;
}

void TemperCases::keep_scored(const std::vector<Index>& count) {
  TemperCases kept(classes, parts, count, !weight_.empty());
  kept.unread = unread;
  kept.lost = lost;
  std::vector<Index> next(classes, 0);
  for (const TemperSlice& slice : slices) {
    for (int r = 0; r < slice.rows; ++r) {
      if (state_[slice.first + r] == kScored) {
        copy_case(slice, r, next[slice.truth]++, kept);
      }
    }
  }
  *this = std::move(kept);
}

void TemperCases::copy_case(const TemperSlice& slice, int row, Index number,
                            TemperCases& to) const {
  const TemperSlice& target = to.slice_of(slice.truth, number);
  const Index place = number % kSlice, columns = static_cast<Index>(parts + 1) * (classes - 1);
  for (Index c = 0; c < columns; ++c) {
    to.numbers_[target.at + c * target.rows + place] = numbers_[slice.at + c * slice.rows + row];
  }
  if (!weight_.empty()) to.weight_[target.first + place] = weight_[slice.first + row];
}

void TemperCases::sum_slice(const TemperSlice& slice, const TemperSlice& target,
                            TemperCases& one) const {
  const Index size = static_cast<Index>(classes - 1) * slice.rows;
  const double* from = numbers_.get() + slice.at;
  double* to = one.numbers_.get() + target.at;
  std::copy(from, from + 2 * size, to);
  Eigen::Map<Eigen::ArrayXd> sum(to + size, size);
  for (int c = 2; c <= parts; ++c) {
    const Eigen::Map<const Eigen::ArrayXd> score(from + c * size, size);
    sum = (sum + score).max(kImpossible);
  }
}

TemperCases read_temper_cases(const double* numbers, Index rows, int classes, int parts,
                              const int* truth, const double* weight) {
  const auto counts = [&](Index r) {
    return truth[r] != kMissingInteger && !(weight && !(weight[r] > 0));
  };
  std::vector<Index> count(classes, 0), next(classes, 0);
  for (Index r = 0; r < rows; ++r) {
    if (counts(r)) ++count[truth[r] - 1];
  }
  TemperCases cases(classes, parts, count, weight != nullptr);
  for (Index r = 0; r < rows; ++r) {
    if (!counts(r)) continue;
    const int t = truth[r] - 1;
    const Index number = next[t]++, place = number % TemperCases::kSlice;
    const TemperSlice& slice = cases.slice_of(t, number);
    const auto at = [&](int column, int k) {
      return numbers[(static_cast<Index>(k) * (parts + 1) + column) * rows + r];
    };
    bool known = true, possible = true;
    for (int c = 0; c <= parts; ++c) {
      known = known && !std::isnan(at(c, t));
      possible = possible && at(c, t) != kNegativeInfinity;
      for (int k = 0; k < classes; ++k) {
        if (k != t) cases.column(slice, c, k)[place] = TemperCases::relative(at(c, k), at(c, t));
      }
    }
    cases.state(slice)[place] = !known     ? TemperCases::kUnread
                                : possible ? TemperCases::kScored
                                           : TemperCases::kLost;
    if (weight) cases.weight(slice)[place] = weight[r];
  }
  cases.finish();
  return cases;
}

void LogLoss::merge(const LogLoss& other) {
  value += other.value;
  gradient += other.gradient;
  hessian += other.hessian;
}

LogLossSummer::LogLossSummer(const TemperCases& cases, const Eigen::VectorXd& at, bool offsets)
    : cases_(cases),
      at_(at),
      offsets_(offsets),
      loss_(static_cast<int>(at.size())),
      improbability_(kSlice, cases.classes),
      p_(kSlice, cases.classes),
      centred_(at.size() > 1 ? static_cast<Index>(kSlice) * cases.classes : 0, at.size()) {}

void LogLossSummer::add(const TemperSlice& slice, int most, Derivatives derivatives) {
  slice_ = &slice;
  rows_ = std::min(most, slice.rows);
  weight_ = cases_.weight(slice);
  compute_posterior();
  if (derivatives == Derivatives::none) return;
  add_gradient();
  if (derivatives == Derivatives::hessian) add_hessian();
}

void LogLossSummer::compute_posterior() {
  find_improbabilities();
  const int padded = simd::whole_vectors(rows_);
  const bool far = rows_ > 0 && least_.head(rows_).minCoeff() < -kFar;
  if (!far) least_.head(rows_).setZero();
  least_.segment(rows_, padded - rows_).setZero();
  // The odds of the truth are 1.
  if (far) {
    total_.head(padded) = least_.head(padded).exp();
  } else {
    total_.head(padded).setOnes();
  }
  p(truth()) = total_.head(rows_);
  for (int k = 0; k < cases_.classes; ++k) {
    if (k == truth()) continue;
    improbability_.col(k).segment(rows_, padded - rows_).setZero();
    loops_.add_exponentials(least_.data(), improbability_.col(k).data(), padded, p_.col(k).data(),
                            total_.data());
  }
  if (far) add_far_losses();
  total_.head(rows_) = total_.head(rows_).inverse();
  if (!far) loss_.value -= sum_of_logs(total_.data(), weight_, rows_);
  for (int k = 0; k < cases_.classes; ++k) p(k) *= total_.head(rows_);
}

void LogLossSummer::find_improbabilities() {
  for (int k = 0; k < cases_.classes; ++k) {
    if (k == truth()) continue;
    const double offset = offsets_ ? at_[cases_.parts + truth()] - at_[cases_.parts + k] : 0.0;
    improbability(k) = offset - base(k);
  }
  for (int c = 0; c < cases_.parts; ++c) {
    for (int k = 0; k < cases_.classes; ++k) {
      if (k != truth()) improbability(k) -= at_[c] * score(c, k);
    }
  }
  least_.head(rows_).setZero();
  for (int k = 0; k < cases_.classes; ++k) {
    if (k != truth()) least_.head(rows_) = least_.head(rows_).min(improbability(k));
  }
}

void LogLossSummer::add_far_losses() {
  for (int i = 0; i < rows_; ++i) {
    loss_.value += (weight_ ? weight_[i] : 1.0) * (std::log(total_[i]) - least_[i]);
  }
}

void LogLossSummer::add_gradient() {
  for (int c = 0; c < cases_.parts; ++c) {
    find_mean(c);
    loss_.gradient[c] += weighted_sum(mean_.head(rows_));
  }
  for (int l = 0; l < cases_.classes && offsets_; ++l) {
    loss_.gradient[cases_.parts + l] += weighted_sum(p(l) - (l == truth() ? 1.0 : 0.0));
  }
}

void LogLossSummer::add_hessian() {
  if (at_.size() == 1) return add_variance();
  // The improbabilities are not needed any more.
  for (int k = 0; k < cases_.classes; ++k) {
    if (weight_) {
      improbability(k) = (Numbers(weight_, rows_) * p(k)).sqrt();
    } else {
      improbability(k) = p(k).sqrt();
    }
  }
  for (int c = 0; c < cases_.parts; ++c) {
    find_mean(c);
    for (int k = 0; k < cases_.classes; ++k) {
      if (k == truth()) {
        centred(c, k) = -improbability(k) * mean_.head(rows_);
      } else {
        centred(c, k) = improbability(k) * (score(c, k) - mean_.head(rows_));
      }
    }
  }
  for (int l = 0; l < cases_.classes && offsets_; ++l) {
    for (int k = 0; k < cases_.classes; ++k) {
      centred(cases_.parts + l, k) = improbability(k) * ((k == l ? 1.0 : 0.0) - p(l));
    }
  }
  loss_.hessian.selfadjointView<Eigen::Lower>().rankUpdate(
      centred_.topRows(static_cast<Index>(rows_) * cases_.classes).matrix().transpose());
}

void LogLossSummer::add_variance() {
  least_.head(rows_) = p(truth()) * mean_.head(rows_).square();
  for (int k = 0; k < cases_.classes; ++k) {
    if (k != truth()) least_.head(rows_) += p(k) * (score(0, k) - mean_.head(rows_)).square();
  }
  loss_.hessian(0, 0) += weighted_sum(least_.head(rows_));
}

void LogLossSummer::find_mean(int c) {
  mean_.head(rows_).setZero();
  for (int k = 0; k < cases_.classes; ++k) {
    if (k != truth()) mean_.head(rows_) += p(k) * score(c, k);
  }
}

IsotonicFit isotonic(const Vector& x, const IntVector& one, const Vector& weight) {
  require(one.size() == x.size() && weight.size() == x.size(), "isotonic: wrong length");
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  struct Pool {
    double first, last, ones, weight;
    double share() const { return ones / weight; }
  };
  std::vector<Pool> pools;
  for (std::size_t i : order) {
    if (!(weight[i] > 0)) continue;
    Pool pool{x[i], x[i], one[i] ? weight[i] : 0.0, weight[i]};
    // Equal x have one value.
    while (!pools.empty() &&
           (pools.back().share() >= pool.share() || pools.back().last == pool.first)) {
      const Pool& below = pools.back();
      pool = {below.first, pool.last, below.ones + pool.ones, below.weight + pool.weight};
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  IsotonicFit fit;
  for (const Pool& pool : pools) {
    fit.x.push_back(pool.first);
    fit.y.push_back(pool.share());
    if (pool.last == pool.first) continue;
    fit.x.push_back(pool.last);
    fit.y.push_back(pool.share());
  }
  return fit;
}

}  // namespace bayesrisk
