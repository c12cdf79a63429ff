#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/normal/mixture.hpp>
#include <engine/likelihood/normal/mixture_estimator.hpp>
#include <engine/likelihood/normal/mixture_fitter.hpp>

namespace bayesrisk {

void Mixture::Parameters::check(const Plan&, int groups) const {
  left_out.check(1);
  const std::size_t terms = check_weights(groups);
  require(mean.size() == terms, "mean: wrong length");
  require(sd.size() == terms, "sd: wrong length");
}

bool Mixture::Parameters::sound(int g) const {
  const int first = first_terms()[g];
  for (int t = first; t < first + components[g]; ++t) {
    if (!(log_weight[t] <= kLogOne && std::isfinite(mean[t]) && std::isfinite(sd[t]) &&
          sd[t] > 0)) {
      return false;
    }
  }
  return true;
}

double Mixture::Parameters::log_density(int g, double x) const {
  const int first = first_terms()[g];
  double sum = kNegativeInfinity;
  for (int t = first; t < first + components[g]; ++t) {
    const double z = (x - mean[t]) / sd[t];
    sum = log_add(sum, log_weight[t] - std::log(sd[t]) - kHalfLogTwoPi - 0.5 * z * z);
  }
  return sum;
}

double Mixture::log_likelihood(const Plan&, const Statistics& statistics, const Parameters& p) {
  double sum = 0;
  for (std::size_t g = 0; g < statistics.points.size() && !p.left_out[0]; ++g) {
    const Points& points = statistics.points[g];
    for (Index i = 0; i < points.rows(); ++i) {
      sum += times_log(points(i, 1), p.log_density(static_cast<int>(g), points(i, 0)));
    }
  }
  return sum;
}

double Mixture::parameter_count(const Plan&, const Options&, const Parameters& p, int) {
  if (p.left_out[0]) return 0;
  double count = 0;
  const IntVector first = p.first_terms();
  for (std::size_t g = 0; g < first.size(); ++g) {
    if (!std::isnan(p.sd[first[g]])) count += 3.0 * p.components[g] - 1;
  }
  return count;
}

Normals::OfClass Mixture::marginal(const Plan&, const Parameters& p, int k, int, double origin) {
  Normals::OfClass terms;
  const int first = p.first_terms()[k];
  for (int t = first; t < first + p.components[k]; ++t) {
    terms.push_back({p.log_weight[t], p.mean[t] - origin, p.sd[t]});
  }
  return terms;
}

Mixture::Scorer::Scorer(const Plan& plan, const Parameters& parameters)
    : plan_(plan),
      left_out_(parameters.left_out[0]),
      components_(parameters.components),
      first_(parameters.first_terms()),
      most_(*std::max_element(components_.begin(), components_.end())) {
  for (std::size_t t = 0; t < parameters.mean.size(); ++t) {
    terms_.push_back({parameters.log_weight[t] - std::log(parameters.sd[t]) - kHalfLogTwoPi,
                      parameters.mean[t], 1 / parameters.sd[t]});
  }
}

void Mixture::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  if (from == to || left_out_) return;
  tile.scratch.resize(static_cast<std::size_t>(most_ + 3) * tile.stride);
  const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
  for (int k = 0; k < tile.classes; ++k) add_class(x, k, tile);
}

void Mixture::Scorer::add_class(const double* x, int k, Tile& tile) const {
  const int count = components_[k], stride = tile.stride;
  double *sum = tile.scratch.data(), *scratch = sum + stride, *negated = scratch + 2 * stride;
  for (int t = 0; t < count; ++t) {
    const Term& term = terms_[static_cast<std::size_t>(first_[k] + t)];
    double* of_term = negated + t * stride;
    for (int r = 0; r < stride; ++r) {
      const double z = (x[r] - term.mean) * term.inverse_sd;
      of_term[r] = 0.5 * z * z - term.constant;
    }
  }
  write_log_sums(loops_, negated, count, stride, scratch, sum);
  double* out = tile.of_class(k);
  for (int r = 0; r < tile.rows; ++r) out[r] += std::isfinite(x[r]) ? sum[r] : 0.0;
}

void Mixture::Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  const int term = choice_.choose(k, u);
  const double sd = parameters_.left_out[0] ? 0 : parameters_.sd[term];
  to.number(plan_.features[0], row) =
      parameters_.mean[term] + sd * normal_quantile(u[choice_.uniforms()]);
}

MixtureEstimator::MixtureEstimator(const Mixture::Statistics& statistics,
                                   const Mixture::Options& options, const Classes& classes,
                                   int feature, Diagnostics& diagnostics)
    : statistics_(statistics),
      options_(options),
      classes_(classes),
      spread_(statistics.moments, 0, false),
      feature_(feature),
      diagnostics_(diagnostics) {}

