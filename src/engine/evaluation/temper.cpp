#include <engine/evaluation/isotonic.hpp>
#include <engine/evaluation/temper.hpp>

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
