#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/points/kernel.hpp>
#include <engine/likelihood/points/kernel_density.hpp>
#include <engine/likelihood/points/kernel_scorer.hpp>
#include <engine/likelihood/points/kernel_table.hpp>
#include <engine/likelihood/points/pair_counts.hpp>

namespace bayesrisk {

void Kernel::Parameters::check(const Plan&, int groups) const {
  left_out.check(1);
  check_shared_points(points, groups);
  require(static_cast<int>(bandwidth.size()) == groups, "bandwidth: wrong length");
  require(static_cast<int>(step.size()) == groups, "step: wrong length");
  for (double s : step) require(is_step(s), "step: no power of 2");
}

Normals::OfClass Kernel::marginal(const Plan&, const Parameters& p, int k, int, double origin) {
  Normals::OfClass terms;
  for (Index i = 0; i < p.points[k].rows(); ++i) {
    terms.push_back({p.points[k](i, 1), p.points[k](i, 0) - origin, p.bandwidth[k]});
  }
  return terms;
}

KernelEstimator::KernelEstimator(const Kernel::Statistics& statistics,
                                 const Kernel::Options& options, const Classes& classes,
                                 int feature, Diagnostics& diagnostics)
    : statistics_(statistics),
      options_(options),
      classes_(classes),
      spread_(statistics.moments, 0, true),
      feature_(feature),
      diagnostics_(diagnostics) {}

Kernel::Parameters KernelEstimator::estimate() {
  const int groups = classes_.count();
  const bool leaves_out = classes_.borrow && options_.bandwidth.empty() && spread_.one_value();
  Kernel::Parameters p{std::vector<Points>(groups, Points(0, 2)), Vector(groups, kNaN),
                       Vector(groups, 0.0)};
  if (leaves_out) {
    p.left_out.set(0, 1);
    diagnostics_.add(Problem::left_out, kAll, feature_, 0);
  }
  for (int g = 0; g < groups; ++g) {
    if (!classes_.has_rows(g)) continue;
    const bool empty = !(statistics_.moments.weight(g, 0) > 0);
    if (empty && !classes_.borrow) {
      diagnostics_.add(Problem::empty, g, feature_, 0);
      continue;
    }
    p.points[g] = empty ? pooled_mean() : with_log_shares(statistics_.points[g]);
    p.bandwidth[g] = leaves_out ? 1 : bandwidth(g);
    if (!empty) p.step[g] = statistics_.step[g];
    if (statistics_.step[g] > p.bandwidth[g]) {
      diagnostics_.add(Problem::coarse, g, feature_, statistics_.step[g]);
    }
    const double weight = statistics_.points[g].col(1).sum();
    if (std::isinf(weight)) diagnostics_.add(Problem::overflow, g, feature_, weight);
  }
  return p;
}

Points KernelEstimator::pooled_mean() const {
  Points points(1, 2);
  points << spread_.mean().high + spread_.mean().low, 0;
  return points;
}

double KernelEstimator::bandwidth(int g) {
  const double weight = statistics_.moments.weight(g, 0);
  const bool several = statistics_.points[g].rows() > 1;
  const bool light = several && !(weight > 1), empty = !(weight > 0);
  if (empty) diagnostics_.add(Problem::borrowed, g, feature_, weight);
  if (!options_.bandwidth.empty()) return options_.bandwidth[g];
  double result = 0;
  if (empty) {
    result = std::sqrt(spread_.pooled());
  } else if (several && !light) {
    result = by_rule(g, weight);
  }
  if (!has_spread(result) && classes_.borrow && !empty) {
    diagnostics_.add(Problem::borrowed, g, feature_, weight);
    result = options_.factor * std::sqrt(spread_.borrowed(g, 1)) * std::pow(weight + 1, -0.2);
  }
  if (has_spread(result) && !std::isinf(result)) return result;
  const ProblemName problem = !has_spread(result) && classes_.borrow ? Problem::apart
                              : std::isinf(result)                   ? Problem::overflow
                              : light                                ? Problem::too_light
                                                                     : Problem::constant;
  diagnostics_.add(problem, problem == Problem::apart ? kAll : g, feature_, weight);
  return kNaN;
}

double KernelEstimator::by_rule(int g, double weight) const {
  const Points& points = statistics_.points[g];
  const auto quantile = [&](double share) {
    return weighted_quantile(points.col(0).data(), points.col(1).data(), points.rows(), weight,
                             share);
  };
  const double sd = std::sqrt(statistics_.moments.scatter(g, 0) / (weight - 1));
  if (!std::isfinite(sd)) return kInfinity;
  if (options_.cross_validation) {
    return options_.adjust * PairCounts(points).cross_validated(sd);
  }
  const double range = quantile(0.75) - quantile(0.25);
  const auto spread = [&](double of_normal) {
    return range > 0 ? std::min(sd, range / of_normal) : sd;
  };
  if (options_.sheather_jones) {
    return options_.adjust * PairCounts(points).solved(spread(1.349));
  }
  return options_.factor * spread(1.34) * std::pow(weight, -0.2);
}

KernelDensity::KernelDensity(const Points& points, double bandwidth)
    : value_(points.data(), points.rows()), inverse_bandwidth_(1 / bandwidth) {
  largest_ = points.rows() > 0 ? points.col(1).maxCoeff() : kNaN;
  minus_log_ = -(points.col(1).array() - largest_).matrix();
  constant_ = largest_ - std::log(bandwidth);
  constant_ -= kHalfLogTwoPi;
}

double KernelDensity::log_density(double x) const {
  if (value_.size() == 0) return kNaN;
  const Near near = find(x, kNegligible);
  if (std::isinf(near.square)) return kNegativeInfinity;
  return constant_ - 0.5 * near.square + std::log(sum(near));
}

KernelDensity::Moments KernelDensity::moments(double x, double room, double negligible) const {
  const Near near = find(x, negligible);
  Moments result;
  if (std::isinf(near.square)) return result;
  result.z = near.z;
  result.log_nearest = constant_ - 0.5 * near.square;
  const auto distance = [&](Index i) {
    return std::abs(value_[i] - near.value) * inverse_bandwidth_;
  };
  result.far = std::max(distance(near.first), distance(near.last - 1));
  // Beyond the first value that is left out the terms fall.
  const auto leave_out = [&](Index i) {
    const double log_term = 0.5 * (near.reach - excess(near, value_[i])) - negligible;
    result.left_out += std::exp(log_term + room * distance(i));
  };
  if (near.first > 0) leave_out(near.first - 1);
  if (near.last < value_.size()) leave_out(near.last);
  for (Index i = near.first; i < near.last; i += kMostTerms) {
    const int count = static_cast<int>(std::min<Index>(kMostTerms, near.last - i));
    loops_.add_normal_moments(value_.data() + i, minus_log_.data() + i, count, near.value,
                              inverse_bandwidth_, near.z, result.moment.data());
  }
  return result;
}

KernelDensity::Near KernelDensity::find(double x, double negligible) const {
  const Index count = value_.size();
  const double* value = value_.data();
  Index nearest = std::lower_bound(value, value + count, x) - value;
  if (nearest == count || (nearest > 0 && x - value[nearest - 1] < value[nearest] - x)) --nearest;
  const double z = (x - value[nearest]) * inverse_bandwidth_;
  Near near{value[nearest], z, z * z};
  if (std::isinf(near.square)) return near;
  near.reach = 2 * (negligible + minus_log_[nearest] - largest_);
  const auto out = [&](double v) { return excess(near, v) > near.reach; };
  const auto in = [&](double v) { return !out(v); };
  near.first = std::partition_point(value, value + nearest, out) - value;
  near.last = std::partition_point(value + nearest, value + count, in) - value;
  return near;
}

double KernelDensity::sum(const Near& near) const {
  std::array<double, kSlice> exponent, term, top{}, sum{};
  for (Index i = near.first; i < near.last; i += kSlice) {
    const int rows = static_cast<int>(std::min<Index>(kSlice, near.last - i));
    const int padded = Tile::padded(rows);
    for (int r = 0; r < rows; ++r) {
      exponent[r] = 0.5 * excess(near, value_[i + r]) + minus_log_[i + r];
    }
    std::fill(exponent.begin() + rows, exponent.begin() + padded, -kNegativeInfinity);
    loops_.add_exponentials(top.data(), exponent.data(), padded, term.data(), sum.data());
  }
  double total = 0;
  for (double s : sum) total += s;
  return total;
}

Kernel::Scorer::Scorer(const Plan& plan, const Parameters& parameters, Index rows)
    : plan_(plan), left_out_(parameters.left_out[0]) {
  if (left_out_) return;
  double low = kInfinity, high = kNegativeInfinity;
  for (const Points& points : parameters.points) {
    if (points.rows() == 0) continue;
    low = std::min(low, points(0, 0));
    high = std::max(high, points(points.rows() - 1, 0));
  }
  for (std::size_t k = 0; k < parameters.points.size(); ++k) {
    tables_.emplace_back(parameters.points[k], parameters.bandwidth[k], parameters.step[k], low,
                         high, rows);
  }
}

void Kernel::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  if (from == to || left_out_) return;
  const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
  for (int k = 0; k < tile.classes; ++k) {
    double* out = tile.of_class(k);
    for (int r = 0; r < tile.rows; ++r) {
      if (std::isfinite(x[r])) out[r] += tables_[k].log_density(x[r]);
    }
  }
}

