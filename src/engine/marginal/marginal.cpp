#include <engine/marginal/marginal.hpp>

namespace bayesrisk {

namespace {

// Moves each item that is not close to the last kept one to the front. Returns their end.
template <class Iterator, class Close>
Iterator keep_apart(Iterator begin, Iterator end, const Close& close) {
  Iterator kept = begin;
  for (Iterator next = begin + 1; next < end; ++next) {
    if (!close(*kept, *next)) *++kept = *next;
  }
  return kept + 1;
}

}  // namespace

Normals::OfClass spread_out(Normals::OfClass terms) {
  using Term = NormalComponent;
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return a.sd < b.sd || (a.sd == b.sd && a.mean < b.mean);
  });
  const auto close = [](const Term& a, const Term& b) {
    return a.sd == b.sd && b.mean - a.mean < 0.5 * a.sd;
  };
  terms.erase(keep_apart(terms.begin(), terms.end(), close), terms.end());
  return terms;
}

double normal_probability(double low, double high) {
  if (low > 0) return 0.5 * (std::erfc(low * kSqrtHalf) - std::erfc(high * kSqrtHalf));
  if (high < 0) return 0.5 * (std::erfc(-high * kSqrtHalf) - std::erfc(-low * kSqrtHalf));
  return 0.5 * (std::erf(high * kSqrtHalf) - std::erf(low * kSqrtHalf));
}

double NormalPair::log_at(double s) const {
  const double spread = s * (sd - 1) * (sd + 1);
  return s * std::log(sd) - 0.5 * std::log1p(spread) -
         0.5 * s * (1 - s) * distance * distance / (1 + spread);
}

double MixturePair::log_at(double s) const {
  if (std::max(first.size(), second.size()) > kMostTerms) return kNaN;
  const auto log_value = [&](double x) {
    return s * log_density(first, x) + (1 - s) * log_density(second, x);
  };
  const Vector breaks = landmarks(s);
  double largest = kNegativeInfinity;
  for (double x : breaks) largest = std::max(largest, log_value(x));
  const auto add = [&](double x, Eigen::ArrayXd& value) {
    value[0] += std::exp(log_value(x) - largest);
  };
  Quadrature quadrature(add, 1);
  const double width = breaks.back() - breaks.front();
  return largest + std::log(quadrature.integrate(breaks, 1e-13 * width, 100000).value[0]);
}

Vector MixturePair::landmarks(double s) const {
  Vector result;
  double narrowest = -kNegativeInfinity;
  for (const NormalComponent& f : spread_out(first)) {
    for (const NormalComponent& g : spread_out(second)) {
      const double a = s / (f.sd * f.sd), b = (1 - s) / (g.sd * g.sd);
      const double mean = f.mean + b / (a + b) * (g.mean - f.mean), sd = 1 / std::sqrt(a + b);
      narrowest = std::min(narrowest, sd);
      for (double z : {-9.0, -6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0, 9.0}) {
        result.push_back(mean + z * sd);
      }
    }
  }
  std::sort(result.begin(), result.end());
  const double near = 0.5 * narrowest;
  result.erase(
      keep_apart(result.begin(), result.end(), [near](double x, double y) { return y - x < near; }),
      result.end());
  return result;
}

std::vector<EventPair> CommonCounts::find() {
  const double low = std::min(lowest(first_), lowest(second_));
  const double high = std::max(highest(first_), highest(second_));
  double x = low;
  for (; x <= high && x < low + kSingle; x = next_count(x)) add(x, 1);
  if (x > high) return std::move(events_);
  // The sum from x on is about the integral from x - 1/2 on, plus 1/24 of the slope there. The
  // slope is the term at x minus the term at x - 1. So the term at x - 1, the last event so far,
  // counts 1 - 1/24 times, and the term at x counts 1/24 times.
  events_.back().log_count = std::log1p(-1 / 24.0);
  add(x, 1 / 24.0);
  for (x -= 0.5; x < high;) {
    const double length = std::min(high + 1 - x, std::min(spread(first_, x), spread(second_, x)));
    add_piece(x, length);
    x += length;
  }
  return std::move(events_);
}

