#include <engine/evaluation/isotonic.hpp>
#include <engine/evaluation/temper.hpp>

namespace bayesrisk {

TemperSolver::TemperSolver(const TemperCases& cases, bool offsets, double penalty, double common,
                           const Context& context, TemperSample whole)
    : cases_(cases),
      offsets_(offsets),
      penalty_(penalty),
      common_(common),
      pull_(cases.parts > 1 ? penalty : 0),
      context_(context),
      whole_(whole) {
  whole_.weight = weight_of(whole_);
}

TemperSample TemperSolver::sample_of(const TemperCases& cases, Index few) {
  if (cases.rows <= few) return {};
  const double share = static_cast<double>(few) / static_cast<double>(cases.rows);
  const double rows = std::max<double>(kSome, TemperCases::kSlice * share);
  return {static_cast<int>(rows),
          std::max<Index>(1, std::llround(rows / TemperCases::kSlice / share))};
}

Eigen::VectorXd TemperSolver::start(double power) const {
  Eigen::VectorXd at = Eigen::VectorXd::Zero(cases_.parts + classes());
  at.head(cases_.parts).setConstant(power);
  return at;
}

TemperFit TemperSolver::solve(Eigen::VectorXd at) const {
  if (cases_.rows > kMany && whole_.rows > kSome) {
    for (const TemperSample& sample : {sample_of(cases_, kFew), TemperSample{kSome}}) {
      at = climb(at, sample, false).x;
    }
  }
  const Maximum best = climb(at, whole_, true);
  TemperFit fit;
  fit.power.assign(best.x.data(), best.x.data() + cases_.parts);
  fit.offset.assign(static_cast<std::size_t>(cases_.classes), 0.0);
  for (int k = 0; k < classes(); ++k) fit.offset[k] = best.x[cases_.parts + k];
  fit.loss = -(best.at.value + penalty_at(best.x)) / whole_.weight;
  fit.decrement = best.decrement;
  fit.iterations = best.iterations;
  fit.separated = separated(best, whole_);
  return fit;
}

double TemperSolver::weight_of(const TemperSample& sample) const {
  double sum = 0;
  for (Index s = 0; s < slices(sample); ++s) {
    const TemperSlice& slice = cases_.slices[s * sample.step];
    const int rows = std::min(sample.rows, slice.rows);
    const double* weight = cases_.weight(slice);
    sum += weight ? Eigen::Map<const Eigen::VectorXd>(weight, rows).sum() : rows;
  }
  return sum;
}

Maximum TemperSolver::climb(const Eigen::VectorXd& at, TemperSample sample, bool whole) const {
  sample.weight = weight_of(sample);
  const auto value = [&](const Eigen::VectorXd& x, bool informed) {
    return evaluate(x, sample, informed);
  };
  const auto done = [&](const Maximum& best) { return separated(best, sample); };
  return Newton(value, {cases_.parts, cases_.parts}, kNear, context_.check)
      .climb(at, nullptr, {done, whole ? kTolerance : 0.0, whole ? 0.0 : kRough});
}

LogLikelihood TemperSolver::sum(const Eigen::VectorXd& at, const TemperSample& sample,
                                bool informed) const {
  using Information = LogPosteriorSummer::Information;
  const auto information = !informed     ? Information::kNone
                           : few_terms() ? Information::kTerms
                                         : Information::kMatrix;
  const auto part = [&](Index first, Index last) {
    LogPosteriorSummer summer(cases_, at, offsets_, information);
    for (Index s = first; s < last; ++s) {
      context_.check();
      summer.add(cases_.slices[s * sample.step], sample.rows);
    }
    return summer.sum();
  };
  return merge_runs(slices(sample), TemperCases::kTaskSlices, context_,
                    LogPosteriorSummer(cases_, at, offsets_, information).sum(), part);
}

LogLikelihood TemperSolver::evaluate(const Eigen::VectorXd& at, const TemperSample& sample,
                                     bool informed) const {
  LogLikelihood found = sum(at, sample, informed);
  const double share = sample.weight / whole_.weight;
  found.value -= share * penalty_at(at);
  found.gradient.head(cases_.parts) -= share * pull_ * away(at);
  found.gradient.tail(classes()) -= share * penalty_ * at.tail(classes());
  if (!informed) return found;
  if (few_terms()) {
    found.terms.ridge = share * penalty_;
    return found;
  }
  found.information.diagonal().head(cases_.parts).array() += share * pull_;
  found.information.diagonal().tail(classes()).array() += share * penalty_;
  return found;
}

namespace {

// Chooses a penalty by the losses of folds.
class PenaltySearch {
 public:
  PenaltySearch(const TemperCases& cases, const TemperCases& summed, bool offsets,
                const Context& context)
      : cases_(cases),
        summed_(summed),
        offsets_(offsets),
        context_(context),
        sample_(TemperSolver::sample_of(cases, kFew)) {}

