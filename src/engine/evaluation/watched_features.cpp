#include <engine/core/quantile.hpp>
#include <engine/evaluation/watched_features.hpp>

#include <cmath>
#include <numeric>

namespace bayesrisk {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

double number_of(const Column& column, Index row) {
  return column.real ? column.real[row] : as_number(column.integer[row]);
}

double level_at(const Column& column, Index row) {
  const int level = level_of(column, column.integer[row]);
  return level < 0 ? kNoValue : level;
}

std::vector<char> bags_of(const ModelPlan& plan, std::size_t features) {
  std::vector<char> bag(features, 0);
  for (const AnyPlan& bank : plan.banks) {
    for (int feature : bank->features()) bag[static_cast<std::size_t>(feature)] |= is_bag(bank);
  }
  return bag;
}

}  // namespace

void UsualValues::add(const Frame& frame, const IntVector& levels, const IntVector& of_row) {
  value.resize(frame.columns.size());
  group.insert(group.end(), of_row.begin(), of_row.end());
  for (std::size_t j = 0; j < levels.size(); ++j) {
    const Column& column = frame.columns[j];
    for (Index r = 0; r < frame.rows && !column.is_bag(); ++r) {
      value[j].push_back(levels[j] == 0 ? number_of(column, r) : level_at(column, r));
    }
  }
}

WatchedFeatures::WatchedFeatures(const ModelPlan& plan, const UsualValues& usual, bool others_too)
    : share(static_cast<std::size_t>(plan.groups), 0.0) {
  const IntVector levels = feature_levels(plan);
  const std::vector<char> bag = bags_of(plan, levels.size());
  quantile = Matrix::Zero(kQuantiles, static_cast<Index>(levels.size()) * plan.groups);
  const auto rows = static_cast<double>(usual.group.size());
  for (int k : usual.group) share[static_cast<std::size_t>(k)] += 1 / rows;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (bag[j]) continue;
    const auto at = static_cast<int>(j);
    if (levels[j] == 0) add_number(at, usual);
    if (levels[j] > 1) add_levels(at, levels[j], usual.value[j]);
  }
  others.assign(feature.size(), 0);
  if (others_too) add_functions_by_others(usual);
}

void WatchedFeatures::add_functions_by_others(const UsualValues& usual) {
  const std::size_t own = feature.size();
  for (std::size_t f = 0; f < own; ++f) {
    add(feature[f], static_cast<Kind>(kind[f]), level[f]);
    others.push_back(1);
  }
  Matrix found = Matrix::Zero(count(), static_cast<Index>(share.size())), all = found;
  for (std::size_t f = own; f < feature.size(); ++f) {
    const Vector& value = usual.value[static_cast<std::size_t>(feature[f])];
    for (std::size_t r = 0; r < value.size(); ++r) {
      if (kind[f] != kLevel || std::isnan(value[r])) continue;
      found(static_cast<Index>(f), usual.group[r]) += value[r] == level[f];
      ++all(static_cast<Index>(f), usual.group[r]);
    }
  }
  rate = found.array() / all.array().max(1.0);
}

void WatchedFeatures::check(const IntVector& levels, Index classes) const {
  const auto features = static_cast<Index>(levels.size());
  require(feature.size() == kind.size() && feature.size() == level.size() &&
              static_cast<Index>(share.size()) == classes && others.size() == feature.size() &&
              (rate.size() == 0 || has_shape(rate, count(), classes)) &&
              has_shape(quantile, kQuantiles, features * classes),
          "watched features: wrong size");
  for (std::size_t f = 0; f < feature.size(); ++f) {
    require(feature[f] >= 0 && feature[f] < features && kind[f] >= kRank && kind[f] <= kLevel,
            "watched features: no such feature");
    const int own = levels[static_cast<std::size_t>(feature[f])];
    require(kind[f] == kLevel ? level[f] >= 0 && level[f] < own : own == 0,
            "watched features: another kind of feature");
  }
}

bool WatchedFeatures::is_first(Index function) const {
  const auto f = static_cast<std::size_t>(function);
  return f == 0 || feature[f] != feature[f - 1] || others[f] != others[f - 1];
}

void WatchedFeatures::add(int of_feature, Kind of_kind, int of_level) {
  feature.push_back(of_feature);
  kind.push_back(of_kind);
  level.push_back(of_level);
}

