#include <engine/core/log_math.hpp>
#include <engine/strategy/marginal_test.hpp>

namespace bayesrisk {

namespace {

LogRange range_of(std::initializer_list<double> values) {
  const auto [low, high] = std::minmax(values);
  return {low, high};
}

// Each normal has its largest density at its mean, and the least at an end.
LogRange log_density_range(const Normals::OfClass& terms, double from, double to) {
  Eigen::VectorXd low(static_cast<Index>(terms.size())), high(low.size());
  for (Index i = 0; i < low.size(); ++i) {
    const NormalComponent& term = terms[static_cast<std::size_t>(i)];
    const double peak = term.log_weight - std::log(term.sd);
    const auto at = [&](double x) {
      const double z = (x - term.mean) / term.sd;
      return peak - 0.5 * z * z;
    };
    low[i] = std::min(at(from), at(to));
    high[i] = at(std::clamp(term.mean, from, to));
  }
  return {log_sum(low), log_sum(high)};
}

LogRange log_ratios(const Normals::OfClass& first, const Normals::OfClass& second, double from,
                    double to) {
  if (first.size() == 1 && second.size() == 1) {
    const LogRatio ratio(SignedTerm::of(first[0], 1, first[0].log_weight),
                         SignedTerm::of(second[0], 1, second[0].log_weight));
    const double vertex = ratio.curvature == 0 ? from : ratio.vertex(from, to);
    return range_of({ratio.at(from), ratio.at(to), ratio.at(std::clamp(vertex, from, to))});
  }
  const LogRange above = log_density_range(first, from, to);
  const LogRange below = log_density_range(second, from, to);
  return {above.low - below.high, above.high - below.low};
}

LogRange log_ratios(const Gammas::OfClass& first, const Gammas::OfClass& second, double from,
                    double to) {
  const auto at = [&](double x) { return log_density(first, x) - log_density(second, x); };
  const double turn = (first.shape - second.shape) / (first.rate - second.rate) - first.origin;
  return range_of({at(from), at(to), at(turn > from && turn < to ? turn : from)});
}

// Of all counts from `from` to the last one below `to`: the extremes are at the ends, or beside the
// vertex.
LogRange log_ratios(const CountLaw& first, const CountLaw& second, double from, double to) {
  LogRange range{kInfinity, kNegativeInfinity};
  const auto add = [&](double x) {
    const double ratio = first.log_probability(x) - second.log_probability(x);
    range = {std::min(range.low, ratio), std::max(range.high, ratio)};
  };
  const double low = std::ceil(from), high = previous_count(std::ceil(to));
  if (low > high) return range;
  add(low);
  add(high);
  const CountTerm above{1, 0, first}, below{1, 0, second};
  const CountRatio ratio(above, below);
  const double vertex = ratio.bends() ? ratio.vertex(low, high) : kNaN;
  if (!(vertex > low && vertex < high)) return range;
  add(std::floor(vertex));
  add(std::ceil(vertex));
  return range;
}

// Both are constant from one cut to the next.
template <class OfClass>
LogRange log_ratios(const OfClass& first, const OfClass& second, double from, double) {
  const double ratio = log_density(first, from) - log_density(second, from);
  return {ratio, ratio};
}

LogSlopes log_slopes(const Normals::OfClass& first, const Normals::OfClass& second, double from,
                     double to) {
  if (first.size() != 1 || second.size() != 1) return {};
  const LogRatio ratio(SignedTerm::of(first[0], 1, 0), SignedTerm::of(second[0], 1, 0));
  return {range_of({ratio.slope_at(from), ratio.slope_at(to)}),
          {2 * ratio.curvature, 2 * ratio.curvature}};
}

LogSlopes log_slopes(const Gammas::OfClass& first, const Gammas::OfClass& second, double from,
                     double to) {
  const double shape = first.shape - second.shape, rate = first.rate - second.rate;
  const double low = from + first.origin, high = to + first.origin;
  return {range_of({shape / low - rate, shape / high - rate}),
          range_of({-shape / (low * low), -shape / (high * high)})};
}

template <class OfClass>
LogSlopes log_slopes(const OfClass&, const OfClass&, double, double) {
  return {};
}

Vector sorted(Vector x) {
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

// Sums of hundreds of normals have tens of thousands of points.
template <class M>
Vector find_cuts(const M& marginal, const std::vector<char>& possible, int count) {
  constexpr int kTails = 256;  // of a class
  Vector x;
  const auto classes = std::count(possible.begin(), possible.end(), 1);
  for (std::size_t k = 0; k < possible.size(); ++k) {
    if (!possible[k]) continue;
    const auto parts = static_cast<int>(parts_of(marginal.classes[k])) * static_cast<int>(classes);
    add_points(marginal.classes[k], std::max(1, count / parts), x);
  }
  return thinned(sorted(x), std::max<Index>(4 * count, kTails * classes));
}

// All counts, unless there are thousands.
Vector find_cuts(const Counts& counts, const std::vector<char>& possible, int) {
  constexpr int kMost = 2000;
  Vector x;
  for (std::size_t k = 0; k < possible.size(); ++k) {
    if (possible[k]) add_points(counts.classes[k], kMost, x);
  }
  return sorted(x);
}

Vector find_cuts(const Steps& steps, const std::vector<char>&, int) { return edges_of(steps); }
Vector find_cuts(const Atoms& atoms, const std::vector<char>&, int) { return values_of(atoms); }

}  // namespace

// Cuts beyond which hardly any value lies are left out, except for one at each end.
Vector MarginalTest::cuts(int count) const {
  constexpr double kRare = 1e-9;
  constexpr int kFiner = 8;  // as many to choose from
  const Vector all = std::visit(
      [&](const auto& of) { return find_cuts(of, possible_, kFiner * count); }, marginal_);
  if (is_constant()) return all;
  const Matrix mass = probabilities(all);
  const auto column = [&](std::size_t i) { return mass.col(static_cast<Index>(i)); };
  Eigen::VectorXd below = column(0) + column(std::min<std::size_t>(1, all.size()));
  Eigen::VectorXd above = column(all.size()) + column(std::max<std::size_t>(1, all.size()) - 1);
  std::size_t first = 0, last = all.size();
  while (first + 1 < last && below.maxCoeff() < kRare) below += column(++first + 1);
  while (last > first + 1 && above.maxCoeff() < kRare) above += column(--last - 1);
  const Vector kept(all.begin() + static_cast<std::ptrdiff_t>(first),
                    all.begin() + static_cast<std::ptrdiff_t>(last));
  const bool whole = std::holds_alternative<Counts>(marginal_);
  if (kept.size() < 3) return kept;
  return whole ? thinned(kept, 2 * count) : spread(kept, count);
}

// About what the decision between two classes loses if the values of an interval are one answer:
// the mass that both share, times the square of the change of their log ratio. A large change
// tells the class, so the loss has a bound.
double MarginalTest::loss(const Eigen::VectorXd& mass, double from, double to) const {
  constexpr double kMost = 3;
  double total = 0;
  for (Index j = 0; j < mass.size(); ++j) {
    for (Index k = 0; k < j; ++k) {
      if (!(mass[j] > 0 && mass[k] > 0)) continue;
      const LogRange range = log_ratios(j, k, from, to);
      const double change = std::min(kMost, range.high - range.low);
      total += change * change / (1 / mass[j] + 1 / mass[k]);
    }
  }
  return total;
}

// Of increasing `x` about `count`, the ends too. Intervals lose as the third power of their widths,
// so they lose least together if the third roots of the losses are even.
Vector MarginalTest::spread(const Vector& x, int count) const {
  const Matrix mass = probabilities(x);
  Vector root{0};
  for (std::size_t i = 1; i < x.size(); ++i) {
    root.push_back(root.back() + std::cbrt(loss(mass.col(static_cast<Index>(i)), x[i - 1], x[i])));
  }
  const double each = root.back() / std::max(1, count - 1);
  Vector result{x[0]};
  double next = each;
  for (std::size_t i = 1; i + 1 < x.size(); ++i) {
    if (root[i] <= next) continue;
    result.push_back(x[i]);
    while (each > 0 && next <= root[i]) next += each;
  }
  result.push_back(x.back());
  return result;
}

Matrix MarginalTest::probabilities(const Vector& cuts) const {
  const auto classes = static_cast<Index>(possible_.size());
  Matrix result = Matrix::Zero(static_cast<Index>(cuts.size()) + 1, classes);
  std::visit(
      [&](const auto& of) {
        for (Index k = 0; k < classes; ++k) {
          if (!possible_[static_cast<std::size_t>(k)]) continue;
          add_probabilities(of.classes[static_cast<std::size_t>(k)], 0, cuts, result.col(k).data());
        }
      },
      marginal_);
  return result.transpose();
}

Eigen::VectorXd MarginalTest::log_densities(double x) const {
  Eigen::VectorXd result =
      Eigen::VectorXd::Constant(static_cast<Index>(possible_.size()), kNegativeInfinity);
  std::visit(
      [&](const auto& of) {
        for (std::size_t k = 0; k < possible_.size(); ++k) {
          if (possible_[k]) result[static_cast<Index>(k)] = log_density(of.classes[k], x);
        }
      },
      marginal_);
  return result;
}

bool MarginalTest::has_gaps(Index of) const {
  const auto* counts = std::get_if<Counts>(&marginal_);
  return counts ? counts->classes[static_cast<std::size_t>(of)].mean == 0 : is_constant();
}

bool MarginalTest::is_constant() const {
  return std::holds_alternative<Steps>(marginal_) || std::holds_alternative<Atoms>(marginal_);
}

LogRange MarginalTest::log_ratios(Index above, Index below, double from, double to) const {
  return std::visit(
      [&](const auto& of) {
        return bayesrisk::log_ratios(of.classes[static_cast<std::size_t>(above)],
                                     of.classes[static_cast<std::size_t>(below)], from, to);
      },
      marginal_);
}

LogSlopes MarginalTest::log_slopes(Index above, Index below, double from, double to) const {
  return std::visit(
      [&](const auto& of) {
        return bayesrisk::log_slopes(of.classes[static_cast<std::size_t>(above)],
                                     of.classes[static_cast<std::size_t>(below)], from, to);
      },
      marginal_);
}

Regions MarginalTest::regions(const Eigen::VectorXd& weight, const Cost& cost) const {
  Vector log_weight(possible_.size(), kNegativeInfinity);
  for (std::size_t k = 0; k < possible_.size(); ++k) {
    if (possible_[k]) log_weight[k] = std::log(weight[static_cast<Index>(k)]);
  }
  return find_regions(marginal_, log_weight, cost);
}

}  // namespace bayesrisk