  // In a tie the largest.
  double best() const {
    std::array<double, kPenalties.size()> loss{};
    const int folds = cases_.folds();
    for (int f = 1; f <= folds; ++f) add_losses(f, loss.data());
    return kPenalties[std::min_element(loss.begin(), loss.end()) - loss.begin()];
  }

 private:
  static constexpr std::array kPenalties{300.0, 100.0, 30.0, 10.0, 3.0, 1.0};
  static constexpr Index kFew = 20000;

  // The losses of the cases of a fold, under exponents from the cases of the other folds. A fold
  // whose other cases are separated by one exponent says nothing.
  void add_losses(int fold, double* loss) const {
    const TemperCases inside = cases_.inside(fold), outside = cases_.outside(fold);
    const TemperCases outside_summed = summed_.outside(fold);
    const TemperSolver of_model(outside_summed, false, 0, 1, context_, sample_);
    const TemperFit one = of_model.solve(of_model.start(1));
    if (one.separated) return;
    const double common = one.power[0];
    const TemperSolver own(inside, offsets_, 0, common, context_, sample_);
    Eigen::VectorXd at = own.start(common);
    for (double penalty : kPenalties) {
      const TemperSolver others(outside, offsets_, penalty, common, context_, sample_);
      const TemperFit fit = others.solve(at);
      std::copy(fit.power.begin(), fit.power.end(), at.data());
      if (offsets_) std::copy(fit.offset.begin(), fit.offset.end(), at.data() + cases_.parts);
      *loss++ += own.loss(at);
    }
  }

  const TemperCases &cases_, &summed_;
  const bool offsets_;
  const Context& context_;
  const TemperSample sample_;
};

}  // namespace

TemperFit temper(const TemperCases& cases, bool offsets, std::optional<double> penalty,
                 const Context& context) {
  const TemperCases own = cases.parts > 1 ? cases.sum_parts(context) : TemperCases();
  const TemperCases& summed = cases.parts > 1 ? own : cases;
  const TemperSolver of_model(summed, false, 0, 1, context);
  TemperFit fit = of_model.solve(of_model.start(1));
  const double common = fit.power[0], before = of_model.mean_loss(of_model.start(1));
  fit.power.assign(cases.parts, common);
  if (!fit.separated && (cases.parts > 1 || offsets)) {
    if (!penalty) penalty = PenaltySearch(cases, summed, offsets, context).best();
    const TemperSolver of_parts(cases, offsets, *penalty, common, context);
    fit = of_parts.solve(of_parts.start(common));
    fit.penalty = *penalty;
  }
  fit.common = common;
  fit.before = before;
  return fit;
}

namespace {

// Cases with neighbouring x that have one value.
struct Pool {
  double first, last, ones, weight;
  double share() const { return ones / weight; }
};

// Adds a pool behind the others, and pools those whose shares do not rise.
void add_pool(Pool pool, std::vector<Pool>& pools) {
  while (!pools.empty() && pools.back().share() >= pool.share()) {
    const Pool& below = pools.back();
    pool = {below.first, pool.last, below.ones + pool.ones, below.weight + pool.weight};
    pools.pop_back();
  }
  pools.push_back(pool);
}

}  // namespace

IsotonicFit isotonic(const Vector& x, const IntVector& one, const Vector& weight) {
  require(one.size() == x.size() && weight.size() == x.size(), "isotonic: wrong length");
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  // Equal x have one value.
  std::vector<Pool> single;
  for (std::size_t i : order) {
    if (!(weight[i] > 0)) continue;
    if (single.empty() || single.back().last != x[i]) single.push_back({x[i], x[i], 0, 0});
    single.back().ones += one[i] ? weight[i] : 0.0;
    single.back().weight += weight[i];
  }
  std::vector<Pool> pools, careful;
  for (const Pool& pool : single) add_pool(pool, pools);
  for (const Pool& pool : pools) {
    add_pool({pool.first, pool.last, pool.ones + 0.5, pool.weight + 1}, careful);
  }
  IsotonicFit fit;
  for (const Pool& pool : careful) {
    fit.x.push_back(pool.first);
    fit.y.push_back(pool.share());
    if (pool.last == pool.first) continue;
    fit.x.push_back(pool.last);
    fit.y.push_back(pool.share());
  }
  return fit;
}

}  // namespace bayesrisk