KernelTable::KernelTable(const Points& points, double bandwidth, double step, double low,
                         double high, Index rows)
    : density_(points, bandwidth) {
  if (!(step > 0) || points.rows() == 0) return;
  const double bound = step / bandwidth * (step / bandwidth) / 8;  // of the grid
  most_ = kShareOfBound * bound;
  if (!(most_ >= kLeastError)) return;
  const double wanted = bandwidth * 2 * std::pow(45 * most_, 1. / 6) / kUsualSpread;
  width_ = std::ldexp(1.0, std::ilogb(wanted));
  inverse_width_ = 1 / width_;
  half_ = width_ / bandwidth / 2;
  const double begin = std::floor(low * inverse_width_);
  const double end = std::floor(high * inverse_width_) + 1;
  // Beyond 2^51 intervals from 0 the centres would be rounded.
  if (!std::isnormal(width_) || !(std::max(-begin, end) < 0x1p51)) return;
  const double middle = std::floor(points(points.rows() / 2, 0) * inverse_width_);
  first_ = std::max(begin, middle - kMostIntervals / 2);
  count_ = static_cast<int>(std::min<double>(end - first_, kMostIntervals));
  if (rows >= count_) fill();
}

double KernelTable::by_series(double x) const {
  const double place = x * inverse_width_, from_first = place - first_;
  if (!(from_first >= 0 && from_first < count_)) return kNaN;
  const int i = static_cast<int>(from_first);
  Series own;
  const Series& c = all_.empty() ? (own = series(i)) : all_[static_cast<std::size_t>(i)];
  const double t = place - (first_ + i + 0.5);
  return c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * (c[4] + t * c[5]))));
}