void WatchedFeatures::add_number(int of_feature, const UsualValues& usual) {
  std::vector<Vector> known(share.size());
  const Vector& value = usual.value[static_cast<std::size_t>(of_feature)];
  bool constant = true;
  double first = kNoValue;
  for (std::size_t r = 0; r < value.size(); ++r) {
    if (!std::isfinite(value[r])) continue;
    if (std::isnan(first)) first = value[r];
    constant = constant && value[r] == first;
    known[static_cast<std::size_t>(usual.group[r])].push_back(value[r]);
  }
  if (constant) return;
  for (std::size_t k = 0; k < known.size(); ++k) {
    std::sort(known[k].begin(), known[k].end());
    const Index at = of_feature * static_cast<Index>(share.size()) + static_cast<Index>(k);
    for (int q = 0; q < kQuantiles; ++q) {
      quantile(q, at) = bayesrisk::quantile(known[k], q / (kQuantiles - 1.0));
    }
  }
  add(of_feature, kRank);
  add(of_feature, kSpread);
}

// The most frequent levels; of two levels one says all.
void WatchedFeatures::add_levels(int of_feature, int levels, const Vector& value) {
  Vector frequency(static_cast<std::size_t>(levels), 0.0);
  for (double l : value) {
    if (l >= 0 && l < levels) ++frequency[static_cast<std::size_t>(l)];
  }
  IntVector order(frequency.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return frequency[static_cast<std::size_t>(a)] > frequency[static_cast<std::size_t>(b)];
  });
  if (levels == 2) order = {1};
  order.resize(std::min(order.size(), kMostLevels));
  for (int l : order) add(of_feature, kLevel, l);
}

double WatchedFeatures::value(Index function, const Frame& frame, Index row, int k,
                              const double* by_others, Index distance) const {
  const auto f = static_cast<std::size_t>(function);
  const Column& column = frame.columns[static_cast<std::size_t>(feature[f])];
  if (kind[f] == kLevel) {
    const double l = level_at(column, row);
    if (std::isnan(l)) return l;
    const double has = l == level[f] ? 1.0 : 0.0;
    if (!others[f]) return has;
    double expected = 0;
    for (Index j = 0; j < rate.cols(); ++j) expected += by_others[j * distance] * rate(function, j);
    return 0.5 + 0.5 * (has - expected);
  }
  const double x = number_of(column, row);
  if (std::isnan(x)) return x;
  const double r = others[f] ? rank_by(feature[f], x, by_others, distance)
                   : k < 0   ? rank(feature[f], x)
                             : place(feature[f], k, x).rank;
  return kind[f] == kRank ? r : std::abs(2 * r - 1);
}

double WatchedFeatures::rank_by(int of_feature, double x, const double* probability,
                                Index distance) const {
  double sum = 0;
  for (std::size_t k = 0; k < share.size(); ++k) {
    const auto j = static_cast<Index>(k);
    if (is_placed(of_feature, k)) {
      sum += probability[j * distance] * place(of_feature, static_cast<int>(k), x).rank;
    }
  }
  return sum;
}

double WatchedFeatures::rank(int of_feature, double x) const {
  double most = -std::numeric_limits<double>::infinity(), total = 0, sum = 0;
  for (std::size_t k = 0; k < share.size(); ++k) {
    if (!is_placed(of_feature, k)) continue;
    const Place at = place(of_feature, static_cast<int>(k), x);
    const double log_weight = std::log(share[k]) + at.log_density;
    if (log_weight > most) {
      const double smaller = std::exp(most - log_weight);
      total *= smaller;
      sum *= smaller;
      most = log_weight;
    }
    const double weight = std::exp(log_weight - most);
    total += weight;
    sum += weight * at.rank;
  }
  return sum / total;
}

// Among equal numbers: the middle of their ranks. Beyond the quantiles the density falls by 8
// orders of e on their range.
WatchedFeatures::Place WatchedFeatures::place(int of_feature, int k, double x) const {
  constexpr double kCells = kQuantiles - 1, kFall = 8, kLeastWidth = 1e-4;
  const double *begin = quantiles_of(of_feature, k), *last = begin + kQuantiles - 1;
  const double range = std::max(*last - *begin, 1e-300);
  if (x < *begin || x > *last) {
    const double away = std::min((x < *begin ? *begin - x : x - *last) / range, 1e6);
    return {x < *begin ? 0.0 : 1.0, -std::log(range) - kFall * away};
  }
  const double* low = std::lower_bound(begin, last + 1, x);
  const double* high = std::upper_bound(low, last + 1, x);
  if (low == high) {
    const double width = low[0] - low[-1];
    const double rank = (static_cast<double>(low - begin) - 1 + (x - low[-1]) / width) / kCells;
    return {rank, -std::log(kCells * std::max(width, kLeastWidth * range))};
  }
  const auto equal = static_cast<double>(high - low - 1);
  const double rank = (static_cast<double>(low - begin) + 0.5 * equal) / kCells;
  const double width = equal > 0 ? kLeastWidth * range / equal : range / kCells;
  return {rank, -std::log(kCells * width)};
}

}  // namespace bayesrisk
