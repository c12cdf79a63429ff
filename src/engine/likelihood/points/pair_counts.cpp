#include <engine/core/golden_section.hpp>
#include <engine/core/root.hpp>
#include <engine/likelihood/points/pair_counts.hpp>

#include <algorithm>

namespace bayesrisk {

namespace {

constexpr double kSqrtPi = 1.7724538509055160273, kSqrtTwoPi = 2.5066282746310005024;

// Scott's factor of the largest useful bandwidth.
constexpr double kLargest = 1.144;

}  // namespace

PairCounts::PairCounts(const Points& points) : weight_(points.col(1).sum()) {
  const Index last = points.rows() - 1;
  width_ = (points(last, 0) - points(0, 0)) * 1.01 / kBins;
  const auto bin = [&](Index i) { return std::trunc(points(i, 0) / width_); };
  Vector inside(kBins, 0.0);
  for (Index i = 0; i <= last; ++i) {
    const double place = std::min<double>(bin(i) - bin(0), kBins - 1);
    inside[static_cast<std::size_t>(place)] += points(i, 1);
  }
  count_.assign(kBins, 0.0);
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (!(inside[i] > 0)) continue;
    // Below a weight of 1 there is no pair within a bin.
    count_[0] += std::max(0.0, 0.5 * inside[i] * (inside[i] - 1));
    for (std::size_t j = 0; j < i; ++j) count_[i - j] += inside[i] * inside[j];
  }
}

template <class Term>
double PairCounts::sum(double bin, const Term& term) const {
  constexpr double kFar = 1000;
  double total = 0;
  for (std::size_t i = 0; i < count_.size(); ++i) {
    const double distance = static_cast<double>(i) * bin, square = distance * distance;
    if (square >= kFar) break;
    total += term(square) * count_[i];
  }
  return total;
}

double PairCounts::fourth(double h, double bin) const {
  const double pairs =
      sum(bin / h, [](double s) { return std::exp(-s / 2) * (s * s - 6 * s + 3); });
  return (2 * pairs + 3 * weight_) / (weight_ * (weight_ - 1) * std::pow(h, 5) * kSqrtTwoPi);
}

double PairCounts::sixth(double h, double bin) const {
  const double pairs = sum(
      bin / h, [](double s) { return std::exp(-s / 2) * (s * s * s - 15 * s * s + 45 * s - 15); });
  return (2 * pairs - 15 * weight_) / (weight_ * (weight_ - 1) * std::pow(h, 7) * kSqrtTwoPi);
}

double PairCounts::solved(double spread) const {
  constexpr int kMostSteps = 99;
  // In units of the spread no power of a bandwidth underflows.
  const double bin = width_ / spread;
  const double curvature = -sixth(1.23 * std::pow(weight_, -1. / 9), bin);
  const double ratio =
      1.357 * std::pow(fourth(1.24 * std::pow(weight_, -1. / 7), bin) / curvature, 1. / 7);
  const auto excess = [&](double h) {
    const double roughness = fourth(ratio * std::pow(h, 5. / 7), bin);
    return std::pow(1 / (2 * kSqrtPi * weight_ * roughness), 0.2) - h;
  };
  double high = kLargest * std::pow(weight_, -0.2), low = 0.1 * high;
  for (int i = 1; !(excess(low) * excess(high) <= 0); ++i) {
    if (i > kMostSteps) return kNaN;
    if (i % 2 == 1) {
      high *= 1.2;
    } else {
      low /= 1.2;
    }
  }
  // Rounded values can give several solutions. This is the largest one.
  constexpr int kParts = 64;
  const double part = std::pow(low / high, 1.0 / kParts), above = excess(high);
  for (int i = 1; i < kParts && excess(high * part) * above > 0; ++i) high *= part;
  return spread * find_root(excess, std::max(low, high * part), high);
}

double PairCounts::cross_validated(double sd) const {
  constexpr int kIntervals = 64, kSteps = 40;
  const double unit = kLargest * sd * std::pow(weight_, -0.2);
  const auto error = [&](double u) {
    const double pairs = sum(width_ / unit / u, [](double s) {
      return std::exp(-s / 4) - std::sqrt(8.0) * std::exp(-s / 2);
    });
    return (0.5 + pairs / weight_) / u;
  };
  const auto at = [](int i) { return 0.1 + 0.9 * i / kIntervals; };
  int best = 0;
  for (int i = 1; i <= kIntervals; ++i) {
    if (error(at(i)) < error(at(best))) best = i;
  }
  const int before = std::max(best - 1, 0), after = std::min(best + 1, kIntervals);
  return unit * golden_section(error, at(before), at(best), at(after), kSteps);
}

}  // namespace bayesrisk