KernelTable::Series KernelTable::series(int i) const {
  const double centre = (first_ + i + 0.5) * width_;
  const KernelDensity::Moments about = density_.moments(centre, half_, kFaint - std::log(most_));
  const double sum = about.moment[0];
  std::array<double, simd::kNormalMoments> m;
  for (int k = 0; k < simd::kNormalMoments; ++k) m[k] = about.moment[k] / sum;
  const bool accurate = error(m, about.far) + about.left_out <= most_;
  if (!accurate || sum < kLeastSum) return {kNaN};
  const double m2 = m[1] * m[1];
  const double variance = m[2] - m2;
  const double third = m[3] - m[1] * (3 * m[2] - 2 * m2);
  const double fourth = m[4] - 4 * m[1] * m[3] + m2 * (6 * m[2] - 3 * m2);
  const double fifth = m[5] - 5 * m[1] * m[4] + m2 * (10 * m[3] - m[1] * (10 * m[2] - 4 * m2));
  const double h = 2 * half_, h2 = h * h;
  return {about.log_nearest + std::log(sum),
          (m[1] - about.z) * h,
          (variance - 1) * h2 / 2,
          third * h2 * h / 6,
          (fourth - 3 * variance * variance) * h2 * h2 / 24,
          (fifth - 10 * third * variance) * h2 * h2 * h / 120};
}

double KernelTable::error(const std::array<double, simd::kNormalMoments>& m, double far) const {
  const double s = half_, mean = std::abs(m[1]);
  const double tilted = m[6] + s * std::sqrt(m[6] * m[7]) + 0.5 * s * s * std::exp(s * far) * m[7];
  const double length = std::cbrt(std::sqrt(tilted * std::exp(s * mean)));
  const double spread = s * (length + mean + s * length * length);
  const double square = spread * spread;
  return square * square * square / 45;
}

BAYESRISK_LIKELIHOOD(Kernel)

}  // namespace bayesrisk