Mixture::Parameters MixtureEstimator::estimate() {
  if (classes_.borrow && spread_.one_value()) {
    p_.left_out.set(0, 1);
    diagnostics_.add(Problem::left_out, kAll, feature_, 0);
  }
  for (int g = 0; g < classes_.count(); ++g) {
    if (classes_.has_rows(g)) {
      add_group(g);
    } else {
      add_normal(kNaN, kNaN);
    }
  }
  return p_;
}

void MixtureEstimator::add_group(int g) {
  const Moments& moments = statistics_.moments;
  const double weight = moments.weight(g, 0);
  const double variance = moments.scatter(g, 0) / weight;
  if (p_.left_out[0]) return add_normal(mean_of(spread_.mean()), 1);
  if (!(weight > 0)) return add_empty(g);
  const DoubleDouble mean{moments.mean(g, 0), moments.mean_low(g, 0)};
  if (std::isinf(variance) || std::isinf(weight)) {
    return add_problem(Problem::overflow, g, weight);
  }
  if (!has_spread(variance)) return add_constant(g, mean_of(mean), weight);
  // Computed from the sorted points, so that the order of rows does not affect the rounding.
  Points points = statistics_.points[g];
  const double first = points(0, 0);
  points.col(0).array() -= first;
  const double middle = points.col(0).dot(points.col(1)) / points.col(1).sum();
  points.col(0).array() -= middle;
  const double sd = std::sqrt(points.col(0).cwiseAbs2().dot(points.col(1)) / points.col(1).sum());
  points.col(0) /= sd;
  const MixtureTerms best = select(points, g, weight);
  if (best.count() == 0) return add_problem(Mixture::spike, g, weight);
  std::vector<int> order(best.count());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return best.mean[a] < best.mean[b]; });
  p_.components.push_back(best.count());
  for (int t : order) {
    p_.log_weight.push_back(std::log(best.share[t]));
    p_.mean.push_back(first + (middle + sd * best.mean[t]));
    p_.sd.push_back(sd * std::sqrt(best.variance[t]));
  }
}

MixtureTerms MixtureEstimator::select(const Points& points, int g, double weight) const {
  const MixtureFitter fitter(points, options_, classes_);
  MixtureTerms best = best_of(fitter, points.rows(), weight, options_.borrow);
  if (best.count() == 0 && classes_.borrow) {
    best = best_of(fitter, points.rows(), weight, std::max(1.0, options_.borrow));
    if (best.count() > 0) diagnostics_.add(Problem::borrowed, g, feature_, weight);
  }
  return best;
}

MixtureTerms MixtureEstimator::best_of(const MixtureFitter& fitter, Index values, double weight,
                                       double borrow) const {
  return MixtureSearch::best_candidate(
      options_, values, weight, [](int count) { return 3.0 * count - 1; },
      [&](int count) { return fitter.fit(count, borrow); });
}

void MixtureEstimator::add_empty(int g) {
  if (!classes_.borrow || !has_spread(spread_.pooled())) {
    return add_problem(classes_.borrow ? Problem::apart : Problem::empty, g, 0);
  }
  diagnostics_.add(Problem::borrowed, g, feature_, 0);
  add_normal(mean_of(spread_.mean()), std::sqrt(spread_.pooled()));
}

void MixtureEstimator::add_constant(int g, double mean, double weight) {
  const double variance = classes_.borrow ? spread_.borrowed(g, 1) : 0;
  if (!has_spread(variance)) {
    return add_problem(classes_.borrow ? Problem::apart : Problem::constant, g, weight);
  }
  diagnostics_.add(Problem::borrowed, g, feature_, weight);
  add_normal(mean, std::sqrt(variance));
}

void MixtureEstimator::add_normal(double mean, double sd) {
  p_.components.push_back(1);
  p_.log_weight.push_back(0);
  p_.mean.push_back(mean);
  p_.sd.push_back(sd);
}

MixtureFitter::MixtureFitter(const Points& points, const Mixture::Options& options,
                             const Classes& classes)
    : value_(points.col(0)),
      weight_(points.col(1)),
      total_(weight_.sum()),
      options_(options),
      classes_(classes) {}

MixtureTerms MixtureFitter::fit(int count, double borrow) const {
  const double least = borrow > 0 ? 0 : options_.min_variance_share;
  const auto spike = [&](const MixtureTerms& next) {
    return !(next.variance > least).all() || !(next.share > 0).all();
  };
  const auto run = [&](int steps) {
    return [&, steps](MixtureTerms terms) {
      return Search::climb(
          std::move(terms), steps, Search::kGain * total_,
          [&](MixtureTerms& at) { return step(at, borrow); }, spike);
    };
  };
  return Search::best_of_starts<MixtureTerms>(
      count == 1 ? 1 : static_cast<int>(options_.starts), classes_.context.check,
      [&](int start) { return first_terms(count, start); }, run(Search::kShortRun),
      run(Search::kLongRun));
}