void CommonCounts::add_piece(double from, double length) {
  constexpr double kNode[] = {0.09501250983763744019, 0.28160355077925891323,
                              0.45801677765722738634, 0.61787624440264374845,
                              0.75540440835500303390, 0.86563120238783174388,
                              0.94457502307323257608, 0.98940093499164993260};
  constexpr double kWeight[] = {0.18945061045506849629, 0.18260341504492358887,
                                0.16915651939500253819, 0.14959598881657673208,
                                0.12462897125553387205, 0.09515851168249278481,
                                0.06225352393864789286, 0.02715245941175409485};
  for (int i = 0; i < 8; ++i) {
    for (double side : {-1.0, 1.0}) {
      add(from + 0.5 * length * (1 + side * kNode[i]), 0.5 * length * kWeight[i]);
    }
  }
}

double CommonCounts::lowest(const CountLaw& law) {
  const CountTails tails(law);
  double low = tails.mode(), step = law.sd() + 1;
  for (; low > 0 && tails.tails(low).lower > kNegligible; step *= 2) low -= std::floor(step);
  return std::max(0.0, low);
}

double CommonCounts::highest(const CountLaw& law) {
  const CountTails tails(law);
  double high = tails.mode() + 1, step = law.sd() + 1;
  for (; tails.tails(high).upper > kNegligible && step < 1e300; step *= 2) {
    high += std::floor(step);
  }
  return high;
}

double PoissonProbability::between(double low, double high) const {
  low = std::max(low, 0.0);
  if (!(low <= high)) return 0;
  if (rate_ == 0) return low == 0 ? 1 : 0;
  const double largest = std::clamp(std::floor(rate_), low, high);
  const bool many = rate_ > kLarge && high - low > kFew;
  if (many && std::abs(largest - rate_) <= kNear * rate_) return by_tails(low, high);
  return std::exp(LogPoisson(largest).at(rate_, log_rate_)) *
         (1 + sum_above(largest, high) + sum_below(largest, low));
}

double PoissonProbability::sum_above(double from, double high) const {
  double sum = 0, term = 1;
  for (double n = next_count(from); n <= high; n = next_count(n)) {
    term *= rate_ / n;
    sum += term;
    if (n > rate_ && term * rate_ <= kNegligible * (1 + sum) * (n - rate_)) break;
  }
  return sum;
}

double PoissonProbability::sum_below(double from, double low) const {
  double sum = 0, term = 1;
  for (double n = from; n > low; n = previous_count(n)) {
    term *= n / rate_;
    sum += term;
    if (n < rate_ && term * n <= kNegligible * (1 + sum) * (rate_ - n)) break;
  }
  return sum;
}

double PoissonProbability::by_tails(double low, double high) const {
  const double difference = low > rate_    ? at_least(low) - at_least(high + 1)
                            : high < rate_ ? at_most(high) - at_most(low - 1)
                                           : 1 - at_most(low - 1) - at_least(high + 1);
  return std::max(0.0, difference);
}

double PoissonProbability::incomplete_gamma(double a, double side) const {
  const double exponent = poisson_deviance(a, rate_);
  const double eta = std::copysign(std::sqrt(2 * exponent / a), rate_ - a);
  const double series = -1 / 3.0 + eta * (1 / 12.0 - eta * 2 / 135.0) - 1 / (540 * a);
  return 0.5 * std::erfc(side * eta * std::sqrt(0.5 * a)) +
         side * series * std::exp(-exponent - kHalfLogTwoPi) / std::sqrt(a);
}

MomentPair compare_moments(const MeanAndSd& first, const MeanAndSd& second) {
  const double unit = first.sd > 0 ? first.sd : 1.0;
  const double own = first.sd / unit, other = second.sd / unit;
  return {(second.mean - first.mean) / unit, own * own, other * other};
}

int Bins::find(double x) const {
  if (count == 0 || !(x >= edges[0]) || x > edges[count]) return -1;
  const auto next = std::upper_bound(edges, edges + count, x) - edges;
  return static_cast<int>(next) - 1;
}

}  // namespace bayesrisk