Eigen::ArrayXd MixtureFitter::quantiles(int count) const {
  Eigen::ArrayXd result(count);
  double below = 0;
  Index i = 0;
  for (int t = 0; t < count; ++t) {
    while (i + 1 < value_.size() && below + weight_[i] < total_ * (t + 0.5) / count) {
      below += weight_[i++];
    }
    result[t] = value_[i];
  }
  return result;
}

MixtureTerms MixtureFitter::first_terms(int count, int start) const {
  CounterRandom random = options_.random(count, start);
  if (start < 2) {
    MixtureTerms terms = clusters(start == 0 ? quantiles(count) : centres(count, random));
    if (terms.count() == 0) return terms;
    terms.variance = terms.variance.max(std::max(options_.min_variance_share, Search::kNarrow));
    return terms;
  }
  MixtureTerms terms(count);
  terms.share.setConstant(1.0 / count);
  for (int t = 0; t < count; ++t) {
    terms.mean[t] = value_[Search::draw(weight_, random)];
    terms.variance[t] = std::exp(std::log(Search::kNarrow) * random.uniform());
  }
  return terms;
}

Eigen::ArrayXd MixtureFitter::centres(int count, CounterRandom& random) const {
  Eigen::ArrayXd result(count), share = weight_, distance;
  for (int t = 0; t < count; ++t) {
    result[t] = value_[Search::draw(share, random)];
    const Eigen::ArrayXd own = (value_ - result[t]).square();
    distance = t == 0 ? own : Eigen::ArrayXd(distance.min(own));
    share = weight_ * distance;
  }
  std::sort(result.data(), result.data() + count);
  return result;
}

MixtureTerms MixtureFitter::clusters(Eigen::ArrayXd centre) const {
  const Index count = centre.size();
  Eigen::ArrayXd own, sum, square;
  for (int step = 0; step < Search::kLloyd; ++step) {
    own = sum = square = Eigen::ArrayXd::Zero(count);
    Index t = 0;
    for (Index i = 0; i < value_.size(); ++i) {
      while (t + 1 < count && value_[i] > (centre[t] + centre[t + 1]) / 2) ++t;
      own[t] += weight_[i];
      sum[t] += weight_[i] * value_[i];
      square[t] += weight_[i] * value_[i] * value_[i];
    }
    if (!(own > 0).all()) return MixtureTerms();
    const Eigen::ArrayXd moved = sum / own;
    if ((moved == centre).all()) break;
    centre = moved;
  }
  MixtureTerms terms(static_cast<int>(count));
  terms.share = own / total_;
  terms.mean = sum / own;
  terms.variance = (square / own - terms.mean.square()).max(0);
  return terms;
}

MixtureTerms MixtureFitter::step(MixtureTerms& terms, double borrow) const {
  const int count = terms.count();
  const Eigen::ArrayXd constant = terms.share.log() - 0.5 * terms.variance.log();
  const Eigen::ArrayXd precision = terms.variance.inverse();
  Eigen::ArrayXd own = Eigen::ArrayXd::Zero(count), first = own, second = own;
  Eigen::ArrayXXd share(kBlock, count), deviation(kBlock, count);
  double sum = 0;
  for (Index begin = 0; begin < value_.size(); begin += kBlock) {
    if (begin > 0 && begin % (64 * kBlock) == 0) classes_.context.check();
    const Index rows = std::min<Index>(kBlock, value_.size() - begin);
    const auto x = value_.segment(begin, rows), w = weight_.segment(begin, rows);
    for (int t = 0; t < count; ++t) {
      deviation.col(t).head(rows) = x - terms.mean[t];
      share.col(t).head(rows) =
          constant[t] - 0.5 * precision[t] * deviation.col(t).head(rows).square();
    }
    const Eigen::ArrayXd largest = share.topRows(rows).rowwise().maxCoeff();
    for (int t = 0; t < count; ++t) {
      share.col(t).head(rows) = (share.col(t).head(rows) - largest).exp();
    }
    const Eigen::ArrayXd density = share.topRows(rows).rowwise().sum();
    sum += (w * (largest + density.log() - kHalfLogTwoPi)).sum();
    const Eigen::ArrayXd scale = w / density;
    for (int t = 0; t < count; ++t) {
      const Eigen::ArrayXd part = share.col(t).head(rows) * scale;
      own[t] += part.sum();
      first[t] += (part * deviation.col(t).head(rows)).sum();
      second[t] += (part * deviation.col(t).head(rows).square()).sum();
    }
  }
  // A step raises the sum of the log likelihood and of the log density of the borrowed cases.
  terms.log_likelihood = sum - 0.5 * borrow * (terms.variance.log() + precision).sum();
  MixtureTerms next(count);
  const Eigen::ArrayXd offset = first / own;
  next.share = own / total_;
  next.mean = terms.mean + offset;
  next.variance = (second - own * offset.square() + borrow) / (own + borrow);
  return next;
}

BAYESRISK_LIKELIHOOD(Mixture)

}  // namespace bayesrisk
